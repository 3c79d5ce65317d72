//! Integers to floats, floats to integers, and from one format to the other.

use super::format::{Format, Parts, pad, resize, saturate};
use crate::expr::bits::mask;
use crate::expr::{Expr, Exprs};

impl Format {
    /// The float nearest to an integer.
    pub(super) fn nearest(self, e: &mut Exprs, signed: bool, integer: Expr) -> Expr {
        let width = e.width(integer);
        let sign = if signed { e.extract(width - 1, 1, integer) } else { Exprs::FALSE };
        let negated = e.neg(integer);
        let size = e.ite(sign, negated, integer);
        let exponent = self.power(e, i128::from(width) - 1);
        let parts = self.normalise(e, Parts { sign, exponent, significand: size });
        let significand = pad(e, self.significand + 2, parts.significand);
        self.round(e, Parts { significand, ..parts })
    }

    /// The integer towards zero, cut to what `width` bits hold.
    pub(super) fn to_integer(self, e: &mut Exprs, signed: bool, width: u32, bits: Expr) -> Expr {
        let parts = self.parts(e, bits);
        let room = width.max(self.significand);
        let significand = e.zext(room, parts.significand);
        // The significand is an integer at this exponent.
        let whole = self.power(e, i128::from(self.significand) - 1);
        let (up, down) = (e.sub(parts.exponent, whole), e.sub(whole, parts.exponent));
        let (by_up, by_down) = (saturate(e, room, up), saturate(e, room, down));
        let (left, right) = (e.shl(significand, by_up), e.lshr(significand, by_down));
        let is_small = e.slt(parts.exponent, whole);
        let size = e.ite(is_small, right, left);
        let size = resize(e, width, size);
        let all = mask(width);
        let (least, most) = if signed { (all / 2 + 1, all / 2) } else { (0, all) };
        let (least, most, zero) = (e.constant(width, least), e.constant(width, most), e.constant(width, 0));
        let negated = if signed { e.neg(size) } else { zero };
        let value = e.ite(parts.sign, negated, size);
        // From this exponent on it does not fit; the least signed integer, which does, is what it is cut to.
        let limit = self.power(e, i128::from(width) - i128::from(signed));
        let fits = e.slt(parts.exponent, limit);
        let edge = e.ite(parts.sign, least, most);
        let value = e.ite(fits, value, edge);
        let nan = self.is_nan(e, bits);
        e.ite(nan, zero, value)
    }

    /// The float of another format.
    pub(super) fn to_format(self, e: &mut Exprs, to: Self, bits: Expr) -> Expr {
        let parts = self.normal_parts(e, bits);
        // The wider range holds the exponents of both.
        let wide = if self.range() > to.range() { self } else { to };
        let exponent = e.sext(wide.range(), parts.exponent);
        let significand = pad(e, to.significand + 2, parts.significand);
        let cut = clamp(e, exponent, to);
        let value = to.round(e, Parts { sign: parts.sign, exponent: cut, significand });
        let infinite = self.is_infinite(e, bits);
        let infinity = to.infinity(e, parts.sign);
        let value = e.ite(infinite, infinity, value);
        let nan = self.is_nan(e, bits);
        let canonical = to.nan(e);
        e.ite(nan, canonical, value)
    }
}

/// An exponent at the range of a format; what is far outside stays outside.
fn clamp(e: &mut Exprs, exponent: Expr, to: Format) -> Expr {
    let (from, range) = (e.width(exponent), to.range());
    if from <= range {
        return e.sext(range, exponent);
    }
    let edge = (1i128 << (range - 1)) - 1;
    let (least, most) = (e.constant(from, -edge as u128), e.constant(from, edge as u128));
    let below = e.slt(exponent, least);
    let above = e.slt(most, exponent);
    let cut = e.ite(below, least, exponent);
    let cut = e.ite(above, most, cut);
    e.extract(0, range, cut)
}
