//! The loop over register code.
//!
//! Main type: [`Interpreter`], one call from outside. Every instruction computes its concrete result; where an operand
//! depends on inputs it also goes to `symbolic` or `heap`. Calls of the program do not nest in the engine, so that deep
//! recursion is no danger; `calls` has what a call does.

use super::calls::{Frame, Position};
use super::heap::Access;
use super::host::Host;
use super::symbolic::Symbolic;
use super::value::Value;
use super::{Limit, Machine, Stop};
use crate::expr::Expr;
use crate::wasm::numeric::{compute, numeric_instructions};
use crate::wasm::{Binary, Instr, Load, Reg, Trap, Unary};

/// One call from outside, until it returns or stops.
pub(super) struct Interpreter<'r, 'm, 'e> {
    pub(super) machine: &'r mut Machine<'m>,
    pub(super) symbolic: &'r mut Symbolic<'e>,
    pub(super) host: &'r mut dyn Host,
    pub(super) frames: Vec<Frame>,
    /// Instructions so far, counted where control leaves a straight piece of code.
    pub(super) steps: u64,
}

impl Interpreter<'_, '_, '_> {
    /// Runs from a position until the outermost function returns.
    #[expect(clippy::too_many_lines, reason = "one arm for each instruction")]
    pub(super) fn execute(&mut self, from: Position, stack: &mut Vec<Value>) -> Result<(), Stop> {
        let module = self.machine.module;
        let code = module.code.as_slice();
        let Position { next, mut base, mut registers } = from;
        let mut next = next as usize;
        // Where the straight piece of code began that is being executed.
        let mut entered = next;
        let mut regs = &mut stack[base..base + registers];

        macro_rules! reg {
            ($reg:expr) => {
                regs[$reg as usize]
            };
        }
        // Leaves the straight piece of code; `place` is its last instruction.
        macro_rules! go {
            ($place:expr, $target:expr) => {{
                let target = $target as usize;
                self.steps += ($place - entered) as u64 + 1;
                if target <= $place {
                    self.check_limits()?;
                }
                next = target;
                entered = target;
            }};
        }
        macro_rules! jump_on {
            ($place:expr, $taken:expr, $target:expr) => {
                if $taken {
                    go!($place, $target);
                }
            };
        }
        macro_rules! resume {
            ($position:expr) => {{
                let position: Position = $position;
                (base, registers) = (position.base, position.registers);
                next = position.next as usize;
                entered = next;
                regs = &mut stack[base..base + registers];
            }};
        }
        macro_rules! load {
            ($place:expr, $to:expr, $address:expr, $offset:expr, $bytes:literal, $load:expr, $decode:expr) => {{
                let address = reg!($address);
                let at = u64::from(address.low()) + u64::from($offset);
                let plain = if address.expr.is_none() {
                    self.machine.memory.read_concrete::<$bytes>(at)
                } else {
                    None
                };
                reg!($to) = match plain {
                    Some(bytes) => Value::concrete($decode(bytes)),
                    None => {
                        let access = Access { place: $place as u32, address, offset: $offset, bytes: $bytes };
                        self.symbolic.load(&self.machine.memory, access, $load)?
                    }
                };
            }};
        }
        macro_rules! store {
            ($place:expr, $from:expr, $address:expr, $offset:expr, $bytes:literal, $narrow:ty) => {{
                let (address, value) = (reg!($address), reg!($from));
                let at = u64::from(address.low()) + u64::from($offset);
                let plain = address.expr.is_none() && value.expr.is_none();
                if !(plain
                    && self
                        .machine
                        .memory
                        .write_concrete::<$bytes>(at, (value.bits as $narrow).to_le_bytes()))
                {
                    let access = Access { place: $place as u32, address, offset: $offset, bytes: $bytes };
                    self.symbolic.store(&mut self.machine.memory, access, value)?;
                }
            }};
        }
        macro_rules! step {
            (
                compare { $($cmp:ident $cmp_const:ident $jump:ident $jump_const:ident $contrary:ident |$ca:ident: $cta:ty, $cb:ident: $ctb:ty| $cbody:expr;)* }
                binary { $($bin:ident $bin_const:ident |$ba:ident: $bta:ty, $bb:ident: $btb:ty| $bbody:expr;)* }
                partial { $($par:ident |$pa:ident: $pta:ty, $pb:ident: $ptb:ty| $pbody:expr;)* }
                unary { $($una:ident |$ua:ident: $uta:ty| $ubody:expr;)* }
                convert { $($con:ident |$va:ident: $vta:ty| $vbody:expr;)* }
            ) => {
                loop {
                    let place = next;
                    next += 1;
                    match code[place] {
                        $(Instr::$cmp { to, a, b } => {
                            let (a, b) = (reg!(a), reg!(b));
                            reg!(to) = self.computed(Binary::$cmp, a, b, compute::$cmp(a.bits, b.bits));
                        })*
                        $(Instr::$cmp_const { to, a, constant } => {
                            let (a, b) = (reg!(a), Value::concrete(constant));
                            reg!(to) = self.computed(Binary::$cmp, a, b, compute::$cmp(a.bits, constant));
                        })*
                        $(Instr::$jump { a, b, target } => {
                            let (a, b) = (reg!(a), reg!(b));
                            let taken = compute::$cmp(a.bits, b.bits) != 0;
                            self.compared(place, Binary::$cmp, a, b, taken);
                            jump_on!(place, taken, target);
                        })*
                        $(Instr::$jump_const { a, constant, target } => {
                            let (a, b) = (reg!(a), Value::concrete(short_constant(Binary::$cmp, constant)));
                            let taken = compute::$cmp(a.bits, b.bits) != 0;
                            self.compared(place, Binary::$cmp, a, b, taken);
                            jump_on!(place, taken, target);
                        })*
                        $(Instr::$bin { to, a, b } => {
                            let (a, b) = (reg!(a), reg!(b));
                            reg!(to) = self.computed(Binary::$bin, a, b, compute::$bin(a.bits, b.bits));
                        })*
                        $(Instr::$bin_const { to, a, constant } => {
                            let (a, b) = (reg!(a), Value::concrete(constant));
                            reg!(to) = self.computed(Binary::$bin, a, b, compute::$bin(a.bits, constant));
                        })*
                        $(Instr::$par { to, a, b } => {
                            let (a, b) = (reg!(a), reg!(b));
                            if a.expr.is_some() || b.expr.is_some() {
                                self.symbolic.division(place as u32, Binary::$par, a, b);
                            }
                            let bits = compute::$par(a.bits, b.bits)?;
                            reg!(to) = self.computed(Binary::$par, a, b, bits);
                        })*
                        $(Instr::$una { to, a } => {
                            let a = reg!(a);
                            let bits = compute::$una(a.bits);
                            reg!(to) = match a.expr {
                                None => Value::concrete(bits),
                                Some(expr) => self.symbolic.unary(Unary::$una, expr, bits),
                            };
                        })*
                        $(Instr::$con { to, a } => {
                            let a = reg!(a);
                            let result = compute::$con(a.bits);
                            if let Some(expr) = a.expr {
                                self.symbolic.conversion(place as u32, Unary::$con, expr, result.is_err());
                            }
                            let bits = result?;
                            reg!(to) = match a.expr {
                                None => Value::concrete(bits),
                                Some(expr) => self.symbolic.unary(Unary::$con, expr, bits),
                            };
                        })*
                        Instr::Const { to, constant } => reg!(to) = Value::concrete(constant),
                        Instr::Copy { to, from } => reg!(to) = reg!(from),
                        Instr::Select { to, condition, a, b, width } => {
                            let (condition, a, b) = (reg!(condition), reg!(a), reg!(b));
                            reg!(to) = match condition.expr {
                                None => if condition.bits != 0 { a } else { b },
                                Some(_) => self.symbolic.select(place as u32, condition, a, b, u32::from(width)),
                            };
                        }
                        Instr::GlobalGet { to, global } => reg!(to) = self.machine.globals[global as usize],
                        Instr::GlobalSet { from, global } => self.machine.globals[global as usize] = reg!(from),
                        Instr::Load8 { to, address, offset, wide } => {
                            load!(place, to, address, offset, 1, unsigned(1, wide), |bytes: [u8; 1]| u64::from(bytes[0]));
                        }
                        Instr::Load16 { to, address, offset, wide } => {
                            load!(place, to, address, offset, 2, unsigned(2, wide), |bytes| u64::from(u16::from_le_bytes(bytes)));
                        }
                        Instr::Load32 { to, address, offset, wide } => {
                            load!(place, to, address, offset, 4, unsigned(4, wide), |bytes| u64::from(u32::from_le_bytes(bytes)));
                        }
                        Instr::Load64 { to, address, offset } => {
                            load!(place, to, address, offset, 8, unsigned(8, true), u64::from_le_bytes);
                        }
                        Instr::LoadSigned { to, address, offset, load } => {
                            let access = Access { place: place as u32, address: reg!(address), offset, bytes: u32::from(load.bytes) };
                            reg!(to) = self.symbolic.load(&self.machine.memory, access, load)?;
                        }
                        Instr::Store8 { from, address, offset } => store!(place, from, address, offset, 1, u8),
                        Instr::Store16 { from, address, offset } => store!(place, from, address, offset, 2, u16),
                        Instr::Store32 { from, address, offset } => store!(place, from, address, offset, 4, u32),
                        Instr::Store64 { from, address, offset } => store!(place, from, address, offset, 8, u64),
                        Instr::Jump { target } => go!(place, target),
                        Instr::JumpIf { condition, target } => {
                            let condition = reg!(condition);
                            if let Some(expr) = condition.expr {
                                self.tested(place, expr, condition.bits != 0);
                            }
                            jump_on!(place, condition.low() != 0, target);
                        }
                        Instr::JumpUnless { condition, target } => {
                            let condition = reg!(condition);
                            if let Some(expr) = condition.expr {
                                self.tested(place, expr, condition.bits != 0);
                            }
                            jump_on!(place, condition.low() == 0, target);
                        }
                        Instr::JumpTable { index, count, first } => {
                            let index = reg!(index);
                            let entry = index.low().min(count - 1);
                            let target = module.jump_targets[(first + entry) as usize];
                            if let Some(expr) = index.expr {
                                self.symbolic.jump(place as u32, expr, target);
                            }
                            go!(place, target);
                        }
                        Instr::Call { frame, function } => {
                            self.steps += (place - entered) as u64 + 1;
                            let back = Position { next: next as u32, base, registers };
                            resume!(self.call(function, back, frame, stack)?);
                        }
                        Instr::CallIndirect { frame, index, table, signature } => {
                            self.steps += (place - entered) as u64 + 1;
                            let index = reg!(index);
                            let index = self.symbolic.fix(place as u32, index) as u32;
                            let function = self.machine.callee(table, index, signature)?;
                            let back = Position { next: next as u32, base, registers };
                            resume!(self.call(function, back, frame, stack)?);
                        }
                        Instr::Return { from, count } => {
                            self.steps += (place - entered) as u64 + 1;
                            let from = from as usize;
                            for result in 0..count as usize {
                                regs[result] = regs[from + result];
                            }
                            match self.leave() {
                                Some(position) => resume!(position),
                                None => return Ok(()),
                            }
                        }
                        Instr::Unreachable => return Err(Trap::Unreachable.into()),
                        Instr::Unsupported { reason } => {
                            return Err(Stop::Unsupported(module.reasons[reason as usize].clone()));
                        }
                        other => self.rare(place as u32, other, regs)?,
                    }
                }
            };
        }
        numeric_instructions!(step)
    }

    /// The result of an instruction with two operands.
    #[inline(always)]
    fn computed(&mut self, op: Binary, a: Value, b: Value, bits: u64) -> Value {
        if a.expr.is_none() && b.expr.is_none() {
            Value::concrete(bits)
        } else {
            self.symbolic.binary(op, a, b, bits)
        }
    }

    /// A jump that compares.
    #[inline(always)]
    fn compared(&mut self, place: usize, op: Binary, a: Value, b: Value, taken: bool) {
        if a.expr.is_some() || b.expr.is_some() {
            self.symbolic.jump_compared(place as u32, op, a, b, taken);
        }
    }

    #[cold]
    #[inline(never)]
    fn tested(&mut self, place: usize, expr: Expr, taken: bool) {
        let truth = self.symbolic.truth(expr);
        self.symbolic.branch(place as u32, truth, taken);
    }

    /// Stops at a limit; asked wherever the program may stay for ever.
    #[inline(always)]
    pub(super) fn check_limits(&self) -> Result<(), Stop> {
        if self.steps >= self.machine.options.steps {
            return Err(Stop::Limit(Limit::Steps));
        }
        match self.symbolic.exhausted {
            Some(limit) => Err(Stop::Limit(limit)),
            None => Ok(()),
        }
    }

    /// Instructions that are too rare to stand in the loop.
    #[inline(never)]
    fn rare(&mut self, place: u32, instr: Instr, regs: &mut [Value]) -> Result<(), Stop> {
        let mut fixed = |reg: Reg| self.symbolic.fix(place, regs[reg as usize]);
        let machine = &mut *self.machine;
        match instr {
            Instr::MemorySize { to } => regs[to as usize] = Value::concrete(machine.memory.pages()),
            Instr::MemoryGrow { to, pages } => {
                let before = machine.memory.grow(fixed(pages)).unwrap_or(u64::from(u32::MAX));
                regs[to as usize] = Value::concrete(before);
            }
            Instr::MemoryCopy { to, from, bytes } => {
                let (to, from, bytes) = (fixed(to), fixed(from), fixed(bytes));
                machine.memory.copy(to, from, bytes)?;
            }
            Instr::MemoryFill { to, value, bytes } => {
                let (to, bytes) = (fixed(to), fixed(bytes));
                let value = regs[value as usize];
                machine.memory.fill(to, value.bits as u8, bytes)?;
                if let Some(expr) = value.expr {
                    for at in to..to + bytes {
                        machine.memory.store_expr(self.symbolic.exprs, at as usize, 1, expr);
                    }
                }
            }
            Instr::MemoryInit { to, from, bytes, segment } => {
                let (to, from, bytes) = (fixed(to), fixed(from), fixed(bytes));
                machine.memory_init(segment, to, from, bytes)?;
            }
            Instr::DataDrop { segment } => machine.dropped_data[segment as usize] = true,
            Instr::TableGet { to, index, table } => {
                let reference = machine.table_get(table, fixed(index) as u32)?;
                regs[to as usize] = Value::concrete(reference);
            }
            Instr::TableSet { index, from, table } => {
                let (index, reference) = (fixed(index) as u32, regs[from as usize].bits);
                machine.table_set(table, index, reference)?;
            }
            Instr::TableSize { to, table } => {
                regs[to as usize] = Value::concrete(machine.tables[table as usize].len() as u64);
            }
            Instr::TableGrow { to, value, more, table } => {
                let more = fixed(more) as u32;
                let before = machine.table_grow(table, regs[value as usize].bits, more);
                regs[to as usize] = Value::concrete(u64::from(before));
            }
            Instr::TableFill { index, value, count, table } => {
                let (index, count) = (fixed(index) as u32, fixed(count) as u32);
                machine.table_fill(table, index, regs[value as usize].bits, count)?;
            }
            Instr::TableCopy { to, from, count, to_table, from_table } => {
                let (to, from, count) = (fixed(to) as u32, fixed(from) as u32, fixed(count) as u32);
                machine.table_copy((u32::from(to_table), to), (u32::from(from_table), from), count)?;
            }
            Instr::TableInit { to, from, count, table, segment } => {
                let (to, from, count) = (fixed(to) as u32, fixed(from) as u32, fixed(count) as u32);
                machine.table_init(u32::from(table), segment, to, from, count)?;
            }
            Instr::ElementDrop { segment } => machine.dropped_elements[segment as usize] = true,
            other => unreachable!("{other:?} has an arm in the loop"),
        }
        Ok(())
    }
}

/// The constant of a jump, with its sign copied up to the width of the comparison.
#[inline(always)]
fn short_constant(op: Binary, constant: i32) -> u64 {
    match crate::wasm::compare_width(op) {
        32 => u64::from(constant as u32),
        _ => i64::from(constant) as u64,
    }
}

#[inline(always)]
const fn unsigned(bytes: u8, wide: bool) -> Load {
    Load { bytes, signed: false, width: if wide { 64 } else { 32 } }
}
