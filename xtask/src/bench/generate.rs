//! `cargo xtask bench generate`: the tests that the tool writes for real crates, alone and beside the existing ones, and
//! what others say of them.
//!
//! `alone` writes tests for all mutants and compares with the crate's own tests and with random calls, of which no test is
//! written; `beside` for the mutants that those leave
//! alive, also as a share of those that `xtask/equivalents/` does not judge beyond every test. With `--peer`,
//! cargo-mutants judges the written tests alone, of code that is compiled and of all; with `--coverage`, LLVM counts what
//! they execute.

mod coverage;
mod peer;

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::judged::Judged;
use super::median::median;
use super::peers::MUTANTS;
use crate::fail::{Context, Result};
use crate::repo::Repo;
use crate::subjects::{self, Subject};
use crate::{files, shell};

/// The crates that random calls were first tried on.
const CRATES: &str = "strsim,semver,fixedbitset,humantime,heck,slab,smallvec,arrayvec,textwrap,hex,indexmap";

/// So often the written tests have to pass.
const RUNS: usize = 20;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Subjects to run on
    #[arg(long, value_delimiter = ',', default_value = CRATES)]
    crates: Vec<String>,
    /// Time of the search
    #[arg(long, default_value = "60s")]
    budget: String,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Seconds of random calls, to compare with
    #[arg(long, default_value = "30")]
    random: String,
    /// Also judge the written tests with cargo-mutants
    #[arg(long)]
    peer: bool,
    /// Only judge, with cargo-mutants, the tests that an earlier run has written
    #[arg(long, conflicts_with_all = ["peer", "coverage", "testsmith"])]
    only_peer: bool,
    /// Let cargo-mutants judge a part of its mutants only, every N-th from the K-th on: K/N
    #[arg(long)]
    peer_shard: Option<String>,
    /// Also count the lines, regions and branch sides that the written tests execute
    #[arg(long)]
    coverage: bool,
    /// A cargo-testsmith to measure instead of building one from this checkout
    #[arg(long)]
    testsmith: Option<PathBuf>,
    /// Where the figures go as JSON, target/bench/generate.json by default
    #[arg(long)]
    out: Option<PathBuf>,
}

pub(crate) fn run(repo: &Repo, args: &Args) -> Result<()> {
    if args.only_peer {
        return judge(repo, args);
    }
    let (wanted, tool) = super::ready(repo, &args.crates, args.testsmith.as_deref())?;
    let peer = if args.peer { Some(MUTANTS.ensure(repo)?) } else { None };
    if args.coverage {
        // Better now than after minutes.
        coverage::tools()?;
    }
    println!("{HEAD}");
    let mut rows = Vec::new();
    for subject in &wanted {
        let row = Bench { repo, args, tool: &tool, peer: peer.as_deref(), subject }.measure()?;
        println!("{}", line(&row));
        if args.coverage {
            println!("  {}", covered(&row["coverage"]));
        }
        rows.push(row);
        let out = args.out.clone().unwrap_or_else(|| repo.target().join("bench/generate.json"));
        let text = serde_json::to_string_pretty(&json!({ "crates": rows })).context("write the figures")?;
        files::write(&out, &text)?;
    }
    Ok(())
}

/// What cargo-mutants says of tests that are there.
fn judge(repo: &Repo, args: &Args) -> Result<()> {
    let peer = MUTANTS.ensure(repo)?;
    let mut rows = Vec::new();
    for subject in &subjects::named(&args.crates)? {
        let judged =
            peer::judge(repo, &peer, &home(repo, subject).join("alone/package"), args.peer_shard.as_deref())?;
        println!("{:22} {}", subject.folder(), verdict(&judged));
        rows.push(json!({ "crate": subject.folder(), "peer": judged }));
        let out = args.out.clone().unwrap_or_else(|| repo.target().join("bench/generate-peer.json"));
        let text = serde_json::to_string_pretty(&json!({ "crates": rows })).context("write the figures")?;
        files::write(&out, &text)?;
    }
    Ok(())
}

/// Where the copies of a subject are.
fn home(repo: &Repo, subject: &Subject) -> PathBuf {
    repo.target().join("bench/generate").join(subject.folder())
}

struct Bench<'a> {
    repo: &'a Repo,
    args: &'a Args,
    tool: &'a Path,
    peer: Option<&'a Path>,
    subject: &'a Subject,
}

/// The exit code where cargo has to be told of the written tests: published manifests turn off what would find them.
const NOT_RUN_YET: i32 = 9;

impl Bench<'_> {
    fn measure(&self) -> Result<Value> {
        let beside = self.copy("beside")?;
        let own = self.said(&beside, "score", &[], true)?;
        let kept = self.generate(&beside, &[])?;
        let package = self.copy("alone")?;
        let alone = self.generate(&package, &["--all-mutants"])?;
        let random = self.said(&package, "execute", &["--seconds", &self.args.random], false)?;
        let passes = self.passes(&package)?;
        let clean = self.clippy(&package)?;
        let shard = self.args.peer_shard.as_deref();
        let peer = self.peer.map(|peer| peer::judge(self.repo, peer, &package, shard)).transpose()?;
        let covered = self.args.coverage.then(|| coverage::coverage(self.repo, &package)).transpose()?;
        let judged = Judged::load(self.repo, &self.subject.folder())?;
        Ok(json!({
            "judged": { "alone": left_out(&judged, &alone), "beside": left_out(&judged, &kept) },
            "coverage": covered,
            "crate": self.subject.folder(), "own": own["mutants"], "own_score": own["score"], "alone": alone,
            "beside": kept, "random": random, "passes": passes, "clippy": clean, "peer": peer,
        }))
    }

    /// A copy of the subject of our own.
    fn copy(&self, name: &str) -> Result<PathBuf> {
        let home = home(self.repo, self.subject).join(name);
        files::fresh_dir(&home)?;
        let package = home.join("package");
        files::copy_package(&self.subject.path(self.repo), &package)?;
        Ok(package)
    }

    /// Writes tests, and tells cargo of them where it has to be told.
    fn generate(&self, package: &Path, more: &[&str]) -> Result<Value> {
        let seed = self.args.seed.to_string();
        let usual = ["--budget", &self.args.budget, "--seed", &seed];
        let document = self.said(package, "generate", &[&usual[..], more].concat(), false)?;
        if let Some(lines) = document["manifest"].as_str() {
            let path = package.join("Cargo.toml");
            let manifest = std::fs::read_to_string(&path).context("read the manifest")?;
            files::write(&path, &format!("{manifest}\n{lines}\n"))?;
        }
        Ok(document)
    }

    /// What a command of the tool says; survivors are no failure of the command where it says so.
    fn said(&self, package: &Path, command: &str, more: &[&str], may_survive: bool) -> Result<Value> {
        let mut process = Command::new(self.tool);
        process.args(["testsmith", command, "--json", "--quiet"]).args(more).current_dir(package);
        if may_survive {
            process.args(["--min-score", "0"]);
        }
        let text = shell::stdout_or(&mut process, NOT_RUN_YET)?;
        serde_json::from_str(&text).context(format!("read what `{command}` says"))
    }

    fn cargo(&self, package: &Path, words: &[&str]) -> Command {
        let mut cargo = self.repo.cargo();
        cargo.args(words).current_dir(package).env_remove("CARGO_TARGET_DIR");
        cargo
    }

    /// How many of some runs of the written tests pass.
    fn passes(&self, package: &Path) -> Result<usize> {
        let mut passed = 0;
        for _ in 0..RUNS {
            let run = self.cargo(package, &["test", "--quiet", "--test", "testsmith"]).output();
            passed += usize::from(run.context("run the written tests")?.status.success());
        }
        Ok(passed)
    }

    /// Whether clippy finds nothing in the written tests.
    fn clippy(&self, package: &Path) -> Result<bool> {
        let words = ["clippy", "--quiet", "--test", "testsmith", "--no-deps", "--message-format=short"];
        let output = self.cargo(package, &words).output().context("run clippy")?;
        let said = String::from_utf8_lossy(&output.stderr);
        let own: Vec<&str> = said.lines().filter(|line| line.contains("tests/testsmith/")).collect();
        own.iter().for_each(|line| println!("  {line}"));
        Ok(own.is_empty())
    }
}

/// How many survivors of a run are not counted, by kind; judgements that the run refutes are printed.
fn left_out(judged: &Judged, run: &Value) -> Value {
    let left = judged.of(run);
    left.complaints().iter().for_each(|line| println!("  {line}"));
    left.document()
}

fn covered(coverage: &Value) -> String {
    let percent = |what: &str| coverage[what].as_f64().unwrap_or_default();
    format!(
        "executed: {:.1} % of the lines, {:.1} % of the regions, {:.1} % of {} branch sides",
        percent("lines"),
        percent("regions"),
        percent("branches"),
        coverage["branch_sides"]
    )
}

const HEAD: &str = "crate                  mutants  own tests  random  written   peer (with off)    seconds (search)  tests  lines  statements  \
                    assertions  on text  on full buffer  pass   clippy  lost   survivors killed  of killable";

fn share(part: f64, whole: f64) -> f64 {
    if whole == 0.0 { 100.0 } else { part * 100.0 / whole }
}

/// What is caught of the peer's mutants that are compiled, and of all.
fn verdict(peer: &Value) -> String {
    let number = |name: &str| peer[name].as_f64().unwrap_or_default();
    let compiled = share(number("caught"), number("judged") - number("not_compiled"));
    let all = share(number("caught"), number("judged"));
    match peer["shard"].as_str() {
        Some(shard) => format!("{compiled:.1} % ({all:.1} %) of part {shard}, {} mutants", number("judged")),
        None => format!("{compiled:.1} % ({all:.1} %)"),
    }
}

fn line(row: &Value) -> String {
    let (alone, beside) = (&row["alone"], &row["beside"]);
    let number = |value: &Value| value.as_f64().unwrap_or_default();
    let live = number(&alone["mutants"]["generated"]) - number(&alone["mutants"]["unviable"]);
    let killed = number(&alone["mutants"]["killed_by_generated"]);
    let written = alone["written"].as_array().map(Vec::as_slice).unwrap_or_default();
    let median = |key: &str| median(written.iter().map(|test| number(&test[key]))).unwrap_or_default();
    let all = |key: &str| -> f64 { written.iter().map(|test| number(&test[key])).sum() };
    let open = live - number(&beside["mutants"]["killed_by_existing"]);
    let closed = number(&beside["mutants"]["killed_by_generated"]);
    let found = number(&alone["yield"]["found"]);
    let peer = if row["peer"].is_null() { "-".to_owned() } else { verdict(&row["peer"]) };
    format!(
        "{:22} {:7}  {:7.1} %  {:4.1} %  {:5.1} %  {peer:>17}  {:7.0} ({:4.0})  {:9}  {:5}  {:10}  {:10}  {:5.1} %  {:12.1} %  {:2}/{RUNS}  {:6}  \
         {:.1} %  {:14.1} %  {:9.1} %",
        row["crate"].as_str().unwrap_or_default(),
        live,
        number(&row["own_score"]),
        share(number(&row["random"]["killed"]), number(&row["random"]["mutants"])),
        share(killed, live),
        number(&alone["seconds"]["total"]),
        number(&alone["seconds"]["search"]),
        alone["tests"],
        alone["lines"],
        median("statements"),
        median("assertions"),
        share(all("on_text"), number(&alone["assertions"])),
        share(all("on_full_buffer"), number(&alone["assertions"])),
        row["passes"],
        if row["clippy"] == true { "clean" } else { "not" },
        share(found - killed, found),
        share(closed, open),
        share(closed, open - number(&row["judged"]["beside"]["all"])),
    )
}
