//! Contracts of callables and types, inferred from what programs show: see docs/internals/stateful.md.
//!
//! [`Queries`] says what can be asked of objects without changing them, [`probe`] adds these questions to a program,
//! [`Tables::record`] makes rows of the answers, [`infer`] finds what holds in all rows of a callable, and
//! [`invariants`] what holds for all objects of a type. [`Composer`] makes programs of the objects that were seen, and
//! [`targets`] says which calls would contradict what was inferred. Nothing here runs a program.

#![forbid(unsafe_code)]

mod atom;
mod bits;
mod cell;
mod compose;
mod contract;
mod equation;
mod infer;
mod invariant;
mod judge;
mod law;
mod outcome;
mod panics;
mod probe;
mod property;
mod query;
mod record;
mod reduce;
mod search;
mod slice;
mod table;
mod template;
#[cfg(test)]
mod tests;
mod transition;

pub use atom::{Atom, Op};
pub use bits::Bits;
pub use cell::Cell;
pub use compose::Composer;
pub use contract::{Conjunction, Contract, Formula, Kind, Support};
pub use infer::infer;
pub use invariant::{Nearly, invariants, nearly};
pub use judge::{Known, broken, on_mutant};
pub use law::{LAWS, Law, LawOfType, LawTrial};
pub use probe::{Probe, Probed, probe};
pub use property::{ObjectFunction, PropertyTest, Style, Writer};
pub use query::Queries;
pub use record::{Constants, Object, Tables};
pub use reduce::{Reason, Target, preconditions, programs, targets};
pub use table::{Column, End, Row, Table, When};
pub use transition::Definers;
