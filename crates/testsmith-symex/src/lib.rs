//! Concolic execution of wasm: a module is run with concrete values and, beside them, with expressions over its inputs; a
//! solver finds the inputs of paths that no run has taken.
//!
//! This crate knows wasm and expressions and nothing of Rust crates, mutants or processes.

pub mod explore;
pub mod expr;
pub mod kill;
pub mod machine;
pub mod solver;
pub mod tree;
pub mod wasm;
