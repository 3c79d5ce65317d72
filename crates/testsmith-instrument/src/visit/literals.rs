//! Literals: `const`, `float`, `str`, `bool`, `char`.

use std::ops::Range;

use syn::{Lit, LitFloat, LitInt};

use super::{Draft, Walker, select};
use crate::operators::{BOOL, CHAR, CONST, FLOAT, Operator, STR};
use crate::site::{choice, source, text};

impl Walker<'_> {
    pub(super) fn literal(&mut self, lit: &Lit, range: Range<usize>) {
        let (operator, others): (&'static Operator, Vec<String>) = match lit {
            Lit::Int(int) => (CONST, integers(int, false)),
            Lit::Float(float) => (FLOAT, floats(float, false)),
            Lit::Str(string) => (STR, strings(&string.value())),
            Lit::Bool(bool) => (BOOL, vec![(!bool.value).to_string()]),
            Lit::Char(char) => (CHAR, next_char(char.value()).into_iter().collect()),
            Lit::Byte(byte) => (CHAR, next_byte(byte.value()).into_iter().collect()),
            _ => return,
        };
        self.replace(range, operator, others);
    }

    /// `-literal`, as one literal: its parts alone may not fit the type.
    pub(super) fn negative_literal(&mut self, lit: &Lit, range: Range<usize>) {
        match lit {
            Lit::Int(int) => self.replace(range, CONST, integers(int, true)),
            Lit::Float(float) => self.replace(range, FLOAT, floats(float, true)),
            _ => {}
        }
    }

    /// A value that mutants replace by other literals, each different from it.
    pub(super) fn replace(&mut self, range: Range<usize>, operator: &'static Operator, others: Vec<String>) {
        let draft = |after: &String| Draft { operator, span: range.clone(), after: after.clone() };
        self.site(range.clone(), others.iter().map(draft).collect(), |base| {
            let call = select("sel", base, others.len());
            vec![text("("), choice(call, vec![source(&range)], others), text(")")]
        });
    }
}

/// Plus one, minus one, zero; not beyond the largest value of an integer type.
fn integers(int: &LitInt, negative: bool) -> Vec<String> {
    let Ok(value) = int.base10_parse::<u128>() else { return Vec::new() };
    let Ok(value) = i128::try_from(value) else { return Vec::new() };
    let value = if negative { -value } else { value };
    let mut others = Vec::new();
    if !is_limit(value) {
        others.push(value + 1);
    }
    if negative && !is_limit(-value - 1) || value > 0 {
        others.push(value - 1);
    }
    others.push(0);
    if negative && !is_limit(-value - 1) {
        others.push(-value);
    }
    let mut texts: Vec<String> = Vec::new();
    for other in others.into_iter().filter(|other| *other != value) {
        let text = format!("{other}{}", int.suffix());
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts
}

/// Whether it is the largest value of a primitive type.
fn is_limit(value: i128) -> bool {
    (7..=64).any(|bits| [7, 8, 15, 16, 31, 32, 63, 64].contains(&bits) && value == (1 << bits) - 1)
}

fn floats(float: &LitFloat, negative: bool) -> Vec<String> {
    let Ok(value) = float.base10_parse::<f64>() else { return Vec::new() };
    let value = if negative { -value } else { value };
    let mut texts = Vec::new();
    for other in [value + 1.0, 0.0, -value] {
        let text = format!("{other:?}{}", float.suffix());
        #[allow(clippy::float_cmp, reason = "the same literal or not")]
        if other != value && other.is_finite() && !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts
}

fn strings(value: &str) -> Vec<String> {
    let others = ["", "xyzzy"].iter().filter(|other| **other != value);
    others.map(|other| format!("{other:?}")).collect()
}

fn next_char(value: char) -> Option<String> {
    let next = char::from_u32(u32::from(value) + 1)?;
    (!next.is_control()).then(|| format!("{next:?}"))
}

fn next_byte(value: u8) -> Option<String> {
    let next = value.checked_add(1)?;
    Some(format!("b'{}'", next.escape_ascii()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_replaced_by_near_ones_of_the_same_type() {
        let int = |text: &str| integers(&syn::parse_str(text).unwrap(), false);
        assert_eq!(int("0"), ["1"]);
        assert_eq!(int("1"), ["2", "0"]);
        assert_eq!(int("5u8"), ["6u8", "4u8", "0u8"]);
        assert_eq!(int("255"), ["254", "0"]);
        assert_eq!(int("0x10"), ["17", "15", "0"]);
        assert_eq!(integers(&syn::parse_str("1").unwrap(), true), ["0", "-2", "1"]);
        assert_eq!(integers(&syn::parse_str("128").unwrap(), true), ["-127", "0"]);
        let float = |text: &str| floats(&syn::parse_str(text).unwrap(), false);
        assert_eq!(float("0.5"), ["1.5", "0.0", "-0.5"]);
        assert_eq!(float("0.0f32"), ["1.0f32"]);
        assert_eq!(strings("a"), ["\"\"", "\"xyzzy\""]);
        assert_eq!(strings(""), ["\"xyzzy\""]);
        assert_eq!(next_char('a').as_deref(), Some("'b'"));
        assert_eq!(next_byte(b'\t').as_deref(), Some("b'\\n'"));
    }
}
