//! What tells mutants from the original: every difference that a program shows is a candidate for an assertion.
//!
//! [`Evidence`] of a program holds them all, each with the mutants that it exposes; `cover` chooses among them.

use std::collections::{BTreeMap, BTreeSet};

use testsmith_ir::{Mode, Program, Slot, Statement};
use testsmith_rt::harness::wire::{At, Difference, Observation, Outcome, What};
use testsmith_rt::harness::{MASKED, MOST_TEXT, Value};

use crate::case::{Check, Claim, Ending};
use crate::lab::Look;
use crate::text::expected;

/// How good an assertion is to read and to keep; the best comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// The end alone does it: no assertion is needed.
    End,
    /// A value.
    Value,
    /// A comparison with another object of the test.
    Comparison,
    /// A text that the crate makes for people.
    Text,
    /// What `Debug` prints.
    Debug,
}

impl Rank {
    /// Whether it is a text: these are used only for mutants that nothing else kills.
    pub fn is_text(self) -> bool {
        self >= Rank::Text
    }
}

/// Something that could be asserted.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// What.
    pub check: Check,
    /// How good it is.
    pub rank: Rank,
    /// The mutants for which it does not hold.
    pub kills: BTreeSet<u32>,
}

/// All that a program proves.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// How it ends on the original.
    pub ending: Ending,
    /// Mutants on which it does not end like that.
    pub by_end: BTreeSet<u32>,
    /// What could be asserted, also where it exposes nothing.
    pub candidates: Vec<Candidate>,
}

/// What the oracle asks about assertions.
pub trait Writer {
    /// Whether a check can be written down.
    fn is_writable(&self, program: &Program, check: &Check) -> bool;
    /// Whether a check would be written as one of a text that was printed.
    fn is_printed(&self, program: &Program, check: &Check) -> bool;
    /// Whether a panic at this place of the crate's sources, in the last statement, is what its docs or its author say.
    fn is_declared(&self, program: &Program, panic: &Outcome) -> bool;
}

impl Evidence {
    /// What a program proves; nothing where it ends in a way that no test should.
    pub fn of(program: &Program, look: &Look, writer: &dyn Writer) -> Option<Evidence> {
        let ending = match &look.outcome {
            Outcome::Ok => Ending::Returns,
            Outcome::Panic { message, .. } => {
                let is_last = usize::from(look.statement) + 1 == program.size();
                if !is_last || !writer.is_declared(program, &look.outcome) {
                    return None;
                }
                Ending::Panics { message: expected(message).unwrap_or_default() }
            }
            _ => return None,
        };
        if !look.absent.is_empty() {
            // What was to be unwrapped was not there: the written test would panic.
            return None;
        }
        let mut by_end = BTreeSet::new();
        let mut exposed: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
        for (mutant, differences) in &look.differences {
            for difference in differences {
                match difference {
                    Difference::Outcome(outcome, _) => {
                        if ends_otherwise(&ending, outcome) {
                            by_end.insert(*mutant);
                        }
                    }
                    // The written test would unwrap it.
                    Difference::Observation(_, Some(What::Absent)) => {
                        by_end.insert(*mutant);
                    }
                    // Looking at it panics: what is asserted instead differs as well.
                    Difference::Observation(index, _) => {
                        exposed.entry(*index).or_default().insert(*mutant);
                    }
                }
            }
        }
        let candidates = match ending {
            Ending::Returns => look
                .observations
                .iter()
                .zip(0..)
                .filter_map(|(seen, index)| {
                    let check = check(seen).filter(|check| can_change(program, check.slot))?;
                    let kills = exposed.remove(&index).unwrap_or_default();
                    let rank = rank(program, &check, writer);
                    writer.is_writable(program, &check).then_some(Candidate { check, rank, kills })
                })
                .collect(),
            // An assertion that fails is a panic as well.
            Ending::Panics { .. } => Vec::new(),
        };
        Some(Evidence { ending, by_end, candidates })
    }

    /// The best way to expose a mutant.
    pub fn rank(&self, mutant: u32) -> Option<Rank> {
        if self.by_end.contains(&mutant) {
            return Some(Rank::End);
        }
        let exposing = self.candidates.iter().filter(|candidate| candidate.kills.contains(&mutant));
        exposing.map(|candidate| candidate.rank).min()
    }
}

/// Whether a test that expects one ending fails with the other.
fn ends_otherwise(expected: &Ending, outcome: &Outcome) -> bool {
    match (expected, outcome) {
        (Ending::Panics { message: part }, Outcome::Panic { message, .. }) => !message.contains(part),
        // The mutant passed the statement in which the original panics, or never gets there.
        (Ending::Panics { .. }, _) => true,
        (Ending::Returns, outcome) => *outcome != Outcome::Ok,
    }
}

/// Whether a slot can hold anything but what the test itself has written there.
fn can_change(program: &Program, slot: Slot) -> bool {
    let is_lent = |statement: &Statement| {
        statement.args().iter().any(|arg| arg.slot == slot && arg.mode == Mode::Exclusive)
    };
    !matches!(program[slot], Statement::Literal { .. }) || program.statements.iter().any(is_lent)
}

/// What was seen as something to assert.
fn check(seen: &Observation) -> Option<Check> {
    let after = match seen.at {
        At::Statement(number) => Some(Slot(number)),
        At::End => None,
    };
    let claim = match &seen.what {
        What::Value(bytes) => Claim::Value(Value::decode(bytes).ok()?),
        What::Eq(other, is_equal) => Claim::Equal(Slot(*other), *is_equal),
        What::Cmp(other, order) => Claim::Order(Slot(*other), *order),
        What::Display(text) if is_whole(text) => Claim::Display(text.clone()),
        What::Debug(text) if is_whole(text) => Claim::Debug(text.clone()),
        What::Display(_) | What::Debug(_) => return None,
        What::Panics(_) | What::Absent => return None,
    };
    Some(Check { after, slot: Slot(seen.slot), claim })
}

/// Whether a printed text is as it was printed: with addresses, and all of it.
fn is_whole(text: &str) -> bool {
    text.len() < MOST_TEXT && !text.contains(MASKED)
}

fn rank(program: &Program, check: &Check, writer: &dyn Writer) -> Rank {
    match (&check.claim, writer.is_printed(program, check)) {
        (Claim::Equal(..) | Claim::Order(..), _) => Rank::Comparison,
        // What prints like a value of the API is written as that value.
        (Claim::Value(_) | Claim::Display(_) | Claim::Debug(_), false) => Rank::Value,
        (Claim::Value(_) | Claim::Display(_), true) => Rank::Text,
        (Claim::Debug(_), true) => Rank::Debug,
    }
}
