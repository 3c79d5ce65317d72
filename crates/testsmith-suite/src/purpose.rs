//! No assertion without a purpose: each is taken out in turn, and stays only where a kill is lost without it, or where a test that kills by
//! how it ends alone shows what the last call has done.

use testsmith_exec::Failure;
use testsmith_ir::{Api, Program, Slot, Statement};
use testsmith_rt::harness::Value;
use testsmith_rt::harness::wire::Bitmap;

use crate::case::{Case, Check, Claim};
use crate::cover::Proof;
use crate::dress::is_beside_the_point;
use crate::lab::{Lab, Target};
use crate::oracle::{AssertionPolicy, Evidence, Rank};

/// Cases without the assertions that serve nothing. Mutants that are slow to see are told by the end of the program, whatever is asserted.
pub fn purposeful(
    lab: &Lab<'_>,
    policy: &dyn AssertionPolicy,
    mut cases: Vec<Case>,
    is_slow: impl Fn(u32) -> bool,
) -> Result<Vec<Case>, Failure> {
    let quick = |case: &Case| case.kills.iter().copied().filter(|mutant| !is_slow(*mutant)).collect();
    let asked: Vec<(Program, Target)> =
        cases.iter().map(|case| (case.program.clone(), Target::Listed(quick(case)))).collect();
    let looks = lab.look(&asked, &Bitmap::default())?;
    for ((case, (program, _)), look) in cases.iter_mut().zip(asked).zip(looks) {
        let Some(evidence) = look.and_then(|look| Evidence::of(&program, &look, policy)) else { continue };
        let proof = Proof { program, evidence };
        case.checks = needed(lab.api, case, &proof);
        case.passing = in_passing(case, &proof.evidence);
    }
    Ok(cases)
}

/// The assertions of a case that serve something.
fn needed(api: &Api, case: &Case, proof: &Proof) -> Vec<Check> {
    let mut kept = case.checks.clone();
    let is_lost = |with: &[Check], without: &[Check]| {
        let (with, without) = (proof.killed_by(with), proof.killed_by(without));
        case.kills.iter().any(|mutant| with.contains(mutant) && !without.contains(mutant))
    };
    // The last, and what is printed, go first.
    let mut order: Vec<usize> = (0..kept.len()).collect();
    order.sort_by_key(|at| (!is_text(&case.checks[*at]), std::cmp::Reverse(*at)));
    for check in order.into_iter().map(|at| &case.checks[at]) {
        let without: Vec<Check> = kept.iter().filter(|other| *other != check).cloned().collect();
        let shows = without.is_empty() && can_fail(api, &case.program, check) && {
            let alone = Case { checks: vec![check.clone()], ..case.clone() };
            !is_beside_the_point(&alone)
        };
        if !shows && !is_lost(&kept, &without) {
            kept = without;
        }
    }
    kept
}

/// Longer values are not said in passing.
const LONGEST_PASSING: usize = 60;

/// For each call whose result nobody uses or asserts what it gave, if that is short.
fn in_passing(case: &Case, evidence: &Evidence) -> Vec<Check> {
    let Case { program, checks, .. } = case;
    let is_named = |slot: Slot| {
        let compares = |check: &Check| matches!(check.claim, Claim::Equal(other, _) | Claim::Order(other, _) if other == slot);
        checks.iter().any(|check| check.slot == slot || compares(check))
            || program.statements.iter().any(|statement| statement.slots().any(|used| used == slot))
    };
    let is_short = |check: &Check| match &check.claim {
        Claim::Value(value) => format!("{value:?}").len() <= LONGEST_PASSING,
        Claim::Debug(text) => text.len() <= LONGEST_PASSING,
        Claim::Equal(..) | Claim::Order(..) | Claim::Display(_) => false,
    };
    let idle = program.iter().filter(|(slot, statement)| statement.callable().is_some() && !is_named(*slot));
    let best = |slot: Slot| {
        let of_slot = evidence.candidates.iter().filter(|it| it.check.slot == slot && is_short(&it.check));
        of_slot.filter(|it| matches!(it.rank, Rank::Value | Rank::Hidden)).min_by_key(|it| it.rank)
    };
    idle.filter_map(|(slot, _)| best(slot)).map(|candidate| candidate.check.clone()).collect()
}

fn is_text(check: &Check) -> bool {
    matches!(check.claim, Claim::Display(_) | Claim::Debug(_))
}

/// Whether what is asserted could be otherwise: a type of one value has no other.
fn can_fail(api: &Api, program: &Program, check: &Check) -> bool {
    match &check.claim {
        Claim::Value(value) => !is_only(value),
        Claim::Debug(text) => {
            let ty = match &program[check.slot] {
                Statement::Literal { ty, .. } => *ty,
                Statement::Call { callable, .. } => api[*callable].output,
                Statement::Drop(_) => return true,
            };
            let name = api[ty].shown.split('<').next().unwrap_or_default();
            name.rsplit("::").next() != Some(text.as_str())
        }
        Claim::Equal(..) | Claim::Order(..) | Claim::Display(_) => true,
    }
}

/// Whether a value is the only one of its type.
fn is_only(value: &Value) -> bool {
    match value {
        Value::Unit | Value::RangeFull | Value::Opaque => true,
        Value::Tuple(parts) => parts.iter().all(is_only),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use testsmith_ir::sketch;

    use super::*;
    use crate::case::Ending;
    use crate::oracle::Candidate;

    const API: &str = "
        type i32: copy eq debug
        type Unit: debug
        type List: debug
        fn unit() -> Unit => unit()
        fn List::new() -> List => List::new()
        fn List::len(self: &List) -> i32 => $0.len()
    ";

    /// Which of the assertions of a program stay, by number; each with the mutants that it kills.
    fn kept(program: &str, checks: &[(u16, Claim, &[u32])], by_end: &[u32], kills: &[u32]) -> Vec<usize> {
        let api = sketch::api(API).expect("the table is well-formed");
        let program = sketch::program(&api, program).expect("it is a program").program;
        let candidate = |(slot, claim, kills): &(u16, Claim, &[u32])| Candidate {
            check: Check { after: None, slot: Slot(*slot), claim: claim.clone() },
            rank: Rank::Value,
            kills: kills.iter().copied().collect(),
        };
        let candidates: Vec<Candidate> = checks.iter().map(candidate).collect();
        let checks: Vec<Check> = candidates.iter().map(|candidate| candidate.check.clone()).collect();
        let by_end: BTreeSet<u32> = by_end.iter().copied().collect();
        let evidence = Evidence { ending: Ending::Returns, by_end, candidates };
        let case = Case::new(program.clone(), Ending::Returns, checks.clone(), kills.to_vec());
        let needed = needed(&api, &case, &Proof { program, evidence });
        (0..checks.len()).filter(|at| needed.contains(&checks[*at])).collect()
    }

    #[test]
    fn an_assertion_stays_where_a_kill_is_lost_without_it() {
        let int = |n| Claim::Value(Value::Int(n));
        let two = "l = List::new()\na = List::len(l)\nb = List::len(l)";
        assert_eq!(kept(two, &[(1, int(0), &[1]), (2, int(0), &[2])], &[], &[1, 2]), [0, 1]);
        assert_eq!(kept(two, &[(1, int(0), &[1]), (2, int(0), &[1])], &[], &[1]), [0]);
        assert_eq!(kept(two, &[(1, int(0), &[1]), (2, int(0), &[1, 2])], &[], &[1]), [0]);
        assert_eq!(kept(two, &[(1, int(0), &[]), (2, int(0), &[])], &[1], &[1]), Vec::<usize>::new());
    }

    #[test]
    fn what_kills_by_its_end_shows_what_the_last_call_did_or_nothing() {
        let int = |n| Claim::Value(Value::Int(n));
        let text = |text: &str| Claim::Debug(text.to_owned());
        let look = "l = List::new()\na = List::len(l)";
        assert_eq!(kept(look, &[(1, int(0), &[])], &[1], &[1]), [0]);
        assert_eq!(kept(look, &[(0, text("[]"), &[])], &[1], &[1]), Vec::<usize>::new(), "beside the point");
        assert_eq!(
            kept("u = unit()", &[(0, text("Unit"), &[])], &[1], &[1]),
            Vec::<usize>::new(),
            "cannot fail"
        );
        assert_eq!(kept("l = List::new()", &[(0, text("[]"), &[])], &[1], &[1]), [0]);
    }

    #[test]
    fn what_nobody_uses_is_said_in_passing() {
        let api = sketch::api(API).expect("the table is well-formed");
        let text = "l = List::new()\na = List::len(l)\nb = List::len(l)\nc = unit()";
        let program = sketch::program(&api, text).expect("it is a program").program;
        let candidate = |slot: u16, rank, claim| Candidate {
            check: Check { after: None, slot: Slot(slot), claim },
            rank,
            kills: BTreeSet::new(),
        };
        let long = Value::Str("a".repeat(99), 99);
        let candidates = vec![
            candidate(0, Rank::Value, Claim::Value(Value::Int(7))),
            candidate(1, Rank::Hidden, Claim::Value(Value::Option(Some(Box::new(Value::Opaque))))),
            candidate(1, Rank::Value, Claim::Value(Value::Int(0))),
            candidate(2, Rank::Value, Claim::Value(Value::Int(0))),
            candidate(3, Rank::Value, Claim::Value(long)),
        ];
        let checks = vec![candidates[3].check.clone()];
        let evidence = Evidence { ending: Ending::Returns, by_end: BTreeSet::new(), candidates };
        let case = Case::new(program, Ending::Returns, checks, Vec::new());
        let passing: Vec<(Slot, Claim)> =
            in_passing(&case, &evidence).into_iter().map(|check| (check.slot, check.claim)).collect();
        assert_eq!(passing, [(Slot(1), Claim::Value(Value::Int(0)))]);
    }
}
