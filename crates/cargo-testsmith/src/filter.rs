//! Which mutants the user wants.

use std::path::Path;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use regex::RegexSet;
use testsmith_instrument::operators::OPERATORS;
use testsmith_instrument::{Mutant, Plan};

use crate::failure::Failure;
use crate::patch::Patch;
use crate::report::lines::list_line;

/// All filters together; a mutant has to pass every one.
pub(crate) struct Filter {
    operators: Vec<&'static str>,
    files: Option<GlobSet>,
    exclude_files: GlobSet,
    re: Option<RegexSet>,
    exclude_re: RegexSet,
    patch: Option<Patch>,
}

impl Filter {
    pub(crate) fn new(
        operators: Vec<&'static str>,
        files: &[String],
        exclude_files: &[String],
        re: &[String],
        exclude_re: &[String],
        in_diff: Option<&Path>,
        root: &Path,
    ) -> Result<Filter, Failure> {
        Ok(Filter {
            operators,
            files: if files.is_empty() { None } else { Some(globs(files)?) },
            exclude_files: globs(exclude_files)?,
            re: if re.is_empty() { None } else { Some(regexes(re)?) },
            exclude_re: regexes(exclude_re)?,
            patch: in_diff.map(|path| Patch::load(path, root)).transpose()?,
        })
    }

    /// Nothing is filtered.
    pub(crate) fn all() -> Filter {
        Filter {
            operators: OPERATORS.iter().map(|operator| operator.id).collect(),
            files: None,
            exclude_files: GlobSet::empty(),
            re: None,
            exclude_re: RegexSet::empty(),
            patch: None,
        }
    }

    /// Whether a mutant is wanted.
    pub(crate) fn wants(&self, plan: &Plan, mutant: &Mutant) -> bool {
        let file = plan.file_of(mutant);
        let line = || list_line(plan, mutant);
        self.operators.contains(&mutant.operator.id)
            && self.files.as_ref().is_none_or(|files| files.is_match(&file.name))
            && !self.exclude_files.is_match(&file.name)
            && self.patch.as_ref().is_none_or(|patch| self.touches(patch, plan, mutant))
            && self.re.as_ref().is_none_or(|re| re.is_match(&line()))
            && (self.exclude_re.is_empty() || !self.exclude_re.is_match(&line()))
    }

    /// Whether the diff has changed a line of the mutant; a function value is about the whole function.
    fn touches(&self, patch: &Patch, plan: &Plan, mutant: &Mutant) -> bool {
        let file = plan.file_of(mutant);
        let last = file.place(mutant.span.end.max(mutant.span.start + 1) - 1).line;
        patch.lines.get(&file.name).is_some_and(|lines| lines.range(mutant.line..=last).next().is_some())
    }
}

/// Globs that match a path or its end: `src/lib.rs` is also that of a package in a folder of the workspace.
fn globs(patterns: &[String]) -> Result<GlobSet, Failure> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let whole = if pattern.starts_with("**/") { pattern.clone() } else { format!("**/{pattern}") };
        let glob = GlobBuilder::new(&whole).literal_separator(true).build();
        set.add(glob.map_err(|e| Failure::usage(format!("`{pattern}` is not a glob: {}", e.kind())))?);
    }
    set.build().map_err(|e| Failure::usage(format!("the globs are too large: {e}")))
}

pub(crate) fn regexes(patterns: &[String]) -> Result<RegexSet, Failure> {
    RegexSet::new(patterns).map_err(|e| {
        Failure::usage(format!("not a regular expression\n{}", testsmith_model::indented(&e.to_string())))
    })
}
