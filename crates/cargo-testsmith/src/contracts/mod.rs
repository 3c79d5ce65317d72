//! `cargo testsmith contracts`: what holds for each function, and what the docs do not say. `sampling` runs programs and
//! collects rows, `claims` makes claims of them, `report` writes text, JSON and Markdown.

mod claims;
mod kept;
mod report;
mod sampling;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use testsmith_contracts::Queries;
use testsmith_ir::random::Options as Programs;
use testsmith_ir::{Api, CallableId};
use testsmith_model::api::{Model, Origin, OriginKind};
use testsmith_model::effects::Purity;
use testsmith_model::graph::Graph;

use self::claims::Findings;
use self::kept::Kept;
use self::report::Report;
use self::sampling::Sampler;
use crate::api_config::ApiConfig;
use crate::build::Builder;
use crate::cli::ContractsArgs;
use crate::constants::constants;
use crate::failure::Failure;
use crate::filter::Filter;
use crate::harness::{self, BuiltHarness, HarnessRequest};
use crate::isolation::Sources;
use crate::list;
use crate::options::{Output, PackageOptions};
use crate::report::progress::Progress;
use crate::subject::id;
use crate::unit;
use crate::workers::{self, Workers};

/// Statements of a program, before questions are added.
const STATEMENTS: usize = 12;

/// How long a program may go on without a step.
const STALL: Duration = Duration::from_secs(3);

pub(crate) fn run(
    options: &PackageOptions,
    filter: &Filter,
    api_config: &ApiConfig,
    builder: &Builder,
    args: &ContractsArgs,
    output: Output,
) -> Result<(), Failure> {
    let started = Instant::now();
    let progress = Progress::new(output);
    let [package] = options.workspace.packages.as_slice() else {
        return Err(Failure::usage("one package at a time\n  name it with --package"));
    };
    let plan = list::plan(options, filter, builder)?;
    unit::check(&args.unit, &plan, package.subject().map_or(&package.name, |subject| &subject.name))?;
    let request = HarnessRequest {
        options,
        builder,
        package,
        private: args.inspect.private,
        test_modules: None,
        api_config,
        stays_inside: true,
    };
    let mut harness = harness::build(&request, plan, &progress)?;
    let sources = Sources::read(options, builder, package, &harness.plan.cfgs[0])?;
    let jobs = args.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let wanted =
        workers::Wanted { workers: jobs.max(1), stall: STALL, isolation: None, allow: BTreeSet::new() };
    let Workers { pool, environment, quick, .. } =
        Workers::start(&mut harness, &sources, builder, package, wanted)?;
    environment.tell(output);
    let BuiltHarness { model, plan, .. } = harness;
    let subjects = subjects(&model, &args.unit)?;
    progress.phase("running programs");
    let literals = testsmith_model::literals(&plan.tree, package);
    let programs = Programs {
        max_statements: STATEMENTS,
        roots: makers(&model),
        constants: constants(literals, &model.api),
        ..Programs::default()
    };
    let graph = Graph::new(&model, sources.library());
    let unsteady: BTreeSet<CallableId> =
        sources.unsteady(&model).into_iter().map(|(callable, _)| CallableId(callable)).collect();
    let queries = Queries::new(&model.api, |id| !unsteady.contains(&id) && is_pure(&graph, id));
    let mut sampler = Sampler::new(&model.api, &pool, quick, programs, subjects.clone(), queries);
    let half = args.executions.div_ceil(2);
    sampler.warm_up(args.seed)?;
    let mut store = if args.no_store { None } else { crate::store::open(&builder.copies) };
    let mut kept = Kept::default();
    if let Some(open) = &mut store {
        match kept::load(open, &model.api) {
            Ok((programs, loaded)) => {
                kept = loaded;
                sampler.replay(&programs)?;
            }
            Err(error) => crate::store::warn(&error),
        }
    }
    sampler.run(args.seed, half)?;
    let first = Findings::infer(&model, &sampler.tables);
    sampler.reduce(&first, args.seed ^ 0x5a5a)?;
    sampler.run(args.seed.wrapping_add(1 << 40), args.executions - half)?;
    progress.phase("inferring contracts");
    let mut findings = Findings::infer(&model, &sampler.tables);
    findings.refute(&first, &sampler.tables);
    let mut report = Report::new(package, &model, &sampler, &findings, args);
    let checked = match args.check {
        0 => None,
        count => {
            progress.phase("checking");
            Some(sampler.check(&findings, args.seed.wrapping_add(2 << 40), count)?)
        }
    };
    progress.finish();
    if let Some(open) = &mut store {
        match kept::save(open, &model.api, &sampler.tables) {
            Ok(added) => kept.added = added,
            Err(error) => crate::store::warn(&error),
        }
    }
    report.kept = kept;
    report.print(args, output, started.elapsed(), checked);
    Ok(())
}

/// The callables that contracts are about.
fn subjects(model: &Model, units: &[String]) -> Result<BTreeSet<CallableId>, Failure> {
    let all: BTreeSet<&str> = model.origins.iter().map(|origin| origin.unit.as_str()).collect();
    let chosen: BTreeSet<&str> = units.iter().map(|name| unit::find(&all, name)).collect::<Result<_, _>>()?;
    let is_subject = |origin: &&Origin| {
        matches!(origin.kind, OriginKind::Function | OriginKind::Method)
            && !LAWS.iter().any(|law| origin.path.contains(law))
            && (chosen.is_empty() || chosen.contains(origin.unit.as_str()))
    };
    let callables = model.origins.iter().filter(is_subject).flat_map(|origin| &origin.callables);
    Ok(callables.copied().map(id).filter(|id| is_plain(&model.api, *id)).collect())
}

/// What comparing, hashing and printing promise is for their traits to say.
const LAWS: [&str; 7] =
    [" as PartialEq", " as PartialOrd", " as Ord", " as Eq", " as Hash", " as Debug", " as Display"];

/// Not a call that is about something else than the function: in a `catch_unwind`, or in what formats a text.
fn is_plain(api: &Api, callable: CallableId) -> bool {
    const ODD: [&str; 3] = ["catch_unwind", "format!", "write!"];
    !ODD.iter().any(|odd| api[callable].shown.contains(odd))
}

/// What programs are about: everything of the crate, without what only looks at it at the end.
fn makers(model: &Model) -> Vec<CallableId> {
    let own = model.origins.iter().filter(|origin| origin.kind != OriginKind::Provided);
    own.flat_map(|origin| &origin.callables).copied().map(id).filter(|id| is_plain(&model.api, *id)).collect()
}

/// Whether a call changes nothing that was there before.
fn is_pure(graph: &Graph, callable: CallableId) -> bool {
    graph.purity(callable).iter().all(|purity| *purity != Purity::ReadWrite)
        && graph.member(callable).is_some_and(|member| !member.changes_something())
}
