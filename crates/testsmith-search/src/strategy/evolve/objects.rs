//! Sequences that have built objects, to be used again: [`Objects`].

use std::collections::BTreeMap;

use testsmith_ir::random::Rng;
use testsmith_ir::{Api, Mode, Program, Slot, TypeId};
use testsmith_rt::harness::wire::{Execution, Outcome};

use crate::fitness::output;

/// Sequences of each type.
const EACH: usize = 24;
/// Sequences with more statements are not kept.
const LONGEST: usize = 10;
/// Slots of a program that are looked at.
const LOOKS: usize = 2;

/// By type: programs whose last object is of that type.
#[derive(Clone, Debug)]
pub(super) struct Objects<'a> {
    api: &'a Api,
    kept: BTreeMap<TypeId, Vec<Program>>,
}

impl<'a> Objects<'a> {
    pub(super) fn new(api: &'a Api) -> Objects<'a> {
        Objects { api, kept: BTreeMap::new() }
    }

    /// A sequence that has built an object of a type.
    pub(super) fn get(&self, ty: TypeId, rng: &mut Rng) -> Option<&Program> {
        rng.one(self.kept.get(&ty)?)
    }

    /// Keeps some of the objects of a program that ran to its end. Those without a value were not built.
    pub(super) fn take(&mut self, program: &Program, execution: &Execution, rng: &mut Rng) {
        if execution.outcome != Outcome::Ok || program.is_empty() {
            return;
        }
        for _ in 0..LOOKS {
            let slot = Slot::at(rng.below(program.size()));
            let is_object = |ty: &TypeId| self.api[*ty].literal.is_none() && !self.api[*ty].borrows;
            let Some(ty) = output(self.api, &program[slot]).filter(is_object) else { continue };
            if execution.absent.contains(&slot.0) {
                continue;
            }
            let sequence = history(program, slot);
            if sequence.size() > LONGEST {
                continue;
            }
            let kept = self.kept.entry(ty).or_default();
            if kept.len() < EACH {
                kept.push(sequence);
            } else {
                let at = rng.below(EACH);
                kept[at] = sequence;
            }
        }
    }
}

/// The statements that have made an object and changed it.
fn history(program: &Program, slot: Slot) -> Program {
    let mut needed = vec![false; program.size()];
    needed[slot.index()] = true;
    for (this, statement) in program.iter() {
        let changes = |arg: &testsmith_ir::Arg| arg.slot == slot && arg.mode == Mode::Exclusive;
        needed[this.index()] |= statement.args().iter().any(changes);
    }
    for (this, statement) in program.iter().rev() {
        if needed[this.index()] {
            statement.slots().for_each(|used| needed[used.index()] = true);
        }
    }
    let mut history = program.clone();
    history.keep(|slot| needed[slot.index()]);
    history
}
