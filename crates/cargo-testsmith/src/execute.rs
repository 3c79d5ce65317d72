//! `cargo testsmith execute`: random programs on the mutants, or given ones (`given`). Not for users: the baseline that
//! strategies are measured against, and the bench of the harness.

mod given;

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use serde::Serialize;
use testsmith_exec::{Pool, Setup, Tally, learn};
use testsmith_instrument::State;
use testsmith_ir::random::Options as Programs;
use testsmith_ir::{Api, CallableId, LiteralKind};
use testsmith_model::api::OriginKind;
use testsmith_proc::Spec;
use testsmith_rt::harness::wire::{Aspect, Options};
use testsmith_search::marks::{Marks, Reason, Trait};
use testsmith_search::random::{Drive, Report, drive};

use crate::build::Builder;
use crate::cli::ExecuteArgs;
use crate::failure::{Code, Failure};
use crate::filter::Filter;
use crate::harness::{self, Driven, executable};
use crate::isolation::{self, Gap, Isolation, IsolationReport, Sources};
use crate::options::{Output, PackageOptions};
use crate::report::json::SCHEMA;
use crate::report::progress::Progress;

/// What is printed.
#[derive(Serialize)]
struct Execution {
    schema: &'static str,
    package: String,
    isolation: IsolationReport,
    /// What the cage does not protect on this system.
    unprotected: Vec<Gap>,
    memory_limit: &'static str,
    /// From the start of the command to the first execution.
    seconds_to_first: f64,
    seconds: f64,
    /// Spent on asking again, by all workers together.
    seconds_confirming: f64,
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
    /// What is not the same every time: nothing of it counts.
    marks: Vec<MarkReport>,
    callables: usize,
    /// Origins of which at least one callable was called and came back.
    executed: usize,
    never_executed: Vec<String>,
    workers_started: u64,
    workers_died: u64,
    peak_worker_bytes: u64,
}

/// Something of a callable that is not the same every time.
#[derive(Serialize)]
struct MarkReport {
    callable: String,
    /// `value`, `debug`, `display`, `eq`, `cmp`: of its result; `arguments`, `end`.
    what: &'static str,
    /// What was seen in two processes.
    example: Option<[String; 2]>,
    /// What the source says.
    because: Option<String>,
}

impl MarkReport {
    fn of((callable, what, reason): (u32, Trait, &Reason), api: &Api) -> MarkReport {
        let what = match what {
            Trait::Result(Aspect::Value) => "value",
            Trait::Result(Aspect::Debug) => "debug",
            Trait::Result(Aspect::Display) => "display",
            Trait::Result(Aspect::Eq) => "eq",
            Trait::Result(Aspect::Cmp) => "cmp",
            Trait::Arguments => "arguments",
            Trait::End => "end",
        };
        let (example, because) = match reason {
            Reason::Seen(example) => (Some(example.clone()), None),
            Reason::Source(source) => (None, Some(source.clone())),
        };
        let callable =
            api.callables.get(callable as usize).map_or_else(String::new, |known| known.path.clone());
        MarkReport { callable, what, example, because }
    }
}

impl Execution {
    fn text(&self) -> String {
        use std::fmt::Write;
        let mut text = String::new();
        let _ = writeln!(
            text,
            "{}: {} of {} mutants killed by {} programs in {:.1} s ({} not again, {} flaky)",
            self.package,
            self.killed,
            self.mutants,
            self.programs,
            self.seconds,
            self.unconfirmed,
            self.flaky
        );
        let _ = writeln!(text, "{}", self.isolation.line());
        let unsteady: BTreeSet<&str> = self.marks.iter().map(|mark| mark.callable.as_str()).collect();
        if !unsteady.is_empty() {
            let all: Vec<&str> = unsteady.into_iter().collect();
            let _ = writeln!(text, "not the same every time, so nothing of it counts: {}", all.join(", "));
        }
        text
    }
}

/// In what programs run.
struct Surroundings {
    isolation: IsolationReport,
    unprotected: Vec<Gap>,
    /// What is limited: `allocations` by the harness, or the `address space` by the system.
    memory_limit: &'static str,
}

/// Of a worker, where nobody counts allocations: enough for what a program may have, and for what the system reserves.
const ADDRESS_SPACE: u64 = 2 << 30;

impl Surroundings {
    /// What is not protected is told in any case.
    fn tell(&self, output: Output) {
        if let Some(warning) = isolation::warning(&self.unprotected) {
            anstream::eprintln!("warning: {warning}");
        }
        if self.memory_limit == "address space" {
            anstream::eprintln!(
                "note: the crate has an allocator of its own; memory is limited to {} GiB of address space, and a \
                 program that wants more ends with a signal",
                ADDRESS_SPACE >> 30
            );
        }
        if !output.quiet && !output.json {
            anstream::eprintln!("{}", self.isolation.line());
        }
    }
}

/// Milliseconds that are enough for a mutant which does not tick, where there are others to try.
const HASTE: u32 = 1000;

/// Limits of each run.
fn limits(args: &ExecuteArgs) -> Options {
    let patience = Duration::from_secs_f64(args.stall).as_millis();
    let patience = u32::try_from(patience).unwrap_or(u32::MAX);
    Options { memory: 256 << 20, patience, ..Options::default() }
}

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
    let Driven { mut model, plan, built, counts_memory } =
        harness::build(options, filter, builder, package, &progress)?;
    let sources = Sources::read(options, builder, package)?;
    let isolation = Isolation::choose(&sources, args.isolation);
    progress.phase("running programs");
    let dir = builder.copies.place(&package.dir, &builder.copies.meta());
    let mut setup = Setup::new(Spec::new(executable(&built.built)?).dir(dir), builder.temp.clone());
    setup.trust = isolation.trust;
    setup.stall = Duration::from_secs_f64(args.stall);
    if let Some(policy) = setup.policy.as_mut().filter(|_| !counts_memory) {
        policy.memory = Some(ADDRESS_SPACE);
    }
    let surroundings = Surroundings {
        isolation: isolation.report(),
        unprotected: isolation::gaps(&setup)?,
        memory_limit: if counts_memory { "allocations" } else { "address space" },
    };
    surroundings.tell(output);
    let workers = NonZeroUsize::new(args.jobs).unwrap_or(NonZeroUsize::MIN);
    let pool = Pool::new(setup, workers);
    learn(&mut model.api, &pool.hello().map_err(failure)?);
    if let Some(file) = &args.programs {
        let result = given::run(file, &model.api, &pool, &package.name, surroundings, &limits(args));
        progress.finish();
        return result;
    }
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
    let time = Duration::from_secs_f64(args.seconds);
    // Most mutants that run for long run for ever; the few others are confirmed with the usual fuel and patience.
    let usual = limits(args);
    let hasty = Options { mutant_fuel: 20_000, patience: usual.patience.min(HASTE), ..usual.clone() };
    let mut marks = Marks::default();
    sources.unsteady(&model).into_iter().for_each(|(callable, reason)| marks.declare(callable, reason));
    let wanted = Drive { seed: args.seed, time, programs, limits: hasty, confirming: usual, marks };
    let report = drive(&model.api, &pool, workers.get(), &wanted).map_err(failure)?;
    progress.finish();
    let mutants = plan.iter().filter(|(_, state)| **state == State::Alive).count();
    let mut execution = Execution {
        package: package.name.clone(),
        seconds_to_first,
        mutants,
        ..summary(&report, &model.api, pool.tally(), surroundings)
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
    if output.json {
        crate::print_json(&execution);
    } else {
        anstream::print!("{}", execution.text());
    }
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

fn summary(report: &Report, api: &Api, tally: Tally, surroundings: Surroundings) -> Execution {
    let rejected = report.kills.rejected();
    Execution {
        schema: SCHEMA,
        package: String::new(),
        isolation: surroundings.isolation,
        unprotected: surroundings.unprotected,
        memory_limit: surroundings.memory_limit,
        seconds_to_first: 0.0,
        seconds: report.seconds,
        seconds_confirming: report.seconds_confirming,
        programs: report.programs,
        statements: report.statements,
        mutant_runs: report.mutant_runs,
        endings: report.endings.clone(),
        mutants: 0,
        reached: report.reached.len(),
        infected: report.infected.len(),
        killed: report.kills.confirmed.len(),
        unconfirmed: rejected.wrong,
        flaky: rejected.flaky,
        marks: report.marks.iter().map(|mark| MarkReport::of(mark, api)).collect(),
        callables: 0,
        executed: 0,
        never_executed: Vec::new(),
        workers_started: tally.started,
        workers_died: tally.died,
        peak_worker_bytes: tally.peak_memory,
    }
}

fn failure(error: testsmith_exec::Failure) -> Failure {
    match error {
        testsmith_exec::Failure::Interrupted => Failure::interrupted(),
        testsmith_exec::Failure::Refused(_) | testsmith_exec::Failure::NoHello { .. } => Failure::bug(error),
        _ => Failure::new(Code::Environment, error.to_string()),
    }
}
