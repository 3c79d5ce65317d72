//! Which mutants the user wants.

use std::path::Path;

use globset::{GlobBuilder, GlobMatcher, GlobSet, GlobSetBuilder};
use regex::{Regex, RegexSet};
use testsmith_instrument::operators::OPERATORS;
use testsmith_instrument::{Mutant, Plan};

use crate::failure::Failure;
use crate::patch::Patch;
use crate::report::lines::list_line;
use crate::selector::Selector;

/// All filters together; a mutant has to pass every one.
#[derive(Default)]
pub(crate) struct Filter {
    pub(crate) operators: Vec<&'static str>,
    pub(crate) files: Vec<FileGlob>,
    /// Whether they were given for this run: each has to match something then.
    pub(crate) files_are_given: bool,
    pub(crate) exclude_files: GlobSet,
    pub(crate) re: Vec<Regex>,
    pub(crate) exclude_re: RegexSet,
    pub(crate) patch: Option<Patch>,
    pub(crate) only: Vec<Selector>,
    /// Mutants that no test has to kill, each with the reason.
    pub(crate) accepted: Vec<(Selector, String)>,
}

/// A glob as the user has written it.
pub(crate) struct FileGlob {
    pub(crate) pattern: String,
    matcher: GlobMatcher,
}

impl FileGlob {
    /// It matches a path or its end: `src/lib.rs` is also that of a package in a folder of the workspace.
    pub(crate) fn new(pattern: &str) -> Result<FileGlob, Failure> {
        Ok(FileGlob { pattern: pattern.to_owned(), matcher: glob(pattern)?.compile_matcher() })
    }

    pub(crate) fn matches(&self, name: &str) -> bool {
        self.matcher.is_match(name)
    }
}

impl Filter {
    /// Nothing is filtered.
    pub(crate) fn all() -> Filter {
        Filter { operators: OPERATORS.iter().map(|operator| operator.id).collect(), ..Filter::default() }
    }

    /// Whether a mutant is wanted.
    pub(crate) fn wants(&self, plan: &Plan, mutant: &Mutant) -> bool {
        self.wants_but_for_diff(plan, mutant)
            && self.patch.as_ref().is_none_or(|patch| self.touches(patch, plan, mutant))
    }

    fn wants_but_for_diff(&self, plan: &Plan, mutant: &Mutant) -> bool {
        let line = || list_line(plan, mutant);
        self.operators.contains(&mutant.operator.id)
            && self.passes_globs(&plan.file_of(mutant).name)
            && (self.only.is_empty() || self.only.iter().any(|selector| selector.is(plan, mutant)))
            && (self.re.is_empty() || self.re.iter().any(|re| re.is_match(&line())))
            && (self.exclude_re.is_empty() || !self.exclude_re.is_match(&line()))
    }

    /// Whether mutants of a file may be wanted.
    pub(crate) fn wants_file(&self, name: &str) -> bool {
        self.passes_globs(name) && self.patch.as_ref().is_none_or(|patch| patch.lines.contains_key(name))
    }

    fn passes_globs(&self, name: &str) -> bool {
        (self.files.is_empty() || self.files.iter().any(|glob| glob.matches(name)))
            && !self.exclude_files.is_match(name)
    }

    /// Why no test has to kill a mutant.
    pub(crate) fn accepts(&self, plan: &Plan, mutant: &Mutant) -> Option<String> {
        let accepted = self.accepted.iter().find(|(selector, _)| selector.is(plan, mutant));
        accepted.map(|(_, reason)| reason.clone())
    }

    /// Names of accepted mutants that are not there, each with one that is like it.
    pub(crate) fn unknown_accepted(&self, plan: &Plan) -> Vec<(String, Option<String>)> {
        let is_unknown = |selector: &&Selector| !plan.mutants.iter().any(|mutant| selector.is(plan, mutant));
        let unknown = self.accepted.iter().map(|(selector, _)| selector).filter(is_unknown);
        unknown.map(|selector| (selector.text().to_owned(), selector.like(plan))).collect()
    }

    /// The globs of which one has to match.
    pub(crate) fn globs(&self) -> impl Iterator<Item = &FileGlob> {
        self.files.iter().filter(|_| self.files_are_given)
    }

    /// The regular expressions of which one has to match.
    pub(crate) fn regexes(&self) -> impl Iterator<Item = &Regex> {
        self.re.iter()
    }

    pub(crate) fn is_line_matched(&self, re: &Regex, plan: &Plan, mutant: &Mutant) -> bool {
        re.is_match(&list_line(plan, mutant))
    }

    pub(crate) fn only(&self) -> &[Selector] {
        &self.only
    }

    /// The operators, if none of them has a mutant.
    pub(crate) fn operators_without_mutants(&self, plan: &Plan) -> Option<String> {
        let has = plan.mutants.iter().any(|mutant| self.operators.contains(&mutant.operator.id));
        (!has).then(|| self.operators.join(", "))
    }

    /// Whether it is the diff alone that lets no mutant pass: a change of the docs is no mistake.
    pub(crate) fn is_emptied_by_diff(&self, plan: &Plan) -> bool {
        self.patch.is_some() && plan.mutants.iter().any(|mutant| self.wants_but_for_diff(plan, mutant))
    }

    /// Whether the diff has changed a line of the mutant; a function value is about the whole function.
    fn touches(&self, patch: &Patch, plan: &Plan, mutant: &Mutant) -> bool {
        let file = plan.file_of(mutant);
        let last = file.place(mutant.span.end.max(mutant.span.start + 1) - 1).line;
        patch.lines.get(&file.name).is_some_and(|lines| lines.range(mutant.line..=last).next().is_some())
    }
}

/// The diff of a file, held against the tree below `root`.
pub(crate) fn patch(path: Option<&Path>, root: &Path) -> Result<Option<Patch>, Failure> {
    path.map(|path| Patch::load(path, root)).transpose()
}

fn glob(pattern: &str) -> Result<globset::Glob, Failure> {
    let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
    let whole = if pattern.starts_with("**/") { pattern.to_owned() } else { format!("**/{pattern}") };
    let glob = GlobBuilder::new(&whole).literal_separator(true).build();
    glob.map_err(|e| Failure::usage(format!("`{pattern}` is not a glob: {}", e.kind())))
}

/// Globs of which any may match, as [`FileGlob`] does.
pub(crate) fn globs(patterns: &[String]) -> Result<GlobSet, Failure> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        set.add(glob(pattern)?);
    }
    set.build().map_err(|e| Failure::usage(format!("the globs are too large: {e}")))
}

/// Regular expressions of which any may match.
pub(crate) fn regexes(patterns: &[String]) -> Result<RegexSet, Failure> {
    RegexSet::new(patterns).map_err(|error| no_regex(&error))
}

/// A regular expression that is known again by its text.
pub(crate) fn regex(pattern: &str) -> Result<Regex, Failure> {
    Regex::new(pattern).map_err(|error| no_regex(&error))
}

fn no_regex(error: &regex::Error) -> Failure {
    Failure::usage(format!("not a regular expression\n{}", testsmith_model::indented(&error.to_string())))
}
