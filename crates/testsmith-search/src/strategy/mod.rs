//! Ways to come by programs: a [`Strategy`] proposes them, the engine runs them, and all strategies learn from it.

mod evolve;
mod random;
mod stateful;
mod stored;
#[cfg(feature = "symbolic")]
mod symbolic;

pub use evolve::Evolve;
pub use random::Random;
pub use stateful::Stateful;
pub use stored::Stored;
#[cfg(feature = "symbolic")]
pub use symbolic::Symbolic;

use std::collections::BTreeMap;
use std::sync::Arc;

use testsmith_ir::Program;
use testsmith_rt::harness::wire::Execution;

use crate::search_state::SearchState;
use crate::solved::Solved;

/// A program that was run, and what became of it.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The program.
    pub program: Arc<Program>,
    /// What became of it.
    pub execution: Execution,
    /// Mutants that it is the first to tell from the original, as far as is known before that is confirmed.
    pub gains: Vec<u32>,
}

/// Proposes programs. What it does depends on nothing but its seed and what it is told, so that a search can be repeated.
///
/// While a round is run the next one is proposed: a strategy is told of a round only after it has proposed another.
pub trait Strategy {
    /// As reports name it.
    fn name(&self) -> &'static str;

    /// At most so many programs to run, which obey the borrow rules. None means that it has no idea left for now.
    fn propose(&mut self, known: &SearchState<'_>, count: usize) -> Vec<Program>;

    /// The mutant that program `at` of the round that was proposed last is made for: it is run on it in any case.
    fn aim(&self, at: usize) -> Option<u32> {
        let _ = at;
        None
    }

    /// What it has found out of mutants by solving.
    fn solved(&mut self) -> BTreeMap<u32, Solved> {
        BTreeMap::new()
    }

    /// Whether it needs to see what its programs show, not only how they end.
    fn looks(&self) -> bool {
        false
    }

    /// Whether its programs are worth a run on all mutants that they infect, also on those that were run often.
    fn is_thorough(&self) -> bool {
        false
    }

    /// What the last proposal has cost beside the executions of its programs, as executions.
    fn effort(&mut self) -> u64 {
        0
    }

    /// What became of the programs of a round that this strategy has proposed, in order. All strategies learn of
    /// programs of others through `known` alone.
    fn take(&mut self, known: &SearchState<'_>, round: &[Trial]);
}
