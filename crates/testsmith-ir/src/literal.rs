//! Values that are written as literals.

use crate::api::LiteralKind;

/// A value of one of the types that have literals. Floats are kept, compared and hashed as bits, so that `NaN` equals
/// itself and `-0.0` differs from `0.0`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(
    missing_docs,
    reason = "each is a value of the type of that name; `bits` of integers as in `LiteralKind`"
)]
pub enum Literal {
    Unit,
    Bool(bool),
    Char(char),
    Signed {
        bits: u8,
        value: i128,
    },
    Unsigned {
        bits: u8,
        value: u128,
    },
    /// The bits of an `f32`.
    F32(u32),
    /// The bits of an `f64`.
    F64(u64),
    /// `&'static str`
    Str(String),
    String(String),
    /// `&'static [u8]`
    ByteStr(Vec<u8>),
    /// `Vec<u8>`
    Bytes(Vec<u8>),
}

impl Literal {
    /// A literal of an integer type, wrapped around to what the type can hold.
    pub fn int(signed: bool, bits: u8, value: i128) -> Literal {
        let unused = 128 - u32::from(width(bits));
        match signed {
            true => Literal::Signed { bits, value: value << unused >> unused },
            false => Literal::Unsigned { bits, value: (value as u128) << unused >> unused },
        }
    }

    /// The type that it is a literal of.
    pub fn kind(&self) -> LiteralKind {
        match *self {
            Literal::Unit => LiteralKind::Unit,
            Literal::Bool(_) => LiteralKind::Bool,
            Literal::Char(_) => LiteralKind::Char,
            Literal::Signed { bits, .. } => LiteralKind::Int { signed: true, bits },
            Literal::Unsigned { bits, .. } => LiteralKind::Int { signed: false, bits },
            Literal::F32(_) => LiteralKind::F32,
            Literal::F64(_) => LiteralKind::F64,
            Literal::Str(_) => LiteralKind::Str,
            Literal::String(_) => LiteralKind::String,
            Literal::ByteStr(_) => LiteralKind::ByteStr,
            Literal::Bytes(_) => LiteralKind::Bytes,
        }
    }
}

impl From<f32> for Literal {
    fn from(value: f32) -> Literal {
        Literal::F32(value.to_bits())
    }
}

impl From<f64> for Literal {
    fn from(value: f64) -> Literal {
        Literal::F64(value.to_bits())
    }
}

impl From<&str> for Literal {
    fn from(value: &str) -> Literal {
        Literal::Str(value.to_owned())
    }
}

impl From<i32> for Literal {
    fn from(value: i32) -> Literal {
        Literal::Signed { bits: 32, value: value.into() }
    }
}

/// Bits of an integer type; `usize` and `isize` count as 64.
fn width(bits: u8) -> u8 {
    if bits == 0 { 64 } else { bits }
}
