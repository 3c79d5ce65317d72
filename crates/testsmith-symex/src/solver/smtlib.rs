//! SMT-LIB 2: queries as text for other solvers and for files, and back.
//!
//! Main functions: [`write()`] and [`read()`]. Width 1 is `Bool` there. Floats are written either by the theory of floats, which
//! solvers know, or by the table's own names, which a file needs to be read back to the same expressions.

mod names;
mod read;
mod sexp;
#[cfg(test)]
mod tests;
mod write;

pub use read::{BadText, Query, read, read_model};
pub use write::{Floats, write};
