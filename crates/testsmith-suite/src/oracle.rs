//! What tells mutants from the original: every difference that a program shows is a candidate for an assertion.
//!
//! [`Evidence`] of a program holds them all, each with the mutants that it exposes; `cover` chooses among them.

use std::collections::{BTreeMap, BTreeSet};

use testsmith_exec::ObservedDifference;
use testsmith_ir::{Mode, Program, Slot, Statement};
use testsmith_rt::harness::wire::{At, Difference, Observation, Outcome, What};
use testsmith_rt::harness::{MASKED, MOST_TEXT, Value};

use crate::case::{Check, Claim, Ending};
use crate::lab::ProgramObservation;
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
    /// What an error of the crate says.
    Message,
    /// Which variant it is, or how long, and nothing of what is inside.
    Hidden,
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
pub trait AssertionPolicy {
    /// Whether a check can be written down.
    fn is_writable(&self, program: &Program, check: &Check) -> bool;
    /// Whether a check would be written as one of a text that was printed.
    fn is_printed(&self, program: &Program, check: &Check) -> bool;
    /// Whether a check is on the message of an error that a call of the crate has given.
    fn is_message(&self, program: &Program, check: &Check) -> bool;
    /// How a panic in the last statement is declared; `None` if neither the docs nor the author speak of it.
    fn declared(&self, program: &Program, panic: &Outcome) -> Option<Declared>;
}

/// What of a panic is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Declared {
    /// That it panics. The message is the standard library's or a dependency's, which nobody promises.
    Panic,
    /// The message as well, for the crate's author wrote it.
    Message,
}

impl Evidence {
    /// What a program proves; nothing where it ends in a way that no test should.
    pub fn of(
        program: &Program,
        look: &ProgramObservation,
        policy: &dyn AssertionPolicy,
    ) -> Option<Evidence> {
        let ending = match &look.outcome {
            Outcome::Ok => Ending::Returns,
            Outcome::Panic { message, .. } => {
                let is_last = usize::from(look.statement) + 1 == program.size();
                let declared = policy.declared(program, &look.outcome).filter(|_| is_last)?;
                let own = (declared == Declared::Message).then(|| expected(message)).flatten();
                Ending::Panics { message: own.unwrap_or_default() }
            }
            _ => return None,
        };
        if !look.absent.is_empty() {
            // What was to be unwrapped was not there: the written test would panic.
            return None;
        }
        let mut by_end = BTreeSet::new();
        let mut exposed: BTreeMap<u32, Vec<(u32, Option<&What>)>> = BTreeMap::new();
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
                    Difference::Observation(index, what) => {
                        exposed.entry(*index).or_default().push((*mutant, what.as_ref()));
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
                    let usable =
                        |check: &Check| can_change(program, check.slot) && policy.is_writable(program, check);
                    // Claims of one observation come the strongest first.
                    let check = checks(seen).into_iter().find(usable)?;
                    let others = exposed.remove(&index).unwrap_or_default().into_iter();
                    let kills =
                        others.filter(|(_, what)| refutes(*what, &check.claim)).map(|it| it.0).collect();
                    let rank = rank(program, &check, policy);
                    Some(Candidate { check, rank, kills })
                })
                .collect(),
            // An assertion that fails is a panic as well.
            Ending::Panics { .. } => Vec::new(),
        };
        Some(Evidence { ending, by_end, candidates })
    }

    /// What a reader expects of a program that kills by its end alone: what it shows last, and no text if there is something else.
    pub fn natural(&self) -> Option<&Candidate> {
        // That a clone is equal says nothing of what was cloned.
        let poverty = |it: &Candidate| match it.rank {
            Rank::Comparison if it.kills.is_empty() => 3,
            Rank::Debug => 2,
            rank if rank.is_text() && !it.check.is_flag() => 1,
            _ => 0,
        };
        self.candidates.iter().min_by_key(|it| (poverty(it), std::cmp::Reverse(it.check.slot), it.rank))
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

/// Whether a test could show a difference that a search has seen. What takes its process along here may not do so in a
/// test; what was seen before a panic can be asserted without it.
pub fn can_show(program: &Program, observed: &ObservedDifference, policy: &dyn AssertionPolicy) -> bool {
    let ObservedDifference { difference, outcome, statement, original } = observed;
    let (outcome, last, difference) = match (difference, original) {
        (Difference::Outcome(Outcome::Signal(_) | Outcome::Exit(_), _), _) => return false,
        (Difference::Outcome(..), _) => (outcome.clone(), *statement, difference.clone()),
        // What the original showed is not known yet.
        (Difference::Observation(..), None) => return true,
        (Difference::Observation(_, what), Some(seen)) => {
            let last = match seen.at {
                At::Statement(number) => number,
                At::End => *statement,
            };
            (Outcome::Ok, last, Difference::Observation(0, what.clone()))
        }
    };
    let mut program = program.clone();
    program.keep(|slot| slot.index() <= usize::from(last));
    let look = ProgramObservation {
        outcome,
        statement: last,
        // Without what has no value it would be as good.
        absent: Vec::new(),
        observations: original.iter().cloned().collect(),
        differences: BTreeMap::from([(1, vec![difference])]),
    };
    Evidence::of(&program, &look, policy).is_some_and(|evidence| evidence.rank(1).is_some())
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

/// What was seen as something to assert: all of it, and where that cannot be written, an outline.
fn checks(seen: &Observation) -> Vec<Check> {
    let after = match seen.at {
        At::Statement(number) => Some(Slot(number)),
        At::End => None,
    };
    let claims = match &seen.what {
        What::Value(bytes) => of_value(bytes),
        What::Eq(other, is_equal) => vec![Claim::Equal(Slot(*other), *is_equal)],
        What::Cmp(other, order) => vec![Claim::Order(Slot(*other), *order)],
        What::Display(text) if is_whole(text) => vec![Claim::Display(text.clone())],
        What::Debug(text) if is_whole(text) => vec![Claim::Debug(text.clone())],
        What::Display(_) | What::Debug(_) | What::Panics(_) | What::Absent => Vec::new(),
    };
    claims.into_iter().map(|claim| Check { after, slot: Slot(seen.slot), claim }).collect()
}

fn of_value(bytes: &[u8]) -> Vec<Claim> {
    let Ok(value) = Value::decode(bytes) else { return Vec::new() };
    let outline = outline(&value);
    let whole = value.is_whole().then_some(value);
    whole.into_iter().chain(outline).map(Claim::Value).collect()
}

/// What can be claimed of a value without its parts: which variant it is, or how long.
fn outline(value: &Value) -> Option<Value> {
    let opaque = || Box::new(Value::Opaque);
    Some(match value {
        Value::Option(inner) => Value::Option(inner.as_ref().map(|_| opaque())),
        Value::Result(Ok(_)) => Value::Result(Ok(opaque())),
        Value::Result(Err(_)) => Value::Result(Err(opaque())),
        Value::Str(_, length) => Value::Str(String::new(), *length),
        Value::List(_, length) => Value::List(Vec::new(), *length),
        Value::Set(_, length) => Value::Set(Vec::new(), *length),
        Value::Map(_, length) => Value::Map(Vec::new(), *length),
        _ => return None,
    })
}

/// Whether a claim does not hold for a mutant that shows something else than the original.
fn refutes(shown: Option<&What>, claim: &Claim) -> bool {
    match (shown, claim) {
        // An outline may be the same where the parts differ.
        (Some(What::Value(bytes)), Claim::Value(claimed)) if !claimed.is_whole() => {
            Value::decode(bytes).ok().and_then(|value| outline(&value)).as_ref() != Some(claimed)
        }
        // `assert_eq!(x, 0.0)` holds for -0.0 as well; a claim of -0.0 is one of its bits.
        (Some(What::Value(bytes)), Claim::Value(claimed)) => {
            is_minus_zero(claimed) || Value::decode(bytes).ok().as_ref() != Some(claimed)
        }
        // Where looking at it panics, what is asserted instead differs as well.
        _ => true,
    }
}

fn is_minus_zero(value: &Value) -> bool {
    match value {
        Value::F32(value) => *value == 0.0 && value.is_sign_negative(),
        Value::F64(value) => *value == 0.0 && value.is_sign_negative(),
        _ => false,
    }
}

/// Whether a printed text is as it was printed: with addresses, and all of it.
fn is_whole(text: &str) -> bool {
    text.len() < MOST_TEXT && !text.contains(MASKED)
}

fn rank(program: &Program, check: &Check, policy: &dyn AssertionPolicy) -> Rank {
    match (&check.claim, policy.is_printed(program, check)) {
        (Claim::Equal(..) | Claim::Order(..), _) => Rank::Comparison,
        (Claim::Value(value), false) if !value.is_whole() => Rank::Hidden,
        (Claim::Display(_), _) if policy.is_message(program, check) => Rank::Message,
        // What prints like a value of the API is written as that value.
        (Claim::Value(_) | Claim::Display(_) | Claim::Debug(_), false) => Rank::Value,
        (Claim::Value(_) | Claim::Display(_), true) => Rank::Text,
        (Claim::Debug(_), true) => Rank::Debug,
    }
}

#[cfg(test)]
mod tests {
    use testsmith_ir::sketch;

    use super::*;

    /// Writes everything, and thinks that panics that say so are meant.
    struct AnyAssertion;

    impl AssertionPolicy for AnyAssertion {
        fn is_writable(&self, _: &Program, _: &Check) -> bool {
            true
        }

        fn is_printed(&self, _: &Program, _: &Check) -> bool {
            false
        }

        fn is_message(&self, _: &Program, _: &Check) -> bool {
            false
        }

        fn declared(&self, _: &Program, panic: &Outcome) -> Option<Declared> {
            match panic {
                Outcome::Panic { message, .. } if message == "meant" => Some(Declared::Message),
                _ => None,
            }
        }
    }

    #[test]
    fn what_no_test_can_show_is_told_from_what_one_can() {
        let api = sketch::api("type S: drop\nfn S::new() -> S => S::new()").unwrap();
        let program = sketch::program(&api, "s = S::new()").unwrap().program;
        let panic =
            |message: &str| Outcome::Panic { message: message.to_owned(), file: String::new(), line: 0 };
        let ended = |outcome| Difference::Outcome(outcome, 0);
        let shows = || Difference::Observation(3, Some(What::Debug("S(1)".to_owned())));
        let seen = |text: &str| {
            Some(Observation { at: At::Statement(0), slot: 0, what: What::Debug(text.to_owned()) })
        };
        let table = [
            (ended(panic("oh")), Outcome::Ok, None, true),
            (ended(Outcome::Signal(11)), Outcome::Ok, None, false),
            (ended(Outcome::Fuel), Outcome::Ok, None, true),
            (ended(Outcome::Ok), panic("oh"), None, false),
            (ended(Outcome::Ok), panic("meant"), None, true),
            (shows(), Outcome::Ok, None, true),
            (shows(), Outcome::Ok, seen("S(2)"), true),
            (shows(), panic("oh"), seen("S(2)"), true),
            (shows(), Outcome::Ok, seen(MASKED), false),
        ];
        for (difference, outcome, original, expected) in table {
            let observed = ObservedDifference { difference, outcome, statement: 0, original };
            assert_eq!(can_show(&program, &observed, &AnyAssertion), expected, "{observed:?}");
        }
    }

    #[test]
    fn an_outline_is_refuted_by_another_outline_alone() {
        let some = |inner: Value| Value::Option(Some(Box::new(inner)));
        let claimed = outline(&some(Value::Cut)).map(Claim::Value).expect("an option has an outline");
        // `Some(2)` and `None`, as they are on the wire.
        let table = [(&[10, 4, 4][..], false), (&[9][..], true)];
        for (bytes, expected) in table {
            assert!(Value::decode(bytes).is_ok(), "{bytes:?}");
            assert_eq!(refutes(Some(&What::Value(bytes.to_vec())), &claimed), expected, "{bytes:?}");
        }
        assert!(refutes(None, &claimed));
        assert!(refutes(Some(&What::Value(vec![10, 4, 4])), &Claim::Value(some(Value::Int(1)))));
    }

    #[test]
    fn a_zero_is_refuted_by_the_other_one_where_bits_are_claimed() {
        let on_the_wire = |value: f64| What::Value([&[7][..], &value.to_bits().to_le_bytes()].concat());
        let table = [(0.0, -0.0, false), (-0.0, 0.0, true), (0.0, 1.0, true), (f64::NAN, 0.0, true)];
        for (claimed, shown, expected) in table {
            let claim = Claim::Value(Value::F64(claimed));
            assert_eq!(refutes(Some(&on_the_wire(shown)), &claim), expected, "{claimed} and {shown}");
        }
    }
}
