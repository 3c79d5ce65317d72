//! Literals as values. Those that a program sees as `&'static` are kept for ever, each once.

use std::collections::BTreeSet;

use super::probe::{of, Answers, Of, Vtable};
use super::slot::Slot;
use super::wire::{IntKind, Literal};
use crate::wasm::{self, Hole};

/// The type of what has no value.
pub(super) fn unit() -> &'static Vtable {
    vtable(of::<()>(), crate::__facts!(of::<()>()))
}

fn vtable<T, A: Answers<T>>(_: Of<T>, _: Option<A>) -> &'static Vtable {
    A::VTABLE
}

/// The literals that were leaked.
#[derive(Default)]
pub(super) struct Literals {
    kept: BTreeSet<&'static [u8]>,
    bytes: u64,
}

impl Literals {
    /// Bytes that were leaked so far.
    pub(super) fn leaked(&self) -> u64 {
        self.bytes
    }

    /// A literal as a slot.
    pub(super) fn slot(&mut self, literal: &Literal) -> Slot {
        macro_rules! slot {
            ($type:ty, $value:expr) => {{
                let value: $type = $value;
                let of = vtable(of::<$type>(), crate::__facts!(of::<$type>()));
                // SAFETY: the box is of the type whose functions these are.
                unsafe { Slot::new(Box::into_raw(Box::new(value)).cast(), of) }
            }};
        }
        match literal {
            Literal::Unit => slot!((), ()),
            Literal::Bool(value) => slot!(bool, *value),
            Literal::Char(value) => slot!(char, *value),
            Literal::Int(IntKind::I8, value) => slot!(i8, *value as i8),
            Literal::Int(IntKind::I16, value) => slot!(i16, *value as i16),
            Literal::Int(IntKind::I32, value) => slot!(i32, *value as i32),
            Literal::Int(IntKind::I64, value) => slot!(i64, *value as i64),
            Literal::Int(IntKind::I128, value) => slot!(i128, *value),
            Literal::Int(IntKind::Isize, value) => slot!(isize, *value as isize),
            Literal::Int(IntKind::U8, value) => slot!(u8, *value as u8),
            Literal::Int(IntKind::U16, value) => slot!(u16, *value as u16),
            Literal::Int(IntKind::U32, value) => slot!(u32, *value as u32),
            Literal::Int(IntKind::U64, value) => slot!(u64, *value as u64),
            Literal::Int(IntKind::U128, value) => slot!(u128, *value as u128),
            Literal::Int(IntKind::Usize, value) => slot!(usize, *value as usize),
            Literal::F32(value) => slot!(f32, *value),
            Literal::F64(value) => slot!(f64, *value),
            Literal::Str(value) => {
                let text = std::str::from_utf8(self.keep(value.as_bytes())).expect("it was a text before");
                slot!(&'static str, text)
            }
            Literal::String(value) => slot!(String, value.clone()),
            Literal::ByteStr(value) => slot!(&'static [u8], self.keep(value)),
            Literal::Bytes(value) => slot!(Vec<u8>, value.clone()),
        }
    }

    fn keep(&mut self, bytes: &[u8]) -> &'static [u8] {
        // The engine may change each of them.
        if wasm::IS {
            return Box::leak(bytes.into());
        }
        if let Some(kept) = self.kept.get(bytes) {
            return kept;
        }
        let kept: &'static [u8] = Box::leak(bytes.into());
        self.bytes += kept.len() as u64;
        self.kept.insert(kept);
        kept
    }
}

/// Shows the engine where the value of a literal is.
pub(super) fn show(number: usize, literal: &Literal, slot: &Slot) {
    let Some(at) = slot.any() else { return };
    let number = number as u32;
    // SAFETY, for all: the slot holds a value of the literal's type, and nobody else refers to it or to its buffer yet.
    unsafe {
        match literal {
            Literal::Unit => {}
            Literal::Bool(_) => wasm::hole(number, Hole::Bool, at, slot.of.size),
            Literal::Char(_) => wasm::hole(number, Hole::Char, at, slot.of.size),
            Literal::Int(..) | Literal::F32(_) | Literal::F64(_) => {
                wasm::hole(number, Hole::Number, at, slot.of.size);
            }
            Literal::Str(text) => {
                let at = (*at.cast::<&'static str>()).as_ptr().cast_mut();
                wasm::hole(number, Hole::Text, at, text.len());
            }
            Literal::String(text) => {
                wasm::hole(number, Hole::Text, (*at.cast::<String>()).as_mut_ptr(), text.len());
            }
            Literal::ByteStr(bytes) => {
                let at = (*at.cast::<&'static [u8]>()).as_ptr().cast_mut();
                wasm::hole(number, Hole::Bytes, at, bytes.len());
            }
            Literal::Bytes(bytes) => {
                wasm::hole(number, Hole::Bytes, (*at.cast::<Vec<u8>>()).as_mut_ptr(), bytes.len());
            }
        }
    }
}
