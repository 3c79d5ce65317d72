//! What each operation computes, on plain bits: the one place where its meaning is written as code.
//!
//! Main function: [`apply`]. Constant folding, evaluation under a model and the concrete machine agree because they all
//! come here. Values are `u128` with zeros above their width.

use super::node::Op;

/// The low `width` bits.
#[must_use]
pub const fn mask(width: u32) -> u128 {
    u128::MAX >> (128 - width)
}

/// The value as a signed number.
#[must_use]
pub const fn signed(width: u32, value: u128) -> i128 {
    let shift = 128 - width;
    ((value << shift) as i128) >> shift
}

/// The result of `op`, which is `width` wide, on operands that are `of` wide (the last two of `Ite` and both of
/// `Concat` have their own: a `Concat` is given the width of its second operand). `low` is for `Extract` alone.
///
/// # Panics
/// For `Const` and `Var`, which compute nothing, and for float operations on widths other than 32 and 64.
#[must_use]
pub fn apply(op: Op, width: u32, of: u32, low: u32, values: [u128; 3]) -> u128 {
    let [a, b, c] = values;
    if op.is_float() {
        return float(op, width, of, a, b) & mask(width);
    }
    let (sa, sb) = (|| signed(of, a), || signed(of, b));
    let value = match op {
        Op::Const | Op::Var => unreachable!("{op:?} has no operands to compute from"),
        Op::Not => !a,
        Op::Clz => u128::from(a.leading_zeros()) - u128::from(128 - of),
        Op::Ctz => u128::from(a.trailing_zeros().min(of)),
        Op::Popcnt => u128::from(a.count_ones()),
        Op::Add => a.wrapping_add(b),
        Op::Sub => a.wrapping_sub(b),
        Op::Mul => a.wrapping_mul(b),
        Op::UDiv => a.checked_div(b).unwrap_or(u128::MAX),
        Op::URem => a.checked_rem(b).unwrap_or(a),
        Op::SDiv if b == 0 => u128::from(sa() < 0).wrapping_sub(u128::from(sa() >= 0)),
        Op::SDiv => sa().wrapping_div(sb()) as u128,
        Op::SRem if b == 0 => a,
        Op::SRem => sa().wrapping_rem(sb()) as u128,
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::Shl => shift(of, b).map_or(0, |by| a << by),
        Op::LShr => shift(of, b).map_or(0, |by| a >> by),
        Op::AShr => (sa() >> shift(of, b).unwrap_or(of - 1)) as u128,
        Op::Eq => u128::from(a == b),
        Op::Ult => u128::from(a < b),
        Op::Slt => u128::from(sa() < sb()),
        Op::Ite => [c, b][usize::from(a != 0)],
        Op::Extract => a >> low,
        Op::Concat => a << of | b,
        Op::ZExt => a,
        Op::SExt => sa() as u128,
        _ => unreachable!("{op:?} is a float operation"),
    };
    value & mask(width)
}

/// The amount of a shift that leaves something.
fn shift(width: u32, amount: u128) -> Option<u32> {
    (amount < u128::from(width)).then_some(amount as u32)
}

fn float(op: Op, width: u32, of: u32, a: u128, b: u128) -> u128 {
    match (op, of) {
        (Op::FFromS, _) => from_signed(width, signed(of, a)),
        (Op::FFromU, _) => from_unsigned(width, a),
        (Op::FPromote, _) => canonical64(f64::from(f32::from_bits(a as u32))),
        (Op::FDemote, _) => canonical32(f64::from_bits(a as u64) as f32),
        (_, 32) => float32(op, width, f32::from_bits(a as u32), f32::from_bits(b as u32)),
        (_, 64) => float64(op, width, f64::from_bits(a as u64), f64::from_bits(b as u64)),
        _ => unreachable!("a float of {of} bits"),
    }
}

fn from_signed(width: u32, value: i128) -> u128 {
    match width {
        32 => u128::from((value as f32).to_bits()),
        64 => u128::from((value as f64).to_bits()),
        _ => unreachable!("a float of {width} bits"),
    }
}

fn from_unsigned(width: u32, value: u128) -> u128 {
    match width {
        32 => u128::from((value as f32).to_bits()),
        64 => u128::from((value as f64).to_bits()),
        _ => unreachable!("a float of {width} bits"),
    }
}

/// The bits of a result: not a number becomes the canonical one.
fn canonical32(value: f32) -> u128 {
    u128::from(if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() })
}

fn canonical64(value: f64) -> u128 {
    u128::from(if value.is_nan() { 0x7ff8_0000_0000_0000 } else { value.to_bits() })
}

macro_rules! float_operations {
    ($name:ident, $float:ty, $canonical:ident) => {
        fn $name(op: Op, width: u32, a: $float, b: $float) -> u128 {
            let value = match op {
                Op::FAdd => a + b,
                Op::FSub => a - b,
                Op::FMul => a * b,
                Op::FDiv => a / b,
                Op::FMin | Op::FMax if a.is_nan() || b.is_nan() => <$float>::NAN,
                Op::FMin if a == b => {
                    if a.is_sign_negative() {
                        a
                    } else {
                        b
                    }
                }
                Op::FMin => {
                    if a < b {
                        a
                    } else {
                        b
                    }
                }
                Op::FMax if a == b => {
                    if a.is_sign_positive() {
                        a
                    } else {
                        b
                    }
                }
                Op::FMax => {
                    if a > b {
                        a
                    } else {
                        b
                    }
                }
                Op::FSqrt => a.sqrt(),
                Op::FCeil => a.ceil(),
                Op::FFloor => a.floor(),
                Op::FTrunc => a.trunc(),
                Op::FNearest => a.round_ties_even(),
                Op::FEq => return u128::from(a == b),
                Op::FLt => return u128::from(a < b),
                Op::FLe => return u128::from(a <= b),
                Op::FToS => return saturate_signed(width, f64::from(a)),
                Op::FToU => return saturate_unsigned(width, f64::from(a)),
                _ => unreachable!("{op:?} is no operation on one float format"),
            };
            $canonical(value)
        }
    };
}
float_operations!(float32, f32, canonical32);
float_operations!(float64, f64, canonical64);

fn saturate_signed(width: u32, value: f64) -> u128 {
    let max = (mask(width) >> 1) as i128;
    // `as` saturates at 128 bits; what is beyond the narrower width is cut here.
    (value as i128).clamp(-max - 1, max) as u128
}

fn saturate_unsigned(width: u32, value: f64) -> u128 {
    (value as u128).min(mask(width))
}
