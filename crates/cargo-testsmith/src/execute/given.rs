//! Programs of a file, one JSON document a line, on the original: how each ended and what was seen. All in one batch,
//! so that whatever one of them does to its process is a matter of those around it.

use std::path::Path;

use serde::Serialize;
use testsmith_exec::{Tally, WorkerPool, encode, ending, from_json, show};
use testsmith_ir::{Api, Program, check};
use testsmith_rt::harness::wire::{self, At, Batch, Mutants, Observation, Observations, Options, Outcome};

use super::{Environment, failure};
use crate::failure::{Failure, IoContext};
use crate::isolation::{Gap, IsolationReport};
use crate::report::json::SCHEMA;

#[derive(Serialize)]
struct Given {
    schema: &'static str,
    package: String,
    isolation: IsolationReport,
    unprotected: Vec<Gap>,
    memory_limit: &'static str,
    runs: Vec<Run>,
    workers_started: u64,
    workers_died: u64,
}

/// What became of one program.
#[derive(Serialize)]
struct Run {
    outcome: String,
    /// Of a panic.
    message: Option<String>,
    /// The statement that it ended in.
    statement: u16,
    seen: Vec<Seen>,
}

#[derive(Serialize)]
struct Seen {
    /// The statement, or nothing for the end.
    at: Option<u16>,
    slot: u16,
    text: String,
}

pub(super) fn run(
    file: &Path,
    api: &Api,
    pool: &WorkerPool,
    package: &str,
    environment: Environment,
    limits: &Options,
) -> Result<(), Failure> {
    let text = std::fs::read_to_string(file).doing("read", file)?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let runs = lines.map(|(at, line)| {
        run_of(line, api)
            .map_err(|reason| Failure::usage(format!("{}, line {}: {reason}", file.display(), at + 1)))
    });
    let batch = Batch {
        options: Options { trace: false, ..limits.clone() },
        runs: runs.collect::<Result<_, _>>()?,
        ..Batch::default()
    };
    let executions = pool.run(&[batch]).map_err(failure)?.concat();
    let Tally { started, died, .. } = pool.tally();
    crate::print_json(&Given {
        schema: SCHEMA,
        package: package.to_owned(),
        isolation: environment.isolation,
        unprotected: environment.unprotected,
        memory_limit: environment.memory_limit,
        runs: executions.into_iter().map(Run::of).collect(),
        workers_started: started,
        workers_died: died,
    });
    Ok(())
}

fn run_of(line: &str, api: &Api) -> Result<wire::Run, String> {
    let program: Program = from_json(line, api).map_err(|error| error.to_string())?;
    let liveness =
        check(api, &program).map_err(|error| format!("not what the compiler accepts: {error:?}"))?;
    Ok(encode(&program, liveness.observable(), Mutants::Listed(Vec::new())))
}

impl Run {
    fn of(execution: wire::Execution) -> Run {
        let message = match &execution.outcome {
            Outcome::Panic { message, .. } => Some(message.clone()),
            _ => None,
        };
        let seen = match execution.observations {
            Observations::Full(all) => all.iter().map(Seen::of).collect(),
            Observations::Nothing | Observations::Hash(_) => Vec::new(),
        };
        Run { outcome: ending(&execution.outcome), message, statement: execution.statement, seen }
    }
}

impl Seen {
    fn of(observation: &Observation) -> Seen {
        let at = match observation.at {
            At::Statement(number) => Some(number),
            At::End => None,
        };
        Seen { at, slot: observation.slot, text: show(&observation.what) }
    }
}
