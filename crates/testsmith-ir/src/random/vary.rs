//! Literals that are like given ones: what a change of a program puts in the place of a literal.

use super::constant_pool::{ConstantPool, edit, small};
use super::constants::Parameter;
use super::rng::Rng;
use crate::literal::Literal;
use crate::program::{Program, Statement};

/// Texts are doubled in part up to this length, and are made so long at once.
const LONG: usize = 160;
const LONGEST: usize = 300;

/// One in so many changes of an argument puts one there that was passed for its parameter before.
const PASSED: usize = 5;

impl ConstantPool {
    /// Chooses base values from a program that others are made of.
    pub(super) fn base_on(&mut self, program: &Program, rng: &mut Rng) {
        let literals = || {
            program.statements.iter().filter_map(|statement| match statement {
                Statement::Literal { value, .. } => Some(value),
                Statement::Call { .. } | Statement::Drop(_) => None,
            })
        };
        self.renew(rng);
        if let Some(text) = rng.one_of(literals().filter_map(text)) {
            self.text = text;
        }
        // A number may stand inside of a text as well.
        let inside = digits(&self.text, rng);
        if let Some(number) = rng.one_of(literals().filter_map(number).chain(inside)) {
            self.number = number;
        }
    }

    /// Another literal for a parameter: what was passed for it, or one like the old one.
    pub(super) fn vary_for(&self, parameter: Option<Parameter>, literal: &Literal, rng: &mut Rng) -> Literal {
        let passed = self.passed_for(parameter, literal.kind(), PASSED, rng);
        passed.unwrap_or_else(|| self.vary(literal, rng))
    }

    /// Another literal of the same type, in most cases one that is near.
    pub(super) fn vary(&self, literal: &Literal, rng: &mut Rng) -> Literal {
        if rng.once_in(6) {
            return self.literal(literal.kind(), rng);
        }
        match literal {
            Literal::Signed { bits, value } => Literal::int(true, *bits, self.vary_int(*value, rng)),
            Literal::Unsigned { bits, value } => {
                // Neither does a small number become a huge one, nor a size more than memory can hold.
                let value = self.vary_int(value.cast_signed(), rng).max(0);
                let value = if *bits == 0 && !rng.once_in(64) { small(value) } else { value };
                Literal::int(false, *bits, value)
            }
            Literal::Char(value) => Literal::Char(self.vary_char(*value, rng)),
            Literal::F32(bits) => Literal::from(vary_float(f32::from_bits(*bits).into(), rng) as f32),
            Literal::F64(bits) => Literal::from(vary_float(f64::from_bits(*bits), rng)),
            Literal::Str(text) => Literal::Str(self.vary_text(text, rng)),
            Literal::String(text) => Literal::String(self.vary_text(text, rng)),
            Literal::ByteStr(bytes) => Literal::ByteStr(self.vary_bytes(bytes, rng)),
            Literal::Bytes(bytes) => Literal::Bytes(self.vary_bytes(bytes, rng)),
            Literal::Bool(value) => Literal::Bool(!value),
            Literal::Unit => Literal::Unit,
        }
    }

    fn vary_int(&self, value: i128, rng: &mut Rng) -> i128 {
        let step = 1 << rng.below(7);
        match rng.below(10) {
            0 => value.wrapping_add(1),
            1 => value.wrapping_sub(1),
            2 => value.wrapping_add(step),
            3 => value.wrapping_sub(step),
            4 => value.wrapping_mul(2),
            5 => value / 2,
            6 => value ^ step,
            7 => self.any_int(rng),
            _ => self.near_base(rng),
        }
    }

    /// The base value, or one beside it: most code asks whether two things are equal, or which one is larger.
    fn near_base(&self, rng: &mut Rng) -> i128 {
        match rng.below(4) {
            0 => self.number.wrapping_add(1),
            1 => self.number.wrapping_sub(1),
            _ => self.number,
        }
    }

    fn vary_char(&self, value: char, rng: &mut Rng) -> char {
        match rng.below(5) {
            0 => char::from_u32(u32::from(value).wrapping_add(1)).unwrap_or(value),
            1 => char::from_u32(u32::from(value).wrapping_sub(1)).unwrap_or(value),
            2 => self.mined_char(rng).unwrap_or(value),
            // Letters of many scripts: code that has a table of characters wants different ones.
            3 => char::from_u32(0x80 + rng.below(0x780) as u32).unwrap_or(value),
            _ => self.char(rng),
        }
    }

    /// A character of a string of the crate, or one of its numbers as a character.
    fn mined_char(&self, rng: &mut Rng) -> Option<char> {
        if rng.once_in(2) {
            return rng.one(&self.constants.strings).and_then(|text| rng.one_of(text.chars()));
        }
        let code = rng.one(&self.constants.ints).copied()?;
        u8::try_from(code).ok().filter(u8::is_ascii_graphic).map(char::from)
    }

    fn vary_text(&self, text: &str, rng: &mut Rng) -> String {
        let edits = 1 + rng.below(2) * rng.below(3);
        let mut chars: Vec<char> = text.chars().collect();
        for _ in 0..edits {
            self.edit_text(&mut chars, rng);
        }
        chars.into_iter().collect()
    }

    fn edit_text(&self, chars: &mut Vec<char>, rng: &mut Rng) {
        let at = rng.below(chars.len() + 1);
        let is_inside = at < chars.len();
        let end = if is_inside { at + 1 + rng.below(chars.len() - at) } else { at };
        match rng.below(28) {
            0..3 if chars.len() < LONG => drop(chars.splice(at..at, self.any_string(rng).chars())),
            3..6 if is_inside => chars[at] = self.vary_char(chars[at], rng),
            6..8 if is_inside => drop(chars.drain(at..end)),
            8..10 => chars.extend(self.mined_char(rng)),
            10..12 if is_inside => put_number(chars, at, |number| step(number, rng)),
            12..15 if is_inside => {
                let number = self.near_base(rng).unsigned_abs();
                put_number(chars, at, |_| number);
            }
            15..18 if is_inside && chars.len() < LONG => {
                let part = chars[at..end].to_vec();
                drop(chars.splice(at..at, part));
            }
            18 if is_inside => {
                let length = usize::try_from(self.any_int(rng)).map_or(LONG, |length| length.min(LONGEST));
                let part = chars[at..end].to_vec();
                let room = length.saturating_sub(chars.len());
                drop(chars.splice(at..at, part.into_iter().cycle().take(room)));
            }
            19..21 => {
                let end = if rng.once_in(2) { 0 } else { chars.len() };
                chars.insert(end, BLANKS[rng.below(BLANKS.len())]);
            }
            21..23 if is_inside => put_number(chars, at, |_| {
                let limit = 1 << LIMITS[rng.below(LIMITS.len())];
                if rng.once_in(2) { limit } else { limit - 1 }
            }),
            _ => edit(chars, rng),
        }
    }

    fn vary_bytes(&self, bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
        if let (Ok(text), true) = (std::str::from_utf8(bytes), rng.once_in(2)) {
            return self.vary_text(text, rng).into_bytes();
        }
        let mut bytes = bytes.to_vec();
        let at = rng.below(bytes.len() + 1);
        match rng.below(4) {
            0 if at < bytes.len() => drop(bytes.remove(at)),
            1 if at < bytes.len() => bytes[at] = self.vary_int(bytes[at].into(), rng) as u8,
            2 if at < bytes.len() && bytes.len() < LONG => bytes.extend_from_within(at..),
            _ => bytes.insert(at, self.any_int(rng) as u8),
        }
        bytes
    }
}

fn text(literal: &Literal) -> Option<String> {
    match literal {
        Literal::Str(text) | Literal::String(text) => Some(text.clone()),
        Literal::ByteStr(bytes) | Literal::Bytes(bytes) => String::from_utf8(bytes.clone()).ok(),
        _ => None,
    }
}

fn number(literal: &Literal) -> Option<i128> {
    match literal {
        Literal::Signed { value, .. } => Some(*value),
        Literal::Unsigned { value, .. } => i128::try_from(*value).ok(),
        _ => None,
    }
}

/// What texts are trimmed of.
const BLANKS: [char; 4] = [' ', ' ', '\t', '\n'];

/// Bits of numbers: one more than these hold is too large.
const LIMITS: [u32; 6] = [8, 16, 31, 32, 63, 64];

/// One of the numbers in a text.
fn digits(text: &str, rng: &mut Rng) -> Option<i128> {
    let runs = text.split(|c: char| !c.is_ascii_digit()).filter(|run| !run.is_empty());
    rng.one_of(runs)?.parse().ok()
}

/// Puts another number for the digits around a place, with as many digits as before: dates have leading zeros.
fn put_number(chars: &mut Vec<char>, at: usize, other: impl FnOnce(u128) -> u128) {
    let before = chars[..at].iter().rev().take_while(|c| c.is_ascii_digit()).count();
    let after = chars[at..].iter().take_while(|c| c.is_ascii_digit()).count();
    let digits: String = chars[at - before..at + after].iter().collect();
    let Ok(number) = digits.parse::<u128>() else { return };
    let (number, width) = (other(number), digits.len());
    chars.splice(at - before..at + after, format!("{number:0width$}").chars());
}

fn step(number: u128, rng: &mut Rng) -> u128 {
    if rng.once_in(2) { number.saturating_add(1) } else { number.saturating_sub(1) }
}

fn vary_float(value: f64, rng: &mut Rng) -> f64 {
    match rng.below(6) {
        0 => value + 1.0,
        1 => value - 1.0,
        2 => value * 2.0,
        3 => value / 2.0,
        4 => -value,
        _ => value.round(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::TypeId;
    use crate::random::Constants;

    fn pool() -> ConstantPool {
        let strings = vec!["T".to_owned()];
        ConstantPool::new(Constants { strings, ints: vec![i128::from(b'Z')], ..Constants::default() })
    }

    #[test]
    fn a_literal_keeps_its_type_and_sizes_stay_small() {
        let (pool, mut rng) = (pool(), Rng::new(1));
        let literals = [
            Literal::int(false, 0, 0),
            Literal::int(true, 8, -128),
            Literal::Char('a'),
            Literal::from(1.5),
            Literal::from("1.2.3"),
            Literal::Bytes(vec![255]),
        ];
        let mut huge = 0;
        for _ in 0..2000 {
            for literal in &literals {
                let other = pool.vary(literal, &mut rng);
                assert_eq!(other.kind(), literal.kind());
                huge += u32::from(matches!(other, Literal::Unsigned { value, .. } if value > 1 << 20));
            }
        }
        assert!(huge < 40, "{huge}");
    }

    #[test]
    fn numbers_of_a_text_become_others() {
        let (mut pool, mut rng) = (pool(), Rng::new(2));
        let literal = |value| Statement::Literal { ty: TypeId(0), value };
        let program = Program::from_iter([literal(Literal::int(false, 64, 77))]);
        let others = (0..3000).map(|_| {
            pool.base_on(&program, &mut rng);
            pool.vary(&Literal::from("1.02.3"), &mut rng)
        });
        let others: Vec<Literal> = others.collect();
        // Those of the other literal and beside it; the largest of a type and one more; and something to trim.
        let too_large = "18446744073709551616.02.3";
        for expected in ["77.02.3", "1.77.3", "1.76.3", "1.03.3", too_large, "1.255.3", " 1.02.3", "1.02.3 "]
        {
            assert!(others.contains(&Literal::from(expected)), "{expected}");
        }
    }
}
