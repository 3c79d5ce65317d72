//! Changes that leave the types of a program right and may break its borrows: what the rules are tested with.

use super::Rng;
use crate::api::{Api, TypeId};
use crate::program::{Program, Slot, Statement};

/// Changes a program without regard of the borrow rules.
pub fn disturb(api: &Api, program: &mut Program, rng: &mut Rng) {
    if program.is_empty() {
        return;
    }
    let slot = Slot::at(rng.below(program.size()));
    match rng.below(5) {
        0 => replace_argument(api, program, slot, rng),
        1 => drop(program.push(program[slot].clone())),
        2 => later(program, slot, rng),
        3 => end(api, program, slot, rng),
        _ => without_drops(program),
    }
}

/// Another slot of the same type for one of a call's arguments.
fn replace_argument(api: &Api, program: &mut Program, call: Slot, rng: &mut Rng) {
    let types: Vec<Option<TypeId>> =
        program.statements.iter().map(|statement| output(api, statement)).collect();
    let Statement::Call { args, .. } = &mut program.statements[call.index()] else { return };
    if args.is_empty() {
        return;
    }
    let at = rng.below(args.len());
    let ty = types[args[at].slot.index()];
    let same = (0..call.index()).filter(|index| types[*index] == ty);
    args[at].slot = Slot::at(rng.one_of(same).expect("there is the slot itself"));
}

/// Calls the same once more, further down.
fn later(program: &mut Program, slot: Slot, rng: &mut Rng) {
    let at = slot.index() + 1 + rng.below(program.size() - slot.index());
    program.insert(Slot::at(at), [program[slot].clone()]);
}

/// Ends a slot early; a `Copy` type has nothing to end.
fn end(api: &Api, program: &mut Program, slot: Slot, rng: &mut Rng) {
    if output(api, &program[slot]).is_some_and(|ty| !api[ty].facts.copy) {
        let at = slot.index() + 1 + rng.below(program.size() - slot.index());
        program.insert(Slot::at(at), [Statement::Drop(slot)]);
    }
}

fn without_drops(program: &mut Program) {
    let drops: Vec<bool> = program.statements.iter().map(Statement::is_drop).collect();
    program.keep(|slot| !drops[slot.index()]);
}

fn output(api: &Api, statement: &Statement) -> Option<TypeId> {
    match statement {
        Statement::Literal { ty, .. } => Some(*ty),
        Statement::Call { callable, .. } => Some(api[*callable].output),
        Statement::Drop(_) => None,
    }
}
