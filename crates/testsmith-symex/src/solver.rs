//! Solving: values for variables under which constraints hold, or the certainty that there are none.
//!
//! Main types: [`Solver`], what every solver can do, and [`Answer`]. The engine asks
//! [`Layered`]: slices, models found before, floats, then [`Embedded`], which needs nothing from outside: bits (`blast`), gates, a SAT
//! solver (`sat`); last an [`External`] one. Queries are written and read as text in [`smtlib`].

mod blast;
mod embedded;
mod external;
mod floats;
mod gates;
mod layered;
mod sat;
mod slices;
pub mod smtlib;
mod substitute;
#[cfg(test)]
mod tests;

use std::time::{Duration, Instant};

use crate::expr::{Expr, Exprs, Model};

pub use embedded::Embedded;
pub use external::{Conversation, External};
pub use layered::{Layered, Statistics};

/// Something that answers queries.
pub trait Solver {
    /// Its name in reports.
    fn name(&self) -> &str;

    /// Whether all `constraints`, expressions of width 1, can hold at once.
    ///
    /// A model is only a claim: whoever uses it evaluates the constraints under it first.
    fn check(&mut self, exprs: &mut Exprs, constraints: &[Expr], limit: &Limit) -> Answer;

    /// What all answers took, in operations that take about as long as an instruction of a run, where that is counted.
    fn work(&self) -> u64 {
        0
    }
}

/// What a solver says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The constraints hold under this model. Variables without a value may have any.
    Sat(Model),
    /// They never hold.
    Unsat,
    /// Nobody knows.
    Unknown(Reason),
}

impl Answer {
    /// `sat`, `unsat` or `unknown`.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Sat(_) => "sat",
            Self::Unsat => "unsat",
            Self::Unknown(_) => "unknown",
        }
    }
}

/// Why an answer is unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The time was up.
    Time,
    /// The steps were used up.
    Steps,
    /// The query needs more memory than was granted.
    Memory,
    /// The solver cannot handle an operation.
    Unsupported(String),
    /// The model that it gave does not satisfy the query.
    WrongModel,
    /// It does not answer as agreed, or at all.
    Broken(String),
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Time => f.write_str("the time was up"),
            Self::Steps => f.write_str("the steps were used up"),
            Self::Memory => f.write_str("the query is too large"),
            Self::Unsupported(what) => write!(f, "{what} is not supported"),
            Self::WrongModel => f.write_str("the model was wrong"),
            Self::Broken(what) => write!(f, "the solver broke: {what}"),
        }
    }
}

/// How long a solver may try. The same steps give the same answer; time does not.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// Time on the clock.
    pub time: Duration,
    /// Conflicts of a SAT solver, evaluations of a search in hundreds.
    pub steps: u64,
}

impl Limit {
    /// A limit on time alone.
    #[must_use]
    pub const fn time(time: Duration) -> Self {
        Self { time, steps: u64::MAX }
    }

    /// At most `steps`, within the same time.
    #[must_use]
    pub const fn and_steps(self, steps: u64) -> Self {
        Self { steps, ..self }
    }

    /// What is left of the time for who began then.
    #[must_use]
    pub fn left(&self, began: Instant) -> Self {
        Self { time: self.time.saturating_sub(began.elapsed()), ..*self }
    }
}

impl Default for Limit {
    /// Five seconds.
    fn default() -> Self {
        Self::time(Duration::from_secs(5))
    }
}
