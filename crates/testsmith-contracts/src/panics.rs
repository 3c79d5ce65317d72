//! When a call panics: the fewest conditions that hold before panics alone, and together before all of them.

use crate::bits::Bits;
use crate::contract::{Conjunction, Contract, Formula, Kind, Support, is_for_memory};
use crate::infer::Evidence;
use crate::table::{End, Table};
use crate::template::{Candidate, sums};

/// A condition of a panic has been seen in so many panics at least.
const FEWEST: usize = 3;

/// Different calls that came back, at least: where nearly all calls panic, these are few.
const FEWEST_RETURNS: usize = 10;

/// Where two conditions hold together, in so many: there are many pairs.
const FEWEST_OF_PAIRS: usize = 8;

/// Conditions of one contract, at most.
const MOST: usize = 4;

pub(crate) fn panics(table: &Table, conditions: &[Candidate], evidence: &Evidence) -> Option<Contract> {
    let is_panic = |row: usize| table.rows()[row].end != End::Returned && !is_for_memory(&table.rows()[row]);
    let panicked = Bits::of(table.len(), is_panic);
    let all = panicked.count();
    if all < FEWEST {
        return None;
    }
    let returned = &evidence.returned;
    let contract = |any, exactly, shown| Contract {
        kind: Kind::Panics,
        formula: Formula::Panics { any, exactly },
        support: Support { shown, of: all },
    };
    if returned.is_empty() {
        // A few may only have been called in a wrong way.
        return (all >= evidence.fewest).then(|| contract(vec![Vec::new()], true, all));
    }
    if returned.count() < FEWEST_RETURNS {
        return None;
    }
    let mut any: Vec<Conjunction> = Vec::new();
    let mut left = panicked.clone();
    let mut cover = |candidates: &mut dyn Iterator<Item = (Conjunction, Bits, usize)>, left: &mut Bits| {
        let candidates: Vec<_> = candidates.filter(|(_, holds, _)| !holds.meets(returned)).collect();
        while !left.is_empty() && any.len() < MOST {
            let best = candidates
                .iter()
                .map(|(all, holds, cost)| (holds.common(left), std::cmp::Reverse(*cost), all, holds))
                .filter(|(common, ..)| *common >= FEWEST)
                .max_by_key(|(common, cost, ..)| (*common, *cost));
            let Some((_, _, all, holds)) = best else { break };
            any.push(all.clone());
            *left = left.without(holds);
        }
    };
    let single = |candidate: &Candidate| (vec![candidate.atom], candidate.holds.clone(), candidate.cost);
    let is_tested = |candidate: &&Candidate| candidate.known.common(returned) >= FEWEST_RETURNS;
    cover(&mut conditions.iter().filter(is_tested).map(single), &mut left);
    if !left.is_empty() {
        let sums = sums(table);
        cover(&mut sums.iter().filter(is_tested).map(single), &mut left);
    }
    if !left.is_empty() {
        cover(&mut pairs(conditions, &left, returned).into_iter(), &mut left);
    }
    if any.is_empty() {
        return None;
    }
    let any = minimal(table, any, &panicked, &left);
    Some(contract(any, left.is_empty(), all - left.count()))
}

/// Two conditions that hold together before panics alone: for calls with two regimes.
fn pairs(conditions: &[Candidate], left: &Bits, returned: &Bits) -> Vec<(Conjunction, Bits, usize)> {
    let useful: Vec<&Candidate> = conditions
        .iter()
        .filter(|candidate| candidate.holds.common(left) * 2 >= left.count().max(FEWEST))
        .collect();
    let mut all = Vec::new();
    for (at, first) in useful.iter().enumerate() {
        for second in &useful[..at] {
            let holds = first.holds.and(&second.holds);
            if !holds.meets(returned) && holds.common(left) >= FEWEST_OF_PAIRS {
                all.push((vec![second.atom, first.atom], holds, first.cost + second.cost));
            }
        }
    }
    all
}

/// Without those that others make superfluous.
fn minimal(table: &Table, mut any: Vec<Conjunction>, panicked: &Bits, left: &Bits) -> Vec<Conjunction> {
    let explained = panicked.without(left);
    let holds = |all: &Conjunction, row: usize| all.iter().all(|atom| atom.holds(table, row) == Some(true));
    let mut at = 0;
    while at < any.len() {
        let others = || any.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, all)| all);
        let is_needed = explained.rows().any(|row| !others().any(|all| holds(all, row)));
        if is_needed {
            at += 1;
        } else {
            any.remove(at);
        }
    }
    any
}
