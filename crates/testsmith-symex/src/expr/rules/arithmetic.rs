//! Sums, differences, products. A difference to a constant is a sum, so that constants meet.

use super::*;

pub(super) const ADD: &[Rule] = &[
    rule("add-bit", |e, n| (n.width() == 1).then(|| e.xor(n.operand(0), n.operand(1)))),
    rule("add-zero", |e, n| (e.as_constant(n.operand(1))? == 0).then(|| n.operand(0))),
    rule("add-constants", |e, n| {
        let more = e.as_constant(n.operand(1))?;
        if let Some((x, c)) = e.with_constant(Op::Add, n.operand(0)) {
            let sum = e.constant(n.width(), c.wrapping_add(more));
            return Some(e.add(x, sum));
        }
        let (c, x) = e.two(Op::Sub, n.operand(0))?;
        let c = e.as_constant(c)?;
        let sum = e.constant(n.width(), c.wrapping_add(more));
        Some(e.sub(sum, x))
    }),
    rule("add-constant-outside", |e, n| {
        // (x + c) + y: the constant moves up, where the next one meets it.
        let (outer, inner) = (n.operand(0), n.operand(1));
        let (x, c, y) = match (e.with_constant(Op::Add, outer), e.with_constant(Op::Add, inner)) {
            (Some((x, c)), _) => (x, c, inner),
            (None, Some((x, c))) => (x, c, outer),
            _ => return None,
        };
        let sum = e.add(x, y);
        let c = e.constant(n.width(), c);
        Some(e.add(sum, c))
    }),
    rule("add-self", |e, n| {
        let one = e.constant(n.width(), 1);
        (n.operand(0) == n.operand(1)).then(|| e.shl(n.operand(0), one))
    }),
    rule("add-cancels", |e, n| {
        either(n, |difference, y| e.two(Op::Sub, difference).filter(|&(_, b)| b == y).map(|(x, _)| x))
    }),
    rule("add-negated", |e, n| {
        let (x, y) = either(n, |negated, x| {
            let (zero, y) = e.two(Op::Sub, negated)?;
            (e.as_constant(zero)? == 0).then_some((x, y))
        })?;
        Some(e.sub(x, y))
    }),
    rule("add-remainder", |e, n| {
        // x + (x / c) * -c, as compilers write x - (x / c) * c.
        let (op, x, c) = either(n, |product, x| {
            let (quotient, minus) = e.with_constant(Op::Mul, product)?;
            let (op, y, c) = quotient_of(e, quotient)?;
            let negated = e.as_constant(c)?.wrapping_neg() & mask(n.width());
            (x == y && negated == minus).then_some((op, x, c))
        })?;
        Some(e.binary(op, x, c))
    }),
];

pub(super) const SUB: &[Rule] = &[
    rule("sub-bit", |e, n| (n.width() == 1).then(|| e.xor(n.operand(0), n.operand(1)))),
    rule("sub-self", |e, n| (n.operand(0) == n.operand(1)).then(|| e.zero(n.width()))),
    rule("sub-constant", |e, n| {
        let c = e.as_constant(n.operand(1))?;
        let negated = e.constant(n.width(), c.wrapping_neg());
        Some(e.add(n.operand(0), negated))
    }),
    rule("sub-of-sum", |e, n| {
        let (a, b) = e.two(Op::Add, n.operand(0))?;
        [(a, b), (b, a)].into_iter().find(|&(_, y)| y == n.operand(1)).map(|(x, _)| x)
    }),
    rule("sub-a-sum", |e, n| {
        // x - (x + y)
        let (a, b) = e.two(Op::Add, n.operand(1))?;
        let (_, y) = [(a, b), (b, a)].into_iter().find(|&(x, _)| x == n.operand(0))?;
        Some(e.neg(y))
    }),
    rule("sub-from-constant", |e, n| {
        // c1 - (x + c2)
        let c1 = e.as_constant(n.operand(0))?;
        let (x, c2) = e.with_constant(Op::Add, n.operand(1))?;
        let c = e.constant(n.width(), c1.wrapping_sub(c2));
        Some(e.sub(c, x))
    }),
    rule("sub-constant-outside", |e, n| {
        // (x + c) - y and x - (y + c)
        let (a, b) = (n.operand(0), n.operand(1));
        let (x, y, c) = match (e.with_constant(Op::Add, a), e.with_constant(Op::Add, b)) {
            (Some((x, c)), _) => (x, b, c),
            (None, Some((y, c))) => (a, y, c.wrapping_neg()),
            _ => return None,
        };
        let difference = e.sub(x, y);
        let c = e.constant(n.width(), c);
        Some(e.add(difference, c))
    }),
    rule("sub-negated", |e, n| {
        // x - (0 - y)
        let (zero, y) = e.two(Op::Sub, n.operand(1))?;
        (e.as_constant(zero)? == 0).then(|| e.add(n.operand(0), y))
    }),
    rule("sub-remainder", |e, n| {
        // x - (x / c) * c is the remainder for every c, 0 too.
        let (a, b) = e.two(Op::Mul, n.operand(1))?;
        let (op, c) = [(a, b), (b, a)].into_iter().find_map(|(quotient, c)| {
            let (op, x, divisor) = quotient_of(e, quotient)?;
            (x == n.operand(0) && divisor == c).then_some((op, c))
        })?;
        Some(e.binary(op, n.operand(0), c))
    }),
    rule("sub-low-bits", |e, n| {
        // x - (x with its low bits cleared)
        let (high, low) = e.two(Op::Concat, n.operand(1))?;
        let cleared = e.as_constant(low)? == 0 && e.node(high).op() == Op::Extract;
        let node = e.node(high);
        let same = cleared && node.operand(0) == n.operand(0) && node.low() == e.width(low);
        (same && node.low() + node.width() == n.width()).then(|| {
            let low = e.extract(0, node.low(), n.operand(0));
            e.zext(n.width(), low)
        })
    }),
];

pub(super) const MUL: &[Rule] = &[
    rule("mul-bit", |e, n| (n.width() == 1).then(|| e.and(n.operand(0), n.operand(1)))),
    rule("mul-zero-one", |e, n| match e.as_constant(n.operand(1))? {
        0 => Some(n.operand(1)),
        1 => Some(n.operand(0)),
        c if c == mask(n.width()) => Some(e.neg(n.operand(0))),
        _ => None,
    }),
    rule("mul-power", |e, n| {
        let by = power_of_two(e.as_constant(n.operand(1))?)?;
        let by = e.constant(n.width(), u128::from(by));
        Some(e.shl(n.operand(0), by))
    }),
    rule("mul-constants", |e, n| {
        let more = e.as_constant(n.operand(1))?;
        let (x, c) = e.with_constant(Op::Mul, n.operand(0))?;
        let product = e.constant(n.width(), c.wrapping_mul(more));
        Some(e.mul(x, product))
    }),
    rule("mul-bool", |e, n| {
        // A truth value times x is a choice.
        let (condition, x) = either(n, |bit, x| {
            let condition = e.one(Op::ZExt, bit)?;
            (e.width(condition) == 1).then_some((condition, x))
        })?;
        let zero = e.zero(n.width());
        Some(e.ite(condition, x, zero))
    }),
    rule("mul-extension", |e, n| {
        // A product needs the bits of both factors together.
        let (a, b) = (e.node(n.operand(0)), e.node(n.operand(1)));
        if a.op() != b.op() || !matches!(a.op(), Op::ZExt | Op::SExt) {
            return None;
        }
        let (a, b, op) = (a.operand(0), b.operand(0), a.op());
        let needed = e.width(a) + e.width(b);
        if needed >= n.width() {
            return None;
        }
        let extend = if op == Op::ZExt { Exprs::zext } else { Exprs::sext };
        let (a, b) = (extend(e, needed, a), extend(e, needed, b));
        let product = e.mul(a, b);
        Some(extend(e, n.width(), product))
    }),
];

/// The first answer for `(a, b)` and `(b, a)`.
fn either<T>(node: &Node, mut ask: impl FnMut(Expr, Expr) -> Option<T>) -> Option<T> {
    let (a, b) = (node.operand(0), node.operand(1));
    ask(a, b).or_else(|| ask(b, a))
}

/// The remainder's operation, dividend and divisor of a quotient.
fn quotient_of(e: &Exprs, quotient: Expr) -> Option<(Op, Expr, Expr)> {
    let node = e.node(quotient);
    let remainder = match node.op() {
        Op::UDiv => Op::URem,
        Op::SDiv => Op::SRem,
        _ => return None,
    };
    Some((remainder, node.operand(0), node.operand(1)))
}
