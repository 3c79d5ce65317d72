//! `cargo xtask bench solver`: the embedded solver against every external one that is there, on the recorded queries.
//!
//! `queries` reads them, `external` talks to processes, `table` counts. Two solvers that disagree, and a model that does not hold, are
//! failures of the bench.

mod external;
mod queries;
mod table;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use testsmith_symex::expr::Exprs;
use testsmith_symex::solver::{Answer, External, Layered, Limit, Reason, Solver};

use crate::fail::{Fail, Result};
use crate::repo::Repo;
use external::{Found, Process};
use queries::Recorded;
use table::{Outcome, Row};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Folder of queries
    #[arg(long, default_value = "testdata/queries")]
    queries: PathBuf,
    /// Only queries whose name contains this
    #[arg(long, default_value = "")]
    only: String,
    /// Seconds for each query
    #[arg(long, default_value_t = 5.0)]
    limit: f64,
    /// Folders in which external solvers are looked for besides PATH; a python3 there may have their modules
    #[arg(long)]
    solvers: Vec<PathBuf>,
    /// Print every query that took longer than this, in milliseconds, or was not solved
    #[arg(long)]
    slow: Option<f64>,
}

pub(crate) fn run(repo: &Repo, args: &Args) -> Result<()> {
    let recorded = queries::read(&repo.root().join(&args.queries), &args.only)?;
    let limit = Limit::time(Duration::from_secs_f64(args.limit));
    println!("{} queries, {} s each", recorded.len(), args.limit);
    let mut rows = vec![row("embedded", &recorded, args, |query| {
        let mut exprs = query.exprs.clone();
        ask(&mut Layered::new(), &mut exprs, query, &limit)
    })];
    for found in external::find(&args.solvers) {
        let mut solver = External::new(Process::start(&found)?);
        warm(&mut solver);
        rows.push(row(&found.label, &recorded, args, |query| {
            let mut exprs = query.exprs.clone();
            ask(&mut solver, &mut exprs, query, &limit)
        }));
    }
    table::print(&rows);
    let problems = table::problems(&rows, &recorded);
    problems.iter().for_each(|problem| println!("{problem}"));
    if problems.is_empty() { Ok(()) } else { Err(Fail::new(format!("{} wrong answers", problems.len()))) }
}

/// A process that has just started is slow for its first answer, which is not the solver's doing.
fn warm(solver: &mut impl Solver) {
    solver.check(&mut Exprs::new(), &[Exprs::TRUE], &Limit::default());
}

fn row(name: &str, recorded: &[Recorded], args: &Args, mut ask: impl FnMut(&Recorded) -> Outcome) -> Row {
    let outcomes = recorded.iter().map(|query| {
        let outcome = ask(query);
        let slow = args.slow.is_some_and(|slow| outcome.ms > slow || !outcome.solved());
        if slow {
            println!(
                "    {name:24} {:32} {:8} {:9.1} ms  {}",
                query.name, outcome.word, outcome.ms, outcome.note
            );
        }
        outcome
    });
    Row { name: name.to_owned(), outcomes: outcomes.collect() }
}

fn ask(solver: &mut impl Solver, exprs: &mut Exprs, query: &Recorded, limit: &Limit) -> Outcome {
    let began = Instant::now();
    let answer = solver.check(exprs, &query.constraints, limit);
    let ms = began.elapsed().as_secs_f64() * 1e3;
    let holds = |answer: &Answer| match answer {
        Answer::Sat(model) => {
            query.constraints.iter().all(|&constraint| query.exprs.eval(constraint, model) == 1)
        }
        _ => true,
    };
    let (word, note) = match &answer {
        answer if !holds(answer) => ("wrong", "its model does not hold".to_owned()),
        Answer::Unknown(reason) => ("unknown", text(reason)),
        answer => (answer.word(), String::new()),
    };
    Outcome { word: word.to_owned(), ms, note }
}

fn text(reason: &Reason) -> String {
    reason.to_string().chars().take(80).collect()
}

impl Found {
    /// How the row is called.
    fn new(label: &str, program: PathBuf, args: &[&str]) -> Self {
        Self { label: label.to_owned(), program, args: args.iter().map(|&arg| arg.to_owned()).collect() }
    }
}
