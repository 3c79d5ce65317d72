//! Sum, product, quotient and square root on the parts of floats: exact, with a lowest bit for what is lost, then rounded.

use super::format::{Format, Parts, pad, shift_right_sticky};
use crate::expr::{Expr, Exprs};

impl Format {
    /// The one with the greater absolute value first; the other one is shifted below it.
    pub(super) fn sum(self, e: &mut Exprs, a: Expr, b: Expr) -> Expr {
        let (size_a, size_b) = (self.size(e, a), self.size(e, b));
        let swap = e.ult(size_a, size_b);
        let (large, small) = (e.ite(swap, b, a), e.ite(swap, a, b));
        let (x, y) = (self.parts(e, large), self.parts(e, small));
        // Three bits below for rounding, one above for the carry.
        let room = self.significand + 3;
        let (p, q) = (pad(e, room, x.significand), pad(e, room, y.significand));
        let by = e.sub(x.exponent, y.exponent);
        let q = shift_right_sticky(e, q, by);
        let (p, q) = (e.zext(room + 1, p), e.zext(room + 1, q));
        let differ = e.xor(x.sign, y.sign);
        let (sum, difference) = (e.add(p, q), e.sub(p, q));
        let significand = e.ite(differ, difference, sum);
        // Nothing left is +0, unless both were negative.
        let zero = e.constant(room + 1, 0);
        let nothing = e.eq(significand, zero);
        let negative = e.and(x.sign, y.sign);
        let sign = e.ite(nothing, negative, x.sign);
        let one = self.power(e, 1);
        let exponent = e.add(x.exponent, one);
        let parts = self.normalise(e, Parts { sign, exponent, significand });
        let value = self.round(e, parts);
        let value = self.infinite_or(e, large, large, value);
        let (inf_a, inf_b) = (self.is_infinite(e, a), self.is_infinite(e, b));
        let infinities = e.and(inf_a, inf_b);
        let undefined = e.and(infinities, differ);
        self.number_or_nan(e, a, b, undefined, value)
    }

    pub(super) fn product(self, e: &mut Exprs, a: Expr, b: Expr) -> Expr {
        let (x, y) = (self.normal_parts(e, a), self.normal_parts(e, b));
        let width = self.significand * 2;
        let (p, q) = (e.zext(width, x.significand), e.zext(width, y.significand));
        let significand = e.mul(p, q);
        let sum = e.add(x.exponent, y.exponent);
        let one = self.power(e, 1);
        let exponent = e.add(sum, one);
        let sign = e.xor(x.sign, y.sign);
        let parts = self.shift_once(e, Parts { sign, exponent, significand });
        let value = self.round(e, parts);
        let (inf_a, inf_b) = (self.is_infinite(e, a), self.is_infinite(e, b));
        let infinite = e.or(inf_a, inf_b);
        let infinity = self.infinity(e, sign);
        let value = e.ite(infinite, infinity, value);
        let (zero_a, zero_b) = (self.is_zero(e, a), self.is_zero(e, b));
        let zero = e.or(zero_a, zero_b);
        let undefined = e.and(infinite, zero);
        self.number_or_nan(e, a, b, undefined, value)
    }

    /// Long division of the significands; what is left at the end is the lowest bit.
    pub(super) fn quotient(self, e: &mut Exprs, a: Expr, b: Expr) -> Expr {
        let (x, y) = (self.normal_parts(e, a), self.normal_parts(e, b));
        let width = self.significand + 1;
        let divisor = e.zext(width, y.significand);
        let mut rest = e.zext(width, x.significand);
        let mut bits = None;
        for _ in 0..self.significand + 2 {
            let smaller = e.ult(rest, divisor);
            let fits = e.not(smaller);
            let less = e.sub(rest, divisor);
            let left = e.ite(fits, less, rest);
            rest = double(e, left);
            bits = Some(bits.map_or(fits, |bits| e.concat(bits, fits)));
        }
        let zero = e.constant(width, 0);
        let left = e.ne(rest, zero);
        let significand = e.concat(bits.expect("a significand has bits"), left);
        let exponent = e.sub(x.exponent, y.exponent);
        let sign = e.xor(x.sign, y.sign);
        let parts = self.shift_once(e, Parts { sign, exponent, significand });
        let value = self.round(e, parts);
        let (inf_a, inf_b) = (self.is_infinite(e, a), self.is_infinite(e, b));
        let (zero_a, zero_b) = (self.is_zero(e, a), self.is_zero(e, b));
        let infinite = e.or(inf_a, zero_b);
        let infinity = self.infinity(e, sign);
        let none = e.or(zero_a, inf_b);
        let zero = self.zero(e, sign);
        let value = e.ite(none, zero, value);
        let value = e.ite(infinite, infinity, value);
        let undefined = e.and(infinite, none);
        self.number_or_nan(e, a, b, undefined, value)
    }

    /// The square root, bit by bit: a bit stays when the square stays below the radicand.
    pub(super) fn root(self, e: &mut Exprs, a: Expr) -> Expr {
        let x = self.normal_parts(e, a);
        let odd = e.extract(0, 1, x.exponent);
        let (steps, width) = (self.significand + 2, self.significand + 4);
        // Below four: the significand with two bits before the point, or with one when the exponent is even.
        let high = pad(e, self.significand + 1, x.significand);
        let low = e.zext(self.significand + 1, x.significand);
        let radicand = e.ite(odd, high, low);
        let radicand = pad(e, steps * 2, radicand);
        let mut rest = e.constant(width, 0);
        let mut root = e.constant(width, 0);
        for step in 0..steps {
            let pair = e.extract((steps - 1 - step) * 2, 2, radicand);
            let kept = e.extract(0, width - 2, rest);
            rest = e.concat(kept, pair);
            let doubled = e.extract(0, width - 2, root);
            let one = e.constant(2, 1);
            let trial = e.concat(doubled, one);
            let smaller = e.ult(rest, trial);
            let fits = e.not(smaller);
            let less = e.sub(rest, trial);
            rest = e.ite(fits, less, rest);
            let kept = e.extract(0, width - 1, root);
            root = e.concat(kept, fits);
        }
        let zero = e.constant(width, 0);
        let left = e.ne(rest, zero);
        let root = e.extract(0, steps, root);
        let significand = e.concat(root, left);
        // Half of the exponent, rounded down.
        let half = e.extract(1, self.range() - 1, x.exponent);
        let exponent = e.sext(self.range(), half);
        let value = self.round(e, Parts { sign: Exprs::FALSE, exponent, significand });
        let infinite = self.is_infinite(e, a);
        let zero = self.is_zero(e, a);
        let itself = e.or(infinite, zero);
        let value = e.ite(itself, a, value);
        let some = e.not(zero);
        let undefined = e.and(x.sign, some);
        self.number_or_nan(e, a, a, undefined, value)
    }

    /// One step of normalising, where one is enough.
    fn shift_once(self, e: &mut Exprs, parts: Parts) -> Parts {
        let width = e.width(parts.significand);
        let top = e.extract(width - 1, 1, parts.significand);
        let shifted = double(e, parts.significand);
        let one = self.power(e, 1);
        let less = e.sub(parts.exponent, one);
        Parts {
            significand: e.ite(top, parts.significand, shifted),
            exponent: e.ite(top, parts.exponent, less),
            ..parts
        }
    }

    fn infinite_or(self, e: &mut Exprs, bits: Expr, infinity: Expr, value: Expr) -> Expr {
        let infinite = self.is_infinite(e, bits);
        e.ite(infinite, infinity, value)
    }

    fn number_or_nan(self, e: &mut Exprs, a: Expr, b: Expr, undefined: Expr, value: Expr) -> Expr {
        let nan = self.any_nan(e, a, b);
        let nan = e.or(nan, undefined);
        let canonical = self.nan(e);
        e.ite(nan, canonical, value)
    }
}

fn double(e: &mut Exprs, value: Expr) -> Expr {
    let width = e.width(value);
    let low = e.extract(0, width - 1, value);
    e.concat(low, Exprs::FALSE)
}
