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
    /// By function: the functions that call it, or may do so.
    callers: Vec<Vec<usize>>,
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
    let solved = solve::solve(&decls);
    let mut effects = Effects {
        functions: Vec::new(),
        by_place: HashMap::new(),
        by_path: HashMap::new(),
        callers: Vec::new(),
        signatures: Signatures::new(&decls),
        mutable_state: mutable_state(tree, &decls),
        has_unsafe: decls.has_unsafe || decls.fns.iter().any(|f| f.is_unsafe),
    };
    let is_reported = |f: &decls::FnDecl<'_>| !matches!(f.body, decls::Body::Absent);
    for (f, summary) in decls.fns.iter().zip(&solved.summaries).filter(|(f, _)| is_reported(f)) {
        effects.add(summary.report(&decls, f, &tree.files[f.file].name), f.name_line);
    }
    let mut next = 0..;
    let numbers: Vec<Option<usize>> =
        decls.fns.iter().map(|f| if is_reported(f) { next.next() } else { None }).collect();
    let callers = solved.callers.iter().zip(&numbers).filter(|(_, number)| number.is_some());
    effects.callers = callers.map(|(ids, _)| ids.iter().filter_map(|id| numbers[*id]).collect()).collect();
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
        self.number_at(file, line, name).map(|at| &self.functions[at])
    }

    /// The numbers of the functions from which the function of this number can be called, with how many calls are between,
    /// nearest first; the function itself is there with none. What a caller passes in (closures, types of its own) is
    /// not followed.
    pub fn callers(&self, function: usize) -> Vec<(usize, usize)> {
        let mut found = vec![(function, 0)];
        let mut seen = vec![false; self.functions.len()];
        seen[function] = true;
        let mut at = 0;
        while let Some((callee, calls)) = found.get(at).copied() {
            for caller in &self.callers[callee] {
                if !std::mem::replace(&mut seen[*caller], true) {
                    found.push((*caller, calls + 1));
                }
            }
            at += 1;
        }
        found
    }

    /// The number of the function of a name that begins on a line of a file: see [`Effects::at`].
    pub fn number_at(&self, file: &str, line: usize, name: &str) -> Option<usize> {
        let all = self.by_place.get(&(file.to_owned(), line))?;
        all.iter().copied().find(|at| self.functions[*at].path.rsplit("::").next() == Some(name))
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
