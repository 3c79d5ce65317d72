//! Floats without a theory of floats: their operations as bit-vector expressions, and a search that needs no theory at all.
//!
//! Main types: [`Lowering`], which rewrites expressions until no float operation is left; `search` moves through models by
//! distance. The meaning of every operation is that of `expr::bits`; the tests compare them.

mod arithmetic;
mod convert;
mod format;
mod integral;
mod moves;
pub(super) mod search;
mod tape;
#[cfg(test)]
mod tests;

use rustc_hash::FxHashMap;

use crate::expr::{Expr, Exprs, Op};
use format::Format;

/// Expressions without float operations, each rewritten once.
#[derive(Default)]
pub(super) struct Lowering {
    known: FxHashMap<Expr, Expr>,
}

impl Lowering {
    /// The expression with every float operation as an operation on bits.
    pub(super) fn lower(&mut self, exprs: &mut Exprs, expr: Expr) -> Expr {
        let mut pending = vec![expr];
        while let Some(&top) = pending.last() {
            if self.known.contains_key(&top) {
                pending.pop();
                continue;
            }
            let node = exprs.node(top);
            let before = pending.len();
            pending.extend(node.operands().filter(|operand| !self.known.contains_key(operand)));
            if pending.len() == before {
                let operands: Vec<Expr> = node.operands().map(|operand| self.known[&operand]).collect();
                let lowered = match node.op().is_float() {
                    true => float(exprs, node.op(), node.width(), &operands),
                    false => exprs.rebuild(top, &operands),
                };
                self.known.insert(top, lowered);
                pending.pop();
            }
        }
        self.known[&expr]
    }
}

/// Whether a float operation is anywhere below these.
pub(super) fn has_floats(exprs: &Exprs, roots: &[Expr]) -> bool {
    any_below(exprs, roots, |exprs, expr| exprs.op(expr).is_float())
}

/// Whether two values that both depend on inputs are multiplied or divided anywhere below these.
pub(super) fn has_products(exprs: &Exprs, roots: &[Expr]) -> bool {
    any_below(exprs, roots, |exprs, expr| {
        let node = exprs.node(expr);
        matches!(node.op(), Op::Mul | Op::UDiv | Op::SDiv | Op::URem | Op::SRem)
            && node.operands().all(|operand| exprs.as_constant(operand).is_none())
    })
}

fn any_below(exprs: &Exprs, roots: &[Expr], is_wanted: impl Fn(&Exprs, Expr) -> bool) -> bool {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut pending = roots.to_vec();
    while let Some(expr) = pending.pop() {
        if is_wanted(exprs, expr) {
            return true;
        }
        if seen.insert(expr) {
            pending.extend(exprs.node(expr).operands());
        }
    }
    false
}

fn float(e: &mut Exprs, op: Op, width: u32, operands: &[Expr]) -> Expr {
    let format = Format::of(e.width(operands[0]));
    match (op, operands) {
        (Op::FEq, &[a, b]) => format.equal(e, a, b),
        (Op::FLt, &[a, b]) => format.less(e, a, b),
        (Op::FLe, &[a, b]) => {
            let (equal, less) = (format.equal(e, a, b), format.less(e, a, b));
            e.or(equal, less)
        }
        (Op::FMin | Op::FMax, &[a, b]) => format.least_or_greatest(e, op, a, b),
        (Op::FAdd, &[a, b]) => format.sum(e, a, b),
        (Op::FSub, &[a, b]) => {
            let b = e.fneg(b);
            format.sum(e, a, b)
        }
        (Op::FMul, &[a, b]) => format.product(e, a, b),
        (Op::FDiv, &[a, b]) => format.quotient(e, a, b),
        (Op::FSqrt, &[a]) => format.root(e, a),
        (Op::FCeil | Op::FFloor | Op::FTrunc | Op::FNearest, &[a]) => format.integral(e, op, a),
        (Op::FFromS | Op::FFromU, &[a]) => Format::of(width).nearest(e, op == Op::FFromS, a),
        (Op::FToS | Op::FToU, &[a]) => format.to_integer(e, op == Op::FToS, width, a),
        (Op::FPromote | Op::FDemote, &[a]) => format.to_format(e, Format::of(width), a),
        _ => unreachable!("{op:?} of {} operands", operands.len()),
    }
}
