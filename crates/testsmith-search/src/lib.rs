//! Searches for test programs that expose mutants.
//!
//! [`search`] is the engine: strategies propose programs, workers run them, the archive keeps the best for each goal.
//! [`replay`] measures the workers, [`agree`] compares their answers. [`experience`] says which callables the next
//! programs should be about. Nothing here starts a process by itself or knows where the mutants come from: programs go to
//! a `testsmith_exec::Pool`, and executions come back.

pub mod agree;
pub mod archive;
mod client;
mod engine;
pub mod experience;
mod fitness;
pub mod found;
pub mod knowledge;
pub mod marks;
pub mod options;
mod reach;
pub mod replay;
mod schedule;
mod sight;
pub mod strategy;
pub mod subject;
pub mod tree;

pub use client::{Anybody, Client, Event};
pub use engine::search;
pub use found::Found;
pub use options::{Budget, Evolving, Method, Options};
pub use schedule::Account;
pub use subject::{Subject, Target};
