//! Random literals, about half of which are variations of one base value: independent ones would never look alike.

use super::constants::{Constants, Parameter};
use super::rng::Rng;
use super::texts;
use crate::api::LiteralKind;
use crate::literal::Literal;

const STRINGS: &[&str] = &[
    "",
    "a",
    "b",
    "ab",
    "abc",
    "abcd",
    "aXbX",
    "Hello, world!",
    "foo bar",
    "fooBar_baz-qux",
    "0",
    "1",
    "42",
    "-7",
    "1.5",
    "1.2.3",
    "10-20",
    " a ",
    "\n",
    "a\tb",
    "a/b/c",
    "key=value",
    "(x)",
    "é",
    "ß",
    "日本",
    "e\u{301}",
    "😀",
    "ABC",
    "\0",
];

const CHARS: &[char] = &[
    'a',
    'b',
    'z',
    'A',
    'Z',
    '0',
    '9',
    ' ',
    '-',
    '_',
    '.',
    ',',
    '\n',
    '"',
    '\\',
    'é',
    'ß',
    '日',
    '😀',
    '\0',
    // Where encodings change, and where higher bits come in.
    '\u{7f}',
    '\u{80}',
    '\u{7ff}',
    '\u{800}',
    '\u{1000}',
    '\u{ffff}',
    '\u{10000}',
    '\u{40000}',
    char::MAX,
];

const INTS: &[i128] = &[
    0,
    1,
    2,
    3,
    4,
    5,
    7,
    8,
    10,
    12,
    16,
    31,
    32,
    60,
    63,
    64,
    100,
    127,
    128,
    255,
    256,
    365,
    1000,
    1 << 16,
    -1,
    -2,
    -5,
];

const FLOATS: &[f64] = &[
    0.0,
    1.0,
    -1.0,
    0.5,
    1.5,
    2.0,
    3.25,
    10.0,
    100.0,
    -0.0,
    0.1,
    1e-9,
    1e10,
    f64::MAX,
    f64::MIN_POSITIVE,
    f64::EPSILON,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

/// Longer texts are not made longer.
const MAX_CHARS: usize = 48;

/// One in so many strings that the crate does not mention has many different characters.
const VARIED: usize = 12;

/// What literals are chosen from.
pub(super) struct ConstantPool {
    /// Of the crate under test.
    pub(super) constants: Constants,
    /// The base values of the program at hand.
    pub(super) text: String,
    pub(super) number: i128,
    /// Large sizes are as many times rarer as two to the power of this says.
    pub(super) spared: u32,
}

impl ConstantPool {
    pub(super) fn new(constants: Constants) -> ConstantPool {
        ConstantPool { constants, text: String::new(), number: 0, spared: 0 }
    }

    /// More than this would make no difference.
    pub(super) fn spare_sizes(&mut self, rarer: u32) {
        self.spared = rarer.min(16);
    }

    /// Chooses the base values of another program.
    pub(super) fn renew(&mut self, rng: &mut Rng) {
        self.text = self.any_string(rng);
        self.number = self.any_int(rng);
    }

    pub(super) fn literal(&self, kind: LiteralKind, rng: &mut Rng) -> Literal {
        match kind {
            LiteralKind::Unit => Literal::Unit,
            LiteralKind::Bool => Literal::Bool(rng.once_in(2)),
            LiteralKind::Char => Literal::Char(self.char(rng)),
            LiteralKind::Int { signed, bits } => self.int(signed, bits, rng),
            LiteralKind::F32 => Literal::from(self.float(rng) as f32),
            LiteralKind::F64 => Literal::from(self.float(rng)),
            LiteralKind::Str => Literal::Str(self.string(rng)),
            LiteralKind::String => Literal::String(self.string(rng)),
            LiteralKind::ByteStr => Literal::ByteStr(self.bytes(rng)),
            LiteralKind::Bytes => Literal::Bytes(self.bytes(rng)),
        }
    }

    /// A literal for a parameter: half of them, where there are some, have been passed for it in the crate's own code, docs or tests.
    pub(super) fn literal_for(
        &self,
        parameter: Option<Parameter>,
        kind: LiteralKind,
        rng: &mut Rng,
    ) -> Literal {
        self.passed_for(parameter, kind, 2, rng).unwrap_or_else(|| self.literal(kind, rng))
    }

    /// Once in so many times, if it is known: a literal that was passed for a parameter.
    pub(super) fn passed_for(
        &self,
        parameter: Option<Parameter>,
        kind: LiteralKind,
        rarity: usize,
        rng: &mut Rng,
    ) -> Option<Literal> {
        let parameter = parameter.filter(|it| self.constants.arguments.contains_key(it))?;
        rng.once_in(rarity).then(|| self.constants.argument(parameter, kind, rng))?
    }

    /// All literals of a kind that are not variations, the most promising first.
    pub(super) fn all(&self, kind: LiteralKind) -> Vec<Literal> {
        let strings =
            || self.constants.strings.iter().cloned().chain(STRINGS.iter().map(|&text| text.to_owned()));
        let all: Vec<Literal> = match kind {
            LiteralKind::Unit => vec![Literal::Unit],
            LiteralKind::Bool => [false, true].map(Literal::Bool).into(),
            LiteralKind::Char => CHARS.iter().copied().map(Literal::Char).collect(),
            LiteralKind::Int { signed, bits } => {
                let values = INTS.iter().chain(&self.constants.ints).copied();
                values.filter_map(|value| whole(signed, bits, value)).collect()
            }
            LiteralKind::F32 => FLOATS.iter().map(|value| Literal::from(*value as f32)).collect(),
            LiteralKind::F64 => FLOATS.iter().map(|value| Literal::from(*value)).collect(),
            LiteralKind::Str => strings().map(Literal::Str).collect(),
            LiteralKind::String => strings().map(Literal::String).collect(),
            LiteralKind::ByteStr => strings().map(|text| Literal::ByteStr(text.into_bytes())).collect(),
            LiteralKind::Bytes => strings().map(|text| Literal::Bytes(text.into_bytes())).collect(),
        };
        let mut found: Vec<Literal> = Vec::with_capacity(all.len());
        all.into_iter().for_each(|literal| {
            if !found.contains(&literal) {
                found.push(literal);
            }
        });
        found
    }

    fn string(&self, rng: &mut Rng) -> String {
        if rng.once_in(2) {
            return self.any_string(rng);
        }
        match rng.below(5) {
            0 => self.text.clone(),
            4 => texts::shared(&self.text, &self.any_string(rng), rng),
            edits => edited(&self.text, edits, rng),
        }
    }

    pub(super) fn any_string(&self, rng: &mut Rng) -> String {
        let mined = if rng.once_in(2) { promising(&self.constants.strings, rng) } else { None };
        match mined {
            Some(text) => text.clone(),
            None if rng.once_in(VARIED) => texts::varied(rng),
            None => STRINGS[rng.below(STRINGS.len())].to_owned(),
        }
    }

    /// Bytes that mean something as text, and others.
    fn bytes(&self, rng: &mut Rng) -> Vec<u8> {
        if rng.once_in(2) {
            return self.string(rng).into_bytes();
        }
        let number = rng.number().to_le_bytes();
        number[..rng.below(number.len() + 1)].to_vec()
    }

    pub(super) fn char(&self, rng: &mut Rng) -> char {
        let of_text = if rng.once_in(2) { rng.one_of(self.text.chars()) } else { None };
        of_text.unwrap_or_else(|| CHARS[rng.below(CHARS.len())])
    }

    /// The limits of a type are rare: they make vectors that no memory can hold.
    fn int(&self, signed: bool, bits: u8, rng: &mut Rng) -> Literal {
        let value = if rng.once_in(2) { self.any_int(rng) } else { self.varied_int(rng) };
        let value = if bits == 0 && !rng.once_in(32 << self.spared) { small(value) } else { value };
        let is_limit = rng.once_in(if bits == 0 { 64 << self.spared } else { 16 });
        match (is_limit, Literal::int(signed, bits, value)) {
            (true, _) => Literal::int(signed, bits, limit(signed, bits, rng)),
            // A small negative number would become a huge one.
            (false, Literal::Unsigned { .. }) => Literal::int(signed, bits, value.wrapping_abs()),
            (false, literal) => literal,
        }
    }

    pub(super) fn any_int(&self, rng: &mut Rng) -> i128 {
        let mined = if rng.once_in(2) { promising(&self.constants.ints, rng) } else { None };
        mined.copied().unwrap_or_else(|| INTS[rng.below(INTS.len())])
    }

    fn varied_int(&self, rng: &mut Rng) -> i128 {
        (0..rng.below(4)).fold(self.number, |number, _| match rng.below(6) {
            0 => number.wrapping_add(1),
            1 => number.wrapping_sub(1),
            2 => number.wrapping_mul(2),
            3 => number / 2,
            4 => number.wrapping_neg(),
            _ => number ^ (1 << rng.below(8)),
        })
    }

    fn float(&self, rng: &mut Rng) -> f64 {
        match rng.below(4) {
            0 => self.varied_int(rng) as f64,
            1 => self.varied_int(rng) as f64 / 8.0,
            _ => FLOATS[rng.below(FLOATS.len())],
        }
    }
}

/// An integer of a type, unless it is none of it, or too large for a size.
fn whole(signed: bool, bits: u8, value: i128) -> Option<Literal> {
    let literal = Literal::int(signed, bits, value);
    let is_whole = match literal {
        Literal::Signed { value: kept, .. } => kept == value,
        Literal::Unsigned { value: kept, .. } => Ok(kept) == u128::try_from(value),
        _ => false,
    };
    (is_whole && (bits != 0 || small(value) == value)).then_some(literal)
}

/// One of the items, which are in an order: half of the time one of the first is more likely.
fn promising<'a, T>(items: &'a [T], rng: &mut Rng) -> Option<&'a T> {
    let end = if items.is_empty() || rng.once_in(2) { items.len() } else { 1 + rng.below(items.len()) };
    rng.one(&items[..end])
}

/// Sizes and indices are small: a bit set of millions takes a thousand times as long as one of thousands.
pub(super) fn small(value: i128) -> i128 {
    const MOST: i128 = 2048;
    if value.unsigned_abs() <= MOST.unsigned_abs() { value } else { value % MOST }
}

/// The smallest or greatest value of a type, or one beside it.
fn limit(signed: bool, bits: u8, rng: &mut Rng) -> i128 {
    let bits = if bits == 0 { 64 } else { u32::from(bits) };
    let range = if signed { bits - 1 } else { bits };
    let max = if range >= 127 { i128::MAX } else { (1 << range) - 1 };
    match rng.below(4) {
        0 => max - 1,
        1 if signed => -max,
        2 if signed => (-max).wrapping_sub(1),
        _ => max,
    }
}

fn edited(text: &str, edits: usize, rng: &mut Rng) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    (0..edits).for_each(|_| edit(&mut chars, rng));
    chars.into_iter().collect()
}

pub(super) fn edit(chars: &mut Vec<char>, rng: &mut Rng) {
    let at = rng.below(chars.len() + 1);
    let is_inside = at < chars.len();
    match rng.below(7) {
        0 if at + 1 < chars.len() => chars.swap(at, at + 1),
        1 if is_inside => drop(chars.remove(at)),
        2 if is_inside => replace_digits(chars, at, rng),
        3 if is_inside && chars.len() < MAX_CHARS => chars.extend_from_within(at..),
        4 if is_inside => chars[at] = CHARS[rng.below(CHARS.len())],
        5 if is_inside => toggle_case(&mut chars[at]),
        _ => chars.insert(at, CHARS[rng.below(CHARS.len())]),
    }
}

/// Puts another number for the digits around a place, or for the char there.
fn replace_digits(chars: &mut Vec<char>, at: usize, rng: &mut Rng) {
    let before = chars[..at].iter().rev().take_while(|c| c.is_ascii_digit()).count();
    let after = chars[at..].iter().take_while(|c| c.is_ascii_digit()).count();
    let number = INTS[rng.below(INTS.len())].unsigned_abs();
    chars.splice(at - before..at + after.max(1), number.to_string().chars());
}

fn toggle_case(c: &mut char) {
    *c = if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn about_half_of_the_strings_are_made_from_the_base_value() {
        let mut rng = Rng::new(7);
        let mut pool = ConstantPool::new(Constants::default());
        pool.text = "the base of this program".to_owned();
        let related = (0..1000).filter(|_| {
            let text = pool.string(&mut rng);
            ["the", "base", "program"].iter().any(|part| text.contains(part))
        });
        let related = related.count();
        assert!((450..=550).contains(&related), "{related}");
    }

    #[test]
    fn integers_fit_their_types() {
        let mut rng = Rng::new(8);
        let mut pool =
            ConstantPool::new(Constants { ints: vec![i128::MIN, i128::MAX, 300], ..Constants::default() });
        for _ in 0..10_000 {
            pool.renew(&mut rng);
            for (signed, bits) in [(true, 8), (false, 8), (true, 0), (false, 16), (true, 128), (false, 128)] {
                match pool.int(signed, bits, &mut rng) {
                    Literal::Signed { bits: 8, value } => assert!(i8::try_from(value).is_ok()),
                    Literal::Signed { bits: 0, value } => assert!(i64::try_from(value).is_ok()),
                    Literal::Unsigned { bits: 8, value } => assert!(u8::try_from(value).is_ok()),
                    Literal::Unsigned { bits: 16, value } => assert!(u16::try_from(value).is_ok()),
                    _ => {}
                }
            }
        }
    }

    #[test]
    fn limits_of_sizes_are_rare() {
        let mut rng = Rng::new(9);
        let mut pool = ConstantPool::new(Constants::default());
        let is_huge =
            |literal: Literal| matches!(literal, Literal::Unsigned { value, .. } if value > 1 << 32);
        let huge = (0..10_000).filter(|_| is_huge(pool.int(false, 0, &mut rng))).count();
        assert!((50..300).contains(&huge), "{huge}");
        pool.spare_sizes(4);
        let spared = (0..10_000).filter(|_| is_huge(pool.int(false, 0, &mut rng))).count();
        assert!(spared < huge / 4, "{spared} {huge}");
    }
}
