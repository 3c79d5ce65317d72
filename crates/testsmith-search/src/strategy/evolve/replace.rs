//! Input-to-state replacement: [`operands`].
//!
//! A comparison of two values, one of which is in a literal of the program, comes out differently if the other one stands
//! there. This finds what no distance leads to: keywords, separators, sums that code has computed. (The idea is that of
//! Redqueen, Aschermann and others, NDSS 2019.)

use testsmith_ir::{Literal, Program, Statement};
use testsmith_rt::harness::wire::{Operand, Operands};

use super::local;

/// Programs for one individual.
const MOST: usize = 48;
/// Places in one text.
const PLACES: usize = 4;
/// Sizes and indices get no larger than this: a huge one is more than memory can hold.
const LARGEST_SIZE: i128 = 4096;

/// Programs that differ in one literal, which has one operand of a comparison where it had the other one.
pub(super) fn operands(program: &Program, compared: &[Operands]) -> Vec<Program> {
    let mut found = Vec::new();
    for Operands { left, right, .. } in compared {
        for (slot, statement) in program.iter() {
            let Statement::Literal { ty, value } = statement else { continue };
            let others =
                [(left, right), (right, left)].into_iter().flat_map(|(from, to)| put(value, from, to));
            found.extend(others.filter(|other| other != value).map(|value| {
                let mut other = program.clone();
                other.statements[slot.index()] = Statement::Literal { ty: *ty, value };
                other
            }));
        }
    }
    found.truncate(MOST);
    found
}

/// The literals that have `to` where this one has `from`.
fn put(literal: &Literal, from: &Operand, to: &Operand) -> Vec<Literal> {
    match literal {
        Literal::Signed { bits, value } => {
            ints(*value, from, to).into_iter().map(|value| Literal::int(true, *bits, value)).collect()
        }
        Literal::Unsigned { bits, value } => {
            let is_fit = |value: &i128| *value >= 0 && (*bits != 0 || *value <= LARGEST_SIZE);
            let value = i128::try_from(*value).unwrap_or(i128::MAX);
            let fit = ints(value, from, to).into_iter().filter(is_fit);
            fit.map(|value| Literal::int(false, *bits, value)).collect()
        }
        Literal::Char(value) => {
            let other = chars(from, to).filter(|(from, _)| from == value);
            other.map(|(_, to)| Literal::Char(to)).into_iter().collect()
        }
        Literal::Str(text) => texts(text, from, to).into_iter().map(Literal::Str).collect(),
        Literal::String(text) => texts(text, from, to).into_iter().map(Literal::String).collect(),
        Literal::ByteStr(bytes) => byte_texts(bytes, from, to).into_iter().map(Literal::ByteStr).collect(),
        Literal::Bytes(bytes) => byte_texts(bytes, from, to).into_iter().map(Literal::Bytes).collect(),
        Literal::F32(_) | Literal::F64(_) | Literal::Bool(_) | Literal::Unit => Vec::new(),
    }
}

/// The other number, and those beside it: the comparison may be one of order.
fn ints(value: i128, from: &Operand, to: &Operand) -> Vec<i128> {
    match (from, to) {
        (Operand::Int(from), Operand::Int(to)) if *from == value => {
            [Some(*to), to.checked_add(1), to.checked_sub(1)].into_iter().flatten().collect()
        }
        _ => Vec::new(),
    }
}

/// The operands as characters: some code compares codes.
fn chars(from: &Operand, to: &Operand) -> Option<(char, char)> {
    match (from, to) {
        (Operand::Char(from), Operand::Char(to)) => Some((*from, *to)),
        (Operand::Int(from), Operand::Int(to)) => {
            let ascii = |value: i128| u8::try_from(value).ok().filter(u8::is_ascii).map(char::from);
            Some((ascii(*from)?, ascii(*to)?))
        }
        _ => None,
    }
}

/// One operand for the other one, in each place of a text.
fn texts(text: &str, from: &Operand, to: &Operand) -> Vec<String> {
    let mut found = match (from, to) {
        (Operand::Text(from), Operand::Text(to)) => parts(text, from, to),
        (Operand::Int(from), Operand::Int(to)) => numbers(text, *from, *to),
        _ => Vec::new(),
    };
    if let Some((from, to)) = chars(from, to) {
        found.extend(parts(text, from.encode_utf8(&mut [0; 4]), to.encode_utf8(&mut [0; 4])));
    }
    found
}

fn parts(text: &str, from: &str, to: &str) -> Vec<String> {
    if from.is_empty() {
        return vec![format!("{to}{text}"), format!("{text}{to}")];
    }
    // The code may look at texts in lower case.
    let lower = text.to_ascii_lowercase();
    let looked_at = if text.contains(from) { text } else { lower.as_str() };
    let places = looked_at.match_indices(from).take(PLACES);
    places.map(|(at, _)| [&text[..at], to, &text[at + from.len()..]].concat()).collect()
}

/// Numbers keep their width: dates have leading zeros.
fn numbers(text: &str, from: i128, to: i128) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let mut found = Vec::new();
    for (start, end) in local::numbers(&chars).into_iter().take(PLACES) {
        let digits: String = chars[start..end].iter().collect();
        if digits.parse() == Ok(from) {
            let number = format!("{to:0width$}", width = digits.len());
            let (before, after) = (&chars[..start], &chars[end..]);
            found.push(before.iter().copied().chain(number.chars()).chain(after.iter().copied()).collect());
        }
    }
    found
}

fn byte_texts(bytes: &[u8], from: &Operand, to: &Operand) -> Vec<Vec<u8>> {
    match std::str::from_utf8(bytes) {
        Ok(text) => texts(text, from, to).into_iter().map(String::into_bytes).collect(),
        Err(_) => single_bytes(bytes, from, to),
    }
}

fn single_bytes(bytes: &[u8], from: &Operand, to: &Operand) -> Vec<Vec<u8>> {
    let (Operand::Int(from), Operand::Int(to)) = (from, to) else { return Vec::new() };
    let (Ok(from), Ok(to)) = (u8::try_from(*from), u8::try_from(*to)) else { return Vec::new() };
    let places = bytes.iter().enumerate().filter(|(_, byte)| **byte == from).take(PLACES);
    let put = |at: usize| {
        let mut other = bytes.to_vec();
        other[at] = to;
        other
    };
    places.map(|(at, _)| put(at)).collect()
}

#[cfg(test)]
mod tests {
    use testsmith_ir::TypeId;

    use super::*;

    fn check(literal: Literal, left: Operand, right: Operand, expected: &[Literal]) {
        let program = Program::from_iter([Statement::Literal { ty: TypeId(0), value: literal }]);
        let found = operands(&program, &[Operands { probe: 1, left, right }]);
        let literals: Vec<Literal> = found
            .into_iter()
            .map(|program| match &program.statements[0] {
                Statement::Literal { value, .. } => value.clone(),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(literals, expected);
    }

    fn text(text: &str) -> Operand {
        Operand::Text(text.to_owned())
    }

    #[test]
    fn a_part_of_a_text_becomes_what_it_is_compared_with() {
        let expected = [Literal::from("month=feb")];
        check(Literal::from("month=jan"), text("jan"), text("feb"), &expected);
        check(Literal::from("month=JAN"), text("feb"), text("jan"), &expected);
        check(Literal::from("7h"), text("h"), text("days"), &[Literal::from("7days")]);
        check(Literal::from("a"), text(""), text("magic"), &["magica", "amagic"].map(Literal::from));
    }

    #[test]
    fn numbers_and_characters_are_found_inside_of_texts() {
        check(Literal::from("2000-01"), Operand::Int(1), Operand::Int(13), &[Literal::from("2000-13")]);
        check(Literal::from("a:b"), Operand::Char(':'), Operand::Char('='), &[Literal::from("a=b")]);
        check(Literal::from("a:b"), Operand::Int(58), Operand::Int(61), &[Literal::from("a=b")]);
        check(Literal::Char('x'), Operand::Char('y'), Operand::Char('x'), &[Literal::Char('y')]);
    }

    #[test]
    fn numbers_become_the_other_one_or_one_beside_it() {
        let literals = |all: [i128; 3]| all.map(|value| Literal::int(true, 32, value));
        check(Literal::int(true, 32, 5), Operand::Int(5), Operand::Int(4711), &literals([4711, 4712, 4710]));
        check(Literal::int(false, 0, 5), Operand::Int(5), Operand::Int(1 << 40), &[]);
        check(Literal::int(true, 32, 6), Operand::Int(5), Operand::Int(4711), &[]);
    }

    #[test]
    fn bytes_that_are_no_text_are_replaced_one_by_one() {
        let bytes = |bytes: &[u8]| Literal::Bytes(bytes.to_vec());
        check(
            bytes(&[255, 1, 1]),
            Operand::Int(1),
            Operand::Int(9),
            &[bytes(&[255, 9, 1]), bytes(&[255, 1, 9])],
        );
    }
}
