//! `cargo xtask bench elsewhere`: twenty crates get tests, with few executions. Then the tests run as a user's do, without a
//! sandbox: in every one of the `places`, now and as if it were tomorrow, and leave nothing behind.

mod places;
mod traces;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use serde_json::Value;
use testsmith_suite::world::DAY;

use self::places::{Build, PLACES};
use self::traces::Traces;
use super::test_binary::{self, TestBinary, library};
use crate::fail::{Context, Result};
use crate::repo::Repo;
use crate::subjects::{self, Set, Subject};
use crate::{files, shell};

/// The exit code where cargo has to be told of the written tests.
const NOT_RUN_YET: i32 = 9;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only these of the crates
    names: Vec<String>,
    /// Executions of the search
    #[arg(long, default_value = "6000")]
    executions: String,
    #[arg(long, default_value = "1")]
    seed: String,
    /// A cargo-testsmith to measure instead of building one from this checkout
    #[arg(long)]
    testsmith: Option<PathBuf>,
}

pub(crate) fn run(repo: &Repo, args: &Args) -> Result<()> {
    let all = subjects::of_set(Set::Elsewhere).into_iter().map(|subject| subject.name.to_owned());
    let names = if args.names.is_empty() { all.collect() } else { args.names.clone() };
    let (wanted, tool) = super::ready(repo, &names, args.testsmith.as_deref())?;
    let dir = repo.target().join("bench/elsewhere");
    fs::create_dir_all(&dir).context("make the folder of the bench")?;
    let bench = Bench { repo, args, tool: &tool, library: &library(&dir)?, dir: &dir };
    println!(
        "{:<24} {:>7} {:>8} {:>6} {:>6}  in {} places, twice",
        "crate",
        "mutants",
        "killed",
        "tests",
        "s",
        PLACES.len()
    );
    let mut green = 0;
    for subject in &wanted {
        let (row, is_green) = match bench.measure(subject) {
            Ok(row) => (row.line(), row.is_green()),
            Err(fail) => (format!("{:<24} {}", subject.folder(), fail.to_string().trim()), false),
        };
        println!("{row}");
        green += usize::from(is_green);
    }
    println!("{green} of {} crates: every test passes everywhere, and nothing is left behind", wanted.len());
    Ok(())
}

struct Bench<'a> {
    repo: &'a Repo,
    args: &'a Args,
    tool: &'a Path,
    library: &'a Path,
    dir: &'a Path,
}

/// What became of a crate.
struct Row {
    name: String,
    mutants: u64,
    killed: u64,
    tests: usize,
    seconds: f64,
    /// Places in which not all tests pass, with those that do not.
    failing: BTreeMap<String, BTreeSet<String>>,
    /// What the tests have left.
    traces: Vec<String>,
}

impl Bench<'_> {
    fn measure(&self, subject: &Subject) -> Result<Row> {
        let home = self.dir.join(subject.folder());
        files::fresh_dir(&home)?;
        // Two checkouts, the paths of which have nothing in common.
        let [package, other] = [home.join("package"), home.join("some/where/else")];
        files::copy_package(&subject.path(self.repo), &package)?;
        let started = Instant::now();
        let report = self.generate(&package)?;
        let seconds = started.elapsed().as_secs_f64();
        without_dev_dependencies(&package)?;
        files::copy_package(&package, &other)?;

        let target = home.join("build");
        let build = |dir: &Path, more: &[&str]| {
            test_binary::build(dir, &target, &[&["--test", "testsmith"], more].concat())
        };
        let usual = build(&package, &[])?;
        let release = build(&other, &["--release"])?;
        let traces = Traces::before(&home.join("user"), &package)?;
        let mut failing = BTreeMap::new();
        let expected = self.here(&usual, &traces)?;
        for place in PLACES {
            for days in [0, 1] {
                let binaries = match place.build {
                    Build::Usual => &usual,
                    Build::Release => &release,
                };
                let results = self.there(binaries, place, days, &traces)?;
                let failed: BTreeSet<String> =
                    expected.iter().filter(|name| results.get(*name) != Some(&true)).cloned().collect();
                if !failed.is_empty() {
                    failing.insert(format!("{}, {days} d later", place.world.name), failed);
                }
            }
        }
        let traces = traces.left()?;
        let _ = fs::remove_dir_all(&target);
        let _ = fs::remove_dir_all(package.join("target"));
        let number = |value: &Value| value.as_u64().unwrap_or_default();
        let mutants = &report["mutants"];
        Ok(Row {
            name: subject.folder(),
            mutants: number(&mutants["generated"]) - number(&mutants["unviable"]),
            killed: number(&mutants["killed_by_generated"]),
            tests: expected.len(),
            seconds,
            failing,
            traces,
        })
    }

    /// Writes tests, and tells cargo of them where it has to be told.
    fn generate(&self, package: &Path) -> Result<Value> {
        let Args { executions, seed, .. } = self.args;
        let mut tool = Command::new(self.tool);
        tool.args(["testsmith", "generate", "--all-mutants", "--json", "--quiet"]);
        tool.args(["--executions", executions, "--seed", seed]);
        tool.current_dir(package).env_remove("CARGO_TARGET_DIR");
        let text = shell::stdout_or(&mut tool, NOT_RUN_YET)?;
        let report: Value = serde_json::from_str(&text).context("read what `generate` says")?;
        if let Some(lines) = report["manifest"].as_str() {
            let path = package.join("Cargo.toml");
            files::write(&path, &format!("{}\n{lines}\n", files::read(&path)?))?;
        }
        Ok(report)
    }

    /// All tests that there are.
    fn here(&self, binaries: &[TestBinary], traces: &Traces) -> Result<BTreeSet<String>> {
        let mut names = BTreeSet::new();
        for binary in binaries {
            names.extend(test_binary::results(traces.at_home(&mut binary.command()))?.into_keys());
        }
        Ok(names)
    }

    fn there(
        &self,
        binaries: &[TestBinary],
        place: &places::Place,
        days: i64,
        traces: &Traces,
    ) -> Result<BTreeMap<String, bool>> {
        let mut results = BTreeMap::new();
        for binary in binaries {
            let mut command = place.command(binary);
            traces.at_home(&mut command);
            place.enter(&mut command, days * DAY, self.library);
            results.extend(place.results(&mut command)?);
        }
        Ok(results)
    }
}

/// Written tests use none of them, and to build some of them takes longer than all the rest.
fn without_dev_dependencies(package: &Path) -> Result<()> {
    let path = package.join("Cargo.toml");
    let mut manifest: toml::Table = files::read(&path)?.parse().context("read the manifest")?;
    manifest.remove("dev-dependencies");
    if let Some(targets) = manifest.get_mut("target").and_then(toml::Value::as_table_mut) {
        let tables = targets.iter_mut().filter_map(|(_, target)| target.as_table_mut());
        tables.for_each(|target| drop(target.remove("dev-dependencies")));
    }
    files::write(&path, &manifest.to_string())
}

impl Row {
    fn is_green(&self) -> bool {
        self.tests > 0 && self.failing.is_empty() && self.traces.is_empty()
    }

    fn line(&self) -> String {
        let killed = (self.killed * 1000).checked_div(self.mutants).unwrap_or_default();
        let outcome = if self.is_green() { "green" } else { "NOT GREEN" };
        let mut line = format!(
            "{:<24} {:>7} {:>6}.{} {:>6} {:>6.0}  {outcome}",
            self.name,
            self.mutants,
            killed / 10,
            killed % 10,
            self.tests,
            self.seconds
        );
        for (place, tests) in &self.failing {
            line += &format!("\n  {place}: {}", tests.iter().cloned().collect::<Vec<_>>().join(", "));
        }
        for trace in &self.traces {
            line += &format!("\n  left behind: {trace}");
        }
        line
    }
}
