//! Expressions over inputs: bit vectors of 1 to 128 bits, truth values (width 1) and floats (their bits).
//!
//! Main type: [`Exprs`], the table that makes and holds them; an [`Expr`] is a number in it. `rules` simplifies while an
//! expression is made, [`bits`] says what each operation computes, [`Model`] and [`Evaluator`] give values.

pub mod bits;
mod build;
mod model;
mod node;
mod print;
#[cfg(test)]
pub(crate) mod random;
mod rules;
mod table;
#[cfg(test)]
mod tests;
mod vars;
mod wasm;

pub use model::{Evaluator, Model};
pub use node::{Expr, Node, Op};
pub use print::{Names, Text};
pub use table::Exprs;
pub use vars::VarSet;
