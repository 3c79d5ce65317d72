//! Operands of comparisons, for the tool to put where they came from: [`Kept`].
//!
//! They are kept while the program runs, whose allocations are counted: so there is room for a few short ones from the start,
//! and nothing is allocated.

use std::sync::{Mutex, MutexGuard, TryLockError};

use super::wire::{Operand, Operands};
use crate::prim::Prim;

/// Pairs of one run.
const MOST: usize = 32;
/// Bytes of a text.
const LONGEST: usize = 40;

/// The operands of the run at hand.
pub(super) struct Kept(Mutex<Pairs>);

struct Pairs {
    pairs: [(u32, Short, Short); MOST],
    length: usize,
}

/// An operand that needs no memory of its own.
#[derive(Clone, Copy)]
enum Short {
    Int(i128),
    Char(char),
    Text([u8; LONGEST], usize),
}

impl Default for Kept {
    fn default() -> Kept {
        Kept(Mutex::new(Pairs { pairs: [(0, Short::Int(0), Short::Int(0)); MOST], length: 0 }))
    }
}

impl Kept {
    /// Whoever has to wait, or comes back from a fork while another thread was in here, goes without.
    fn open(&self) -> Option<MutexGuard<'_, Pairs>> {
        match self.0.try_lock() {
            Ok(pairs) => Some(pairs),
            Err(TryLockError::Poisoned(pairs)) => Some(pairs.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    pub(super) fn clear(&self) {
        if let Some(mut pairs) = self.open() {
            pairs.length = 0;
        }
    }

    /// Whether there was room for the pair.
    pub(super) fn push(&self, probe: u32, left: &Prim<'_>, right: &Prim<'_>) -> bool {
        let (Some(left), Some(right)) = (Short::of(left), Short::of(right)) else { return false };
        let Some(mut pairs) = self.open() else { return false };
        let at = pairs.length;
        let Some(place) = pairs.pairs.get_mut(at) else { return false };
        *place = (probe, left, right);
        pairs.length += 1;
        true
    }

    /// The pairs, in the order in which they were compared.
    pub(super) fn all(&self) -> Vec<Operands> {
        let Some(pairs) = self.open() else { return Vec::new() };
        let told = |(probe, left, right): &(u32, Short, Short)| Operands {
            probe: *probe,
            left: left.told(),
            right: right.told(),
        };
        pairs.pairs[..pairs.length].iter().map(told).collect()
    }
}

impl Short {
    fn of(value: &Prim<'_>) -> Option<Short> {
        match *value {
            Prim::Int(value, _) => Some(Short::Int(value)),
            Prim::Uint(value, _) => i128::try_from(value).ok().map(Short::Int),
            Prim::Char(value) => Some(Short::Char(value)),
            Prim::Str(text) if text.len() <= LONGEST => {
                let mut bytes = [0; LONGEST];
                bytes[..text.len()].copy_from_slice(text.as_bytes());
                Some(Short::Text(bytes, text.len()))
            }
            Prim::Str(_) | Prim::Float(_) | Prim::Bool(_) | Prim::Other => None,
        }
    }

    fn told(&self) -> Operand {
        match self {
            Short::Int(value) => Operand::Int(*value),
            Short::Char(value) => Operand::Char(*value),
            Short::Text(bytes, length) => {
                Operand::Text(String::from_utf8_lossy(&bytes[..*length]).into_owned())
            }
        }
    }
}
