//! Chooses tests and their assertions: the fewest that kill all mutants that can be killed, by greedy set cover.
//!
//! A test may have [`MOST_CHECKS`] assertions. Texts enter only for mutants that nothing else kills, and as few of them as will
//! do. Of two tests that kill as many mutants the simpler one is taken; an assertion on a text, and a test, whose mutants others
//! kill as well is left out again.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use testsmith_ir::Program;

use crate::case::{Case, Check, Claim, Ending, MOST_CHECKS};
use crate::oracle::{Candidate, Evidence};

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
    let mut left: BTreeSet<u32> = proofs.iter().flat_map(|proof| proof.kills(true)).collect();
    let mut chosen = without_texts(proofs, &mut left);
    add_texts(&mut chosen, proofs, &mut left);
    without_redundant(chosen, proofs)
}

/// Mutants that nothing but texts kills.
pub fn shown_by_text_alone(proofs: &[Proof]) -> BTreeSet<u32> {
    let kills = |with_texts| proofs.iter().flat_map(move |proof| proof.kills(with_texts));
    let shown: BTreeSet<u32> = kills(false).collect();
    kills(true).filter(|mutant| !shown.contains(mutant)).collect()
}

/// Tests for all that can be killed without texts.
fn without_texts(proofs: &[Proof], left: &mut BTreeSet<u32>) -> Vec<Case> {
    let mut chosen = Vec::new();
    let mut open: Vec<(usize, &Proof)> =
        proofs.iter().map(|proof| (proof.kills(false).intersection(left).count(), proof)).collect();
    loop {
        // What a proof kills of what is left only gets less: the first that keeps its place is the best.
        open.retain(|(most, _)| *most > 0);
        open.sort_by(|(a, first), (b, second)| b.cmp(a).then_with(|| first.cost().cmp(&second.cost())));
        let Some(best) = best(&mut open, left) else { break };
        best.kills.iter().for_each(|mutant| {
            left.remove(mutant);
        });
        chosen.push(best);
    }
    chosen
}

/// The case that kills most of what is left; the sizes of those that were looked at are set right.
fn best(open: &mut [(usize, &Proof)], left: &BTreeSet<u32>) -> Option<Case> {
    let mut best: Option<Case> = None;
    for (most, proof) in open.iter_mut() {
        if best.as_ref().is_some_and(|best| best.kills.len() >= *most) {
            break;
        }
        let case = proof.case(left, false);
        *most = case.kills.len();
        if best.as_ref().is_none_or(|best| case.kills.len() > best.kills.len()) {
            best = Some(case);
        }
    }
    best.filter(|case| !case.kills.is_empty())
}

/// Adds the text that kills most of what is left, one after the other: to the test that has its program already, or as
/// another test.
fn add_texts(chosen: &mut Vec<Case>, proofs: &[Proof], left: &mut BTreeSet<u32>) {
    let mut open: Vec<(usize, &Candidate, &Proof)> = Vec::new();
    for proof in proofs {
        let texts = proof.evidence.candidates.iter().filter(|candidate| candidate.rank.is_text());
        open.extend(texts.map(|candidate| (0, candidate, proof)));
    }
    loop {
        open.iter_mut().for_each(|(gain, candidate, _)| *gain = candidate.kills.intersection(left).count());
        open.retain(|(gain, ..)| *gain > 0);
        let simplest = |(gain, candidate, proof): &&(usize, &Candidate, &Proof)| {
            (Reverse(*gain), candidate.rank, proof.program.size(), weight(&candidate.check))
        };
        let Some((_, text, proof)) = open.iter().min_by_key(simplest) else { break };
        text.kills.iter().for_each(|mutant| {
            left.remove(mutant);
        });
        let has_room = |case: &&mut Case| case.program == proof.program && case.checks.len() < MOST_CHECKS;
        match chosen.iter_mut().find(has_room) {
            Some(case) => case.claim(text.check.clone()),
            None => chosen.push(Case::new(
                proof.program.clone(),
                proof.evidence.ending.clone(),
                vec![text.check.clone()],
                Vec::new(),
            )),
        }
    }
}

/// Leaves out texts, and then cases, whose mutants the others kill, what was chosen last first.
fn without_redundant(mut chosen: Vec<Case>, proofs: &[Proof]) -> Vec<Case> {
    let known: HashMap<&Program, &Proof> = proofs.iter().map(|proof| (&proof.program, proof)).collect();
    let kills = |case: &Case| known[&case.program].killed_by(&case.checks);
    let mut times: BTreeMap<u32, usize> = BTreeMap::new();
    chosen.iter().flat_map(&kills).for_each(|mutant| *times.entry(mutant).or_default() += 1);
    for at in (0..chosen.len()).rev() {
        let proof = known[&chosen[at].program];
        for check in chosen[at].checks.clone().iter().filter(|check| proof.is_text(check)) {
            let case = &chosen[at];
            let lean: Vec<Check> = case.checks.iter().filter(|it| *it != check).cloned().collect();
            let lost: Vec<u32> = kills(case).difference(&proof.killed_by(&lean)).copied().collect();
            // The only assertion of a case goes with the case.
            if !lean.is_empty() && lost.iter().all(|mutant| times[mutant] > 1) {
                lost.iter().for_each(|mutant| *times.entry(*mutant).or_default() -= 1);
                chosen[at].checks = lean;
            }
        }
    }
    let mut kept: Vec<(Case, BTreeSet<u32>)> = Vec::new();
    for case in chosen.into_iter().rev() {
        let kills = kills(&case);
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
    pub fn kills(&self, with_texts: bool) -> BTreeSet<u32> {
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

    /// Whether a check is on a text.
    fn is_text(&self, check: &Check) -> bool {
        self.evidence.candidates.iter().any(|candidate| candidate.check == *check && candidate.rank.is_text())
    }

    /// The case with the assertions that kill most of some mutants; of these, the one with the fewest texts.
    pub fn case(&self, wanted: &BTreeSet<u32>, with_texts: bool) -> Case {
        let plain = |it: &Candidate| !it.rank.is_text();
        let attempts = match with_texts {
            false => vec![self.checks(wanted, &[&plain])],
            true => vec![self.checks(wanted, &[&|_| true]), self.checks(wanted, &[&plain, &|_| true])],
        };
        let cases = attempts.into_iter().map(|checks| {
            let kills = self.killed_by(&checks).intersection(wanted).copied().collect();
            Case::new(self.program.clone(), self.evidence.ending.clone(), checks, kills)
        });
        let texts = |case: &Case| case.checks.iter().filter(|check| self.is_text(check)).count();
        let best = cases.min_by_key(|case| (Reverse(case.kills.len()), texts(case), case.checks.len()));
        best.expect("there is an attempt")
    }

    /// The assertions that kill most of some mutants, first of those that the first filter lets pass.
    fn checks(&self, wanted: &BTreeSet<u32>, filters: &[&dyn Fn(&Candidate) -> bool]) -> Vec<Check> {
        let mut left: BTreeSet<u32> = wanted.difference(&self.evidence.by_end).copied().collect();
        let mut checks: Vec<&Candidate> = Vec::new();
        for is_usable in filters {
            while checks.len() < MOST_CHECKS {
                let usable = self.evidence.candidates.iter().filter(|it| is_usable(it));
                let gain = |candidate: &&Candidate| candidate.kills.intersection(&left).count();
                // Of several that kill as many, the best to read, and the first.
                let best =
                    usable.rev().max_by_key(|it| (gain(it), Reverse(it.rank), Reverse(weight(&it.check))));
                let Some(best) = best.filter(|best| gain(best) > 0) else { break };
                best.kills.iter().for_each(|mutant| {
                    left.remove(mutant);
                });
                checks.push(best);
            }
        }
        if checks.is_empty() && self.evidence.ending == Ending::Returns {
            // A test that asserts nothing says nothing: what it shows last is at least what the reader expects.
            checks.extend(self.evidence.natural());
        }
        checks.sort_by_key(|it| it.check.place());
        checks.into_iter().map(|candidate| candidate.check.clone()).collect()
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
    fn as_few_texts_as_will_do_are_asserted() {
        let text = |at, kills: &[u32]| candidate(at, Rank::Debug, kills);
        let proofs = [
            proof(1, 3, &[], vec![text(0, &[1]), text(1, &[2]), text(2, &[3, 4])]),
            proof(2, 1, &[], vec![text(0, &[1, 2, 3])]),
        ];
        assert_eq!(chosen(&proofs), [(2, 1, vec![1, 2, 3]), (1, 1, vec![4])]);
        let proofs = [
            proof(1, 2, &[], vec![text(0, &[1, 2, 3, 4]), text(1, &[1, 2, 5])]),
            proof(2, 1, &[], vec![text(0, &[3, 4, 6])]),
        ];
        let needed = [(1, 1, vec![1, 2, 5]), (2, 1, vec![3, 4, 6])];
        assert_eq!(chosen(&proofs), needed, "what seemed best at first is not needed in the end");
        let values = [
            proof(1, 1, &[], vec![candidate(0, Rank::Value, &[1]), text(1, &[2, 3])]),
            proof(2, 1, &[], vec![text(0, &[1, 2])]),
        ];
        assert_eq!(
            chosen(&values),
            [(1, 2, vec![1, 2, 3])],
            "a text stands with what has its program already"
        );
    }

    #[test]
    fn values_are_asserted_where_a_text_would_do_as_well() {
        let all = vec![
            candidate(0, Rank::Value, &[1]),
            candidate(1, Rank::Value, &[2]),
            candidate(2, Rank::Debug, &[1, 2]),
        ];
        let case = proof(1, 3, &[], all).case(&BTreeSet::from([1, 2]), true);
        assert_eq!(case.checks.iter().map(|check| check.slot.0).collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn what_kills_by_its_end_asserts_what_it_shows_last() {
        let flag = |rank| Candidate {
            check: Check { after: None, slot: Slot(1), claim: Claim::Value(Value::Bool(true)) },
            ..candidate(1, rank, &[])
        };
        let table = [
            (vec![candidate(0, Rank::Value, &[]), flag(Rank::Text)], 1),
            (vec![candidate(0, Rank::Value, &[]), candidate(1, Rank::Debug, &[])], 0),
        ];
        for (candidates, expected) in table {
            let case = proof(1, 2, &[9], candidates).case(&BTreeSet::from([9]), true);
            assert_eq!(case.checks.iter().map(|check| check.slot.0).collect::<Vec<_>>(), [expected]);
        }
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
