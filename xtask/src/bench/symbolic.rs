//! `cargo xtask bench symbolic`: the engine on the programs of `testdata/symbolic`, and its speed without inputs.
//!
//! `program` compiles and reads what a program declares, `explore` runs the loop on it, `concrete` times plain execution against
//! wasmi, `recorder` keeps the queries that were asked. A misprediction, a wrong model or a goal that is not reached fails.

mod concrete;
mod explore;
mod processor;
mod program;
mod recorder;
mod table;

use std::path::PathBuf;
use std::time::Duration;

use crate::fail::{Fail, Result};
use crate::repo::Repo;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Folder of programs
    #[arg(long, default_value = "testdata/symbolic")]
    programs: PathBuf,
    /// Only programs whose name contains one of these
    #[arg(long)]
    only: Vec<String>,
    /// Seconds of processor time for each program
    #[arg(long, default_value_t = 6.0)]
    seconds: f64,
    /// Seconds for each query
    #[arg(long, default_value_t = 1.0)]
    query: f64,
    /// Go on behind the last goal, until all paths are known or the time is up
    #[arg(long)]
    paths: bool,
    /// How addresses that depend on inputs are treated
    #[arg(long, value_enum, default_value = "cost")]
    heap: explore::Heap,
    /// Write queries of different sizes to this folder, at most `--each` of a program
    #[arg(long)]
    record: Option<PathBuf>,
    /// Queries that are kept of each program
    #[arg(long, default_value_t = 3)]
    each: usize,
    /// Only the programs, not the speed of concrete execution
    #[arg(long)]
    no_concrete: bool,
}

pub(crate) fn run(repo: &Repo, args: &Args) -> Result<()> {
    let folder = repo.root().join(&args.programs);
    let programs = program::read(&folder, &args.only)?;
    let settings = explore::Settings {
        time: Duration::from_secs_f64(args.seconds),
        query: Duration::from_secs_f64(args.query),
        all_paths: args.paths,
        heap: args.heap,
    };
    table::head();
    let mut rows = Vec::new();
    for program in &programs {
        let row = explore::explore(program, &settings, args.record.is_some())?;
        table::line(&row);
        if let Some(folder) = &args.record {
            recorder::keep(folder, &program.name, &row.queries, args.each)?;
        }
        rows.push(row);
    }
    table::sums(&rows);
    if !args.no_concrete {
        concrete::compare(&folder.join("concrete/work.rs"), &program::flags(&folder)?)?;
    }
    let problems = table::problems(&rows);
    if problems.is_empty() { Ok(()) } else { Err(Fail::new(problems.join("\n"))) }
}
