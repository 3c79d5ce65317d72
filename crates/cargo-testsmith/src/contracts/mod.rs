//! `cargo testsmith contracts`: what holds for each function, and what the docs do not say. `sampling` runs programs and
//! collects rows, `claims` makes claims of them, `report` writes text, JSON and Markdown; `properties` writes property tests, and `patch`
//! proposes docs and assertions.

mod claims;
pub(crate) mod kept;
mod measure;
mod patch;
mod properties;
mod report;
pub(crate) mod sampling;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use testsmith_contracts::{End, Queries, Tables};
use testsmith_instrument::Plan;
use testsmith_ir::random::Options as Programs;
use testsmith_ir::{Api, CallableId};
use testsmith_model::api::{Model, Origin, OriginKind};
use testsmith_model::effects::Purity;
use testsmith_model::graph::Graph;
use testsmith_rt::harness::wire::{Bitmap, Outcome};

use self::claims::Fault;
pub(crate) use self::claims::Findings;
use self::kept::Kept;
use self::report::Report;
use self::sampling::{Background, Sampler};
use crate::api_config::ApiConfig;
use crate::build::Builder;
use crate::cli::ContractsArgs;
use crate::constants::constants;
use crate::failure::Failure;
use crate::filter::Filter;
use crate::generate::CratePolicy;
use crate::harness::{self, BuiltHarness, HarnessRequest};
use crate::isolation::Sources;
use crate::list;
use crate::options::{Output, PackageOptions};
use crate::report::progress::Progress;
use crate::subject::{definers, id};
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
    let unsteady: BTreeSet<CallableId> = harness.unsteady(&sources).into_keys().collect();
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
    let strings = programs.constants.strings.clone();
    let graph = Graph::new(&model, sources.library());
    let background = background(&model, &plan, &graph, &unsteady, subjects);
    let mut sampler = Sampler::new(&model.api, &pool, quick, programs, background);
    sampler.warm_up(args.seed)?;
    if let Some(judging) = args.measure {
        sampler.run(args.seed, args.executions)?;
        let measured = measure::measure(&model, &mut sampler, args.seed, judging)?;
        progress.finish();
        crate::print_json(&measured);
        return Ok(());
    }
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
    let policy = CratePolicy::new(&model, &plan, api_config);
    let mut findings = explore(&model, &mut sampler, args, &progress)?;
    progress.phase("trying the laws of traits");
    (findings.laws_tried, findings.laws) = sampler.laws(args.seed ^ 0x1a35)?;
    findings.faults = faults(&policy, &sampler.tables);
    let judges = args.mutants || args.property_tests;
    let judged = match judges {
        true => {
            progress.phase("running programs on mutants");
            let programs = sampler.showing(SHOWING);
            Some(sampler.judge(
                &findings.known(&sampler.tables),
                &programs,
                &Bitmap::default(),
                MOST_BROKEN,
            )?)
        }
        false => None,
    };
    let mut report = Report::new(package, &model, &sampler, &findings, args);
    if let Some(judged) = &judged {
        report.tell_mutants(&model, &findings, &sampler.tables, judged, &plan, &options.names());
    }
    if args.property_tests {
        let request =
            properties::Request { options, builder, package, model: &model, plan: &plan, strings: &strings };
        let judged = judged.as_ref().expect("mutants were judged for it");
        report.property_tests =
            Some(properties::write(&request, &findings, &sampler.tables, judged, &progress)?);
    }
    if args.patch {
        progress.phase("building the patch");
        report.patch = Some(patch::propose(builder, package, &model, &plan, &findings, &sampler.tables)?);
    }
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

/// Programs of each callable that mutants are judged by.
const SHOWING: usize = 12;
/// A mutant that breaks so many contracts is judged.
const MOST_BROKEN: usize = 4;
/// Rounds of inference and reduction, at most.
const MOST_ROUNDS: u64 = 5;
/// The part of all programs that reduction may cost, in each of its two phases.
const SHARE_OF_REDUCTION: u64 = 4;

/// Programs, then inference and reduction in turn until nothing changes, and all of that once more.
fn explore(
    model: &Model,
    sampler: &mut Sampler<'_>,
    args: &ContractsArgs,
    progress: &Progress,
) -> Result<Findings, Failure> {
    let half = args.executions.div_ceil(2);
    let mut findings = Findings::default();
    for (phase, count) in [half, args.executions - half].into_iter().enumerate() {
        progress.phase("running programs");
        sampler.run(args.seed.wrapping_add((phase as u64) << 40), count)?;
        progress.phase("inferring contracts");
        findings = Findings::infer_again(model, &sampler.tables, &findings).after(findings, &sampler.tables);
        let mut left = count.div_ceil(SHARE_OF_REDUCTION);
        for round in 0..MOST_ROUNDS {
            let seed = args.seed ^ 0x5a5a ^ (phase as u64 * MOST_ROUNDS + round) << 20;
            let ran = sampler.reduce(&findings, seed, left)?;
            left = left.saturating_sub(ran);
            findings.rounds += u64::from(ran > 0);
            if ran == 0 {
                break;
            }
            let next = Findings::infer_again(model, &sampler.tables, &findings);
            let next = next.after(findings.clone(), &sampler.tables);
            let has_changed = next.functions != findings.functions;
            findings = next;
            if !has_changed || left == 0 {
                break;
            }
        }
    }
    Ok(findings)
}

/// What is known before anything runs.
pub(crate) fn background(
    model: &Model,
    plan: &Plan,
    graph: &Graph,
    unsteady: &BTreeSet<CallableId>,
    subjects: BTreeSet<CallableId>,
) -> Background {
    let queries = Queries::new(&model.api, |id| !unsteady.contains(&id) && is_pure(graph, id));
    let definers = definers(&model.api, graph, &queries);
    let mut named = BTreeMap::new();
    let conditions = testsmith_model::constants_of_conditions(&plan.tree);
    for origin in &model.origins {
        let Some(place) = &origin.place else { continue };
        let own = conditions
            .iter()
            .find(|it| it.file == place.file && (place.first..=place.last).contains(&it.line));
        if let Some(own) = own {
            named.extend(origin.callables.iter().map(|callable| (id(*callable), own.constants.clone())));
        }
    }
    Background { subjects, queries, constants: Arc::new(named), definers }
}

/// Panics that neither the docs nor the code declare: the definition of `generate`, of what was seen here.
fn faults(policy: &CratePolicy<'_>, tables: &Tables) -> Vec<Fault> {
    let mut all: BTreeMap<(String, u32), Fault> = BTreeMap::new();
    for table in tables.callables.values() {
        for row in table.rows() {
            let End::Panicked { message, file, line } = &row.end else { continue };
            let program = row.shortest();
            let outcome = Outcome::Panic { message: message.clone(), file: file.clone(), line: *line };
            let known = all.get(&(file.clone(), *line));
            if known.is_none_or(|known| program.size() < known.program.size())
                && policy.is_finding(&program, &outcome)
            {
                let fault = Fault { message: message.clone(), file: file.clone(), line: *line, program };
                all.insert((file.clone(), *line), fault);
            }
        }
    }
    all.into_values().collect()
}

/// The callables that contracts are about.
pub(crate) fn subjects(model: &Model, units: &[String]) -> Result<BTreeSet<CallableId>, Failure> {
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
pub(crate) fn makers(model: &Model) -> Vec<CallableId> {
    let own = model.origins.iter().filter(|origin| origin.kind != OriginKind::Provided);
    own.flat_map(|origin| &origin.callables).copied().map(id).filter(|id| is_plain(&model.api, *id)).collect()
}

/// Whether a call changes nothing that was there before.
fn is_pure(graph: &Graph, callable: CallableId) -> bool {
    graph.purity(callable).iter().all(|purity| *purity != Purity::ReadWrite)
        && graph.member(callable).is_some_and(|member| !member.changes_something())
}
