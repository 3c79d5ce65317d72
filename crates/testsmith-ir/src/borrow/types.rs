//! What the text of a type tells about its values: what its destructor may look at, what can change behind a `&`.

use crate::api::Type;
use crate::arguments::standard;

/// Types of the standard library whose destructors promise not to look at borrowed parts (`#[may_dangle]`), or that
/// have none of their own and only drop their parts. What is in them counts for itself.
const HARMLESS: &[&str] = &[
    "Arc",
    "BTreeMap",
    "BTreeSet",
    "BinaryHeap",
    "Box",
    "Cell",
    "Cow",
    "HashMap",
    "HashSet",
    "LinkedList",
    "Option",
    "Rc",
    "RefCell",
    "Result",
    "String",
    "Vec",
    "VecDeque",
    "OsStr",
    "OsString",
    "Path",
    "PathBuf",
    "CStr",
    "CString",
    "RandomState",
];

/// What the names of standard types have in common that can be changed through a shared reference.
const INTERIOR: &[&str] = &["Cell", "Mutex", "RwLock", "Once", "Lazy", "Sender"];

/// Whether a value that borrows is used once more when it is dropped. A `Vec<&T>` is not: dropping it frees memory and
/// nothing else; a `Drain` puts the tail of its vector back.
pub(super) fn looks_at_borrowed(ty: &Type) -> bool {
    ty.facts.needs_drop && !paths(&ty.text).all(is_harmless)
}

/// Whether something that borrows can be put into a value through a shared reference.
pub(super) fn changes_when_shared(ty: &Type) -> bool {
    let has_interior = |path: &str| {
        let name = standard(path);
        // Nobody knows what the types of other crates do.
        let is_foreign = name.is_empty() || path == "dyn" || path == "_";
        is_foreign || INTERIOR.iter().any(|part| name.contains(part))
    };
    ty.borrows && paths(&ty.text).any(has_interior)
}

fn is_harmless(path: &str) -> bool {
    let is_primitive = path.starts_with(char::is_lowercase) && !path.contains("::") && path != "dyn";
    is_primitive || HARMLESS.contains(&standard(path))
}

/// The names and paths in a type's text, without lifetimes.
fn paths(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | ':' | '\'')));
    words.filter(|word| !word.is_empty() && !word.starts_with('\''))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Facts;

    fn ty(text: &str) -> Type {
        Type {
            text: text.to_owned(),
            shown: text.to_owned(),
            imports: Vec::new(),
            literal: None,
            borrows: true,
            referent: None,
            facts: Facts { needs_drop: true, ..Facts::default() },
        }
    }

    #[track_caller]
    fn check(text: &str, looks: bool, changes: bool) {
        let ty = ty(text);
        assert_eq!(looks_at_borrowed(&ty), looks, "destructor of {text}");
        assert_eq!(changes_when_shared(&ty), changes, "interior of {text}");
        assert!(!looks_at_borrowed(&Type { facts: Facts::default(), ..ty }), "without a destructor: {text}");
    }

    #[test]
    fn containers_of_references_do_not_look_at_them() {
        check("::std::vec::Vec<&'static str>", false, false);
        check("::std::option::Option<::std::borrow::Cow<'static, str>>", false, false);
        check(
            "::alloc::collections::BTreeMap<&'static [u8], (i32, ::std::boxed::Box<&'static str>)>",
            false,
            false,
        );
        check("::std::cell::RefCell<::std::vec::Vec<&'static str>>", false, true);
    }

    #[test]
    fn other_destructors_may_look() {
        check("::std::vec::Drain<'static, i32>", true, false);
        check("::std::vec::Vec<::slab::Drain<'static, i32>>", true, true);
        check("::mine::Vec<&'static str>", true, true);
        check("::std::boxed::Box<dyn ::std::fmt::Debug + 'static>", true, true);
        check("_", true, true);
    }
}
