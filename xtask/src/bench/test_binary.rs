//! Test binaries as the benches of other worlds run them: built by cargo, started without a sandbox, here or in a world.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use testsmith_suite::world::{PRELOAD, World};

use crate::fail::{Context, Fail, Result};
use crate::{repo, shell};

/// A test binary, and the folder in which cargo would start it.
pub(super) struct TestBinary {
    path: PathBuf,
    package: PathBuf,
}

/// The library that makes a world.
pub(super) fn library(dir: &Path) -> Result<PathBuf> {
    let (source, library) = (dir.join("world.rs"), dir.join("libworld.so"));
    fs::write(&source, PRELOAD).context("write the library of the worlds")?;
    let mut rustc = Command::new("rustc");
    rustc
        .args(["--edition=2021", "--crate-type=cdylib", "-O", "-Cpanic=abort", "-o"])
        .arg(&library)
        .arg(&source);
    shell::run(&mut rustc)?;
    Ok(library)
}

/// The test binaries of a package.
pub(super) fn build(package: &Path, target: &Path, which: &[&str]) -> Result<Vec<TestBinary>> {
    let mut cargo = repo::cargo();
    cargo.args(["test", "--no-run", "--message-format=json"]).args(which);
    cargo.current_dir(package).env("CARGO_TARGET_DIR", target).stderr(Stdio::null());
    let output = shell::stdout(&mut cargo)?;
    let path = |line: &str| {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        let is_test = message["profile"]["test"] == true;
        message["executable"].as_str().filter(|_| is_test).map(PathBuf::from)
    };
    let binary = |path| TestBinary { path, package: package.to_owned() };
    let binaries: Vec<TestBinary> = output.lines().filter_map(path).map(binary).collect();
    if binaries.is_empty() {
        Err(Fail::new(format!("no tests in {}", package.display())))
    } else {
        Ok(binaries)
    }
}

impl TestBinary {
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// What starts it, as cargo would.
    pub(super) fn command(&self) -> Command {
        self.command_of(Command::new(&self.path))
    }

    /// The same with another program that starts it.
    pub(super) fn command_of(&self, mut command: Command) -> Command {
        command.current_dir(&self.package).env("CARGO_MANIFEST_DIR", &self.package).stdin(Stdio::null());
        command
    }
}

/// Moves a command to a world.
pub(super) fn enter(command: &mut Command, world: &World, library: &Path) {
    world.missing().iter().for_each(|name| {
        command.env_remove(name);
    });
    command.envs(world.variables()).env("LD_PRELOAD", library);
}

/// Which tests pass.
pub(super) fn results(command: &mut Command) -> Result<BTreeMap<String, bool>> {
    let output = command.output().context(format!("start `{}`", shell::line(command)))?;
    Ok(results_of(&output.stdout))
}

/// The same by what they have printed.
pub(super) fn results_of(printed: &[u8]) -> BTreeMap<String, bool> {
    String::from_utf8_lossy(printed).lines().filter_map(result).collect()
}

/// What a line of libtest says of a test.
fn result(line: &str) -> Option<(String, bool)> {
    let (name, outcome) = line.strip_prefix("test ")?.trim_end().rsplit_once(" ... ")?;
    let name = name.strip_suffix(" - should panic").unwrap_or(name);
    matches!(outcome, "ok" | "FAILED").then(|| (name.to_owned(), outcome == "ok"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read_whatever_the_kind_of_the_test_and_the_end_of_the_line() {
        let table = [
            ("test a::b ... ok", Some(("a::b", true))),
            ("test a::b - should panic ... FAILED\r", Some(("a::b", false))),
            ("test a::b ... ignored", None),
            ("test result: ok. 1 passed", None),
        ];
        for (line, expected) in table {
            assert_eq!(result(line), expected.map(|(name, ok)| (name.to_owned(), ok)), "{line}");
        }
    }
}
