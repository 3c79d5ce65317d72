//! `cargo testsmith execute`: random programs on the mutants, or in two processes each (`agreement`), or given ones
//! (`given`). Not for users: the baseline that
//! strategies are measured against, and the bench of the harness.

mod agreement;
mod given;
mod report;
mod searching;

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use testsmith_exec::{Pool, Setup, learn};
use testsmith_instrument::State;
use testsmith_ir::random::Options as Programs;
use testsmith_ir::{Api, CallableId, LiteralKind};
use testsmith_model::api::OriginKind;
use testsmith_proc::Spec;
use testsmith_rt::harness::wire::Options;
use testsmith_search::Budget;
use testsmith_search::agree::Agree;
use testsmith_search::marks::Marks;
use testsmith_search::random::{Drive, drive};
use testsmith_search::replay::{Replay, replay};

use self::report::{Execution, summary};
use crate::build::Builder;
use crate::cli::ExecuteArgs;
use crate::failure::{Code, Failure};
use crate::filter::Filter;
use crate::harness::{self, Driven, executable};
use crate::isolation::{self, Gap, Isolation, IsolationReport, Sources};
use crate::options::{Output, PackageOptions};
use crate::programs::{self, Wanted};
use crate::report::progress::Progress;

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

/// Milliseconds that are enough for what does not tick, where there are other programs and mutants to try.
const HASTE: u32 = 500;

/// Statements of the programs that are replayed.
const REPLAYED_STATEMENTS: usize = 8;

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
        harness::build(options, filter, builder, package, args.inspect.reach(), &progress)?;
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
    // others are confirmed with the usual fuel and patience.
    let usual = limits(args);
    let hasty = Options {
        fuel: 200_000,
        mutant_fuel: 20_000,
        memory: 16 << 20,
        patience: usual.patience.min(HASTE),
        ..usual.clone()
    };
    let again = Replay {
        seed: args.seed,
        programs: Programs { max_statements: REPLAYED_STATEMENTS, ..programs.clone() },
        limits: hasty.clone(),
        runs: args.replay,
    };
    let mut marks = Marks::default();
    sources.unsteady(&model).into_iter().for_each(|(callable, reason)| marks.declare(callable, reason));
    if let Some(strategy) = args.strategy {
        let budget = args.executions.map_or(Budget::Time(time), Budget::Executions);
        let wanted = searching::Wanted { strategy, budget, seed: args.seed, programs, hasty, usual, marks };
        let result = searching::run(&model, &plan, &pool, wanted, output);
        progress.finish();
        return result;
    }
    if args.agree > 0 {
        let wanted = Agree { seed: args.seed, programs, limits: hasty, count: args.agree, marks };
        let result =
            agreement::run(&model.api, &pool, workers.get(), &wanted, &package.name, surroundings, output);
        progress.finish();
        return result;
    }
    let wanted = Drive { seed: args.seed, time, programs, limits: hasty, confirming: usual, marks };
    let report = drive(&model.api, &pool, workers.get(), &wanted).map_err(failure)?;
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
        ..summary(&report, &model.api, pool.tally(), surroundings)
    };
    let returned: BTreeSet<CallableId> = report.experience.returned().collect();
    let own = model.origins.iter().filter(|origin| origin.kind != OriginKind::Provided);
    for origin in own {
        execution.callables += 1;
        let was_called = |callable: &usize| returned.contains(&id(*callable));
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

fn failure(error: testsmith_exec::Failure) -> Failure {
    match error {
        testsmith_exec::Failure::Interrupted => Failure::interrupted(),
        testsmith_exec::Failure::Refused(_) | testsmith_exec::Failure::NoHello { .. } => Failure::bug(error),
        _ => Failure::new(Code::Environment, error.to_string()),
    }
}
