//! The crate's API as data: concrete types and callables for test programs, from rustdoc's JSON.
//!
//! [`rustdoc`] asks cargo for the document, `doc` reads it, `paths` finds where items can be named, `world` chooses
//! type arguments, `collect` enumerates what can be called, `visibilities` says where a test has to stand for it, `standard` adds what makes values of the standard library's
//! types. What cannot be used is a value with a reason.

mod aliases;
mod announced;
mod bounds;
mod choose;
mod closures;
mod collect;
mod counted;
mod defaults;
mod doc;
mod facts;
mod flows;
mod foreign;
mod mocks;
mod operators;
mod panics;
mod parsers;
mod paths;
mod receivers;
mod rustdoc;
mod signature;
mod standard;
mod substitute;
mod table;
#[cfg(test)]
mod tests;
mod text;
mod ty;
mod unify;
mod unsaid;
mod views;
mod visibilities;
mod world;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use testsmith_ir::Visibility;
use testsmith_ir::api::{Api, CallableId, TypeId};

pub use doc::{FormatError, KNOWN_FORMAT};
pub use panics::{PanicDocs, PanicKind};
pub use rustdoc::{DocError, document};
pub use standard::respell;

/// The API of a crate.
#[derive(Debug)]
pub struct Model {
    /// Types and callables that programs are made of.
    pub api: Api,
    /// What the crate offers, each with its callables.
    pub origins: Vec<Origin>,
    /// Indices of callables that are not the crate's and show what it has done to what it was given.
    pub inspectors: Vec<usize>,
    /// What cannot be used.
    pub skipped: Vec<Skipped>,
    /// Version of rustdoc's format.
    pub format: u64,
}

/// Whose view of the crate it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// A user's.
    Public,
    /// That of a test inside of the crate: private items too.
    Private,
    /// The same for a program, which has no users: all of it is private.
    Program,
}

impl Reach {
    /// From where what is public can be used.
    fn outermost(self) -> Visibility {
        match self {
            Reach::Public | Reach::Private => Visibility::Anywhere,
            Reach::Program => Visibility::Inside(Vec::new()),
        }
    }
}

/// Something that a person would count as one: a function, a method, a constructor, a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// rustdoc's number of it.
    item: String,
    /// `semver::Version::new`, `<semver::Version as FromStr>::from_str`
    pub path: String,
    /// The type or the module that it belongs to.
    pub unit: String,
    /// What it is.
    pub kind: OriginKind,
    /// Where its source is.
    pub place: Option<SourcePlace>,
    /// What its docs say of its panics.
    pub panics: PanicDocs,
    /// The code of the examples in its docs.
    pub examples: Vec<String>,
    /// It should not be used any more.
    pub is_deprecated: bool,
    /// Only a test inside of the crate can use it.
    pub is_private: bool,
    /// The features that it is there for.
    pub features: Vec<String>,
    /// Indices of its instances in the table of callables.
    pub callables: Vec<usize>,
}

/// Lines of a file, as rustdoc names it: relative to the workspace.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourcePlace {
    /// The file.
    pub file: String,
    /// The first line, from 1.
    pub first: usize,
    /// The last line.
    pub last: usize,
}

/// Kinds of origins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OriginKind {
    /// A free function.
    Function,
    /// A method or associated function, of a trait or not.
    Method,
    /// A method that a trait of the standard library adds; not counted as the crate's own.
    Provided,
    /// A struct literal, a tuple struct, a variant.
    Constructor,
    /// A public field, read.
    FieldRead,
    /// A public field, written.
    FieldWrite,
    /// A constant or a static.
    Constant,
}

/// Something that cannot be used, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// rustdoc's number of it.
    item: String,
    /// As in [`Origin`].
    pub path: String,
    /// One line.
    pub reason: String,
}

#[cfg(test)]
impl Origin {
    /// For tests that have no document.
    pub(crate) fn sketch(
        path: &str,
        unit: &str,
        kind: OriginKind,
        place: Option<SourcePlace>,
        callables: Vec<usize>,
    ) -> Origin {
        Origin {
            item: String::new(),
            path: path.to_owned(),
            unit: unit.to_owned(),
            kind,
            place,
            panics: PanicDocs::default(),
            examples: Vec::new(),
            is_deprecated: false,
            is_private: false,
            features: Vec::new(),
            callables,
        }
    }
}

/// Names of the libraries, those of the standard library aside, whose items the API of a crate mentions.
pub fn mentioned_crates(json: &str) -> Result<BTreeSet<String>, FormatError> {
    Ok(foreign::mentioned(&doc::Doc::read(json)?))
}

impl Model {
    /// Takes out callables that cannot be used after all, each with the reason. An origin none of whose callables is left
    /// is skipped.
    pub fn remove(&mut self, reasons: &BTreeMap<CallableId, String>) {
        let mut numbers = Vec::new();
        let mut kept = Vec::new();
        for (at, callable) in (0..).map(CallableId).zip(std::mem::take(&mut self.api.callables)) {
            let is_kept = !reasons.contains_key(&at);
            numbers.push(is_kept.then_some(kept.len()));
            kept.extend(is_kept.then_some(callable));
        }
        self.api.callables = kept;
        let mut visibilities = numbers.iter();
        self.api.visibilities.retain(|_| visibilities.next().is_some_and(Option::is_some));
        let new = |old: CallableId| {
            numbers[old.0 as usize].map(|at| CallableId(u32::try_from(at).expect("callables are few")))
        };
        self.api.guidance = self.api.guidance.renumbered(new);
        self.inspectors = self.inspectors.iter().filter_map(|callable| numbers[*callable]).collect();
        let origins = std::mem::take(&mut self.origins);
        for mut origin in origins {
            let number = |callable: &usize| CallableId(u32::try_from(*callable).expect("callables are few"));
            let lost = origin.callables.iter().find_map(|callable| reasons.get(&number(callable)));
            let left: Vec<usize> =
                origin.callables.iter().filter_map(|callable| numbers[*callable]).collect();
            match lost {
                // What is not the crate's own is not missed.
                Some(_) if left.is_empty() && origin.kind == OriginKind::Provided => {}
                Some(reason) if left.is_empty() => {
                    let Origin { item, path, .. } = origin;
                    self.skipped.push(Skipped { item, path, reason: reason.clone() });
                }
                _ => {
                    origin.callables = left;
                    self.origins.push(origin);
                }
            }
        }
    }

    /// The callables that programs are about; others only make arguments.
    pub fn roots(&self) -> Vec<CallableId> {
        let own = self.origins.iter().flat_map(|origin| &origin.callables);
        let id = |callable: &usize| CallableId(u32::try_from(*callable).expect("callables are few"));
        own.chain(&self.inspectors).map(id).collect()
    }

    /// Forgets the text of a type that cannot be named after all.
    pub fn forget(&mut self, id: TypeId) {
        "_".clone_into(&mut self.api.types[id.0 as usize].text);
    }

    /// Reads rustdoc's JSON of a crate and of dependencies, these with the names by which code refers to them.
    pub fn read(json: &str, dependencies: &[(String, String)], reach: Reach) -> Result<Model, FormatError> {
        let mut doc = doc::Doc::read(json)?;
        let foreign = foreign::Foreign::read(dependencies);
        let public = Model::of(&doc, &foreign);
        if reach == Reach::Public {
            return Ok(public);
        }
        doc.open();
        let mut model = Model::of(&doc, &foreign);
        visibilities::settle(&mut model, &doc, &reach.outermost());
        let known: HashSet<(&str, &str)> =
            public.origins.iter().map(|origin| (origin.item.as_str(), origin.path.as_str())).collect();
        for origin in &mut model.origins {
            origin.is_private =
                reach == Reach::Program || !known.contains(&(origin.item.as_str(), origin.path.as_str()));
        }
        Ok(model)
    }

    fn of(doc: &doc::Doc, foreign: &[foreign::Foreign]) -> Model {
        let name = doc.get(&doc.root).map(|root| root.name.clone()).unwrap_or_default();
        let mut paths = paths::Paths::find(doc, &name);
        paths.foreign = foreign::public_paths(foreign);
        paths.foreign_aliases = foreign::aliases(foreign);
        let world = world::World::new(doc, &paths, foreign);
        let mut found = collect::collect(&world);
        standard::complete(&world, &mut found.table);
        aliases::rename(&mut found.table.api, &name);
        let collect::Found { table, origins, skipped, .. } = found;
        Model { api: table.api, origins, inspectors: table.inspectors, skipped, format: doc.format }
    }
}
