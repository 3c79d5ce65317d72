//! What solving has brought of each mutant, for people: [`Notes`].

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use testsmith_ir::{Literal, Program, Slot, Statement};
use testsmith_symex::explore::parts;
use testsmith_symex::expr::Names;
use testsmith_symex::kill::{Hunt, Outcome};

use super::case::Case;
use crate::solved::{Input, Solved};

/// What was found out of mutants.
#[derive(Default)]
pub(super) struct Notes {
    solved: BTreeMap<u32, Solved>,
    judgements: BTreeMap<u32, Judgement>,
    /// Mutants that show in the engine.
    shown: BTreeSet<u32>,
}

/// Whether a mutant computes the same whatever the inputs are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Judgement {
    /// A program says so.
    is_same: bool,
    /// Another one says that it does not.
    is_other: bool,
}

impl Notes {
    /// Takes what a case has brought. What led to inputs stays, else what was known first.
    pub(super) fn take(
        &mut self,
        mutant: u32,
        case: &Case,
        hunt: &mut Hunt<'_, '_>,
        outcome: &Outcome,
        found: Option<&Program>,
    ) {
        let judgement = self.judgements.entry(mutant).or_default();
        let is_infected = hunt.traces().iter().any(|trace| trace.infects(mutant));
        if is_infected || matches!(outcome, Outcome::Inputs(_)) || hunt.depends_on_width(mutant) {
            judgement.is_other = true;
        } else if !judgement.is_other && !judgement.is_same {
            judgement.is_same = hunt.never_differs(mutant) || case.is_open() && hunt.cannot_differ(mutant);
        }
        let known = self.solved.get(&mutant);
        if known.is_some_and(|known| known.condition.is_some()) && found.is_none() {
            return;
        }
        let names = CaseNames(case);
        let (condition, path) = hunt.describe(mutant, &names).unwrap_or_default();
        let input = |slot: &Slot| {
            let slot = u32::from(slot.0);
            let solved = found.and_then(|program| literal_at(program, slot)).cloned();
            Some(Input { name: names.slot(slot), literal: literal_at(&case.program, slot)?.clone(), solved })
        };
        let solved = Solved {
            program: Arc::new(case.program.clone()),
            inputs: case.slots.iter().filter_map(input).collect(),
            condition,
            path,
            never_differs: false,
            shows_in_engine_alone: false,
        };
        self.solved.insert(mutant, solved);
    }

    /// It shows in the engine.
    pub(super) fn shows(&mut self, mutant: u32) {
        self.shown.insert(mutant);
    }

    /// The crate's own build has run what was made for this mutant, and it does not show there.
    pub(super) fn does_not_show(&mut self, mutant: u32) {
        if self.shown.contains(&mutant)
            && let Some(solved) = self.solved.get_mut(&mutant)
        {
            solved.shows_in_engine_alone = true;
        }
    }

    /// All of it.
    pub(super) fn hand_over(&mut self) -> BTreeMap<u32, Solved> {
        let mut all = std::mem::take(&mut self.solved);
        for (mutant, solved) in &mut all {
            let judgement = self.judgements.get(mutant).copied().unwrap_or_default();
            solved.never_differs = judgement.is_same && !judgement.is_other;
        }
        all
    }
}

/// Literals of a program as letters, `a` the first that is an input.
struct CaseNames<'a>(&'a Case);

impl CaseNames<'_> {
    fn slot(&self, slot: u32) -> String {
        let at = self.0.slots.iter().position(|it| u32::from(it.0) == slot).unwrap_or(0);
        char::from(b'a' + (at % 26) as u8).to_string()
    }

    fn is_list(&self, slot: u32) -> bool {
        let value = literal_at(&self.0.program, slot);
        matches!(value, Some(Literal::ByteStr(_) | Literal::Bytes(_))) || self.is_text(slot)
    }

    fn is_text(&self, slot: u32) -> bool {
        matches!(literal_at(&self.0.program, slot), Some(Literal::Str(_) | Literal::String(_)))
    }
}

impl Names for CaseNames<'_> {
    fn name(&self, number: u32) -> String {
        let (slot, part) = parts(number);
        if self.is_list(slot) { format!("{}[{part}]", self.slot(slot)) } else { self.slot(slot) }
    }

    fn is_letter(&self, number: u32) -> bool {
        self.is_text(parts(number).0)
    }
}

fn literal_at(program: &Program, slot: u32) -> Option<&Literal> {
    match program.statements.get(slot as usize) {
        Some(Statement::Literal { value, .. }) => Some(value),
        _ => None,
    }
}
