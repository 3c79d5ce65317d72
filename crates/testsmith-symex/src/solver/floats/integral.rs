//! Rounding to an integer: the bits below the point are cleared, and one is added where the direction asks for it.

use super::format::{Format, saturate};
use crate::expr::{Expr, Exprs, Op};

impl Format {
    pub(super) fn integral(self, e: &mut Exprs, op: Op, bits: Expr) -> Expr {
        let parts = self.parts(e, bits);
        let (zero, whole) = (self.power(e, 0), self.power(e, i128::from(self.significand) - 1));
        let fraction = e.sub(whole, parts.exponent);
        let shift = saturate(e, self.width, fraction);
        let ones = e.constant(self.width, u128::MAX);
        let above = e.shl(ones, shift);
        let below = e.not(above);
        let cut = e.and(bits, above);
        let rest = e.and(bits, below);
        let one = e.constant(self.width, 1);
        let unit = e.shl(one, shift);
        let none = e.constant(self.width, 0);
        let inexact = e.ne(rest, none);
        let up = match op {
            Op::FCeil => {
                let positive = e.not(parts.sign);
                e.and(positive, inexact)
            }
            Op::FFloor => e.and(parts.sign, inexact),
            Op::FTrunc => Exprs::FALSE,
            _ => {
                // The lowest bit of the exponent stands for the hidden one: it is odd where the integer part is 1.
                let half = e.lshr(unit, one);
                let low = e.and(bits, unit);
                let odd = e.ne(low, none);
                let (more, tie) = (e.ult(half, rest), e.eq(rest, half));
                let even = e.and(tie, odd);
                e.or(more, even)
            }
        };
        // A carry goes into the exponent, where it belongs.
        let next = e.add(cut, unit);
        let value = e.ite(up, next, cut);
        let small = e.slt(parts.exponent, zero);
        let below_one = self.below_one(e, op, bits);
        let value = e.ite(small, below_one, value);
        let large = e.slt(parts.exponent, whole);
        let value = e.ite(large, value, bits);
        let nan = self.is_nan(e, bits);
        let canonical = self.nan(e);
        e.ite(nan, canonical, value)
    }

    /// For absolute values below 1: zero or one, with the sign.
    fn below_one(self, e: &mut Exprs, op: Op, bits: Expr) -> Expr {
        let sign = self.sign(e, bits);
        let is_zero = self.is_zero(e, bits);
        let some = e.not(is_zero);
        let up = match op {
            Op::FCeil => {
                let positive = e.not(sign);
                e.and(positive, some)
            }
            Op::FFloor => e.and(sign, some),
            Op::FTrunc => Exprs::FALSE,
            _ => {
                let half = e.float_constant(self.width, 0.5);
                let (size, half) = (self.size(e, bits), self.size(e, half));
                e.ult(half, size)
            }
        };
        let (zero, one) = (self.zero(e, sign), e.float_constant(self.width, 1.0));
        let one = self.with_sign(e, sign, one);
        e.ite(up, one, zero)
    }
}
