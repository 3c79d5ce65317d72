//! Searches for test programs that expose mutants.
//!
//! [`search`] is the engine: strategies propose programs, workers run them, the archive keeps the best for each goal.
//! [`replay`] measures the workers, [`agree`] compares their answers. [`callable_stats`] says which callables the next
//! programs should be about. Nothing here starts a process by itself or knows where the mutants come from: programs go to
//! a `testsmith_exec::WorkerPool`, and executions come back.

pub mod agree;
pub mod archive;
pub mod callable_stats;
mod engine;
#[cfg(feature = "symbolic")]
pub mod engine_agreement;
mod execution_trace;
mod fitness;
pub mod found;
pub mod nondeterminism;
mod observer;
pub mod options;
mod reach;
pub mod replay;
mod schedule;
pub mod search_state;
mod solved;
pub mod strategy;
pub mod subject;
pub mod tree;

pub use engine::search;
pub use found::Found;
pub use observer::{Event, NoObserver, SearchObserver};
pub use options::{Budget, Evolving, Method, Options, Solving, Stored};
pub use schedule::Account;
pub use solved::{Input, Solved};
#[cfg(feature = "symbolic")]
pub use subject::StartsSolver;
pub use subject::{Fields, Subject, Target};
