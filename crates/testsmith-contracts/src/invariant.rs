//! What holds for all objects of a type ([`invariants`]), and what holds for nearly all ([`nearly`]).

use crate::atom::{Atom, Op};
use crate::bits::Bits;
use crate::contract::{Contract, Formula, Kind, Support};
use crate::table::Table;
use crate::template::{Values, values};

/// Distinct objects that have to show it.
const FEWEST: usize = 20;
/// Of what nearly holds, the part that holds.
const NEARLY: f64 = 0.95;

/// A fact that a few objects break: it may be an invariant that has a bug.
#[derive(Clone, Debug)]
pub struct Nearly {
    /// The fact.
    pub atom: Atom,
    /// How often it held.
    pub support: Support,
    /// The row of the exception with the shortest program.
    pub exception: usize,
}

/// What holds for all objects of a type.
pub fn invariants(table: &Table) -> Vec<Contract> {
    let mut kept: Vec<(Contract, Bits)> = Vec::new();
    for atom in facts(table) {
        let (holds, known) = atom.rows(table);
        if known.count() < FEWEST || !known.is_within(&holds) || is_implied(&atom, &kept) {
            continue;
        }
        let support = Support { shown: holds.count(), of: known.count() };
        let contract = Contract { kind: Kind::Invariant, formula: Formula::Always(atom), support };
        kept.push((contract, known));
    }
    kept.into_iter().map(|(contract, _)| contract).collect()
}

/// Facts that hold for nearly all objects.
pub fn nearly(table: &Table) -> Vec<Nearly> {
    let mut all = Vec::new();
    for atom in facts(table) {
        // That something differs, or is no constant, is rarely meant.
        if matches!(atom, Atom::Compare(_, Op::Ne, _) | Atom::Constant(..) | Atom::Is(..)) {
            continue;
        }
        let (holds, known) = atom.rows(table);
        let exceptions = known.without(&holds);
        let (shown, of) = (holds.count(), known.count());
        if of < FEWEST * 2 || exceptions.is_empty() || (shown as f64) < NEARLY * of as f64 {
            continue;
        }
        let length = |row: &usize| (table.rows()[*row].call, table.rows()[*row].program.size());
        let Some(exception) = exceptions.rows().filter(|row| *row < table.len()).min_by_key(length) else {
            continue;
        };
        all.push(Nearly { atom, support: Support { shown, of }, exception });
    }
    all
}

/// Equality first, then orders, then sums.
fn facts(table: &Table) -> Vec<Atom> {
    let columns = 0..table.columns().len();
    let of_kind =
        |kind| columns.clone().filter(move |column| values(table, *column) == kind).collect::<Vec<_>>();
    let every = Bits::of(table.len(), |_| true);
    let ints: Vec<usize> =
        of_kind(Values::Ints).into_iter().filter(|column| table.variety(*column, &every) > 2).collect();
    let is_comparable = |a: usize, b: usize| table.columns()[a].ty == table.columns()[b].ty;
    let mut all = Vec::new();
    for (at, a) in ints.iter().copied().enumerate() {
        for b in ints[..at].iter().copied().filter(|b| is_comparable(a, *b)) {
            all.push(Atom::Compare(b, Op::Eq, a));
            all.extend([(a, b), (b, a)].map(|(low, high)| Atom::Compare(low, Op::Lt, high)));
            all.extend([(a, b), (b, a)].map(|(low, high)| Atom::Compare(low, Op::Le, high)));
        }
    }
    for (at, a) in ints.iter().copied().enumerate() {
        for b in ints[..at].iter().copied().filter(|b| is_comparable(a, *b)) {
            for left in
                ints.iter().copied().filter(|left| *left != a && *left != b && is_comparable(a, *left))
            {
                all.push(Atom::Sum { left, a: b, b: a, is_difference: false });
            }
        }
    }
    let others = of_kind(Values::Others);
    for (at, a) in others.iter().copied().enumerate() {
        let pairs = others[..at].iter().copied().filter(|b| is_comparable(a, *b));
        all.extend(pairs.map(|b| Atom::Compare(b, Op::Eq, a)));
    }
    all
}

/// `<` makes `<=` superfluous, and `==` both.
fn is_implied(atom: &Atom, kept: &[(Contract, Bits)]) -> bool {
    let Atom::Compare(left, Op::Lt | Op::Le, right) = *atom else { return false };
    kept.iter().any(|(contract, _)| match contract.formula {
        Formula::Always(Atom::Compare(a, Op::Eq, b)) => (a, b) == (left, right) || (b, a) == (left, right),
        Formula::Always(Atom::Compare(a, Op::Lt, b)) => (a, b) == (left, right),
        _ => false,
    })
}
