//! The tool itself, built from this checkout, and what its exit codes mean to xtask.

use std::env;
use std::path::PathBuf;
use std::process::ExitStatus;

use crate::fail::Result;
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

/// `score` ends with 0 where every mutant is killed, 2 with survivors and 3 with time-outs: in all
/// three it did its work.
pub(crate) fn did_its_work(status: ExitStatus) -> bool {
    matches!(status.code(), Some(0 | 2 | 3))
}
