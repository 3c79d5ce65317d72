//! What the compiler can infer from a body's text, and what has to be written down for it.
//!
//! The table of callables says which types a call has, not which of them its signature fixes and which it leaves open. The
//! text of its path and types tells nearly always: `std::option::Option<u8>::Some` takes whatever it is given.

use super::literal::is_default;
use super::template::{Position, is_assignment};
use crate::api::{Accepts, Api, Callable, LiteralKind, TypeId};
use crate::program::Arg;

/// Whether a call's signature, or its other arguments, say which type a parameter has.
pub(super) fn is_decided(api: &Api, callable: &Callable, param: usize) -> bool {
    let text = param_text(api, callable.params[param].accepts);
    let is_open = |of: &str| generics(of).is_some_and(|args| mentions(args, &text));
    if matches!(callable.params[param].accepts, Accepts::List(_)) {
        return false;
    }
    let others = callable.params.iter().enumerate().filter(|(index, _)| *index != param);
    let mut others = others.map(|(_, other)| param_text(api, other.accepts));
    let is_generic = is_open(&callable.path) || is_open(&api[callable.output].text);
    !is_generic || others.any(|other| is_open(&other))
}

/// Whether a number of this type needs its type written where it stands in a call.
pub(super) fn needs_suffix(
    api: &Api,
    callable: &Callable,
    param: usize,
    position: Position<'_>,
    kind: LiteralKind,
) -> bool {
    let other = |index: usize| callable.params.get(index).map(|param| param.accepts);
    let is_same = |index: usize| other(index) == Some(callable.params[param].accepts);
    match position {
        Position::Receiver | Position::Deref | Position::Prefixed => true,
        Position::Left(_) => !(is_default(kind) && is_same(1)),
        Position::Right(operator) if is_assignment(operator) => false,
        Position::Right(_) => !is_default(kind) && (param == 0 || !is_same(0)),
        Position::Argument => !is_default(kind) && !is_decided(api, callable, param),
    }
}

/// Whether the type of a result has to be written: `let set: BTreeSet<u8> = BTreeSet::new()`. Such calls are those of a
/// generic type itself that are given nothing of what the type is about.
pub(super) fn needs_annotation(
    api: &Api,
    callable: &Callable,
    types: impl Fn(Arg) -> Option<TypeId>,
    args: &[Arg],
) -> bool {
    let output = &api[callable.output];
    let plain = |text: &str| text.trim_start_matches("::").replace("'static ", "");
    let of_itself = plain(&callable.path).starts_with(&plain(&output.text));
    let Some(generics) = generics(&output.text) else { return false };
    if !of_itself
        || callable.shown.contains('<')
        || output.shown.contains(['_', '?']) && !output.shown.contains("'_")
    {
        return false;
    }
    let given = |part: &str| {
        let mut types = args.iter().filter_map(|arg| types(*arg));
        types.any(|ty| mentions(&api[ty].text, part))
    };
    let mut parts = split(generics).filter(|part| !part.starts_with('\''));
    parts.any(|part| !given(part))
}

/// What a parameter is about.
fn param_text(api: &Api, accepts: Accepts) -> String {
    match accepts {
        Accepts::Value(ty)
        | Accepts::Shared(ty)
        | Accepts::Exclusive(ty)
        | Accepts::List(ty)
        | Accepts::Slice(ty)
        | Accepts::SliceMut(ty) => api[ty].text.clone(),
        Accepts::Text => "str".to_owned(),
        Accepts::Path => "Path".to_owned(),
        Accepts::OsText => "OsStr".to_owned(),
        Accepts::CText => "CStr".to_owned(),
    }
}

/// From the first `<` on.
fn generics(text: &str) -> Option<&str> {
    let start = text.find('<')?;
    let end = text.rfind('>')?;
    text.get(start + 1..end)
}

/// Whether a text has this type in it, not as a part of another name.
fn mentions(text: &str, part: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(part).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + part.len()..].chars().next();
        !before.is_some_and(is_name) && !after.is_some_and(is_name)
    })
}

/// The parts between commas that are in no brackets.
fn split(generics: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    let parts = generics.split(move |c| {
        match c {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    });
    parts.map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_as_a_whole() {
        for (text, part, expected) in [
            ("::std::vec::Vec<u8>", "u8", true),
            ("::std::vec::Vec<u88>", "u8", false),
            ("&'static str", "str", true),
            ("&'static strange", "str", false),
        ] {
            assert_eq!(mentions(text, part), expected, "{part} in {text}");
        }
    }

    #[test]
    fn only_outer_commas_separate() {
        let parts: Vec<_> = split("'static, (u8, u8), Vec<(u8, [u8; 2])>").collect();
        assert_eq!(parts, ["'static", "(u8, u8)", "Vec<(u8, [u8; 2])>"]);
    }
}
