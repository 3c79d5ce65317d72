//! Which slots fit which parameters, and how they are then taken: the table of docs/internals/harness.md.

use crate::api::{Accepts, Api, Callable, LiteralKind, Place, Reference, Type, TypeId};
use crate::program::{Arg, Mode};

/// How a slot becomes an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fit {
    /// What happens to the slot.
    pub mode: Mode,
    /// The slot is itself the reference that the parameter wants: it is copied or reborrowed, not borrowed.
    pub through: bool,
}

impl Fit {
    const MOVED: Fit = Fit { mode: Mode::Move, through: false };
    const COPIED: Fit = Fit { mode: Mode::Copy, through: false };
    const SHARED: Fit = Fit { mode: Mode::Shared, through: false };
    const EXCLUSIVE: Fit = Fit { mode: Mode::Exclusive, through: false };
    const REFERENCE: Fit = Fit { mode: Mode::Copy, through: true };
    const REBORROWED: Fit = Fit { mode: Mode::Exclusive, through: true };
    /// `&*slot` of a `&mut T`.
    const REBORROWED_SHARED: Fit = Fit { mode: Mode::Shared, through: true };
}

/// A kind of unsized data and what owns it.
struct Unsized {
    name: &'static str,
    owner: &'static str,
}

const PATH: Unsized = Unsized { name: "Path", owner: "PathBuf" };
const OS_TEXT: Unsized = Unsized { name: "OsStr", owner: "OsString" };
const C_TEXT: Unsized = Unsized { name: "CStr", owner: "CString" };

impl Api {
    /// How a slot of this type is taken by a parameter; `None` if it is not.
    pub fn fit(&self, accepts: Accepts, ty: TypeId) -> Option<Fit> {
        let slot = &self[ty];
        let by_value = if slot.facts.copy { Fit::COPIED } else { Fit::MOVED };
        match accepts {
            Accepts::Value(wanted) | Accepts::List(wanted) => (ty == wanted).then_some(by_value),
            Accepts::Shared(wanted) if ty == wanted => Some(Fit::SHARED),
            Accepts::Shared(wanted) => match slot.referent {
                Some((Reference::Shared, referent)) if referent == wanted => Some(Fit::REFERENCE),
                Some((Reference::Exclusive, referent)) if referent == wanted => Some(Fit::REBORROWED_SHARED),
                _ => None,
            },
            Accepts::Exclusive(wanted) if ty == wanted => Some(Fit::EXCLUSIVE),
            Accepts::Exclusive(wanted) => {
                (slot.referent == Some((Reference::Exclusive, wanted))).then_some(Fit::REBORROWED)
            }
            Accepts::Text => text(slot),
            Accepts::Slice(element) => slice(slot, &self[element]),
            Accepts::SliceMut(element) => slice_mut(slot, &self[element]),
            Accepts::Path => unsized_data(slot, &PATH),
            Accepts::OsText => unsized_data(slot, &OS_TEXT),
            Accepts::CText => unsized_data(slot, &C_TEXT),
        }
    }

    /// Rewrites all types by a map from old to new ids, after several were found to be the same. The table keeps its
    /// entries; nothing refers any more to those that are mapped away.
    pub fn canonical(&mut self, map: &[TypeId]) {
        let new = |ty: TypeId| map[ty.0 as usize];
        for ty in &mut self.types {
            ty.referent = ty.referent.map(|(kind, referent)| (kind, new(referent)));
        }
        for callable in &mut self.callables {
            callable.output = new(callable.output);
            for param in &mut callable.params {
                param.accepts = match param.accepts {
                    Accepts::Value(ty) => Accepts::Value(new(ty)),
                    Accepts::Shared(ty) => Accepts::Shared(new(ty)),
                    Accepts::Exclusive(ty) => Accepts::Exclusive(new(ty)),
                    Accepts::Slice(ty) => Accepts::Slice(new(ty)),
                    Accepts::SliceMut(ty) => Accepts::SliceMut(new(ty)),
                    Accepts::List(ty) => Accepts::List(new(ty)),
                    other @ (Accepts::Text | Accepts::Path | Accepts::OsText | Accepts::CText) => other,
                };
            }
        }
    }
}

impl Callable {
    /// Whether it can have so many arguments: one for each parameter, any number for a list.
    pub fn takes(&self, args: usize) -> bool {
        match self.list() {
            Some(_) => args + 1 >= self.params.len(),
            None => args == self.params.len(),
        }
    }

    /// The parameter that argument number `arg` is for; a list, which is the last parameter, takes all the rest.
    pub fn param_of(&self, arg: usize) -> usize {
        self.list().map_or(arg, |list| arg.min(list))
    }

    /// The arguments that a parameter was given.
    pub fn args_of<'a>(&self, param: usize, args: &'a [Arg]) -> &'a [Arg] {
        let given = if self.list() == Some(param) { args.get(param..) } else { args.get(param..=param) };
        given.unwrap_or_default()
    }

    /// Whether what a parameter is given is kept for ever.
    pub fn keeps(&self, param: usize) -> bool {
        self.flows.iter().any(|flow| flow.from == param && flow.to == Place::Forever)
    }

    /// The parameter that takes any number of arguments.
    pub fn list(&self) -> Option<usize> {
        let last = self.params.len().checked_sub(1)?;
        matches!(self.params[last].accepts, Accepts::List(_)).then_some(last)
    }
}

fn text(slot: &Type) -> Option<Fit> {
    match slot.literal {
        Some(LiteralKind::Str) => Some(Fit::REFERENCE),
        Some(LiteralKind::String) => Some(Fit::SHARED),
        _ => (wrapped(&slot.text, "Box") == Some("str")).then_some(Fit::SHARED),
    }
}

fn slice(slot: &Type, element: &Type) -> Option<Fit> {
    if owns_slice(slot, element) {
        return Some(Fit::SHARED);
    }
    let (kind, referent) = referred(&slot.text)?;
    is_slice(referent, element).then_some(match kind {
        Reference::Shared => Fit::REFERENCE,
        Reference::Exclusive => Fit::REBORROWED_SHARED,
    })
}

fn slice_mut(slot: &Type, element: &Type) -> Option<Fit> {
    if owns_slice(slot, element) {
        return Some(Fit::EXCLUSIVE);
    }
    let (kind, referent) = referred(&slot.text)?;
    (kind == Reference::Exclusive && is_slice(referent, element)).then_some(Fit::REBORROWED)
}

fn owns_slice(slot: &Type, element: &Type) -> bool {
    wrapped(&slot.text, "Vec") == Some(&element.text)
        || wrapped(&slot.text, "Box").is_some_and(|inner| is_slice(inner, element))
}

fn is_slice(text: &str, element: &Type) -> bool {
    text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) == Some(&element.text)
}

fn unsized_data(slot: &Type, data: &Unsized) -> Option<Fit> {
    let owned = standard(&slot.text) == data.owner
        || wrapped(&slot.text, "Box").is_some_and(|it| standard(it) == data.name);
    if owned {
        return Some(Fit::SHARED);
    }
    let (kind, referent) = referred(&slot.text)?;
    (kind == Reference::Shared && standard(referent) == data.name).then_some(Fit::REFERENCE)
}

/// `&'static mut [u8]` is an exclusive reference to `[u8]`.
fn referred(text: &str) -> Option<(Reference, &str)> {
    let rest = text.strip_prefix('&')?;
    let rest = rest.strip_prefix("'static ").unwrap_or(rest);
    Some(match rest.strip_prefix("mut ") {
        Some(referent) => (Reference::Exclusive, referent),
        None => (Reference::Shared, rest),
    })
}

/// `::std::vec::Vec<u8>` wraps `u8` in a `Vec`.
fn wrapped<'a>(text: &'a str, wrapper: &str) -> Option<&'a str> {
    let (path, inner) = text.strip_suffix('>')?.split_once('<')?;
    (standard(path) == wrapper).then_some(inner)
}

/// The last part of a path of the standard library, or a name without a path; nothing for other paths.
pub(crate) fn standard(path: &str) -> &str {
    match path.trim_start_matches("::").rsplit_once("::") {
        None => path,
        Some((module, name)) => match module.split("::").next() {
            Some("std" | "alloc" | "core") => name,
            _ => "",
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Param;
    use crate::sketch;

    const TABLE: &str = "
        type i32: copy
        type u8: copy
        type String: drop
        type &String
        type &mut String
        type &str
        type Box<str>: drop
        type Vec<i32>: drop
        type Box<[i32]>: drop
        type &[i32]
        type &mut [i32]
        type std::path::PathBuf: drop
        type &std::path::Path
        type mine::Vec<i32>
    ";

    /// Which types of the table a parameter takes.
    #[track_caller]
    fn check(accepts: impl Fn(&Api) -> Accepts, expected: &[(&str, Fit)]) {
        let api = sketch::api(TABLE).unwrap();
        let fits = api.types().filter_map(|(id, ty)| Some((ty.shown.as_str(), api.fit(accepts(&api), id)?)));
        assert_eq!(fits.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn values_are_copied_if_they_can_be() {
        let of = |name: &'static str| move |api: &Api| Accepts::Value(api.find_type(name).unwrap());
        check(of("i32"), &[("i32", Fit::COPIED)]);
        check(of("String"), &[("String", Fit::MOVED)]);
    }

    #[test]
    fn references_come_from_values_and_references() {
        let string = |api: &Api| api.find_type("String").unwrap();
        let shared =
            [("String", Fit::SHARED), ("&String", Fit::REFERENCE), ("&mut String", Fit::REBORROWED_SHARED)];
        check(move |api| Accepts::Shared(string(api)), &shared);
        let exclusive = [("String", Fit::EXCLUSIVE), ("&mut String", Fit::REBORROWED)];
        check(move |api| Accepts::Exclusive(string(api)), &exclusive);
    }

    #[test]
    fn unsized_data_comes_from_its_owners() {
        let element = |api: &Api| api.find_type("i32").unwrap();
        check(
            |_| Accepts::Text,
            &[("String", Fit::SHARED), ("&str", Fit::REFERENCE), ("Box<str>", Fit::SHARED)],
        );
        let slices = [
            ("Vec<i32>", Fit::SHARED),
            ("Box<[i32]>", Fit::SHARED),
            ("&[i32]", Fit::REFERENCE),
            ("&mut [i32]", Fit::REBORROWED_SHARED),
        ];
        check(move |api| Accepts::Slice(element(api)), &slices);
        let changed =
            [("Vec<i32>", Fit::EXCLUSIVE), ("Box<[i32]>", Fit::EXCLUSIVE), ("&mut [i32]", Fit::REBORROWED)];
        check(move |api| Accepts::SliceMut(element(api)), &changed);
        check(
            |_| Accepts::Path,
            &[("std::path::PathBuf", Fit::SHARED), ("&std::path::Path", Fit::REFERENCE)],
        );
    }

    #[test]
    fn a_list_takes_all_arguments_that_are_left() {
        let mut api = sketch::api("type i32: copy\nfn f(first: i32; rest: *i32) => f($0, &[$*])").unwrap();
        let args = [0, 1, 2].map(|slot| Arg::copied(crate::program::Slot(slot)));
        let callable = &mut api.callables[0];
        assert_eq!([0, 1, 2, 3].map(|count| callable.takes(count)), [false, true, true, true]);
        assert_eq!([0, 1, 2].map(|arg| callable.param_of(arg)), [0, 1, 1]);
        assert_eq!((callable.args_of(0, &args), callable.args_of(1, &args)), (&args[..1], &args[1..]));
        callable.params.pop();
        assert_eq!([0, 1, 2].map(|count| callable.takes(count)), [false, true, false]);
    }

    #[test]
    fn types_that_are_the_same_become_one() {
        let mut api = sketch::api(
            "type i32: copy\ntype Same: copy\ntype &Same\nfn f(a: i32; b: &Same) -> Same => f($0, $1)",
        )
        .unwrap();
        let [unit, int, same, reference] = [0, 1, 2, 3].map(TypeId);
        api.canonical(&[unit, int, int, reference]);
        assert_eq!(api[reference].referent, Some((Reference::Shared, int)));
        let accepts: Vec<_> = api.callables[0].params.iter().map(|param: &Param| param.accepts).collect();
        assert_eq!(accepts, [Accepts::Value(int), Accepts::Shared(int)]);
        assert_ne!(api.callables[0].output, same);
    }
}
