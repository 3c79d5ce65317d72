//! Where items can be named from outside: through public modules, re-exports and globs. Where private ones count as well,
//! also from which module that is ([`Visibility`]).

use std::collections::{HashMap, HashSet, VecDeque};

use testsmith_ir::Visibility;

use super::doc::{Doc, Id, Item, Kind};
use super::ty::Ty;

/// The public path of each item that has one, beginning with the crate.
pub(crate) struct Paths {
    /// What the crate is called.
    pub(crate) name: String,
    local: HashMap<Id, Vec<String>>,
    /// By the path of an item of the crate, from where that path can be used.
    visibilities: HashMap<String, Visibility>,
    /// Items of other crates that this one offers again.
    again: HashMap<Id, Vec<String>>,
    /// From where an item of a dependency is defined to where it can be named.
    pub(crate) foreign: HashMap<String, Vec<String>>,
    /// Aliases of dependencies by their path: the names of their parameters, and what they stand for.
    pub(crate) foreign_aliases: HashMap<String, (Vec<String>, Ty)>,
    /// Public items in the order of the walk: shallow ones first.
    pub(crate) order: Vec<Id>,
}

impl Paths {
    /// The public items of a crate that goes by this name.
    pub(crate) fn find(doc: &Doc, name: &str) -> Paths {
        Paths::find_within(doc, name, &Visibility::Anywhere)
    }

    /// The same of a crate all of which can be used from here at most.
    pub(crate) fn find_within(doc: &Doc, name: &str, within: &Visibility) -> Paths {
        let mut paths = Paths {
            name: name.to_owned(),
            local: HashMap::new(),
            visibilities: HashMap::new(),
            again: HashMap::new(),
            foreign: HashMap::new(),
            foreign_aliases: HashMap::new(),
            order: Vec::new(),
        };
        let Some(root) = doc.get(&doc.root) else { return paths };
        let modules = module_paths(doc, root);
        let mut queue = VecDeque::from([(root, vec![name.to_owned()], within.clone())]);
        let mut opened = HashSet::new();
        while let Some((module, path, visibility)) = queue.pop_front() {
            // A glob can lead back to a module above.
            if opened.insert((module.id.clone(), path.clone())) && path.len() < 12 {
                for (id, name) in offered_again(doc, module) {
                    let path: Vec<_> = path.iter().cloned().chain([name]).collect();
                    paths.again.entry(id).or_insert(path);
                }
                for Content { item, name, visibility: own } in
                    contents(doc, &modules, module, &mut HashSet::new())
                {
                    let path: Vec<_> = path.iter().cloned().chain([name]).collect();
                    let Some(visibility) = visibility.join(&own) else { continue };
                    if let Kind::Module(_) = item.kind {
                        queue.push_back((item, path, visibility));
                    } else {
                        paths.add(item, path, visibility);
                    }
                }
            }
        }
        paths
    }

    fn add(&mut self, item: &Item, path: Vec<String>, visibility: Visibility) {
        let rank = |path: &[String], visibility: Option<&Visibility>| {
            (visibility.map(Visibility::depth), is_prelude(path), path.len())
        };
        let is_better =
            |old: &Vec<String>| rank(&path, Some(&visibility)) < rank(old, self.visibility(&old.join("::")));
        match self.local.get(&item.id) {
            Some(old) if !is_better(old) => return,
            Some(_) => {}
            None => self.order.push(item.id.clone()),
        }
        self.visibilities.insert(path.join("::"), visibility);
        self.local.insert(item.id.clone(), path);
    }

    /// From where the path of an item of the crate can be used.
    pub(crate) fn visibility(&self, path: &str) -> Option<&Visibility> {
        self.visibilities.get(path)
    }

    /// The public path of an item of the crate.
    pub(crate) fn local(&self, id: &str) -> Option<&[String]> {
        self.local.get(id).map(Vec::as_slice)
    }

    /// The path by which an item, of whatever crate, can be named. The id of an item of another crate may be its
    /// path.
    pub(crate) fn of(&self, doc: &Doc, id: &str) -> Option<Vec<String>> {
        if id.contains("::") {
            return Some(id.split("::").map(str::to_owned).collect());
        }
        if doc.get(id).is_some_and(|item| item.is_local) {
            return self.local(id).map(<[String]>::to_vec);
        }
        let path = doc.paths.get(id)?;
        let public = || self.foreign.get(&path.join("::")).or(self.again.get(id));
        Some(standard(path).or_else(|| public().cloned()).unwrap_or_else(|| path.clone()))
    }
}

fn is_prelude(path: &[String]) -> bool {
    path.iter().any(|segment| segment == "prelude")
}

/// Something in a module.
struct Content<'d> {
    item: &'d Item,
    /// What it is called there.
    name: String,
    /// From where it can be used under this name.
    visibility: Visibility,
}

/// By the id of a module of the crate the names that lead to it from the root.
fn module_paths<'d>(doc: &'d Doc, root: &'d Item) -> HashMap<&'d str, Vec<String>> {
    let mut paths = HashMap::new();
    let mut left = vec![(root, Vec::new())];
    while let Some((module, path)) = left.pop() {
        if let Kind::Module(items) = &module.kind {
            for item in items.iter().filter_map(|id| doc.get(id)) {
                let inner = path.iter().cloned().chain([item.name.clone()]).collect();
                left.push((item, inner));
            }
            paths.insert(module.id.as_str(), path);
        }
    }
    paths
}

/// What is public in a module.
fn contents<'d>(
    doc: &'d Doc,
    modules: &HashMap<&str, Vec<String>>,
    module: &'d Item,
    seen: &mut HashSet<Id>,
) -> Vec<Content<'d>> {
    let ids = match &module.kind {
        Kind::Module(items) => items,
        // `use Enum::*`
        Kind::Enum { variants, .. } => variants,
        _ => return Vec::new(),
    };
    if !seen.insert(module.id.clone()) {
        return Vec::new();
    }
    let here = Visibility::Inside(modules.get(module.id.as_str()).cloned().unwrap_or_default());
    let mut found = Vec::new();
    for item in ids.iter().filter_map(|id| doc.get(id)).filter(|item| item.is_public) {
        match &item.kind {
            Kind::Use { target, name, is_glob } => {
                let Some(target) = target.as_ref().and_then(|id| doc.get(id)) else { continue };
                if *is_glob {
                    let all = contents(doc, modules, target, seen);
                    // It brings what it sees, and nobody else sees more of it than before.
                    found.extend(all.into_iter().filter(|content| here.sees(&content.visibility)));
                } else {
                    found.push(Content {
                        item: target,
                        name: name.clone(),
                        visibility: item.visibility.clone(),
                    });
                }
            }
            _ => found.push(Content { item, name: item.name.clone(), visibility: item.visibility.clone() }),
        }
    }
    found
}

/// Items of other crates that a module re-exports, with the names that they have there.
fn offered_again(doc: &Doc, module: &Item) -> Vec<(Id, String)> {
    let Kind::Module(items) = &module.kind else { return Vec::new() };
    let items = items.iter().filter_map(|id| doc.get(id)).filter(|item| item.is_public);
    let again = items.filter_map(|item| match &item.kind {
        Kind::Use { target: Some(id), name, is_glob: false } if !doc.items.contains_key(id) => {
            Some((id.clone(), name.clone()))
        }
        _ => None,
    });
    again.collect()
}

/// The public path of an item of the standard library, whose own path goes through private modules: mostly the first
/// module and the name, `core::iter::adapters::map::Map` is `std::iter::Map`.
pub(crate) fn standard(path: &[String]) -> Option<Vec<String>> {
    let [first, module, .., name] = path else {
        return match path {
            [first, name] if is_standard(first) => Some(vec!["std".to_owned(), name.clone()]),
            _ => None,
        };
    };
    if !is_standard(first) {
        return None;
    }
    let mut public = vec!["std".to_owned(), module.clone()];
    if module == "collections" {
        let containers = [
            "HashMap",
            "HashSet",
            "BTreeMap",
            "BTreeSet",
            "VecDeque",
            "BinaryHeap",
            "LinkedList",
            "TryReserveError",
            "Bound",
        ];
        if !containers.contains(&name.as_str()) {
            let inner = match (path.get(2).map(String::as_str), path.get(3).map(String::as_str)) {
                (Some("btree"), Some("map" | "entry")) => "btree_map",
                (Some("btree"), _) => "btree_set",
                (Some("hash"), Some("map")) => "hash_map",
                (Some("hash"), _) => "hash_set",
                (Some(other), _) => other,
                (None, _) => "",
            };
            public.push(inner.to_owned());
        }
    }
    if module == "sync" && path.get(2).is_some_and(|inner| inner == "atomic" || inner == "mpsc") {
        public.push(path[2].clone());
    }
    if module == "os" || module == "arch" {
        return Some(["std".to_owned()].into_iter().chain(path[1..].iter().cloned()).collect());
    }
    public.push(name.clone());
    Some(public)
}

pub(crate) fn is_standard(krate: &str) -> bool {
    matches!(krate, "core" | "alloc" | "std")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_of_the_standard_library_are_named_as_users_name_them() {
        let cases = [
            ("alloc::vec::Vec", "std::vec::Vec"),
            ("alloc::string::String", "std::string::String"),
            ("core::option::Option", "std::option::Option"),
            ("core::iter::adapters::map::Map", "std::iter::Map"),
            ("core::iter::traits::iterator::Iterator", "std::iter::Iterator"),
            ("alloc::collections::btree::map::BTreeMap", "std::collections::BTreeMap"),
            ("alloc::collections::btree::map::entry::Entry", "std::collections::btree_map::Entry"),
            ("std::collections::hash::set::Iter", "std::collections::hash_set::Iter"),
            ("alloc::collections::vec_deque::drain::Drain", "std::collections::vec_deque::Drain"),
            ("core::sync::atomic::AtomicUsize", "std::sync::atomic::AtomicUsize"),
            ("core::ops::range::RangeInclusive", "std::ops::RangeInclusive"),
            ("std::io::error::Error", "std::io::Error"),
        ];
        for (path, expected) in cases {
            let path: Vec<_> = path.split("::").map(str::to_owned).collect();
            assert_eq!(standard(&path).map(|path| path.join("::")).as_deref(), Some(expected));
        }
        assert_eq!(standard(&["serde".to_owned(), "de".to_owned(), "Error".to_owned()]), None);
    }
}
