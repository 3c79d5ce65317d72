//! What the path of a run has decided so far: conditions with their truth, and ranges of expressions that follow from them.
//!
//! Main type: [`Facts`]. A condition that the path already decides is no new decision, so that no solver is ever asked for
//! its contrary.

use rustc_hash::FxHashMap;

use super::range::{self, Range};
use crate::expr::{Expr, Exprs, Op};

#[derive(Default)]
pub(super) struct Facts {
    truths: FxHashMap<Expr, bool>,
    values: FxHashMap<Expr, u64>,
    jumps: FxHashMap<(u32, Expr), u64>,
    ranges: FxHashMap<Expr, Range>,
}

impl Facts {
    /// Whether the path already says that this condition, which is no negation, is true, or false.
    pub(super) fn truth(&self, exprs: &Exprs, condition: Expr) -> Option<bool> {
        if let Some(known) = self.truths.get(&condition) {
            return Some(*known);
        }
        let (op, a, b) = comparison(exprs, condition)?;
        let (a, b) = (self.range(exprs, a), self.range(exprs, b));
        match op {
            Op::Eq if a.high < b.low || b.high < a.low => Some(false),
            Op::Ult if a.high < b.low => Some(true),
            Op::Ult if a.low >= b.high => Some(false),
            _ => None,
        }
    }

    pub(super) fn value(&self, expr: Expr) -> Option<u64> {
        self.values.get(&expr).copied()
    }

    pub(super) fn jumped(&self, place: u32, index: Expr) -> bool {
        self.jumps.contains_key(&(place, index))
    }

    /// The values that an expression can have on this path.
    pub(super) fn range(&self, exprs: &Exprs, expr: Expr) -> Range {
        range::of(exprs, expr, &|part| self.ranges.get(&part).copied())
    }

    /// The same as a set of at most so many.
    pub(super) fn values(&self, exprs: &Exprs, expr: Expr, most: usize) -> Option<Vec<u64>> {
        range::values(exprs, expr, &|part| self.ranges.get(&part).copied(), most)
    }

    pub(super) fn learn_value(&mut self, expr: Expr, value: u64) {
        self.values.insert(expr, value);
        self.ranges.insert(expr, Range::single(value));
    }

    pub(super) fn learn_jump(&mut self, place: u32, index: Expr, target: u64) {
        self.jumps.insert((place, index), target);
    }

    /// Notes a condition of the path and what follows from it at once.
    pub(super) fn learn(&mut self, exprs: &Exprs, condition: Expr, truth: bool) {
        if self.truths.insert(condition, truth).is_some() {
            return;
        }
        let node = exprs.node(condition);
        match node.op() {
            Op::Not => self.learn(exprs, node.operand(0), !truth),
            Op::And if truth => node.operands().for_each(|part| self.learn(exprs, part, true)),
            Op::Or if !truth => node.operands().for_each(|part| self.learn(exprs, part, false)),
            Op::Eq | Op::Ult => self.learn_comparison(exprs, condition, truth),
            _ => {}
        }
    }

    fn learn_comparison(&mut self, exprs: &Exprs, condition: Expr, truth: bool) {
        let Some((op, a, b)) = comparison(exprs, condition) else { return };
        let (of_a, of_b) = (self.range(exprs, a), self.range(exprs, b));
        match (op, truth) {
            (Op::Eq, true) => {
                self.narrow(exprs, a, of_b.low, of_b.high);
                self.narrow(exprs, b, of_a.low, of_a.high);
            }
            (Op::Ult, true) => {
                self.narrow(exprs, a, 0, of_b.high.saturating_sub(1));
                self.narrow(exprs, b, of_a.low.saturating_add(1), u64::MAX);
            }
            (Op::Ult, false) => {
                self.narrow(exprs, a, of_b.low, u64::MAX);
                self.narrow(exprs, b, 0, of_a.high);
            }
            _ => {}
        }
    }

    /// Notes that an expression lies between two values, and what that says of the part that it adds a constant to or
    /// widens.
    fn narrow(&mut self, exprs: &Exprs, expr: Expr, low: u64, high: u64) {
        if exprs.as_constant(expr).is_some() || low > high {
            return;
        }
        let before = self.range(exprs, expr);
        let bound = Range { low, high, step: 1 };
        let after = before.meet(bound);
        if after != before {
            self.ranges.insert(expr, after);
        }
        let node = exprs.node(expr);
        if node.op() == Op::ZExt {
            self.narrow(exprs, node.operand(0), low, high);
        }
    }
}

/// The operands of an unsigned comparison of at most 64 bits.
fn comparison(exprs: &Exprs, condition: Expr) -> Option<(Op, Expr, Expr)> {
    let node = exprs.node(condition);
    let fits = matches!(node.op(), Op::Eq | Op::Ult) && exprs.width(node.operand(0)) <= 64;
    fits.then(|| (node.op(), node.operand(0), node.operand(1)))
}
