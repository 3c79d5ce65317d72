//! From sources to a meta-program: the mutation-operator table, the plan of all mutants of a crate, its rewriting
//! into one program that holds them all behind a switch, and what the compiler says about that program.
//!
//! Text in, text out: nothing here starts a process or touches a file.

mod facts;
mod feedback;
pub mod harness;
mod kinds;
mod mutant;
mod open;
pub mod operators;
mod plan;
mod probes;
mod regions;
mod render;
mod site;
mod values;
mod visit;

pub use feedback::{Diagnostic, Outcome, Place};
pub use mutant::{Mutant, MutantId};
pub use operators::{OPERATORS, Operator, OperatorSet};
pub use plan::{Function, Plan, State};
pub use render::{Rendered, render};

/// The name under which the meta-program knows the run-time library.
pub const RUNTIME: &str = "__testsmith";
