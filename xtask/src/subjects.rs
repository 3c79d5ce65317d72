//! `cargo xtask subjects`: the real crates, pinned, that benches and trials run on.
//!
//! [`SUBJECTS`] is the table. A subject lives in `subjects/<name>-<version>/`, outside version
//! control; `fetch` gets it there with cargo alone.

mod fetch;

use std::path::PathBuf;

use clap::ValueEnum;

use crate::fail::{Context, Fail, Result};
use crate::repo::Repo;

/// A released crate that the tool is run on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Subject {
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
    set: Set,
}

/// What a subject is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Set {
    /// The six of `cargo xtask bench score`
    Score,
    /// Thousands of mutants each
    Big,
    /// Small ones for trials
    More,
    /// The twenty of `cargo xtask bench elsewhere`: clocks, randomness, hashing, files, parsers, containers
    Elsewhere,
    /// Those that parse, compute or validate, for `cargo xtask bench killing`
    Solved,
}

const SUBJECTS: &[Subject] = &[
    subject("humantime", "2.4.0", Set::Score),
    subject("semver", "1.0.28", Set::Score),
    subject("strsim", "0.11.1", Set::Score),
    subject("fixedbitset", "0.5.7", Set::Score),
    subject("smallvec", "1.15.2", Set::Score),
    subject("textwrap", "0.16.4", Set::Score),
    subject("chrono", "0.4.45", Set::Big),
    subject("petgraph", "0.8.3", Set::Big),
    subject("regex-syntax", "0.8.11", Set::Big),
    subject("indexmap", "2.14.2", Set::Big),
    subject("num-bigint", "0.4.6", Set::Big),
    subject("heck", "0.5.0", Set::More),
    subject("itoa", "1.0.18", Set::More),
    subject("hex", "0.4.3", Set::More),
    subject("slab", "0.4.12", Set::More),
    subject("arrayvec", "0.7.8", Set::More),
    subject("percent-encoding", "2.3.2", Set::Solved),
    subject("bytesize", "2.7.0", Set::Solved),
    subject("parse-size", "1.1.0", Set::Solved),
    subject("roman-numerals-rs", "4.1.0", Set::Solved),
    subject("integer-sqrt", "0.1.5", Set::Solved),
    subject("semver-parser", "0.10.3", Set::Solved),
    // Others have published figures for this one.
    subject("humantime", "2.1.0", Set::More),
    subject("ascii_table", "5.0.0", Set::More),
    subject("circular-queue", "0.2.7", Set::More),
    subject("getopts", "0.2.24", Set::More),
    subject("httpdate", "1.0.3", Set::Elsewhere),
    subject("chrono-humanize", "0.2.3", Set::Elsewhere),
    subject("ulid", "3.0.0", Set::Elsewhere),
    subject("cron", "0.17.0", Set::Elsewhere),
    subject("oorandom", "11.1.5", Set::Elsewhere),
    subject("nanoid", "0.5.0", Set::Elsewhere),
    subject("rand_xoshiro", "0.8.1", Set::Elsewhere),
    subject("siphasher", "1.0.4", Set::Elsewhere),
    subject("seahash", "4.1.0", Set::Elsewhere),
    subject("ahash", "0.8.12", Set::Elsewhere),
    subject("tempfile", "3.27.0", Set::Elsewhere),
    subject("shellexpand", "3.1.2", Set::Elsewhere),
    subject("pathdiff", "0.2.3", Set::Elsewhere),
    subject("shell-words", "1.1.1", Set::Elsewhere),
    subject("tinyjson", "2.5.1", Set::Elsewhere),
    subject("form_urlencoded", "1.2.2", Set::Elsewhere),
    subject("csscolorparser", "0.9.0", Set::Elsewhere),
    subject("lru", "0.19.0", Set::Elsewhere),
    subject("vec_map", "0.8.2", Set::Elsewhere),
    subject("thunderdome", "0.6.1", Set::Elsewhere),
];

const fn subject(name: &'static str, version: &'static str, set: Set) -> Subject {
    Subject { name, version, set }
}

impl Subject {
    /// `name-version`, which is also what `cargo vendor --versioned-dirs` calls its folder.
    pub(crate) fn folder(&self) -> String {
        format!("{}-{}", self.name, self.version)
    }

    pub(crate) fn path(&self, repo: &Repo) -> PathBuf {
        repo.root().join("subjects").join(self.folder())
    }
}

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Subjects by name
    names: Vec<String>,
    /// All subjects of a set
    #[arg(long, default_value = "score", conflicts_with = "names")]
    set: Set,
}

pub(crate) fn run(repo: &Repo, args: &Args) -> Result<()> {
    let wanted = if args.names.is_empty() { of_set(args.set) } else { named(&args.names)? };
    ensure(repo, &wanted)?;
    for subject in &wanted {
        println!("subjects/{}", subject.folder());
    }
    Ok(())
}

/// Fetches what is missing of `wanted`.
pub(crate) fn ensure(repo: &Repo, wanted: &[Subject]) -> Result<()> {
    fetch::ensure(repo, wanted).context("fetch the subjects")
}

pub(crate) fn of_set(set: Set) -> Vec<Subject> {
    SUBJECTS.iter().filter(|subject| subject.set == set).copied().collect()
}

pub(crate) fn named(names: &[String]) -> Result<Vec<Subject>> {
    let find = |name: &String| {
        let known = SUBJECTS.iter().find(|subject| subject.name == name || subject.folder() == *name);
        known
            .copied()
            .ok_or_else(|| Fail::new(format!("`{name}` is no subject; known are {}", known_names())))
    };
    names.iter().map(find).collect()
}

fn known_names() -> String {
    SUBJECTS.iter().map(|subject| subject.name).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_is_found_by_name_with_or_without_version() {
        let found = named(&["heck".to_owned(), "strsim-0.11.1".to_owned()]).unwrap();
        assert_eq!(found.iter().map(Subject::folder).collect::<Vec<_>>(), ["heck-0.5.0", "strsim-0.11.1"]);
    }

    #[test]
    fn an_unknown_subject_is_named() {
        let fail = named(&["serde".to_owned()]).unwrap_err();
        assert!(fail.to_string().starts_with("`serde` is no subject; known are humantime"), "{fail}");
    }

    #[test]
    fn folders_are_unique_and_every_set_has_members() {
        let mut folders: Vec<_> = SUBJECTS.iter().map(Subject::folder).collect();
        folders.sort_unstable();
        folders.dedup();
        assert_eq!(folders.len(), SUBJECTS.len());
        for set in [Set::Score, Set::Big, Set::More, Set::Elsewhere, Set::Solved] {
            assert!(!of_set(set).is_empty(), "{set:?}");
        }
    }
}
