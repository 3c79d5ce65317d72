//! The table of numeric instructions: for each its name, its forms in register code, and what it computes.
//!
//! [`numeric_instructions`] hands the table to other macros, which make of it the enum of register code (`code`), the
//! translation (`translate`) and the interpreter's arms (`machine::interpret`), so that an instruction stands in one place.
//! What an instruction means for expressions is in `machine::symbolic`.

use super::bits::{Bits, canonical32, canonical64};
use super::trap::Trap;

/// Calls `$then!` with every numeric instruction, in five lists:
/// - `compare`: name, form with a constant on the right, jump if true, jump with a constant, the contrary's name;
/// - `binary`: name, form with a constant on the right;
/// - `partial`: two operands, may trap;
/// - `unary`: one operand;
/// - `convert`: one operand, may trap.
macro_rules! numeric_instructions {
    ($then:ident) => {
        $then! {
            compare {
                I32Eq I32EqConst JumpI32Eq JumpI32EqConst I32Ne |a: u32, b: u32| a == b;
                I32Ne I32NeConst JumpI32Ne JumpI32NeConst I32Eq |a: u32, b: u32| a != b;
                I32LtS I32LtSConst JumpI32LtS JumpI32LtSConst I32GeS |a: i32, b: i32| a < b;
                I32LtU I32LtUConst JumpI32LtU JumpI32LtUConst I32GeU |a: u32, b: u32| a < b;
                I32GtS I32GtSConst JumpI32GtS JumpI32GtSConst I32LeS |a: i32, b: i32| a > b;
                I32GtU I32GtUConst JumpI32GtU JumpI32GtUConst I32LeU |a: u32, b: u32| a > b;
                I32LeS I32LeSConst JumpI32LeS JumpI32LeSConst I32GtS |a: i32, b: i32| a <= b;
                I32LeU I32LeUConst JumpI32LeU JumpI32LeUConst I32GtU |a: u32, b: u32| a <= b;
                I32GeS I32GeSConst JumpI32GeS JumpI32GeSConst I32LtS |a: i32, b: i32| a >= b;
                I32GeU I32GeUConst JumpI32GeU JumpI32GeUConst I32LtU |a: u32, b: u32| a >= b;
                I64Eq I64EqConst JumpI64Eq JumpI64EqConst I64Ne |a: u64, b: u64| a == b;
                I64Ne I64NeConst JumpI64Ne JumpI64NeConst I64Eq |a: u64, b: u64| a != b;
                I64LtS I64LtSConst JumpI64LtS JumpI64LtSConst I64GeS |a: i64, b: i64| a < b;
                I64LtU I64LtUConst JumpI64LtU JumpI64LtUConst I64GeU |a: u64, b: u64| a < b;
                I64GtS I64GtSConst JumpI64GtS JumpI64GtSConst I64LeS |a: i64, b: i64| a > b;
                I64GtU I64GtUConst JumpI64GtU JumpI64GtUConst I64LeU |a: u64, b: u64| a > b;
                I64LeS I64LeSConst JumpI64LeS JumpI64LeSConst I64GtS |a: i64, b: i64| a <= b;
                I64LeU I64LeUConst JumpI64LeU JumpI64LeUConst I64GtU |a: u64, b: u64| a <= b;
                I64GeS I64GeSConst JumpI64GeS JumpI64GeSConst I64LtS |a: i64, b: i64| a >= b;
                I64GeU I64GeUConst JumpI64GeU JumpI64GeUConst I64LtU |a: u64, b: u64| a >= b;
            }
            binary {
                I32Add I32AddConst |a: u32, b: u32| a.wrapping_add(b);
                I32Sub I32SubConst |a: u32, b: u32| a.wrapping_sub(b);
                I32Mul I32MulConst |a: u32, b: u32| a.wrapping_mul(b);
                I32And I32AndConst |a: u32, b: u32| a & b;
                I32Or I32OrConst |a: u32, b: u32| a | b;
                I32Xor I32XorConst |a: u32, b: u32| a ^ b;
                I32Shl I32ShlConst |a: u32, b: u32| a.wrapping_shl(b);
                I32ShrS I32ShrSConst |a: i32, b: u32| a.wrapping_shr(b);
                I32ShrU I32ShrUConst |a: u32, b: u32| a.wrapping_shr(b);
                I32Rotl I32RotlConst |a: u32, b: u32| a.rotate_left(b & 31);
                I32Rotr I32RotrConst |a: u32, b: u32| a.rotate_right(b & 31);
                I64Add I64AddConst |a: u64, b: u64| a.wrapping_add(b);
                I64Sub I64SubConst |a: u64, b: u64| a.wrapping_sub(b);
                I64Mul I64MulConst |a: u64, b: u64| a.wrapping_mul(b);
                I64And I64AndConst |a: u64, b: u64| a & b;
                I64Or I64OrConst |a: u64, b: u64| a | b;
                I64Xor I64XorConst |a: u64, b: u64| a ^ b;
                I64Shl I64ShlConst |a: u64, b: u64| a.wrapping_shl(b as u32);
                I64ShrS I64ShrSConst |a: i64, b: u64| a.wrapping_shr(b as u32);
                I64ShrU I64ShrUConst |a: u64, b: u64| a.wrapping_shr(b as u32);
                I64Rotl I64RotlConst |a: u64, b: u64| a.rotate_left((b & 63) as u32);
                I64Rotr I64RotrConst |a: u64, b: u64| a.rotate_right((b & 63) as u32);
                F32Add F32AddConst |a: f32, b: f32| canonical32(a + b);
                F32Sub F32SubConst |a: f32, b: f32| canonical32(a - b);
                F32Mul F32MulConst |a: f32, b: f32| canonical32(a * b);
                F32Div F32DivConst |a: f32, b: f32| canonical32(a / b);
                F32Min F32MinConst |a: f32, b: f32| float::min32(a, b);
                F32Max F32MaxConst |a: f32, b: f32| float::max32(a, b);
                F32Copysign F32CopysignConst |a: u32, b: u32| a & !SIGN32 | b & SIGN32;
                F64Add F64AddConst |a: f64, b: f64| canonical64(a + b);
                F64Sub F64SubConst |a: f64, b: f64| canonical64(a - b);
                F64Mul F64MulConst |a: f64, b: f64| canonical64(a * b);
                F64Div F64DivConst |a: f64, b: f64| canonical64(a / b);
                F64Min F64MinConst |a: f64, b: f64| float::min64(a, b);
                F64Max F64MaxConst |a: f64, b: f64| float::max64(a, b);
                F64Copysign F64CopysignConst |a: u64, b: u64| a & !SIGN64 | b & SIGN64;
                F32Eq F32EqConst |a: f32, b: f32| a == b;
                F32Ne F32NeConst |a: f32, b: f32| a != b;
                F32Lt F32LtConst |a: f32, b: f32| a < b;
                F32Gt F32GtConst |a: f32, b: f32| a > b;
                F32Le F32LeConst |a: f32, b: f32| a <= b;
                F32Ge F32GeConst |a: f32, b: f32| a >= b;
                F64Eq F64EqConst |a: f64, b: f64| a == b;
                F64Ne F64NeConst |a: f64, b: f64| a != b;
                F64Lt F64LtConst |a: f64, b: f64| a < b;
                F64Gt F64GtConst |a: f64, b: f64| a > b;
                F64Le F64LeConst |a: f64, b: f64| a <= b;
                F64Ge F64GeConst |a: f64, b: f64| a >= b;
            }
            partial {
                I32DivS |a: i32, b: i32| divide(b == 0, a.checked_div(b));
                I32DivU |a: u32, b: u32| divide(b == 0, a.checked_div(b));
                I32RemS |a: i32, b: i32| divide(b == 0, (b != 0).then(|| a.wrapping_rem(b)));
                I32RemU |a: u32, b: u32| divide(b == 0, a.checked_rem(b));
                I64DivS |a: i64, b: i64| divide(b == 0, a.checked_div(b));
                I64DivU |a: u64, b: u64| divide(b == 0, a.checked_div(b));
                I64RemS |a: i64, b: i64| divide(b == 0, (b != 0).then(|| a.wrapping_rem(b)));
                I64RemU |a: u64, b: u64| divide(b == 0, a.checked_rem(b));
            }
            unary {
                I32Eqz |a: u32| a == 0;
                I64Eqz |a: u64| a == 0;
                I32Clz |a: u32| a.leading_zeros();
                I32Ctz |a: u32| a.trailing_zeros();
                I32Popcnt |a: u32| a.count_ones();
                I64Clz |a: u64| u64::from(a.leading_zeros());
                I64Ctz |a: u64| u64::from(a.trailing_zeros());
                I64Popcnt |a: u64| u64::from(a.count_ones());
                I32WrapI64 |a: u64| a as u32;
                I64ExtendI32S |a: i32| i64::from(a);
                I64ExtendI32U |a: u32| u64::from(a);
                I32Extend8S |a: u32| i32::from(a as i8);
                I32Extend16S |a: u32| i32::from(a as i16);
                I64Extend8S |a: u64| i64::from(a as i8);
                I64Extend16S |a: u64| i64::from(a as i16);
                I64Extend32S |a: u64| i64::from(a as i32);
                F32Abs |a: u32| a & !SIGN32;
                F32Neg |a: u32| a ^ SIGN32;
                F32Ceil |a: f32| canonical32(a.ceil());
                F32Floor |a: f32| canonical32(a.floor());
                F32Trunc |a: f32| canonical32(a.trunc());
                F32Nearest |a: f32| canonical32(a.round_ties_even());
                F32Sqrt |a: f32| canonical32(a.sqrt());
                F64Abs |a: u64| a & !SIGN64;
                F64Neg |a: u64| a ^ SIGN64;
                F64Ceil |a: f64| canonical64(a.ceil());
                F64Floor |a: f64| canonical64(a.floor());
                F64Trunc |a: f64| canonical64(a.trunc());
                F64Nearest |a: f64| canonical64(a.round_ties_even());
                F64Sqrt |a: f64| canonical64(a.sqrt());
                F32ConvertI32S |a: i32| a as f32;
                F32ConvertI32U |a: u32| a as f32;
                F32ConvertI64S |a: i64| a as f32;
                F32ConvertI64U |a: u64| a as f32;
                F64ConvertI32S |a: i32| f64::from(a);
                F64ConvertI32U |a: u32| f64::from(a);
                F64ConvertI64S |a: i64| a as f64;
                F64ConvertI64U |a: u64| a as f64;
                F32DemoteF64 |a: f64| canonical32(a as f32);
                F64PromoteF32 |a: f32| canonical64(f64::from(a));
                I32TruncSatF32S |a: f32| a as i32;
                I32TruncSatF32U |a: f32| a as u32;
                I32TruncSatF64S |a: f64| a as i32;
                I32TruncSatF64U |a: f64| a as u32;
                I64TruncSatF32S |a: f32| a as i64;
                I64TruncSatF32U |a: f32| a as u64;
                I64TruncSatF64S |a: f64| a as i64;
                I64TruncSatF64U |a: f64| a as u64;
            }
            convert {
                I32TruncF32S |a: f32| truncate(f64::from(a), -TWO_31, TWO_31).map(|a| a as i32);
                I32TruncF32U |a: f32| truncate(f64::from(a), 0.0, TWO_32).map(|a| a as u32);
                I32TruncF64S |a: f64| truncate(a, -TWO_31, TWO_31).map(|a| a as i32);
                I32TruncF64U |a: f64| truncate(a, 0.0, TWO_32).map(|a| a as u32);
                I64TruncF32S |a: f32| truncate(f64::from(a), -TWO_63, TWO_63).map(|a| a as i64);
                I64TruncF32U |a: f32| truncate(f64::from(a), 0.0, TWO_64).map(|a| a as u64);
                I64TruncF64S |a: f64| truncate(a, -TWO_63, TWO_63).map(|a| a as i64);
                I64TruncF64U |a: f64| truncate(a, 0.0, TWO_64).map(|a| a as u64);
            }
        }
    };
}

pub(crate) use numeric_instructions;

const SIGN32: u32 = 1 << 31;
const SIGN64: u64 = 1 << 63;
const TWO_31: f64 = 2_147_483_648.0;
const TWO_32: f64 = 4_294_967_296.0;
const TWO_63: f64 = 9_223_372_036_854_775_808.0;
const TWO_64: f64 = 18_446_744_073_709_551_616.0;

fn divide<T>(by_zero: bool, quotient: Option<T>) -> Result<T, Trap> {
    quotient.ok_or(if by_zero { Trap::DivisionByZero } else { Trap::IntegerOverflow })
}

/// The float rounded to zero, when it lies in `low .. high` then.
fn truncate(a: f64, low: f64, high: f64) -> Result<f64, Trap> {
    let whole = a.trunc();
    if a.is_nan() {
        Err(Trap::InvalidConversion)
    } else if whole >= low && whole < high {
        Ok(whole)
    } else {
        Err(Trap::IntegerOverflow)
    }
}

mod float {
    //! Minimum and maximum as wasm defines them: not a number wins, and -0 is below +0.

    use super::{canonical32, canonical64};

    macro_rules! extremes {
        ($min:ident $max:ident $float:ty, $bits:ty, $canonical:ident) => {
            pub(super) fn $min(a: $float, b: $float) -> $bits {
                match () {
                    () if a.is_nan() || b.is_nan() => $canonical(<$float>::NAN),
                    () if a == b => a.to_bits() | b.to_bits(),
                    () if a < b => a.to_bits(),
                    () => b.to_bits(),
                }
            }

            pub(super) fn $max(a: $float, b: $float) -> $bits {
                match () {
                    () if a.is_nan() || b.is_nan() => $canonical(<$float>::NAN),
                    () if a == b => a.to_bits() & b.to_bits(),
                    () if a > b => a.to_bits(),
                    () => b.to_bits(),
                }
            }
        };
    }

    extremes!(min32 max32 f32, u32, canonical32);
    extremes!(min64 max64 f64, u64, canonical64);
}

macro_rules! define {
    (
        compare { $($cmp:ident $cmp_const:ident $jump:ident $jump_const:ident $contrary:ident |$ca:ident: $cta:ty, $cb:ident: $ctb:ty| $cbody:expr;)* }
        binary { $($bin:ident $bin_const:ident |$ba:ident: $bta:ty, $bb:ident: $btb:ty| $bbody:expr;)* }
        partial { $($par:ident |$pa:ident: $pta:ty, $pb:ident: $ptb:ty| $pbody:expr;)* }
        unary { $($una:ident |$ua:ident: $uta:ty| $ubody:expr;)* }
        convert { $($con:ident |$va:ident: $vta:ty| $vbody:expr;)* }
    ) => {
        /// A numeric instruction with two operands.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[allow(missing_docs, reason = "the names are those of wasm")]
        pub enum Binary { $($cmp,)* $($bin,)* $($par,)* }

        impl Binary {
            /// Every instruction with two operands.
            pub const ALL: &[Self] = &[$(Self::$cmp,)* $(Self::$bin,)* $(Self::$par,)*];

            /// The result on plain bits.
            #[inline(always)]
            pub fn apply(self, a: u64, b: u64) -> Result<u64, Trap> {
                match self {
                    $(Self::$cmp => Ok(compute::$cmp(a, b)),)*
                    $(Self::$bin => Ok(compute::$bin(a, b)),)*
                    $(Self::$par => compute::$par(a, b),)*
                }
            }

            /// The comparison that is true where this one is false; of integer comparisons only.
            #[must_use]
            pub const fn contrary(self) -> Option<Self> {
                match self {
                    $(Self::$cmp => Some(Self::$contrary),)*
                    _ => None,
                }
            }
        }

        /// A numeric instruction with one operand.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[allow(missing_docs, reason = "the names are those of wasm")]
        pub enum Unary { $($una,)* $($con,)* }

        impl Unary {
            /// Every instruction with one operand.
            pub const ALL: &[Self] = &[$(Self::$una,)* $(Self::$con,)*];

            /// The result on plain bits.
            #[inline(always)]
            pub fn apply(self, a: u64) -> Result<u64, Trap> {
                match self {
                    $(Self::$una => Ok(compute::$una(a)),)*
                    $(Self::$con => compute::$con(a),)*
                }
            }
        }

        /// A function for each instruction, on the bits of registers.
        #[allow(non_snake_case, reason = "named as the instructions")]
        pub(crate) mod compute {
            use super::*;
            $(#[inline(always)] pub(crate) fn $cmp(a: u64, b: u64) -> u64 {
                let ($ca, $cb) = (<$cta>::from_bits64(a), <$ctb>::from_bits64(b));
                ($cbody).to_bits64()
            })*
            $(#[inline(always)] pub(crate) fn $bin(a: u64, b: u64) -> u64 {
                let ($ba, $bb) = (<$bta>::from_bits64(a), <$btb>::from_bits64(b));
                ($bbody).to_bits64()
            })*
            $(#[inline(always)] pub(crate) fn $par(a: u64, b: u64) -> Result<u64, Trap> {
                let ($pa, $pb) = (<$pta>::from_bits64(a), <$ptb>::from_bits64(b));
                ($pbody).map(Bits::to_bits64)
            })*
            $(#[inline(always)] pub(crate) fn $una(a: u64) -> u64 {
                let $ua = <$uta>::from_bits64(a);
                ($ubody).to_bits64()
            })*
            $(#[inline(always)] pub(crate) fn $con(a: u64) -> Result<u64, Trap> {
                let $va = <$vta>::from_bits64(a);
                ($vbody).map(Bits::to_bits64)
            })*
        }
    };
}

numeric_instructions!(define);
