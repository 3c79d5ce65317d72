//! Bitwise operations and shifts. A shift by a constant is wiring: it becomes an extraction and a concatenation.

use super::*;

pub(super) const NOT: &[Rule] = &[
    rule("not-not", |e, n| e.one(Op::Not, n.operand(0))),
    rule("not-ite", |e, n| {
        // Only where nothing is left to negate.
        let (c, a, b) = e.as_ite(n.operand(0))?;
        if !e.is_constant(a) && !e.is_constant(b) {
            return None;
        }
        let (a, b) = (e.not(a), e.not(b));
        Some(e.ite(c, a, b))
    }),
];

pub(super) const AND: &[Rule] = &[
    rule("and-constant", |e, n| match e.as_constant(n.operand(1))? {
        0 => Some(n.operand(1)),
        c if c == mask(n.width()) => Some(n.operand(0)),
        _ => None,
    }),
    rule("and-self", |_, n| (n.operand(0) == n.operand(1)).then(|| n.operand(0))),
    rule("and-complement", |e, n| complement(e, n).then(|| e.zero(n.width()))),
    rule("and-low-bits", |e, n| {
        let c = e.as_constant(n.operand(1))?;
        let by = power_of_two(c + 1)?;
        let low = e.extract(0, by, n.operand(0));
        Some(e.zext(n.width(), low))
    }),
    rule("and-constants", |e, n| {
        let more = e.as_constant(n.operand(1))?;
        let (x, c) = e.with_constant(Op::And, n.operand(0))?;
        let both = e.constant(n.width(), c & more);
        Some(e.and(x, both))
    }),
    rule("and-extension", |e, n| {
        let a = e.one(Op::ZExt, n.operand(0))?;
        let b = match e.one(Op::ZExt, n.operand(1)) {
            Some(b) if e.width(b) == e.width(a) => b,
            _ => {
                let c = e.as_constant(n.operand(1))?;
                e.constant(e.width(a), c)
            }
        };
        let narrow = e.and(a, b);
        Some(e.zext(n.width(), narrow))
    }),
    rule("and-concat", by_parts),
    rule("and-absorbs", |e, n| absorbs(e, n, Op::Or, Op::And)),
    rule("and-ite", into_ite),
    rule("and-adjacent", |e, n| {
        // Neighbouring parts of one value that are both known.
        let known = |e: &Exprs, x: Expr| e.two(Op::Eq, x).filter(|&(_, c)| e.is_constant(c));
        let ((x, a), (y, b)) = (known(e, n.operand(0))?, known(e, n.operand(1))?);
        let (whole, value) = match (super::shape::join(e, x, y), super::shape::join(e, y, x)) {
            (Some(whole), _) => (whole, e.concat(a, b)),
            (None, Some(whole)) => (whole, e.concat(b, a)),
            (None, None) => return None,
        };
        Some(e.eq(whole, value))
    }),
];

pub(super) const OR: &[Rule] = &[
    rule("or-constant", |e, n| match e.as_constant(n.operand(1))? {
        0 => Some(n.operand(0)),
        c if c == mask(n.width()) => Some(n.operand(1)),
        _ => None,
    }),
    rule("or-self", |_, n| (n.operand(0) == n.operand(1)).then(|| n.operand(0))),
    rule("or-complement", |e, n| complement(e, n).then(|| e.constant(n.width(), u128::MAX))),
    rule("or-constants", |e, n| {
        let more = e.as_constant(n.operand(1))?;
        let (x, c) = e.with_constant(Op::Or, n.operand(0))?;
        let both = e.constant(n.width(), c | more);
        Some(e.or(x, both))
    }),
    rule("or-extension", |e, n| {
        let (a, b) = (e.one(Op::ZExt, n.operand(0))?, e.one(Op::ZExt, n.operand(1))?);
        let width = e.width(a).max(e.width(b));
        let (a, b) = (e.zext(width, a), e.zext(width, b));
        let narrow = e.or(a, b);
        Some(e.zext(n.width(), narrow))
    }),
    rule("or-concat", by_parts),
    rule("or-absorbs", |e, n| absorbs(e, n, Op::And, Op::Or)),
    rule("or-ite", into_ite),
];

pub(super) const XOR: &[Rule] = &[
    rule("xor-constant", |e, n| match e.as_constant(n.operand(1))? {
        0 => Some(n.operand(0)),
        c if c == mask(n.width()) => Some(e.not(n.operand(0))),
        _ => None,
    }),
    rule("xor-self", |e, n| (n.operand(0) == n.operand(1)).then(|| e.zero(n.width()))),
    rule("xor-constants", |e, n| {
        let more = e.as_constant(n.operand(1))?;
        let (x, c) = e.with_constant(Op::Xor, n.operand(0))?;
        let both = e.constant(n.width(), c ^ more);
        Some(e.xor(x, both))
    }),
    rule("xor-not", |e, n| {
        let other = |x: Expr| if x == n.operand(0) { n.operand(1) } else { n.operand(0) };
        let (negated, x) = n.operands().find_map(|x| e.one(Op::Not, x).map(|inner| (inner, other(x))))?;
        let plain = e.xor(negated, x);
        Some(e.not(plain))
    }),
    rule("xor-extension", |e, n| {
        let (a, b) = (e.one(Op::ZExt, n.operand(0))?, e.one(Op::ZExt, n.operand(1))?);
        let width = e.width(a).max(e.width(b));
        let (a, b) = (e.zext(width, a), e.zext(width, b));
        let narrow = e.xor(a, b);
        Some(e.zext(n.width(), narrow))
    }),
    rule("xor-concat", by_parts),
    rule("xor-ite", into_ite),
];

pub(super) const SHL: &[Rule] = &[
    rule("shl-constant", |e, n| {
        let by = amount(e, n)?;
        match by {
            0 => Some(n.operand(0)),
            by if by >= n.width() => Some(e.zero(n.width())),
            by => {
                let high = e.extract(0, n.width() - by, n.operand(0));
                let low = e.zero(by);
                Some(e.concat(high, low))
            }
        }
    }),
    rule("shl-zero", |e, n| (e.as_constant(n.operand(0))? == 0).then(|| n.operand(0))),
];

pub(super) const LSHR: &[Rule] = &[
    rule("lshr-constant", |e, n| {
        let by = amount(e, n)?;
        match by {
            0 => Some(n.operand(0)),
            by if by >= n.width() => Some(e.zero(n.width())),
            by => {
                let low = e.extract(by, n.width() - by, n.operand(0));
                Some(e.zext(n.width(), low))
            }
        }
    }),
    rule("lshr-zero", |e, n| (e.as_constant(n.operand(0))? == 0).then(|| n.operand(0))),
];

pub(super) const ASHR: &[Rule] = &[
    rule("ashr-constant", |e, n| {
        let by = amount(e, n)?.min(n.width() - 1);
        let low = e.extract(by, n.width() - by, n.operand(0));
        Some(e.sext(n.width(), low))
    }),
    rule("ashr-natural", |e, n| {
        let natural = e.bounds(n.operand(0)).1 <= mask(n.width()) / 2;
        natural.then(|| e.lshr(n.operand(0), n.operand(1)))
    }),
];

/// A constant amount, cut to 128.
fn amount(e: &Exprs, n: &Node) -> Option<u32> {
    Some(e.as_constant(n.operand(1))?.min(128) as u32)
}

/// Whether one operand is the other with every bit flipped.
fn complement(e: &Exprs, n: &Node) -> bool {
    let (a, b) = (n.operand(0), n.operand(1));
    e.one(Op::Not, a) == Some(b) || e.one(Op::Not, b) == Some(a)
}

/// `x & (x | y)` is `x`, `x & (x & y)` is the inner one; with the operations exchanged as well.
fn absorbs(e: &Exprs, n: &Node, dual: Op, same: Op) -> Option<Expr> {
    let ask = |x: Expr, other: Expr| {
        let has = |(a, b): (Expr, Expr)| a == x || b == x;
        match () {
            () if e.two(dual, other).is_some_and(has) => Some(x),
            () if e.two(same, other).is_some_and(has) => Some(other),
            () => None,
        }
    };
    let (a, b) = (n.operand(0), n.operand(1));
    ask(a, b).or_else(|| ask(b, a))
}

/// An operation on bits of concatenations that are cut at the same place, or of one and a constant or an extension.
fn by_parts(e: &mut Exprs, n: &Node) -> Option<Expr> {
    let (a, b) = (n.operand(0), n.operand(1));
    let (cut, other) = match (e.op(a), e.op(b)) {
        (Op::Concat, _) if e.narrows(b) && e.op(b) != Op::SExt => (a, b),
        (_, Op::Concat) if e.narrows(a) && e.op(a) != Op::SExt => (b, a),
        _ => return None,
    };
    let (high, low) = e.two(Op::Concat, cut)?;
    let by = e.width(low);
    let fits = match e.op(other) {
        Op::Concat => e.two(Op::Concat, other).is_some_and(|(_, low)| e.width(low) == by),
        // Worth it where one part becomes trivial.
        Op::ZExt => e.one(Op::ZExt, other).is_some_and(|inner| e.width(inner) <= by),
        _ => true,
    };
    if !fits {
        return None;
    }
    let other_high = e.extract(by, e.width(high), other);
    let other_low = e.extract(0, by, other);
    let high = e.binary(n.op(), high, other_high);
    let low = e.binary(n.op(), low, other_low);
    Some(e.concat(high, low))
}

/// A constant goes into a choice of constants.
fn into_ite(e: &mut Exprs, n: &Node) -> Option<Expr> {
    let c = n.operand(1);
    let (condition, then, otherwise) = e.as_ite(n.operand(0))?;
    if n.width() == 1 || ![c, then, otherwise].iter().all(|&x| e.is_constant(x)) {
        return None;
    }
    let then = e.binary(n.op(), then, c);
    let otherwise = e.binary(n.op(), otherwise, c);
    Some(e.ite(condition, then, otherwise))
}
