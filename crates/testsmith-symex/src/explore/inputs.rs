//! Inputs of a program: literals that it shows to the host with `hole`, and goals that it names with `goal`.
//!
//! Main type: [`Inputs`], the host of programs that need no other. A variable has the number `slot << 10 | part`: one part
//! for a number, one a byte for text, so that a model is a set of literals without more ado.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use crate::expr::{Expr, Exprs, Model};
use crate::machine::{Host, HostCall, Stop};
use crate::wasm::Import;

/// Bits of a variable's number that count parts.
const PART_BITS: u32 = 10;

/// What a literal is, which says what values it may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Bits of any value: integers and floats.
    Number,
    /// 0 or 1.
    Bool,
    /// A number that is a character.
    Char,
    /// Bytes of any value, each a part.
    Bytes,
    /// Text: bytes, where characters keep the lengths that they have.
    Text,
}

impl Kind {
    /// The kind of this number in a call of `hole`.
    #[must_use]
    pub const fn from_number(number: u32) -> Option<Self> {
        match number {
            0 => Some(Self::Number),
            1 => Some(Self::Bool),
            2 => Some(Self::Char),
            3 => Some(Self::Bytes),
            4 => Some(Self::Text),
            _ => None,
        }
    }
}

/// The variable of a part of a slot.
#[must_use]
pub const fn variable(slot: u32, part: u32) -> u32 {
    slot << PART_BITS | part
}

/// The slot and the part of a variable.
#[must_use]
pub const fn parts(variable: u32) -> (u32, u32) {
    (variable >> PART_BITS, variable & ((1 << PART_BITS) - 1))
}

/// Gives literals the values of a model and makes them inputs; notes which goals are reached.
#[derive(Debug, Default)]
pub struct Inputs {
    /// The values that were asked for; a literal that has none keeps its own.
    pub model: Model,
    /// The values of all literals that were shown.
    pub values: Model,
    /// Goals that this run has reached, in order.
    pub goals: Vec<u32>,
    /// Goals that any run has reached, for whoever watches from outside.
    watched: Option<Rc<RefCell<BTreeSet<u32>>>>,
}

const HOLE: u32 = 0;
const GOAL: u32 = 1;

impl Host for Inputs {
    fn link(&self, import: &Import) -> Option<u32> {
        match import.name.as_str() {
            "hole" => Some(HOLE),
            "goal" => Some(GOAL),
            _ => None,
        }
    }

    fn call(&mut self, function: u32, call: &mut HostCall<'_, '_>) -> Result<(), Stop> {
        match function {
            HOLE => {
                let [slot, kind, at, len] = [0, 1, 2, 3].map(|argument| call.fixed_low(argument));
                let kind = Kind::from_number(kind)
                    .ok_or_else(|| Stop::Unsupported(format!("a literal of kind {kind}")))?;
                self.hole(call, slot, kind, at, len)
            }
            // Goals that were melted into one call are told apart by their number.
            _ => {
                let goal = call.fixed_low(0);
                self.goals.push(goal);
                if let Some(watched) = &self.watched {
                    watched.borrow_mut().insert(goal);
                }
                Ok(())
            }
        }
    }
}

impl Inputs {
    /// Prepares a run with these values.
    pub fn start(&mut self, model: Model) {
        *self = Self { model, watched: self.watched.take(), ..Self::default() };
    }

    /// Notes every goal in this set as well.
    pub fn watch(&mut self, goals: Rc<RefCell<BTreeSet<u32>>>) {
        self.watched = Some(goals);
    }

    /// Makes `len` bytes at `at` the literal of a slot: its value is the model's, or the one that is there.
    ///
    /// # Errors
    /// When the bytes end beyond the memory, or a number is longer than 16 bytes.
    pub fn hole(
        &mut self,
        call: &mut HostCall<'_, '_>,
        slot: u32,
        kind: Kind,
        at: u32,
        len: u32,
    ) -> Result<(), Stop> {
        match kind {
            Kind::Number | Kind::Bool | Kind::Char => {
                if !(1..=16).contains(&len) {
                    return Err(Stop::Unsupported(format!("a number of {len} bytes")));
                }
                let number = variable(slot, 0);
                let value = call.input(at, len, number, self.model.get(number))?;
                self.values.set(number, value);
                let whole = call.exprs().variable(number, len * 8);
                if let Some(allowed) = allowed(call.exprs(), kind, whole) {
                    call.symbolic.assume(call.place, allowed);
                }
            }
            Kind::Bytes | Kind::Text => {
                let literal = call.memory.slice(u64::from(at), u64::from(len))?.to_vec();
                // What does not fit into the numbers of a slot stays as it is.
                for (part, byte) in literal.iter().enumerate().take(1 << PART_BITS) {
                    let number = variable(slot, part as u32);
                    let value = call.input(at + part as u32, 1, number, self.model.get(number))?;
                    self.values.set(number, value);
                    if kind == Kind::Text {
                        let input = call.exprs().variable(number, 8);
                        let allowed = continues_as(call.exprs(), input, *byte);
                        call.symbolic.assume(call.place, allowed);
                    }
                }
            }
        }
        Ok(())
    }
}

/// The values that a literal of this kind may have, where those are not all.
fn allowed(exprs: &mut Exprs, kind: Kind, whole: Expr) -> Option<Expr> {
    let width = exprs.width(whole);
    let constant = |exprs: &mut Exprs, value: u32| exprs.constant(width, u128::from(value));
    match kind {
        Kind::Bool => {
            let one = constant(exprs, 1);
            Some(exprs.ule(whole, one))
        }
        Kind::Char => {
            let [low, high, end] = [0xd800, 0xe000, 0x11_0000].map(|value| constant(exprs, value));
            let (below, above) = (exprs.ult(whole, low), exprs.ule(high, whole));
            let no_surrogate = exprs.or(below, above);
            let in_range = exprs.ult(whole, end);
            Some(exprs.and(no_surrogate, in_range))
        }
        _ => None,
    }
}

/// A byte of text stays what it is: a character of one byte, the first of several, or a further one. The first bytes whose
/// second byte is restricted are left out, so that every combination is text.
fn continues_as(exprs: &mut Exprs, byte: Expr, literal: u8) -> Expr {
    let (low, high) = match literal {
        0..0x80 => (0, 0x7f),
        0x80..0xc0 => (0x80, 0xbf),
        0xc0..0xe0 => (0xc2, 0xdf),
        0xe0..0xf0 => (0xe1, 0xec),
        0xf0.. => (0xf1, 0xf3),
    };
    let (low, high) = (exprs.constant(8, low), exprs.constant(8, high));
    let (above, below) = (exprs.ule(low, byte), exprs.ule(byte, high));
    exprs.and(above, below)
}
