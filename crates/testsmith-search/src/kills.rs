//! Kills and would-be kills: a difference counts when it has shown again in fresh processes ([`Kills`]).

use std::collections::BTreeMap;

use testsmith_exec::Confirmed;
use testsmith_ir::Program;
use testsmith_rt::harness::wire::Run;

use crate::marks::Marks;

/// So many times in a row a mutant may seem to differ, and not do so again.
const MOST_REJECTIONS: u32 = 4;

/// A program that tells a mutant from the original.
#[derive(Clone, Debug)]
pub struct Kill {
    /// The program.
    pub program: Program,
    /// As it was run.
    pub run: Run,
}

/// Mutants by what is known of them.
#[derive(Clone, Debug, Default)]
pub struct Kills {
    /// For each mutant that was confirmed to differ the first program that showed it.
    pub confirmed: BTreeMap<u32, Kill>,
    pending: BTreeMap<u32, Program>,
    rejected: BTreeMap<u32, Rejection>,
}

/// A mutant that seemed to differ.
#[derive(Clone, Copy, Debug)]
struct Rejection {
    times: u32,
    is_flaky: bool,
}

/// Mutants that seemed to differ, and did not do so again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rejected {
    /// Never again.
    pub wrong: usize,
    /// Not every time.
    pub flaky: usize,
}

impl Kills {
    /// Mutants that need not be run: dead ones, those that are about to be confirmed, and those that were wrong too often.
    pub(crate) fn settled(&self) -> impl Iterator<Item = u32> {
        let given_up = self.rejected.iter().filter(|(_, rejection)| rejection.times >= MOST_REJECTIONS);
        let known = self.confirmed.keys().chain(self.pending.keys());
        known.copied().chain(given_up.map(|(mutant, _)| *mutant))
    }

    /// A program seems to tell a mutant from the original.
    pub(crate) fn suspect(&mut self, mutant: u32, program: &Program) {
        if !self.confirmed.contains_key(&mutant) {
            self.pending.entry(mutant).or_insert_with(|| program.clone());
        }
    }

    /// How many are to be confirmed.
    pub(crate) fn pending(&self) -> usize {
        self.pending.len()
    }

    /// Takes all that are to be confirmed.
    pub(crate) fn take_pending(&mut self) -> Vec<(u32, Program)> {
        std::mem::take(&mut self.pending).into_iter().collect()
    }

    /// Takes an answer. What differs on the original itself is learned, and its program has another chance without it.
    pub(crate) fn settle(&mut self, mutant: u32, kill: Kill, answer: &Confirmed, marks: &mut Marks) {
        let is_flaky = match answer {
            Confirmed::Yes(_) => {
                self.confirmed.entry(mutant).or_insert(kill);
                self.rejected.remove(&mutant);
                return;
            }
            Confirmed::No => false,
            Confirmed::Flaky(found) => {
                if marks.learn(&kill.program, found) {
                    self.pending.entry(mutant).or_insert(kill.program);
                }
                true
            }
        };
        let times = self.rejected.get(&mutant).map_or(0, |rejection| rejection.times) + 1;
        self.rejected.insert(mutant, Rejection { times, is_flaky });
        if times >= MOST_REJECTIONS {
            self.pending.remove(&mutant);
        }
    }

    /// Mutants that have only seemed to differ.
    pub fn rejected(&self) -> Rejected {
        let flaky = self.rejected.values().filter(|rejection| rejection.is_flaky).count();
        Rejected { flaky, wrong: self.rejected.len() - flaky }
    }
}

#[cfg(test)]
mod tests {
    use testsmith_exec::Marks as Found;
    use testsmith_rt::harness::wire::{Difference, Mutants, Outcome};

    use super::*;

    fn kill() -> Kill {
        let mutants = Mutants::Listed(Vec::new());
        let run = Run { ops: Vec::new(), alive: Vec::new(), unseen: Vec::new(), mutants };
        Kill { program: Program::default(), run }
    }

    #[test]
    fn a_mutant_that_is_confirmed_later_was_not_rejected() {
        let (mut kills, mut marks) = (Kills::default(), Marks::default());
        kills.suspect(7, &Program::default());
        assert_eq!(kills.settled().collect::<Vec<_>>(), [7]);
        assert_eq!(kills.take_pending().len(), 1);
        kills.settle(7, kill(), &Confirmed::No, &mut marks);
        assert_eq!((kills.rejected(), kills.settled().count()), (Rejected { wrong: 1, flaky: 0 }, 0));
        kills.settle(7, kill(), &Confirmed::Yes(Difference::Outcome(Outcome::Fuel, 0)), &mut marks);
        assert_eq!((kills.rejected(), kills.confirmed.len()), (Rejected::default(), 1));
    }

    #[test]
    fn a_mutant_that_is_always_flaky_is_given_up() {
        let (mut kills, mut marks) = (Kills::default(), Marks::default());
        for _ in 0..MOST_REJECTIONS {
            assert_eq!(kills.settled().count(), 0);
            kills.settle(7, kill(), &Confirmed::Flaky(Found::default()), &mut marks);
        }
        assert_eq!(kills.settled().collect::<Vec<_>>(), [7]);
        assert_eq!(kills.rejected(), Rejected { wrong: 0, flaky: 1 });
    }
}
