//! The best program of each goal: a difference counts when it has shown again in fresh processes ([`Archive`]).
//!
//! A difference that no test can show is better than none, and not the end: the goal stays open for another.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use testsmith_exec::{Confirmed, ObservedDifference};
use testsmith_ir::Program;
use testsmith_rt::harness::wire::Run;

use crate::nondeterminism::Nondeterminism;

/// So many times in a row a mutant may seem to differ, and then not do so every time.
const MOST_FLAKES: u32 = 4;

/// So many times in a row a mutant may seem to differ, and not do so again: where mutants damage their process, that says
/// more about others than about it.
const MOST_REJECTIONS: u32 = 16;

/// So many times a mutant may differ in a way that is slow to see or was promising, and that no test can show.
const MOST_VAIN: u32 = 32;

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
    pub observed: ObservedDifference,
    /// Whether a test can show it.
    pub is_usable: bool,
    /// How far inside of the crate a test of it has to stand.
    pub depth: usize,
}

/// How good a program is for a goal, the best first: one that a test can use, of public callables, and short.
type Rank = (bool, usize, usize);

impl Best {
    fn rank(&self) -> Rank {
        (!self.is_usable, self.depth, self.program.size())
    }
}

/// Mutants by what is known of them.
#[derive(Clone, Debug, Default)]
pub struct Archive {
    confirmed: BTreeMap<u32, Best>,
    pending: BTreeMap<u32, Pending>,
    rejected: BTreeMap<u32, Rejection>,
    /// How often a mutant differed in a way that is of no use.
    vain: BTreeMap<u32, u32>,
}

/// A program that seems to tell a mutant from the original.
#[derive(Clone, Debug)]
pub(crate) struct Pending {
    pub(crate) program: Arc<Program>,
    /// As in [`Best`].
    pub(crate) depth: usize,
    /// What its difference seems to be good for.
    pub(crate) seems: Seems,
}

impl Pending {
    fn rank(&self) -> Rank {
        (self.seems != Seems::Usable, self.depth, self.program.size())
    }
}

/// What a difference seems to be good for, before it is confirmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seems {
    /// A test can show it.
    Usable,
    /// No test can show it.
    Useless,
    /// It took its process along: no test is sure to do so, and it is slow to see.
    Deadly,
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
    pub(crate) pending: Pending,
    pub(crate) run: Run,
}

impl Archive {
    /// Mutants that differ, with their programs.
    pub fn confirmed(&self) -> &BTreeMap<u32, Best> {
        &self.confirmed
    }

    /// Whether a mutant is dead, or seems to be.
    fn is_dead(&self, mutant: u32) -> bool {
        self.confirmed.get(&mutant).is_some_and(|best| best.is_usable) || self.pending.contains_key(&mutant)
    }

    /// Whether a mutant need not be run any more: it is dead, or nothing came of it too often.
    pub fn is_settled(&self, mutant: u32) -> bool {
        self.is_dead(mutant) || self.is_given_up(mutant)
    }

    /// Whether a settled mutant is worth to be run again: a shorter program may show it, too, or one of public callables
    /// alone. What is slow to see is seen once.
    pub(crate) fn is_long(&self, mutant: u32) -> bool {
        let is_long = |best: &Best| {
            let is_fine = best.program.size() <= SHORT && best.depth == 0;
            best.is_usable && !is_fine && !best.observed.difference.is_costly()
        };
        self.confirmed.get(&mutant).is_some_and(is_long)
    }

    /// Whether a mutant that is not settled is known to be slow to see.
    pub(crate) fn is_slow(&self, mutant: u32) -> bool {
        self.confirmed.get(&mutant).is_some_and(|best| best.observed.difference.is_costly())
    }

    fn is_given_up(&self, mutant: u32) -> bool {
        self.rejected.get(&mutant).is_some_and(Rejection::is_final)
            || self.vain.get(&mutant).is_some_and(|times| *times >= MOST_VAIN)
    }

    /// A program seems to tell a mutant from the original; whether it is the first.
    pub(crate) fn suspect(&mut self, mutant: u32, pending: Pending) -> bool {
        let known = self.pending.get(&mutant).map(Pending::rank);
        let known = known.or_else(|| self.confirmed.get(&mutant).map(Best::rank));
        let is_new = known.is_none() && !self.is_given_up(mutant);
        if known.is_some() && pending.seems == Seems::Deadly {
            self.count_vain(mutant);
        }
        if is_new || known.is_some_and(|known| pending.rank() < known) {
            self.pending.insert(mutant, pending);
        }
        is_new
    }

    /// Another difference that is of no use.
    fn count_vain(&mut self, mutant: u32) {
        *self.vain.entry(mutant).or_default() += 1;
    }

    /// How many are to be confirmed.
    pub(crate) fn pending(&self) -> usize {
        self.pending.len()
    }

    /// All that are to be confirmed. They stay so until they are settled.
    pub(crate) fn all_pending(&self) -> BTreeMap<u32, Pending> {
        self.pending.clone()
    }

    /// Takes an answer; whether the mutant is dead now, and was not before. What differs on the original itself is learned,
    /// and its program has another chance without it.
    pub(crate) fn settle(
        &mut self,
        suspect: Suspect,
        answer: Confirmed,
        nondeterminism: &mut Nondeterminism,
        can_use: impl FnOnce(&Program, &ObservedDifference) -> bool,
    ) -> bool {
        let Suspect { mutant, pending, run } = suspect;
        // Meanwhile a better program may have taken its place, which then waits for an answer of its own.
        if self.pending.get(&mutant).is_some_and(|waiting| waiting.program == pending.program) {
            self.pending.remove(&mutant);
        }
        let is_flaky = match answer {
            Confirmed::Yes(observed) => {
                let is_usable = can_use(&pending.program, &observed);
                let best = Best { program: pending.program, run, observed, is_usable, depth: pending.depth };
                self.rejected.remove(&mutant);
                return self.keep(mutant, best);
            }
            // What is known to differ does so.
            _ if self.confirmed.contains_key(&mutant) => return false,
            Confirmed::No => false,
            Confirmed::Flaky(found) => {
                if nondeterminism.learn(&pending.program, &found) {
                    // It was not the mutant's fault.
                    self.pending.entry(mutant).or_insert(pending);
                    return false;
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
        false
    }

    /// Keeps what is better than what is known; whether the mutant is dead now, and was not before.
    fn keep(&mut self, mutant: u32, best: Best) -> bool {
        let known = self.confirmed.get(&mutant).map(Best::rank);
        let was_dead = matches!(known, Some((false, ..)));
        if !best.is_usable {
            self.count_vain(mutant);
        }
        let is_dead_now = best.is_usable && !was_dead;
        if known.is_none_or(|known| best.rank() < known) {
            self.confirmed.insert(mutant, best);
        }
        is_dead_now
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
    use testsmith_exec::Nondeterminism as Found;
    use testsmith_ir::{Literal, Statement, TypeId};
    use testsmith_rt::harness::wire::{Difference, Mutants, Outcome};

    use super::*;

    fn program(statements: usize) -> Arc<Program> {
        let literal = Statement::Literal { ty: TypeId(0), value: Literal::Unit };
        Arc::new(std::iter::repeat_n(literal, statements).collect())
    }

    fn pending(statements: usize) -> Pending {
        Pending { program: program(statements), depth: 0, seems: Seems::Usable }
    }

    fn suspect(mutant: u32, pending: Pending) -> Suspect {
        let mutants = Mutants::Listed(Vec::new());
        let run = Run { ops: Vec::new(), alive: Vec::new(), unseen: Vec::new(), mutants };
        Suspect { mutant, pending, run }
    }

    fn ended(outcome: Outcome) -> Confirmed {
        let difference = Difference::Outcome(outcome, 0);
        Confirmed::Yes(ObservedDifference { difference, outcome: Outcome::Ok, statement: 0, original: None })
    }

    fn yes() -> Confirmed {
        ended(Outcome::Ok)
    }

    /// An archive whose every difference can be shown by a test, or none.
    #[derive(Default)]
    struct Desk {
        archive: Archive,
        nondeterminism: Nondeterminism,
    }

    impl Desk {
        fn settle(&mut self, suspect: Suspect, answer: Confirmed, is_usable: bool) -> bool {
            self.archive.settle(suspect, answer, &mut self.nondeterminism, |_, _| is_usable)
        }
    }

    #[test]
    fn the_shortest_program_is_kept() {
        let mut desk = Desk::default();
        assert!(desk.archive.suspect(7, pending(9)));
        assert!(!desk.archive.suspect(7, pending(8)));
        assert_eq!(desk.archive.all_pending()[&7].program.size(), 8);
        assert!(desk.settle(suspect(7, pending(8)), yes(), true));
        desk.archive.suspect(7, pending(8));
        assert_eq!(desk.archive.pending(), 0);
        desk.archive.suspect(7, pending(5));
        assert_eq!(desk.archive.all_pending()[&7].program.size(), 5);
        assert!(!desk.settle(suspect(7, pending(5)), Confirmed::No, true));
        let known = &desk.archive;
        assert_eq!((known.confirmed()[&7].program.size(), known.rejected()), (8, Rejected::default()));
        assert!(!desk.settle(suspect(7, pending(5)), yes(), true));
        assert!(desk.archive.is_long(7));
        desk.settle(suspect(7, pending(4)), yes(), true);
        assert!(!desk.archive.is_long(7) && desk.archive.is_settled(7));
        desk.settle(suspect(8, pending(5)), ended(Outcome::Fuel), true);
        assert!(!desk.archive.is_long(8) && desk.archive.is_settled(8));
    }

    #[test]
    fn a_better_program_that_turns_up_meanwhile_waits_for_its_own_answer() {
        let mut desk = Desk::default();
        desk.archive.suspect(7, pending(9));
        let asked = desk.archive.all_pending()[&7].clone();
        assert!(desk.archive.is_settled(7));
        desk.archive.suspect(7, pending(5));
        assert!(desk.settle(suspect(7, asked), yes(), true));
        assert_eq!((desk.archive.pending(), desk.archive.confirmed()[&7].program.size()), (1, 9));
        desk.settle(suspect(7, pending(5)), yes(), true);
        assert_eq!((desk.archive.pending(), desk.archive.confirmed()[&7].program.size()), (0, 5));
    }

    #[test]
    fn a_program_of_public_callables_is_better_than_a_shorter_one() {
        let mut desk = Desk::default();
        desk.settle(suspect(7, Pending { depth: 2, ..pending(3) }), yes(), true);
        assert!(desk.archive.is_long(7));
        desk.archive.suspect(7, Pending { depth: 2, ..pending(2) });
        desk.archive.suspect(7, pending(9));
        desk.archive.suspect(7, Pending { depth: 1, ..pending(1) });
        let Pending { program, depth, .. } = &desk.archive.all_pending()[&7];
        assert_eq!((program.size(), *depth), (9, 0));
    }

    #[test]
    fn a_program_that_a_test_can_use_is_better_than_a_shorter_one() {
        let mut desk = Desk::default();
        assert!(!desk.settle(suspect(7, pending(2)), yes(), false));
        assert!(!desk.archive.is_settled(7) && desk.archive.confirmed().contains_key(&7));
        assert!(!desk.archive.suspect(7, pending(9)), "it is not the first");
        let better = desk.archive.all_pending()[&7].clone();
        assert!(desk.settle(suspect(7, better), yes(), true));
        assert!(desk.archive.is_settled(7));
        desk.archive.suspect(7, Pending { seems: Seems::Useless, ..pending(1) });
        assert_eq!(desk.archive.pending(), 0);
        assert_eq!(desk.archive.confirmed()[&7].program.size(), 9);
    }

    #[test]
    fn a_mutant_that_only_takes_its_process_along_is_given_up() {
        let mut desk = Desk::default();
        let deadly = || Pending { seems: Seems::Deadly, ..pending(3) };
        desk.settle(suspect(7, deadly()), ended(Outcome::Signal(11)), false);
        assert!(desk.archive.is_slow(7));
        for _ in 1..MOST_VAIN {
            assert!(!desk.archive.is_settled(7));
            desk.archive.suspect(7, deadly());
        }
        assert!(desk.archive.is_settled(7) && desk.archive.confirmed().contains_key(&7));
        assert!(!desk.archive.is_long(7) && desk.archive.pending() == 0);
    }

    #[test]
    fn a_mutant_that_is_confirmed_later_was_not_rejected() {
        let mut desk = Desk::default();
        desk.settle(suspect(7, pending(1)), Confirmed::No, true);
        let known = &desk.archive;
        assert_eq!((known.rejected(), known.is_settled(7)), (Rejected { wrong: 1, flaky: 0 }, false));
        desk.settle(suspect(7, pending(1)), yes(), true);
        assert_eq!((desk.archive.rejected(), desk.archive.is_settled(7)), (Rejected::default(), true));
    }

    #[test]
    fn a_mutant_that_is_always_flaky_is_given_up() {
        let mut desk = Desk::default();
        for _ in 0..MOST_FLAKES {
            assert!(!desk.archive.is_settled(7));
            desk.settle(suspect(7, pending(1)), Confirmed::Flaky(Found::default()), true);
        }
        assert!(desk.archive.is_settled(7) && !desk.archive.is_dead(7));
        assert_eq!(desk.archive.rejected(), Rejected { wrong: 0, flaky: 1 });
    }
}
