//! A test case before it is text: a program, how it ends, and what is claimed about its values.
//!
//! The oracle makes them, minimising makes them smaller, and the writer turns them into Rust.

use std::cmp::Ordering;

use testsmith_ir::{Program, Slot};
use testsmith_rt::harness::Value;

/// A test that is not written yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// What it does.
    pub program: Program,
    /// How that ends.
    pub ending: Ending,
    /// What is claimed, in the order in which it is written.
    pub checks: Vec<Check>,
    /// Numbers of the mutants that the checks, or the end, tell from the original.
    pub kills: Vec<u32>,
}

/// How the program of a case ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By itself.
    Returns,
    /// In a panic of its last statement.
    Panics {
        /// What its message holds; empty if there is nothing to rely on.
        message: String,
    },
}

/// Something that is claimed about a slot.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// The statement that it stands behind; at the end if none.
    pub after: Option<Slot>,
    /// What it is about.
    pub slot: Slot,
    /// What is claimed.
    pub claim: Claim,
}

/// What is claimed about a slot.
#[derive(Clone, Debug, PartialEq)]
pub enum Claim {
    /// It has this value.
    Value(Value),
    /// It is equal to another slot of its type, or not.
    Equal(Slot, bool),
    /// It compares so to another slot of its type.
    Order(Slot, Option<Ordering>),
    /// `{}` prints it so.
    Display(String),
    /// `{:?}` prints it so.
    Debug(String),
}
