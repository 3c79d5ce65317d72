//! Runs test programs in sandboxed worker processes.
//!
//! A worker is a harness that was built for one crate: it takes a batch of programs and answers what became of each, on
//! the original and on mutants. An [`Executor`] has one worker and sees to it that every run gets exactly one
//! `Execution`, whatever the code under test does to its process; a [`WorkerPool`] has several. [`Executor::confirm`] and
//! [`Executor::deterministic`] ask again in fresh processes, because nothing from a process that a mutant ran in can be
//! trusted.
//!
//! Starting a worker takes 3.0 ms, half of it for the sandbox; a batch of one run 20 µs, one of a thousand small runs with a
//! mutant each 3.1 ms (first decile of 50, Linux 6.18, two shared cores; `tests/workers` measures it again).
//!
//! This crate does not know where programs come from and what is made of the answers. It starts processes through
//! `testsmith-proc`, and speaks the language of `testsmith_rt::harness::wire`.

mod confirm;
mod encode;
mod ending;
mod executor;
mod failure;
mod folder;
mod json;
mod learn;
mod plan;
mod session;
mod setup;
mod show;
mod worker_pool;

pub use confirm::{Confirmed, Ends, Nondeterminism, ObservedDifference, Shift};
pub use encode::encode;
pub use ending::ending;
pub use executor::{Executor, Tally};
pub use failure::Failure;
pub use json::{JsonError, from_json, to_json};
pub use learn::learn;
pub use setup::{Kind, Setup, Trust};
pub use show::show;
pub use worker_pool::WorkerPool;
