//! Which values a search tries for a variable next.
//!
//! Main type: [`Variable`]: what is known of it from the query, its width, whether it is used as a float, and constants that it may
//! have to do with.

use super::tape::{Tape, float_place};
use crate::expr::bits::mask;
use crate::expr::{Exprs, Op};

/// How many constants of a query are tried for each variable.
const CONSTANTS: usize = 48;

pub(super) struct Variable {
    pub(super) number: u32,
    pub(super) width: u32,
    is_float: bool,
    constants: Vec<u128>,
}

/// The variables in the order of the tape.
pub(super) fn variables(exprs: &Exprs, tape: &Tape) -> Vec<Variable> {
    let floats = used_as_floats(tape);
    let places = tape.entries.iter().enumerate().filter(|(_, entry)| entry.op == Op::Var);
    places
        .map(|(place, entry)| {
            let same = |other: &&super::tape::Entry| other.op == Op::Const && other.width == entry.width;
            let constants = tape.entries.iter().filter(same).map(|entry| entry.constant).take(CONSTANTS);
            Variable {
                number: exprs.as_variable(entry.expr).expect("it is one"),
                width: entry.width,
                is_float: floats[place],
                constants: constants.collect(),
            }
        })
        .collect()
}

/// What float operations take, directly or through choices and sign bits.
fn used_as_floats(tape: &Tape) -> Vec<bool> {
    let mut floats = vec![false; tape.entries.len()];
    for (place, entry) in tape.entries.iter().enumerate().rev() {
        let takes = match entry.op {
            Op::FFromS | Op::FFromU => false,
            op if op.is_float() => true,
            Op::Ite | Op::And | Op::Or | Op::Xor => floats[place],
            _ => false,
        };
        for &operand in entry.operands.iter().filter(|_| takes) {
            floats[operand] |= matches!(tape.entries[operand].width, 32 | 64);
        }
    }
    floats
}

impl Variable {
    /// Values that are worth a try from anywhere.
    pub(super) fn proposals(&self, now: u128) -> Vec<u128> {
        let mut values = self.constants.clone();
        let ones = mask(self.width);
        values.extend([0, 1 & ones, ones, ones >> 1, (ones >> 1) + 1]);
        if self.is_float {
            values.extend(self.float_proposals(now));
        }
        values.extend(
            self.constants
                .iter()
                .flat_map(|&constant| [self.next(constant, true), self.next(constant, false)]),
        );
        values
    }

    fn float_proposals(&self, now: u128) -> Vec<u128> {
        let value = self.float(now);
        let near = [
            value * 2.0,
            value / 2.0,
            -value,
            value + 1.0,
            value - 1.0,
            value.round(),
            1.0 / value,
            value.sqrt(),
            value * value,
        ];
        let far = [
            1.0,
            -1.0,
            0.5,
            10.0,
            100.0,
            1e6,
            1e18,
            1e-6,
            f64::MAX,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
        ];
        near.into_iter().chain(far).map(|value| self.bits(value)).collect()
    }

    /// The value `2^exponent` steps up or down: integers around the circle, floats along their order.
    pub(super) fn step(&self, now: u128, exponent: u32, up: bool) -> u128 {
        let by = 1u128 << exponent.min(127);
        if !self.is_float {
            let next = if up { now.wrapping_add(by) } else { now.wrapping_sub(by) };
            return next & mask(self.width);
        }
        let Some(place) = float_place(self.width, now) else {
            return self.bits(0.0);
        };
        let by = by as i128;
        let next = if up { place.saturating_add(by) } else { place.saturating_sub(by) };
        let infinity = self.bits(f64::INFINITY) as i128;
        let next = next.clamp(-infinity, infinity);
        next.unsigned_abs() | if next < 0 { 1 << (self.width - 1) } else { 0 }
    }

    fn next(&self, now: u128, up: bool) -> u128 {
        self.step(now, 0, up)
    }

    /// A value for a new beginning from random bits: small, or a float of ordinary size, or anything.
    pub(super) fn random(&self, random: u128) -> u128 {
        let kind = random % 4;
        let random = random >> 2;
        let small = (random as i16 as f64) / 16.0;
        match (kind, self.is_float) {
            (0 | 1, true) => self.bits(small),
            (2, true) => self.bits(small * 1e9),
            (0, false) => (random % 256) & mask(self.width),
            _ if self.constants.is_empty() || kind == 3 => random & mask(self.width),
            _ => self.constants[random as usize % self.constants.len()],
        }
    }

    fn float(&self, bits: u128) -> f64 {
        if self.width == 32 { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits as u64) }
    }

    fn bits(&self, value: f64) -> u128 {
        if self.width == 32 { u128::from((value as f32).to_bits()) } else { u128::from(value.to_bits()) }
    }
}
