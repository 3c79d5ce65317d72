//! The `use` lines of a file: one for each module that something is imported from.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use super::scope::last;

/// Names that every file knows: an import of the same name would hide them from the other tests of a file.
const PRELUDE: [&str; 22] = [
    "Box",
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Drop",
    "Eq",
    "Err",
    "From",
    "Into",
    "Iterator",
    "None",
    "Ok",
    "Option",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Result",
    "Some",
    "String",
    "ToString",
    "Vec",
];

/// Which imports can stand at the top of a file, for all of its tests.
#[derive(Clone, Debug, Default)]
pub(super) struct Uses {
    /// By the name that each brings.
    by_name: BTreeMap<String, String>,
}

impl Uses {
    pub(super) fn new(paths: impl IntoIterator<Item = String>) -> Uses {
        Uses { by_name: paths.into_iter().map(|path| (last(&path).to_owned(), path)).collect() }
    }

    /// Adds an import for all; `false` if the name means something else there, so that whoever needs it imports it alone.
    pub(super) fn add(&mut self, path: &str) -> bool {
        let name = last(path);
        if PRELUDE.contains(&name) && self.by_name.get(name).is_none_or(|known| known != path) {
            return false;
        }
        self.by_name.entry(name.to_owned()).or_insert_with(|| path.to_owned()) == path
    }

    pub(super) fn has_name(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// The lines, as rustfmt orders them in an edition.
    pub(super) fn lines(&self, edition: u16) -> Vec<String> {
        let mut modules: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for path in self.by_name.values() {
            let (module, name) = path.rsplit_once("::").unwrap_or(("", path));
            modules.entry(module).or_default().insert(name);
        }
        let mut lines: Vec<(Vec<&str>, String)> = modules
            .into_iter()
            .map(|(module, names)| {
                let mut names: Vec<&str> = names.into_iter().collect();
                names.sort_by(|a, b| order(a, b, edition));
                let path = module.split("::").chain(names.first().copied()).filter(|part| !part.is_empty());
                (path.collect(), line(module, &names))
            })
            .collect();
        lines.sort_by(|(a, _), (b, _)| {
            let parts = a.iter().zip(b).map(|(a, b)| order(a, b, edition));
            parts.fold(Ordering::Equal, Ordering::then).then(a.len().cmp(&b.len()))
        });
        lines.into_iter().map(|(_, line)| line).collect()
    }
}

fn line(module: &str, names: &[&str]) -> String {
    match (module, names) {
        ("", names) => names.iter().map(|name| format!("use {name};")).collect::<Vec<_>>().join("\n"),
        (module, [name]) => format!("use {module}::{name};"),
        (module, names) => format!("use {module}::{{{}}};", names.join(", ")),
    }
}

/// Until 2024 functions and modules come before types, and types before constants.
fn order(a: &str, b: &str, edition: u16) -> Ordering {
    let class = |name: &str| match name {
        _ if edition >= 2024 => 0,
        name if name.starts_with(char::is_lowercase) => 0,
        name if name.chars().any(char::is_lowercase) => 1,
        _ => 2,
    };
    class(a).cmp(&class(b)).then_with(|| a.cmp(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(paths: &[&str], edition: u16, expected: &[&str]) {
        let mut uses = Uses::default();
        paths.iter().for_each(|path| assert!(uses.add(path), "{path}"));
        assert_eq!(uses.lines(edition), expected);
    }

    #[test]
    fn imports_of_one_module_share_a_line() {
        check(
            &["slab::Slab", "slab::Iter", "std::cmp::Ordering"],
            2021,
            &["use slab::{Iter, Slab};", "use std::cmp::Ordering;"],
        );
        check(&["a::Type", "a::function", "a::CONST"], 2021, &["use a::{function, Type, CONST};"]);
        check(&["a::Type", "a::function", "a::CONST"], 2024, &["use a::{CONST, Type, function};"]);
        check(&["a::b::C", "a::D"], 2021, &["use a::b::C;", "use a::D;"]);
    }

    #[test]
    fn an_import_is_known_by_the_name_that_it_brings() {
        let mut uses = Uses::new(["std::error::Error as StdError".to_owned(), "slab::Slab".to_owned()]);
        assert!(uses.has_name("StdError"));
        assert!(uses.add("std::error::Error as StdError"));
        assert!(uses.add("slab::Error"));
        assert!(!uses.add("slab::Wrong as Slab"));
        assert_eq!(uses.lines(2021), ["use slab::{Error, Slab};", "use std::error::Error as StdError;"]);
    }

    #[test]
    fn names_that_mean_something_else_are_not_for_all() {
        let mut uses = Uses::default();
        assert!(uses.add("slab::Iter"));
        assert!(uses.add("slab::Iter"));
        assert!(!uses.add("std::slice::Iter"));
        assert!(!uses.add("heapless::Vec"));
    }
}
