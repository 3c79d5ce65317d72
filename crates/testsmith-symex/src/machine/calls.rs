//! Calls: frames, imports, known functions, and `attempt`, which catches what a panic or a halt ends.

use super::hooks::panic_location;
use super::host::{HostCall, Link};
use super::interpret::Interpreter;
use super::start::Callee;
use super::value::Value;
use super::{Machine, Panic, Stop};
use crate::wasm::{FuncId, NULL, Reg, Trap};

/// Where the interpreter is: the next instruction, and the registers of the frame as a part of the stack.
#[derive(Clone, Copy)]
pub(super) struct Position {
    pub(super) next: u32,
    pub(super) base: usize,
    pub(super) registers: usize,
}

/// A call that waits for the one inside of it.
pub(super) struct Frame {
    back: Position,
    /// The call is an `attempt`, which ends here whatever happens inside.
    attempt: Option<Attempt>,
}

struct Attempt {
    /// Where on the stack the result goes.
    result: usize,
    /// The program's own stack pointer, which a call that is cut off does not restore.
    stack_pointer: Option<Value>,
}

/// Registers on the stack at most: 256 MB.
const MOST_REGISTERS: usize = 1 << 24;

impl Interpreter<'_, '_, '_> {
    /// Runs a function whose arguments are the first registers of the stack; its results are there at the end.
    pub(super) fn run(&mut self, function: FuncId, stack: &mut Vec<Value>) -> Result<(), Stop> {
        let outside = Position { next: u32::MAX, base: 0, registers: 0 };
        let mut from = self.call(function, outside, 0, stack)?;
        if from.next == u32::MAX {
            // An import or a known function has been answered already.
            return Ok(());
        }
        self.frames.pop();
        loop {
            match self.execute(from, stack) {
                Ok(()) => return Ok(()),
                Err(stop) => from = self.catch(stop, stack)?,
            }
        }
    }

    /// Calls a function with its frame at register `frame` of the caller. Returns where to go on: in the function, or behind
    /// the call where it was answered at once.
    #[inline(always)]
    pub(super) fn call(
        &mut self,
        function: FuncId,
        back: Position,
        frame: Reg,
        stack: &mut Vec<Value>,
    ) -> Result<Position, Stop> {
        let base = back.base + usize::from(frame);
        match self.machine.callees[function as usize] {
            Callee::Code { start, registers, params, locals } => {
                let registers = registers as usize;
                let end = base + registers;
                if end > stack.len() {
                    grow(stack, end)?;
                }
                stack[base + params as usize..base + locals as usize].fill(Value::default());
                self.check_limits()?;
                if self.frames.len() >= self.machine.options.depth {
                    return Err(Trap::StackOverflow.into());
                }
                self.frames.push(Frame { back, attempt: None });
                Ok(Position { next: start, base, registers })
            }
            answered => self.answer(function, answered, back, base, stack),
        }
    }

    /// A call of something that is no code of the module.
    #[inline(never)]
    fn answer(
        &mut self,
        function: FuncId,
        callee: Callee,
        back: Position,
        base: usize,
        stack: &mut Vec<Value>,
    ) -> Result<Position, Stop> {
        let place = back.next.wrapping_sub(1);
        let machine = &mut *self.machine;
        let values = match callee {
            Callee::Import { values, .. } | Callee::Hook { values, .. } => values as usize,
            Callee::Code { .. } => unreachable!("code is executed"),
        };
        if base + values > stack.len() {
            grow(stack, base + values)?;
        }
        let values = &mut stack[base..base + values];
        let memory = &mut machine.memory;
        let mut call = HostCall { place, values, memory, symbolic: self.symbolic };
        match callee {
            Callee::Hook { hook, params, .. } => hook.call(&mut call, |call| Panic {
                entry: function,
                location: panic_location(call, params as usize),
            })?,
            Callee::Import { link: Link::Wasi(wasi), .. } => wasi.call(&mut call)?,
            Callee::Import { link: Link::Host(number), .. } => self.host.call(number, &mut call)?,
            Callee::Import { link: Link::Halt, .. } => return Err(Stop::Halt(call.fixed_low(0))),
            Callee::Import { link: Link::Attempt, .. } => {
                let function = call.fixed_low(0);
                return self.attempt(function, back, base, stack);
            }
            Callee::Import { link: Link::Missing, number, .. } => {
                let import = &machine.module.imports[number as usize];
                let what = format!("the import `{}` of `{}`", import.name, import.module);
                return Err(Stop::Unsupported(what));
            }
            Callee::Code { .. } => unreachable!("code is executed"),
        }
        Ok(back)
    }

    /// `attempt(f, data)`: calls `table[f](data)`. The result is 0, 1 for a panic, or the number of a halt.
    fn attempt(
        &mut self,
        function: u32,
        back: Position,
        base: usize,
        stack: &mut Vec<Value>,
    ) -> Result<Position, Stop> {
        let function = self.machine.reference(0, function)?;
        let signature = self.machine.module.signature(function);
        if signature.params.len() != 1 || !signature.results.is_empty() {
            return Err(Trap::IndirectCallType.into());
        }
        let stack_pointer = self.machine.globals.first().copied();
        let attempt = Attempt { result: base, stack_pointer };
        stack[base] = Value::concrete(0);
        // The function's one argument is the second of the call.
        let inner = Position { base: base + 1, ..back };
        let position = self.call(function, inner, 0, stack)?;
        if position.next != inner.next || position.base != inner.base {
            let frame = self.frames.last_mut().expect("code has pushed its frame");
            *frame = Frame { back, attempt: Some(attempt) };
            return Ok(position);
        }
        Ok(back)
    }

    /// Ends the innermost call. Returns where its caller goes on, or nothing at the end of the outermost.
    #[inline(always)]
    pub(super) fn leave(&mut self) -> Option<Position> {
        self.frames.pop().map(|frame| frame.back)
    }

    /// Cuts off the calls inside of the innermost attempt, where it catches what stopped them.
    fn catch(&mut self, stop: Stop, stack: &mut [Value]) -> Result<Position, Stop> {
        let code = match stop {
            Stop::Panic(_) => 1,
            Stop::Halt(why) => u64::from(why),
            _ => return Err(stop),
        };
        while let Some(frame) = self.frames.pop() {
            let Some(attempt) = frame.attempt else { continue };
            if let (Some(before), Some(pointer)) = (attempt.stack_pointer, self.machine.globals.first_mut()) {
                *pointer = before;
            }
            stack[attempt.result] = Value::concrete(code);
            return Ok(frame.back);
        }
        Err(stop)
    }
}

fn grow(stack: &mut Vec<Value>, end: usize) -> Result<(), Trap> {
    if end > MOST_REGISTERS {
        return Err(Trap::StackOverflow);
    }
    stack.resize((end * 2).max(1024), Value::default());
    Ok(())
}

impl Machine<'_> {
    /// The function that an indirect call means.
    #[inline(always)]
    pub(super) fn callee(&self, table: u16, index: u32, signature: u32) -> Result<FuncId, Trap> {
        let function = self.reference(table, index)?;
        if self.module.functions[function as usize].signature == signature {
            Ok(function)
        } else {
            Err(Trap::IndirectCallType)
        }
    }

    fn reference(&self, table: u16, index: u32) -> Result<FuncId, Trap> {
        match self.table_get(u32::from(table), index)? {
            NULL => Err(Trap::NullReference),
            function => Ok(function as FuncId),
        }
    }

    pub(super) fn memory_init(&mut self, segment: u32, to: u64, from: u64, bytes: u64) -> Result<(), Trap> {
        let module = self.module;
        let source: &[u8] = match self.dropped_data[segment as usize] {
            true => &[],
            false => &module.data[segment as usize].bytes,
        };
        let end = from.checked_add(bytes).filter(|end| *end <= source.len() as u64);
        let end = end.ok_or(Trap::MemoryOutOfBounds)?;
        self.memory.write(to, &source[from as usize..end as usize])
    }
}
