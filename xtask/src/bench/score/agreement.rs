//! Do two tools say the same? Mutants of testsmith and cargo-mutants, matched one to one.
//!
//! Twins replace the same text at the same place by the same text, or the value of the same function
//! by the same value. [`compare`] is pure: mutants in, counts and named differences out.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::mutant::{Mutant, Site, Verdict};

/// How far two tools agree.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Agreement {
    pub(super) matched: usize,
    pub(super) equal: usize,
    /// Killed by one and timed out by the other: the same find, seen by another clock.
    pub(super) equal_up_to_timeout: usize,
    pub(super) different: usize,
    pub(super) differences: Vec<Difference>,
    /// Matched mutants by the genre of the peer.
    pub(super) matched_by_genre: BTreeMap<String, usize>,
    /// The peer's mutants without a twin, by genre.
    pub(super) theirs_alone: BTreeMap<String, usize>,
    pub(super) names_of_theirs_alone: Vec<String>,
    /// The peer's mutants without a twin that did not compile: nothing was missed.
    pub(super) theirs_unviable: usize,
    pub(super) ours_alone: usize,
}

/// Twins with different verdicts.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Difference {
    pub(super) theirs: String,
    pub(super) their_verdict: Verdict,
    pub(super) ours: String,
    pub(super) our_verdict: Verdict,
}

pub(super) fn compare(ours: &[Mutant], theirs: &[Mutant]) -> Agreement {
    let mut pool = Pool::new(ours);
    let mut agreement = Agreement::default();
    for their in theirs {
        match pool.take_twin(their) {
            Some(our) => agreement.count(our, their),
            None if their.verdict == Verdict::Unviable => agreement.theirs_unviable += 1,
            None => {
                *agreement.theirs_alone.entry(their.genre.clone()).or_default() += 1;
                agreement.names_of_theirs_alone.push(their.name.clone());
            }
        }
    }
    agreement.ours_alone = ours.len() - agreement.matched;
    agreement
}

impl Agreement {
    /// Adds the counts of another crate, not its lists of names.
    pub(super) fn add(&mut self, other: &Agreement) {
        self.matched += other.matched;
        self.equal += other.equal;
        self.equal_up_to_timeout += other.equal_up_to_timeout;
        self.different += other.different;
        self.theirs_unviable += other.theirs_unviable;
        self.ours_alone += other.ours_alone;
        for (sum, counts) in [
            (&mut self.matched_by_genre, &other.matched_by_genre),
            (&mut self.theirs_alone, &other.theirs_alone),
        ] {
            for (genre, count) in counts {
                *sum.entry(genre.clone()).or_default() += count;
            }
        }
    }

    fn count(&mut self, our: &Mutant, their: &Mutant) {
        self.matched += 1;
        *self.matched_by_genre.entry(their.genre.clone()).or_default() += 1;
        match (found(our.verdict), found(their.verdict)) {
            (ours, theirs) if ours == theirs => self.equal += 1,
            (Found::Killed, Found::Timeout) | (Found::Timeout, Found::Killed) => {
                self.equal_up_to_timeout += 1
            }
            _ => {
                self.different += 1;
                self.differences.push(Difference {
                    theirs: their.name.clone(),
                    their_verdict: their.verdict,
                    ours: our.name.clone(),
                    our_verdict: our.verdict,
                });
            }
        }
    }
}

/// A verdict as far as both tools can tell: cargo-mutants does not know what tests reach.
#[derive(PartialEq, Eq)]
enum Found {
    Killed,
    Timeout,
    Missed,
    Unviable,
}

fn found(verdict: Verdict) -> Found {
    match verdict {
        Verdict::Killed => Found::Killed,
        Verdict::Timeout => Found::Timeout,
        Verdict::Survived | Verdict::Unreached => Found::Missed,
        Verdict::Unviable => Found::Unviable,
    }
}

/// Our mutants that have no twin yet.
struct Pool<'m> {
    mutants: &'m [Mutant],
    by_key: HashMap<Key, Vec<usize>>,
}

/// What twins have in common.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Text { file: String, line: usize, column: usize, replacement: String },
    Value { file: String, function: String, replacement: String },
}

impl<'m> Pool<'m> {
    fn new(mutants: &'m [Mutant]) -> Self {
        let mut by_key: HashMap<Key, Vec<usize>> = HashMap::new();
        for (index, mutant) in mutants.iter().enumerate() {
            by_key.entry(key(mutant)).or_default().push(index);
        }
        Self { mutants, by_key }
    }

    /// Removes and returns the twin: of several at one place the one that replaces as much text.
    fn take_twin(&mut self, their: &Mutant) -> Option<&'m Mutant> {
        let candidates = self.by_key.get_mut(&key(their))?;
        let fitting = candidates.iter().enumerate().filter(|(_, index)| fits(&self.mutants[**index], their));
        let (at, _) = fitting.min_by_key(|(_, index)| width_gap(&self.mutants[**index], their))?;
        Some(&self.mutants[candidates.remove(at)])
    }
}

fn key(mutant: &Mutant) -> Key {
    let file = mutant.file.clone();
    let replacement: String = mutant.replacement.split_whitespace().collect();
    match &mutant.site {
        Site::Text { line, column, .. } => Key::Text { file, line: *line, column: *column, replacement },
        Site::Value { function, .. } => Key::Value { file, function: last_segment(function), replacement },
    }
}

/// Tools differ in how they write the path of a function, not in its last name.
fn last_segment(function: &str) -> String {
    function.rsplit("::").next().unwrap_or(function).trim().to_owned()
}

/// Functions of one name in one file are told apart by their lines.
fn fits(our: &Mutant, their: &Mutant) -> bool {
    match (&our.site, &their.site) {
        (Site::Value { first_line: line, .. }, Site::Value { first_line, last_line, .. }) => {
            (first_line..=last_line).contains(&line)
        }
        _ => true,
    }
}

fn width_gap(our: &Mutant, their: &Mutant) -> usize {
    match (&our.site, &their.site) {
        (Site::Text { width: Some(our), .. }, Site::Text { width: Some(their), .. }) => our.abs_diff(*their),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::{mutants, testsmith};
    use super::*;

    fn our(operator: &str, place: [usize; 2], before: &str, after: &str, verdict: &str) -> Value {
        json!({"id": 0, "file": "src/a.rs", "line": place[0], "column": place[1], "operator": operator,
               "function": "f", "before": before, "after": after, "verdict": verdict})
    }

    fn check(ours: &[Value], theirs: &[Value]) -> Agreement {
        compare(&testsmith::tests::mutants(&json!(ours)), &mutants::tests::mutants(theirs))
    }

    use super::super::mutants::tests::outcome;

    #[test]
    fn operators_match_by_place_and_replacement() {
        let agreement = check(
            &[
                our("arithmetic", [3, 7], "+", "-", "killed"),
                our("arithmetic", [3, 7], "+", "*", "unreached"),
                our("literal", [3, 9], "1", "2", "killed"),
            ],
            &[
                outcome("BinaryOperator", [3, 7], 1, "-", "CaughtMutant"),
                outcome("BinaryOperator", [3, 7], 1, "*", "MissedMutant"),
                outcome("BinaryOperator", [4, 7], 1, "*", "MissedMutant"),
                outcome("BinaryOperator", [5, 7], 1, "*", "Unviable"),
            ],
        );
        assert_eq!((agreement.matched, agreement.equal, agreement.ours_alone), (2, 2, 1));
        assert_eq!(agreement.names_of_theirs_alone, ["src/a.rs:4:7: BinaryOperator with *"]);
        assert_eq!(agreement.theirs_unviable, 1);
        assert_eq!(agreement.theirs_alone, BTreeMap::from([("BinaryOperator".to_owned(), 1)]));
    }

    #[test]
    fn function_values_match_by_function_and_text_without_spaces() {
        let agreement = check(
            &[
                our("fn-value", [2, 20], "{ x }", "Some( String::new() )", "survived"),
                our("fn-value", [20, 20], "{ y }", "0", "survived"),
            ],
            &[
                outcome("FnValue", [3, 5], 5, "Some(String::new())", "MissedMutant"),
                // The same name and value, but our function is not in these lines.
                outcome("FnValue", [3, 5], 5, "0", "MissedMutant"),
            ],
        );
        assert_eq!((agreement.matched, agreement.equal), (1, 1));
        assert_eq!(agreement.theirs_alone["FnValue"], 1);
    }

    #[test]
    fn a_guard_is_not_taken_for_a_function_value() {
        let guard = our("condition", [3, 14], "n < 10", "true", "killed");
        let agreement = check(
            &[guard],
            &[
                outcome("FnValue", [3, 5], 5, "true", "CaughtMutant"),
                outcome("MatchArmGuard", [3, 14], 6, "true", "CaughtMutant"),
            ],
        );
        assert_eq!(agreement.matched_by_genre, BTreeMap::from([("MatchArmGuard".to_owned(), 1)]));
    }

    #[test]
    fn of_two_at_one_place_the_one_as_wide_is_the_twin() {
        let agreement = check(
            &[
                our("statement", [5, 9], "!done(x)", "", "survived"),
                our("negation", [5, 9], "!", "", "killed"),
            ],
            &[outcome("UnaryOperator", [5, 9], 1, "", "CaughtMutant")],
        );
        assert_eq!((agreement.matched, agreement.equal, agreement.ours_alone), (1, 1, 1));
    }

    #[test]
    fn a_mutant_has_one_twin() {
        let theirs = outcome("BinaryOperator", [3, 7], 1, "-", "CaughtMutant");
        let agreement = check(&[our("arithmetic", [3, 7], "+", "-", "killed")], &[theirs.clone(), theirs]);
        assert_eq!((agreement.matched, agreement.theirs_alone["BinaryOperator"]), (1, 1));
    }

    #[test]
    fn a_time_out_against_a_kill_is_counted_apart() {
        let agreement = check(
            &[our("arithmetic", [3, 7], "+", "-", "timeout"), our("arithmetic", [4, 7], "+", "-", "killed")],
            &[
                outcome("BinaryOperator", [3, 7], 1, "-", "CaughtMutant"),
                outcome("BinaryOperator", [4, 7], 1, "-", "Timeout"),
            ],
        );
        assert_eq!((agreement.equal, agreement.equal_up_to_timeout), (0, 2));
        assert_eq!(agreement.differences, []);
    }

    #[test]
    fn any_other_pair_is_a_difference_with_both_names() {
        let pairs = [
            ("killed", "MissedMutant"),
            ("unreached", "CaughtMutant"),
            ("survived", "Timeout"),
            ("killed", "Unviable"),
            ("unviable", "CaughtMutant"),
        ];
        for (ours, theirs) in pairs {
            let agreement = check(
                &[our("arithmetic", [3, 7], "+", "-", ours)],
                &[outcome("BinaryOperator", [3, 7], 1, "-", theirs)],
            );
            assert_eq!((agreement.matched, agreement.equal), (1, 0), "{ours} {theirs}");
            assert_eq!(agreement.differences.len(), 1, "{ours} {theirs}");
            assert_eq!(agreement.differences[0].ours, "src/a.rs:3:7: arithmetic `+` -> `-` in f");
            assert_eq!(agreement.differences[0].theirs, "src/a.rs:3:7: BinaryOperator with -");
        }
    }

    #[test]
    fn neither_knows_the_mutant_that_does_not_compile() {
        let agreement = check(
            &[our("arithmetic", [3, 7], "+", "-", "unviable")],
            &[outcome("BinaryOperator", [3, 7], 1, "-", "Unviable")],
        );
        assert_eq!((agreement.matched, agreement.equal), (1, 1));
    }
}
