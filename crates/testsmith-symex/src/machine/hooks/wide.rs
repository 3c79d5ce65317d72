//! 128-bit arithmetic of the compiler's run-time library as single operations.
//!
//! Main type: [`Wide`]. One product of 128 bits is less for a solver than a dozen of 32.

use super::super::Stop;
use super::super::host::HostCall;
use super::super::value::Value;
use crate::expr::{Expr, Exprs, Op};
use crate::wasm::{Trap, ValType};

/// 128-bit operations of the compiler's run-time library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::machine) enum Wide {
    Mul,
    UDiv,
    URem,
    SDiv,
    SRem,
    Shl,
    LShr,
    AShr,
    /// A signed product, with a word that says whether it has overflowed.
    CheckedMul,
}

impl Wide {
    pub(super) fn named(name: &str, params: &[ValType]) -> Option<Self> {
        use ValType::{I32, I64};
        let (op, second) = match name {
            "__multi3" => (Self::Mul, &[I64, I64][..]),
            "__udivti3" => (Self::UDiv, &[I64, I64][..]),
            "__umodti3" => (Self::URem, &[I64, I64][..]),
            "__divti3" => (Self::SDiv, &[I64, I64][..]),
            "__modti3" => (Self::SRem, &[I64, I64][..]),
            "__muloti4" => (Self::CheckedMul, &[I64, I64, I32][..]),
            "__ashlti3" => (Self::Shl, &[I32][..]),
            "__lshrti3" => (Self::LShr, &[I32][..]),
            "__ashrti3" => (Self::AShr, &[I32][..]),
            _ => return None,
        };
        let expected: Vec<ValType> = [I32, I64, I64].iter().chain(second).copied().collect();
        (params == expected).then_some(op)
    }

    /// Arguments: where the result goes, the halves of both operands, low first; a shift has its amount in 32 bits.
    pub(super) fn call(self, call: &mut HostCall<'_, '_>) -> Result<(), Stop> {
        let to = u64::from(call.fixed_low(0));
        let a = (call.values[1], call.values[2]);
        let shifts = matches!(self, Self::Shl | Self::LShr | Self::AShr);
        let b = if shifts { (call.values[3], Value::default()) } else { (call.values[3], call.values[4]) };
        let (bits_a, bits_b) = (joined(a), if shifts { u128::from(b.0.low()) } else { joined(b) });
        let divides = matches!(self, Self::UDiv | Self::URem | Self::SDiv | Self::SRem);
        if divides && bits_b == 0 {
            // The library's own answer to what its callers exclude.
            return Err(Trap::Unreachable.into());
        }
        let result = self.compute(bits_a, bits_b);
        call.memory.write(to, &result.to_le_bytes())?;
        let symbolic = [a.0, a.1, b.0, b.1].iter().any(|half| half.expr.is_some());
        if symbolic {
            let (a, b) = operands(call, a, b, shifts);
            let expr = call.symbolic.exprs.binary(self.op(), a, b);
            call.memory.store_expr(call.symbolic.exprs, to as usize, 16, expr);
            if self == Self::CheckedMul {
                return overflow(call, bits_a, bits_b, Some((a, b)));
            }
        }
        if self == Self::CheckedMul { overflow(call, bits_a, bits_b, None) } else { Ok(()) }
    }

    fn compute(self, a: u128, b: u128) -> u128 {
        match self {
            Self::Mul | Self::CheckedMul => a.wrapping_mul(b),
            Self::UDiv => a / b,
            Self::URem => a % b,
            Self::SDiv => (a as i128).wrapping_div(b as i128) as u128,
            Self::SRem => (a as i128).wrapping_rem(b as i128) as u128,
            Self::Shl => a.wrapping_shl(b as u32),
            Self::LShr => a.wrapping_shr(b as u32),
            Self::AShr => (a as i128).wrapping_shr(b as u32) as u128,
        }
    }

    const fn op(self) -> Op {
        match self {
            Self::Mul | Self::CheckedMul => Op::Mul,
            Self::UDiv => Op::UDiv,
            Self::URem => Op::URem,
            Self::SDiv => Op::SDiv,
            Self::SRem => Op::SRem,
            Self::Shl => Op::Shl,
            Self::LShr => Op::LShr,
            Self::AShr => Op::AShr,
        }
    }
}

/// Both operands as expressions of 128 bits.
fn operands(call: &mut HostCall<'_, '_>, a: (Value, Value), b: (Value, Value), shifts: bool) -> (Expr, Expr) {
    let symbolic = &mut *call.symbolic;
    let mut whole = |(low, high): (Value, Value)| {
        let (low, high) = (symbolic.expr_of(low, 64), symbolic.expr_of(high, 64));
        symbolic.exprs.concat(high, low)
    };
    let a = whole(a);
    if !shifts {
        return (a, whole(b));
    }
    let amount = symbolic.expr_of(b.0, 32);
    let mask = symbolic.exprs.constant(32, 127);
    let amount = symbolic.exprs.and(amount, mask);
    (a, symbolic.exprs.zext(128, amount))
}

/// Writes whether a signed product overflows to where the last argument says.
fn overflow(call: &mut HostCall<'_, '_>, a: u128, b: u128, exprs: Option<(Expr, Expr)>) -> Result<(), Stop> {
    let to = u64::from(call.fixed_low(5));
    let overflows = (a as i128).checked_mul(b as i128).is_none();
    call.memory.write(to, &u32::from(overflows).to_le_bytes())?;
    if let Some((a, b)) = exprs {
        let truth = product_overflows(call.symbolic.exprs, a, b);
        let word = call.symbolic.exprs.zext(32, truth);
        call.memory.store_expr(call.symbolic.exprs, to as usize, 4, word);
    }
    Ok(())
}

/// Whether `a * b` does not fit into 128 signed bits: with sizes `|a| = 2^64 a1 + a0` and `|b|` likewise, whether
/// `a1 b1 != 0`, or `2^64 (a1 b0 + a0 b1) + a0 b0` is more than the sign of the product allows.
fn product_overflows(e: &mut Exprs, a: Expr, b: Expr) -> Expr {
    let zero = e.constant(128, 0);
    let (negative_a, negative_b) = (e.slt(a, zero), e.slt(b, zero));
    let size = |e: &mut Exprs, negative: Expr, value: Expr| {
        let negated = e.sub(zero, value);
        e.ite(negative, negated, value)
    };
    let (a, b) = (size(e, negative_a, a), size(e, negative_b, b));
    let half = |e: &mut Exprs, low: u32, value: Expr| {
        let half = e.extract(low, 64, value);
        e.zext(128, half)
    };
    let (a0, a1, b0, b1) = (half(e, 0, a), half(e, 64, a), half(e, 0, b), half(e, 64, b));
    let (no_a1, no_b1) = (e.eq(a1, zero), e.eq(b1, zero));
    let neither = e.or(no_a1, no_b1);
    let both_high = e.not(neither);
    // One of these is zero where the product can still fit, so that the sum does not wrap.
    let (cross_a, cross_b) = (e.mul(a1, b0), e.mul(a0, b1));
    let low = e.mul(a0, b0);
    let carried = half(e, 64, low);
    let cross = e.or(cross_a, cross_b);
    let high = e.add(cross, carried);
    // `high` counts units of 2^64; the product is 2^64 high + low part.
    let wrapped = e.ult(high, cross);
    let border = e.constant(128, 1 << 63);
    let above = e.ult(border, high);
    let at = e.eq(high, border);
    let rest = half(e, 0, low);
    let no_rest = e.eq(rest, zero);
    let negative = e.xor(negative_a, negative_b);
    // -2^127 itself fits.
    let least = e.and(negative, no_rest);
    let not_least = e.not(least);
    let beyond = e.and(at, not_least);
    let too_large = e.or(above, beyond);
    let sum = e.or(wrapped, too_large);
    e.or(both_high, sum)
}

fn joined((low, high): (Value, Value)) -> u128 {
    u128::from(low.bits) | u128::from(high.bits) << 64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Model;

    #[test]
    fn overflow_of_products_is_what_rust_says() {
        let mut exprs = Exprs::new();
        let (a, b) = (exprs.variable(0, 128), exprs.variable(1, 128));
        let overflows = product_overflows(&mut exprs, a, b);
        let near = |value: i128| [value.wrapping_sub(1), value, value.wrapping_add(1), value.wrapping_neg()];
        let powers = [0, 31, 62, 63, 64, 65, 90, 126, 127].map(|power| 1_i128 << power);
        let mut values: Vec<i128> = powers.into_iter().flat_map(near).collect();
        values.extend([3, 1_000_000_007, i128::MAX / 3, i128::MIN / 3, 0x1234_5678_9abc_def0_0fed_cba9]);
        for x in &values {
            for y in &values {
                let model = Model::from_iter([(0, *x as u128), (1, *y as u128)]);
                let found = exprs.eval(overflows, &model) == 1;
                assert_eq!(found, x.checked_mul(*y).is_none(), "{x} * {y}");
            }
        }
    }
}
