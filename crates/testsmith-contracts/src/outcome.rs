//! When a result is `Some`, `Ok` or true: the condition that held before these calls and no others.

use crate::atom::Atom;
use crate::bits::Bits;
use crate::contract::{Conjunction, Contract, Formula, Kind, Support};
use crate::infer::Evidence;
use crate::table::{Table, When};
use crate::template::{Candidate, Values, sums, values};

/// Each answer has been seen so often at least.
const FEWEST: usize = 10;
/// And so often where two conditions decide together: there are many pairs, and one of them may fit by chance.
const FEWEST_OF_PAIRS: usize = 20;

pub(crate) fn outcomes(table: &Table, conditions: &[Candidate], evidence: &Evidence) -> Vec<Contract> {
    let is_outcome = |column: &usize| {
        let of = &table.columns()[*column];
        of.when == When::After && is_shape(&of.name) && values(table, *column) == Values::Bools
    };
    let columns = (0..table.columns().len()).filter(is_outcome);
    columns.filter_map(|column| exactly(table, Atom::Is(column, true), conditions, evidence)).collect()
}

/// The result itself, or whether there is one.
fn is_shape(name: &str) -> bool {
    matches!(name, "result" | "result.is_some()" | "result.is_ok()")
}

/// A fact about calls that came back, with the condition that decides it.
pub(crate) fn exactly(
    table: &Table,
    what: Atom,
    conditions: &[Candidate],
    evidence: &Evidence,
) -> Option<Contract> {
    let (holds, known) = what.rows(table);
    let rows = known.and(&evidence.returned);
    let yes = holds.and(&rows);
    let no = rows.without(&yes);
    if yes.count() < FEWEST || no.count() < FEWEST {
        return None;
    }
    let are_enough = yes.count() >= FEWEST_OF_PAIRS && no.count() >= FEWEST_OF_PAIRS;
    let pairs = || both(conditions, &yes, &no).or_else(|| either(conditions, &yes, &no));
    let found = decided(conditions, &yes, &no)
        .or_else(|| decided(&sums(table), &yes, &no))
        .or_else(|| are_enough.then(pairs).flatten())?;
    let support = Support { shown: yes.count(), of: rows.count() };
    Some(Contract { kind: Kind::Outcome, formula: Formula::Exactly { what, any: found }, support })
}

/// One condition.
fn decided(conditions: &[Candidate], yes: &Bits, no: &Bits) -> Option<Vec<Conjunction>> {
    let decides = |it: &&Candidate| yes.is_within(&it.holds) && !no.meets(&it.holds);
    let best = conditions.iter().filter(decides).min_by_key(|it| it.cost)?;
    Some(vec![vec![best.atom]])
}

/// Two conditions, both of which hold.
fn both(conditions: &[Candidate], yes: &Bits, no: &Bits) -> Option<Vec<Conjunction>> {
    let needed: Vec<&Candidate> = conditions.iter().filter(|it| yes.is_within(&it.holds)).collect();
    // Each is needed: the other alone is not enough.
    let is_needed = |it: &Candidate, other: &Candidate| it.holds.common(&no.without(&other.holds)) >= FEWEST;
    let is_right = |first: &Candidate, second: &Candidate| {
        !first.holds.and(&second.holds).meets(no) && is_needed(first, second) && is_needed(second, first)
    };
    pair(&needed, is_right).map(|(first, second)| vec![vec![first, second]])
}

/// Two conditions, one of which holds.
fn either(conditions: &[Candidate], yes: &Bits, no: &Bits) -> Option<Vec<Conjunction>> {
    let enough: Vec<&Candidate> =
        conditions.iter().filter(|it| !it.holds.meets(no) && it.holds.common(yes) >= FEWEST).collect();
    let adds = |it: &Candidate, other: &Candidate| it.holds.without(&other.holds).common(yes) >= FEWEST;
    let is_right = |first: &Candidate, second: &Candidate| {
        yes.without(&first.holds).is_within(&second.holds) && adds(first, second) && adds(second, first)
    };
    pair(&enough, is_right).map(|(first, second)| vec![vec![first], vec![second]])
}

/// The simplest pair with a property.
fn pair(among: &[&Candidate], is_right: impl Fn(&Candidate, &Candidate) -> bool) -> Option<(Atom, Atom)> {
    let mut best: Option<(usize, Atom, Atom)> = None;
    for (at, second) in among.iter().enumerate() {
        for first in &among[..at] {
            let cost = first.cost + second.cost;
            if best.as_ref().is_none_or(|(least, ..)| cost < *least) && is_right(first, second) {
                best = Some((cost, first.atom, second.atom));
            }
        }
    }
    best.map(|(_, first, second)| (first, second))
}
