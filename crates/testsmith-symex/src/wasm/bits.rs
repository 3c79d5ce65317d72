//! Between the 64 bits of a register and the types that instructions compute with.
//!
//! Main trait: [`Bits`]. A 32-bit value has zeros in the upper half of its register.

pub(crate) trait Bits {
    fn from_bits64(bits: u64) -> Self;
    fn to_bits64(self) -> u64;
}

macro_rules! bits {
    ($($of:ty, |$bits:ident| $from:expr, |$value:ident| $to:expr;)*) => {
        $(impl Bits for $of {
            #[inline(always)]
            fn from_bits64($bits: u64) -> Self {
                $from
            }
            #[inline(always)]
            fn to_bits64(self) -> u64 {
                let $value = self;
                $to
            }
        })*
    };
}

bits! {
    bool, |bits| bits != 0, |value| u64::from(value);
    u32, |bits| bits as u32, |value| u64::from(value);
    i32, |bits| bits as i32, |value| u64::from(value as u32);
    u64, |bits| bits, |value| value;
    i64, |bits| bits as i64, |value| value as u64;
    f32, |bits| f32::from_bits(bits as u32), |value| u64::from(value.to_bits());
    f64, |bits| f64::from_bits(bits), |value| value.to_bits();
}

/// The bits of a result of float arithmetic: not a number is always the canonical one, so that runs are the same on every
/// machine and agree with expressions. A float in Rust has no such bits: the compiler may choose them.
#[inline(always)]
pub(crate) fn canonical32(value: f32) -> u32 {
    if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() }
}

/// As [`canonical32`].
#[inline(always)]
pub(crate) fn canonical64(value: f64) -> u64 {
    if value.is_nan() { 0x7ff8_0000_0000_0000 } else { value.to_bits() }
}
