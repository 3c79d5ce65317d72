//! Rust's borrow rules for programs: what obeys them here, the compiler accepts as text.
//!
//! A slot that borrows holds *loans*: which slots it borrows from, and whether exclusively. A loan ends at the last use of
//! its holder, as with non-lexical lifetimes: a use of the lender that conflicts with a loan makes the holder *expire*,
//! and only a later use of the holder is a [`Violation`]. A holder whose destructor may look at what it borrows is
//! used once more at the end of its scope, so it cannot expire: it has to be dropped first.
//!
//! One lifetime stands for all of a slot. When a call puts a loan into something that exists already (a vector of
//! references), all that was made from it holds the loan, too, as for the compiler, whose lifetimes do not know
//! when something flowed into them.
//!
//! Stricter than the compiler, on purpose: a slot that is borrowed exclusively or moved is no other argument of the same
//! call, even if that other one is copied before; [`Drop`](crate::program::Statement::Drop) ends slots of `Copy` types,
//! too.

mod flow;
mod liveness;
mod loan;
mod state;
#[cfg(test)]
mod tests;
mod types;
mod violation;

pub use liveness::{End, Liveness};
pub use state::State;
pub use violation::{Reason, Violation};

use crate::api::Api;
use crate::program::Program;

/// Whether a program obeys the rules, and how long its slots live if it does.
pub fn check(api: &Api, program: &Program) -> Result<Liveness, Violation> {
    let mut state = State::new(api);
    program.statements.iter().try_for_each(|statement| state.push(statement))?;
    state.finish()
}
