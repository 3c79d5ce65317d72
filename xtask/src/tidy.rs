//! `cargo xtask tidy`: the rules of this repository that the compiler does not know.
//!
//! Each check is a pure function from texts to [`Problem`]s; this file gathers the texts, runs all
//! checks and reports every problem at once.

mod code_only;
mod docs;
mod layout;
mod levels;
mod paths;
mod usage;

use std::fmt;
use std::path::Path;
use std::process::Command;

use crate::fail::{Context, Fail, Result};
use crate::repo::Repo;
use crate::{files, shell};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Rewrite the generated regions of the documentation instead of comparing them
    #[arg(long)]
    bless: bool,
}

/// One broken rule, at a place that can be opened.
#[derive(Debug, PartialEq, Eq)]
struct Problem {
    place: String,
    what: String,
}

impl Problem {
    fn new(place: impl Into<String>, what: impl Into<String>) -> Self {
        Self { place: place.into(), what: what.into() }
    }

    /// `line` counts from zero, as iterators do.
    fn at_line(path: &str, line: usize, what: impl Into<String>) -> Self {
        Self::new(format!("{path}:{}", line + 1), what)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}

/// A file of the repository: its path from the root, with `/`, and its text.
struct SourceFile {
    path: String,
    text: String,
}

/// A check of one file by itself.
type FileCheck = fn(&str, &str) -> Vec<Problem>;

const RUST_CHECKS: &[FileCheck] =
    &[layout::opens_with_docs, layout::is_short, usage::does_not_print, usage::starts_no_process];

pub(crate) fn run(repo: &Repo, args: &Args) -> Result<()> {
    let mut problems = levels::check(&levels::read(repo.metadata()));
    for file in rust_files(repo.root())? {
        problems.extend(RUST_CHECKS.iter().flat_map(|check| check(&file.path, &file.text)));
    }
    let folders = paths::folders(repo.root());
    for file in tracked_files(repo.root())? {
        problems.extend(paths::names_no_machine(&file.path, &file.text, &folders));
    }
    problems.extend(docs::run(repo, args.bless)?);
    report(&problems)
}

fn report(problems: &[Problem]) -> Result<()> {
    for problem in problems {
        println!("{problem}");
    }
    match problems.len() {
        0 => {
            println!("tidy: nothing to complain about");
            Ok(())
        }
        count => Err(Fail::new(format!("tidy found {count} problem{}", if count == 1 { "" } else { "s" }))),
    }
}

/// The Rust files that the rules are about; inputs and expected outputs of tests are not.
fn rust_files(root: &Path) -> Result<Vec<SourceFile>> {
    let mut rust = Vec::new();
    for folder in ["crates", "xtask"] {
        for path in files::walk(&root.join(folder))? {
            let relative = relative(root, &path);
            if path.extension().is_some_and(|extension| extension == "rs") && !is_test_input(&relative) {
                rust.push(SourceFile { path: relative, text: files::read(&path)? });
            }
        }
    }
    Ok(rust)
}

fn is_test_input(path: &str) -> bool {
    path.contains("/testdata/") || path.contains("/tests/snapshots/") || path.contains("/target/")
}

/// What is tracked or about to be; files that are not text have no words to check.
fn tracked_files(root: &Path) -> Result<Vec<SourceFile>> {
    let mut git = Command::new("git");
    git.current_dir(root).args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    let listed = shell::stdout(&mut git).context("list the tracked files")?;
    let texts = listed.split('\0').filter(|path| !path.is_empty()).filter_map(|path| {
        // A file that was deleted but is still in the index has no text either.
        let text = std::fs::read_to_string(root.join(path)).ok()?;
        Some(SourceFile { path: path.to_owned(), text })
    });
    Ok(texts.collect())
}

fn relative(root: &Path, path: &Path) -> String {
    let inside = path.strip_prefix(root).unwrap_or(path);
    inside.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_problem_fails_the_command() {
        assert!(report(&[]).is_ok());
        assert!(report(&[Problem::new("a.rs", "bad")]).is_err());
    }

    #[test]
    fn lines_are_reported_from_one() {
        assert_eq!(Problem::at_line("a.rs", 0, "bad").to_string(), "a.rs:1: bad");
    }

    #[test]
    fn inputs_of_tests_are_not_checked() {
        assert!(is_test_input("crates/x/testdata/a.rs"));
        assert!(is_test_input("crates/x/tests/snapshots/a.rs"));
        assert!(!is_test_input("crates/x/tests/a.rs"));
    }
}
