//! Mutant-killing conditions: under which condition on the inputs a mutant computes another value than the original at its
//! site (Zhang et al., *Test Generation via Dynamic Symbolic Execution for Mutation Testing*, Table II).
//!
//! With `exc` for "the operation panics" and `v` for its value, of the original `o` and of the mutant `m`:
//! `exc_o ≠ exc_m ∨ (¬exc_o ∧ ¬exc_m ∧ v_o ≠ v_m)`, at the operands' own width. The paper separates what throws from the
//! condition for the same reason: nobody may compute a value that is not there. Operators are the bytes of the run-time library.

use super::operand::{Operand, Type};
use crate::expr::{Expr, Exprs, Op};

/// What a site does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// Compares: `<`, `l` (<=), `>`, `g` (>=), `=`, `!`.
    Compare,
    /// Computes: `+ - * / %`, `& | ^`, `L` (<<), `R` (>>).
    Combine,
    /// Changes one value: `a` (absolute), `n` (negated absolute), `-`, `!`, `+` (plus one), `d` (minus one).
    Change,
}

impl Class {
    pub(super) fn from_number(number: u32) -> Option<Self> {
        match number {
            0 => Some(Self::Compare),
            1 => Some(Self::Combine),
            2 => Some(Self::Change),
            _ => None,
        }
    }
}

/// What an operation gives: a value, or a panic under a condition.
struct Computed {
    panics: Expr,
    value: Expr,
}

/// The condition of a mutant with this operator; for a change, `original` is not used. Nothing where it is not known.
pub fn infection(
    exprs: &mut Exprs,
    class: Class,
    [original, mutant]: [u8; 2],
    operands: &[Operand],
) -> Option<Expr> {
    match (class, operands) {
        (Class::Compare, [l, r]) => {
            let (o, m) = (compare(exprs, original, l, r)?, compare(exprs, mutant, l, r)?);
            Some(exprs.xor(o, m))
        }
        (Class::Combine, [l, r]) => {
            let (o, m) = (combine(exprs, original, l, r)?, combine(exprs, mutant, l, r)?);
            Some(differs(exprs, &o, &m))
        }
        (Class::Change, [value]) => change(exprs, mutant, value),
        _ => None,
    }
}

/// `exc_o ≠ exc_m ∨ (¬exc_o ∧ ¬exc_m ∧ v_o ≠ v_m)`
fn differs(exprs: &mut Exprs, o: &Computed, m: &Computed) -> Expr {
    let one_panics = exprs.xor(o.panics, m.panics);
    let any_panics = exprs.or(o.panics, m.panics);
    let none_panics = exprs.not(any_panics);
    let other_value = exprs.ne(o.value, m.value);
    let both = exprs.and(none_panics, other_value);
    exprs.or(one_panics, both)
}

/// `l op r` as a truth value.
fn compare(exprs: &mut Exprs, op: u8, l: &Operand, r: &Operand) -> Option<Expr> {
    let (op, l, r) = match op {
        b'>' => (b'<', r, l),
        b'g' => (b'l', r, l),
        op => (op, l, r),
    };
    if l.ty != r.ty {
        return None;
    }
    if let b'=' | b'!' = op {
        let equal = equal(exprs, l, r)?;
        return Some(if op == b'=' { equal } else { exprs.not(equal) });
    }
    if l.ty == Type::Text {
        let (less, other) = (less_text(exprs, l, r), less_text(exprs, r, l));
        return match op {
            b'<' => Some(less),
            b'l' => Some(exprs.not(other)),
            _ => None,
        };
    }
    let (a, b) = (l.value()?, r.value()?);
    let is_signed = matches!(l.ty, Type::Int { signed: true, .. });
    let is_float = matches!(l.ty, Type::Float(_));
    match op {
        b'<' if is_float => Some(exprs.flt(a, b)),
        b'l' if is_float => Some(exprs.fle(a, b)),
        b'<' if is_signed => Some(exprs.slt(a, b)),
        b'l' if is_signed => Some(exprs.sle(a, b)),
        b'<' => Some(exprs.ult(a, b)),
        b'l' => Some(exprs.ule(a, b)),
        _ => None,
    }
}

fn equal(exprs: &mut Exprs, l: &Operand, r: &Operand) -> Option<Expr> {
    match l.ty {
        Type::Text if l.parts.len() != r.parts.len() => Some(Exprs::FALSE),
        Type::Text => {
            let pairs: Vec<_> = l.parts.iter().zip(&r.parts).map(|(a, b)| exprs.eq(*a, *b)).collect();
            Some(exprs.all(pairs))
        }
        Type::Float(_) => Some(exprs.feq(l.value()?, r.value()?)),
        _ => Some(exprs.eq(l.value()?, r.value()?)),
    }
}

/// Whether one text stands before another: `a₀ < b₀ ∨ (a₀ = b₀ ∧ (a₁ < b₁ ∨ …))`.
fn less_text(exprs: &mut Exprs, l: &Operand, r: &Operand) -> Expr {
    let pairs: Vec<_> = l.parts.iter().zip(&r.parts).rev().collect();
    let shorter = exprs.truth(l.parts.len() < r.parts.len());
    pairs.into_iter().fold(shorter, |rest, (a, b)| {
        let (less, same) = (exprs.ult(*a, *b), exprs.eq(*a, *b));
        let later = exprs.and(same, rest);
        exprs.or(less, later)
    })
}

fn combine(exprs: &mut Exprs, op: u8, l: &Operand, r: &Operand) -> Option<Computed> {
    let (a, b) = (l.value()?, r.value()?);
    let value = |value| Some(Computed { panics: Exprs::FALSE, value });
    match (l.ty, r.ty) {
        (Type::Int { signed, bits }, Type::Int { signed: by_signed, bits: by })
            if matches!(op, b'L' | b'R') =>
        {
            let _ = by_signed;
            Some(shift(exprs, op, (a, signed, bits), (b, by)))
        }
        (l, r) if l != r => None,
        (Type::Int { signed, bits }, _) => integer(exprs, op, a, b, signed, bits),
        (Type::Float(_), _) => match op {
            b'+' => value(exprs.fadd(a, b)),
            b'-' => value(exprs.fsub(a, b)),
            b'*' => value(exprs.fmul(a, b)),
            b'/' => value(exprs.fdiv(a, b)),
            _ => None,
        },
        (Type::Bool, _) => value(bitwise(exprs, op, a, b)?),
        _ => None,
    }
}

fn bitwise(exprs: &mut Exprs, op: u8, a: Expr, b: Expr) -> Option<Expr> {
    match op {
        b'&' => Some(exprs.and(a, b)),
        b'|' => Some(exprs.or(a, b)),
        b'^' => Some(exprs.xor(a, b)),
        _ => None,
    }
}

/// Integers with overflow checks, as the meta-program is built.
fn integer(exprs: &mut Exprs, op: u8, a: Expr, b: Expr, signed: bool, bits: u32) -> Option<Computed> {
    let panics = match op {
        b'+' | b'-' => overflows(exprs, op, a, b, signed),
        b'*' => product_overflows(exprs, a, b, signed, bits)?,
        b'/' | b'%' => has_no_quotient(exprs, a, b, signed),
        _ => Exprs::FALSE,
    };
    let value = match (op, signed) {
        (b'+', _) => exprs.add(a, b),
        (b'-', _) => exprs.sub(a, b),
        (b'*', _) => exprs.mul(a, b),
        (b'/', true) => exprs.sdiv(a, b),
        (b'/', false) => exprs.udiv(a, b),
        (b'%', true) => exprs.srem(a, b),
        (b'%', false) => exprs.urem(a, b),
        _ => bitwise(exprs, op, a, b)?,
    };
    Some(Computed { panics, value })
}

/// Signed: the operands' signs do not allow the sign of the result. Unsigned: the result is on the wrong side.
fn overflows(exprs: &mut Exprs, op: u8, a: Expr, b: Expr, signed: bool) -> Expr {
    let is_sum = op == b'+';
    let result = if is_sum { exprs.add(a, b) } else { exprs.sub(a, b) };
    if !signed {
        return if is_sum { exprs.ult(result, a) } else { exprs.ult(a, b) };
    }
    let zero = exprs.constant(exprs.width(a), 0);
    let [a, b, result] = [a, b, result].map(|value| exprs.slt(value, zero));
    let b = if is_sum { b } else { exprs.not(b) };
    let (from_a, from_b) = (exprs.xor(a, result), exprs.xor(b, result));
    exprs.and(from_a, from_b)
}

/// The product at twice the width is not the product. Nothing for what has no twice the width.
fn product_overflows(exprs: &mut Exprs, a: Expr, b: Expr, signed: bool, bits: u32) -> Option<Expr> {
    if bits > 64 {
        return None;
    }
    let widen = |exprs: &mut Exprs, value| match signed {
        true => exprs.sext(2 * bits, value),
        false => exprs.zext(2 * bits, value),
    };
    let (wide_a, wide_b) = (widen(exprs, a), widen(exprs, b));
    let exact = exprs.mul(wide_a, wide_b);
    let narrow = exprs.mul(a, b);
    let narrow = widen(exprs, narrow);
    Some(exprs.ne(exact, narrow))
}

/// The divisor is zero, or the least number is divided by -1.
fn has_no_quotient(exprs: &mut Exprs, a: Expr, b: Expr, signed: bool) -> Expr {
    let width = exprs.width(a);
    let zero = exprs.constant(width, 0);
    let by_zero = exprs.eq(b, zero);
    if !signed {
        return by_zero;
    }
    let (least, ones) = (exprs.constant(width, 1 << (width - 1)), exprs.constant(width, u128::MAX));
    let (is_least, is_minus_one) = (exprs.eq(a, least), exprs.eq(b, ones));
    let too_large = exprs.and(is_least, is_minus_one);
    exprs.or(by_zero, too_large)
}

/// A shift panics where the amount is the width or more, or less than 0, which is more than the width when read unsigned.
fn shift(
    exprs: &mut Exprs,
    op: u8,
    (a, signed, bits): (Expr, bool, u32),
    (by, by_bits): (Expr, u32),
) -> Computed {
    let most = exprs.constant(by_bits, u128::from(bits - 1));
    let panics = exprs.ult(most, by);
    let amount = match by_bits.cmp(&bits) {
        std::cmp::Ordering::Less => exprs.zext(bits, by),
        std::cmp::Ordering::Equal => by,
        std::cmp::Ordering::Greater => exprs.extract(0, bits, by),
    };
    let op = match (op, signed) {
        (b'L', _) => Op::Shl,
        (_, true) => Op::AShr,
        (_, false) => Op::LShr,
    };
    Computed { panics, value: exprs.binary(op, a, amount) }
}

/// A change of one value: whether there is a change.
fn change(exprs: &mut Exprs, op: u8, operand: &Operand) -> Option<Expr> {
    let value = operand.value()?;
    match (operand.ty, op) {
        (Type::Int { signed: true, .. }, _) => {
            let zero = exprs.constant(exprs.width(value), 0);
            Some(match op {
                b'a' => exprs.slt(value, zero),
                b'n' => exprs.slt(zero, value),
                b'-' => exprs.ne(value, zero),
                _ => Exprs::TRUE,
            })
        }
        (Type::Float(bits), _) => {
            let zero = exprs.constant(bits, 0);
            let negative = exprs.slt(value, zero);
            let is_nan = exprs.is_nan(value);
            let is_number = exprs.not(is_nan);
            Some(match op {
                b'a' => negative,
                b'n' => exprs.not(negative),
                b'-' => is_number,
                _ => {
                    let infinity = exprs.float_constant(bits, f64::INFINITY);
                    let size = exprs.fabs(value);
                    exprs.flt(size, infinity)
                }
            })
        }
        (Type::Int { signed: false, .. } | Type::Bool, _) => Some(Exprs::TRUE),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Model;

    fn int(signed: bool, bits: u32) -> Type {
        Type::Int { signed, bits }
    }

    /// Whether the condition holds for these values, through variables.
    fn holds(class: Class, ops: [u8; 2], ty: Type, values: &[u128]) -> Option<bool> {
        let mut exprs = Exprs::new();
        let width = match ty {
            Type::Int { bits, .. } | Type::Float(bits) => bits,
            Type::Bool => 1,
            Type::Char => 32,
            Type::Text => 8,
        };
        let operands: Vec<Operand> = (0..values.len() as u32)
            .map(|number| Operand { ty, parts: vec![exprs.variable(number, width)] })
            .collect();
        let condition = infection(&mut exprs, class, ops, &operands)?;
        let model: Model = (0..).zip(values.iter().copied()).collect();
        Some(exprs.eval(condition, &model) != 0)
    }

    #[test]
    fn comparisons_differ_where_one_holds_and_the_other_does_not() {
        let at = |ops: &[u8; 2], a: i8, b: i8| {
            holds(Class::Compare, *ops, int(true, 8), &[a as u8 as u128, b as u8 as u128]).unwrap()
        };
        assert!(at(b"<l", 3, 3) && !at(b"<l", 2, 3) && !at(b"<l", 3, -1));
        assert!(at(b"=g", 4, -3) && !at(b"=g", 4, 4) && !at(b"=g", -4, 4));
        assert!(at(b"<>", -1, 1) && at(b"!=", 0, 0) && !at(b">g", 9, 1));
    }

    #[test]
    fn what_panics_in_one_of_them_differs_and_what_panics_in_both_does_not() {
        let at =
            |ops: &[u8; 2], a: u128, b: u128| holds(Class::Combine, *ops, int(false, 8), &[a, b]).unwrap();
        assert!(at(b"+-", 200, 100), "the sum overflows");
        assert!(!at(b"+*", 200, 100), "both overflow");
        assert!(!at(b"+-", 5, 0) && at(b"+-", 5, 1));
        assert!(at(b"*/", 5, 0) && !at(b"/%", 5, 0) && !at(b"*/", 5, 1));
        assert!(at(b"LR", 1, 1) && !at(b"LR", 1, 9) && !at(b"LR", 0, 3));
        let least = |b: u128| holds(Class::Combine, *b"/+", int(true, 8), &[0x80, b]).unwrap();
        assert!(!least(0xff), "both overflow");
        assert!(least(1));
    }

    /// Every pair of 4-bit values at the operands' own width, against plain arithmetic.
    #[test]
    fn conditions_agree_with_arithmetic() {
        let compute = |op: u8, a: i8, b: i8| match op {
            b'+' => a.checked_add(b),
            b'-' => a.checked_sub(b),
            b'*' => a.checked_mul(b),
            b'/' => a.checked_div(b),
            b'%' => a.checked_rem(b),
            b'&' => Some(a & b),
            b'|' => Some(a | b),
            b'^' => Some(a ^ b),
            b'L' => u32::try_from(b).ok().and_then(|b| a.checked_shl(b)),
            _ => u32::try_from(b).ok().and_then(|b| a.checked_shr(b)),
        };
        let values = [-128, -127, -100, -2, -1, 0, 1, 2, 7, 8, 11, 64, 126, 127];
        for original in *b"+-*/%&|^LR" {
            for mutant in *b"+-*/%&|^LR" {
                for (a, b) in values.iter().flat_map(|a| values.map(|b| (*a, b))) {
                    let expected = compute(original, a, b) != compute(mutant, a, b);
                    let operands = [a as u8 as u128, b as u8 as u128];
                    let found = holds(Class::Combine, [original, mutant], int(true, 8), &operands);
                    assert_eq!(found, Some(expected), "{a} {} -> {} {b}", original as char, mutant as char);
                }
            }
        }
    }

    #[test]
    fn texts_are_compared_byte_by_byte() {
        let mut exprs = Exprs::new();
        let mut text = |text: &str| Operand {
            ty: Type::Text,
            parts: text.bytes().map(|byte| exprs.constant(8, byte.into())).collect(),
        };
        let [ab, abc, b] = ["ab", "abc", "b"].map(&mut text);
        let mut differ = |ops: &[u8; 2], l: &Operand, r: &Operand| {
            infection(&mut exprs, Class::Compare, *ops, &[l.clone(), r.clone()]).unwrap() == Exprs::TRUE
        };
        assert!(differ(b"<l", &ab, &ab) && !differ(b"<l", &ab, &abc) && !differ(b"<l", &abc, &b));
        assert!(differ(b"=<", &ab, &b) && !differ(b"=<", &b, &ab));
    }
}
