//! Branch distance: how far two operands are from making a comparison true, and from making it false.
//!
//! The usual table. For `l < r`: to true `l - r + 1` where it is false, to false `r - l` where it is true; for `l == r`:
//! to true `|l - r|`, to false 1. Where the answer is already the wanted one the distance is 0. The tool normalises.

use crate::prim::Prim;

/// Characters of a text that are compared.
const MOST_CHARS: usize = 256;

/// Distances to true and to false of `l op r`; `None` for operands that have none.
pub(super) fn of(op: u8, l: &Prim<'_>, r: &Prim<'_>) -> Option<(f64, f64)> {
    let (difference, apart) = match (*l, *r) {
        (Prim::Int(l, _), Prim::Int(r, _)) => {
            both(l.checked_sub(r).map_or(l as f64 - r as f64, |d| d as f64))
        }
        (Prim::Uint(l, bits), Prim::Uint(r, _)) if may_be_address(l.max(r), bits) => {
            both(if l >= r { FAR * f64::from(u8::from(l > r)) } else { -FAR })
        }
        (Prim::Uint(l, _), Prim::Uint(r, _)) => both(if l >= r { (l - r) as f64 } else { -((r - l) as f64) }),
        (Prim::Float(l), Prim::Float(r)) if l == r => both(0.0),
        (Prim::Float(l), Prim::Float(r)) => both(l - r),
        (Prim::Bool(l), Prim::Bool(r)) => both(f64::from(u8::from(l)) - f64::from(u8::from(r))),
        (Prim::Char(l), Prim::Char(r)) => both(chars(l, r)),
        (Prim::Str(l), Prim::Str(r)) => (order(l, r), edits(l, r)),
        _ => return None,
    };
    if difference.is_nan() {
        // Only `!=` holds, and no small step changes that.
        let never = f64::INFINITY;
        return Some(if op == b'!' { (0.0, never) } else { (never, 0.0) });
    }
    Some(match op {
        b'<' => (strictly(difference), at_most(-difference)),
        b'l' => (at_most(difference), strictly(-difference)),
        b'>' => (strictly(-difference), at_most(difference)),
        b'g' => (at_most(-difference), strictly(difference)),
        b'=' => (apart, f64::from(u8::from(apart == 0.0))),
        b'!' => (f64::from(u8::from(apart == 0.0)), apart),
        _ => return None,
    })
}

/// How far apart numbers are that may be addresses: these differ from process to process, and a search that follows them
/// cannot be repeated.
const FAR: f64 = (1u64 << 40) as f64;

pub(super) fn may_be_address(number: u128, bits: u32) -> bool {
    bits == 64 && number >= 1 << 40
}

fn both(difference: f64) -> (f64, f64) {
    (difference, difference.abs())
}

/// To `difference < 0`.
fn strictly(difference: f64) -> f64 {
    if difference < 0.0 {
        0.0
    } else {
        difference + 1.0
    }
}

/// To `difference <= 0`.
fn at_most(difference: f64) -> f64 {
    difference.max(0.0)
}

fn chars(l: char, r: char) -> f64 {
    f64::from(u32::from(l)) - f64::from(u32::from(r))
}

/// The difference that decides the order of two texts: that of the first two characters that differ, or of the lengths.
fn order(l: &str, r: &str) -> f64 {
    let differing = l.chars().zip(r.chars()).take(MOST_CHARS).find(|(l, r)| l != r);
    differing.map_or(l.len() as f64 - r.len() as f64, |(l, r)| chars(l, r))
}

/// One for each character that one text has more, and up to one for each that differs: less for a near one.
fn edits(l: &str, r: &str) -> f64 {
    if l == r {
        return 0.0;
    }
    let pairs = l.chars().zip(r.chars()).take(MOST_CHARS);
    let differing = pairs.map(|(l, r)| chars(l, r).abs()).map(|apart| apart / (apart + 1.0));
    let longer = l.chars().count().abs_diff(r.chars().count());
    // Texts that differ later than anyone looked are still not equal.
    let sum = differing.sum::<f64>() + longer as f64;
    if sum == 0.0 {
        1.0
    } else {
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(ops: &str, l: Prim<'_>, r: Prim<'_>, expected: &[(f64, f64)]) {
        for (op, expected) in ops.bytes().zip(expected) {
            assert_eq!(of(op, &l, &r), Some(*expected), "{l:?} {} {r:?}", op as char);
        }
    }

    #[test]
    fn numbers_have_the_distances_of_the_table() {
        let ops = "<l>g=!";
        let two_five = [(0.0, 3.0), (0.0, 4.0), (4.0, 0.0), (3.0, 0.0), (3.0, 0.0), (0.0, 3.0)];
        check(ops, Prim::Int(2, 32), Prim::Int(5, 32), &two_five);
        check(ops, Prim::Uint(2, 8), Prim::Uint(5, 8), &two_five);
        check(ops, Prim::Float(2.0), Prim::Float(5.0), &two_five);
        let equal = [(1.0, 0.0), (0.0, 1.0), (1.0, 0.0), (0.0, 1.0), (0.0, 1.0), (1.0, 0.0)];
        check(ops, Prim::Char('x'), Prim::Char('x'), &equal);
        check(ops, Prim::Float(f64::INFINITY), Prim::Float(f64::INFINITY), &equal);
        check(ops, Prim::Str("a"), Prim::Str("a"), &equal);
        check("=", Prim::Bool(true), Prim::Bool(false), &[(1.0, 0.0)]);
        check("<", Prim::Int(i128::MAX, 128), Prim::Int(i128::MIN, 128), &[(u128::MAX as f64, 0.0)]);
    }

    #[test]
    fn addresses_are_all_as_far_apart() {
        let (low, high) = (Prim::Uint(0x5555_5555_2000, 64), Prim::Uint(0x7fff_f7d8_2010, 64));
        check("<>=", low, high, &[(0.0, FAR), (FAR + 1.0, 0.0), (FAR, 0.0)]);
        check("=", high, high, &[(0.0, 1.0)]);
    }

    #[test]
    fn texts_are_as_far_apart_as_their_characters() {
        check("=<", Prim::Str("abc"), Prim::Str("abd"), &[(0.5, 0.0), (0.0, 1.0)]);
        check("=<", Prim::Str("abcde"), Prim::Str("abc"), &[(2.0, 0.0), (3.0, 0.0)]);
        check("=", Prim::Str(""), Prim::Str("xyz"), &[(3.0, 0.0)]);
        let long = "x".repeat(300);
        let other = format!("{}y", &long[..299]);
        check("=", Prim::Str(&long), Prim::Str(&other), &[(1.0, 0.0)]);
    }

    #[test]
    fn nan_is_far_from_everything_and_other_operands_have_no_distance() {
        let never = f64::INFINITY;
        check("<=!", Prim::Float(f64::NAN), Prim::Float(1.0), &[(never, 0.0), (never, 0.0), (0.0, never)]);
        assert_eq!(of(b'<', &Prim::Other, &Prim::Other), None);
        assert_eq!(of(b'<', &Prim::Int(1, 8), &Prim::Uint(1, 8)), None);
    }
}
