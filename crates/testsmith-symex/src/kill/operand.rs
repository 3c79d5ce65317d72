//! Operands of sites: which values types have, told by their names, and how they lie in memory.
//!
//! Main types: [`Type`], and [`Operand`], a value with its expression. What is read follows references.

use crate::expr::{Expr, Exprs};
use crate::machine::{HostCall, Stop};

/// A type whose operators have a known meaning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    /// An integer of so many bits.
    Int {
        /// Whether it is signed.
        signed: bool,
        /// Its width.
        bits: u32,
    },
    /// A float of so many bits.
    Float(u32),
    /// `bool`
    Bool,
    /// `char`
    Char,
    /// Text, by its bytes.
    Text,
}

/// Characters of a text whose order is put into an expression.
const MOST_TEXT: u32 = 64;

/// What a site computes with.
#[derive(Clone, PartialEq, Debug)]
pub struct Operand {
    /// Its type.
    pub ty: Type,
    /// Its value, or the values of its bytes; constants where they do not depend on inputs.
    pub parts: Vec<Expr>,
}

impl Type {
    /// The type of this name, where its operators are known, and how many references lead to it.
    #[must_use]
    pub fn named(name: &str) -> Option<(Self, u32)> {
        let mut references = 0;
        let mut name = name;
        while let Some(inner) = name.strip_prefix('&') {
            name = inner.strip_prefix("mut ").unwrap_or(inner);
            references += 1;
        }
        let int = |signed, bits| Some(Self::Int { signed, bits });
        let ty = match name {
            "i8" => int(true, 8),
            "i16" => int(true, 16),
            "i32" | "isize" => int(true, 32),
            "i64" => int(true, 64),
            "i128" => int(true, 128),
            "u8" => int(false, 8),
            "u16" => int(false, 16),
            "u32" | "usize" => int(false, 32),
            "u64" => int(false, 64),
            "u128" => int(false, 128),
            "f32" => Some(Self::Float(32)),
            "f64" => Some(Self::Float(64)),
            "bool" => Some(Self::Bool),
            "char" => Some(Self::Char),
            "str" => Some(Self::Text),
            _ => None,
        };
        ty.map(|ty| (ty, references))
    }

    /// Bytes in memory; a text has any number.
    fn bytes(self) -> u32 {
        match self {
            Self::Int { bits, .. } | Self::Float(bits) => bits / 8,
            Self::Bool => 1,
            Self::Char => 4,
            Self::Text => 0,
        }
    }
}

impl Operand {
    /// Reads a value of the type of this name, whose first bytes are at `at`. Nothing where the type's operators are not
    /// known, or an address depends on inputs.
    pub(super) fn read(
        call: &mut HostCall<'_, '_>,
        name: &str,
        at: u32,
        size: u32,
    ) -> Result<Option<Self>, Stop> {
        let Some((ty, references)) = Type::named(name) else { return Ok(None) };
        let (mut at, mut size) = (at, size);
        for left in (0..references).rev() {
            // The last reference to a text has its length behind it.
            if ty == Type::Text && left == 0 {
                let Some(len) = word(call, at + 4)? else { return Ok(None) };
                size = len;
            }
            let Some(inner) = word(call, at)? else { return Ok(None) };
            at = inner;
        }
        let parts = match ty {
            Type::Text if size > MOST_TEXT => return Ok(None),
            Type::Text => (0..size).map(|byte| value(call, at + byte, 1)).collect::<Result<_, _>>()?,
            Type::Bool => {
                let byte = value(call, at, 1)?;
                vec![call.exprs().extract(0, 1, byte)]
            }
            _ => vec![value(call, at, ty.bytes())?],
        };
        Ok(Some(Self { ty, parts }))
    }

    /// The value of what has one.
    #[must_use]
    pub fn value(&self) -> Option<Expr> {
        match (self.ty, self.parts.as_slice()) {
            (Type::Text, _) => None,
            (_, [value]) => Some(*value),
            _ => None,
        }
    }

    /// Whether it depends on inputs.
    #[must_use]
    pub fn is_symbolic(&self, exprs: &Exprs) -> bool {
        self.parts.iter().any(|part| exprs.as_constant(*part).is_none())
    }
}

/// An address or a length; nothing where it depends on inputs.
fn word(call: &mut HostCall<'_, '_>, at: u32) -> Result<Option<u32>, Stop> {
    if call.expr_at(at, 4)?.is_some() {
        return Ok(None);
    }
    let bytes = call.memory.slice(u64::from(at), 4)?;
    Ok(Some(u32::from_le_bytes(bytes.try_into().expect("it has four bytes"))))
}

fn value(call: &mut HostCall<'_, '_>, at: u32, bytes: u32) -> Result<Expr, Stop> {
    if let Some(expr) = call.expr_at(at, bytes)? {
        return Ok(expr);
    }
    let mut value = [0; 16];
    value[..bytes as usize].copy_from_slice(call.memory.slice(u64::from(at), u64::from(bytes))?);
    Ok(call.exprs().constant(bytes * 8, u128::from_le_bytes(value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_known_by_their_names_through_references() {
        let table = [
            ("u8", Some((Type::Int { signed: false, bits: 8 }, 0))),
            ("&&mut isize", Some((Type::Int { signed: true, bits: 32 }, 2))),
            ("&str", Some((Type::Text, 1))),
            ("f32", Some((Type::Float(32), 0))),
            ("alloc::string::String", None),
            ("mine::u8", None),
        ];
        for (name, expected) in table {
            assert_eq!(Type::named(name), expected, "{name}");
        }
    }
}
