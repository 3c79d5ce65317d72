//! The solver that is always there: bits, gates and a SAT solver that keeps what it has learnt between queries.
//!
//! Main type: [`Embedded`]. A constraint is assumed, never asserted, so that one instance serves all queries of a table.

use std::time::Instant;

use super::blast::Blaster;
use super::{Answer, Limit, Reason, Solver};
use crate::expr::{Expr, Exprs, Model};

/// Gates after which everything learnt is thrown away: an old solver gives every gate a value for every model.
const MANY_GATES: u32 = 100_000;

/// Gates that a single query may have, about 4 GB.
const TOO_MANY_GATES: u32 = 20_000_000;

/// Bit-blasting and SAT under assumptions.
pub struct Embedded {
    blaster: Blaster,
    /// Work of blasters that were thrown away.
    before: u64,
}

impl Default for Embedded {
    fn default() -> Self {
        Self::new()
    }
}

impl Embedded {
    /// A solver that has seen nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self { blaster: Blaster::new(), before: 0 }
    }

    /// What it has done so far: gates that were made, and assignments that followed from others.
    #[must_use]
    pub fn work(&self) -> u64 {
        self.before + u64::from(self.blaster.variables()) + self.blaster.propagations()
    }

    fn begin_again(&mut self) {
        self.before = self.work();
        self.blaster = Blaster::new();
    }
}

impl Solver for Embedded {
    fn name(&self) -> &str {
        "embedded"
    }

    fn check(&mut self, exprs: &mut Exprs, constraints: &[Expr], limit: &Limit) -> Answer {
        let began = Instant::now();
        if self.blaster.variables() > MANY_GATES {
            self.begin_again();
        }
        let until = began.checked_add(limit.time);
        let mut assumptions = Vec::with_capacity(constraints.len());
        for &constraint in constraints {
            match self.blaster.literal(exprs, constraint, until) {
                Some(literal) => assumptions.push(literal),
                None => return Answer::Unknown(Reason::Time),
            }
            if self.blaster.variables() > TOO_MANY_GATES {
                self.begin_again();
                return Answer::Unknown(Reason::Memory);
            }
            if began.elapsed() >= limit.time {
                return Answer::Unknown(Reason::Time);
            }
        }
        match self.blaster.sat().solve(&assumptions, &limit.left(began)) {
            Ok(true) => Answer::Sat(model(&self.blaster, exprs, constraints)),
            Ok(false) => Answer::Unsat,
            Err(reason) => Answer::Unknown(reason),
        }
    }
}

/// The values of the variables that the constraints mention.
fn model(blaster: &Blaster, exprs: &Exprs, constraints: &[Expr]) -> Model {
    let variables = constraints.iter().flat_map(|&constraint| exprs.variables(constraint));
    variables
        .filter_map(|variable| {
            let number = exprs.as_variable(variable).expect("it is one");
            Some((number, blaster.value(exprs, variable)?))
        })
        .collect()
}
