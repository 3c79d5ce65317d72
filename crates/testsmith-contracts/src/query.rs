//! What can be asked of objects without changing them: [`Queries`].

use std::collections::{BTreeMap, BTreeSet};

use testsmith_ir::{Accepts, Api, Callable, CallableId, LiteralKind, Reference, TypeId};

use crate::cell::plain;

/// So many queries of each kind are asked of a type; more make rows wide and programs slow.
const MOST: usize = 24;

/// So many are asked of what accessors of a type give.
const MOST_REACHED: usize = 12;

/// The queries of all types.
#[derive(Clone, Debug, Default)]
pub struct Queries {
    /// By the type that is asked: `len`, `is_empty`, fields.
    plain: BTreeMap<TypeId, Vec<CallableId>>,
    /// With one argument: `contains`, `get`, `is_subset`, `==`.
    with_argument: BTreeMap<TypeId, Vec<CallableId>>,
    /// What an accessor gives, and what is asked of that: `self.version().major`.
    reached: BTreeMap<TypeId, Vec<(CallableId, CallableId)>>,
    /// How a value is cloned, where a clone can be printed: it shows the state.
    clones: BTreeMap<TypeId, CallableId>,
    /// How two values are compared.
    equalities: BTreeMap<TypeId, CallableId>,
}

impl Queries {
    /// The queries of an API: callables that borrow their first argument, change nothing and give a value that contracts can
    /// speak of.
    pub fn new(api: &Api, is_pure: impl Fn(CallableId) -> bool) -> Queries {
        let mut queries = Queries::default();
        let mut seen = BTreeSet::new();
        for (id, callable) in api.callables() {
            let Some(Accepts::Shared(of)) = callable.params.first().map(|param| param.accepts) else {
                continue;
            };
            if api[of].literal.is_some() || !is_pure(id) {
                continue;
            }
            let shows = api[of].facts.debug || is_value(&api[of].text);
            if callable.path.ends_with("Clone>::clone") && callable.output == of && shows {
                queries.clones.insert(of, id);
                continue;
            }
            if callable.shown == "$0 == $1" && callable.params[1].accepts == Accepts::Shared(of) {
                queries.equalities.insert(of, id);
            }
            if is_question(api, callable) && seen.insert((of, callable.shown.clone(), callable.output)) {
                let table =
                    if callable.params.len() == 1 { &mut queries.plain } else { &mut queries.with_argument };
                let known = table.entry(of).or_default();
                if known.len() < MOST {
                    known.push(id);
                }
            }
        }
        queries.reach(api, &is_pure);
        queries
    }

    /// Adds what can be asked of the objects behind references that accessors and fields give.
    fn reach(&mut self, api: &Api, is_pure: &impl Fn(CallableId) -> bool) {
        for (id, callable) in api.callables() {
            let [param] = callable.params.as_slice() else { continue };
            let Accepts::Shared(of) = param.accepts else { continue };
            let Some((Reference::Shared, inner)) = api[callable.output].referent else { continue };
            let is_odd = callable.shown.contains("clone") || callable.shown.contains("borrow()");
            if inner == of || is_odd || api[of].literal.is_some() || !is_pure(id) {
                continue;
            }
            let asked = self.plain.get(&inner).cloned().unwrap_or_default();
            let known = self.reached.entry(of).or_default();
            let room = MOST_REACHED.saturating_sub(known.len());
            known.extend(asked.into_iter().take(room).map(|query| (id, query)));
        }
    }

    /// Accessors of a type, with queries about what they give.
    pub(crate) fn reached(&self, ty: TypeId) -> &[(CallableId, CallableId)] {
        self.reached.get(&ty).map_or(&[], Vec::as_slice)
    }

    /// All queries about one object, by the type of it.
    pub fn about_one(&self) -> impl Iterator<Item = (TypeId, CallableId)> {
        self.plain.iter().flat_map(|(ty, all)| all.iter().map(|query| (*ty, *query)))
    }

    /// Those that need the object alone.
    pub(crate) fn plain(&self, ty: TypeId) -> &[CallableId] {
        self.plain.get(&ty).map_or(&[], Vec::as_slice)
    }

    /// Those that need one more argument.
    pub(crate) fn with_argument(&self, ty: TypeId) -> &[CallableId] {
        self.with_argument.get(&ty).map_or(&[], Vec::as_slice)
    }

    /// What makes a clone that shows the state.
    pub(crate) fn clone_of(&self, ty: TypeId) -> Option<CallableId> {
        self.clones.get(&ty).copied()
    }

    /// What tells whether two are equal.
    pub(crate) fn equality_of(&self, ty: TypeId) -> Option<CallableId> {
        self.equalities.get(&ty).copied()
    }

    /// Leaves out queries, because they panic or are not the same every time.
    pub fn remove(&mut self, callables: &BTreeSet<CallableId>) {
        for table in [&mut self.plain, &mut self.with_argument] {
            table.values_mut().for_each(|known| known.retain(|id| !callables.contains(id)));
        }
        let is_fine = |(accessor, query): &(CallableId, CallableId)| {
            !callables.contains(accessor) && !callables.contains(query)
        };
        self.reached.values_mut().for_each(|known| known.retain(is_fine));
        self.clones.retain(|_, id| !callables.contains(id));
        self.equalities.retain(|_, id| !callables.contains(id));
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        let tables = [&self.plain, &self.with_argument];
        tables.iter().flat_map(|table| table.values()).map(Vec::len).sum()
    }
}

/// Whether a call is a question whose answer is a value.
fn is_question(api: &Api, callable: &Callable) -> bool {
    // Orders follow from equality and what is ordered.
    const ODD: [&str; 11] =
        ["format!", "|", "hash", "{", "Hasher", " < ", " > ", " <= ", " >= ", "cmp(", "size_hint("];
    let is_odd = ODD.iter().any(|odd| callable.shown.contains(odd)) || callable.shown.contains(" != ");
    callable.params.len() <= 2
        && callable.list().is_none()
        && !is_odd
        && !callable.path.ends_with("Clone>::clone")
        && is_value(&api[callable.output].text)
        && api[callable.output].literal != Some(LiteralKind::Unit)
}

/// Whether values of a type are observed as they are: numbers, texts, and what the standard library wraps around them.
fn is_value(ty: &str) -> bool {
    const NAMES: [&str; 25] = [
        "bool", "char", "str", "String", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32",
        "i64", "i128", "isize", "f32", "f64", "Option", "Result", "Vec", "Ordering", "Duration", "Box",
        "Range",
    ];
    let text = plain(ty);
    let mut words =
        text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).filter(|word| !word.is_empty());
    words.all(|word| {
        let parts: Vec<&str> = word.split("::").filter(|part| !part.is_empty()).collect();
        match parts.as_slice() {
            [name] => NAMES.contains(name) || name.chars().all(|c| c.is_ascii_digit()),
            ["std" | "core" | "alloc", .., name] => NAMES.contains(name),
            _ => false,
        }
    }) && !text.is_empty()
        && text != "_"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_numbers_texts_and_what_wraps_them() {
        for ty in ["usize", "::std::option::Option<&'static i32>", "&'static str", "(usize, bool)", "[u8; 4]"]
        {
            assert!(is_value(ty), "{ty}");
        }
        for ty in
            ["::slab::Slab<i32>", "::std::option::Option<::slab::Key>", "_", "", "::std::vec::IntoIter<u8>"]
        {
            assert!(!is_value(ty), "{ty}");
        }
    }
}
