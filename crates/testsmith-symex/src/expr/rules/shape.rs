//! Choices, extractions, concatenations, extensions: what only moves bits.

use super::*;

pub(super) const ITE: &[Rule] = &[
    rule("ite-constant", |e, n| {
        let condition = e.as_constant(n.operand(0))?;
        Some(if condition == 1 { n.operand(1) } else { n.operand(2) })
    }),
    rule("ite-same", |_, n| (n.operand(1) == n.operand(2)).then(|| n.operand(1))),
    rule("ite-not", |e, n| {
        let condition = e.one(Op::Not, n.operand(0))?;
        Some(e.ite(condition, n.operand(2), n.operand(1)))
    }),
    rule("ite-bool", |e, n| {
        if n.width() != 1 {
            return None;
        }
        let (c, a, b) = (n.operand(0), n.operand(1), n.operand(2));
        match (e.as_constant(a), e.as_constant(b)) {
            (Some(1), _) => Some(e.or(c, b)),
            (_, Some(0)) => Some(e.and(c, a)),
            (Some(_), _) => {
                let c = e.not(c);
                Some(e.and(c, b))
            }
            (_, Some(_)) => {
                let c = e.not(c);
                Some(e.or(c, a))
            }
            _ => None,
        }
    }),
    rule("ite-bit", |e, n| match (e.as_constant(n.operand(1))?, e.as_constant(n.operand(2))?) {
        (1, 0) => Some(e.zext(n.width(), n.operand(0))),
        (0, 1) => {
            let condition = e.not(n.operand(0));
            Some(e.zext(n.width(), condition))
        }
        _ => None,
    }),
    rule("ite-repeated", |e, n| {
        // The same condition below.
        let c = n.operand(0);
        let below = |x: Expr| e.as_ite(x).filter(|&(inner, ..)| inner == c);
        let then = below(n.operand(1)).map_or(n.operand(1), |(_, then, _)| then);
        let otherwise = below(n.operand(2)).map_or(n.operand(2), |(.., otherwise)| otherwise);
        let changed = (then, otherwise) != (n.operand(1), n.operand(2));
        changed.then(|| e.ite(c, then, otherwise))
    }),
    rule("ite-equal-arm", |e, n| {
        // c1 ? a : (c2 ? a : b)
        let (c2, a, b) = e.as_ite(n.operand(2))?;
        if a == n.operand(1) {
            let c = e.or(n.operand(0), c2);
            return Some(e.ite(c, a, b));
        }
        (b == n.operand(1)).then(|| {
            let not = e.not(c2);
            let c = e.or(n.operand(0), not);
            e.ite(c, b, a)
        })
    }),
    rule("ite-of-compared", |e, n| {
        // x == k ? k : x
        let (x, k) = e.two(Op::Eq, n.operand(0))?;
        let arms = (n.operand(1), n.operand(2));
        (arms == (k, x) || arms == (x, k)).then(|| n.operand(2))
    }),
    rule("ite-extension", |e, n| {
        let (then, otherwise) = (n.operand(1), n.operand(2));
        let inner = |x: Expr| e.one(Op::ZExt, x).map(|inner| e.width(inner));
        let needed = |x: Expr| e.as_constant(x).map(|c| 128 - c.leading_zeros());
        let width = match (inner(then), inner(otherwise)) {
            (Some(a), Some(b)) => a.max(b),
            (Some(a), None) => a.max(needed(otherwise)?),
            (None, Some(b)) => b.max(needed(then)?),
            (None, None) => return None,
        };
        if width == n.width() {
            return None;
        }
        let then = e.extract(0, width, then);
        let otherwise = e.extract(0, width, otherwise);
        let narrow = e.ite(n.operand(0), then, otherwise);
        Some(e.zext(n.width(), narrow))
    }),
];

pub(super) const EXTRACT: &[Rule] = &[
    rule("extract-extract", |e, n| {
        let inner = e.node(n.operand(0));
        (inner.op() == Op::Extract).then(|| e.extract(inner.low() + n.low(), n.width(), inner.operand(0)))
    }),
    rule("extract-concat", |e, n| {
        let (high, low) = e.two(Op::Concat, n.operand(0))?;
        let cut = e.width(low);
        if n.low() >= cut {
            return Some(e.extract(n.low() - cut, n.width(), high));
        }
        if n.low() + n.width() <= cut {
            return Some(e.extract(n.low(), n.width(), low));
        }
        let high = e.extract(0, n.low() + n.width() - cut, high);
        let low = e.extract(n.low(), cut - n.low(), low);
        Some(e.concat(high, low))
    }),
    rule("extract-zext", |e, n| {
        let a = e.one(Op::ZExt, n.operand(0))?;
        let cut = e.width(a);
        if n.low() >= cut {
            return Some(e.zero(n.width()));
        }
        let low = e.extract(n.low(), n.width().min(cut - n.low()), a);
        Some(e.zext(n.width(), low))
    }),
    rule("extract-sext", |e, n| {
        let a = e.one(Op::SExt, n.operand(0))?;
        let low = n.low().min(e.width(a) - 1);
        let part = e.extract(low, n.width().min(e.width(a) - low), a);
        Some(e.sext(n.width(), part))
    }),
    rule("extract-ite", |e, n| {
        let (condition, then, otherwise) = e.as_ite(n.operand(0))?;
        if !e.is_constant(then) && !e.is_constant(otherwise) {
            return None;
        }
        let then = e.extract(n.low(), n.width(), then);
        let otherwise = e.extract(n.low(), n.width(), otherwise);
        Some(e.ite(condition, then, otherwise))
    }),
    rule("extract-bitwise", |e, n| {
        let inner = e.node(n.operand(0));
        if !matches!(inner.op(), Op::And | Op::Or | Op::Xor) {
            return None;
        }
        let simpler = e.is_constant(inner.operand(1)) || inner.operands().all(|operand| e.narrows(operand));
        if !simpler {
            return None;
        }
        let a = e.extract(n.low(), n.width(), inner.operand(0));
        let b = e.extract(n.low(), n.width(), inner.operand(1));
        Some(e.binary(inner.op(), a, b))
    }),
    rule("extract-not", |e, n| {
        let inner = e.one(Op::Not, n.operand(0))?;
        let part = e.extract(n.low(), n.width(), inner);
        Some(e.not(part))
    }),
    rule("extract-low-arithmetic", |e, n| {
        // The low bits of a sum depend on the low bits of its operands alone.
        let inner = e.node(n.operand(0));
        let arithmetic = matches!(inner.op(), Op::Add | Op::Sub | Op::Mul);
        if n.low() != 0 || !arithmetic || !inner.operands().all(|operand| e.narrows(operand)) {
            return None;
        }
        let a = e.extract(0, n.width(), inner.operand(0));
        let b = e.extract(0, n.width(), inner.operand(1));
        Some(e.binary(inner.op(), a, b))
    }),
];

pub(super) const CONCAT: &[Rule] = &[
    rule("concat-zero", |e, n| (e.as_constant(n.operand(0))? == 0).then(|| e.zext(n.width(), n.operand(1)))),
    rule("concat-zext", |e, n| {
        let a = e.one(Op::ZExt, n.operand(0))?;
        let narrow = e.concat(a, n.operand(1));
        Some(e.zext(n.width(), narrow))
    }),
    rule("concat-right", |e, n| {
        let (a, b) = e.two(Op::Concat, n.operand(0))?;
        let low = e.concat(b, n.operand(1));
        Some(e.concat(a, low))
    }),
    rule("concat-adjacent", |e, n| {
        let (next, rest) = match e.two(Op::Concat, n.operand(1)) {
            Some((next, rest)) => (next, Some(rest)),
            None => (n.operand(1), None),
        };
        let joined = join(e, n.operand(0), next)?;
        Some(rest.map_or(joined, |rest| e.concat(joined, rest)))
    }),
    rule("concat-sign", |e, n| {
        // Copies of the sign above a value are its extension, as they come back from memory byte by byte.
        let sign = e.one(Op::SExt, n.operand(0)).unwrap_or(n.operand(0));
        if e.width(sign) != 1 {
            return None;
        }
        let (next, rest) = match e.two(Op::Concat, n.operand(1)) {
            Some((next, rest)) => (next, Some(rest)),
            None => (n.operand(1), None),
        };
        let value = e.one(Op::SExt, next).unwrap_or(next);
        if e.extract(e.width(value) - 1, 1, value) != sign {
            return None;
        }
        let extended = e.sext(e.width(n.operand(0)) + e.width(next), next);
        Some(rest.map_or(extended, |rest| e.concat(extended, rest)))
    }),
];

/// Two neighbouring parts of one expression as one part; two constants as one.
pub(super) fn join(e: &mut Exprs, high: Expr, low: Expr) -> Option<Expr> {
    if let (Some(a), Some(b)) = (e.as_constant(high), e.as_constant(low)) {
        let (width, by) = (e.width(high) + e.width(low), e.width(low));
        return Some(e.constant(width, a << by | b));
    }
    let part = |x: Expr| match e.node(x) {
        node if node.op() == Op::Extract => (node.operand(0), node.low()),
        _ => (x, 0),
    };
    let ((a, from), (b, to)) = (part(high), part(low));
    let adjacent = a == b && e.op(high) == Op::Extract && from == to + e.width(low);
    adjacent.then(|| e.extract(to, e.width(high) + e.width(low), a))
}

pub(super) const ZEXT: &[Rule] = &[rule("zext-zext", |e, n| {
    let a = e.one(Op::ZExt, n.operand(0))?;
    Some(e.zext(n.width(), a))
})];

pub(super) const SEXT: &[Rule] = &[
    rule("sext-sext", |e, n| {
        let a = e.one(Op::SExt, n.operand(0))?;
        Some(e.sext(n.width(), a))
    }),
    rule("sext-zext", |e, n| {
        let a = e.one(Op::ZExt, n.operand(0))?;
        Some(e.zext(n.width(), a))
    }),
    rule("sext-ite", |e, n| {
        let (condition, then, otherwise) = e.as_ite(n.operand(0))?;
        if !e.is_constant(then) || !e.is_constant(otherwise) {
            return None;
        }
        let (then, otherwise) = (e.sext(n.width(), then), e.sext(n.width(), otherwise));
        Some(e.ite(condition, then, otherwise))
    }),
];
