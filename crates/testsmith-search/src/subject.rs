//! What is searched: the API of a crate, and what is known of each mutant before anything ran ([`Subject`]).

use std::collections::BTreeSet;

use testsmith_ir::random::Constants;
use testsmith_ir::{Api, CallableId, Regions};

/// A crate as the search sees it.
#[derive(Clone, Debug)]
pub struct Subject<'a> {
    /// What programs can use.
    pub api: &'a Api,
    /// The callables that programs are about; others only make arguments.
    pub roots: Vec<CallableId>,
    /// Those of them that only look at something, and are not the crate's own.
    pub inspectors: Vec<CallableId>,
    /// What the crate mentions.
    pub constants: Constants,
    /// Mutant `n` is at `n - 1`.
    pub mutants: Vec<Target>,
    /// Where they stand in the control flow.
    pub regions: Regions,
    /// The harness for wasm, where there is one.
    #[cfg(feature = "symbolic")]
    pub module: Option<&'a testsmith_symex::wasm::Module>,
    /// Who starts a solver for what the embedded one gives up on, where the user has named one.
    #[cfg(feature = "symbolic")]
    pub solver: Option<&'a dyn StartsSolver>,
    /// By callable and parameter: whether a call may change what the argument refers to. Empty if nothing is known.
    pub changes: Vec<Vec<bool>>,
    /// By callable: the fields that a call defines and uses, each by a number. Empty if nothing is known.
    pub fields: Vec<Fields>,
}

/// Fields of types, by a number that is the same wherever a field is named.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fields {
    /// Those that a call may write.
    pub defines: BTreeSet<u32>,
    /// Those that it may read.
    pub uses: BTreeSet<u32>,
}

/// What the source says of a mutant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// Number of the function that it is in.
    pub function: usize,
    /// The comparison that it changes, or whose operand it changes, by the number that its distances are reported under.
    pub probe: Option<u32>,
    /// Callables that may reach it, the nearest first; none if nothing is known.
    pub callables: Vec<CallableId>,
}

/// Starts an external solver.
#[cfg(feature = "symbolic")]
pub trait StartsSolver: std::fmt::Debug + Sync {
    /// One that is ready, or nothing where it does not start.
    fn start(&self) -> Option<Box<dyn testsmith_symex::solver::Solver>>;
}

impl Subject<'_> {
    /// What is known of a mutant.
    pub fn target(&self, mutant: u32) -> Option<&Target> {
        self.mutants.get((mutant as usize).checked_sub(1)?)
    }

    /// Numbers of all mutants.
    pub fn numbers(&self) -> impl Iterator<Item = u32> {
        1..=u32::try_from(self.mutants.len()).expect("mutants are numbered in 32 bits")
    }
}
