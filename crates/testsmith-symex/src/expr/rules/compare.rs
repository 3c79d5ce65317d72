//! Comparisons: what bounds decide, what can be asked at a smaller width, what can be asked of a simpler operand.

use super::*;

pub(super) const EQ: &[Rule] = &[
    rule("eq-self", |_, n| (n.operand(0) == n.operand(1)).then_some(Exprs::TRUE)),
    rule("eq-bool", |e, n| {
        if e.width(n.operand(0)) != 1 {
            return None;
        }
        match e.as_constant(n.operand(1)) {
            Some(1) => Some(n.operand(0)),
            Some(_) => Some(e.not(n.operand(0))),
            None => {
                let differ = e.xor(n.operand(0), n.operand(1));
                Some(e.not(differ))
            }
        }
    }),
    rule("eq-bounds", |e, n| {
        let (a, b) = (e.bounds(n.operand(0)), e.bounds(n.operand(1)));
        (a.1 < b.0 || b.1 < a.0).then_some(Exprs::FALSE)
    }),
    rule("eq-zext", |e, n| {
        let (a, b) = narrow(e, n, Op::ZExt)?;
        Some(e.eq(a, b))
    }),
    rule("eq-sext", |e, n| {
        if let Some((a, b)) = narrow(e, n, Op::SExt) {
            return Some(e.eq(a, b));
        }
        e.one(Op::SExt, n.operand(0))?;
        // The constant is no extension, so it is never met.
        e.is_constant(n.operand(1)).then_some(Exprs::FALSE)
    }),
    rule("eq-concat", |e, n| {
        let (high, low) = e.two(Op::Concat, n.operand(0)).or_else(|| e.two(Op::Concat, n.operand(1)))?;
        let (a, b) = (n.operand(0), n.operand(1));
        if !e.narrows(a) || !e.narrows(b) || [a, b].iter().any(|&x| e.op(x) == Op::SExt) {
            return None;
        }
        let by = e.width(low);
        let width = e.width(high);
        let high = (e.extract(by, width, a), e.extract(by, width, b));
        let low = (e.extract(0, by, a), e.extract(0, by, b));
        let high = e.eq(high.0, high.1);
        let low = e.eq(low.0, low.1);
        Some(e.and(high, low))
    }),
    rule("eq-not", |e, n| {
        let a = e.one(Op::Not, n.operand(0))?;
        if let Some(b) = e.one(Op::Not, n.operand(1)) {
            return Some(e.eq(a, b));
        }
        let c = e.as_constant(n.operand(1))?;
        let flipped = e.constant(e.width(a), !c);
        Some(e.eq(a, flipped))
    }),
    rule("eq-moved-constant", |e, n| {
        // x + a == b, a - x == b, x ^ a == b
        let b = e.as_constant(n.operand(1))?;
        let width = e.width(n.operand(1));
        let (x, c) = match e.with_constant(Op::Add, n.operand(0)) {
            Some((x, a)) => (x, b.wrapping_sub(a)),
            None => match e.with_constant(Op::Xor, n.operand(0)) {
                Some((x, a)) => (x, a ^ b),
                None => {
                    let (a, x) = e.two(Op::Sub, n.operand(0))?;
                    (x, e.as_constant(a)?.wrapping_sub(b))
                }
            },
        };
        let c = e.constant(width, c);
        Some(e.eq(x, c))
    }),
    rule("eq-difference", |e, n| {
        let (a, b) = e.two(Op::Sub, n.operand(0)).or_else(|| e.two(Op::Xor, n.operand(0)))?;
        (e.as_constant(n.operand(1))? == 0).then(|| e.eq(a, b))
    }),
    rule("eq-no-bit", |e, n| {
        // a | b == 0
        let (a, b) = e.two(Op::Or, n.operand(0)).filter(|_| e.as_constant(n.operand(1)) == Some(0))?;
        let zero = n.operand(1);
        let (a, b) = (e.eq(a, zero), e.eq(b, zero));
        Some(e.and(a, b))
    }),
    rule("eq-common-term", |e, n| {
        // x + a == x + b, and x + a == x
        let (a, b) = (n.operand(0), n.operand(1));
        let terms = |e: &Exprs, x: Expr| e.two(Op::Add, x);
        match (terms(e, a), terms(e, b)) {
            (Some((p, q)), Some((r, s))) => {
                let pairs = [(p, q, r, s), (p, q, s, r), (q, p, r, s), (q, p, s, r)];
                let (_, q, _, s) = pairs.into_iter().find(|(p, _, r, _)| p == r)?;
                Some(e.eq(q, s))
            }
            (Some((p, q)), None) | (None, Some((p, q))) => {
                let whole = if terms(e, a).is_some() { b } else { a };
                let (_, q) = [(p, q), (q, p)].into_iter().find(|&(p, _)| p == whole)?;
                let zero = e.zero(e.width(q));
                Some(e.eq(q, zero))
            }
            _ => None,
        }
    }),
    rule("eq-odd-product", |e, n| {
        // An odd factor has an inverse modulo 2^width.
        let b = e.as_constant(n.operand(1))?;
        let (x, factor) = e.with_constant(Op::Mul, n.operand(0)).filter(|(_, factor)| factor % 2 == 1)?;
        let c = e.constant(e.width(x), b.wrapping_mul(inverse(factor)));
        Some(e.eq(x, c))
    }),
    rule("eq-quotient", |e, n| {
        // x / c == k asks for c * k <= x < c * (k + 1).
        let k = e.as_constant(n.operand(1))?;
        let (x, c) = e.with_constant(Op::UDiv, n.operand(0)).filter(|&(_, c)| c != 0)?;
        let width = e.width(x);
        let greatest = mask(width) / c;
        if k > greatest {
            return Some(Exprs::FALSE);
        }
        let low = e.constant(width, c * k);
        if k == greatest {
            return Some(e.ule(low, x));
        }
        let above = e.sub(x, low);
        let size = e.constant(width, c);
        Some(e.ult(above, size))
    }),
    rule("eq-choice", |e, n| {
        let (condition, then, otherwise) = e.as_ite(n.operand(0))?;
        let known = e.is_constant(then) || e.is_constant(otherwise);
        choice(e, n.operand(1), condition, then, otherwise, known, Exprs::eq)
    }),
];

pub(super) const ULT: &[Rule] = &[
    rule("ult-self", |_, n| (n.operand(0) == n.operand(1)).then_some(Exprs::FALSE)),
    rule("ult-bounds", |e, n| {
        let (a, b) = (e.bounds(n.operand(0)), e.bounds(n.operand(1)));
        match () {
            () if a.1 < b.0 => Some(Exprs::TRUE),
            () if b.1 <= a.0 => Some(Exprs::FALSE),
            () => None,
        }
    }),
    rule("ult-bool", |e, n| {
        (e.width(n.operand(0)) == 1).then(|| {
            let not = e.not(n.operand(0));
            e.and(not, n.operand(1))
        })
    }),
    rule("ult-edge", |e, n| {
        // 0 < x, x < 1, x < max, max - 1 < x: one value is asked for or excluded.
        let (a, b) = (n.operand(0), n.operand(1));
        let most = mask(e.width(a));
        match (e.as_constant(a), e.as_constant(b)) {
            (Some(0), _) => Some(e.ne(b, a)),
            (_, Some(1)) => {
                let zero = e.zero(e.width(a));
                Some(e.eq(a, zero))
            }
            (_, Some(c)) if c == most => Some(e.ne(a, b)),
            (Some(c), _) if c == most - 1 => {
                let most = e.constant(e.width(a), most);
                Some(e.eq(b, most))
            }
            _ => None,
        }
    }),
    rule("ult-zext", |e, n| {
        let (a, b) = narrow(e, n, Op::ZExt)?;
        Some(e.ult(a, b))
    }),
    rule("ult-sext", |e, n| {
        // Extending the sign keeps the unsigned order too.
        let (a, b) = narrow(e, n, Op::SExt)?;
        Some(e.ult(a, b))
    }),
    rule("ult-quotient", |e, n| {
        // x / c < k and k < x / c as comparisons of x.
        if let (Some((x, c)), Some(k)) =
            (e.with_constant(Op::UDiv, n.operand(0)), e.as_constant(n.operand(1)))
        {
            let product = c.checked_mul(k).filter(|&product| c != 0 && product <= mask(e.width(x)))?;
            let product = e.constant(e.width(x), product);
            return Some(e.ult(x, product));
        }
        let (x, c) = e.with_constant(Op::UDiv, n.operand(1))?;
        let k = e.as_constant(n.operand(0))?.checked_add(1)?;
        let product = c.checked_mul(k).filter(|&product| c != 0 && product <= mask(e.width(x)))?;
        let product = e.constant(e.width(x), product);
        Some(e.ule(product, x))
    }),
    rule("ult-choice", |e, n| ordered_choice(e, n, Exprs::ult)),
];

pub(super) const SLT: &[Rule] = &[
    rule("slt-self", |_, n| (n.operand(0) == n.operand(1)).then_some(Exprs::FALSE)),
    rule("slt-edge", |e, n| {
        let (a, b) = (n.operand(0), n.operand(1));
        let (greatest, least) = (mask(e.width(a)) / 2, mask(e.width(a)) / 2 + 1);
        match (e.as_constant(a), e.as_constant(b)) {
            (Some(c), _) if c == greatest => Some(Exprs::FALSE),
            (_, Some(c)) if c == least => Some(Exprs::FALSE),
            (Some(c), _) if c == least => Some(e.ne(b, a)),
            (_, Some(c)) if c == greatest => Some(e.ne(a, b)),
            _ => None,
        }
    }),
    rule("slt-natural", |e, n| {
        // Operands on one side of zero compare as unsigned ones; operands on different sides are decided.
        let (a, b) = (e.bounds(n.operand(0)), e.bounds(n.operand(1)));
        let greatest = mask(e.width(n.operand(0))) / 2;
        let (natural, negative) = (|x: (u128, u128)| x.1 <= greatest, |x: (u128, u128)| x.0 > greatest);
        match () {
            () if natural(a) && negative(b) => Some(Exprs::FALSE),
            () if negative(a) && natural(b) => Some(Exprs::TRUE),
            () if natural(a) && natural(b) || negative(a) && negative(b) => {
                Some(e.ult(n.operand(0), n.operand(1)))
            }
            () => None,
        }
    }),
    rule("slt-sext", |e, n| {
        if let Some((a, b)) = narrow(e, n, Op::SExt) {
            return Some(e.slt(a, b));
        }
        // A constant that the narrow width does not have: it is below or above everything.
        let (a, b) = (n.operand(0), n.operand(1));
        let width = e.width(a);
        match (e.one(Op::SExt, a), e.one(Op::SExt, b)) {
            (Some(_), None) => Some(e.truth(signed(width, e.as_constant(b)?) > 0)),
            (None, Some(_)) => Some(e.truth(signed(width, e.as_constant(a)?) < 0)),
            _ => None,
        }
    }),
    rule("slt-choice", |e, n| ordered_choice(e, n, Exprs::slt)),
];

/// Both operands without the same extension, as wide as the wider one needs; a constant counts where it is an extension.
fn narrow(e: &mut Exprs, n: &Node, op: Op) -> Option<(Expr, Expr)> {
    let (a, b) = (n.operand(0), n.operand(1));
    let full = e.width(a);
    let inner = |x: Expr| e.one(op, x).map(|inner| e.width(inner));
    let width = match (inner(a), inner(b)) {
        (Some(a), Some(b)) => a.max(b),
        (Some(width), None) => fits(e, b, width, op)?,
        (None, Some(width)) => fits(e, a, width, op)?,
        (None, None) => return None,
    };
    (width < full).then(|| (e.extract(0, width, a), e.extract(0, width, b)))
}

/// The width, if the constant is one that was extended from it.
fn fits(e: &Exprs, constant: Expr, width: u32, op: Op) -> Option<u32> {
    let value = e.as_constant(constant)?;
    let low = value & mask(width);
    let back = if op == Op::ZExt { low } else { signed(width, low) as u128 & mask(e.width(constant)) };
    (back == value).then_some(width)
}

/// A choice compared: each arm is compared, where that leaves at most one comparison.
fn choice(
    e: &mut Exprs,
    other: Expr,
    condition: Expr,
    then: Expr,
    otherwise: Expr,
    known: bool,
    compare: impl Fn(&mut Exprs, Expr, Expr) -> Expr,
) -> Option<Expr> {
    if !e.is_constant(other) || !known {
        return None;
    }
    let then = compare(e, then, other);
    let otherwise = compare(e, otherwise, other);
    Some(e.ite(condition, then, otherwise))
}

fn ordered_choice(e: &mut Exprs, n: &Node, less: fn(&mut Exprs, Expr, Expr) -> Expr) -> Option<Expr> {
    if let Some((condition, then, otherwise)) = e.as_ite(n.operand(0)) {
        let known = e.is_constant(then) || e.is_constant(otherwise);
        return choice(e, n.operand(1), condition, then, otherwise, known, less);
    }
    let (condition, then, otherwise) = e.as_ite(n.operand(1))?;
    let known = e.is_constant(then) || e.is_constant(otherwise);
    choice(e, n.operand(0), condition, then, otherwise, known, |e, arm, other| less(e, other, arm))
}

/// The inverse of an odd number modulo 2^128: each step doubles the bits that are right.
fn inverse(odd: u128) -> u128 {
    let mut inverse = odd;
    for _ in 0..7 {
        inverse = inverse.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}
