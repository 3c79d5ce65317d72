//! `cargo xtask setup`: what a machine needs to build and test this repository.
//!
//! [`REQUIREMENTS`] is the table: one entry a requirement, with how to find it, how to add it where
//! xtask can, and what to tell the person where it cannot. Running it twice changes nothing.

use std::process::Command;

use cargo_metadata::semver::Version;

use crate::fail::{Context, Fail, Result};
use crate::repo::{self, Repo};
use crate::shell;

struct Requirement {
    name: &'static str,
    /// Says what was found, or why it does not do.
    find: fn(&Repo) -> Result<String>,
    /// A command that adds it without asking anything.
    install: Option<&'static [&'static str]>,
    /// What a person can do where `install` is missing or did not help.
    advice: &'static str,
}

const REQUIREMENTS: &[Requirement] = &[
    Requirement {
        name: "cargo",
        find: |repo| recent_enough(&mut repo::cargo(), repo),
        install: None,
        advice: "rustup update stable",
    },
    Requirement {
        name: "rustc",
        find: |repo| recent_enough(&mut Command::new("rustc"), repo),
        install: None,
        advice: "rustup update stable",
    },
    Requirement {
        name: "rustfmt",
        find: |_| first_line(repo::cargo().args(["fmt", "--version"])),
        install: Some(&["rustup", "component", "add", "rustfmt"]),
        advice: "rustup component add rustfmt",
    },
    Requirement {
        name: "clippy",
        find: |_| first_line(repo::cargo().args(["clippy", "--version"])),
        install: Some(&["rustup", "component", "add", "clippy"]),
        advice: "rustup component add clippy",
    },
    Requirement {
        name: "cc",
        find: |_| linker(),
        install: None,
        advice: "install a C compiler: `apt-get install build-essential`, `xcode-select --install`",
    },
    Requirement {
        name: "wasm",
        find: |_| wasm_library(),
        install: Some(&["rustup", "target", "add", WASM]),
        advice: "rustup target add wasm32-wasip1 (without rustup: the package of your rustc that holds this target's standard library)",
    },
];

/// The target that the symbolic engine runs programs for.
const WASM: &str = "wasm32-wasip1";

/// Checks every requirement, a line each, and fails once for all that stay missing.
pub(crate) fn run(repo: &Repo) -> Result<()> {
    let missing: Vec<String> =
        REQUIREMENTS.iter().filter_map(|requirement| settle(repo, requirement).err()).collect();
    if missing.is_empty() {
        Ok(())
    } else {
        Err(Fail::new(format!("not set up:\n  {}", missing.join("\n  "))))
    }
}

/// Finds the requirement, or adds it and looks again.
fn settle(repo: &Repo, requirement: &Requirement) -> std::result::Result<(), String> {
    let name = requirement.name;
    // One line a check: what a program adds to its first line is advice of its own.
    let look = || {
        (requirement.find)(repo).map_err(|why| why.to_string().lines().next().unwrap_or_default().to_owned())
    };
    let mut found = look();
    if let (Err(why), Some(install)) = (&found, requirement.install) {
        println!("{name:8} missing ({why}); running `{}`", install.join(" "));
        // Where the command fails the second look says so, in the same words as without it.
        let _ = shell::run(Command::new(install[0]).args(&install[1..]));
        found = look();
    }
    match found {
        Ok(version) => {
            println!("{name:8} {version}");
            Ok(())
        }
        Err(why) => {
            println!("{name:8} missing");
            Err(format!("{name}: {why}\n    to do: {}", requirement.advice))
        }
    }
}

fn recent_enough(program: &mut Command, repo: &Repo) -> Result<String> {
    let line = first_line(program.arg("--version"))?;
    let found = version_in(&line).context(format!("find a version in `{line}`"))?;
    match repo.rust_version() {
        Some(needed) if found < *needed => Err(Fail::new(format!("{found} is older than {needed}"))),
        Some(needed) => Ok(format!("{found} (needs {needed})")),
        None => Ok(found.to_string()),
    }
}

/// The release in `rustc 1.95.0-nightly (…)`, without the channel: a nightly of a release has
/// its features.
fn version_in(line: &str) -> Option<Version> {
    let version = Version::parse(line.split_whitespace().nth(1)?).ok()?;
    Some(Version::new(version.major, version.minor, version.patch))
}

fn first_line(command: &mut Command) -> Result<String> {
    let text = shell::stdout(command)?;
    Ok(text.lines().next().unwrap_or_default().to_owned())
}

/// MSVC brings its own linker, which rustc finds without a name on the path.
fn linker() -> Result<String> {
    if cfg!(windows) {
        return Ok("left to rustc on Windows".to_owned());
    }
    first_line(Command::new("cc").arg("--version"))
}

/// Where rustc has the standard library of the target: rustc knows targets whose library is not installed.
fn wasm_library() -> Result<String> {
    let folder = shell::stdout(Command::new("rustc").args(["--print", "target-libdir", "--target", WASM]))?;
    let folder = std::path::Path::new(folder.trim());
    let names = std::fs::read_dir(folder).into_iter().flatten().filter_map(std::result::Result::ok);
    let mut names = names.filter_map(|entry| entry.file_name().into_string().ok());
    match names.any(|name| name.starts_with("libstd-")) {
        true => Ok(format!("standard library of {WASM}")),
        false => Err(Fail::new(format!("rustc has no standard library for {WASM}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_is_found_in_what_rustc_prints() {
        assert_eq!(version_in("rustc 1.95.0 (59807616e 2026-04-14)"), Some(Version::new(1, 95, 0)));
        assert_eq!(version_in("rustc 1.96.0-nightly (abc 2026-05-01)"), Some(Version::new(1, 96, 0)));
        assert_eq!(version_in("rustc"), None);
    }

    #[test]
    fn every_requirement_has_advice_and_a_name_of_its_own() {
        let mut names: Vec<_> = REQUIREMENTS.iter().map(|requirement| requirement.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), REQUIREMENTS.len());
        assert!(REQUIREMENTS.iter().all(|requirement| !requirement.advice.is_empty()));
    }
}
