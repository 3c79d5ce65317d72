//! How to search: [`Options`].

use std::collections::BTreeSet;
use std::time::Duration;

use testsmith_ir::Program;
use testsmith_rt::harness::wire;

use crate::nondeterminism::Nondeterminism;

/// How to search.
#[derive(Clone, Debug)]
pub struct Options {
    /// Of everything that is random.
    pub seed: u64,
    /// When to stop.
    pub budget: Budget,
    /// How programs are proposed.
    pub method: Method,
    /// Mutants to kill.
    pub goals: BTreeSet<u32>,
    /// Whether to go on when all of them are dead, to see what else can be called.
    pub goes_on: bool,
    /// The part of the budget after which a search ends that gains nothing, if it took no longer to come as far as it did.
    pub patience: Option<f64>,
    /// Statements of a random program, at most.
    pub statements: usize,
    /// Limits of each run.
    pub limits: wire::Options,
    /// Limits of those that confirm a kill.
    pub confirming: wire::Options,
    /// What is known not to be the same every time.
    pub nondeterminism: Nondeterminism,
    /// Parameters of [`Method::Evolve`].
    pub evolving: Evolving,
    /// What the strategy that solves for inputs goes for.
    pub solving: Solving,
    /// The part of the budget after which nothing but solving is done, and before which everything else is: for measuring.
    pub solving_after: Option<f64>,
    /// What earlier runs have left.
    pub stored: Stored,
}

/// Programs of earlier runs.
#[derive(Clone, Debug, Default)]
pub struct Stored {
    /// They told mutants from the original, or came close: all strategies wait until they have run.
    pub programs: Vec<Program>,
    /// They rebuild objects, with which stateful testing begins.
    pub objects: Vec<Program>,
}

/// What the strategy that solves for inputs goes for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solving {
    /// New paths; without them nothing is solved at all.
    pub paths: bool,
    /// Another value at the mutant's site: PexMutator's goals.
    pub weak: bool,
    /// Another observation.
    pub strong: bool,
}

impl Solving {
    /// New paths alone: Pex.
    pub const PATHS: Solving = Solving { paths: true, weak: false, strong: false };
    /// Nothing: where solving would have its turn, others go on.
    pub const NOTHING: Solving = Solving { paths: false, weak: false, strong: false };
}

impl Default for Solving {
    fn default() -> Solving {
        Solving { paths: true, weak: true, strong: true }
    }
}

/// When to stop. With [`Budget::Executions`] the same seed finds the same, whatever the number of workers, as long as no
/// run is ended by the clock and no mutant reads memory that is not its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// Wall-clock time.
    Time(Duration),
    /// Programs that are run on the original.
    Executions(u64),
}

/// How programs are proposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Method {
    /// At random.
    Random,
    /// By evolution.
    Evolve,
    /// Trees that are bred: see [`crate::tree`].
    Tree {
        /// Over the purified function set.
        purified: bool,
    },
    /// Calls that contradict what all calls had in common, about objects that were seen.
    Stateful,
    /// Inputs that a solver finds, for random programs, on a harness for wasm.
    Symbolic,
    /// Random first, then whatever earned most lately.
    #[default]
    Hybrid,
}

/// Parameters of evolution; the defaults are those of the µTEST paper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evolving {
    /// Individuals.
    pub population: usize,
    /// Statements of an initial one.
    pub length: usize,
    /// A unit is left for others after so many generations without gain.
    pub generations: usize,
}

impl Default for Evolving {
    fn default() -> Evolving {
        Evolving { population: 100, length: 20, generations: 50 }
    }
}
