//! Infection: would a mutant have computed another value here?
//!
//! `op1 α op2 ≠ op1 β op2` for the original operator α and the mutant's β, on the operands at hand. Operators are
//! single bytes: `<` `l` (<=) `>` `g` (>=) `=` `!`, `+ - * / %`, `& | ^`, `L` (<<) `R` (>>); changes of one value are
//! `a` (absolute), `n` (negated absolute), `-`, `!`, `+` (plus one), `d` (minus one).

use std::cmp::Ordering;

use crate::coverage_map::{INFECTED, REACHED, UNKNOWN};
use crate::prim::Prim;

/// Marks of the `k`-th mutant of a comparison.
pub(crate) fn compare(ops: &[u8], k: u32, l: &Prim<'_>, r: &Prim<'_>) -> u8 {
    let Some(ordering) = order(l, r) else { return REACHED | UNKNOWN };
    marks(ops, k, |op| Some(holds(op, ordering)))
}

/// Marks of the `k`-th mutant of an arithmetic, bit or shift operation.
pub(crate) fn combine(ops: &[u8], k: u32, l: &Prim<'_>, r: &Prim<'_>) -> u8 {
    match (*l, *r) {
        (Prim::Int(l, bits), Prim::Int(r, other)) if bits == other => {
            marks(ops, k, |op| signed(op, l, r, bits))
        }
        (Prim::Uint(l, bits), Prim::Uint(r, other)) if bits == other => {
            marks(ops, k, |op| unsigned(op, l, r, bits))
        }
        // Bit for bit: -0.0 and 0.0 can be told apart later.
        (Prim::Float(l), Prim::Float(r)) => marks(ops, k, |op| Some(float(op, l, r)?.to_bits())),
        (Prim::Bool(l), Prim::Bool(r)) => marks(ops, k, |op| match op {
            b'&' => Some(l & r),
            b'|' => Some(l | r),
            b'^' => Some(l ^ r),
            _ => None,
        }),
        _ => REACHED | UNKNOWN,
    }
}

/// Marks of the `k`-th change of one value.
pub(crate) fn change(ops: &[u8], k: u32, v: &Prim<'_>) -> u8 {
    let op = ops.get(k as usize).copied().unwrap_or_default();
    let same = match *v {
        Prim::Int(v, _) => match op {
            b'a' => v >= 0,
            b'n' => v <= 0,
            b'-' => v == 0,
            _ => false,
        },
        Prim::Float(v) => match op {
            b'a' => !v.is_sign_negative(),
            b'n' => v.is_sign_negative(),
            _ => v.is_nan() || v.is_infinite() && op != b'-',
        },
        Prim::Uint(..) | Prim::Bool(_) => false,
        Prim::Char(_) | Prim::Str(_) | Prim::Other => return REACHED | UNKNOWN,
    };
    if same {
        REACHED
    } else {
        REACHED | INFECTED
    }
}

/// Compares what the original and the mutant compute; `None` is a panic, and two of those are told apart by
/// their messages only.
fn marks<V: PartialEq>(ops: &[u8], k: u32, eval: impl Fn(u8) -> Option<V>) -> u8 {
    let (Some(original), Some(mutant)) = (ops.first(), ops.get(k as usize + 1)) else {
        return REACHED | UNKNOWN;
    };
    match (eval(*original), eval(*mutant)) {
        (None, None) => REACHED | UNKNOWN,
        (original, mutant) if original == mutant => REACHED,
        _ => REACHED | INFECTED,
    }
}

/// The order of two operands; the inner `None` is that of NaN.
fn order(l: &Prim<'_>, r: &Prim<'_>) -> Option<Option<Ordering>> {
    match (l, r) {
        (Prim::Int(l, _), Prim::Int(r, _)) => Some(Some(l.cmp(r))),
        (Prim::Uint(l, _), Prim::Uint(r, _)) => Some(Some(l.cmp(r))),
        (Prim::Float(l), Prim::Float(r)) => Some(l.partial_cmp(r)),
        (Prim::Bool(l), Prim::Bool(r)) => Some(Some(l.cmp(r))),
        (Prim::Char(l), Prim::Char(r)) => Some(Some(l.cmp(r))),
        (Prim::Str(l), Prim::Str(r)) => Some(Some(l.cmp(r))),
        _ => None,
    }
}

fn holds(op: u8, ordering: Option<Ordering>) -> bool {
    match op {
        b'<' => ordering == Some(Ordering::Less),
        b'l' => matches!(ordering, Some(Ordering::Less | Ordering::Equal)),
        b'>' => ordering == Some(Ordering::Greater),
        b'g' => matches!(ordering, Some(Ordering::Greater | Ordering::Equal)),
        b'=' => ordering == Some(Ordering::Equal),
        _ => ordering != Some(Ordering::Equal),
    }
}

/// `None` where the operation panics: overflow, division by zero, a shift by too much.
fn signed(op: u8, l: i128, r: i128, bits: u32) -> Option<i128> {
    let fits = |v: i128| {
        let unused = 128 - bits;
        (v << unused >> unused == v).then_some(v)
    };
    match op {
        b'+' => l.checked_add(r).and_then(fits),
        b'-' => l.checked_sub(r).and_then(fits),
        b'*' => l.checked_mul(r).and_then(fits),
        b'/' => l.checked_div(r).and_then(fits),
        // Like the division, it panics on `MIN % -1`.
        b'%' => l.checked_div(r).and_then(fits).and(l.checked_rem(r)),
        b'&' => Some(l & r),
        b'|' => Some(l | r),
        b'^' => Some(l ^ r),
        b'L' => {
            let unused = 128 - bits;
            shift(r, bits).map(|r| l << r << unused >> unused)
        }
        b'R' => shift(r, bits).map(|r| l >> r),
        _ => None,
    }
}

fn unsigned(op: u8, l: u128, r: u128, bits: u32) -> Option<u128> {
    let max = u128::MAX >> (128 - bits);
    let fits = |v: u128| (v <= max).then_some(v);
    match op {
        b'+' => l.checked_add(r).and_then(fits),
        b'-' => l.checked_sub(r),
        b'*' => l.checked_mul(r).and_then(fits),
        b'/' => l.checked_div(r),
        b'%' => l.checked_rem(r),
        b'&' => Some(l & r),
        b'|' => Some(l | r),
        b'^' => Some(l ^ r),
        b'L' => shift(i128::try_from(r).ok()?, bits).map(|r| l << r & max),
        b'R' => shift(i128::try_from(r).ok()?, bits).map(|r| l >> r),
        _ => None,
    }
}

fn shift(by: i128, bits: u32) -> Option<u32> {
    u32::try_from(by).ok().filter(|by| *by < bits)
}

fn float(op: u8, l: f64, r: f64) -> Option<f64> {
    match op {
        b'+' => Some(l + r),
        b'-' => Some(l - r),
        b'*' => Some(l * r),
        b'/' => Some(l / r),
        b'%' => Some(l % r),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Infected, not infected, unknown: one letter for each mutant.
    fn letters(n: u32, marks: impl Fn(u32) -> u8) -> String {
        (0..n)
            .map(|k| match marks(k) & !REACHED {
                INFECTED => 'y',
                UNKNOWN => '?',
                _ => '-',
            })
            .collect()
    }

    #[test]
    fn a_comparison_is_infected_where_the_other_operator_answers_differently() {
        let ops = b"<l>g=!";
        let with = |l: Prim<'_>, r: Prim<'_>| letters(5, |k| compare(ops, k, &l, &r));
        assert_eq!(with(Prim::Int(1, 32), Prim::Int(2, 32)), "-yyy-");
        assert_eq!(with(Prim::Int(2, 32), Prim::Int(2, 32)), "y-yy-");
        assert_eq!(with(Prim::Int(3, 32), Prim::Int(2, 32)), "-yy-y");
        assert_eq!(with(Prim::Float(f64::NAN), Prim::Float(1.0)), "----y");
        assert_eq!(with(Prim::Str("a"), Prim::Str("b")), "-yyy-");
        assert_eq!(with(Prim::Other, Prim::Other), "?????");
    }

    #[test]
    fn arithmetic_counts_overflow_and_division_by_zero_as_another_value() {
        let ops = b"+-*/%";
        let with = |l: Prim<'_>, r: Prim<'_>| letters(4, |k| combine(ops, k, &l, &r));
        assert_eq!(with(Prim::Uint(2, 8), Prim::Uint(2, 8)), "y-yy");
        assert_eq!(with(Prim::Uint(5, 8), Prim::Uint(0, 8)), "-yyy");
        assert_eq!(with(Prim::Uint(200, 8), Prim::Uint(100, 8)), "y?yy");
        assert_eq!(with(Prim::Int(-128, 8), Prim::Int(-1, 8)), "y???");
        assert_eq!(with(Prim::Float(0.0), Prim::Float(0.0)), "--yy");
        assert_eq!(with(Prim::Int(1, 32), Prim::Int(1, 64)), "????");
    }

    #[test]
    fn bits_and_shifts_keep_to_the_width_of_the_type() {
        let ops = b"LR";
        let with = |l: Prim<'_>, r: Prim<'_>| letters(1, |k| combine(ops, k, &l, &r));
        assert_eq!(with(Prim::Uint(0x80, 8), Prim::Uint(0, 8)), "-");
        assert_eq!(with(Prim::Uint(0x80, 8), Prim::Uint(8, 8)), "?");
        assert_eq!(with(Prim::Int(-128, 8), Prim::Int(1, 8)), "y");
        let ops = b"&|^";
        let with = |l: u128, r: u128| letters(2, |k| combine(ops, k, &Prim::Uint(l, 8), &Prim::Uint(r, 8)));
        assert_eq!(with(3, 3), "-y");
        assert_eq!(with(0, 0), "--");
    }

    #[test]
    fn a_change_of_one_value_is_infected_unless_it_is_its_own_image() {
        let ops = b"an-+d";
        let with = |v: Prim<'_>| letters(5, |k| change(ops, k, &v));
        assert_eq!(with(Prim::Int(3, 32)), "-yyyy");
        assert_eq!(with(Prim::Int(0, 32)), "---yy");
        assert_eq!(with(Prim::Int(-3, 32)), "y-yyy");
        assert_eq!(with(Prim::Other), "?????");
    }
}
