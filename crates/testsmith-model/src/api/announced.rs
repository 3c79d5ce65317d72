//! Collections that write down how many items an iterator announces.
//!
//! `encode<T: FromIterator<char>>() -> T` hands an iterator to whatever its caller collects into. What that iterator says
//! of its length is for the collection alone: a `Vec` only allocates by it. So such a callable has one more variant, which
//! collects into a type of its own, a block as mocks are, and gives what was announced before each item and at the end.

use testsmith_ir::api::{Callable, Place};

use super::ty::{Bound, Ty};

/// What the block gives.
pub(crate) fn lengths() -> Ty {
    let most = Ty::standard("std::option::Option", [Ty::primitive("usize")]);
    Ty::vec(Ty::Tuple(vec![Ty::primitive("usize"), most]))
}

/// The type that is collected into, as a type argument: the block names it, and the call leaves it to be inferred.
pub(crate) fn collection() -> Ty {
    Ty::Closure { code: "Lengths".to_owned() }
}

/// Whether a type with these bounds may be [`collection`].
pub(crate) fn may_collect(bounds: &[Bound]) -> bool {
    let is_standard = |bound: &Bound, name: &str| bound.name == name && bound.id.starts_with("std::");
    bounds.iter().any(|bound| is_standard(bound, "FromIterator"))
        && bounds.iter().all(|bound| ["FromIterator", "Sized"].iter().any(|name| is_standard(bound, name)))
}

const COLLECTION: &str = "struct Lengths(Vec<(usize, Option<usize>)>); \
    impl<T> ::std::iter::FromIterator<T> for Lengths { \
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self { \
    let mut items = items.into_iter(); \
    let mut lengths = vec![items.size_hint()]; \
    while items.next().is_some() { lengths.push(items.size_hint()); } \
    Lengths(lengths) } }";

/// A call that gives a [`collection`], as one that gives its [`lengths`].
pub(crate) fn announced(callable: Callable) -> Callable {
    let block = |call: &str| format!("{{ {COLLECTION} let Lengths(lengths) = {call}; lengths }}");
    let flows = callable.flows.into_iter().filter(|flow| flow.to != Place::Result).collect();
    Callable { code: block(&callable.code), shown: block(&callable.shown), flows, ..callable }
}
