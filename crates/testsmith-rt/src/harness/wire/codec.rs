//! Values to bytes and back: [`Writer`], [`Reader`], and the trait [`Wire`] of everything that has a form.
//!
//! Unsigned numbers are varints (seven bits a byte, low ones first), signed ones zigzag first, lists start with their
//! length, enums with a byte.

use std::fmt;

use crate::wasm;

/// Bytes that are not a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed(pub String);

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a message of the harness: {}", self.0)
    }
}

impl std::error::Error for Malformed {}

/// Something with a form on the wire.
pub trait Wire: Sized {
    /// Appends it.
    fn write(&self, to: &mut Writer);
    /// Takes it off the front.
    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed>;
}

/// Bytes being written.
#[derive(Clone, Debug, Default)]
pub struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    /// Nothing yet.
    pub fn new() -> Writer {
        Writer::default()
    }

    /// What has been written.
    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }

    /// How much has been written.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether nothing has been written.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// One byte, as it is.
    pub fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    /// Bytes as they are, without a length.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// A varint.
    pub fn uint(&mut self, mut value: u64) {
        if wasm::IS {
            return self.padded(value.into(), 10);
        }
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    /// A varint of up to 128 bits.
    pub fn wide(&mut self, mut value: u128) {
        if wasm::IS {
            return self.padded(value, 19);
        }
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    /// A varint of always as many bytes: its length says nothing of the value, so that nothing branches on that.
    fn padded(&mut self, mut value: u128, bytes: u32) {
        for at in 1..=bytes {
            let more = if at < bytes { 0x80 } else { 0 };
            self.bytes.push(value as u8 & 0x7f | more);
            value >>= 7;
        }
    }

    /// A signed varint.
    pub fn signed(&mut self, value: i128) {
        self.wide((value << 1 ^ value >> 127) as u128);
    }

    /// Numbers that tend to follow each other, as differences: usually a byte each.
    pub fn numbers(&mut self, numbers: &[u32]) {
        self.uint(numbers.len() as u64);
        let mut before = 0i64;
        for number in numbers {
            let step = i64::from(*number) - before;
            self.uint((step << 1 ^ step >> 63) as u64);
            before = i64::from(*number);
        }
    }
}

/// Bytes being read.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// All of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { rest: bytes }
    }

    /// An error unless everything has been read.
    pub fn finish(self) -> Result<(), Malformed> {
        if self.rest.is_empty() {
            return Ok(());
        }
        Err(Malformed(format!("{} bytes too many", self.rest.len())))
    }

    /// One byte, as it is.
    pub fn byte(&mut self) -> Result<u8, Malformed> {
        let (first, rest) = self.rest.split_first().ok_or_else(too_short)?;
        self.rest = rest;
        Ok(*first)
    }

    /// So many bytes, as they are.
    pub fn raw(&mut self, length: usize) -> Result<&'a [u8], Malformed> {
        if length > self.rest.len() {
            return Err(too_short());
        }
        let (bytes, rest) = self.rest.split_at(length);
        self.rest = rest;
        Ok(bytes)
    }

    /// A varint.
    pub fn uint(&mut self) -> Result<u64, Malformed> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                return Err(too_large());
            }
            value |= bits << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(too_large())
    }

    /// A varint of up to 128 bits.
    pub fn wide(&mut self) -> Result<u128, Malformed> {
        let mut value = 0;
        for shift in (0..128).step_by(7) {
            let byte = self.byte()?;
            let bits = u128::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                return Err(too_large());
            }
            value |= bits << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(too_large())
    }

    /// A signed varint.
    pub fn signed(&mut self) -> Result<i128, Malformed> {
        let value = self.wide()?;
        Ok((value >> 1) as i128 ^ -((value & 1) as i128))
    }

    /// The length of a list, each of whose elements takes a byte at least.
    pub fn length(&mut self) -> Result<usize, Malformed> {
        let length = usize::try_from(self.uint()?).map_err(|_| too_large())?;
        if length > self.rest.len() {
            return Err(too_short());
        }
        Ok(length)
    }

    /// What [`Writer::numbers`] has written.
    pub fn numbers(&mut self) -> Result<Vec<u32>, Malformed> {
        let length = self.length()?;
        let mut numbers = Vec::with_capacity(length);
        let mut before = 0i64;
        for _ in 0..length {
            let step = self.uint()?;
            before = before.wrapping_add((step >> 1) as i64 ^ -((step & 1) as i64));
            numbers.push(u32::try_from(before).map_err(|_| too_large())?);
        }
        Ok(numbers)
    }
}

fn too_short() -> Malformed {
    Malformed("it ends early".to_owned())
}

fn too_large() -> Malformed {
    Malformed("a number is too large".to_owned())
}

macro_rules! varints {
    ($($t:ty)*) => {$(
        impl Wire for $t {
            fn write(&self, to: &mut Writer) {
                to.uint(u64::from(*self));
            }

            fn read(from: &mut Reader<'_>) -> Result<$t, Malformed> {
                <$t>::try_from(from.uint()?).map_err(|_| too_large())
            }
        }
    )*};
}

varints!(u16 u32 u64);

impl Wire for u8 {
    fn write(&self, to: &mut Writer) {
        to.byte(*self);
    }

    fn read(from: &mut Reader<'_>) -> Result<u8, Malformed> {
        from.byte()
    }
}

impl Wire for bool {
    fn write(&self, to: &mut Writer) {
        to.byte((*self).into());
    }

    fn read(from: &mut Reader<'_>) -> Result<bool, Malformed> {
        match from.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(Malformed(format!("{other} is no bool"))),
        }
    }
}

impl Wire for i32 {
    fn write(&self, to: &mut Writer) {
        to.signed((*self).into());
    }

    fn read(from: &mut Reader<'_>) -> Result<i32, Malformed> {
        i32::try_from(from.signed()?).map_err(|_| too_large())
    }
}

/// Small whole numbers have only high bits; with the bytes turned round they are short varints.
impl Wire for f64 {
    fn write(&self, to: &mut Writer) {
        to.uint(self.to_bits().swap_bytes());
    }

    fn read(from: &mut Reader<'_>) -> Result<f64, Malformed> {
        Ok(f64::from_bits(from.uint()?.swap_bytes()))
    }
}

impl Wire for String {
    fn write(&self, to: &mut Writer) {
        to.uint(self.len() as u64);
        to.raw(self.as_bytes());
    }

    fn read(from: &mut Reader<'_>) -> Result<String, Malformed> {
        let length = from.length()?;
        let bytes = from.raw(length)?;
        // A mutant of unsafe code can make a `str` that is none.
        Ok(String::from_utf8_lossy(bytes).into_owned())
    }
}

impl<T: Wire> Wire for Vec<T> {
    fn write(&self, to: &mut Writer) {
        to.uint(self.len() as u64);
        self.iter().for_each(|element| element.write(to));
    }

    fn read(from: &mut Reader<'_>) -> Result<Vec<T>, Malformed> {
        let length = from.length()?;
        // Elements are larger than their bytes: a length that lies must not cost much.
        let mut elements = Vec::with_capacity(length.min(1 << 10));
        for _ in 0..length {
            elements.push(T::read(from)?);
        }
        Ok(elements)
    }
}

impl<T: Wire> Wire for Option<T> {
    fn write(&self, to: &mut Writer) {
        self.is_some().write(to);
        if let Some(value) = self {
            value.write(to);
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Option<T>, Malformed> {
        Ok(if bool::read(from)? { Some(T::read(from)?) } else { None })
    }
}

impl<A: Wire, B: Wire> Wire for (A, B) {
    fn write(&self, to: &mut Writer) {
        self.0.write(to);
        self.1.write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<(A, B), Malformed> {
        Ok((A::read(from)?, B::read(from)?))
    }
}

/// A struct is its fields, one after the other.
macro_rules! wire_struct {
    ($name:ident { $($field:ident),* $(,)? }) => {
        impl $crate::harness::wire::Wire for $name {
            fn write(&self, to: &mut $crate::harness::wire::Writer) {
                $(self.$field.write(to);)*
            }

            fn read(
                from: &mut $crate::harness::wire::Reader<'_>,
            ) -> Result<$name, $crate::harness::wire::Malformed> {
                Ok($name { $($field: $crate::harness::wire::Wire::read(from)?,)* })
            }
        }
    };
}

/// An enum without fields is a byte.
macro_rules! wire_enum {
    ($name:ident { $($variant:ident),* $(,)? }) => {
        impl $crate::harness::wire::Wire for $name {
            fn write(&self, to: &mut $crate::harness::wire::Writer) {
                to.byte(*self as u8);
            }

            fn read(
                from: &mut $crate::harness::wire::Reader<'_>,
            ) -> Result<$name, $crate::harness::wire::Malformed> {
                let byte = from.byte()?;
                $(if byte == $name::$variant as u8 { return Ok($name::$variant); })*
                Err($crate::harness::wire::Malformed(format!("{byte} is no {}", stringify!($name))))
            }
        }
    };
}

pub(super) use {wire_enum, wire_struct};
