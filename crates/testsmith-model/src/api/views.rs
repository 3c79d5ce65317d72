//! `AsRef`, `AsMut`, `Borrow`: as what the standard library's types can be looked at, and which can be looked at as a type.

use super::ty::{Bound, Ty};
use super::unify::unify;

/// Whether a type can be looked at as the trait says; `None` if nobody knows.
pub(crate) fn has(ty: &Ty, bound: &Bound) -> Option<bool> {
    if !matches!(bound.name.as_str(), "AsRef" | "AsMut") {
        return None;
    }
    let target = bound.first()?;
    let ty = match ty {
        Ty::Ref { is_mut: false, inner, .. } if bound.name == "AsRef" => inner,
        Ty::Ref { is_mut: true, inner, .. } => inner,
        Ty::Ref { .. } => return Some(false),
        _ => ty,
    };
    // What is not known yet of the target may be anything.
    let is_it = |view: &Ty| unify(target, view, &mut Default::default());
    Some(views(ty, bound.name == "AsMut")?.iter().any(is_it))
}

/// What a type can be looked at as.
pub(crate) fn views(ty: &Ty, is_mut: bool) -> Option<Vec<Ty>> {
    let text = || Ty::primitive("str");
    let bytes = || Ty::Slice(Box::new(Ty::primitive("u8")));
    let os_text = || Ty::standard("std::ffi::OsStr", []);
    let path = || Ty::standard("std::path::Path", []);
    match ty {
        Ty::Primitive(name) if name == "str" && !is_mut => {
            return Some(vec![text(), bytes(), os_text(), path()]);
        }
        Ty::Primitive(_) => return Some(Vec::new()),
        Ty::Slice(_) => return Some(vec![ty.clone()]),
        Ty::Array(element, _) => return Some(vec![Ty::Slice(element.clone())]),
        _ => {}
    }
    let (id, args) = ty.as_path()?;
    Some(match (id, args.as_slice(), is_mut) {
        ("std::string::String", _, false) => vec![text(), bytes(), os_text(), path()],
        ("std::string::String", _, true) => vec![text()],
        ("std::vec::Vec", [element], _) => vec![Ty::Slice(Box::new((*element).clone())), ty.clone()],
        ("std::boxed::Box", [inner], _) => vec![(*inner).clone()],
        ("std::rc::Rc" | "std::sync::Arc", [inner], false) => vec![(*inner).clone()],
        ("std::path::PathBuf" | "std::path::Path" | "std::ffi::OsString" | "std::ffi::OsStr", _, false) => {
            vec![os_text(), path()]
        }
        ("std::ffi::CString" | "std::ffi::CStr", _, false) => vec![Ty::standard("std::ffi::CStr", [])],
        _ => return None,
    })
}

/// Types that can be looked at as the target of a bound, the best first.
pub(crate) fn owners(target: &Ty, bound: &Bound) -> Vec<Ty> {
    let is_shared = matches!(bound.name.as_str(), "AsRef" | "Borrow");
    match target {
        Ty::Primitive(name) if name == "str" && bound.name == "AsRef" => vec![Ty::text(), Ty::string()],
        Ty::Primitive(name) if name == "str" => vec![Ty::string()],
        Ty::Slice(element) if **element == Ty::primitive("u8") && bound.name == "AsRef" => {
            let bytes = Ty::shared(target.clone());
            vec![bytes, Ty::vec(Ty::primitive("u8")), Ty::text()]
        }
        Ty::Slice(element) => vec![Ty::vec((**element).clone())],
        _ => match target.as_path() {
            Some(("std::path::Path" | "std::ffi::OsStr", _)) if bound.name == "AsRef" => {
                vec![Ty::text(), Ty::string()]
            }
            Some(("std::path::Path", _)) if is_shared => vec![Ty::standard("std::path::PathBuf", [])],
            Some(("std::ffi::OsStr", _)) if is_shared => vec![Ty::standard("std::ffi::OsString", [])],
            Some(("std::ffi::CStr", _)) if is_shared => vec![Ty::standard("std::ffi::CString", [])],
            _ => vec![Ty::standard("std::boxed::Box", [target.clone()])],
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::ty::Arg;

    fn bound(name: &str, target: Ty) -> Bound {
        Bound {
            id: format!("std::convert::{name}"),
            name: name.to_owned(),
            args: vec![Arg::Type(target)],
            bindings: Vec::new(),
            is_maybe: false,
        }
    }

    #[test]
    fn what_is_offered_for_a_view_has_it() {
        let targets = [
            Ty::primitive("str"),
            Ty::primitive("i32"),
            Ty::Slice(Box::new(Ty::primitive("u8"))),
            Ty::Slice(Box::new(Ty::string())),
            Ty::standard("std::path::Path", []),
            Ty::standard("std::ffi::CStr", []),
        ];
        for (name, target) in
            ["AsRef", "AsMut"].iter().flat_map(|name| targets.iter().map(move |t| (name, t)))
        {
            let bound = bound(name, target.clone());
            for owner in owners(target, &bound) {
                assert_eq!(has(&owner, &bound), Some(true), "{owner:?}: {name}<{target:?}>");
            }
        }
    }

    #[test]
    fn a_view_that_a_type_lacks_is_known_to_be_missing() {
        assert_eq!(has(&Ty::string(), &bound("AsMut", Ty::standard("std::path::Path", []))), Some(false));
        let slice = |of: Ty| Ty::Slice(Box::new(of));
        assert_eq!(has(&Ty::string(), &bound("AsMut", slice(Ty::Generic("T".to_owned())))), Some(false));
        assert_eq!(
            has(&Ty::vec(Ty::unit()), &bound("AsMut", slice(Ty::Generic("T".to_owned())))),
            Some(true)
        );
        assert_eq!(has(&Ty::text(), &bound("AsMut", Ty::primitive("str"))), Some(false));
        assert_eq!(has(&Ty::standard("std::time::Instant", []), &bound("AsRef", Ty::unit())), None);
    }
}
