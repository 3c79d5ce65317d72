//! The table of templates: which atoms are tried over the columns of a table ([`Candidates`]).
//!
//! Only values of equal types are compared, an order needs an integer type, constants are for sizes and arguments. Of atoms
//! that hold in the same rows the simplest is kept.

use std::collections::HashMap;

use crate::atom::{Atom, Op};
use crate::bits::Bits;
use crate::cell::Cell;
use crate::table::{Table, When};

/// An atom with the rows where it holds.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) atom: Atom,
    pub(crate) holds: Bits,
    pub(crate) known: Bits,
    pub(crate) cost: usize,
}

impl Candidate {
    pub(crate) fn new(table: &Table, atom: Atom) -> Candidate {
        let (holds, known) = atom.rows(table);
        Candidate { atom, holds, known, cost: atom.cost(table) }
    }
}

/// Columns by the kind of their values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Values {
    Nothing,
    Bools,
    Ints,
    Others,
}

/// What a column holds.
pub(crate) fn values(table: &Table, column: usize) -> Values {
    let first = (0..table.len()).map(|row| table.cell(column, row)).find(|cell| *cell != Cell::Undefined);
    match first {
        None | Some(Cell::Undefined) => Values::Nothing,
        Some(Cell::Bool(_)) => Values::Bools,
        Some(Cell::Int(_)) => Values::Ints,
        Some(Cell::Other(_)) => Values::Others,
    }
}

/// What is known before the call.
pub(crate) fn before(table: &Table) -> Vec<usize> {
    (0..table.columns().len()).filter(|column| table.columns()[*column].when != When::After).collect()
}

/// All simple atoms over what is known before the call, and of those that hold in the same rows the simplest.
pub(crate) fn conditions(table: &Table) -> Vec<Candidate> {
    distinct(table, atoms(table))
}

/// All simple atoms over what is known before the call.
pub(crate) fn atoms(table: &Table) -> Vec<Atom> {
    let columns: Vec<(usize, Values)> =
        before(table).into_iter().map(|column| (column, values(table, column))).collect();
    let mut atoms = Vec::new();
    for (at, (column, kind)) in columns.iter().copied().enumerate() {
        let of = &table.columns()[column];
        match kind {
            Values::Bools => atoms.extend([Atom::Is(column, true), Atom::Is(column, false)]),
            Values::Ints if of.is_argument || of.ty == "usize" => {
                atoms.extend([Op::Eq, Op::Ne].map(|op| Atom::Constant(column, op, 0)));
                // Where the callable itself makes a difference.
                let all = [Op::Eq, Op::Ne, Op::Lt, Op::Le, Op::Gt, Op::Ge];
                let named = table.constants().iter().filter(|value| **value != 0);
                let each = named.flat_map(|value| all.map(|op| Atom::Constant(column, op, *value)));
                atoms.extend(each);
            }
            _ => {}
        }
        for (other, other_kind) in &columns[..at] {
            let other_of = &table.columns()[*other];
            if *other_kind != kind || other_of.ty != of.ty || of.ty.is_empty() {
                continue;
            }
            match kind {
                Values::Ints => {
                    atoms
                        .extend([Op::Eq, Op::Ne, Op::Lt, Op::Le].map(|op| Atom::Compare(*other, op, column)));
                    atoms.extend([Op::Lt, Op::Le].map(|op| Atom::Compare(column, op, *other)));
                }
                Values::Others if !of.is_state && !other_of.is_state => {
                    atoms.extend([Op::Eq, Op::Ne].map(|op| Atom::Compare(*other, op, column)));
                }
                _ => {}
            }
        }
    }
    atoms
}

/// Comparisons of sums of two with a third: for what simple atoms do not explain.
pub(crate) fn sums(table: &Table) -> Vec<Candidate> {
    /// Sums over more columns take too long.
    const MOST: usize = 12;
    let is_size =
        |column: &usize| table.columns()[*column].ty == "usize" && values(table, *column) == Values::Ints;
    let sizes: Vec<usize> = before(table).into_iter().filter(is_size).take(MOST).collect();
    let mut atoms = Vec::new();
    for (at, a) in sizes.iter().enumerate() {
        for b in &sizes[..=at] {
            for right in sizes.iter().filter(|right| *right != a && *right != b) {
                for op in [Op::Le, Op::Lt] {
                    atoms.push(Atom::SumCompare { a: *b, b: *a, op, right: *right });
                }
            }
        }
    }
    distinct(table, atoms)
}

/// Of atoms with the same rows the simplest; none that says nothing.
fn distinct(table: &Table, atoms: Vec<Atom>) -> Vec<Candidate> {
    let mut kept: Vec<Candidate> = Vec::new();
    let mut by_rows: HashMap<(Bits, Bits), usize> = HashMap::new();
    for atom in atoms {
        let candidate = Candidate::new(table, atom);
        if candidate.holds.is_empty() {
            continue;
        }
        let key = (candidate.holds.clone(), candidate.known.clone());
        match by_rows.get(&key) {
            Some(at) if kept[*at].cost <= candidate.cost => {}
            Some(at) => kept[*at] = candidate,
            None => {
                by_rows.insert(key, kept.len());
                kept.push(candidate);
            }
        }
    }
    kept
}
