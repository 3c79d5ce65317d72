//! `cargo xtask bench quality`: what the written tests look like to a reviewer, by the table of rules.
//!
//! Writes tests for all mutants with a fixed number of programs, so that load makes no difference to the figures, and counts which
//! rules of [`testsmith_suite::rules`] the tests break; with `--before`, the same for another build of the tool. `--files` counts in test
//! files of any origin instead.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use testsmith_suite::rules::{RULES, broken};

use crate::fail::{Context, Fail, Result};
use crate::repo::Repo;
use crate::subjects::Subject;
use crate::{files, shell};

/// Small crates of all kinds: a table, a container, options, dates, sizes, words of a shell.
const CRATES: &str = "ascii_table,circular-queue,getopts,httpdate,parse-size,shell-words";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Subjects to run on
    #[arg(long, value_delimiter = ',', default_value = CRATES)]
    crates: Vec<String>,
    /// Programs of the search, for each crate
    #[arg(long, default_value_t = 20_000)]
    executions: u64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A cargo-testsmith to measure instead of building one from this checkout
    #[arg(long)]
    testsmith: Option<PathBuf>,
    /// Another one to compare with
    #[arg(long)]
    before: Option<PathBuf>,
    /// Only count in these files and folders
    #[arg(long, num_args = 1.., conflicts_with_all = ["testsmith", "before"])]
    files: Vec<PathBuf>,
    /// Where the figures go as JSON, target/bench/quality.json by default
    #[arg(long)]
    out: Option<PathBuf>,
}

/// The exit code where cargo has to be told of the written tests.
const NOT_RUN_YET: i32 = 9;

/// What was counted in some tests.
#[derive(Clone, Debug, Default)]
struct Counts {
    tests: usize,
    lines: usize,
    /// By rule, the tests that break it.
    by_rule: BTreeMap<&'static str, usize>,
    killed: u64,
    mutants: u64,
}

pub(crate) fn run(repo: &Repo, args: &Args) -> Result<()> {
    if !args.files.is_empty() {
        let mut counts = Counts::default();
        args.files.iter().try_for_each(|path| counts.add_path(path))?;
        print(&[("files", &counts)]);
        return Ok(());
    }
    let (wanted, tool) = super::ready(repo, &args.crates, args.testsmith.as_deref())?;
    let before =
        args.before.as_deref().map(|before| crate::tool::measured(repo, Some(before))).transpose()?;
    let tools: Vec<(&str, &Path)> =
        before.iter().map(|path| ("before", path.as_path())).chain([("now", tool.as_path())]).collect();
    let mut sums: Vec<(&str, Counts)> = tools.iter().map(|(name, _)| (*name, Counts::default())).collect();
    let mut rows = Vec::new();
    for subject in &wanted {
        for ((name, tool), (_, sum)) in tools.iter().zip(&mut sums) {
            let counts = measure(repo, args, tool, name, subject)?;
            println!("{:24} {name:6} {}", subject.folder(), counts.in_short());
            rows.push(json!({ "crate": subject.folder(), "build": name, "counts": counts.json() }));
            sum.add(&counts);
        }
        let out = args.out.clone().unwrap_or_else(|| repo.target().join("bench/quality.json"));
        let text = serde_json::to_string_pretty(&json!({ "crates": rows })).context("write the figures")?;
        files::write(&out, &text)?;
    }
    print(&sums.iter().map(|(name, counts)| (*name, counts)).collect::<Vec<_>>());
    Ok(())
}

fn measure(repo: &Repo, args: &Args, tool: &Path, name: &str, subject: &Subject) -> Result<Counts> {
    let home = repo.target().join("bench/quality").join(name).join(subject.folder());
    files::fresh_dir(&home)?;
    let package = home.join("package");
    files::copy_package(&subject.path(repo), &package)?;
    let mut process = Command::new(tool);
    process.current_dir(&package).args(["testsmith", "generate", "--json", "--quiet", "--all-mutants"]);
    process.args(["--executions", &args.executions.to_string(), "--seed", &args.seed.to_string()]);
    let said = shell::stdout_or(&mut process, NOT_RUN_YET)?;
    let report: Value = serde_json::from_str(&said).context("read what `generate` says")?;
    let number = |key: &str| report["mutants"][key].as_u64().unwrap_or(0);
    let mut counts = Counts {
        killed: number("killed_by_generated"),
        mutants: number("generated") - number("unviable"),
        ..Counts::default()
    };
    counts.add_path(&package.join("tests/testsmith"))?;
    Ok(counts)
}

impl Counts {
    fn add(&mut self, other: &Counts) {
        self.tests += other.tests;
        self.lines += other.lines;
        self.killed += other.killed;
        self.mutants += other.mutants;
        other.by_rule.iter().for_each(|(rule, count)| *self.by_rule.entry(rule).or_default() += count);
    }

    /// Adds a file, or the Rust files of a folder.
    fn add_path(&mut self, path: &Path) -> Result<()> {
        if path.is_dir() {
            let entries = fs::read_dir(path).context(format!("read {}", path.display()))?;
            let mut inside: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
            inside.sort();
            return inside
                .iter()
                .filter(|it| it.is_dir() || is_rust(it))
                .try_for_each(|it| self.add_path(it));
        }
        let text = files::read(path)?;
        let found = broken(&text).ok_or_else(|| Fail::new(format!("{} is no Rust", path.display())))?;
        self.lines += text.lines().count();
        self.tests += found.len();
        for rule in found.into_iter().flat_map(|(_, rules)| rules) {
            *self.by_rule.entry(rule).or_default() += 1;
        }
        Ok(())
    }

    fn percent(&self, count: usize) -> f64 {
        100.0 * count as f64 / self.tests.max(1) as f64
    }

    fn in_short(&self) -> String {
        let rate = 100.0 * self.killed as f64 / self.mutants.max(1) as f64;
        let breaks: usize = self.by_rule.values().sum();
        format!(
            "{:4} tests {:5} lines {breaks:4} breaks, {rate:.1} % of {} mutants",
            self.tests, self.lines, self.mutants
        )
    }

    fn json(&self) -> Value {
        json!({
            "tests": self.tests, "lines": self.lines, "killed": self.killed, "mutants": self.mutants, "rules": self.by_rule,
        })
    }
}

fn is_rust(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rs")
}

/// A line for each rule, a column for each build.
fn print(columns: &[(&str, &Counts)]) {
    let line = |first: &str, cell: &dyn Fn(&Counts) -> String| {
        let cells: String = columns.iter().map(|(_, counts)| format!(" | {:>14}", cell(counts))).collect();
        println!("| {first:18}{cells} |");
    };
    let heads: String = columns.iter().map(|(name, _)| format!(" | {name:>14}")).collect();
    println!("| {:18}{heads} |", "");
    println!("|{}|", vec!["---"; columns.len() + 1].join("|"));
    line("tests", &|counts| counts.tests.to_string());
    line("lines", &|counts| counts.lines.to_string());
    line("mutants killed", &|counts| counts.killed.to_string());
    for rule in RULES {
        line(rule.id, &|counts| {
            let count = counts.by_rule.get(rule.id).copied().unwrap_or(0);
            format!("{count} ({:.1} %)", counts.percent(count))
        });
    }
}
