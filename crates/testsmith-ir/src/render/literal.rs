//! The text of literals.

use crate::api::LiteralKind;
use crate::literal::Literal;

/// A literal; `suffix` says that nothing else tells its type.
pub fn text(literal: &Literal, suffix: bool) -> String {
    match literal {
        Literal::Unit => "()".to_owned(),
        Literal::Bool(value) => value.to_string(),
        Literal::Char(value) => format!("{value:?}"),
        Literal::Signed { .. } | Literal::Unsigned { .. } => integer(literal, suffix),
        Literal::F32(bits) => float(&format!("{:?}", f32::from_bits(*bits)), literal, suffix),
        Literal::F64(bits) => float(&format!("{:?}", f64::from_bits(*bits)), literal, suffix),
        Literal::Str(value) => quoted(value),
        Literal::String(value) if value.is_empty() => "String::new()".to_owned(),
        Literal::String(value) => {
            repeated(value).unwrap_or_else(|| format!("String::from({})", quoted(value)))
        }
        Literal::ByteStr(value) => format!("&{}[..]", bytes(value)),
        Literal::Bytes(value) if value.is_empty() => "Vec::<u8>::new()".to_owned(),
        // Where any bytes would do, clippy takes `to_vec` for a mistake.
        Literal::Bytes(value) => format!("Vec::from(*{})", bytes(value)),
    }
}

/// More equal characters are counted rather than written.
const MOST_EQUAL: usize = 60;

/// A text in quotes. What `\0` and a digit would be taken for is an octal escape, which Rust does not have.
pub fn quoted(text: &str) -> String {
    let mut parts = text.split('\0').map(|part| {
        let escaped = format!("{part:?}");
        escaped[1..escaped.len() - 1].to_owned()
    });
    let first = parts.next().unwrap_or_default();
    let joined = parts.fold(first, |text, part| {
        let zero = if part.starts_with(|c: char| c.is_ascii_digit()) { "\\u{0}" } else { "\\0" };
        format!("{text}{zero}{part}")
    });
    format!("\"{joined}\"")
}

/// `"a".repeat(128)`, which is a `String`, for a text that is one character many times over.
pub fn repeated(text: &str) -> Option<String> {
    let first = text.chars().next()?;
    let count = text.chars().count();
    let is_one = count > MOST_EQUAL && text.chars().all(|c| c == first);
    is_one.then(|| format!("{:?}.repeat({count})", first.to_string()))
}

/// `b"…"`
pub(super) fn bytes(value: &[u8]) -> String {
    format!("b\"{}\"", value.escape_ascii())
}

/// The name of the type, if it is a number's.
pub(super) fn type_name(kind: LiteralKind) -> Option<String> {
    Some(match kind {
        LiteralKind::Int { signed, bits } => {
            let sign = if signed { 'i' } else { 'u' };
            if bits == 0 { format!("{sign}size") } else { format!("{sign}{bits}") }
        }
        LiteralKind::F32 => "f32".to_owned(),
        LiteralKind::F64 => "f64".to_owned(),
        LiteralKind::Unit
        | LiteralKind::Bool
        | LiteralKind::Char
        | LiteralKind::Str
        | LiteralKind::String
        | LiteralKind::ByteStr
        | LiteralKind::Bytes => return None,
    })
}

/// Whether the compiler takes a number of this type for granted where nothing decides.
pub(super) fn is_default(kind: LiteralKind) -> bool {
    matches!(kind, LiteralKind::Int { signed: true, bits: 32 } | LiteralKind::F64)
}

/// The limits of large types by name, all else by digits.
fn integer(literal: &Literal, suffix: bool) -> String {
    let name = type_name(literal.kind()).unwrap_or_default();
    let (digits, limit) = match *literal {
        Literal::Signed { bits, value } => {
            let unused = if bits == 0 { 64 } else { 128 - u32::from(bits) };
            let limit = match value {
                _ if bits == 8 => None,
                _ if value == i128::MAX >> unused => Some("MAX"),
                _ if value == i128::MIN >> unused => Some("MIN"),
                _ => None,
            };
            (value.to_string(), limit)
        }
        Literal::Unsigned { bits, value } => {
            let unused = if bits == 0 { 64 } else { 128 - u32::from(bits) };
            (value.to_string(), (bits != 8 && value == u128::MAX >> unused).then_some("MAX"))
        }
        _ => (String::new(), None),
    };
    match limit {
        Some(limit) => format!("{name}::{limit}"),
        None if suffix => digits + &name,
        None => digits,
    }
}

fn float(digits: &str, literal: &Literal, suffix: bool) -> String {
    let name = type_name(literal.kind()).unwrap_or_default();
    match (digits, literal) {
        ("inf", _) => format!("{name}::INFINITY"),
        ("-inf", _) => format!("{name}::NEG_INFINITY"),
        ("NaN", Literal::F32(bits)) if *bits == f32::NAN.to_bits() => "f32::NAN".to_owned(),
        ("NaN", Literal::F64(bits)) if *bits == f64::NAN.to_bits() => "f64::NAN".to_owned(),
        ("NaN", Literal::F32(bits)) => format!("f32::from_bits({bits:#x})"),
        ("NaN", Literal::F64(bits)) => format!("f64::from_bits({bits:#x})"),
        _ if suffix => digits.to_owned() + &name,
        _ => digits.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(literal: impl Into<Literal>, expected: &str, with_suffix: &str) {
        let literal = literal.into();
        assert_eq!(text(&literal, false), expected);
        assert_eq!(text(&literal, true), with_suffix);
    }

    #[test]
    fn numbers_get_a_suffix_on_demand() {
        check(5, "5", "5i32");
        check(-5, "-5", "-5i32");
        check(Literal::int(false, 0, 7), "7", "7usize");
        check(1.0, "1.0", "1.0f64");
        check(-0.0_f32, "-0.0", "-0.0f32");
        check(1e300, "1e300", "1e300f64");
    }

    #[test]
    fn limits_have_names() {
        check(i32::MIN, "i32::MIN", "i32::MIN");
        check(Literal::int(false, 0, -1), "usize::MAX", "usize::MAX");
        check(Literal::int(false, 8, -1), "255", "255u8");
        check(Literal::int(true, 128, i128::MIN), "i128::MIN", "i128::MIN");
        check(Literal::int(true, 0, i64::MAX.into()), "isize::MAX", "isize::MAX");
        check(f64::INFINITY, "f64::INFINITY", "f64::INFINITY");
        check(f32::NAN, "f32::NAN", "f32::NAN");
        check(
            Literal::F64(0x7ff8_0000_0000_0001),
            "f64::from_bits(0x7ff8000000000001)",
            "f64::from_bits(0x7ff8000000000001)",
        );
    }

    #[test]
    fn texts_are_escaped() {
        check("a\"\n\u{301}é", r#""a\"\n\u{301}é""#, r#""a\"\n\u{301}é""#);
        check(Literal::Char('\''), r"'\''", r"'\''");
        check(Literal::String(String::new()), "String::new()", "String::new()");
        check(Literal::Str("a\0b\u{0}3\\0\"".to_owned()), r#""a\0b\u{0}3\\0\"""#, r#""a\0b\u{0}3\\0\"""#);
        let long = "a".repeat(61);
        check(Literal::String(long), r#""a".repeat(61)"#, r#""a".repeat(61)"#);
        check(Literal::ByteStr(vec![b'a', b'"', 255]), r#"&b"a\"\xff"[..]"#, r#"&b"a\"\xff"[..]"#);
    }
}
