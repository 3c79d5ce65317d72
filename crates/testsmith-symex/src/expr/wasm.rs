//! What wasm has and the table has not: masked shift amounts, rotations, the sign of floats, ranges of conversions.
//!
//! Each function builds the expression of one instruction; those that trap come with the condition under which they do not.

use super::node::{Expr, Op};
use super::table::Exprs;

impl Exprs {
    /// `i32.shl`, `i64.shl`, and the shifts to the right: the amount counts modulo the width.
    pub fn wasm_shift(&mut self, op: Op, a: Expr, amount: Expr) -> Expr {
        let amount = self.masked(amount);
        self.binary(op, a, amount)
    }

    /// `rotl`
    pub fn rotl(&mut self, a: Expr, amount: Expr) -> Expr {
        let width = self.width(a);
        let amount = self.masked(amount);
        if let Some(by) = self.as_constant(amount) {
            return self.rotl_by(a, by as u32);
        }
        let back = self.neg(amount);
        let back = self.masked(back);
        debug_assert!(width.is_power_of_two());
        let up = self.shl(a, amount);
        let down = self.lshr(a, back);
        self.or(up, down)
    }

    /// `rotr`
    pub fn rotr(&mut self, a: Expr, amount: Expr) -> Expr {
        let back = self.neg(amount);
        self.rotl(a, back)
    }

    fn rotl_by(&mut self, a: Expr, by: u32) -> Expr {
        if by == 0 {
            return a;
        }
        let rest = self.width(a) - by;
        let high = self.extract(0, rest, a);
        let low = self.extract(rest, by, a);
        self.concat(high, low)
    }

    fn masked(&mut self, amount: Expr) -> Expr {
        let width = self.width(amount);
        let mask = self.constant(width, u128::from(width - 1));
        self.and(amount, mask)
    }

    /// `f32.neg`, `f64.neg`: the sign bit flipped, whatever the float is.
    pub fn fneg(&mut self, a: Expr) -> Expr {
        let sign = self.sign_bit(a);
        self.xor(a, sign)
    }

    /// `f32.abs`, `f64.abs`: the sign bit cleared, whatever the float is.
    pub fn fabs(&mut self, a: Expr) -> Expr {
        let sign = self.sign_bit(a);
        let rest = self.not(sign);
        self.and(a, rest)
    }

    /// `copysign`: the value of `a` with the sign of `b`.
    pub fn copysign(&mut self, a: Expr, b: Expr) -> Expr {
        let sign = self.sign_bit(a);
        let value = self.fabs(a);
        let sign = self.and(b, sign);
        self.or(value, sign)
    }

    fn sign_bit(&mut self, a: Expr) -> Expr {
        let width = self.width(a);
        self.constant(width, 1 << (width - 1))
    }

    /// Whether a float is not a number.
    pub fn is_nan(&mut self, a: Expr) -> Expr {
        let equal = self.feq(a, a);
        self.not(equal)
    }

    /// Whether the trapping conversion of the float `a` to an integer of `width` bits does not trap: the float, rounded to zero,
    /// fits. The conversion itself is `FToS` or `FToU`.
    pub fn fits_integer(&mut self, a: Expr, width: u32, signed: bool) -> Expr {
        let format = self.width(a);
        let power = |exponent: u32| 2f64.powi(exponent as i32);
        let (low, high) = if signed { (-power(width - 1), power(width - 1)) } else { (0.0, power(width)) };
        // Rounded first, so that -2147483648.5 and -0.5 fit; the bounds are powers of two, exact in both formats.
        let whole = self.unary(Op::FTrunc, a);
        let low = self.float_constant(format, low);
        let high = self.float_constant(format, high);
        let above = self.fle(low, whole);
        let below = self.flt(whole, high);
        self.and(above, below)
    }

    /// A float constant in the format of this width.
    pub fn float_constant(&mut self, format: u32, value: f64) -> Expr {
        match format {
            32 => self.constant(32, u128::from((value as f32).to_bits())),
            _ => self.constant(64, u128::from(value.to_bits())),
        }
    }
}
