//! `cargo xtask bench <name>`: measurements, alone and against the peers.
//!
//! One variant of [`Bench`] and one module a bench; `measure`, `median` and `peers` are what they share.

mod elsewhere;
mod execute;
mod generate;
mod judged;
mod killing;
mod manifests;
mod measure;
mod median;
mod peers;
mod programs;
mod quality;
mod rank_sum;
mod score;
mod solver;
mod stateful;
mod strategies;
mod symbolic;
mod test_binary;
mod worlds;

use std::path::{Path, PathBuf};

use crate::fail::Result;
use crate::repo::Repo;
use crate::subjects::{self, Subject};
use crate::tool;

#[derive(clap::Subcommand)]
pub(crate) enum Bench {
    /// Mutation analysis: time a mutant, against cargo-mutants and cargo-gamma, and the same verdicts
    Score(score::Args),
    /// Twenty crates that nothing was tried on before: their tests run without a sandbox, elsewhere, and a day later
    Elsewhere(elsewhere::Args),
    /// The harness: what can be called, how fast, and what random programs kill
    Execute(execute::Args),
    /// Written tests: what they kill, alone and beside the existing ones, and what they are like
    Generate(generate::Args),
    /// Inputs that a solver finds: PexMutator's five subjects, and what is left of real crates
    Killing(killing::Args),
    /// Odd manifests: tests that are green under the user's own lints, or a clear refusal
    Manifests(manifests::Args),
    /// The borrow rules of test programs against rustc, on real crates
    Programs(programs::Args),
    /// What written tests look like to a reviewer: which rules they break
    Quality(quality::Args),
    /// The embedded solver against external ones, on recorded queries
    Solver(solver::Args),
    /// Contracts, reduction and the store: faults, soundness, complete conditions of panics, a million objects, second runs, kills
    Stateful(stateful::Args),
    /// Ways to come by programs against each other: kills at equal executions, over many seeds
    Strategies(strategies::Args),
    /// The symbolic engine: goals of small programs, self-checks, and its speed against wasmi
    Symbolic(symbolic::Args),
    /// Other worlds: tests that pin something unstable, how many are found out; and existing tests, how many are blamed in vain
    Worlds(worlds::Args),
}

pub(crate) fn run(repo: &Repo, bench: &Bench) -> Result<()> {
    match bench {
        Bench::Score(args) => score::run(repo, args),
        Bench::Elsewhere(args) => elsewhere::run(repo, args),
        Bench::Execute(args) => execute::run(repo, args),
        Bench::Generate(args) => generate::run(repo, args),
        Bench::Killing(args) => killing::run(repo, args),
        Bench::Manifests(args) => manifests::run(repo, args),
        Bench::Programs(args) => programs::run(repo, args),
        Bench::Quality(args) => quality::run(repo, args),
        Bench::Solver(args) => solver::run(repo, args),
        Bench::Stateful(args) => stateful::run(repo, args),
        Bench::Strategies(args) => strategies::run(repo, args),
        Bench::Symbolic(args) => symbolic::run(repo, args),
        Bench::Worlds(args) => worlds::run(repo, args),
    }
}

/// The subjects of these names, fetched, and the tool that is measured on them.
fn ready(repo: &Repo, names: &[String], testsmith: Option<&Path>) -> Result<(Vec<Subject>, PathBuf)> {
    let wanted = subjects::named(names)?;
    subjects::ensure(repo, &wanted)?;
    Ok((wanted, tool::measured(repo, testsmith)?))
}
