//! Set-up, checks and benches of this repository: `cargo xtask <command>`.
//!
//! This file only maps a command to its module; each module has one `run` that does the work and
//! returns a [`Fail`](fail::Fail) where it cannot.

mod bench;
mod demo;
mod fail;
mod files;
mod repo;
mod setup;
mod shell;
mod subjects;
mod test;
mod tidy;
mod tool;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use crate::fail::{Context, Result};
use crate::repo::Repo;

/// Set-up, checks and benches of this repository.
#[derive(Parser)]
#[command(name = "cargo xtask", disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    task: Option<Task>,
}

#[derive(Subcommand)]
enum Task {
    /// Check that the machine has what this repository needs, and add what can be added
    Setup,
    /// Score the bundled example crate
    Demo,
    /// Run every test of the workspace
    Test,
    /// Check the rules of this repository that the compiler does not know
    Tidy(tidy::Args),
    /// Fetch the real crates that the benches run on
    Subjects(subjects::Args),
    /// Measure testsmith, alone and against its peers
    #[command(subcommand)]
    Bench(bench::Bench),
}

fn main() -> ExitCode {
    match dispatch(Cli::parse().task) {
        Ok(()) => ExitCode::SUCCESS,
        Err(fail) => {
            eprintln!("error: {fail}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(task: Option<Task>) -> Result<()> {
    let Some(task) = task else {
        return Cli::command().print_help().context("print the help");
    };
    let repo = Repo::find()?;
    match task {
        Task::Setup => setup::run(&repo),
        Task::Demo => demo::run(&repo),
        Task::Test => test::run(&repo),
        Task::Tidy(args) => tidy::run(&repo, &args),
        Task::Subjects(args) => subjects::run(&repo, &args),
        Task::Bench(bench) => bench::run(&repo, &bench),
    }
}
