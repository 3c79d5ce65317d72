//! Searches for test programs that expose mutants.
//!
//! [`random`] is the baseline that every other strategy has to beat; [`replay`] measures the workers, [`agree`]
//! compares their answers. [`experience`] says
//! which callables the next programs should be about. Nothing here starts a process by itself or knows where the mutants
//! come from: programs go to a `testsmith_exec::Pool`, and executions come back.

pub mod agree;
pub mod experience;
pub mod kills;
pub mod marks;
pub mod random;
pub mod replay;
