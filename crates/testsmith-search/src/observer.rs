//! Who watches a search and says which differences are of use: [`SearchObserver`].

use testsmith_exec::ObservedDifference;
use testsmith_ir::Program;

/// How a search is going.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// Programs that were run so far.
    pub executions: u64,
    /// Runs of mutants so far.
    pub mutant_runs: u64,
    /// Goals that differ.
    pub killed: usize,
    /// Goals that seem to, and were not asked again yet.
    pub pending: usize,
    /// Mutants whose site was executed.
    pub reached: usize,
    /// Mutants that have computed another value, or may have.
    pub infected: usize,
    /// Sides of comparisons that were taken.
    pub sides: usize,
    /// All goals.
    pub goals: usize,
    /// Who proposed the last round.
    pub strategy: &'static str,
    /// The part of the budget that is used up, up to 1.
    pub used: f64,
}

/// Watches a search, and says which differences are of use.
pub trait SearchObserver {
    /// Hears how it is going.
    fn hear(&self, event: Event);

    /// Whether a difference is of use. If not, the search goes on for a better one, and keeps this as long as there is
    /// none.
    fn can_use(&self, program: &Program, observed: &ObservedDifference) -> bool;
}

/// Takes whatever differs, and hears nothing.
#[derive(Clone, Copy, Debug)]
pub struct NoObserver;

impl SearchObserver for NoObserver {
    fn hear(&self, _: Event) {}

    fn can_use(&self, _: &Program, _: &ObservedDifference) -> bool {
        true
    }
}
