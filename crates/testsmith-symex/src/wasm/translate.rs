//! Turns the stack code of one function into register code, while the validator checks it.
//!
//! Main function: [`function`]. Operands that are locals or constants stay where they are until something needs them in
//! their place (a block, a call), comparisons melt into the jump behind them, and results go straight into the local that
//! they are assigned to. `emit` holds what is common to all instructions, `control` blocks and jumps.

mod control;
mod emit;
mod operators;

use wasmparser::{FuncValidator, FunctionBody, ValidatorResources};

use super::code::{Instr, Reg};
use super::decode::{DecodeError, value_type};
use super::module::{FuncId, Module, ValType};
use control::Control;

/// Where an operand of the stack is.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Operand {
    /// In the register that belongs to its height.
    Slot,
    Local(Reg),
    Const(u64),
}

/// The state of the translation of one function.
struct Translator<'a> {
    module: &'a mut Module,
    types: &'a [Option<u32>],
    locals: u32,
    stack: Vec<Operand>,
    /// The highest stack so far.
    highest: usize,
    controls: Vec<Control>,
    /// Blocks that were opened in code that cannot be reached; 0 in code that can.
    unreachable: Option<u32>,
    /// Jumps may lead here, so what was emitted before must stay as it is.
    barrier: usize,
    results: usize,
    /// Why the function cannot be expressed; the first reason counts.
    unsupported: Option<String>,
}

/// Appends the code of a function to the module and returns how many registers a frame of it has.
pub(super) fn function(
    module: &mut Module,
    types: &[Option<u32>],
    function: FuncId,
    validator: &mut FuncValidator<ValidatorResources>,
    body: &FunctionBody<'_>,
) -> Result<u32, DecodeError> {
    let signature = module.signature(function).clone();
    let mut reader = body.get_operators_reader()?;
    let mut locals_reader = body.get_binary_reader();
    validator.read_locals(&mut locals_reader)?;
    let start = module.code.len();
    let (targets, locals) = (module.jump_targets.len(), validator.len_locals());
    let mut translator = Translator {
        module,
        types,
        locals,
        stack: Vec::new(),
        highest: 0,
        controls: vec![Control::body(signature.results.len())],
        unreachable: None,
        barrier: start,
        results: signature.results.len(),
        unsupported: None,
    };
    if (0..locals)
        .filter_map(|local| validator.get_local_type(local))
        .any(|ty| value_type(ty) == ValType::Vector)
    {
        translator.give_up("vectors");
    }
    while !reader.eof() {
        let (operator, offset) = reader.read_with_offset()?;
        let selected = validator.get_operand_type(1).flatten();
        validator.op(offset, &operator)?;
        if translator.unsupported.is_none() {
            translator.operator(&operator, selected);
        }
    }
    let most = signature.params.len().max(signature.results.len());
    let registers = translator.locals as usize + translator.highest.max(most) + 1;
    if registers > usize::from(Reg::MAX) {
        translator.give_up("a function of more than 65,535 registers");
    }
    match translator.unsupported.take() {
        None => Ok(registers as u32),
        Some(why) => {
            let reason = module.reasons.len() as u32;
            module.reasons.push(why);
            module.code.truncate(start);
            module.jump_targets.truncate(targets);
            module.code.push(Instr::Unsupported { reason });
            Ok((most as u32).max(locals) + 1)
        }
    }
}

impl Translator<'_> {
    /// The function becomes one that says why it cannot run.
    fn give_up(&mut self, what: &str) {
        self.unsupported.get_or_insert_with(|| format!("{what} cannot be executed"));
    }
}
