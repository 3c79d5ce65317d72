//! `cargo xtask bench execute`: the harness on real crates: what can be called, how fast, and which mutants die of random
//! programs alone.
//!
//! The kills are the baseline that every strategy has to beat. With `--agree` instead (`agree`): whether two processes
//! answer the same, and what becomes of workers.

mod agree;

use std::path::{Path, PathBuf};
use std::time::Instant;

use serde_json::{Value, json};

use super::median::median;
use crate::fail::{Context, Result};
use crate::repo::Repo;
use crate::subjects::Subject;
use crate::{files, shell};

/// The crates that the harness was first tried on.
const CRATES: &str = "strsim,semver,fixedbitset,humantime,heck,slab,smallvec,arrayvec,textwrap,hex,indexmap";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Subjects to run on
    #[arg(long, value_delimiter = ',', default_value = CRATES)]
    crates: Vec<String>,
    /// Seconds of random programs for each
    #[arg(long, default_value_t = 10.0)]
    seconds: f64,
    /// Runs of given programs, to measure a worker alone
    #[arg(long, default_value_t = 500_000)]
    replay: u64,
    /// Instead, run so many random programs, of all crates together, in two processes each and compare the answers
    #[arg(long, value_name = "N")]
    agree: Option<u64>,
    /// A cargo-testsmith to measure instead of building one from this checkout
    #[arg(long)]
    testsmith: Option<PathBuf>,
    /// Where the figures go as JSON, target/bench/execute.json (or agree.json) by default
    #[arg(long)]
    out: Option<PathBuf>,
}

pub(crate) fn run(repo: &Repo, args: &Args) -> Result<()> {
    let (wanted, tool) = super::ready(repo, &args.crates, args.testsmith.as_deref())?;
    let mut rows = Vec::new();
    let each = args.agree.map(|all| all.div_ceil(wanted.len().max(1) as u64));
    println!("{}", if each.is_some() { agree::HEAD } else { HEAD });
    for subject in &wanted {
        let row = match each {
            Some(each) => agree::measure(repo, each, subject, &tool)?,
            None => measure(repo, args, subject, &tool)?,
        };
        println!("{}", if each.is_some() { agree::line(&row) } else { line(&row) });
        rows.push(row);
        let name = if each.is_some() { "bench/agree.json" } else { "bench/execute.json" };
        let out = args.out.clone().unwrap_or_else(|| repo.target().join(name));
        let text = serde_json::to_string_pretty(&json!({ "crates": rows })).context("write the figures")?;
        files::write(&out, &text)?;
    }
    if each.is_some() {
        println!("{}", agree::sum(&rows));
        return Ok(());
    }
    let shares = rows.iter().filter_map(share);
    println!(
        "\nexecuted, of what is neither unsafe nor takes raw pointers: median {:.1} %",
        median(shares).unwrap_or_default()
    );
    Ok(())
}

/// One crate: a plain build for comparison, then the API, then random programs.
fn measure(repo: &Repo, args: &Args, subject: &Subject, tool: &Path) -> Result<Value> {
    let package = copy(repo, subject)?;
    let started = Instant::now();
    shell::run(repo.cargo().args(["build", "--quiet"]).current_dir(&package))?;
    let build = started.elapsed().as_secs_f64();
    let run = |command: &str, more: &[&str]| said(tool, &package, command, more);
    // Cold, so that the time to the first execution is that of a newcomer.
    let (seconds, replay) = (args.seconds.to_string(), args.replay.to_string());
    let executed = run("execute", &["--seconds", &seconds, "--replay", &replay])?;
    let inspected = run("inspect", &[])?;
    Ok(
        json!({ "crate": subject.folder(), "build_seconds": build, "inspect": inspected, "execute": executed }),
    )
}

/// A copy of a subject of our own.
fn copy(repo: &Repo, subject: &Subject) -> Result<PathBuf> {
    let home = repo.target().join("bench/execute").join(subject.folder());
    files::fresh_dir(&home)?;
    let package = home.join("package");
    files::copy_package(&subject.path(repo), &package)?;
    Ok(package)
}

/// What a command of the tool says about a package.
fn said(tool: &Path, package: &Path, command: &str, more: &[&str]) -> Result<Value> {
    let mut process = std::process::Command::new(tool);
    process.args(["testsmith", command, "--json", "--quiet"]).args(more).current_dir(package);
    serde_json::from_str(&shell::stdout(&mut process)?).context(format!("read what `{command}` says"))
}

const HEAD: &str = "crate                  found  unsafe  compiled  executed  to first  (build)  isolation   mutants  reached  \
                    killed  flaky  programs/s  | given: programs/s  observed/s  mutant runs/s  MiB early, late";

fn line(row: &Value) -> String {
    let (inspect, execute) = (&row["inspect"], &row["execute"]);
    let number = |value: &Value| value.as_f64().unwrap_or_default();
    let mib = |value: &Value| number(value) / f64::from(1 << 20);
    let replay = &execute["replay"];
    format!(
        "{:22} {:5}  {:6}  {:8}  {:8}  {:6.1} s  {:5.1} s  {:10}  {:7}  {:7}  {:6}  {:5}  {:10.0}  | {:17.0}  {:10.0}  \
         {:13.0}  {:.1}, {:.1}",
        row["crate"].as_str().unwrap_or_default(),
        inspect["callables"]["found"],
        unsafe_ones(inspect),
        inspect["callables"]["testable"],
        execute["executed"],
        number(&execute["seconds_to_first"]),
        number(&row["build_seconds"]),
        execute["isolation"]["mode"].as_str().unwrap_or_default(),
        execute["mutants"],
        execute["reached"],
        execute["killed"],
        number(&execute["unconfirmed"]) + number(&execute["flaky"]),
        number(&execute["programs"]) / number(&execute["seconds"]),
        number(&replay["programs_per_second"]),
        number(&replay["observed_per_second"]),
        number(&replay["mutant_runs_per_second"]),
        mib(&replay["early_bytes"]),
        mib(&replay["late_bytes"]),
    )
}

/// Callables that are counted apart.
fn unsafe_ones(inspect: &Value) -> usize {
    let skipped = inspect["callables"]["skipped"].as_array();
    let is_unsafe = |one: &&Value| matches!(one["reason"].as_str(), Some("unsafe" | "raw pointer"));
    skipped.map_or(0, |skipped| skipped.iter().filter(is_unsafe).count())
}

/// Percent of the callables that were executed.
fn share(row: &Value) -> Option<f64> {
    let found = row["inspect"]["callables"]["found"].as_f64()?;
    let executed = row["execute"]["executed"].as_f64()?;
    Some(100.0 * executed / (found - unsafe_ones(&row["inspect"]) as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsafe_callables_do_not_count() {
        let skipped = json!([{ "reason": "unsafe" }, { "reason": "async" }]);
        let row = json!({
            "inspect": { "callables": { "found": 12, "skipped": skipped } },
            "execute": { "executed": 10 },
        });
        assert_eq!(share(&row), Some(100.0 * 10.0 / 11.0));
    }
}
