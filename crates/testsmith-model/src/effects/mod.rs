//! Effects of functions, from their sources alone: what happens to each parameter, which fields are defined and
//! used, what is done to statics and to the world outside. Transitive over the calls inside of the package.
//!
//! The way of the data: `gather` reads declarations, `walk` evaluates one body with what is known of its callees,
//! `solve` repeats that until nothing changes, `report` is what comes out. There is no type checker: types are
//! guessed, and where the guess fails every method of a name may be meant. What cannot be seen is taken to do
//! whatever its signature allows; where not even a body is to be found, [`Effects::by_signature`] answers.
//!
//! Taken as given, because nothing else could be told from the source:
//! - Closures, type arguments and trait objects that a *caller* passes in may change what they are given, but have
//!   no effects of their own.
//! - Types of other crates have no interior mutability unless they are known for it, and methods of the standard
//!   library do what their names say (`stdlib`).
//! - A raw pointer inside of a type without lifetimes is how the type owns something.

mod convert;
mod decls;
mod derives;
mod gather;
mod names;
mod nature;
mod outside;
mod quiet;
mod reach;
mod report;
mod signature;
mod solve;
mod statics;
mod stdlib;
mod summary;
mod text;
mod ty;
mod value;
mod walk;

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use signature::Signatures;

pub use report::{
    Cause, Field, FunctionEffects, IoKind, MutableState, ParamEffects, Passing, Purity, StateKind,
};

use crate::{CfgSet, SourceTree};

/// The effects of a package's functions.
pub struct Effects {
    functions: Vec<FunctionEffects>,
    by_place: HashMap<(String, usize), Vec<usize>>,
    by_path: HashMap<String, Vec<usize>>,
    signatures: Signatures,
    /// Statics and thread-locals that can change: with any of them, one test can disturb another in the same
    /// process.
    pub mutable_state: Vec<MutableState>,
    /// Whether there is unsafe code.
    pub has_unsafe: bool,
}

/// Analyses the functions of one package of a source tree, as they are compiled under `cfg`.
pub fn analyse(tree: &SourceTree, package: usize, cfg: &CfgSet) -> Effects {
    let decls = gather::gather(tree, package, cfg);
    let summaries = solve::solve(&decls);
    let mut effects = Effects {
        functions: Vec::new(),
        by_place: HashMap::new(),
        by_path: HashMap::new(),
        signatures: Signatures::new(&decls),
        mutable_state: mutable_state(tree, &decls),
        has_unsafe: decls.has_unsafe || decls.fns.iter().any(|f| f.is_unsafe),
    };
    for (f, summary) in decls.fns.iter().zip(&summaries) {
        if !matches!(f.body, decls::Body::Absent) {
            effects.add(summary.report(&decls, f, &tree.files[f.file].name), f.name_line);
        }
    }
    effects
}

fn mutable_state(tree: &SourceTree, decls: &decls::Decls<'_>) -> Vec<MutableState> {
    let each = decls.statics.iter().filter_map(|decl| {
        let file = tree.files[decl.file].name.clone();
        Some(MutableState { path: decl.path.clone(), file, line: decl.line, kind: decl.kind? })
    });
    each.collect()
}

impl Effects {
    fn add(&mut self, function: FunctionEffects, name_line: usize) {
        let at = self.functions.len();
        self.by_path.entry(function.path.clone()).or_default().push(at);
        let mut lines = vec![function.line, name_line];
        lines.dedup();
        for line in lines {
            self.by_place.entry((function.file.clone(), line)).or_default().push(at);
        }
        self.functions.push(function);
    }

    /// All functions with a body, in the order of the sources.
    pub fn functions(&self) -> &[FunctionEffects] {
        &self.functions
    }

    /// The function of a name that begins on a line of a file (or has its name there); the name tells functions
    /// on one line apart, such as those that one `derive` writes.
    pub fn at(&self, file: &str, line: usize, name: &str) -> Option<&FunctionEffects> {
        let all = self.by_place.get(&(file.to_owned(), line))?;
        let mut all = all.iter().map(|at| &self.functions[*at]);
        all.find(|function| function.path.rsplit("::").next() == Some(name))
    }

    /// The functions of a path, as in [`FunctionEffects::path`]: several where a trait is implemented for
    /// several arguments.
    pub fn by_path(&self, path: &str) -> impl Iterator<Item = &FunctionEffects> {
        self.by_path.get(path).into_iter().flatten().map(|at| &self.functions[*at])
    }

    /// What a function that no source shows may do: one that a macro writes, say. `signature` is its text without
    /// a body, such as `fn f(&mut self, x: &T) -> U`; `owner` is the path of the type that it belongs to.
    pub fn by_signature(&self, owner: Option<&str>, signature: &str) -> FunctionEffects {
        self.signatures.effects(owner, signature)
    }
}
