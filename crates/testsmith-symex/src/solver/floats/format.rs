//! The parts of a float, comparisons, and rounding to the nearest.
//!
//! Main type: [`Format`]. Neighbours: `arithmetic`, `convert` and `integral` compute with the parts and give them to [`Format::round`].

use crate::expr::{Expr, Exprs, Op};

/// 32 or 64 bits: a sign, an exponent, a fraction.
#[derive(Clone, Copy)]
pub(super) struct Format {
    pub(super) width: u32,
    /// Bits of the exponent.
    pub(super) exponent: u32,
    /// Bits of the significand with the hidden one.
    pub(super) significand: u32,
}

/// A finite float as `significand * 2^(exponent - (its bits - 1))`: the highest bit has the weight 2^exponent.
#[derive(Clone, Copy)]
pub(super) struct Parts {
    pub(super) sign: Expr,
    /// Signed, [`Format::range`] bits.
    pub(super) exponent: Expr,
    pub(super) significand: Expr,
}

impl Format {
    pub(super) fn of(width: u32) -> Self {
        match width {
            32 => Self { width, exponent: 8, significand: 24 },
            64 => Self { width, exponent: 11, significand: 53 },
            // The operand of a conversion from integers has no format of its own.
            _ => Self { width, exponent: 0, significand: 0 },
        }
    }

    /// Bits in which exponents are computed: products of the smallest floats fit.
    pub(super) const fn range(self) -> u32 {
        self.exponent + 3
    }

    pub(super) const fn bias(self) -> i128 {
        (1 << (self.exponent - 1)) - 1
    }

    /// A signed constant for exponents.
    pub(super) fn power(self, e: &mut Exprs, value: i128) -> Expr {
        e.constant(self.range(), value as u128)
    }

    pub(super) fn nan(self, e: &mut Exprs) -> Expr {
        e.float_constant(self.width, f64::NAN.abs())
    }

    /// Infinity with this sign.
    pub(super) fn infinity(self, e: &mut Exprs, sign: Expr) -> Expr {
        let infinity = e.float_constant(self.width, f64::INFINITY);
        self.with_sign(e, sign, infinity)
    }

    /// Zero with this sign.
    pub(super) fn zero(self, e: &mut Exprs, sign: Expr) -> Expr {
        let zero = e.constant(self.width - 1, 0);
        e.concat(sign, zero)
    }

    /// The bits with this sign instead of their own.
    pub(super) fn with_sign(self, e: &mut Exprs, sign: Expr, bits: Expr) -> Expr {
        let size = e.extract(0, self.width - 1, bits);
        e.concat(sign, size)
    }

    pub(super) fn sign(self, e: &mut Exprs, bits: Expr) -> Expr {
        e.extract(self.width - 1, 1, bits)
    }

    /// Everything but the sign: as an unsigned number it has the order of absolute values.
    pub(super) fn size(self, e: &mut Exprs, bits: Expr) -> Expr {
        e.extract(0, self.width - 1, bits)
    }

    pub(super) fn is_nan(self, e: &mut Exprs, bits: Expr) -> Expr {
        let (size, infinity) = (self.size(e, bits), self.infinite_size(e));
        e.ult(infinity, size)
    }

    pub(super) fn is_infinite(self, e: &mut Exprs, bits: Expr) -> Expr {
        let (size, infinity) = (self.size(e, bits), self.infinite_size(e));
        e.eq(size, infinity)
    }

    pub(super) fn is_zero(self, e: &mut Exprs, bits: Expr) -> Expr {
        let size = self.size(e, bits);
        let zero = e.constant(self.width - 1, 0);
        e.eq(size, zero)
    }

    fn infinite_size(self, e: &mut Exprs) -> Expr {
        let infinity = e.float_constant(self.width, f64::INFINITY);
        self.size(e, infinity)
    }

    pub(super) fn any_nan(self, e: &mut Exprs, a: Expr, b: Expr) -> Expr {
        let (a, b) = (self.is_nan(e, a), self.is_nan(e, b));
        e.or(a, b)
    }

    fn both_zero(self, e: &mut Exprs, a: Expr, b: Expr) -> Expr {
        let (a, b) = (self.is_zero(e, a), self.is_zero(e, b));
        e.and(a, b)
    }

    pub(super) fn equal(self, e: &mut Exprs, a: Expr, b: Expr) -> Expr {
        let (same, zeros) = (e.eq(a, b), self.both_zero(e, a, b));
        let equal = e.or(same, zeros);
        let nan = self.any_nan(e, a, b);
        let number = e.not(nan);
        e.and(number, equal)
    }

    pub(super) fn less(self, e: &mut Exprs, a: Expr, b: Expr) -> Expr {
        let (sign_a, sign_b) = (self.sign(e, a), self.sign(e, b));
        let (size_a, size_b) = (self.size(e, a), self.size(e, b));
        let (up, down) = (e.ult(size_a, size_b), e.ult(size_b, size_a));
        let same_sign = e.ite(sign_a, down, up);
        let signs = e.eq(sign_a, sign_b);
        let less = e.ite(signs, same_sign, sign_a);
        let (nan, zeros) = (self.any_nan(e, a, b), self.both_zero(e, a, b));
        let never = e.or(nan, zeros);
        let ever = e.not(never);
        e.and(ever, less)
    }

    /// Of equal floats, which differ in the sign of zero at most, `|` is the lesser and `&` the greater.
    pub(super) fn least_or_greatest(self, e: &mut Exprs, op: Op, a: Expr, b: Expr) -> Expr {
        let (nan, equal, less) = (self.any_nan(e, a, b), self.equal(e, a, b), self.less(e, a, b));
        let (equals, first) = match op {
            Op::FMin => (e.or(a, b), e.ite(less, a, b)),
            _ => (e.and(a, b), e.ite(less, b, a)),
        };
        let value = e.ite(equal, equals, first);
        let canonical = self.nan(e);
        e.ite(nan, canonical, value)
    }

    /// The parts of a finite float; the highest bit of the significand is 0 for subnormal floats.
    pub(super) fn parts(self, e: &mut Exprs, bits: Expr) -> Parts {
        let exponent = e.extract(self.significand - 1, self.exponent, bits);
        let fraction = e.extract(0, self.significand - 1, bits);
        let zero = e.constant(self.exponent, 0);
        let normal = e.ne(exponent, zero);
        let significand = e.concat(normal, fraction);
        // Subnormal floats have the exponent of the smallest normal ones.
        let one = e.constant(self.exponent, 1);
        let biased = e.ite(normal, exponent, one);
        let biased = e.zext(self.range(), biased);
        let bias = self.power(e, -self.bias());
        Parts { sign: self.sign(e, bits), exponent: e.add(biased, bias), significand }
    }

    /// The parts with the highest bit set, unless the value is zero.
    pub(super) fn normal_parts(self, e: &mut Exprs, bits: Expr) -> Parts {
        let parts = self.parts(e, bits);
        self.normalise(e, parts)
    }

    /// The significand shifted until its highest bit is set.
    pub(super) fn normalise(self, e: &mut Exprs, parts: Parts) -> Parts {
        let zeros = e.unary(Op::Clz, parts.significand);
        let significand = e.shl(parts.significand, zeros);
        let by = resize(e, self.range(), zeros);
        Parts { significand, exponent: e.sub(parts.exponent, by), ..parts }
    }

    /// The float nearest to the value, ties to even. The significand is normalised, at least two bits wider than the format's, and its
    /// lowest bit stands for all that was below it; the value is zero when it is.
    pub(super) fn round(self, e: &mut Exprs, parts: Parts) -> Expr {
        let bits = e.width(parts.significand);
        let least = self.power(e, 1 - self.bias());
        let small = e.slt(parts.exponent, least);
        let below = e.sub(least, parts.exponent);
        let none = self.power(e, 0);
        let by = e.ite(small, below, none);
        let shifted = shift_right_sticky(e, parts.significand, by);
        let kept = e.extract(bits - self.significand, self.significand, shifted);
        let half = e.extract(bits - self.significand - 1, 1, shifted);
        let rest = e.extract(0, bits - self.significand - 1, shifted);
        let nothing = e.constant(bits - self.significand - 1, 0);
        let rest = e.ne(rest, nothing);
        let odd = e.extract(0, 1, kept);
        let more = e.or(rest, odd);
        let up = e.and(half, more);
        // The hidden bit adds one to the exponent, and so does a carry.
        let bias = self.power(e, self.bias() - 1);
        let biased = e.add(parts.exponent, bias);
        let biased = e.ite(small, none, biased);
        let biased = e.extract(0, self.exponent, biased);
        let room = e.constant(self.significand - 1, 0);
        let high = e.concat(biased, room);
        let kept = e.zext(self.width - 1, kept);
        let up = e.zext(self.width - 1, up);
        let sum = e.add(high, kept);
        let size = e.add(sum, up);
        let value = e.concat(parts.sign, size);
        let greatest = self.power(e, self.bias());
        let large = e.slt(greatest, parts.exponent);
        let infinity = self.infinity(e, parts.sign);
        let value = e.ite(large, infinity, value);
        let zero = e.constant(bits, 0);
        let nothing = e.eq(parts.significand, zero);
        let zero = self.zero(e, parts.sign);
        e.ite(nothing, zero, value)
    }
}

/// The value shifted to the right by an unsigned amount of any width; the lowest bit is set if a set bit was lost.
pub(super) fn shift_right_sticky(e: &mut Exprs, value: Expr, amount: Expr) -> Expr {
    let width = e.width(value);
    let by = saturate(e, width, amount);
    let shifted = e.lshr(value, by);
    let back = e.shl(shifted, by);
    let lost = e.ne(back, value);
    let lost = e.zext(width, lost);
    e.or(shifted, lost)
}

/// An amount at the width of what is shifted: all that are too large stay too large.
pub(super) fn saturate(e: &mut Exprs, width: u32, amount: Expr) -> Expr {
    let from = e.width(amount);
    if from <= width {
        return e.zext(width, amount);
    }
    let limit = e.constant(from, u128::from(width));
    let small = e.ult(amount, limit);
    let amount = e.ite(small, amount, limit);
    e.extract(0, width, amount)
}

/// An unsigned number that fits at another width.
pub(super) fn resize(e: &mut Exprs, width: u32, value: Expr) -> Expr {
    if e.width(value) <= width { e.zext(width, value) } else { e.extract(0, width, value) }
}

/// Zeros below, until it is so wide.
pub(super) fn pad(e: &mut Exprs, width: u32, value: Expr) -> Expr {
    let missing = width.saturating_sub(e.width(value));
    if missing == 0 {
        return value;
    }
    let zeros = e.constant(missing, 0);
    e.concat(value, zeros)
}
