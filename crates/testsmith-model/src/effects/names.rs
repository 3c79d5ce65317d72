//! Modules and names: what a path means in a module, through `use` items, globs and re-exports.
//!
//! Visibility is not looked at: the compiler has done that. What leads out of the crate, or to something that a
//! macro makes, is a foreign path.

use std::collections::HashMap;

use syn::UseTree;
use syn::ext::IdentExt;

use super::decls::{FnId, ModuleId, StaticId, TraitId, TypeId};

/// What a name of the crate stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Def {
    Module(ModuleId),
    Type(TypeId),
    Alias(usize),
    Trait(TraitId),
    Fn(FnId),
    Static(StaticId),
    Const(usize),
    /// A variant of an enum, by number.
    Variant(TypeId, usize),
}

/// What a path leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// Something of the crate, and the names that are left: `Type` and `["new"]`.
    Own(Def, Vec<String>),
    /// Something else, with its path as far as `use` items tell it.
    Foreign(Vec<String>),
}

/// Which of the two name spaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Space {
    Types,
    Values,
}

#[derive(Default)]
pub(super) struct ModuleDecl {
    pub(super) path: Vec<String>,
    pub(super) parent: Option<ModuleId>,
    /// Whether it is the body of a function that declares items: names are then looked for outside as well.
    pub(super) is_block: bool,
    types: HashMap<String, Def>,
    values: HashMap<String, Def>,
    imports: Vec<(String, Vec<String>)>,
    globs: Vec<Vec<String>>,
    /// `extern crate`, by the name it gets.
    crates: HashMap<String, String>,
}

#[derive(Default)]
pub(super) struct Names {
    pub(super) modules: Vec<ModuleDecl>,
    /// Variants of each enum, in order.
    pub(super) variants: HashMap<TypeId, Vec<String>>,
}

/// Names that are being looked for: an import of an import may come back to itself.
type Seen = Vec<(ModuleId, String, Space)>;

impl Names {
    pub(super) fn add_module(
        &mut self,
        path: Vec<String>,
        parent: Option<ModuleId>,
        is_block: bool,
    ) -> ModuleId {
        self.modules.push(ModuleDecl { path, parent, is_block, ..ModuleDecl::default() });
        self.modules.len() - 1
    }

    pub(super) fn declare(&mut self, module: ModuleId, space: Space, name: String, def: Def) {
        let module = &mut self.modules[module];
        let names = if space == Space::Types { &mut module.types } else { &mut module.values };
        names.insert(name, def);
    }

    pub(super) fn import(&mut self, module: ModuleId, tree: &UseTree) {
        self.import_below(module, tree, &mut Vec::new());
    }

    fn import_below(&mut self, module: ModuleId, tree: &UseTree, prefix: &mut Vec<String>) {
        match tree {
            UseTree::Path(path) => {
                prefix.push(path.ident.unraw().to_string());
                self.import_below(module, &path.tree, prefix);
                prefix.pop();
            }
            UseTree::Name(name) => self.import_name(module, prefix, &name.ident, &name.ident),
            UseTree::Rename(name) => self.import_name(module, prefix, &name.ident, &name.rename),
            UseTree::Glob(_) => self.modules[module].globs.push(prefix.clone()),
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.import_below(module, tree, prefix));
            }
        }
    }

    fn import_name(&mut self, module: ModuleId, prefix: &[String], what: &syn::Ident, name: &syn::Ident) {
        let (what, name) = (what.unraw().to_string(), name.unraw().to_string());
        let mut path = prefix.to_vec();
        let name = match (what.as_str(), prefix.last()) {
            ("self", Some(last)) if name == "self" => last.clone(),
            ("self", _) => name,
            _ => {
                path.push(what);
                name
            }
        };
        if !path.is_empty() {
            self.modules[module].imports.push((name, path));
        }
    }

    /// `extern crate name;`.
    pub(super) fn import_crate(&mut self, module: ModuleId, name: String, krate: String) {
        self.modules[module].crates.insert(name, krate);
    }

    /// What a path means in a module.
    pub(super) fn resolve(&self, module: ModuleId, path: &[String], space: Space) -> Found {
        let found = self.resolve_from(module, path, space, &mut Seen::new());
        found.unwrap_or_else(|| Found::Foreign(path.to_vec()))
    }

    /// Nothing for what should be in the crate and is not, because a macro makes it.
    fn resolve_from(
        &self,
        module: ModuleId,
        path: &[String],
        space: Space,
        seen: &mut Seen,
    ) -> Option<Found> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" | "$crate" => self.follow(Def::Module(0), rest, space, seen),
            "self" => self.follow(Def::Module(self.enclosing(module)), rest, space, seen),
            "super" => {
                let parent = self.enclosing(self.modules[self.enclosing(module)].parent?);
                match rest.first() {
                    Some(next) if next == "super" => self.resolve_from(parent, rest, space, seen),
                    _ => self.follow(Def::Module(parent), rest, space, seen),
                }
            }
            _ => {
                let first_space = if rest.is_empty() { space } else { Space::Types };
                match self.lexical(module, first, first_space, seen) {
                    Some(Found::Own(def, left)) if left.is_empty() => self.follow(def, rest, space, seen),
                    Some(found) => Some(extended(found, rest)),
                    None => Some(Found::Foreign(path.to_vec())),
                }
            }
        }
    }

    /// The module that is not a function's body.
    fn enclosing(&self, module: ModuleId) -> ModuleId {
        match self.modules[module].parent {
            Some(parent) if self.modules[module].is_block => self.enclosing(parent),
            _ => module,
        }
    }

    fn lexical(&self, module: ModuleId, name: &str, space: Space, seen: &mut Seen) -> Option<Found> {
        let here = self.member(module, name, space, seen);
        here.or_else(|| {
            let parent = self.modules[module].parent.filter(|_| self.modules[module].is_block)?;
            self.lexical(parent, name, space, seen)
        })
    }

    fn follow(&self, def: Def, rest: &[String], space: Space, seen: &mut Seen) -> Option<Found> {
        let Some((next, left)) = rest.split_first() else { return Some(Found::Own(def, Vec::new())) };
        match def {
            Def::Module(module) => {
                let next_space = if left.is_empty() { space } else { Space::Types };
                match self.member(module, next, next_space, seen)? {
                    Found::Own(def, more) if more.is_empty() => self.follow(def, left, space, seen),
                    found => Some(extended(found, left)),
                }
            }
            Def::Type(id) => Some(self.variant(id, next, left).unwrap_or(Found::Own(def, rest.to_vec()))),
            _ => Some(Found::Own(def, rest.to_vec())),
        }
    }

    fn variant(&self, id: TypeId, name: &str, left: &[String]) -> Option<Found> {
        let at = self.variants.get(&id)?.iter().position(|variant| variant == name)?;
        Some(Found::Own(Def::Variant(id, at), left.to_vec()))
    }

    /// A name declared in a module or brought into it.
    fn member(&self, module: ModuleId, name: &str, space: Space, seen: &mut Seen) -> Option<Found> {
        let names = self.modules[module].names(space);
        if let Some(def) = names.get(name) {
            return Some(Found::Own(*def, Vec::new()));
        }
        let key = (module, name.to_owned(), space);
        if seen.contains(&key) {
            return None;
        }
        seen.push(key);
        let found = self.imported(module, name, space, seen);
        seen.pop();
        found
    }

    /// What `use` items make of a name; something of the crate goes first.
    fn imported(&self, module: ModuleId, name: &str, space: Space, seen: &mut Seen) -> Option<Found> {
        let decl = &self.modules[module];
        let mut foreign = decl.crates.get(name).map(|krate| Found::Foreign(vec![krate.clone()]));
        for (_, path) in decl.imports.iter().filter(|(import, _)| import == name) {
            // `use log::log` starts at a module or a crate, not at itself.
            let found = if path[0] == name && path.len() > 1 {
                let start = decl.names(Space::Types).get(name);
                start.and_then(|start| self.follow(*start, &path[1..], space, seen))
            } else {
                self.resolve_from(module, path, space, seen)
            };
            match found {
                Some(found @ Found::Own(..)) => return Some(found),
                found => foreign = Some(found.unwrap_or_else(|| Found::Foreign(path.clone()))),
            }
        }
        for glob in &decl.globs {
            match self.through_glob(module, glob, name, space, seen) {
                Some(found @ Found::Own(..)) => return Some(found),
                found => foreign = foreign.or(found),
            }
        }
        foreign
    }

    fn through_glob(
        &self,
        module: ModuleId,
        glob: &[String],
        name: &str,
        space: Space,
        seen: &mut Seen,
    ) -> Option<Found> {
        match self.resolve_from(module, glob, Space::Types, seen)? {
            Found::Own(Def::Module(inner), rest) if rest.is_empty() && inner != module => {
                self.member(inner, name, space, seen)
            }
            Found::Own(Def::Type(id), rest) if rest.is_empty() => self.variant(id, name, &[]),
            _ => None,
        }
    }
}

impl ModuleDecl {
    fn names(&self, space: Space) -> &HashMap<String, Def> {
        if space == Space::Types { &self.types } else { &self.values }
    }
}

fn extended(found: Found, rest: &[String]) -> Found {
    match found {
        Found::Own(def, mut left) => {
            left.extend_from_slice(rest);
            Found::Own(def, left)
        }
        Found::Foreign(mut path) => {
            path.extend_from_slice(rest);
            Found::Foreign(path)
        }
    }
}

/// The names of a path.
pub(super) fn segments(path: &syn::Path) -> Vec<String> {
    path.segments.iter().map(|segment| segment.ident.unraw().to_string()).collect()
}
