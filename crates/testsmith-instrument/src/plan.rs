//! The plan: every mutant of the chosen packages, the sites that hold them, and what is left alone.
//!
//! A mutant's [`State`] is all that changes later: the user's filters and the compiler's objections switch
//! mutants off, numbers stay.

use std::ops::Range;

use testsmith_model::{CfgSet, Skipped, SourceTree};

use crate::facts::Facts;
use crate::mutant::{Ids, Mutant, MutantId};
use crate::open::Openings;
use crate::site::Site;
use crate::visit;

/// What is to become of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// It is in the meta-program.
    Alive,
    /// The user has not asked for it.
    Deselected,
    /// The user accepts that no test kills it, for this reason.
    Accepted(String),
    /// The compiler does not accept it, for this reason.
    Unviable(String),
    /// It stands in code that has to stay as it is, for this reason.
    Fixed(String),
}

const CONST_REASON: &str = "const fn that is used in a const context";

/// A function of the code under test.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its path in the crate, such as `version::Version::parse`.
    pub path: String,
    /// Index of its file.
    pub file: usize,
    /// The whole item.
    pub range: Range<usize>,
    /// Line of its name.
    pub line: usize,
    /// The name alone.
    pub(crate) name: String,
    /// The keyword, of a `const fn`.
    pub(crate) const_token: Option<Range<usize>>,
    /// Whether nothing of it is rewritten: a `const fn` that has to stay one, or code that resists.
    /// The reason, if so.
    pub(crate) left_alone: Option<String>,
}

/// All mutants of some packages.
#[derive(Clone)]
pub struct Plan {
    /// The sources.
    pub tree: SourceTree,
    /// The options that they are compiled under, by package.
    pub cfgs: Vec<CfgSet>,
    /// The mutants; number `n` is at `n - 1`.
    pub mutants: Vec<Mutant>,
    /// The state of each.
    pub states: Vec<State>,
    /// The functions that they are in.
    pub functions: Vec<Function>,
    /// What is left alone.
    pub skipped: Vec<Skipped>,
    /// Sites, by file.
    pub(crate) sites: Vec<Vec<Site>>,
    /// Private items that are opened, by file.
    pub(crate) openings: Vec<Openings>,
    pub(crate) facts: Vec<Facts>,
}

impl Plan {
    /// Finds all mutants in the sources; `cfgs` are the options of each package.
    pub fn new(tree: SourceTree, cfgs: &[CfgSet]) -> Plan {
        let facts = cfgs
            .iter()
            .enumerate()
            .map(|(at, _)| Facts::gather(tree.files.iter().filter(|f| f.package == at).map(|f| &f.ast)))
            .collect();
        let skipped = tree.skipped.clone();
        let mut plan = Plan {
            tree: SourceTree::default(),
            cfgs: cfgs.to_vec(),
            mutants: Vec::new(),
            states: Vec::new(),
            functions: Vec::new(),
            skipped,
            sites: Vec::new(),
            openings: vec![Openings::default(); tree.files.len()],
            facts,
        };
        let mut ids = Ids::default();
        for (at, file) in tree.files.iter().enumerate() {
            visit::file(&mut plan, &mut ids, at, file, &cfgs[file.package]);
        }
        plan.tree = tree;
        plan.states = vec![State::Alive; plan.mutants.len()];
        plan.keep_needed_consts();
        plan
    }

    /// Switches off every mutant that the user has not asked for.
    pub fn select(&mut self, keep: impl Fn(&Plan, &Mutant) -> bool) {
        for at in 0..self.mutants.len() {
            if self.states[at] == State::Alive && !keep(self, &self.mutants[at]) {
                self.states[at] = State::Deselected;
            }
        }
    }

    /// Leaves out every mutant that the user accepts, which is said by a reason.
    pub fn accept(&mut self, reason: impl Fn(&Plan, &Mutant) -> Option<String>) {
        for at in 0..self.mutants.len() {
            if self.states[at] == State::Alive
                && let Some(reason) = reason(self, &self.mutants[at])
            {
                self.states[at] = State::Accepted(reason);
            }
        }
    }

    /// Makes private items public in the meta-program, so that a harness beside it can use them.
    pub fn open(&mut self) {
        self.openings = self.tree.files.iter().map(|file| Openings::of(&file.ast)).collect();
    }

    /// The file of a mutant.
    pub fn file_of(&self, mutant: &Mutant) -> &testsmith_model::SourceFile {
        &self.tree.files[mutant.file]
    }

    /// The function of a mutant.
    pub fn function_of(&self, mutant: &Mutant) -> &Function {
        &self.functions[mutant.function]
    }

    /// The mutant of this number.
    pub fn mutant(&self, number: u32) -> &Mutant {
        &self.mutants[number as usize - 1]
    }

    /// Mutants with their states.
    pub fn iter(&self) -> impl Iterator<Item = (&Mutant, &State)> {
        self.mutants.iter().zip(&self.states)
    }

    /// Mutants that the compiler has rejected, with its reason.
    pub fn rejected(&self) -> impl Iterator<Item = (&MutantId, &str)> {
        self.iter().filter_map(|(mutant, state)| match state {
            State::Unviable(reason) => Some((&mutant.id, reason.as_str())),
            _ => None,
        })
    }

    /// Functions that are left as they are because of the compiler, with its reason.
    pub fn left_alone(&self) -> impl Iterator<Item = (&str, &str)> {
        self.functions.iter().filter_map(|f| Some((f.path.as_str(), f.left_alone.as_deref()?)))
    }

    /// Switches off what an earlier run has found to be rejected.
    pub fn reject_known(
        &mut self,
        mutant: impl Fn(&str) -> Option<String>,
        function: impl Fn(&str) -> Option<String>,
    ) {
        for at in 0..self.functions.len() {
            if let Some(reason) = function(&self.functions[at].path) {
                let state =
                    if reason == CONST_REASON { State::Fixed(reason) } else { State::Unviable(reason) };
                self.leave_alone(at, &state);
            }
        }
        for at in 0..self.mutants.len() {
            if let Some(reason) = mutant(&self.mutants[at].id.0) {
                self.reject(self.mutants[at].number, &reason);
            }
        }
    }

    pub(crate) fn is_alive(&self, number: u32) -> bool {
        self.states[number as usize - 1] == State::Alive
    }

    /// Whether a site is written: its function is open, and it has a mutant or needs none.
    pub(crate) fn is_written(&self, site: &Site) -> bool {
        if self.functions[site.function].left_alone.is_some() {
            return false;
        }
        let mut numbers = site.base..site.base + site.count;
        if site.count > 0 { numbers.any(|n| self.is_alive(n)) } else { self.is_touched(site.function) }
    }

    /// Whether any mutant of the function's file is alive: a file without one is not rewritten at all.
    fn is_touched(&self, function: usize) -> bool {
        let function = &self.functions[function];
        // A `const fn` is opened only for mutants of its own; a tick anywhere may have to stop another's mutant.
        function.const_token.is_none() || self.has_alive(&function.range, function.file)
    }

    fn has_alive(&self, range: &Range<usize>, file: usize) -> bool {
        self.iter().any(|(m, state)| {
            m.file == file && range.start <= m.span.start && m.span.end <= range.end && *state == State::Alive
        })
    }

    /// `const fn`s that the crate itself calls in const contexts stay as they are, with all that they call.
    fn keep_needed_consts(&mut self) {
        for package in 0..self.facts.len() {
            let names = self.facts[package].const_calls.clone();
            for name in names {
                self.keep_const(&name, package);
            }
        }
    }

    /// Gives `const` back to all functions of this name, and to what they call. Whether there was one.
    pub(crate) fn keep_const(&mut self, name: &str, package: usize) -> bool {
        let mut found = false;
        let mut names = vec![name.to_owned()];
        while let Some(name) = names.pop() {
            for at in 0..self.functions.len() {
                let function = &self.functions[at];
                let is_open = function.const_token.is_some() && function.left_alone.is_none();
                if !is_open || function.name != name || self.tree.files[function.file].package != package {
                    continue;
                }
                found = true;
                names.extend(self.facts[package].calls.get(&name).into_iter().flatten().cloned());
                self.leave_alone(at, &State::Fixed(CONST_REASON.to_owned()));
            }
        }
        found
    }

    /// Leaves a function as it is; its mutants get the state.
    pub(crate) fn leave_alone(&mut self, function: usize, state: &State) {
        let (State::Fixed(reason) | State::Unviable(reason)) = state else { return };
        self.functions[function].left_alone = Some(reason.clone());
        for at in 0..self.mutants.len() {
            if self.mutants[at].function == function && self.states[at] == State::Alive {
                self.states[at] = state.clone();
            }
        }
    }

    /// Switches a mutant off for good.
    pub(crate) fn reject(&mut self, number: u32, reason: &str) -> bool {
        let state = &mut self.states[number as usize - 1];
        let was_alive = *state == State::Alive;
        if was_alive {
            *state = State::Unviable(reason.to_owned());
        }
        was_alive
    }
}
