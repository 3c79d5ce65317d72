//! Quotients and remainders: powers of two become wires, narrow operands become narrow divisions.

use super::*;

pub(super) const UDIV: &[Rule] = &[
    rule("udiv-power", |e, n| {
        let by = power_of_two(e.as_constant(n.operand(1))?)?;
        let by = e.constant(n.width(), u128::from(by));
        Some(e.lshr(n.operand(0), by))
    }),
    rule("udiv-small", |e, n| {
        let (_, most) = e.bounds(n.operand(0));
        let (least, _) = e.bounds(n.operand(1));
        (most < least).then(|| e.zero(n.width()))
    }),
    rule("udiv-narrow", |e, n| narrow_division(e, n, Op::UDiv)),
    rule("udiv-twice", |e, n| {
        let more = e.as_constant(n.operand(1))?;
        let (x, c) = e.with_constant(Op::UDiv, n.operand(0))?;
        if more == 0 || c == 0 {
            return None;
        }
        let product = more.checked_mul(c).filter(|&product| product <= mask(n.width()));
        let Some(product) = product else {
            return Some(e.zero(n.width()));
        };
        let divisor = e.constant(n.width(), product);
        Some(e.udiv(x, divisor))
    }),
];

pub(super) const UREM: &[Rule] = &[
    rule("urem-power", |e, n| {
        let divisor = e.as_constant(n.operand(1))?;
        power_of_two(divisor)?;
        let low = e.constant(n.width(), divisor - 1);
        Some(e.and(n.operand(0), low))
    }),
    rule("urem-small", |e, n| {
        let (_, most) = e.bounds(n.operand(0));
        let (least, _) = e.bounds(n.operand(1));
        (most < least).then(|| n.operand(0))
    }),
    rule("urem-narrow", |e, n| narrow_division(e, n, Op::URem)),
];

pub(super) const SDIV: &[Rule] = &[
    rule("sdiv-one", |e, n| match e.as_constant(n.operand(1))? {
        1 => Some(n.operand(0)),
        c if c == mask(n.width()) => Some(e.neg(n.operand(0))),
        _ => None,
    }),
    rule("sdiv-natural", |e, n| natural(e, n).then(|| e.udiv(n.operand(0), n.operand(1)))),
    rule("sdiv-power", |e, n| {
        // Rounded to zero: a negative dividend gets the divisor less one first.
        let by = power_of_two(e.as_constant(n.operand(1))?).filter(|&by| by > 0 && by < n.width() - 1)?;
        let sign = e.extract(n.width() - 1, 1, n.operand(0));
        let signs = e.sext(by, sign);
        let add = e.zext(n.width(), signs);
        let sum = e.add(n.operand(0), add);
        let by = e.constant(n.width(), u128::from(by));
        Some(e.ashr(sum, by))
    }),
    rule("sdiv-narrow", narrow_signed),
];

pub(super) const SREM: &[Rule] = &[
    rule("srem-one", |e, n| {
        let c = e.as_constant(n.operand(1))?;
        (c == 1 || c == mask(n.width())).then(|| e.zero(n.width()))
    }),
    rule("srem-natural", |e, n| natural(e, n).then(|| e.urem(n.operand(0), n.operand(1)))),
    rule("srem-narrow", narrow_signed),
];

/// Whether both operands are not negative, so that the unsigned operation is the same.
fn natural(e: &Exprs, n: &Node) -> bool {
    let least_negative = mask(n.width()) / 2 + 1;
    e.bounds(n.operand(0)).1 < least_negative && e.bounds(n.operand(1)).1 < least_negative
}

/// `zext(a) / c` and `zext(a) % c` at the width of `a`, where `c` fits.
fn narrow_division(e: &mut Exprs, n: &Node, op: Op) -> Option<Expr> {
    let a = e.one(Op::ZExt, n.operand(0))?;
    let c = match e.one(Op::ZExt, n.operand(1)) {
        // Division by zero gives all ones at the full width, so the divisor must not be 0.
        Some(b) if e.width(b) == e.width(a) && op == Op::URem => b,
        _ => {
            let c = e.as_constant(n.operand(1)).filter(|&c| c != 0 && c <= mask(e.width(a)))?;
            e.constant(e.width(a), c)
        }
    };
    let narrow = e.binary(op, a, c);
    Some(e.zext(n.width(), narrow))
}

/// `sext(a) / c` and `sext(a) % c` at the width of `a` and a bit, where `c` fits: `MIN / -1` needs that bit.
fn narrow_signed(e: &mut Exprs, n: &Node) -> Option<Expr> {
    let a = e.one(Op::SExt, n.operand(0))?;
    let c = signed(n.width(), e.as_constant(n.operand(1))?);
    let width = e.width(a) + 1;
    let limit = 1i128 << (width - 2);
    if c == 0 || width >= n.width() || !(-limit..limit).contains(&c) {
        return None;
    }
    let a = e.sext(width, a);
    let c = e.constant(width, c as u128);
    let narrow = e.binary(n.op(), a, c);
    Some(e.sext(n.width(), narrow))
}
