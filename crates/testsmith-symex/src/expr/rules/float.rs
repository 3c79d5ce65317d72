//! The few things that hold for floats whatever they are, not a number included.

use super::*;

pub(super) const COMPARE: &[Rule] = &[
    rule("float-compare-promoted", |e, n| {
        let (a, b) = (e.one(Op::FPromote, n.operand(0))?, e.one(Op::FPromote, n.operand(1))?);
        Some(e.binary(n.op(), a, b))
    }),
    rule("float-compare-nan", |e, n| {
        let nan = |e: &Exprs, x: Expr| e.as_constant(x).is_some_and(|bits| is_nan(e.width(x), bits));
        n.operands().any(|operand| nan(e, operand)).then_some(Exprs::FALSE)
    }),
    rule("float-compare-self", |_, n| {
        (n.op() == Op::FLt && n.operand(0) == n.operand(1)).then_some(Exprs::FALSE)
    }),
];

pub(super) const TO_INTEGER: &[Rule] = &[rule("float-round-trip", |e, n| {
    // An integer that the format holds exactly comes back.
    let from = e.node(n.operand(0));
    let same = matches!((from.op(), n.op()), (Op::FFromS, Op::FToS) | (Op::FFromU, Op::FToU));
    let exact = if from.width() == 64 { 53 } else { 24 };
    let (inner, signed) = (same.then(|| from.operand(0))?, n.op() == Op::FToS);
    let bits = e.bounds(inner).1;
    let small = e.width(inner) <= exact || bits >> exact == 0;
    if !small || e.width(inner) > n.width() {
        return None;
    }
    Some(if signed { e.sext(n.width(), inner) } else { e.zext(n.width(), inner) })
})];

fn is_nan(width: u32, bits: u128) -> bool {
    match width {
        32 => f32::from_bits(bits as u32).is_nan(),
        _ => f64::from_bits(bits as u64).is_nan(),
    }
}
