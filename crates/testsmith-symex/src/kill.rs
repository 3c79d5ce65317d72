//! Killing mutants of a program that the engine executes: under which condition a mutant computes another value, and which
//! inputs make it show.
//!
//! A program is a harness: it runs test programs that are data, shows their literals (`hole`), what its sites compute with
//! (`site`, `mark`, `cond`) and what can be seen of it (`seen`). Main types: [`Harness`], which runs one, [`Execution`], what
//! came of a run, and [`Hunt`], which looks for inputs. A mutant is a number here; docs/internals/killing.md has the formulas.

mod condition;
mod execution;
mod harness;
mod host;
mod hunt;
mod operand;

pub use condition::{Class, infection};
pub use execution::{Condition, Ended, Execution, Seen, Visit};
pub use harness::{Harness, HarnessError, Role, Wanted};
pub use hunt::{Effort, Hunt, Outcome, Settings};
pub use operand::{Operand, Type};
