//! Chooses tests and their assertions: the fewest that kill all mutants that can be killed, by greedy set cover.
//!
//! A test may have [`MOST_CHECKS`] assertions. Texts enter only for mutants that nothing else kills. Of two tests that
//! kill as many mutants the simpler one is taken; a test whose mutants later ones kill as well is left out again.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use testsmith_ir::Program;

use crate::case::{Case, Check, Claim, Ending};
use crate::oracle::{Candidate, Evidence};

/// Assertions of one test.
pub const MOST_CHECKS: usize = 3;

/// A program with what it proves.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The program.
    pub program: Program,
    /// What it proves.
    pub evidence: Evidence,
}

/// The tests that kill all mutants that the proofs can kill; each test names the mutants that it was chosen for.
pub fn cover(proofs: &[Proof]) -> Vec<Case> {
    let mut chosen: Vec<Case> = Vec::new();
    let mut left: BTreeSet<u32> = proofs.iter().flat_map(|proof| proof.kills(true)).collect();
    for with_texts in [false, true] {
        let mut open: Vec<(usize, &Proof)> =
            proofs.iter().map(|proof| (proof.kills(with_texts).intersection(&left).count(), proof)).collect();
        loop {
            // What a proof kills of what is left only gets less: the first that keeps its place is the best.
            open.retain(|(most, _)| *most > 0);
            open.sort_by(|(a, first), (b, second)| b.cmp(a).then_with(|| first.cost().cmp(&second.cost())));
            let Some(best) = best(&mut open, &left, with_texts) else { break };
            best.kills.iter().for_each(|mutant| {
                left.remove(mutant);
            });
            chosen.push(best);
        }
    }
    without_redundant(chosen, proofs)
}

/// The case that kills most of what is left; the sizes of those that were looked at are set right.
fn best(open: &mut [(usize, &Proof)], left: &BTreeSet<u32>, with_texts: bool) -> Option<Case> {
    let mut best: Option<Case> = None;
    for (most, proof) in open.iter_mut() {
        if best.as_ref().is_some_and(|best| best.kills.len() >= *most) {
            break;
        }
        let case = proof.case(left, with_texts);
        *most = case.kills.len();
        if best.as_ref().is_none_or(|best| case.kills.len() > best.kills.len()) {
            best = Some(case);
        }
    }
    best.filter(|case| !case.kills.is_empty())
}

/// Leaves out cases whose mutants the others kill, the smallest first.
fn without_redundant(chosen: Vec<Case>, proofs: &[Proof]) -> Vec<Case> {
    let kills = |case: &Case| -> BTreeSet<u32> {
        let proof = proofs.iter().find(|proof| proof.program == case.program);
        proof.map(|proof| proof.killed_by(&case.checks)).unwrap_or_default()
    };
    let all: Vec<BTreeSet<u32>> = chosen.iter().map(kills).collect();
    let mut times: BTreeMap<u32, usize> = BTreeMap::new();
    all.iter().flatten().for_each(|mutant| *times.entry(*mutant).or_default() += 1);
    let mut kept: Vec<(Case, BTreeSet<u32>)> = Vec::new();
    for (case, kills) in chosen.into_iter().zip(all).rev() {
        if kills.iter().all(|mutant| times[mutant] > 1) {
            kills.iter().for_each(|mutant| *times.entry(*mutant).or_default() -= 1);
        } else {
            kept.push((case, kills));
        }
    }
    kept.reverse();
    assign(kept)
}

/// Every mutant is named by the first case that kills it.
fn assign(cases: Vec<(Case, BTreeSet<u32>)>) -> Vec<Case> {
    let mut named: BTreeSet<u32> = BTreeSet::new();
    let cases = cases.into_iter().map(|(mut case, kills)| {
        case.kills = kills.into_iter().filter(|mutant| named.insert(*mutant)).collect();
        case
    });
    cases.filter(|case| !case.kills.is_empty()).collect()
}

impl Proof {
    /// All mutants that it can kill.
    fn kills(&self, with_texts: bool) -> BTreeSet<u32> {
        let usable = self.evidence.candidates.iter().filter(|it| with_texts || !it.rank.is_text());
        let shown = usable.flat_map(|candidate| candidate.kills.iter().copied());
        self.evidence.by_end.iter().copied().chain(shown).collect()
    }

    /// The mutants that it kills with these assertions.
    pub fn killed_by(&self, checks: &[Check]) -> BTreeSet<u32> {
        let asserted = self.evidence.candidates.iter().filter(|candidate| checks.contains(&candidate.check));
        let shown = asserted.flat_map(|candidate| candidate.kills.iter().copied());
        self.evidence.by_end.iter().copied().chain(shown).collect()
    }

    fn cost(&self) -> (usize, &Program) {
        (self.program.size(), &self.program)
    }

    /// The case with the assertions that kill most of some mutants.
    pub fn case(&self, wanted: &BTreeSet<u32>, with_texts: bool) -> Case {
        let mut left: BTreeSet<u32> = wanted.difference(&self.evidence.by_end).copied().collect();
        let mut checks: Vec<&Candidate> = Vec::new();
        while checks.len() < MOST_CHECKS {
            let usable = self.evidence.candidates.iter().filter(|it| with_texts || !it.rank.is_text());
            let gain = |candidate: &&Candidate| candidate.kills.intersection(&left).count();
            // Of several that kill as many, the best to read, and the first.
            let best = usable.rev().max_by_key(|it| (gain(it), Reverse(it.rank), Reverse(weight(&it.check))));
            let Some(best) = best.filter(|best| gain(best) > 0) else { break };
            best.kills.iter().for_each(|mutant| {
                left.remove(mutant);
            });
            checks.push(best);
        }
        if checks.is_empty() && self.evidence.ending == Ending::Returns {
            // A test that asserts nothing says nothing: what it shows last is at least what the reader expects.
            let natural = |it: &&Candidate| (it.rank.is_text(), Reverse(it.check.slot), it.rank);
            checks.extend(self.evidence.candidates.iter().min_by_key(natural));
        }
        // In the order of the program.
        checks.sort_by_key(|it| (it.check.after.is_none(), it.check.after, it.check.slot));
        let checks: Vec<Check> = checks.into_iter().map(|candidate| candidate.check.clone()).collect();
        let kills = self.killed_by(&checks).intersection(wanted).copied().collect();
        Case { program: self.program.clone(), ending: self.evidence.ending.clone(), checks, kills }
    }
}

/// How long an assertion gets, roughly.
fn weight(check: &Check) -> usize {
    let length = match &check.claim {
        Claim::Value(value) => format!("{value:?}").len(),
        Claim::Equal(..) | Claim::Order(..) => 10,
        Claim::Display(text) | Claim::Debug(text) => text.len(),
    };
    length / 16
}

#[cfg(test)]
mod tests {
    use testsmith_ir::{CallableId, Slot, Statement};
    use testsmith_rt::harness::Value;

    use super::*;
    use crate::oracle::Rank;

    /// A program of so many statements, unlike others of another number.
    fn program(number: u32, size: usize) -> Program {
        (0..size).map(|_| Statement::Call { callable: CallableId(number), args: Vec::new() }).collect()
    }

    fn candidate(at: u16, rank: Rank, kills: &[u32]) -> Candidate {
        let claim = match rank {
            Rank::Debug => Claim::Debug(String::new()),
            _ => Claim::Value(Value::Int(1)),
        };
        let check = Check { after: Some(Slot(at)), slot: Slot(at), claim };
        Candidate { check, rank, kills: kills.iter().copied().collect() }
    }

    fn proof(number: u32, size: usize, by_end: &[u32], candidates: Vec<Candidate>) -> Proof {
        let by_end = by_end.iter().copied().collect();
        let evidence = Evidence { ending: Ending::Returns, by_end, candidates };
        Proof { program: program(number, size), evidence }
    }

    /// For each case the number of its program, its assertions and its kills.
    fn chosen(proofs: &[Proof]) -> Vec<(u32, usize, Vec<u32>)> {
        let number = |case: &Case| case.program.statements[0].callable().unwrap().0;
        cover(proofs).iter().map(|case| (number(case), case.checks.len(), case.kills.clone())).collect()
    }

    #[test]
    fn the_simplest_tests_that_kill_most_are_chosen() {
        let value = |at, kills: &[u32]| candidate(at, Rank::Value, kills);
        let proofs = [
            proof(1, 2, &[], vec![value(0, &[1, 2]), value(1, &[3])]),
            proof(2, 1, &[], vec![value(0, &[1, 2, 3])]),
            proof(3, 1, &[4], vec![value(0, &[3])]),
            proof(4, 3, &[4], vec![value(0, &[3])]),
        ];
        assert_eq!(chosen(&proofs), [(2, 1, vec![1, 2, 3]), (3, 1, vec![4])]);
    }

    #[test]
    fn texts_are_for_what_nothing_else_kills() {
        let proofs = [
            proof(1, 1, &[], vec![candidate(0, Rank::Debug, &[1, 2, 3])]),
            proof(2, 4, &[], vec![candidate(0, Rank::Value, &[1]), candidate(1, Rank::Value, &[2])]),
        ];
        assert_eq!(
            chosen(&proofs),
            [(1, 1, vec![1, 2, 3])],
            "a text that is needed anyway makes others redundant"
        );
        let proofs = [&proofs[1..], &[proof(3, 1, &[], vec![candidate(0, Rank::Debug, &[1, 2])])]].concat();
        assert_eq!(chosen(&proofs), [(2, 2, vec![1, 2])]);
    }

    #[test]
    fn a_test_has_three_assertions_at_most_and_one_at_least() {
        let many = (0..5).map(|at| candidate(at, Rank::Value, &[u32::from(at) + 1])).collect();
        let alone = proof(2, 1, &[9], vec![candidate(0, Rank::Value, &[])]);
        let found = chosen(&[proof(1, 5, &[], many), alone]);
        assert_eq!(found[0].1, MOST_CHECKS);
        assert_eq!(found.last(), Some(&(2, 1, vec![9])));
    }
}
