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
    /// What calls gave that nobody uses: said in passing, where that reads well, rather than thrown away.
    pub passing: Vec<Check>,
    /// Numbers of the mutants that the checks, or the end, tell from the original.
    pub kills: Vec<u32>,
}

impl Case {
    /// A case that says nothing in passing.
    pub fn new(program: Program, ending: Ending, checks: Vec<Check>, kills: Vec<u32>) -> Case {
        Case { program, ending, checks, passing: Vec::new(), kills }
    }

    /// How many assertions its test has at most: what is said in passing is left out where it does not read well.
    pub fn assertions(&self) -> usize {
        self.checks.len() + self.passing.iter().filter(|check| !check.is_hidden()).count()
    }

    /// Adds an assertion, unless it is there already: what is so at the end need not be said of the last call as well.
    pub fn claim(&mut self, check: Check) {
        let is_same = |other: &Check| (other.slot, &other.claim) == (check.slot, &check.claim);
        if !self.checks.iter().any(is_same) {
            self.checks.push(check);
            self.checks.sort_by_key(Check::place);
        }
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
    /// Whether it claims that something is so, or not: that writing to a small buffer fails is no text, though a text is
    /// written.
    pub fn is_flag(&self) -> bool {
        matches!(self.claim, Claim::Value(Value::Bool(_)))
    }

    /// Whether it says which variant something is, or how long, and nothing of what is inside.
    pub fn is_hidden(&self) -> bool {
        matches!(&self.claim, Claim::Value(value) if !value.is_whole())
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_claimed_already_is_not_claimed_again() {
        let check = |after: Option<u16>, slot: u16| Check {
            after: after.map(Slot),
            slot: Slot(slot),
            claim: Claim::Display("a".to_owned()),
        };
        let checks = vec![check(None, 2)];
        let mut case = Case::new(Program::default(), Ending::Returns, checks, Vec::new());
        case.claim(check(Some(1), 1));
        case.claim(check(Some(2), 2));
        assert_eq!(case.checks, [check(Some(1), 1), check(None, 2)]);
    }
}
