//! What a row holds in one column: [`Cell`]; and which cells a value gives ([`parts`]).

use testsmith_ir::Literal;
use testsmith_ir::hash::Fnv;
use testsmith_rt::harness::Value;

/// A value as contracts see it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cell {
    /// There is none: the part of an `Option` that is `None`, a query that could not be asked.
    #[default]
    Undefined,
    /// A truth value.
    Bool(bool),
    /// An integer of any type.
    Int(i128),
    /// Anything else, which can be compared for equality only.
    Other(u64),
}

/// Parts nest so deep.
const DEEPEST: usize = 2;

/// A part of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// What is written behind the value: `.is_some()`, `.len()`, nothing for the whole.
    pub(crate) suffix: String,
    /// Its type.
    pub(crate) ty: String,
    /// Its value.
    pub(crate) cell: Cell,
}

/// The parts of a value of a type: itself, whether it is there, what is inside, how long it is.
pub(crate) fn parts(value: &Value, ty: &str) -> Vec<Part> {
    let mut all = Vec::new();
    add(value, &plain(ty), "", DEEPEST, &mut all);
    all
}

fn add(value: &Value, ty: &str, suffix: &str, deeper: usize, all: &mut Vec<Part>) {
    let mut part = |more: &str, ty: &str, cell| {
        all.push(Part { suffix: format!("{suffix}{more}"), ty: ty.to_owned(), cell });
    };
    let other = || if value.is_whole() { Cell::Other(hash(value)) } else { Cell::Undefined };
    let is_less_deep = deeper > 0;
    match value {
        Value::Unit => {}
        Value::Bool(value) => part("", ty, Cell::Bool(*value)),
        Value::Int(value) => part("", ty, Cell::Int(*value)),
        Value::Option(inner) => {
            part("", ty, other());
            part(".is_some()", "bool", Cell::Bool(inner.is_some()));
            if let Some(inner) = inner.as_ref().filter(|_| is_less_deep) {
                add(inner, &argument(ty, 0), &format!("{suffix}.unwrap()"), deeper - 1, all);
            }
        }
        Value::Result(inner) => {
            part("", ty, other());
            part(".is_ok()", "bool", Cell::Bool(inner.is_ok()));
            if let Ok(inner) = inner.as_ref().map(|inner| &**inner)
                && is_less_deep
            {
                add(inner, &argument(ty, 0), &format!("{suffix}.unwrap()"), deeper - 1, all);
            }
        }
        Value::Tuple(values) if is_less_deep => {
            part("", ty, other());
            for (at, value) in values.iter().enumerate() {
                add(value, &argument(ty, at), &format!("{suffix}.{at}"), deeper - 1, all);
            }
        }
        Value::List(_, length) | Value::Set(_, length) | Value::Map(_, length) | Value::Str(_, length) => {
            part("", ty, other());
            // How long an element is says little of where it is.
            if !suffix.ends_with(".unwrap()") {
                part(".len()", "usize", Cell::Int(i128::from(*length)));
            }
            if let Value::List(values, _) = value
                && is_less_deep
                && suffix.is_empty()
            {
                add_items(value, values, &element(ty), all);
            }
        }
        Value::Range(ends) | Value::RangeInclusive(ends) => {
            part("", ty, other());
            if is_less_deep {
                add(&ends.0, &argument(ty, 0), &format!("{suffix}.start"), deeper - 1, all);
                add(&ends.1, &argument(ty, 0), &format!("{suffix}.end"), deeper - 1, all);
            }
        }
        Value::RangeFrom(start) if is_less_deep => {
            add(start, &argument(ty, 0), &format!("{suffix}.start"), deeper - 1, all);
        }
        Value::RangeTo(end) | Value::RangeToInclusive(end) if is_less_deep => {
            add(end, &argument(ty, 0), &format!("{suffix}.end"), deeper - 1, all);
        }
        _ => part("", ty, other()),
    }
}

/// What is said of the items of a list of integers: the ends, and whether they are in order.
fn add_items(list: &Value, items: &[Value], ty: &str, all: &mut Vec<Part>) {
    let ints: Option<Vec<i128>> = items
        .iter()
        .map(|item| match item {
            Value::Int(value) => Some(*value),
            _ => None,
        })
        .collect();
    let Some(ints) = ints.filter(|_| list.is_whole()) else { return };
    let mut part = |suffix: &str, ty: &str, cell| {
        all.push(Part { suffix: suffix.to_owned(), ty: ty.to_owned(), cell });
    };
    if let [first, .., last] = ints.as_slice() {
        part(".is_sorted()", "bool", Cell::Bool(ints.is_sorted()));
        part(".first().unwrap()", ty, Cell::Int(*first));
        part(".last().unwrap()", ty, Cell::Int(*last));
    } else if let [only] = ints.as_slice() {
        part(".first().unwrap()", ty, Cell::Int(*only));
        part(".last().unwrap()", ty, Cell::Int(*only));
    }
}

/// What a list holds.
pub(crate) fn element(ty: &str) -> String {
    match ty.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(inside) => inside.split(';').next().unwrap_or_default().trim().to_owned(),
        None => argument(ty, 0),
    }
}

/// Equal for equal values.
pub(crate) fn hash(value: &Value) -> u64 {
    text_hash(&format!("{value:?}"))
}

/// Equal for equal texts.
pub(crate) fn text_hash(text: &str) -> u64 {
    let mut hash = Fnv::default();
    hash.text(text.as_bytes());
    hash.finish()
}

/// A literal as it would be observed.
pub(crate) fn of_literal(literal: &Literal) -> Value {
    let bytes = |bytes: &[u8]| {
        let values = bytes.iter().take(64).map(|byte| Value::Int((*byte).into())).collect();
        Value::List(values, bytes.len() as u64)
    };
    match literal {
        Literal::Unit => Value::Unit,
        Literal::Bool(value) => Value::Bool(*value),
        Literal::Char(value) => Value::Char(*value),
        Literal::Signed { value, .. } => Value::Int(*value),
        Literal::Unsigned { value, .. } => i128::try_from(*value).map_or(Value::Huge(*value), Value::Int),
        Literal::F32(bits) => Value::F32(f32::from_bits(*bits)),
        Literal::F64(bits) => Value::F64(f64::from_bits(*bits)),
        Literal::Str(text) | Literal::String(text) => Value::Str(text.clone(), text.len() as u64),
        Literal::ByteStr(value) | Literal::Bytes(value) => bytes(value),
    }
}

/// A type without its references: what is compared is what they refer to.
pub(crate) fn plain(ty: &str) -> String {
    let mut text = ty.replace("&'static mut ", "").replace("&'static ", "");
    text.retain(|c| c != '&');
    text
}

/// An argument of a type: `i32` of `::std::option::Option<i32>`, an element of a tuple.
pub(crate) fn argument(ty: &str, number: usize) -> String {
    let inside = match ty.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        Some(elements) => elements,
        None => ty.split_once('<').and_then(|(_, rest)| rest.strip_suffix('>')).unwrap_or_default(),
    };
    let mut depth = 0;
    let pieces = inside.split(|c: char| {
        match c {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    });
    pieces.map(str::trim).nth(number).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_of_types_are_found() {
        let table = [
            ("::std::option::Option<i32>", 0, "i32"),
            ("::std::result::Result<(u8, u8), ::a::E>", 0, "(u8, u8)"),
            ("::std::result::Result<(u8, u8), ::a::E>", 1, "::a::E"),
            ("(usize, ::std::option::Option<u8>)", 1, "::std::option::Option<u8>"),
            ("u8", 0, ""),
        ];
        for (ty, number, expected) in table {
            assert_eq!(argument(ty, number), expected, "{ty}");
        }
        assert_eq!(plain("::std::option::Option<&'static mut i32>"), "::std::option::Option<i32>");
    }

    #[test]
    fn none_is_a_value_of_its_own() {
        let ty = "::std::option::Option<&'static usize>";
        let shown = |value: &Value| {
            let all = parts(value, ty).into_iter();
            all.filter(|part| !part.suffix.is_empty()).map(|part| (part.suffix, part.ty, part.cell)).collect()
        };
        let is_some = |value| (".is_some()".to_owned(), "bool".to_owned(), Cell::Bool(value));
        let inside = (".unwrap()".to_owned(), "usize".to_owned(), Cell::Int(3));
        let found: Vec<_> = shown(&Value::Option(Some(Box::new(Value::Int(3)))));
        assert_eq!(found, [is_some(true), inside]);
        let found: Vec<_> = shown(&Value::Option(None));
        assert_eq!(found, [is_some(false)]);
    }
}
