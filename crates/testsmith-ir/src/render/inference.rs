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
    if matches!(callable.params[param].accepts, Accepts::List(_)) || is_reference(callable) {
        return false;
    }
    // A type parameter is hardly ever filled by a slice that is changed, but often by one that is read.
    if let Accepts::SliceMut(_) = callable.params[param].accepts {
        let slice = format!("[{text}]");
        let mut open = generics(&callable.path).into_iter().flat_map(split);
        return !open.any(|part| part == slice || part.starts_with('&') && part.contains("mut ["));
    }
    let others = callable.params.iter().enumerate().filter(|(index, _)| *index != param);
    let mut others = others.map(|(_, other)| param_text(api, other.accepts));
    // A function of the crate that is generic says so in its path; one of the standard library may not.
    let of_whom = callable.path.split_once(" as ").map_or(callable.path.as_str(), |(_, of)| of);
    let is_own = !of_whom.contains("std::") && !of_whom.contains("core::");
    let is_generic = is_open(&callable.path) || !is_own && is_open(&api[callable.output].text);
    !is_generic || others.any(|other| is_open(&other))
}

/// Whether a call is nothing but a reference to what it is given.
pub(super) fn is_reference(callable: &Callable) -> bool {
    callable.shown == "$0"
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
        Position::Right("..") if is_index(callable, param) => false,
        Position::Right(_) => !is_default(kind) && (param == 0 || !is_same(0)),
        // Nothing else that looks like a number is an index.
        Position::Argument if is_index(callable, param) => {
            kind != LiteralKind::Int { signed: false, bits: 0 }
        }
        Position::Argument if decides_trait(api, callable, param) => true,
        Position::Argument => !is_default(kind) && !is_decided(api, callable, param),
    }
}

/// Whether it is told by a parameter alone which of several impls of a trait a method is of, and so what it gives.
fn decides_trait(api: &Api, callable: &Callable, param: usize) -> bool {
    let text = param_text(api, callable.params[param].accepts);
    let is_method = callable.shown.starts_with(['$', '(']);
    is_method
        && param > 0
        && of_trait(&callable.path).is_some_and(|args| split(args).any(|part| part == text))
}

/// Whether a parameter stands in brackets: `&$0[$1]`, `&list[..$0]`.
fn is_index(callable: &Callable, param: usize) -> bool {
    callable.shown.ends_with(&format!("[${param}]")) || callable.shown.contains(&format!("[..${param}]"))
}

/// Whether the type of a result has to be written: `let set: BTreeSet<u8> = BTreeSet::new()`. Such calls are those of a
/// generic type itself that are given nothing of what the type is about, and those of a generic trait that are not given
/// its arguments: `let bytes: &[u8] = text.as_ref()`.
pub(super) fn needs_annotation(
    api: &Api,
    callable: &Callable,
    types: impl Fn(Arg) -> Option<TypeId>,
    args: &[Arg],
) -> bool {
    if !can_be_annotated(api, callable) || callable.shown.contains('<') {
        return false;
    }
    let output = &api[callable.output];
    if args.is_empty() && matches!(callable.shown.as_str(), "[$*]" | "[]") {
        return true;
    }
    // A closure in a variable is for one lifetime; the pointer that it becomes is for all.
    if is_pointer(&output.text) {
        return true;
    }
    // Of the two types of a `Result` a variant is given one.
    if callable.path.ends_with("::Ok") || callable.path.ends_with("::Err") {
        return true;
    }
    let own = match owner(&callable.path) {
        // A receiver tells.
        Some(_) if callable.shown.starts_with(['$', '(']) => None,
        Some(owner) if mentions(&output.text, owner) => generics(owner),
        _ => generics(&output.text).filter(|_| is_of(&callable.path, &output.text)),
    };
    let of_trait = of_trait(&callable.path);
    let given: Vec<TypeId> = args.iter().filter_map(|arg| types(*arg)).collect();
    let is_written = |part: &str| is_pointer(part) && callable.shown.contains('|');
    let is_open = |of: &str, given: &[TypeId]| {
        let parts: Vec<&str> = split(of).filter(|part| *part != "_" && !is_lifetime(part)).collect();
        // Of two types that are the same, as in `Either<u8, u8>::Left`, one argument gives one.
        let wanted = |part: &str| parts.iter().filter(|other| **other == part).count();
        let times = |part: &str| given.iter().map(|ty| mentioned(&api[*ty].text, part)).sum::<usize>();
        parts.iter().any(|part| times(part) < wanted(part) && !is_written(part))
    };
    // A type may have a trait for several arguments, so that it does not tell which is meant.
    let has_receiver = callable.shown.starts_with(['$', '(']);
    let beside_receiver = &given[usize::from(has_receiver).min(given.len())..];
    own.into_iter().chain(turbofish(&callable.path)).any(|args| is_open(args, &given))
        || of_trait.is_some_and(|args| is_open(args, beside_receiver))
}

/// Whether the type of a result has a name that a person would write.
pub(super) fn can_be_annotated(api: &Api, callable: &Callable) -> bool {
    let shown = &api[callable.output].shown;
    !shown.contains(['_', '?']) || shown.contains("'_")
}

/// Whether an argument is a lifetime, and no letter: `'a`, not `'a'`.
fn is_lifetime(text: &str) -> bool {
    text.starts_with('\'') && !text.ends_with('\'')
}

/// Whether a type is a pointer to a function.
fn is_pointer(text: &str) -> bool {
    text.starts_with("fn(") || text.starts_with("for<")
}

/// Whether a callable belongs to a type: `<::slab::Slab<i32>>::new`, `::std::option::Option<u8>::Some`.
fn is_of(path: &str, ty: &str) -> bool {
    let plain = |text: &str| text.trim_start_matches(['<', ':']).replace("'static ", "");
    plain(path).starts_with(&plain(ty))
}

/// The type in `<T as Trait>::f` and `<T>::f`.
fn owner(path: &str) -> Option<&str> {
    let inner = path.strip_prefix('<')?;
    let mut depth = 0;
    let end = inner.char_indices().find(|(at, c)| {
        depth += i32::from(*c == '<') - i32::from(*c == '>' && !inner[..*at].ends_with('-'));
        depth < 0 || depth == 0 && inner[*at..].starts_with(" as ")
    });
    inner.get(..end?.0)
}

/// The arguments in `f::<Args>`.
fn turbofish(path: &str) -> Option<&str> {
    let (_, args) = path.rsplit_once("::<")?;
    args.strip_suffix('>')
}

/// The arguments of the trait in `<T as Trait<Args>>::method`.
fn of_trait(path: &str) -> Option<&str> {
    let (_, name) = path.split_once(" as ")?;
    // Up to the end of the brackets that the path began with.
    let mut depth = 0;
    let end = name.char_indices().find(|(at, c)| {
        depth += i32::from(*c == '<') - i32::from(*c == '>' && !name[..*at].ends_with('-'));
        depth < 0
    })?;
    generics(&name[..end.0])
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
    mentioned(text, part) > 0
}

/// How often it has.
fn mentioned(text: &str, part: &str) -> usize {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let is_whole = |(at, _): &(usize, &str)| {
        let before = text[..*at].chars().next_back();
        let after = text[at + part.len()..].chars().next();
        !before.is_some_and(is_name) && !after.is_some_and(is_name)
    };
    text.match_indices(part).filter(is_whole).count()
}

/// The parts between commas that are in no brackets.
fn split(generics: &str) -> impl Iterator<Item = &str> {
    let (mut depth, mut before) = (0, ' ');
    let parts = generics.split(move |c| {
        match c {
            '<' | '(' | '[' => depth += 1,
            '>' if before == '-' => {}
            '>' | ')' | ']' => depth -= 1,
            _ => {}
        }
        before = c;
        c == ',' && depth == 0
    });
    parts.map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arrow_of_a_function_is_no_bracket() {
        let parts: Vec<_> = split("fn(&i32, &mut i32) -> bool, ::std::ops::Range<usize>").collect();
        assert_eq!(parts, ["fn(&i32, &mut i32) -> bool", "::std::ops::Range<usize>"]);
    }

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
    fn parts_of_a_path_are_found() {
        let path = "<::a::Set<(u8, fn() -> u8)> as ::a::Like<[u8]>>::get::<::std::vec::Vec<u8>>";
        assert_eq!(owner(path), Some("::a::Set<(u8, fn() -> u8)>"));
        assert_eq!(of_trait(path), Some("[u8]"));
        assert_eq!(turbofish(path), Some("::std::vec::Vec<u8>"));
        assert_eq!(owner("<::a::Set<u8>>::new"), Some("::a::Set<u8>"));
        assert_eq!(owner("::std::option::Option<u8>::Some"), None);
        assert_eq!(turbofish("<::a::Set<u8>>::new"), None);
    }

    #[test]
    fn arguments_of_a_trait_are_found() {
        let of = |path| of_trait(path);
        assert_eq!(of("<::a::Set<u8> as ::std::convert::AsRef<[u8]>>::as_ref"), Some("[u8]"));
        assert_eq!(of("<::a::Set<u8> as ::std::clone::Clone>::clone"), None);
        assert_eq!(of("<::a::Set<u8>>::new"), None);
    }

    #[test]
    fn only_outer_commas_separate() {
        let parts: Vec<_> = split("'static, (u8, u8), Vec<(u8, [u8; 2])>").collect();
        assert_eq!(parts, ["'static", "(u8, u8)", "Vec<(u8, [u8; 2])>"]);
    }
}
