//! The tree on paths that are written by hand.

use super::*;
use crate::expr::Expr;

fn expr(raw: u32) -> Expr {
    Expr::from_raw(raw).expect("not 0")
}

/// `3+` is the decision on expression 3 that came out true, `3-` the other outcome, `3=7` a value.
fn path(text: &str) -> Vec<Decision> {
    let decision = |word: &str| {
        let (number, sign) = word.split_at(word.find(['+', '-', '=']).expect("an outcome"));
        let number: u32 = number.parse().expect("a number");
        let (subject, outcome) = match sign.split_at(1) {
            ("+", _) => (Subject::Branch(expr(number)), 1),
            ("-", _) => (Subject::Branch(expr(number)), 0),
            (_, value) => (Subject::Value(expr(number)), value.parse().expect("a value")),
        };
        Decision { place: number, subject, outcome, inverted: false }
    };
    text.split_whitespace().map(decision).collect()
}

/// What comes of inserting these paths one after the other: `new`, `known` or the violation, and how many candidates.
fn check(paths: &[(&str, &str)]) -> Tree {
    let mut tree = Tree::new();
    for (text, expected) in paths {
        let outcome = match tree.insert(&path(text), false, &Module::default()) {
            Ok(growth) => {
                format!("{} {}", if growth.new { "new" } else { "known" }, growth.candidates.len())
            }
            Err(violation) => format!("{violation:?}").split('(').next().unwrap_or_default().to_owned(),
        };
        assert_eq!(outcome, *expected, "{text}");
    }
    tree
}

#[test]
fn what_a_path_did_not_take_is_a_candidate_until_a_run_takes_it() {
    let tree = check(&[("1+ 2-", "new 2"), ("1+ 2-", "known 2"), ("1+ 2+", "new 1"), ("1-", "new 0")]);
    assert_eq!(tree.counts().terminal, 3);
    assert!(tree.completely_explored());
}

#[test]
fn values_have_a_rest_until_a_solver_knows_that_there_is_none() {
    let mut tree = check(&[("1=5", "new 1"), ("1=6", "new 1")]);
    assert!(!tree.completely_explored());
    tree.settle(Candidate { node: NodeId(0), outcome: None }, State::Infeasible);
    assert!(tree.completely_explored());
    assert_eq!(tree.values(NodeId(0)), 2);
}

#[test]
fn an_unknown_outcome_is_never_completely_explored() {
    let mut tree = check(&[("1+", "new 1")]);
    tree.settle(Candidate { node: NodeId(0), outcome: Some(0) }, State::Unknown);
    assert_eq!(tree.counts().unexplored, 0);
    assert!(!tree.completely_explored());
    // A run that takes it by chance is knowledge again.
    tree.insert(&path("1-"), false, &Module::default()).expect("it agrees");
    assert!(tree.completely_explored());
}

#[test]
fn a_run_that_was_cut_off_leaves_its_end_unknown() {
    let mut tree = Tree::new();
    tree.insert(&[], true, &Module::default()).expect("it agrees");
    assert!(!tree.completely_explored());
}

#[test]
fn contradictions_are_found() {
    check(&[("1+ 2+", "new 2"), ("1+ 3+", "Nondeterministic")]);
    check(&[("1+", "new 1"), ("1+ 2+", "Nondeterministic")]);
    check(&[("1+ 2+", "new 2"), ("1+", "Nondeterministic")]);
    let mut tree = check(&[("1+", "new 1")]);
    tree.settle(Candidate { node: NodeId(0), outcome: Some(0) }, State::Infeasible);
    let seen = tree.insert(&path("1-"), false, &Module::default());
    assert_eq!(seen.err(), Some(Violation::NotInfeasible(NodeId(0))));
}

#[test]
fn the_prefix_of_a_node_is_what_was_decided_before_it() {
    let mut tree = Tree::new();
    let growth = tree.insert(&path("1+ 2- 3=9"), false, &Module::default()).expect("it agrees");
    let last = *growth.nodes.last().expect("three nodes");
    assert_eq!(tree.prefix(last), path("1+ 2-"));
    assert_eq!(tree.depth(last), 2);
}
