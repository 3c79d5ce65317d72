//! A test case before it is text: a program, how it ends, and what is claimed about its values.
//!
//! The oracle makes them, minimising makes them smaller, and the writer turns them into Rust.

use std::cmp::Ordering;

use testsmith_ir::{Program, Slot};
use testsmith_rt::harness::Value;

/// Assertions of one test.
pub const MOST_CHECKS: usize = 3;

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

impl Case {
    /// Whether the assertions of another case of the same program have room here.
    pub fn can_join(&self, other: &Case) -> bool {
        self.ending == other.ending && self.checks.len() + other.checks.len() <= MOST_CHECKS
    }

    /// Adds the assertions of another case of the same program, and what they kill.
    pub fn join(&mut self, other: Case) {
        let new = other.checks.into_iter().filter(|check| !self.checks.contains(check)).collect::<Vec<_>>();
        self.checks.extend(new);
        self.checks.sort_by_key(Check::place);
        self.kills.extend(other.kills);
    }
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

impl Check {
    /// Where it stands among others: in the order of the program.
    pub(crate) fn place(&self) -> (bool, Option<Slot>, Slot) {
        (self.after.is_none(), self.after, self.slot)
    }
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
