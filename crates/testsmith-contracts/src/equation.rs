//! What values are after a call: equations, what stays as it was, and what holds under a condition.

use crate::atom::{Atom, Op, is_same_state};
use crate::bits::Bits;
use crate::contract::{Contract, Formula, Kind, Support};
use crate::infer::Evidence;
use crate::outcome::exactly;
use crate::table::{Table, When};
use crate::template::{Candidate, Values, before, values};

/// Columns that sums are tried over.
const MOST: usize = 10;

/// What is claimed of these columns after a call.
pub(crate) fn equations(
    table: &Table,
    columns: &[usize],
    conditions: &[Candidate],
    evidence: &Evidence,
) -> Vec<Contract> {
    let mut all = Vec::new();
    let after = columns.iter().copied().filter(|column| table.columns()[*column].when == When::After);
    let mut after: Vec<usize> = after.filter(|column| values(table, *column) != Values::Nothing).collect();
    for column in after.iter().copied().filter(|column| table.columns()[*column].is_state) {
        let of = &table.columns()[column];
        let Some(old) = table.find(&of.name, When::Before).filter(|_| !of.is_lent) else { continue };
        let unchanged = Atom::Compare(column, Op::Eq, old);
        if evidence.supports(table, &unchanged, evidence.fewest) {
            all.push(evidence.always(table, Kind::Unchanged, unchanged));
        } else if let Some(found) = exactly(table, unchanged, conditions, evidence) {
            all.push(Contract { kind: Kind::Unchanged, ..found });
        } else {
            all.extend(conditional(table, unchanged, conditions, evidence, Kind::Unchanged));
        }
    }
    let sources = before(table);
    let mut done: Vec<usize> = Vec::new();
    after.sort_by_key(|column| (table.columns()[*column].name.len(), *column));
    for column in after {
        let of = &table.columns()[column];
        if of.is_state && !of.is_result || of.is_lent || is_part_of_known(table, column, &all) {
            continue;
        }
        // Of columns with equal values one is enough.
        if done.iter().any(|other| are_equal(table, *other, column, evidence)) {
            continue;
        }
        done.push(column);
        match equation(table, column, &sources, evidence) {
            Some(atom) => {
                let is_frame = matches!(atom, Atom::Compare(left, Op::Eq, right)
                    if table.columns()[left].name == table.columns()[right].name);
                let kind =
                    if is_frame || matches!(atom, Atom::Is(..)) { Kind::Ensures } else { Kind::Equation };
                all.push(evidence.always(table, kind, atom));
            }
            None => all.extend(under_conditions(table, column, &sources, conditions, evidence)),
        }
    }
    all
}

/// Whether two columns of one type have the same values in all calls that came back.
fn are_equal(table: &Table, left: usize, right: usize, evidence: &Evidence) -> bool {
    table.columns()[left].ty == table.columns()[right].ty
        && evidence
            .returned
            .rows()
            .filter(|row| *row < table.len())
            .all(|row| table.cell(left, row) == table.cell(right, row))
}

/// A part of a result that has an equation as a whole.
fn is_part_of_known(table: &Table, column: usize, known: &[Contract]) -> bool {
    let name = &table.columns()[column].name;
    known.iter().any(|contract| match contract.formula {
        Formula::Always(Atom::Compare(left, Op::Eq, _)) => {
            let whole = &table.columns()[left].name;
            left != column && contract.kind == Kind::Equation && name.starts_with(&format!("{whole}."))
        }
        _ => false,
    })
}

/// What a column always is.
fn equation(table: &Table, column: usize, sources: &[usize], evidence: &Evidence) -> Option<Atom> {
    let of = &table.columns()[column];
    let kind = values(table, column);
    // Truth values are equal by chance more often than others.
    let fewest = if kind == Values::Bools { evidence.fewest * 3 } else { evidence.fewest };
    let same: Vec<usize> = sources
        .iter()
        .copied()
        .filter(|other| {
            table.columns()[*other].ty == of.ty && values(table, *other) == kind && !of.ty.is_empty()
        })
        .collect();
    let varies = |column: usize| table.variety(column, &evidence.returned) > 1;
    let mut equal =
        same.iter().copied().filter(|other| varies(*other)).map(|other| Atom::Compare(column, Op::Eq, other));
    let best = |atoms: &mut dyn Iterator<Item = Atom>| {
        atoms.filter(|atom| evidence.supports(table, atom, fewest)).min_by_key(|atom| atom.cost(table))
    };
    if varies(column)
        && let Some(atom) = best(&mut equal)
    {
        return Some(atom);
    }
    if kind == Values::Bools {
        // What was never otherwise before is no news.
        let old = table.find(&of.name, When::Before);
        let is_news = old.is_none_or(|old| table.variety(old, &evidence.returned) > 1);
        return best(&mut [true, false].map(|is| Atom::Is(column, is)).into_iter().filter(|_| is_news));
    }
    if kind != Values::Ints {
        return None;
    }
    let plus = same.iter().flat_map(|other| [1, -1, 2, -2].map(|plus| Atom::Plus(column, *other, plus)));
    let is_various = table.variety(column, &evidence.returned) > 2;
    if is_various {
        if let Some(atom) = best(&mut plus.into_iter()) {
            return Some(atom);
        }
        return best(&mut combined(column, &same, &varies).into_iter());
    }
    let old = table.find(&of.name, When::Before);
    let was_various = old.is_some_and(|old| table.variety(old, &evidence.returned) > 2);
    best(&mut std::iter::once(Atom::Constant(column, Op::Eq, 0)).filter(|_| was_various))
}

/// Sums, differences and extremes of two others.
fn combined(column: usize, same: &[usize], varies: &impl Fn(usize) -> bool) -> Vec<Atom> {
    let same: Vec<usize> = same.iter().copied().filter(|other| varies(*other)).take(MOST).collect();
    let mut all = Vec::new();
    for (at, first) in same.iter().copied().enumerate() {
        for second in same.iter().copied().take(at) {
            let sum = |a, b, is_difference| Atom::Sum { left: column, a, b, is_difference };
            all.extend([sum(second, first, false), sum(second, first, true), sum(first, second, true)]);
            all.extend([true, false].map(|is_min| Atom::Extreme {
                left: column,
                a: second,
                b: first,
                is_min,
            }));
        }
    }
    all
}

/// What a column is under conditions; the most general ones.
fn under_conditions(
    table: &Table,
    column: usize,
    sources: &[usize],
    conditions: &[Candidate],
    evidence: &Evidence,
) -> Vec<Contract> {
    let of = &table.columns()[column];
    let same =
        sources.iter().copied().filter(|other| table.columns()[*other].ty == of.ty && !of.ty.is_empty());
    let equal = same.map(|other| Atom::Compare(column, Op::Eq, other));
    let mut found: Vec<(Contract, Bits)> = Vec::new();
    for atom in equal {
        if let Some(contract) = conditional(table, atom, conditions, evidence, Kind::Implication)
            && let Formula::If { when, .. } = &contract.formula
        {
            let (holds, _) = when[0].rows(table);
            found.push((contract, holds.and(&evidence.returned)));
        }
    }
    found.sort_by_key(|(_, rows)| std::cmp::Reverse(rows.count()));
    let mut covered = Bits::new(table.len());
    let mut kept = Vec::new();
    for (contract, rows) in found {
        if !rows.is_within(&covered) && rows.without(&covered).count() >= evidence.fewest {
            covered = covered.or(&rows);
            kept.push(contract);
        }
    }
    kept.truncate(3);
    kept
}

/// Whether a condition is one that people write: an order is about an argument and a size, an equality about an argument.
fn is_antecedent(table: &Table, atom: &Atom) -> bool {
    let has_argument = || atom.columns().iter().any(|column| table.columns()[*column].is_argument);
    match atom {
        Atom::Compare(left, Op::Lt | Op::Le, _) => table.columns()[*left].ty == "usize" && has_argument(),
        Atom::Compare(..) => has_argument(),
        _ => true,
    }
}

/// The most general condition under which something holds that does not always hold.
fn conditional(
    table: &Table,
    then: Atom,
    conditions: &[Candidate],
    evidence: &Evidence,
    kind: Kind,
) -> Option<Contract> {
    let (holds, known) = then.rows(table);
    let right = holds.and(&evidence.returned);
    let wrong = known.without(&holds).and(&evidence.returned);
    let is_trivial = |atom: &Atom| match (atom, then) {
        // `a == b ⇒ a' == b'` of what is the same anyway.
        (Atom::Compare(..), Atom::Compare(left, _, right)) => {
            !is_same_state(table, left, right)
                && atom.columns().contains(&right)
                && table.columns()[left].name == table.columns()[right].name
        }
        _ => false,
    };
    let enough = |it: &&Candidate| {
        is_antecedent(table, &it.atom)
            && it.holds.common(&right) >= evidence.fewest
            && !it.holds.meets(&wrong)
            && !is_trivial(&it.atom)
    };
    let best = conditions
        .iter()
        .filter(enough)
        .max_by_key(|it| (it.holds.common(&right), std::cmp::Reverse(it.cost)))?;
    let varied = match then {
        Atom::Compare(left, ..) => table.variety(left, &best.holds.and(&right)) > 2,
        _ => true,
    };
    let support = Support { shown: best.holds.common(&right), of: right.count() };
    let formula = Formula::If { when: vec![best.atom], then };
    varied.then_some(Contract { kind, formula, support })
}
