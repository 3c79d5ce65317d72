//! `cargo xtask bench score`: testsmith, cargo-mutants and cargo-gamma on the same crates.
//!
//! Each tool gets its own copy of a crate and runs cold (no target folder), then warm. Every run is
//! kept as a [`Record`] below `target/bench/raw`; `report` and `agreement` only read records.

mod agreement;
mod gamma;
mod mutant;
mod mutants;
mod record;
mod report;
mod table;
mod testsmith;
mod tools;

use std::path::PathBuf;
use std::time::Duration;

use self::record::{Record, Run};
use self::tools::{Place, Tool};
use super::measure::measure;
use crate::fail::{Context, Result};
use crate::files;
use crate::repo::Repo;
use crate::subjects::{self, Set, Subject};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Subjects to run on, all of the set "score" by default
    #[arg(long, value_delimiter = ',')]
    crates: Vec<String>,
    /// Runs to measure; warm comes right after cold, on its target folder
    #[arg(long, value_delimiter = ',', default_value = "cold,warm")]
    runs: Vec<Run>,
    /// Measure testsmith alone
    #[arg(long, conflicts_with = "reuse_peers")]
    skip_peers: bool,
    /// Peers to measure: cargo-mutants, cargo-mutants-j2, cargo-gamma; all by default
    #[arg(long, value_delimiter = ',')]
    peers: Vec<String>,
    /// Take the peers' figures from earlier runs where there are any
    #[arg(long)]
    reuse_peers: bool,
    /// Let cargo-mutants run unit and integration tests only, as the other tools do
    #[arg(long)]
    no_doctests: bool,
    /// Stop a run after this many minutes
    #[arg(long, default_value_t = 60)]
    limit: u64,
    /// Where the figures go as JSON, target/bench/score.json by default
    #[arg(long)]
    out: Option<PathBuf>,
    /// A cargo-testsmith to measure instead of building one from this checkout
    #[arg(long)]
    testsmith: Option<PathBuf>,
}

pub(crate) fn run(repo: &Repo, args: &Args) -> Result<()> {
    let wanted =
        if args.crates.is_empty() { subjects::of_set(Set::Score) } else { subjects::named(&args.crates)? };
    subjects::ensure(repo, &wanted)?;
    let tools = tools::ready(repo, args)?;
    let mut records = Vec::new();
    for subject in &wanted {
        for tool in &tools {
            records.extend(runs_of(repo, args, subject, tool)?);
        }
        // Also after each crate: hours of measuring should survive an interruption.
        write_report(repo, args, &records)?;
    }
    print!("{}", report::text(&records));
    println!("\nwritten to {}", report_path(repo, args).display());
    Ok(())
}

fn write_report(repo: &Repo, args: &Args, records: &[Record]) -> Result<()> {
    let json = serde_json::to_string_pretty(&report::json(records)).context("write the report as JSON")?;
    files::write(&report_path(repo, args), &json)
}

fn report_path(repo: &Repo, args: &Args) -> PathBuf {
    args.out.clone().unwrap_or_else(|| repo.target().join("bench/score.json"))
}

/// The runs of one tool on one crate, cold before warm; a tool that gave up is not asked again.
fn runs_of(repo: &Repo, args: &Args, subject: &Subject, tool: &Tool) -> Result<Vec<Record>> {
    let runs: Vec<Run> =
        Run::ALL.iter().copied().filter(|run| args.runs.contains(run) && tool.has(*run)).collect();
    if args.reuse_peers && tool.is_peer() {
        let earlier: Vec<Record> = runs.iter().filter_map(|run| earlier(repo, subject, tool, *run)).collect();
        let complete = earlier.len() == runs.len() || earlier.iter().any(|record| record.gave_up.is_some());
        if complete {
            return Ok(earlier);
        }
    }
    measured_runs(repo, args, subject, tool, &runs)
}

fn measured_runs(
    repo: &Repo,
    args: &Args,
    subject: &Subject,
    tool: &Tool,
    runs: &[Run],
) -> Result<Vec<Record>> {
    let home = repo.target().join("bench/score").join(subject.folder()).join(tool.folder());
    files::fresh_dir(&home)?;
    let package = home.join("package");
    files::copy_package(&subject.path(repo), &package)?;
    let mut records = Vec::new();
    // A warm run needs the cold one before it, whether it was asked for or not.
    for run in Run::up_to(runs) {
        let place = Place { package: package.clone(), out: home.join(run.name()) };
        files::fresh_dir(&place.out)?;
        let record = one_run(args, subject, tool, &place, run)?;
        println!("{}", report::line(&record));
        if runs.contains(&run) {
            keep(repo, subject, tool, &record)?;
            records.push(record.clone());
        }
        if record.gave_up.is_some() {
            break;
        }
    }
    Ok(records)
}

fn one_run(args: &Args, subject: &Subject, tool: &Tool, place: &Place, run: Run) -> Result<Record> {
    let limit = Duration::from_secs(args.limit * 60);
    let measured = measure(&mut tool.command(place), &place.out.join("log"), limit)?;
    let mut record = Record::of(subject, tool, run, &measured);
    if measured.stopped {
        record.gave_up = Some(format!("stopped after {} minutes", args.limit));
    } else {
        match tool.read(place, &measured) {
            Ok(reading) => record.take(reading),
            Err(why) => record.gave_up = Some(why),
        }
    }
    Ok(record)
}

fn record_path(repo: &Repo, subject: &Subject, tool: &Tool, run: Run) -> PathBuf {
    let name = format!("{}-{}.json", tool.folder(), run.name());
    repo.target().join("bench/raw").join(subject.folder()).join(name)
}

fn keep(repo: &Repo, subject: &Subject, tool: &Tool, record: &Record) -> Result<()> {
    let json = serde_json::to_string_pretty(record).context("write a record as JSON")?;
    files::write(&record_path(repo, subject, tool, record.run), &json)
}

/// A kept record, if it was made by the same version of the tool; one that cannot be read is
/// measured again.
fn earlier(repo: &Repo, subject: &Subject, tool: &Tool, run: Run) -> Option<Record> {
    let text = files::read(&record_path(repo, subject, tool, run)).ok()?;
    let record: Record = serde_json::from_str(&text).ok()?;
    (record.version == tool.version).then_some(record)
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use serde_json::json;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: Args,
    }

    /// Runs a testsmith that is this shell script.
    fn run_of_script(name: &str, script: &str) -> Record {
        let home = std::env::temp_dir().join(format!("xtask-score-{}-{name}", std::process::id()));
        files::fresh_dir(&home).unwrap();
        let args = Line::parse_from(["score"]).args;
        let place = Place { package: home.clone(), out: home.clone() };
        let subject = subjects::named(&["heck".to_owned()]).unwrap()[0];
        let record = one_run(&args, &subject, &Tool::scripted(script), &place, Run::Cold).unwrap();
        std::fs::remove_dir_all(&home).unwrap();
        record
    }

    #[test]
    fn survivors_are_no_failure_of_the_tool() {
        let report = testsmith::tests::report(&json!([]));
        let record = run_of_script("survivors", &format!("echo '{report}'; exit 2"));
        assert_eq!((&record.gave_up, record.tally.judged()), (&None, 3));
        assert_eq!((record.subject.as_str(), record.tool.as_str()), ("heck-0.5.0", "testsmith"));
        assert!(record.ms_per_mutant().is_some());
    }

    #[test]
    fn a_tool_that_fails_gives_its_last_words() {
        let record = run_of_script("failure", "echo working; echo 'no such crate' >&2; exit 70");
        assert_eq!(record.gave_up.as_deref(), Some("exit code 70: no such crate"));
        assert_eq!(record.ms_per_mutant(), None);
    }
}
