//! `cargo testsmith execute`: a search with nothing behind it (`searching`), or random programs in two processes each
//! (`agreement`), or given ones (`given`). Not for users: here strategies and the harness are measured.

mod agreement;
#[cfg(feature = "symbolic")]
mod engine_agreement;
mod given;
mod moments;
mod report;
mod searching;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use testsmith_instrument::State;
use testsmith_ir::random::Options as Programs;
use testsmith_ir::{Api, CallableId, LiteralKind};
use testsmith_model::api::OriginKind;
use testsmith_search::Budget;
use testsmith_search::agree::Agree;
#[cfg(feature = "symbolic")]
use testsmith_search::engine_agreement::Comparison;
use testsmith_search::nondeterminism::Nondeterminism;
use testsmith_search::replay::{Replay, replay};

use self::moments::Moments;
use self::report::{Execution, summary, unsolved};
use crate::api_config::ApiConfig;
use crate::build::Builder;
use crate::cli::{ExecuteArgs, StrategyArg};
use crate::constants::constants;
use crate::failure::Failure;
use crate::filter::Filter;
use crate::harness::{self, BuiltHarness, HarnessRequest};
use crate::isolation::Sources;
use crate::list;
use crate::options::{Output, PackageOptions};
use crate::programs::{self, Wanted};
use crate::report::progress::Progress;
use crate::subject::id;
use crate::symbolic;
use crate::workers::{self, Environment, Workers, failure};

/// Statements of the programs that are replayed.
const REPLAYED_STATEMENTS: usize = 8;

pub(crate) fn run(
    options: &PackageOptions,
    filter: &Filter,
    api_config: &ApiConfig,
    builder: &Builder,
    args: &ExecuteArgs,
    output: Output,
) -> Result<(), Failure> {
    let started = Instant::now();
    let progress = Progress::new(output);
    let [package] = options.workspace.packages.as_slice() else {
        return Err(Failure::usage("one package at a time\n  name it with --package"));
    };
    let plan = list::plan(options, filter, builder)?;
    let private = args.inspect.private;
    // Programs that are given are meant as they are; what they reach is seen while they run.
    let stays_inside = args.programs.is_none() && args.allow.is_empty();
    let harness_request =
        HarnessRequest { options, builder, package, private, test_modules: None, api_config, stays_inside };
    let mut harness = harness::build(&harness_request, plan, &progress)?;
    let sources = Sources::read(options, builder, package, &harness.plan.cfgs[0])?;
    progress.phase("running programs");
    let stall = Duration::from_secs_f64(args.stall);
    let asked = workers::Wanted {
        workers: args.jobs.max(1),
        stall,
        isolation: args.isolation,
        allow: args.allow.iter().copied().collect(),
    };
    let workers = Workers::start(&mut harness, &sources, builder, package, asked)?;
    let Workers { pool, environment, usual, quick } = workers;
    let unsteady = harness.unsteady(&sources);
    let BuiltHarness { model, plan, .. } = harness;
    environment.tell(output);
    if let Some(file) = &args.programs {
        let result = given::run(file, &model.api, &pool, &package.name, environment, &usual);
        progress.finish();
        return result;
    }
    let seconds_to_first = started.elapsed().as_secs_f64();
    let literals = testsmith_model::literals(&plan.tree, package);
    let programs = Programs {
        max_statements: args.statements,
        roots: model.roots(),
        inspectors: model.inspectors.iter().copied().map(id).collect(),
        constants: constants(literals, &model.api),
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
            library: package.subject().map_or(&package.name, |subject| &subject.name),
        };
        return programs::write(&wanted, dir);
    }
    let time = Duration::from_secs_f64(args.seconds);
    let again = Replay {
        seed: args.seed,
        programs: Programs { max_statements: REPLAYED_STATEMENTS, ..programs.clone() },
        limits: quick.clone(),
        runs: args.replay,
    };
    let mut nondeterminism = Nondeterminism::default();
    unsteady.iter().for_each(|(callable, reason)| nondeterminism.declare(callable.0, reason));
    if args.agree > 0 {
        let wanted = Agree { seed: args.seed, programs, limits: quick, count: args.agree, nondeterminism };
        let result =
            agreement::run(&model.api, &pool, args.jobs.max(1), &wanted, &package.name, environment, output);
        progress.finish();
        return result;
    }
    progress.phase("building for wasm");
    let strategy = if args.agree_engine > 0 { StrategyArg::Symbolic } else { args.strategy };
    let symbolic = symbolic::prepare(strategy, builder, package, options)?;
    symbolic.note().into_iter().for_each(|note| progress.note(&note));
    progress.phase("running programs");
    #[cfg(feature = "symbolic")]
    if let Some(module) = symbolic.module.as_ref().filter(|_| args.agree_engine > 0) {
        let comparison = Comparison {
            module,
            seed: args.seed,
            programs,
            limits: quick,
            count: args.agree_engine,
            nondeterminism,
        };
        let result = engine_agreement::run(&model.api, &pool, &comparison, &package.name, output);
        progress.finish();
        return result;
    }
    let wanted = searching::Wanted {
        symbolic: &symbolic,
        solving: args.solve.into(),
        solving_after: args.solve_after,
        strategy: args.strategy,
        budget: args.executions.map_or(Budget::Time(time), Budget::Executions),
        seed: args.seed,
        statements: args.statements,
        quick,
        usual,
        nondeterminism,
    };
    let moments = Moments::new(&args.moments);
    let (found, seconds) =
        searching::run(package, &model, &plan, sources.library(), &pool, wanted, &moments)?;
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
        seconds,
        mutants,
        replay: replayed,
        moments: moments.taken(),
        unsolved: unsolved(&found, &plan),
        ..summary(&found, &model.api, pool.tally(), environment)
    };
    let returned: BTreeSet<CallableId> = found.callable_stats.returned().collect();
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
