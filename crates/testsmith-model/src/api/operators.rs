//! Traits of the standard library that people do not call by name: operators, indexing, formatting.

use super::ty::Bound;

/// How a call of a trait's method is written; `None` if as a method.
pub(crate) fn shown(of_trait: &str, method: &str, arguments: &[String]) -> Option<String> {
    let binary = |op: &str| match arguments {
        [left, right] => Some(format!("{left} {op} {right}")),
        _ => None,
    };
    let op = match (of_trait, method) {
        ("Add", _) => "+",
        ("Sub", _) => "-",
        ("Mul", _) => "*",
        ("Div", _) => "/",
        ("Rem", _) => "%",
        ("BitAnd", _) => "&",
        ("BitOr", _) => "|",
        ("BitXor", _) => "^",
        ("Shl", _) => "<<",
        ("Shr", _) => ">>",
        ("AddAssign", _) => "+=",
        ("SubAssign", _) => "-=",
        ("MulAssign", _) => "*=",
        ("DivAssign", _) => "/=",
        ("RemAssign", _) => "%=",
        ("BitAndAssign", _) => "&=",
        ("BitOrAssign", _) => "|=",
        ("BitXorAssign", _) => "^=",
        ("ShlAssign", _) => "<<=",
        ("ShrAssign", _) => ">>=",
        ("PartialEq", "eq") => "==",
        ("PartialEq", "ne") => "!=",
        ("PartialOrd", "lt") => "<",
        ("PartialOrd", "le") => "<=",
        ("PartialOrd", "gt") => ">",
        ("PartialOrd", "ge") => ">=",
        ("Neg", _) => return Some(format!("-{}", arguments.first()?)),
        ("Not", _) => return Some(format!("!{}", arguments.first()?)),
        ("Index", _) => return Some(format!("&{}[{}]", arguments.first()?, arguments.get(1)?)),
        ("IndexMut", _) => return Some(format!("&mut {}[{}]", arguments.first()?, arguments.get(1)?)),
        ("Deref", _) => return Some(format!("&*{}", arguments.first()?)),
        ("DerefMut", _) => return Some(format!("&mut *{}", arguments.first()?)),
        _ => return None,
    };
    binary(op)
}

/// Traits whose methods need no import in any edition.
pub(crate) fn is_in_prelude(bound: &Bound) -> bool {
    const NAMES: [&str; 21] = [
        "Clone",
        "Copy",
        "Default",
        "Drop",
        "PartialEq",
        "Eq",
        "PartialOrd",
        "Ord",
        "Iterator",
        "IntoIterator",
        "DoubleEndedIterator",
        "ExactSizeIterator",
        "Extend",
        "From",
        "Into",
        "AsRef",
        "AsMut",
        "ToOwned",
        "ToString",
        "Fn",
        "FnMut",
    ];
    bound.id.starts_with("std::") && NAMES.contains(&bound.name.as_str())
}

/// Methods of standard traits that are called in a way of their own: the expressions, with `$0` for the receiver.
/// `None` if the method is called as any other.
pub(crate) fn special(of_trait: &Bound, method: &str) -> Option<&'static [(&'static str, &'static str)]> {
    if !of_trait.id.starts_with("std::") {
        return None;
    }
    Some(match (of_trait.name.as_str(), method) {
        ("Display", "fmt") => &[
            ("::std::format!(\"{}\", $0)", "format!(\"{}\", $0)"),
            ("::std::format!(\"{:>12}\", $0)", "format!(\"{:>12}\", $0)"),
            ("::std::format!(\"{:<12}\", $0)", "format!(\"{:<12}\", $0)"),
            ("::std::format!(\"{:*^+15.3}\", $0)", "format!(\"{:*^+15.3}\", $0)"),
            ("::std::format!(\"{:#}\", $0)", "format!(\"{:#}\", $0)"),
        ],
        ("Debug", "fmt") => &[
            ("::std::format!(\"{:?}\", $0)", "format!(\"{:?}\", $0)"),
            ("::std::format!(\"{:#?}\", $0)", "format!(\"{:#?}\", $0)"),
        ],
        ("LowerHex", "fmt") => &[
            ("::std::format!(\"{:x}\", $0)", "format!(\"{:x}\", $0)"),
            ("::std::format!(\"{:#010x}\", $0)", "format!(\"{:#010x}\", $0)"),
        ],
        ("UpperHex", "fmt") => &[("::std::format!(\"{:X}\", $0)", "format!(\"{:X}\", $0)")],
        ("Binary", "fmt") => &[
            ("::std::format!(\"{:b}\", $0)", "format!(\"{:b}\", $0)"),
            ("::std::format!(\"{:#b}\", $0)", "format!(\"{:#b}\", $0)"),
        ],
        ("Octal", "fmt") => &[("::std::format!(\"{:o}\", $0)", "format!(\"{:o}\", $0)")],
        ("LowerExp", "fmt") => &[("::std::format!(\"{:e}\", $0)", "format!(\"{:e}\", $0)")],
        ("UpperExp", "fmt") => &[("::std::format!(\"{:E}\", $0)", "format!(\"{:E}\", $0)")],
        ("Pointer", "fmt") => &[],
        ("Hash", _) => &[],
        _ => return None,
    })
}

/// Formatting `$0` into a buffer of `$1` bytes: the code, and how it is written. The writer that is full is what tells
/// `write!(f, …)?` from `write!(f, …).unwrap()`.
pub(crate) fn into_buffer(of_trait: &Bound, method: &str) -> Option<(String, String)> {
    let format = match (of_trait.name.as_str(), method) {
        ("Display", "fmt") => "{}",
        ("Debug", "fmt") => "{:?}",
        _ => return None,
    };
    let buffer = format!("&mut [0u8; {BUFFER}][..$1]");
    of_trait.id.starts_with("std::").then(|| {
        (
            format!(
                "::std::io::Write::write_fmt(&mut {buffer}, ::std::format_args!(\"{format}\", $0)).is_err()"
            ),
            format!("write!({buffer}, \"{format}\", $0).is_err()"),
        )
    })
}

/// Bytes that a buffer to format into has at most.
const BUFFER: usize = 64;

/// Whether two values have the same hash: the expression, and as a person would write it.
pub(crate) const HASHES_ALIKE: (&str, &str) = (
    "{ let hasher = ::std::hash::BuildHasherDefault::<::std::collections::hash_map::DefaultHasher>::default(); \
     ::std::hash::BuildHasher::hash_one(&hasher, $0) == ::std::hash::BuildHasher::hash_one(&hasher, $1) }",
    "{\n    use std::hash::{BuildHasher, BuildHasherDefault};\n    \
     let hasher = BuildHasherDefault::<std::collections::hash_map::DefaultHasher>::default();\n    \
     hasher.hash_one($0) == hasher.hash_one($1)\n}",
);

/// Methods that traits of the standard library provide, worth calling on each implementor: `(method, code, shown)`. The
/// receiver is taken by `self` unless the code borrows it.
pub(crate) fn provided(of_trait: &Bound) -> &'static [(&'static str, Receiver, &'static str, &'static str)] {
    if !of_trait.id.starts_with("std::") {
        return &[];
    }
    match of_trait.name.as_str() {
        "Iterator" => &[
            (
                "collect",
                Receiver::Exclusive,
                "::std::iter::Iterator::collect::<::std::vec::Vec<_>>(::std::iter::Iterator::take($0, 64))",
                "$0.by_ref().take(64).collect::<Vec<_>>()",
            ),
            ("nth", Receiver::Exclusive, "::std::iter::Iterator::nth($0, 1)", "$0.nth(1)"),
            (
                "count",
                Receiver::Value,
                "::std::iter::Iterator::count(::std::iter::Iterator::take($0, 1000))",
                "$0.take(1000).count()",
            ),
            (
                "last",
                Receiver::Value,
                "::std::iter::Iterator::last(::std::iter::Iterator::take($0, 1000))",
                "$0.take(1000).last()",
            ),
            ("size_hint", Receiver::Shared, "::std::iter::Iterator::size_hint($0)", "$0.size_hint()"),
        ],
        "DoubleEndedIterator" => &[(
            "rev",
            Receiver::Exclusive,
            "::std::iter::Iterator::collect::<::std::vec::Vec<_>>(::std::iter::Iterator::take(::std::iter::Iterator::rev($0), 64))",
            "$0.by_ref().rev().take(64).collect::<Vec<_>>()",
        )],
        "ExactSizeIterator" => {
            &[("len", Receiver::Shared, "::std::iter::ExactSizeIterator::len($0)", "$0.len()")]
        }
        "PartialOrd" => &[],
        _ => &[],
    }
}

/// How a receiver is taken.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Receiver {
    Value,
    Shared,
    Exclusive,
}
