//! Values as expressions of exactly the type that they have, so that they can stand inside of others.

use testsmith_ir::Literal;
use testsmith_ir::render::{literal_text, quoted};
use testsmith_rt::harness::Value;

use super::scope::Scope;
use super::ty::Ty;

/// An expression of this type with this value; `None` where there is none that a person would write.
pub(super) fn exact(ty: &Ty, value: &Value, scope: &mut Scope) -> Option<String> {
    match ty {
        Ty::Ref { is_mut, inner } => reference(*is_mut, inner, value, scope),
        Ty::Tuple(types) => tuple(types, value, scope),
        Ty::Array(element) => list(element, value, scope).map(|list| list.array()),
        Ty::Std(name, args) => standard(name, args, value, scope),
        Ty::Slice(_) | Ty::Other(_) => None,
    }
}

fn standard(name: &str, args: &[Ty], value: &Value, scope: &mut Scope) -> Option<String> {
    match (name, args, value) {
        (_, [], _) if scalar(name, value).is_some() => scalar(name, value),
        ("Option", [_], Value::Option(None)) => Some("None".to_owned()),
        ("Option", [inner], Value::Option(Some(value))) => wrapped("Some", inner, value, scope),
        ("Result", [inner, _], Value::Result(Ok(value))) => wrapped("Ok", inner, value, scope),
        ("Result", [_, inner], Value::Result(Err(value))) => wrapped("Err", inner, value, scope),
        ("String", [], Value::Str(text, _)) if text.is_empty() => Some("String::new()".to_owned()),
        ("String", [], Value::Str(text, _)) => Some(format!("String::from({})", quoted(text))),
        ("PathBuf", [], Value::Str(text, _)) => {
            Some(format!("{}::from({})", scope.name("std::path::PathBuf"), quoted(text)))
        }
        ("OsString", [], Value::Str(text, _)) => {
            Some(format!("{}::from({})", scope.name("std::ffi::OsString"), quoted(text)))
        }
        ("Cow", [inner], _) => {
            let borrowed = reference(false, inner, value, scope)?;
            Some(format!("{}::Borrowed({borrowed})", scope.name("std::borrow::Cow")))
        }
        ("Box", [inner], _) if !inner.is_unsized() => wrapped("Box::new", inner, value, scope),
        ("Rc", [inner], _) if !inner.is_unsized() => {
            let function = scope.name("std::rc::Rc") + "::new";
            wrapped(&function, inner, value, scope)
        }
        ("Arc", [inner], _) if !inner.is_unsized() => {
            let function = scope.name("std::sync::Arc") + "::new";
            wrapped(&function, inner, value, scope)
        }
        ("Vec", [element, ..], _) => list(element, value, scope).map(|list| list.vec()),
        ("Ordering", [], Value::Ordering(order)) => {
            Some(format!("{}::{order:?}", scope.name("std::cmp::Ordering")))
        }
        ("Duration", [], Value::Duration(seconds, nanos)) => Some(duration_of(*seconds, *nanos, scope)),
        ("SystemTime", [], Value::SinceEpoch(0, 0)) => Some(epoch(scope)),
        ("SystemTime", [], Value::SinceEpoch(seconds, nanos)) => {
            Some(format!("{} + {}", epoch(scope), duration_of(*seconds, *nanos, scope)))
        }
        ("SystemTime", [], Value::BeforeEpoch(seconds, nanos)) => {
            Some(format!("{} - {}", epoch(scope), duration_of(*seconds, *nanos, scope)))
        }
        _ => collection(name, args, value, scope).or_else(|| range(name, args, value, scope)),
    }
}

fn epoch(scope: &mut Scope) -> String {
    format!("{}::UNIX_EPOCH", scope.name("std::time::SystemTime"))
}

fn duration_of(seconds: u64, nanos: u32, scope: &mut Scope) -> String {
    format!("{}::{}", scope.name("std::time::Duration"), duration(seconds, nanos))
}

/// A value that is a single token.
pub(super) fn scalar(name: &str, value: &Value) -> Option<String> {
    let literal = match (name, value) {
        ("bool", Value::Bool(value)) => Literal::Bool(*value),
        ("char", Value::Char(value)) => Literal::Char(*value),
        ("f32", Value::F32(value)) if is_plain(f64::from(*value)) => Literal::from(*value),
        ("f64", Value::F64(value)) if is_plain(*value) => Literal::from(*value),
        ("u128", Value::Huge(value)) => Literal::Unsigned { bits: 128, value: *value },
        (_, Value::Int(value)) => {
            let (signed, bits) = integer(name)?;
            Literal::int(signed, bits, *value)
        }
        _ => return None,
    };
    Some(literal_text(&literal, false))
}

/// Whether `==` tells it from all others.
fn is_plain(value: f64) -> bool {
    let is_minus_zero = value == 0.0 && value.is_sign_negative();
    !value.is_nan() && !is_minus_zero
}

fn integer(name: &str) -> Option<(bool, u8)> {
    let (signed, bits) = match name.split_at_checked(1)? {
        ("i", bits) => (true, bits),
        ("u", bits) => (false, bits),
        _ => return None,
    };
    Some((signed, if bits == "size" { 0 } else { bits.parse().ok()? }))
}

fn wrapped(function: &str, inner: &Ty, value: &Value, scope: &mut Scope) -> Option<String> {
    Some(format!("{function}({})", exact(inner, value, scope)?))
}

fn reference(is_mut: bool, inner: &Ty, value: &Value, scope: &mut Scope) -> Option<String> {
    let sign = if is_mut { "&mut " } else { "&" };
    match (inner, value) {
        (Ty::Slice(element), _) => match list(element, value, scope)?.bytes {
            Some(bytes) if !is_mut => Some(format!("&{bytes}[..]")),
            _ => Some(format!("{sign}{}[..]", list(element, value, scope)?.plain())),
        },
        (Ty::Std(name, _), Value::Str(text, _)) => match name.as_str() {
            "str" => (!is_mut).then(|| quoted(text)),
            "Path" => (!is_mut).then(|| format!("{}::new({})", scope.name("std::path::Path"), quoted(text))),
            "OsStr" => (!is_mut).then(|| format!("{}::new({})", scope.name("std::ffi::OsStr"), quoted(text))),
            _ => Some(format!("{sign}{}", exact(inner, value, scope)?)),
        },
        (inner, value) if is_operation(value) => Some(format!("{sign}({})", exact(inner, value, scope)?)),
        _ => Some(format!("{sign}{}", exact(inner, value, scope)?)),
    }
}

/// Whether a value is written with an operator, which would not take in what stands before it.
fn is_operation(value: &Value) -> bool {
    matches!(
        value,
        Value::SinceEpoch(..)
            | Value::BeforeEpoch(..)
            | Value::Range(_)
            | Value::RangeInclusive(_)
            | Value::RangeFrom(_)
            | Value::RangeTo(_)
            | Value::RangeToInclusive(_)
            | Value::RangeFull
    )
}

fn tuple(types: &[Ty], value: &Value, scope: &mut Scope) -> Option<String> {
    let values = match value {
        Value::Unit => &[][..],
        Value::Tuple(values) => values,
        _ => return None,
    };
    if types.len() != values.len() {
        return None;
    }
    let parts = types.iter().zip(values).map(|(ty, value)| exact(ty, value, scope));
    let parts = parts.collect::<Option<Vec<_>>>()?;
    Some(if let [one] = parts.as_slice() { format!("({one},)") } else { format!("({})", parts.join(", ")) })
}

fn collection(name: &str, args: &[Ty], value: &Value, scope: &mut Scope) -> Option<String> {
    let (path, elements) = match (name, args, value) {
        ("VecDeque", [element, ..], Value::List(values, _)) => {
            ("std::collections::VecDeque", each(element, values, scope)?)
        }
        ("BTreeSet", [element, ..], Value::Set(values, _)) => {
            ("std::collections::BTreeSet", each(element, values, scope)?)
        }
        ("HashSet", [element, hasher @ ..], Value::Set(values, _)) if is_default(hasher) => {
            ("std::collections::HashSet", each(element, values, scope)?)
        }
        ("BTreeMap", [key, value, ..], Value::Map(pairs, _)) => {
            ("std::collections::BTreeMap", pairs_of(key, value, pairs, scope)?)
        }
        ("HashMap", [key, value, hasher @ ..], Value::Map(pairs, _)) if is_default(hasher) => {
            ("std::collections::HashMap", pairs_of(key, value, pairs, scope)?)
        }
        _ => return None,
    };
    let name = scope.name(path);
    Some(match elements.as_slice() {
        [] => format!("{name}::new()"),
        elements => format!("{name}::from([{}])", elements.join(", ")),
    })
}

fn is_default(hasher: &[Ty]) -> bool {
    hasher.iter().all(|hasher| hasher.is("RandomState"))
}

fn each(element: &Ty, values: &[Value], scope: &mut Scope) -> Option<Vec<String>> {
    values.iter().map(|value| exact(element, value, scope)).collect()
}

fn pairs_of(key: &Ty, value: &Ty, pairs: &[(Value, Value)], scope: &mut Scope) -> Option<Vec<String>> {
    let pair =
        |(k, v): &(Value, Value)| Some(format!("({}, {})", exact(key, k, scope)?, exact(value, v, scope)?));
    pairs.iter().map(pair).collect()
}

fn range(name: &str, args: &[Ty], value: &Value, scope: &mut Scope) -> Option<String> {
    let mut end = |value: &Value| exact(args.first()?, value, scope);
    match (name, value) {
        ("Range", Value::Range(ends)) if is_rising(ends) => {
            Some(format!("{}..{}", end(&ends.0)?, end(&ends.1)?))
        }
        ("RangeInclusive", Value::RangeInclusive(ends)) if is_rising(ends) => {
            Some(format!("{}..={}", end(&ends.0)?, end(&ends.1)?))
        }
        ("RangeFrom", Value::RangeFrom(start)) => Some(format!("{}..", end(start)?)),
        ("RangeTo", Value::RangeTo(to)) => Some(format!("..{}", end(to)?)),
        ("RangeToInclusive", Value::RangeToInclusive(to)) => Some(format!("..={}", end(to)?)),
        ("RangeFull", Value::RangeFull) => Some("..".to_owned()),
        _ => None,
    }
}

/// Clippy takes `3..1` for a mistake, wherever it stands.
fn is_rising(ends: &(Value, Value)) -> bool {
    match ends {
        (Value::Int(start), Value::Int(end)) => start <= end,
        _ => false,
    }
}

fn duration(seconds: u64, nanos: u32) -> String {
    match (seconds, nanos) {
        (0, 0) => "ZERO".to_owned(),
        (u64::MAX, 999_999_999) => "MAX".to_owned(),
        (_, 0) => format!("from_secs({seconds})"),
        (0, _) if nanos.is_multiple_of(1_000_000) => format!("from_millis({})", nanos / 1_000_000),
        (0, _) if nanos.is_multiple_of(1000) => format!("from_micros({})", nanos / 1000),
        (0, _) => format!("from_nanos({nanos})"),
        _ => format!("new({seconds}, {nanos})"),
    }
}

/// Elements in order.
pub(super) struct List {
    elements: Vec<String>,
    /// `b"abc"`, where that is easier to read.
    pub(super) bytes: Option<String>,
}

/// The elements of a list, each exactly of the element's type.
pub(super) fn list(element: &Ty, value: &Value, scope: &mut Scope) -> Option<List> {
    list_of(element, value, |value| exact(element, value, scope))
}

/// The elements of a list, as `each` writes them.
pub(super) fn list_of(
    element: &Ty,
    value: &Value,
    each: impl FnMut(&Value) -> Option<String>,
) -> Option<List> {
    let Value::List(values, _) = value else { return None };
    let bytes = element.is("u8").then(|| byte_string(values)).flatten();
    Some(List { elements: values.iter().map(each).collect::<Option<Vec<_>>>()?, bytes })
}

impl List {
    pub(super) fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// `[1, 2]`; many of the same as `[0; 12]`.
    pub(super) fn plain(&self) -> String {
        format!("[{}]", self.inside())
    }

    fn array(&self) -> String {
        self.bytes.as_ref().map_or_else(|| self.plain(), |bytes| format!("*{bytes}"))
    }

    fn vec(&self) -> String {
        self.bytes
            .as_ref()
            .map_or_else(|| format!("vec![{}]", self.inside()), |bytes| format!("Vec::from(*{bytes})"))
    }

    fn inside(&self) -> String {
        match self.elements.split_first() {
            Some((first, rest))
                if rest.len() >= MANY && rest.iter().all(|one| one == first) && is_copied(first) =>
            {
                format!("{first}; {}", self.elements.len())
            }
            _ => self.elements.join(", "),
        }
    }
}

/// So many elements like the first are not written one by one.
const MANY: usize = 7;

/// Whether an expression can be repeated: a number, a letter or a text.
fn is_copied(element: &str) -> bool {
    !element.contains(['(', '!', '[']) || element.starts_with(['"', '\''])
}

/// Bytes that are a text.
fn byte_string(values: &[Value]) -> Option<String> {
    let byte = |value: &Value| match value {
        Value::Int(byte) => u8::try_from(*byte).ok().filter(|byte| matches!(byte, b' '..=b'~' | b'\n')),
        _ => None,
    };
    let bytes = values.iter().map(byte).collect::<Option<Vec<u8>>>()?;
    let escaped = |byte: &u8| match byte {
        b'\'' => "'".to_owned(),
        byte => byte.escape_ascii().to_string(),
    };
    (bytes.len() > 1).then(|| format!("b\"{}\"", bytes.iter().map(escaped).collect::<String>()))
}
