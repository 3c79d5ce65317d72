//! The tool itself, built from this checkout, and what its exit codes mean to xtask.

use std::env;
use std::path::{Path, PathBuf};

use crate::fail::{Context, Result};
use crate::repo::Repo;
use crate::shell;

/// The profile to build with.
#[derive(Clone, Copy)]
pub(crate) enum Profile {
    Dev,
    Release,
}

/// Builds `cargo-testsmith` and returns its path.
pub(crate) fn build(repo: &Repo, profile: Profile) -> Result<PathBuf> {
    let (folder, flags): (_, &[&str]) = match profile {
        Profile::Dev => ("debug", &[]),
        Profile::Release => ("release", &["--release"]),
    };
    shell::run(repo.cargo().args(["build", "--quiet", "--package", "cargo-testsmith"]).args(flags))?;
    let binary = format!("cargo-testsmith{}", env::consts::EXE_SUFFIX);
    Ok(repo.target().join(folder).join(binary))
}

/// The binary that a bench measures: the one that was named, or a release build of this checkout.
pub(crate) fn measured(repo: &Repo, named: Option<&Path>) -> Result<PathBuf> {
    match named {
        // The tool runs in another folder, so that a relative path has to be resolved here.
        Some(binary) => Ok(env::current_dir().context("find the current folder")?.join(binary)),
        None => build(repo, Profile::Release),
    }
}
