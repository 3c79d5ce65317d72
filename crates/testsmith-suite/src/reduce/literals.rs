//! Simpler literals, and literals for what was computed.

use testsmith_ir::{Api, Literal, LiteralKind, Program, Slot};
use testsmith_rt::harness::Value;
use testsmith_rt::harness::wire::{At, What};

use crate::lab::ProgramObservation;

/// Results of calls that could be written as literals.
pub(super) fn seen(api: &Api, program: &Program, look: &ProgramObservation) -> Vec<(Slot, Literal)> {
    let mut all = Vec::new();
    for seen in &look.observations {
        let (At::Statement(_), What::Value(bytes)) = (seen.at, &seen.what) else { continue };
        let slot = Slot(seen.slot);
        let Some(callable) = program.statements.get(slot.index()).and_then(|it| it.callable()) else {
            continue;
        };
        let kind = api[api[callable].output].literal;
        let value = Value::decode(bytes).ok().filter(Value::is_whole);
        all.extend(kind.zip(value).and_then(|(kind, value)| Some((slot, literal(kind, value)?))));
    }
    all
}

fn literal(kind: LiteralKind, value: Value) -> Option<Literal> {
    Some(match (kind, value) {
        (LiteralKind::Bool, Value::Bool(value)) => Literal::Bool(value),
        (LiteralKind::Char, Value::Char(value)) => Literal::Char(value),
        (LiteralKind::Int { signed, bits }, Value::Int(value)) => Literal::int(signed, bits, value),
        (LiteralKind::F32, Value::F32(value)) => Literal::F32(value.to_bits()),
        (LiteralKind::F64, Value::F64(value)) => Literal::F64(value.to_bits()),
        (LiteralKind::Str, Value::Str(text, _)) => Literal::Str(text),
        (LiteralKind::String, Value::Str(text, _)) => Literal::String(text),
        _ => return None,
    })
}

/// How hard a literal is to read; 0 is the simplest of its type.
pub(super) fn weight(literal: &Literal) -> usize {
    match literal {
        Literal::Unit | Literal::Bool(_) => 0,
        Literal::Char(char) => usize::from(*char != 'a'),
        Literal::Signed { value, .. } => of_number(value.unsigned_abs()) + usize::from(*value < 0),
        Literal::Unsigned { value, .. } => of_number(*value),
        Literal::F32(bits) => of_float(f64::from(f32::from_bits(*bits))),
        Literal::F64(bits) => of_float(f64::from_bits(*bits)),
        Literal::Str(text) | Literal::String(text) => text.chars().map(of_char).sum(),
        Literal::ByteStr(bytes) | Literal::Bytes(bytes) => {
            bytes.iter().map(|byte| 2 + usize::from(*byte != 0)).sum()
        }
    }
}

fn of_number(value: u128) -> usize {
    // Numbers up to ten are equally simple but for 0 and 1.
    match value {
        0 | 1 => value as usize,
        2..=10 => 2,
        _ => 2 + value.to_string().trim_end_matches('0').len(),
    }
}

fn of_float(value: f64) -> usize {
    if value == 0.0 && value.is_sign_positive() { 0 } else { value.to_string().len() }
}

fn of_char(char: char) -> usize {
    match char {
        'a' => 2,
        'b'..='z' | '0'..='9' => 3,
        ' '..='~' => 4,
        _ => 8,
    }
}

/// Literals of the same type that are simpler.
pub(super) fn simpler(literal: &Literal) -> Vec<Literal> {
    let own = weight(literal);
    let mut all = match literal {
        Literal::Unit | Literal::Bool(_) => Vec::new(),
        Literal::Char(_) => vec![Literal::Char('a')],
        Literal::Signed { bits, value } => numbers(value.unsigned_abs())
            .flat_map(|number| {
                let number = i128::try_from(number).unwrap_or(i128::MAX);
                [number, -number].map(|value| Literal::Signed { bits: *bits, value })
            })
            .collect(),
        Literal::Unsigned { bits, value } => {
            numbers(*value).map(|value| Literal::Unsigned { bits: *bits, value }).collect()
        }
        Literal::F32(bits) => floats(f64::from(f32::from_bits(*bits)))
            .map(|value| Literal::F32((value as f32).to_bits()))
            .collect(),
        Literal::F64(bits) => {
            floats(f64::from_bits(*bits)).map(|value| Literal::F64(value.to_bits())).collect()
        }
        Literal::Str(text) => texts(text).into_iter().map(Literal::Str).collect(),
        Literal::String(text) => texts(text).into_iter().map(Literal::String).collect(),
        Literal::ByteStr(bytes) => sequences(bytes, 0).into_iter().map(Literal::ByteStr).collect(),
        Literal::Bytes(bytes) => sequences(bytes, 0).into_iter().map(Literal::Bytes).collect(),
    };
    all.retain(|candidate| weight(candidate) < own);
    all
}

/// Candidates below a number.
fn numbers(value: u128) -> impl Iterator<Item = u128> {
    let round = 10u128.checked_pow(value.checked_ilog10().unwrap_or(0)).unwrap_or(1);
    [0, 1, 2, 3, 5, 10, 100, value / 2, value.saturating_sub(1), value / round * round]
        .into_iter()
        .filter(move |candidate| *candidate < value || value == 0)
}

fn floats(value: f64) -> impl Iterator<Item = f64> {
    [0.0, 1.0, 2.0, 0.5, -1.0, value.trunc(), (value * 10.0).trunc() / 10.0].into_iter()
}

fn texts(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    sequences(&chars, 'a').into_iter().map(|chars| chars.into_iter().collect()).collect()
}

/// Elements at the start of a sequence that are looked at one by one; those behind have their turn once it is shorter.
const FIRST: usize = 12;
/// Parts that a sequence is divided into, the largest first.
const PARTS: [usize; 4] = [2, 4, 8, 16];
/// What is shorter is left to single elements.
const SHORTEST_PART: usize = 3;

/// Shorter sequences, and ones with a simple element in the place of others.
fn sequences<T: Copy + PartialEq>(all: &[T], simple: T) -> Vec<Vec<T>> {
    let mut found = vec![Vec::new(), vec![simple; all.len()]];
    let ones = (0..all.len().min(FIRST)).map(|at| at..at + 1);
    let parts = PARTS.iter().filter(|parts| all.len() / **parts >= SHORTEST_PART).flat_map(|parts| {
        let size = all.len().div_ceil(*parts);
        (0..all.len()).step_by(size).map(move |start| start..(start + size).min(all.len()))
    });
    for range in parts.chain(ones) {
        let with = |middle: &[T]| [&all[..range.start], middle, &all[range.end..]].concat();
        found.push(with(&[]));
        found.push(with(&vec![simple; range.len()]));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_simpler_weighs_less_and_what_is_simplest_stays() {
        let literals = [
            Literal::Signed { bits: 32, value: -4711 },
            Literal::Unsigned { bits: 8, value: 255 },
            Literal::Unsigned { bits: 128, value: u128::MAX },
            Literal::F64(2.75f64.to_bits()),
            Literal::F64(f64::NAN.to_bits()),
            Literal::Str("Grüße".to_owned()),
            Literal::Bytes(vec![7, 0, 255]),
        ];
        for literal in literals {
            let all = simpler(&literal);
            assert!(!all.is_empty(), "{literal:?}");
            assert!(all.iter().all(|candidate| weight(candidate) < weight(&literal)), "{literal:?}: {all:?}");
        }
        for literal in [Literal::Bool(true), Literal::int(true, 32, 0), Literal::Str(String::new())] {
            assert_eq!(simpler(&literal), []);
        }
    }

    #[test]
    fn noise_in_a_long_text_becomes_regular() {
        let text = format!("1.0.0-{}", "xyzzy".repeat(20));
        let texts: Vec<_> = simpler(&Literal::Str(text)).into_iter().collect();
        let tail = format!("1.0.0-{}{}", "xyzzy".repeat(9) + "xy", "a".repeat(53));
        assert!(texts.contains(&Literal::Str(tail)));
        assert!(texts.len() < 100, "{}", texts.len());
    }

    #[test]
    fn texts_lose_a_part_or_a_char() {
        let texts: Vec<_> = simpler(&Literal::Str("xy".to_owned())).into_iter().collect();
        for expected in ["", "x", "y", "aa", "ay", "xa"] {
            assert!(texts.contains(&Literal::Str(expected.to_owned())), "{expected}");
        }
    }
}
