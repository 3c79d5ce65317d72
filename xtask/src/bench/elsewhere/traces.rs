//! What tests leave behind: in the package, in the user's home, in the folder for temporary files, and among the processes.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::fail::{Context, Result};
use crate::files;

/// In the environment of the tests, and of whatever they start.
const MARK: &str = "TESTSMITH_BENCH_ELSEWHERE";

/// The user's folders, and what was in the package before.
pub(super) struct Traces {
    home: PathBuf,
    temp: PathBuf,
    package: PathBuf,
    before: BTreeMap<PathBuf, Vec<u8>>,
}

impl Traces {
    pub(super) fn before(user: &Path, package: &Path) -> Result<Traces> {
        let [home, temp] = [user.join("home"), user.join("tmp")];
        files::fresh_dir(&home)?;
        files::fresh_dir(&temp)?;
        Ok(Traces { home, temp, package: package.to_owned(), before: tree(package)? })
    }

    /// A command of this user; a world may say otherwise.
    pub(super) fn at_home<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command.env("HOME", &self.home).env("TMPDIR", &self.temp).env(MARK, &self.home)
    }

    /// What was not there before, or is no longer as it was.
    pub(super) fn left(&self) -> Result<Vec<String>> {
        let mut left = Vec::new();
        for folder in [&self.home, &self.temp] {
            left.extend(files::walk(folder)?.iter().map(|path| path.display().to_string()));
        }
        let now = tree(&self.package)?;
        let names = self.before.keys().chain(now.keys());
        let mut changed: Vec<&PathBuf> =
            names.filter(|path| self.before.get(*path) != now.get(*path)).collect();
        changed.dedup();
        left.extend(changed.into_iter().map(|path| path.display().to_string()));
        left.extend(processes(&format!("{MARK}={}", self.home.display())));
        Ok(left)
    }
}

/// The files of a package without what is built.
fn tree(package: &Path) -> Result<BTreeMap<PathBuf, Vec<u8>>> {
    let is_own = |path: &PathBuf| !path.starts_with(package.join("target"));
    let read = |path: PathBuf| {
        let bytes = fs::read(&path).context(format!("read {}", path.display()))?;
        Ok((path, bytes))
    };
    files::walk(package)?.into_iter().filter(is_own).map(read).collect()
}

/// Processes that have this variable.
fn processes(variable: &str) -> Vec<String> {
    let all = fs::read_dir("/proc").into_iter().flatten().flatten().map(|entry| entry.path());
    let has_it = |process: &PathBuf| {
        let environment = fs::read(process.join("environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|it| it == variable.as_bytes())
    };
    all.filter(has_it).map(|process| format!("process {}", process.display())).collect()
}
