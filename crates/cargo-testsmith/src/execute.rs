//! `cargo testsmith execute`: random programs on the mutants. Not for users: the baseline that strategies are measured
//! against, and the bench of the harness.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use serde::Serialize;
use testsmith_exec::{Pool, Setup, Tally, learn};
use testsmith_instrument::State;
use testsmith_ir::random::Options as Programs;
use testsmith_ir::{Api, CallableId, LiteralKind};
use testsmith_model::api::OriginKind;
use testsmith_proc::Spec;
use testsmith_rt::harness::wire::Options;
use testsmith_search::random::{Drive, Rejected, Report, drive};
use testsmith_search::replay::{Replay, Replayed, replay};

use crate::build::Builder;
use crate::cli::ExecuteArgs;
use crate::failure::{Code, Failure};
use crate::filter::Filter;
use crate::harness::{self, Driven, executable};
use crate::options::{Output, PackageOptions};
use crate::programs::{self, Wanted};
use crate::report::json::SCHEMA;
use crate::report::progress::Progress;

/// What is printed.
#[derive(Serialize)]
struct Execution {
    schema: &'static str,
    package: String,
    /// From the start of the command to the first execution.
    seconds_to_first: f64,
    seconds: f64,
    programs: u64,
    statements: u64,
    mutant_runs: u64,
    endings: BTreeMap<String, u64>,
    mutants: usize,
    reached: usize,
    infected: usize,
    killed: usize,
    /// Kills that did not show again in fresh processes.
    unconfirmed: usize,
    flaky: usize,
    callables: usize,
    /// Origins of which at least one callable was called and came back.
    executed: usize,
    never_executed: Vec<String>,
    workers_started: u64,
    workers_died: u64,
    peak_worker_bytes: u64,
    replay: Option<Replaying>,
}

/// How fast one worker is when programs are given.
#[derive(Serialize)]
struct Replaying {
    different_programs: u64,
    statements_each: u64,
    programs: u64,
    programs_per_second: f64,
    mutant_runs: u64,
    mutant_runs_per_second: f64,
    /// Peak memory of the worker when a twentieth of the programs was done, and at the end.
    early_bytes: u64,
    late_bytes: u64,
}

/// Statements of the programs that are replayed.
const REPLAYED_STATEMENTS: usize = 8;

pub(crate) fn run(
    options: &PackageOptions,
    filter: &Filter,
    builder: &Builder,
    args: &ExecuteArgs,
    output: Output,
) -> Result<(), Failure> {
    let started = Instant::now();
    let progress = Progress::new(output);
    let [package] = options.workspace.packages.as_slice() else {
        return Err(Failure::usage("one package at a time\n  name it with --package"));
    };
    let Driven { mut model, plan, built } =
        harness::build(options, filter, builder, package, args.inspect.reach(), &progress)?;
    progress.phase("running programs");
    let dir = builder.copies.place(&package.dir, &builder.copies.meta());
    let setup = Setup::new(Spec::new(executable(&built.built)?).dir(dir), builder.temp.clone());
    let workers = NonZeroUsize::new(args.jobs).unwrap_or(NonZeroUsize::MIN);
    let pool = Pool::new(setup, workers);
    learn(&mut model.api, &pool.hello().map_err(failure)?);
    let seconds_to_first = started.elapsed().as_secs_f64();
    let literals = testsmith_model::literals(&plan.tree);
    let programs = Programs {
        max_statements: args.statements,
        // Others only make arguments.
        roots: model.origins.iter().flat_map(|origin| &origin.callables).copied().map(id).collect(),
        strings: literals.strings.into_iter().collect(),
        ints: literals.ints.into_iter().collect(),
        ..Programs::default()
    };
    if let Some(dir) = &args.write {
        progress.finish();
        let wanted = Wanted {
            api: &model.api,
            options: &programs,
            seed: args.seed,
            count: args.count,
            edition: package.edition,
            library: package.library().map_or(&package.name, |library| &library.name),
        };
        return programs::write(&wanted, dir);
    }
    let time = Duration::from_secs_f64(args.seconds);
    // A program that takes long or much is not worth its time; most mutants that run for long run for ever, and the few
    // others are confirmed with the usual fuel.
    let limits = Options { fuel: 200_000, mutant_fuel: 20_000, memory: 16 << 20, ..Options::default() };
    let again = Replay {
        seed: args.seed,
        programs: Programs { max_statements: REPLAYED_STATEMENTS, ..programs.clone() },
        limits: limits.clone(),
        runs: args.replay,
    };
    let wanted = Drive { seed: args.seed, time, programs, limits };
    let mut report = drive(&model.api, &pool, workers.get(), &wanted).map_err(failure)?;
    progress.phase("confirming kills");
    let rejected = report.confirm(&pool, &Options::default()).map_err(failure)?;
    let replayed = match args.replay {
        0 => None,
        _ => {
            progress.phase("replaying programs");
            Some(replay(&model.api, &pool, &again).map_err(failure)?.into())
        }
    };
    progress.finish();
    let mutants = plan.iter().filter(|(_, state)| **state == State::Alive).count();
    let mut execution = Execution {
        package: package.name.clone(),
        seconds_to_first,
        mutants,
        replay: replayed,
        ..summary(&report, rejected, pool.tally())
    };
    let own = model.origins.iter().filter(|origin| origin.kind != OriginKind::Provided);
    for origin in own {
        execution.callables += 1;
        let was_called = |callable: &usize| report.called.contains(&id(*callable).0);
        if origin.callables.iter().any(was_called) {
            execution.executed += 1;
        } else {
            execution.never_executed.push(format!(
                "{}: {}",
                origin.path,
                why_not(&model.api, &origin.callables)
            ));
        }
    }
    crate::print_json(&execution);
    Ok(())
}

fn id(callable: usize) -> CallableId {
    CallableId(u32::try_from(callable).expect("callables are few"))
}

/// What a callable that was never called needs.
fn why_not(api: &Api, callables: &[usize]) -> String {
    let Some(callable) = callables.first().map(|at| &api.callables[*at]) else { return String::new() };
    let needs: Vec<String> = callable
        .params
        .iter()
        .map(|param| match param.accepts {
            testsmith_ir::Accepts::Value(id)
            | testsmith_ir::Accepts::Shared(id)
            | testsmith_ir::Accepts::Exclusive(id) => {
                let is_literal = matches!(api[id].literal, Some(LiteralKind::Int { .. } | LiteralKind::Bool));
                if is_literal { "_".to_owned() } else { api[id].text.clone() }
            }
            other => format!("{other:?}"),
        })
        .collect();
    format!("needs {}", needs.join(", "))
}

fn summary(report: &Report, rejected: Rejected, tally: Tally) -> Execution {
    Execution {
        schema: SCHEMA,
        package: String::new(),
        seconds_to_first: 0.0,
        seconds: report.seconds,
        programs: report.programs,
        statements: report.statements,
        mutant_runs: report.mutant_runs,
        endings: report.endings.clone(),
        mutants: 0,
        reached: report.reached.len(),
        infected: report.infected.len(),
        killed: report.kills.len(),
        unconfirmed: rejected.wrong,
        flaky: rejected.flaky,
        callables: 0,
        executed: 0,
        never_executed: Vec::new(),
        workers_started: tally.started,
        workers_died: tally.died,
        peak_worker_bytes: tally.peak_memory,
        replay: None,
    }
}

impl From<Replayed> for Replaying {
    fn from(replayed: Replayed) -> Replaying {
        Replaying {
            different_programs: replayed.different,
            statements_each: replayed.statements,
            programs: replayed.programs,
            programs_per_second: replayed.programs as f64 / replayed.seconds,
            mutant_runs: replayed.mutant_runs,
            mutant_runs_per_second: replayed.mutant_runs as f64 / replayed.mutant_seconds,
            early_bytes: replayed.memory_early,
            late_bytes: replayed.memory_late,
        }
    }
}

fn failure(error: testsmith_exec::Failure) -> Failure {
    match error {
        testsmith_exec::Failure::Interrupted => Failure::interrupted(),
        testsmith_exec::Failure::Refused(_) | testsmith_exec::Failure::NoHello { .. } => Failure::bug(error),
        _ => Failure::new(Code::Environment, error.to_string()),
    }
}
