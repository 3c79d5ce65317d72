//! A SAT solver under assumptions, behind the few calls that the gates need.
//!
//! Main types: [`Lit`], and [`Sat`] with batsat behind it. Variable 0 is true in every solver, so that constants are literals too.

use std::cell::Cell;
use std::time::Instant;

use batsat::{Callbacks, Solver as Batsat, SolverInterface, SolverOpts, lbool};

use super::{Limit, Reason};

/// A variable or its negation: twice the variable's number, plus one for the negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Lit(u32);

impl Lit {
    pub(super) const TRUE: Self = Self(0);
    pub(super) const FALSE: Self = Self(1);

    pub(super) const fn of(value: bool) -> Self {
        if value { Self::TRUE } else { Self::FALSE }
    }

    pub(super) const fn negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// Negated where `negate` says so.
    pub(super) const fn flip(self, negate: bool) -> Self {
        Self(self.0 ^ negate as u32)
    }

    pub(super) const fn is_constant(self) -> bool {
        self.0 < 2
    }
}

impl std::ops::Not for Lit {
    type Output = Self;
    fn not(self) -> Self {
        self.flip(true)
    }
}

/// What the callbacks of a running search look at.
#[derive(Default)]
struct Watch {
    until: Cell<Option<Instant>>,
    conflicts_left: Cell<u64>,
    asked: Cell<u32>,
    /// Once true, always true: batsat asks in the search and again outside of it.
    stopped: Cell<bool>,
}

impl Callbacks for Watch {
    fn on_new_clause(&mut self, _: &[batsat::Lit], source: batsat::ClauseKind) {
        if source == batsat::ClauseKind::Learnt {
            self.conflicts_left.set(self.conflicts_left.get().saturating_sub(1));
        }
    }

    fn stop(&self) -> bool {
        self.asked.set(self.asked.get().wrapping_add(1));
        // Asking the clock at every decision would show.
        let late = || {
            let is_late = |until| Instant::now() >= until;
            self.asked.get().is_multiple_of(16) && self.until.get().is_some_and(is_late)
        };
        if self.conflicts_left.get() == 0 || late() {
            self.stopped.set(true);
        }
        self.stopped.get()
    }
}

/// batsat, a MiniSat in Rust.
pub(super) struct Sat {
    solver: Batsat<Watch>,
    variables: u32,
    clause: Vec<batsat::Lit>,
}

impl Sat {
    pub(super) fn new() -> Self {
        let solver = Batsat::new(SolverOpts::default(), Watch::default());
        let mut sat = Self { solver, variables: 0, clause: Vec::new() };
        let constant = sat.variable();
        debug_assert_eq!(constant, Lit::TRUE);
        sat.add(&[Lit::TRUE]);
        sat
    }

    pub(super) fn variable(&mut self) -> Lit {
        let variable = self.solver.new_var_default();
        debug_assert_eq!(variable.idx(), self.variables);
        self.variables += 1;
        Lit(variable.idx() * 2)
    }

    pub(super) fn variables(&self) -> u32 {
        self.variables
    }

    pub(super) fn add(&mut self, clause: &[Lit]) {
        self.clause.clear();
        self.clause.extend(clause.iter().map(|&lit| to_batsat(lit)));
        self.solver.add_clause_reuse(&mut self.clause);
    }

    /// Whether the clauses and the assumptions can hold; why it is not known, else.
    pub(super) fn solve(&mut self, assumptions: &[Lit], limit: &Limit) -> Result<bool, Reason> {
        let watch = self.solver.cb_mut();
        watch.until.set(Instant::now().checked_add(limit.time));
        watch.conflicts_left.set(limit.steps.max(1));
        watch.stopped.set(false);
        let assumptions: Vec<batsat::Lit> = assumptions.iter().map(|&lit| to_batsat(lit)).collect();
        match self.solver.solve_limited(&assumptions) {
            answer if answer == lbool::TRUE => Ok(true),
            answer if answer == lbool::FALSE => Ok(false),
            _ if self.solver.cb().conflicts_left.get() == 0 => Err(Reason::Steps),
            _ => Err(Reason::Time),
        }
    }

    /// What it has done so far: assignments that followed from others.
    pub(super) fn propagations(&self) -> u64 {
        self.solver.num_propagations()
    }

    /// The value of a literal in the model of the last call of `solve`, which said that there is one.
    pub(super) fn value(&self, lit: Lit) -> bool {
        self.solver.value_lit(to_batsat(lit)) == lbool::TRUE
    }
}

fn to_batsat(lit: Lit) -> batsat::Lit {
    batsat::Lit::new(batsat::Var::unsafe_from_idx(lit.0 >> 1), !lit.negated())
}
