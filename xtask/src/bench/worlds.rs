//! `cargo xtask bench worlds`: what the worlds of `testsmith-suite` find out, and what they blame in vain.
//!
//! Of `testdata/unstable` each row becomes a test that pins what the function gave once: every such test but those called `pure` should fail
//! somewhere. Existing tests of real crates that pass here should pass everywhere: each that does not is a false alarm.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use testsmith_suite::world::{WORLDS, World};

use super::test_binary::{self, TestBinary, build, enter, library};
use crate::fail::{Context, Result};
use crate::repo::Repo;
use crate::{shell, subjects};

/// So often tests run here before they run elsewhere, as they do in the verification.
const HERE: usize = 5;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Subjects whose existing tests run in all worlds
    names: Vec<String>,
}

pub(crate) fn run(repo: &Repo, args: &Args) -> Result<()> {
    let dir = repo.target().join("bench-worlds");
    fs::create_dir_all(&dir).context("make the folder of the bench")?;
    let library = library(&dir)?;
    unstable(repo, &dir, &library)?;
    let wanted = if args.names.is_empty() { Vec::new() } else { subjects::named(&args.names)? };
    subjects::ensure(repo, &wanted)?;
    let mut all = (0, 0);
    for subject in &wanted {
        let (tests, alarms) = false_alarms(&subject.path(repo), &dir, &library)?;
        println!(
            "{:<24} {tests:>5} tests, {} false alarms {}",
            subject.folder(),
            alarms.len(),
            list(&alarms)
        );
        all = (all.0 + tests, all.1 + alarms.len());
    }
    if !wanted.is_empty() {
        println!("{:<24} {:>5} tests, {} false alarms", "together", all.0, all.1);
    }
    Ok(())
}

/// Writes down what each row gives, and counts the tests that are found out by it.
fn unstable(repo: &Repo, dir: &Path, library: &Path) -> Result<()> {
    let home = dir.join("unstable");
    let _ = fs::remove_dir_all(&home);
    for folder in ["src", "examples", "tests"] {
        fs::create_dir_all(home.join(folder)).context("make the folder of the crate")?;
    }
    for file in ["Cargo.toml", "src/lib.rs"] {
        let from = repo.root().join("testdata/unstable").join(file);
        fs::copy(&from, home.join(file)).context(format!("copy {}", from.display()))?;
    }
    let example = "fn main() { for (name, value) in unstable::ROWS { println!(\"{name}={:?}\", value()); } }";
    fs::write(home.join("examples/rows.rs"), example).context("write the example")?;
    let target = dir.join("build");
    let mut cargo = Command::new("cargo");
    cargo
        .args(["run", "--quiet", "--offline", "--example", "rows"])
        .current_dir(&home)
        .env("CARGO_TARGET_DIR", &target);
    let rows = shell::stdout(&mut cargo)?;
    let test = |(at, row): (usize, &str)| {
        let (name, value) = row.split_once('=').unwrap_or((row, "\"\""));
        format!("#[test]\nfn {name}() {{ assert_eq!((unstable::ROWS[{at}].1)(), {value}); }}\n")
    };
    let tests: String = rows.lines().enumerate().map(test).collect();
    fs::write(home.join("tests/rows.rs"), tests).context("write the tests")?;

    let mut found: BTreeMap<String, String> = BTreeMap::new();
    let debug = build(&home, &target, &["--test", "rows"])?;
    let unchecked = ["--test", "rows", "--config=profile.test.debug-assertions=false"];
    let unchecked = build(&home, &target, &unchecked)?;
    let mut note = |place: &str, results: BTreeMap<String, bool>| {
        for name in results.into_iter().filter(|(_, ok)| !ok).map(|(name, _)| name) {
            found.entry(name).or_insert_with(|| place.to_owned());
        }
    };
    for binary in &debug {
        for _ in 0..HERE {
            note("here, run again", results(binary, None)?);
        }
        for world in WORLDS {
            note(world.name, results(binary, Some((world, library)))?);
        }
    }
    for binary in &unchecked {
        note("without debug assertions", results(binary, None)?);
    }
    let names: Vec<&str> = rows.lines().filter_map(|row| row.split('=').next()).collect();
    let (pure, unstable): (Vec<&str>, Vec<&str>) = names.iter().partition(|name| name.starts_with("pure"));
    for name in &unstable {
        println!("{name:<24} {}", found.get(*name).map_or("-", String::as_str));
    }
    let of = |names: &[&str]| names.iter().filter(|name| found.contains_key(**name)).count();
    println!(
        "{} of {} unstable tests found, {} of {} pure ones",
        of(&unstable),
        unstable.len(),
        of(&pure),
        pure.len()
    );
    Ok(())
}

/// How many existing tests of a crate pass here, and those of them that do not pass in some world.
fn false_alarms(home: &Path, dir: &Path, library: &Path) -> Result<(usize, BTreeSet<String>)> {
    let mut alarms = BTreeSet::new();
    let mut count = 0;
    for binary in build(home, &dir.join("build"), &["--tests"])? {
        let mut steady = results(&binary, None)?;
        // What fails here now and then is no false alarm.
        for (name, ok) in results(&binary, None)? {
            steady.entry(name).and_modify(|it| *it &= ok);
        }
        steady.retain(|_, ok| *ok);
        count += steady.len();
        for world in WORLDS {
            let there = results(&binary, Some((world, library)))?;
            alarms.extend(steady.keys().filter(|name| there.get(*name) != Some(&true)).cloned());
        }
    }
    Ok((count, alarms))
}

/// Which tests of a binary pass, here or in a world.
fn results(binary: &TestBinary, world: Option<(&World, &Path)>) -> Result<BTreeMap<String, bool>> {
    let mut command = binary.command();
    if let Some((world, library)) = world {
        enter(&mut command, world, library);
    }
    test_binary::results(&mut command)
}

fn list(names: &BTreeSet<String>) -> String {
    names.iter().cloned().collect::<Vec<_>>().join(", ")
}
