//! The best program of each goal: a difference counts when it has shown again in fresh processes ([`Archive`]).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use testsmith_exec::Confirmed;
use testsmith_ir::Program;
use testsmith_rt::harness::wire::{Difference, Run};

use crate::marks::Marks;

/// So many times in a row a mutant may seem to differ, and then not do so every time.
const MOST_FLAKES: u32 = 4;

/// So many times in a row a mutant may seem to differ, and not do so again: where mutants damage their process, that says
/// more about others than about it.
const MOST_REJECTIONS: u32 = 16;

/// Programs of no more statements than this are short enough: nobody looks for a shorter one.
const SHORT: usize = 4;

/// A program that tells a mutant from the original.
#[derive(Clone, Debug)]
pub struct Best {
    /// The program.
    pub program: Arc<Program>,
    /// As it was run.
    pub run: Run,
    /// What differed.
    pub difference: Difference,
    /// How far inside of the crate a test of it has to stand.
    pub depth: usize,
}

/// Mutants by what is known of them.
#[derive(Clone, Debug, Default)]
pub struct Archive {
    confirmed: BTreeMap<u32, Best>,
    pending: BTreeMap<u32, Pending>,
    rejected: BTreeMap<u32, Rejection>,
}

/// A program that seems to tell a mutant from the original.
#[derive(Clone, Debug)]
pub(crate) struct Pending {
    pub(crate) program: Arc<Program>,
    /// As in [`Best`].
    pub(crate) depth: usize,
}

/// A mutant that seemed to differ.
#[derive(Clone, Copy, Debug)]
struct Rejection {
    times: u32,
    is_flaky: bool,
}

impl Rejection {
    fn is_final(&self) -> bool {
        self.times >= if self.is_flaky { MOST_FLAKES } else { MOST_REJECTIONS }
    }
}

/// Mutants that seemed to differ, and did not do so again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rejected {
    /// Never again.
    pub wrong: usize,
    /// Not every time.
    pub flaky: usize,
}

/// A program that is to be confirmed to expose a mutant.
#[derive(Clone, Debug)]
pub(crate) struct Suspect {
    pub(crate) mutant: u32,
    pub(crate) program: Arc<Program>,
    pub(crate) depth: usize,
    pub(crate) run: Run,
}

impl Archive {
    /// Dead mutants with their programs.
    pub fn confirmed(&self) -> &BTreeMap<u32, Best> {
        &self.confirmed
    }

    /// Whether a mutant is dead, or seems to be.
    pub fn is_dead(&self, mutant: u32) -> bool {
        self.confirmed.contains_key(&mutant) || self.pending.contains_key(&mutant)
    }

    /// Whether a mutant need not be run any more: it is dead, or was wrong too often.
    pub fn is_settled(&self, mutant: u32) -> bool {
        self.is_dead(mutant) || self.is_given_up(mutant)
    }

    /// Whether a dead mutant is worth to be run again: a shorter program may show it, too, or one of public callables alone.
    /// What is slow to see is seen once.
    pub(crate) fn is_long(&self, mutant: u32) -> bool {
        let is_long =
            |best: &Best| (best.program.size() > SHORT || best.depth > 0) && !best.difference.is_costly();
        self.confirmed.get(&mutant).is_some_and(is_long)
    }

    fn is_given_up(&self, mutant: u32) -> bool {
        self.rejected.get(&mutant).is_some_and(Rejection::is_final)
    }

    /// A program, of which a test has to stand so far inside of the crate, seems to tell a mutant from the original; whether it
    /// is the first.
    pub(crate) fn suspect(&mut self, mutant: u32, program: &Arc<Program>, depth: usize) -> bool {
        let is_new = !self.is_settled(mutant);
        let pending = self.pending.get(&mutant).map(|pending| (pending.depth, pending.program.size()));
        let confirmed = || self.confirmed.get(&mutant).map(|best| (best.depth, best.program.size()));
        if is_new || pending.or_else(confirmed).is_some_and(|best| (depth, program.size()) < best) {
            self.pending.insert(mutant, Pending { program: program.clone(), depth });
        }
        is_new
    }

    /// How many are to be confirmed.
    pub(crate) fn pending(&self) -> usize {
        self.pending.len()
    }

    /// Takes all that are to be confirmed.
    pub(crate) fn take_pending(&mut self) -> BTreeMap<u32, Pending> {
        std::mem::take(&mut self.pending)
    }

    /// Takes an answer. What differs on the original itself is learned, and its program has another chance without it.
    pub(crate) fn settle(&mut self, suspect: Suspect, answer: Confirmed, marks: &mut Marks) {
        let Suspect { mutant, program, depth, run } = suspect;
        let is_flaky = match answer {
            Confirmed::Yes(difference) => {
                self.confirmed.insert(mutant, Best { program, run, difference, depth });
                self.rejected.remove(&mutant);
                return;
            }
            // What is known to be dead stays dead.
            _ if self.confirmed.contains_key(&mutant) => return,
            Confirmed::No => false,
            Confirmed::Flaky(found) => {
                if marks.learn(&program, &found) {
                    self.pending.entry(mutant).or_insert(Pending { program, depth });
                }
                true
            }
        };
        let times = self.rejected.get(&mutant).map_or(0, |rejection| rejection.times) + 1;
        let rejection = Rejection { times, is_flaky };
        self.rejected.insert(mutant, rejection);
        if rejection.is_final() {
            self.pending.remove(&mutant);
        }
    }

    /// Mutants that have only seemed to differ.
    pub fn rejected(&self) -> Rejected {
        let flaky = self.rejected.values().filter(|rejection| rejection.is_flaky).count();
        Rejected { flaky, wrong: self.rejected.len() - flaky }
    }

    /// Mutants that seemed to differ, and are not dead.
    pub fn doubtful(&self) -> BTreeSet<u32> {
        self.rejected.keys().copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use testsmith_exec::Marks as Found;
    use testsmith_ir::{Literal, Statement, TypeId};
    use testsmith_rt::harness::wire::{Mutants, Outcome};

    use super::*;

    fn program(statements: usize) -> Arc<Program> {
        let literal = Statement::Literal { ty: TypeId(0), value: Literal::Unit };
        Arc::new(std::iter::repeat_n(literal, statements).collect())
    }

    fn suspect(mutant: u32, statements: usize) -> Suspect {
        let mutants = Mutants::Listed(Vec::new());
        let run = Run { ops: Vec::new(), alive: Vec::new(), unseen: Vec::new(), mutants };
        Suspect { mutant, program: program(statements), depth: 0, run }
    }

    fn yes() -> Confirmed {
        Confirmed::Yes(Difference::Outcome(Outcome::Ok, 0))
    }

    #[test]
    fn the_shortest_program_is_kept() {
        let (mut archive, mut marks) = (Archive::default(), Marks::default());
        assert!(archive.suspect(7, &program(9), 0));
        assert!(!archive.suspect(7, &program(8), 0));
        assert_eq!(archive.take_pending()[&7].program.size(), 8);
        archive.settle(suspect(7, 8), yes(), &mut marks);
        archive.suspect(7, &program(8), 0);
        assert_eq!(archive.pending(), 0);
        archive.suspect(7, &program(5), 0);
        assert_eq!(archive.take_pending()[&7].program.size(), 5);
        archive.settle(suspect(7, 5), Confirmed::No, &mut marks);
        assert_eq!((archive.confirmed()[&7].program.size(), archive.rejected()), (8, Rejected::default()));
        archive.settle(suspect(7, 5), yes(), &mut marks);
        assert!(archive.is_long(7));
        archive.settle(suspect(7, 4), yes(), &mut marks);
        assert!(!archive.is_long(7) && archive.is_settled(7));
        let slow = Confirmed::Yes(Difference::Outcome(Outcome::Fuel, 0));
        archive.settle(suspect(8, 5), slow, &mut marks);
        assert!(!archive.is_long(8) && archive.is_settled(8));
    }

    #[test]
    fn a_program_of_public_callables_is_better_than_a_shorter_one() {
        let (mut archive, mut marks) = (Archive::default(), Marks::default());
        archive.settle(Suspect { depth: 2, ..suspect(7, 3) }, yes(), &mut marks);
        assert!(archive.is_long(7));
        archive.suspect(7, &program(2), 2);
        archive.suspect(7, &program(9), 0);
        archive.suspect(7, &program(1), 1);
        let Pending { program, depth } = &archive.take_pending()[&7];
        assert_eq!((program.size(), *depth), (9, 0));
    }

    #[test]
    fn a_mutant_that_is_confirmed_later_was_not_rejected() {
        let (mut archive, mut marks) = (Archive::default(), Marks::default());
        archive.settle(suspect(7, 1), Confirmed::No, &mut marks);
        assert_eq!((archive.rejected(), archive.is_settled(7)), (Rejected { wrong: 1, flaky: 0 }, false));
        archive.settle(suspect(7, 1), yes(), &mut marks);
        assert_eq!((archive.rejected(), archive.is_settled(7)), (Rejected::default(), true));
    }

    #[test]
    fn a_mutant_that_is_always_flaky_is_given_up() {
        let (mut archive, mut marks) = (Archive::default(), Marks::default());
        for _ in 0..MOST_FLAKES {
            assert!(!archive.is_settled(7));
            archive.settle(suspect(7, 1), Confirmed::Flaky(Found::default()), &mut marks);
        }
        assert!(archive.is_settled(7) && !archive.is_dead(7));
        assert_eq!(archive.rejected(), Rejected { wrong: 0, flaky: 1 });
    }
}
