//! What a search has found: [`Found`].

use std::collections::{BTreeMap, BTreeSet};

use crate::archive::{Best, Rejected};
use crate::callable_stats::CallableStats;
use crate::nondeterminism::Nondeterminism;
use crate::schedule::Account;
use crate::search_state::{Branch, Near, Panic, Place, SearchState, Side, Tally};
use crate::solved::Solved;

/// What a search has found.
#[derive(Clone, Debug)]
pub struct Found {
    /// For each mutant that was confirmed to differ the shortest program that shows it.
    pub archive: BTreeMap<u32, Best>,
    /// For each side of a comparison that was taken the shortest program that takes it.
    pub branches: BTreeMap<Branch, Side>,
    /// What is not the same every time.
    pub nondeterminism: Nondeterminism,
    /// Mutants whose site was executed, with the number of programs that did.
    pub reached: BTreeMap<u32, u32>,
    /// Mutants that have computed another value, or may have.
    pub infected: BTreeSet<u32>,
    /// For each goal that is alive, and whose function was entered, the program that came closest.
    pub near: BTreeMap<u32, Near>,
    /// For each goal that is alive how often it was run.
    pub tries: BTreeMap<u32, u32>,
    /// Goals that seemed to differ, and did not do so again.
    pub doubtful: BTreeSet<u32>,
    /// How many of those there are.
    pub rejected: Rejected,
    /// For each place where the original panicked the shortest program that shows it.
    pub panics: BTreeMap<Place, Panic>,
    /// What became of callables.
    pub callable_stats: CallableStats,
    /// Counts.
    pub tally: Tally,
    /// What each strategy cost and earned.
    pub earned: Vec<(&'static str, Account)>,
    /// What solving for mutants has brought.
    pub solved: BTreeMap<u32, Solved>,
    /// Goals that were alive when nothing but solving was left to do, where [`Options::solving_after`](crate::Options) says so.
    pub unsolved: Option<BTreeSet<u32>>,
    /// The user has interrupted the search.
    pub is_interrupted: bool,
}

impl Found {
    /// Whether the engine says that a mutant computes the same whatever the inputs are, and the worker has not seen otherwise.
    pub fn never_differs(&self, mutant: u32) -> bool {
        !self.infected.contains(&mutant)
            && self.solved.get(&mutant).is_some_and(|solved| solved.never_differs)
    }

    pub(crate) fn new(
        known: SearchState<'_>,
        earned: Vec<(&'static str, Account)>,
        solved: BTreeMap<u32, Solved>,
        is_interrupted: bool,
    ) -> Found {
        let near = known.alive().filter_map(|goal| Some((goal, known.near(goal)?.clone()))).collect();
        let taken = known.branches().iter().filter(|(_, side)| side.distance == 0.0);
        Found {
            archive: known.archive.confirmed().clone(),
            branches: taken.map(|(branch, side)| (*branch, side.clone())).collect(),
            reached: known.reached().clone(),
            infected: known.infected().clone(),
            near,
            tries: known.alive().map(|goal| (goal, known.tries(goal))).collect(),
            doubtful: known.archive.doubtful(),
            rejected: known.archive.rejected(),
            nondeterminism: known.nondeterminism,
            panics: known.panics,
            callable_stats: known.callable_stats,
            tally: known.tally,
            earned,
            solved,
            unsolved: None,
            is_interrupted,
        }
    }
}
