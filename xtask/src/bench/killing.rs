//! `cargo xtask bench killing`: what goals of a solver kill.
//!
//! `table` repeats PexMutator's experiment on five subjects of ours (`testdata/pexmutator`): executed, weakly and strongly killed
//! mutants after parts of a budget, by goals. `left_over` asks what a solver kills of real crates' mutants that all other
//! strategies leave alive, and whether what the engine calls equivalent is so.
//!
//! Budgets are executions, of which the work of the engine is a part: they do not depend on what else the machine does.

mod left_over;
mod table;

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::fail::{Context, Result};
use crate::repo::Repo;
use crate::{shell, tool};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Subjects of the table, all of testdata/pexmutator by default
    #[arg(long, value_delimiter = ',')]
    subjects: Vec<String>,
    /// Instead of the table, what is left of these crates (see `cargo xtask subjects`)
    #[arg(long, value_delimiter = ',')]
    crates: Vec<String>,
    /// Goals: `paths`, `weak`, `strong` and `all` of the solver, or `nothing` for the search without it
    #[arg(long, value_delimiter = ',', default_value = "paths,weak,strong,nothing")]
    goals: Vec<String>,
    /// The whole budget, in executions
    #[arg(long, default_value_t = 40_000)]
    executions: u64,
    /// Searches of each kind, with seeds from 1
    #[arg(long, default_value_t = 3)]
    seeds: u64,
    /// A cargo-testsmith to measure instead of building one from this checkout
    #[arg(long)]
    testsmith: Option<PathBuf>,
    /// Where the figures go as JSON, target/bench/killing.json by default
    #[arg(long)]
    out: Option<PathBuf>,
}

pub(crate) fn run(repo: &Repo, args: &Args) -> Result<()> {
    let out = args.out.clone().unwrap_or_else(|| repo.target().join("bench/killing.json"));
    let tool = tool::measured(repo, args.testsmith.as_deref())?;
    match args.crates.is_empty() {
        true => table::run(repo, args, &tool, &out),
        false => left_over::run(repo, args, &tool, &out),
    }
}

/// One search: what `execute` says of it.
struct Search<'a> {
    tool: &'a Path,
    package: &'a Path,
    executions: u64,
    seed: u64,
}

impl Search<'_> {
    /// With these goals of the solver from this part of the budget on.
    fn run(&self, strategy: &str, goals: &str, after: f64, more: &[&str]) -> Result<Value> {
        let mut process = Command::new(self.tool);
        process.args(["testsmith", "execute", "--json", "--quiet", "--strategy", strategy]);
        process.args(["--executions", &self.executions.to_string(), "--seed", &self.seed.to_string()]);
        process.args(["--solve", goals, "--solve-after", &after.to_string()]).args(more);
        process.current_dir(self.package).env_remove("CARGO_TARGET_DIR");
        serde_json::from_str(&shell::stdout(&mut process)?).context("read what `execute` says")
    }
}
