//! Bounds of unsigned values, from the shape of an expression a few levels deep.
//!
//! Main function: [`Exprs::bounds`]. `compare` and `division` decide with them what no solver has to.

use super::*;

const DEPTH: u32 = 6;

impl Exprs {
    /// The least and the greatest unsigned value that the expression may have; true bounds, seldom the best ones.
    pub(crate) fn bounds(&self, expr: Expr) -> (u128, u128) {
        self.bounds_within(expr, DEPTH)
    }

    fn bounds_within(&self, expr: Expr, depth: u32) -> (u128, u128) {
        let node = self.node(expr);
        let most = mask(node.width());
        if let Some(value) = self.as_constant(expr) {
            return (value, value);
        }
        let Some(depth) = depth.checked_sub(1) else {
            return (0, most);
        };
        let of = |place: usize| self.bounds_within(node.operand(place), depth);
        match node.op() {
            Op::ZExt => of(0),
            Op::Ite => {
                let (then, otherwise) = (of(1), of(2));
                (then.0.min(otherwise.0), then.1.max(otherwise.1))
            }
            Op::Concat => {
                let (high, low) = (of(0), of(1));
                let by = self.width(node.operand(1));
                (high.0 << by | low.0, high.1 << by | low.1)
            }
            Op::Add => {
                let (a, b) = (of(0), of(1));
                match a.1.checked_add(b.1) {
                    Some(sum) if sum <= most => (a.0 + b.0, sum),
                    _ => (0, most),
                }
            }
            Op::Mul => {
                let (a, b) = (of(0), of(1));
                match a.1.checked_mul(b.1) {
                    Some(product) if product <= most => (a.0 * b.0, product),
                    _ => (0, most),
                }
            }
            Op::And => (0, of(0).1.min(of(1).1)),
            Op::Or => (of(0).0.max(of(1).0), most >> most_zeros(of(0).1 | of(1).1, node.width())),
            Op::URem => match of(1) {
                (0, _) => (0, of(0).1),
                (_, divisor) => (0, of(0).1.min(divisor - 1)),
            },
            Op::UDiv => match of(1) {
                (0, _) => (0, most),
                (least, greatest) => (of(0).0 / greatest, of(0).1 / least),
            },
            Op::LShr => (0, of(0).1),
            Op::Clz | Op::Ctz | Op::Popcnt => (0, u128::from(node.width()).min(most)),
            _ => (0, most),
        }
    }
}

/// Leading zeros of a value of this width.
fn most_zeros(value: u128, width: u32) -> u32 {
    (value.leading_zeros() - (128 - width)).min(width - 1)
}
