//! Makes an instance of a module: memory, globals and tables as they are before the first call.
//!
//! Main type: [`Machine`]. Neighbours: `interpret` runs it, `snapshot` resets it.

use std::fmt;

use super::hooks::Hook;
use super::host::{Host, Link, link};
use super::interpret::Interpreter;
use super::memory::Memory;
use super::value::Value;
use super::{End, Options, Run, Symbolic};
use crate::expr::Exprs;
use crate::wasm::{Body, FuncId, Module, Offset, Trap};

/// An instance of a module.
pub struct Machine<'m> {
    pub(super) module: &'m Module,
    /// Its memory.
    pub memory: Memory,
    /// Its global variables.
    pub globals: Vec<Value>,
    pub(super) tables: Vec<Vec<u64>>,
    pub(super) dropped_data: Vec<bool>,
    pub(super) dropped_elements: Vec<bool>,
    /// What a call of each function does.
    pub(super) callees: Vec<Callee>,
    /// Registers of all frames; kept for the next run.
    pub(super) stack: Vec<Value>,
    pub(super) options: Options,
}

/// What a call of a function does, ready for the interpreter.
#[derive(Clone, Copy, Debug)]
pub(super) enum Callee {
    Code { start: u32, registers: u32, params: u32, locals: u32 },
    Import { link: Link, number: u32, values: u32 },
    Hook { hook: Hook, params: u32, values: u32 },
}

/// Why an instance could not be made.
#[derive(Debug)]
pub enum InstantiateError {
    /// A segment does not fit.
    Segment(Trap),
    /// The memory is larger than the limit at the start.
    Memory(u64),
    /// The start function ended like this.
    Start(End),
}

impl fmt::Display for InstantiateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Segment(trap) => write!(f, "a segment of the module does not fit: {trap}"),
            Self::Memory(bytes) => write!(f, "the module starts with {bytes} bytes of memory"),
            Self::Start(end) => write!(f, "the start function ended with {end:?}"),
        }
    }
}

impl std::error::Error for InstantiateError {}

impl<'m> Machine<'m> {
    /// Makes an instance and runs the module's start function.
    ///
    /// # Errors
    /// When a segment does not fit, or the start function does not return.
    pub fn new(module: &'m Module, options: Options, host: &mut dyn Host) -> Result<Self, InstantiateError> {
        let (pages, most) = module.memory;
        let most = most.saturating_mul(65_536).min(options.memory);
        if pages.saturating_mul(65_536) > most {
            return Err(InstantiateError::Memory(pages.saturating_mul(65_536)));
        }
        let mut machine = Self {
            module,
            memory: Memory::new(pages, most),
            globals: Vec::new(),
            tables: module.tables.iter().map(|(size, _)| vec![crate::wasm::NULL; *size as usize]).collect(),
            dropped_data: vec![false; module.data.len()],
            dropped_elements: vec![false; module.elements.len()],
            callees: callees(module, &options, host),
            stack: Vec::new(),
            options,
        };
        for global in &module.globals {
            let value = machine.offset(global.value);
            machine.globals.push(Value::concrete(value));
        }
        machine.place_segments().map_err(InstantiateError::Segment)?;
        if let Some(start) = module.start {
            let run = machine.call(start, &[], &mut Exprs::new(), host);
            if !matches!(run.end, End::Returned(_)) {
                return Err(InstantiateError::Start(run.end));
            }
        }
        Ok(machine)
    }

    fn offset(&self, offset: Offset) -> u64 {
        match offset {
            Offset::Value(value) => value,
            Offset::Global(global) => self.globals[global as usize].bits,
        }
    }

    fn place_segments(&mut self) -> Result<(), Trap> {
        let module = self.module;
        for (number, segment) in module.elements.iter().enumerate() {
            if let Some((table, offset)) = segment.place {
                let at = self.offset(offset) as u32;
                self.table_init(table, number as u32, at, 0, segment.references.len() as u32)?;
                self.dropped_elements[number] = true;
            }
        }
        for (number, segment) in module.data.iter().enumerate() {
            if let Some(offset) = segment.offset {
                let at = u64::from(self.offset(offset) as u32);
                self.memory.write(at, &segment.bytes)?;
                self.dropped_data[number] = true;
            }
        }
        Ok(())
    }

    /// The module that it is an instance of.
    #[must_use]
    pub fn module(&self) -> &'m Module {
        self.module
    }

    /// What runs may use.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// From now on a run may execute so many instructions.
    pub fn limit_steps(&mut self, steps: u64) {
        self.options.steps = steps;
    }

    /// Calls a function. Arguments may depend on inputs; other inputs are made by the host, in memory.
    ///
    /// # Panics
    /// When the number of arguments is not that of the function's parameters.
    pub fn call(
        &mut self,
        function: FuncId,
        arguments: &[Value],
        exprs: &mut Exprs,
        host: &mut dyn Host,
    ) -> Run {
        let signature = self.module.signature(function);
        assert_eq!(arguments.len(), signature.params.len(), "arguments of the function");
        let options = self.options.clone();
        let mut symbolic = Symbolic::new(exprs, &options);
        let mut stack = std::mem::take(&mut self.stack);
        let most = signature.params.len().max(signature.results.len()) + 1;
        stack.resize(stack.len().max(most), Value::default());
        stack[..arguments.len()].copy_from_slice(arguments);
        let mut interpreter =
            Interpreter { machine: self, symbolic: &mut symbolic, host, frames: Vec::new(), steps: 0 };
        let outcome = interpreter.run(function, &mut stack);
        let steps = interpreter.steps;
        let end = match outcome {
            Ok(()) => End::Returned(stack[..signature.results.len()].to_vec()),
            Err(stop) => stop.into(),
        };
        self.stack = stack;
        let path = symbolic.path;
        Run { end, path: path.decisions, soft: path.soft, steps }
    }
}

fn callees(module: &Module, options: &Options, host: &dyn Host) -> Vec<Callee> {
    let callee = |function: &crate::wasm::Function| {
        let signature = &module.signatures[function.signature as usize];
        let params = signature.params.len() as u32;
        if let Some(hook) = Hook::of(module, function, options.hooks)
            && matches!(function.body, Body::Code { .. })
        {
            return Callee::Hook { hook, params, values: params.max(signature.results.len() as u32) };
        }
        match function.body {
            Body::Code { start, registers, locals } => Callee::Code { start, registers, params, locals },
            Body::Import(number) => {
                let values = params.max(signature.results.len() as u32);
                Callee::Import { link: link(&module.imports[number as usize], host), number, values }
            }
        }
    };
    module.functions.iter().map(callee).collect()
}
