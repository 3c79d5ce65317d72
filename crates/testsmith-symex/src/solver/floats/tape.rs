//! A query as a list of operations in order, evaluated many times under different values, with the distance from holding.
//!
//! Main type: [`Tape`]. The distance of a comparison is the logarithm of how far apart the operands are, in units of the last place for
//! floats; a conjunction adds, a disjunction takes the smaller one. It is 0 exactly where the constraint holds.

use std::collections::BTreeSet;

use crate::expr::bits::{apply, mask, signed};
use crate::expr::{Expr, Exprs, Op};

/// What a comparison that needs numbers is worth when an operand is none: more than any two numbers are apart.
const NOT_A_NUMBER: f64 = 80.0;

pub(super) struct Tape {
    pub(super) entries: Vec<Entry>,
    roots: Vec<usize>,
    values: Vec<u128>,
    /// How far each truth value is from being true, and from being false.
    distances: Vec<[f64; 2]>,
}

pub(super) struct Entry {
    pub(super) expr: Expr,
    pub(super) op: Op,
    pub(super) width: u32,
    pub(super) of: u32,
    low: u32,
    pub(super) operands: Vec<usize>,
    pub(super) constant: u128,
}

impl Tape {
    pub(super) fn new(exprs: &Exprs, constraints: &[Expr]) -> Self {
        let mut seen = BTreeSet::new();
        let mut pending = constraints.to_vec();
        while let Some(expr) = pending.pop() {
            if seen.insert(expr) {
                pending.extend(exprs.node(expr).operands());
            }
        }
        let order: Vec<Expr> = seen.into_iter().collect();
        let place = |expr: Expr| order.binary_search(&expr).expect("operands are reachable");
        let entry = |&expr: &Expr| {
            let node = exprs.node(expr);
            let operands: Vec<usize> = node.operands().map(place).collect();
            let of = match (node.op(), operands.len()) {
                (_, 0) => node.width(),
                (Op::Concat, _) => exprs.width(node.operand(1)),
                _ => exprs.width(node.operand(0)),
            };
            let constant = exprs.as_constant(expr).unwrap_or(0);
            Entry { expr, op: node.op(), width: node.width(), of, low: node.low(), operands, constant }
        };
        let entries: Vec<Entry> = order.iter().map(entry).collect();
        let roots = constraints.iter().map(|&constraint| place(constraint)).collect();
        let (values, distances) = (vec![0; entries.len()], vec![[0.0; 2]; entries.len()]);
        Self { entries, roots, values, distances }
    }

    /// How far the constraints are from holding when the variables, in the order of the tape, have these values.
    pub(super) fn distance(&mut self, variables: &[u128]) -> f64 {
        let mut variables = variables.iter();
        for (place, entry) in self.entries.iter().enumerate() {
            let mut operands = [0; 3];
            for (value, &operand) in operands.iter_mut().zip(&entry.operands) {
                *value = self.values[operand];
            }
            self.values[place] = match entry.op {
                Op::Const => entry.constant,
                Op::Var => variables.next().copied().unwrap_or(0) & mask(entry.width),
                op => apply(op, entry.width, entry.of, entry.low, operands),
            };
            if entry.width == 1 {
                self.distances[place] = self.truth(entry, self.values[place] == 1, operands);
            }
        }
        self.roots.iter().map(|&root| self.distances[root][0]).sum()
    }

    /// How far from true and from false.
    fn truth(&self, entry: &Entry, value: bool, operands: [u128; 3]) -> [f64; 2] {
        let of = |place: usize| self.distances[entry.operands[place]];
        let narrow = entry.of == 1;
        let [a, b, _] = operands;
        match entry.op {
            Op::Not if narrow => [of(0)[1], of(0)[0]],
            Op::And if narrow => [of(0)[0] + of(1)[0], of(0)[1].min(of(1)[1])],
            Op::Or if narrow => [of(0)[0].min(of(1)[0]), of(0)[1] + of(1)[1]],
            Op::Xor if narrow => {
                let ([a, not_a], [b, not_b]) = (of(0), of(1));
                [(a + not_b).min(not_a + b), (a + b).min(not_a + not_b)]
            }
            Op::Ite => {
                let ([c, not_c], a, b) = (of(0), of(1), of(2));
                [(c + a[0]).min(not_c + b[0]), (c + a[1]).min(not_c + b[1])]
            }
            Op::Eq => [apart(entry.of, a, b), plain(!value)],
            Op::Ult => ordered(value, a.abs_diff(b)),
            Op::Slt => ordered(value, signed(entry.of, a).abs_diff(signed(entry.of, b))),
            Op::FEq | Op::FLt | Op::FLe => float_truth(entry, value, a, b),
            _ => [plain(value), plain(!value)],
        }
    }
}

/// 0 where it holds, 1 where it does not: no operand says more.
fn plain(holds: bool) -> f64 {
    if holds { 0.0 } else { 1.0 }
}

fn scale(difference: u128) -> f64 {
    (difference as f64 + 1.0).log2()
}

/// Around the circle of this width.
fn apart(width: u32, a: u128, b: u128) -> f64 {
    let (up, down) = (a.wrapping_sub(b) & mask(width), b.wrapping_sub(a) & mask(width));
    scale(up.min(down))
}

/// Distances of an order that holds or does not, between operands so far apart.
fn ordered(value: bool, difference: u128) -> [f64; 2] {
    if value { [0.0, scale(difference)] } else { [scale(difference.saturating_add(1)), 0.0] }
}

fn float_truth(entry: &Entry, value: bool, a: u128, b: u128) -> [f64; 2] {
    let (Some(x), Some(y)) = (float_place(entry.of, a), float_place(entry.of, b)) else {
        return [NOT_A_NUMBER, 0.0];
    };
    let difference = x.abs_diff(y);
    match entry.op {
        Op::FEq => [if value { 0.0 } else { scale(difference) }, plain(!value)],
        _ if value => [0.0, scale(difference + 1)],
        _ => [scale(difference + 1), 0.0],
    }
}

/// The place of a float in the order of all floats of its format; both zeros have one.
pub(super) fn float_place(width: u32, bits: u128) -> Option<i128> {
    let size = (bits & (mask(width) >> 1)) as i128;
    let infinity = if width == 32 { 0x7f80_0000 } else { 0x7ff0_0000_0000_0000 };
    let negative = bits >> (width - 1) == 1;
    (size <= infinity).then_some(if negative { -size } else { size })
}
