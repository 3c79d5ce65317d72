//! `cargo testsmith generate`: the pipeline from a crate to the tests that it misses.
//!
//! `place` says where the tests go, `test_modules` where inside of the crate, `facade` when only that makes sense, `goals` what they are for; `testsmith-search` finds programs that expose mutants,
//! `cases` makes test cases of them with the help of `assertion_policy`, `files` writes them, `verify` holds them to what they
//! claim, under the user's `lints` and in all `variants` of the crate, `watch` to the inside of their process, `judged` says which contracts
//! mutants break, `stored` keeps what was found for the next run, `survivors`, `findings` and `unsteady` say what is left, `report` tells it all.

mod assertion_policy;
mod cases;
mod diff;
mod facade;
mod files;
mod findings;
mod fresh_folder;
mod goals;
mod judged;
mod lints;
mod observed;
mod place;
mod report;
mod stored;
mod survivors;
mod test_modules;
mod test_writer;
mod unsteady;
mod variants;
mod verify;
mod watch;

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use testsmith_exec::ObservedDifference;
use testsmith_instrument::Plan;
use testsmith_ir::{Program, Visibility};
use testsmith_model::Package;
use testsmith_model::api::{Model, Origin};
use testsmith_model::graph::Graph;
use testsmith_proc::interrupt;
use testsmith_rt::harness::outside::Outside;
use testsmith_search::callable_stats::CallableStats;
use testsmith_search::nondeterminism::Nondeterminism;
use testsmith_search::{
    Budget, Event, Evolving, Found, Options, SearchObserver, Solving, Stored, Subject, search,
};
use testsmith_suite::Exceptions;
use testsmith_suite::case::{Case, Check};
use testsmith_suite::lab::Lab;
use testsmith_suite::oracle::{self, AssertionPolicy};

pub(crate) use self::assertion_policy::CratePolicy;
use self::cases::CaseBuild;
pub(crate) use self::diff::unified;
use self::facade::Facade;
pub(crate) use self::files::NAME;
use self::files::{Draft, Naming, Written};
use self::goals::Goals;
use self::judged::Judgement;
use self::place::{Change, Destination};
pub(crate) use self::report::described;
use self::report::{Accepted, Counts, Existing, Outer, Report, TestEntry, Times, Yield, killed};
pub(crate) use self::test_modules::{TestModules, folder_of_root};
use self::test_writer::TestWriter;
use self::verify::{Dropped, Verification};
use crate::api_config::ApiConfig;
use crate::build::Builder;
use crate::chosen;
use crate::cli::GenerateArgs;
use crate::failure::{Code, Failure, write_atomically};
use crate::filter::Filter;
use crate::harness::{self, BuiltHarness, HarnessRequest};
use crate::isolation::Sources;
use crate::list;
use crate::options::{Output, PackageOptions, RunOptions};
use crate::reaching::LeftOut;
use crate::report::json::{SCHEMA, Score};
use crate::report::progress::Progress;
use crate::report::rate::Rate;
use crate::score::{self, Analysis, seconds, shorten};
use crate::stale::{self, Checked, Where};
use crate::subject::{id, subject};
use crate::symbolic;
use crate::time_budget::TimeBudget;
use crate::unit;
use crate::workers::{Wanted, Workers, failure};

/// How long a program may go on without a step before its process is killed.
const STALL: Duration = Duration::from_secs(3);

/// Statements of a random program, at most.
const STATEMENTS: usize = 16;

/// The part of the budget without a gain after which the search ends: what is left is equivalent, or out of reach.
const PATIENCE: f64 = 0.25;

/// The unit of tests that call nothing of the crate.
const NO_UNIT: &str = "tests";

/// What the user wants.
pub(crate) struct Request<'a> {
    pub(crate) options: &'a PackageOptions,
    pub(crate) filter: &'a Filter,
    pub(crate) api_config: &'a ApiConfig,
    pub(crate) builder: &'a Builder,
    pub(crate) run: &'a RunOptions,
    pub(crate) args: &'a GenerateArgs,
}

/// Runs the command.
pub(crate) fn run(request: &Request<'_>, output: Output) -> Result<Code, Failure> {
    let progress = Progress::new(output);
    let result = generate(request, output, &progress);
    progress.finish();
    // Whatever failed then, it is because everything was made to end.
    let report = result.map_err(|failure| if interrupt::requested() { unfinished() } else { failure })?;
    let path = request.builder.copies.home.join("generate.json");
    write_atomically(&path, &crate::json_text(&report))?;
    if output.json {
        crate::print_json(&report);
    } else {
        anstream::print!("{}", report.text(output.verbose));
        if !output.quiet {
            anstream::println!("details: {}", shorten(&path).display());
        }
    }
    if report.manifest.is_some() && !output.quiet {
        anstream::eprintln!("{}", report::NOT_RUN);
    }
    // Who asks for another folder knows that it is another one.
    let is_unexpected = request.args.place.out.is_none();
    Ok(match (report.complete, &report.manifest) {
        (false, _) => Code::Interrupted,
        (true, _) if stale::is_left(&report.stale) => Code::Stale,
        (true, Some(_)) if is_unexpected => Code::NotFound,
        (true, _) => Code::Success,
    })
}

fn generate(request: &Request<'_>, output: Output, progress: &Progress) -> Result<Report, Failure> {
    let Request { options, filter, api_config, builder, run, args } = *request;
    let [package] = options.workspace.packages.as_slice() else {
        return Err(Failure::usage("one package at a time\n  name it with --package"));
    };
    harness::linkable(package)?;
    let destination = Destination::new(package, &args.place)?;
    let mut present = destination.present(args.place.force)?;
    let mut inside = args.place.private || package.is_program();
    let mut test_modules = if inside { test_modules(request, package)? } else { TestModules::default() };
    let planned = score::planned(options, filter, builder)?;
    if let Some(plan) = &planned {
        let library = package.subject().map_or(&package.name, |subject| &subject.name);
        unit::check(&args.search.unit, plan, &library.replace('-', "_"))?;
        if chosen::is_empty(plan) {
            return Ok(Report::nothing_in_diff(&package.name, args.search.seed));
        }
    }
    let mut times = Times::default();
    let time_budget = TimeBudget { budget: args.search.executions.is_none().then_some(args.search.budget) };

    let mut checked = check_existing(request, package, &destination, progress)?;
    present.replace(&destination.dir, |path| checked.working(path));
    test_modules.replace(|path| checked.working(path));
    let working = checked.builder(builder);

    let existing = match args.search.all_mutants {
        true => None,
        false => {
            let planned = planned.clone();
            score::analyse(options, filter, &working, run, Some(time_budget), planned, progress)
                .map_err(with_a_way_out)?
        }
    };
    let (score, planned, slow, exceptions) = match existing {
        Some(Analysis { score, planned, slow, exceptions, .. }) => (Some(score), planned, slow, exceptions),
        None => (
            None,
            planned.map_or_else(|| chosen::plan(options, filter, builder), Ok)?,
            Vec::new(),
            Exceptions::default(),
        ),
    };
    let existing =
        Existing { slow_tests: slow, mutants_not_tried: score.as_ref().map_or(0, |it| it.mutants.not_run) };
    if interrupt::requested() {
        return Err(Failure::interrupted());
    }
    times.score = seconds(progress.elapsed());
    builder.copies.scratch()?;

    let building = Instant::now();
    let harness_of = |plan: Plan, private: bool, test_modules: &TestModules| {
        let test_modules = Some(test_modules);
        let stays_inside = true;
        let request =
            HarnessRequest { options, builder, package, private, test_modules, api_config, stays_inside };
        harness::build(&request, plan, progress)
    };
    let mut harness = harness_of(planned.clone(), inside, &test_modules)?;
    let mut facade = Facade::of(&harness).filter(|_| !inside && !args.place.public);
    if facade.is_some_and(|facade| progress.pause(|| facade.ask(output))) {
        (inside, facade) = (true, None);
        test_modules = self::test_modules(request, package)?;
        test_modules.replace(|path| checked.working(path));
        harness = harness_of(planned, inside, &test_modules)?;
    }
    let sources = Sources::read(options, builder, package, &harness.plan.cfgs[0])?;
    let wanted =
        Wanted { workers: run.jobs, stall: STALL, isolation: None, allow: api_config.allow.without_a_call() };
    let workers = Workers::start(&mut harness, &sources, builder, package, wanted)?;
    workers.environment.tell(output);
    progress.phase("building for wasm");
    let symbolic = symbolic::prepare(args.search.strategy, builder, package, options)?;
    symbolic.note().into_iter().for_each(|note| progress.note(&note));
    times.build = seconds(building.elapsed());
    let BuiltHarness { model, plan, left_out, .. } = &harness;
    let sources_of_subject = list::sources_of(options, package, harness::subject(package)?, &plan.cfgs[0]);
    let goals = Goals::new(plan, model, &sources_of_subject, score.as_ref(), &args.search)?;

    let searching = Instant::now();
    progress.phase("searching");
    let graph = Graph::new(model, sources.library());
    let subject = subject(package, model, plan, &graph, sources.library(), &symbolic);
    let mut nondeterminism = Nondeterminism::default();
    let unsteady = harness.unsteady(&sources);
    unsteady.iter().for_each(|(callable, reason)| nondeterminism.declare(callable.0, reason));
    if subject.roots.is_empty() {
        return Err(no_api(package, left_out));
    }
    let policy = CratePolicy::new(model, plan, api_config);
    let mut store = uses_store(args).then(|| crate::store::open(&builder.copies)).flatten();
    let (earlier, mut from_store) = match store.as_mut().map(|it| stored::load(it, &model.api, &package.name))
    {
        Some(Ok(loaded)) => loaded,
        Some(Err(error)) => {
            crate::store::warn(&error);
            store = None;
            Default::default()
        }
        None => Default::default(),
    };
    let found = find(request, &subject, &workers, &goals, earlier, nondeterminism, &policy, progress)?;
    if found.is_interrupted {
        go_on(progress, "what was found so far");
    }
    times.search = seconds(searching.elapsed());

    let choosing = Instant::now();
    progress.phase("choosing and shortening the tests");
    let inspectors = policy.inspectors(&graph);
    let unseen = |program: &Program| cases::unseen(&found.nondeterminism, program);
    let lab = Lab {
        api: &model.api,
        pool: &workers.pool,
        limits: workers.quick.clone(),
        unseen: &unseen,
        deadline: time_budget.shortening(),
    };
    let mutants = u32::try_from(plan.mutants.len()).expect("mutants are numbered in 32 bits");
    let case_build = CaseBuild {
        lab: &lab,
        policy: &policy,
        inspectors: &inspectors,
        strings: &subject.constants.strings,
        goals: &goals.open,
        mutants,
    };
    let (cases, lost) =
        case_build.steady_cases(programs(&found), found.nondeterminism.clone()).map_err(failure)?;
    let exposed = killed(&cases);
    let library = package.subject().map_or(&package.name, |subject| &subject.name);
    // Those that have private callables alone have no file outside of the crate.
    let is_outer = |origin: &&Origin| {
        let mut homes = origin.callables.iter().map(|at| model.api.visibility_of(id(*at)));
        homes.any(|home| *home == Visibility::Anywhere)
    };
    let units = model.origins.iter().filter(is_outer).map(|origin| origin.unit.as_str());
    let units = units.chain([NO_UNIT]).collect();
    let naming = Naming::new(library, package.edition, units);
    let finding_lab = Lab { deadline: time_budget.findings(), limits: lab.limits.clone(), ..lab };
    let mut findings = findings::findings(&finding_lab, &policy, &found)?;
    let as_tests = findings.iter().enumerate().filter(|_| args.place.findings);
    let as_tests = as_tests.filter_map(|(at, finding)| Some((at, finding.as_test(&model.api)?))).collect();
    let test_writer = TestWriter::new(&policy, plan, library, &harness.allowed, test_modules.by_file());
    let mut draft = Draft::new(naming, test_writer.written(cases), as_tests, present, test_modules);
    times.suite = seconds(choosing.elapsed());

    let verifying = Instant::now();
    let instead = |dropped: &[Case], kept: &[Case]| {
        let lab = Lab { deadline: time_budget.shortening(), limits: lab.limits.clone(), ..lab };
        let case_build = CaseBuild { lab: &lab, ..case_build };
        let others = case_build.instead(programs(&found), dropped, kept, found.nondeterminism.clone());
        Ok(test_writer.written(others.map_err(failure)?))
    };
    let verification = Verification {
        request,
        package,
        progress,
        test_writer: &test_writer,
        allowed: &harness.allowed,
        instead: &instead,
        time_budget,
        is_lean: Cell::new(score.is_none()),
        is_harmless: lab.pool.is_harmless(),
        exceptions: &exceptions,
    };
    let mut dropped =
        if is_idle(&draft) { Dropped::default() } else { verification.verify(&mut draft, plan)? };
    dropped.flaky += lost;
    let mut is_interrupted = found.is_interrupted;
    checked.say_kills(|test| seen_kills(score.as_ref(), plan, test));
    let stale = checked.stale();
    draft.deliver(|path| checked.delivered(path), &destination.dir);
    let files = loop {
        if interrupt::requested() {
            go_on(progress, "what is verified");
            is_interrupted = true;
        }
        let files = place::formatted(builder, package, &draft);
        // Had the user asked to stop meanwhile, rustfmt would not have come to its end.
        if !interrupt::requested() {
            break files;
        }
    };
    times.verify = seconds(verifying.elapsed());
    let is_same = draft.is_empty() && stale.is_empty();
    let mut changes = if is_same { Vec::new() } else { destination.changes(&files.outer, draft.emptied()) };
    let (inside, declared) = draft.test_modules().changes(&files.inner)?;
    changes.extend(inside);
    let all = || changes.iter().chain(&declared);
    let diff = args.place.dry_run.then(|| all().map(Change::diff).collect::<String>());
    if diff.is_none() {
        all().try_for_each(Change::make)?;
    }
    findings.iter_mut().enumerate().for_each(|(at, finding)| finding.test = draft.path_of_finding(at));

    let dead = killed(draft.tests().map(|(_, written)| &written.case));
    // With `--all-mutants` nobody knew of these.
    let known = killed(draft.present().map(|(_, _, case)| case));
    let known: BTreeSet<u32> = known.difference(&dead).copied().collect();
    let alive: BTreeSet<u32> =
        goals.open.iter().filter(|it| !dead.contains(it) && !known.contains(it)).copied().collect();
    let judgement = match alive.is_empty() || is_interrupted {
        true => None,
        false => {
            progress.phase("judging mutants by contracts");
            let bench = judged::Bench {
                package,
                model,
                plan,
                graph: &graph,
                unsteady: &unsteady.keys().copied().collect(),
                pool: &workers.pool,
                limits: workers.quick.clone(),
                seed: args.search.seed,
                is_timed: args.search.executions.is_none(),
            };
            // The tests are written: what goes wrong from here on costs the order of the survivors, and not the report.
            match judged::judge(&bench, &found, &alive) {
                Ok(judgement) => Some(judgement),
                Err(_) if interrupt::requested() => {
                    is_interrupted = true;
                    None
                }
                Err(failure) => {
                    progress.note(&format!("survivors are not ranked by contracts: {failure}"));
                    None
                }
            }
        }
    };
    if let Some(open) = &mut store {
        let tables = judgement.as_ref().map(|it| &it.tables);
        let covers_all = goals.open == goals.viable;
        let saved =
            stored::save(open, &model.api, &package.name, &found, covers_all, tables, &mut from_store);
        if let Err(error) = saved {
            crate::store::warn(&error);
        }
    }
    let judgement = judgement.unwrap_or_default();
    let survivors = survivors::survivors(plan, &lab, &found, &exposed, &alive, &judgement, &options.names());
    let unsteady = unsteady::unsteady(&found.nondeterminism, &dropped, model);
    let reaching_outside = reaching_outside(&found.callable_stats, &dropped, model, left_out);
    let breaks = broken_rules(&files.outer);
    let written: Vec<TestEntry> =
        draft.tests().map(|(index, written)| entry(&policy, plan, &draft, index, written, &breaks)).collect();
    let mut rules: BTreeMap<&'static str, usize> = BTreeMap::new();
    written.iter().flat_map(|test| &test.breaks).for_each(|rule| *rules.entry(rule).or_default() += 1);
    times.total = seconds(progress.elapsed());
    Ok(Report {
        schema: SCHEMA,
        package: package.name.clone(),
        existing,
        files: named(&changes),
        declared: named(&declared),
        stale,
        diff,
        tests: draft.tests().count(),
        assertions: draft.tests().map(|(_, written)| written.case.assertions()).sum(),
        lines: files.texts().map(|text| text.lines().count()).sum(),
        mutants: counts(&goals, &found, known.len(), &dead, &alive),
        facade: facade.map(Facade::note),
        elsewhere: goals.elsewhere.clone(),
        programs: package
            .programs()
            .skip(1)
            .map(|it| it.name.clone())
            .filter(|_| package.is_program())
            .collect(),
        score: [0, dead.len()]
            .map(|new| goals.killed.len() + known.len() + new)
            .map(|part| Rate { part, whole: goals.viable.len() }.percent()),
        accepted: Accepted::all(plan, &options.names()),
        unknown_accepted: filter.unknown_accepted(plan).into_iter().map(|(name, _)| name).collect(),
        yielded: Yield { found: found.archive.len(), writable: exposed.len(), written: dead.len() },
        dropped,
        findings,
        ignored_panics: findings::ignored(&found, api_config),
        executions: found.tally.executions,
        mutant_runs: found.tally.mutant_runs,
        strategies: found.earned.iter().map(|(name, account)| ((*name).to_owned(), account.kills)).collect(),
        seconds: times,
        seed: args.search.seed,
        complete: !is_interrupted,
        written,
        rules,
        broken_contracts: broken_contracts(plan, judgement),
        survivors,
        from_store,
        reaching_outside,
        unsteady,
        untested: model.skipped.iter().map(|it| (it.path.clone(), it.reason.clone())).collect(),
        manifest: destination.advice(package).filter(|_| !draft.is_empty() && !draft.files().is_empty()),
    })
}

/// Whether what earlier runs have found is used: a run whose length is counted in programs can be repeated.
fn uses_store(args: &GenerateArgs) -> bool {
    !args.search.no_store && args.search.executions.is_none()
}

/// By the name of a mutant, the contracts that it breaks.
fn broken_contracts(plan: &Plan, judgement: Judgement) -> BTreeMap<String, Vec<String>> {
    let named = |(mutant, broken)| (plan.mutant(mutant).id.to_string(), broken);
    judgement.broken.into_iter().map(named).collect()
}

/// Callables of which no test is written because they reach outside of their process, where, and how that is known.
fn reaching_outside(
    stats: &CallableStats,
    dropped: &Dropped,
    model: &Model,
    left_out: &[LeftOut],
) -> BTreeMap<String, Outer> {
    let known = left_out
        .iter()
        .map(|it| (it.path.clone(), Outer { outside: it.outside.clone(), because: it.because.clone() }));
    let mut reaching: BTreeMap<String, Outer> = known.collect();
    let mut mark = |callable: u32, outside: &mut dyn Iterator<Item = Outside>, because: String| {
        let is_its = |origin: &&Origin| origin.callables.contains(&(callable as usize));
        let Some(origin) = model.origins.iter().find(is_its) else { return };
        let unknown = || Outer { outside: BTreeSet::new(), because };
        let outer = reaching.entry(origin.path.clone()).or_insert_with(unknown);
        outer.outside.extend(outside.map(|outside| outside.name().to_owned()));
    };
    for avoided in stats.avoided().iter().filter(|avoided| !avoided.outside.is_empty()) {
        mark(avoided.callable, &mut avoided.outside.iter().copied(), "it was seen to do so".to_owned());
    }
    for (callable, calls) in &dropped.callables_outside {
        let first = calls.first().map(ToString::to_string).unwrap_or_default();
        let because = format!("a test of it was about to do so: {first}");
        mark(callable.0, &mut calls.iter().map(|call| call.outside), because);
    }
    reaching
}

/// Where tests can stand inside of the crate.
fn test_modules(request: &Request<'_>, package: &Package) -> Result<TestModules, Failure> {
    let Request { options, builder, args, .. } = *request;
    if args.place.out.is_some() {
        let what = match package.is_program() {
            true => format!("--out is for libraries, and {} is a program", package.name),
            false => "--out and --private do not go together".to_owned(),
        };
        return Err(Failure::usage(format!(
            "{what}\n  only tests inside of the crate can use what is private; leave out --out{}",
            if package.is_program() { "" } else { " or --private" }
        )));
    }
    let (subject, programs) = list::sources(options, builder, package)?;
    TestModules::find(package, &subject, &programs, args.place.force)
}

/// What a test that is there was seen to kill, in a few words each.
fn seen_kills(score: Option<&Score>, plan: &Plan, test: &str) -> Vec<String> {
    let is_by = |by: &String| by.rsplit(' ').next() == Some(test);
    let verdicts = score.into_iter().flat_map(|score| &score.verdicts);
    let ids: BTreeSet<&str> = verdicts
        .filter(|verdict| verdict.by.as_ref().is_some_and(is_by))
        .map(|verdict| verdict.mutant.id.as_str())
        .collect();
    let killed = plan.mutants.iter().filter(|mutant| ids.contains(mutant.id.0.as_str()));
    report::described(plan, &killed.map(|mutant| mutant.number).collect::<Vec<u32>>())
}

/// What of the tests that are there still holds.
fn check_existing(
    request: &Request<'_>,
    package: &Package,
    destination: &Destination,
    progress: &Progress,
) -> Result<Checked, Failure> {
    let Request { options, builder, run, args, .. } = *request;
    let wanted = stale::Wanted { refresh: args.place.refresh, prune: args.place.prune };
    stale::check(options, builder, package, Where::Folder(&destination.dir), run, wanted, progress)
}

/// Paths as people read them.
fn named(changes: &[Change]) -> Vec<String> {
    changes.iter().map(|change| shorten(&change.path).display().to_string()).collect()
}

/// Brings to an end what the user has interrupted.
fn go_on(progress: &Progress, what: &str) {
    interrupt::resume();
    progress.note(&format!("interrupted: writing {what}; once more ends it at once"));
}

/// Whether there is nothing to verify, neither new nor found once more.
fn is_idle(draft: &Draft) -> bool {
    draft.is_empty() && draft.present().next().is_none()
}

/// For each mutant that was killed the best program.
fn programs(found: &Found) -> BTreeMap<u32, Program> {
    found.archive.iter().map(|(mutant, best)| (*mutant, best.program.as_ref().clone())).collect()
}

/// What can be done about existing tests that are not what they should be.
fn with_a_way_out(failure: Failure) -> Failure {
    match failure.code {
        Code::Baseline => Failure::new(
            Code::Baseline,
            format!(
                "{}\n  where only the tests are to blame, `cargo testsmith generate --all-mutants` does without them",
                failure.message
            ),
        ),
        _ => failure,
    }
}

fn unfinished() -> Failure {
    Failure::new(Code::Interrupted, "interrupted: no test was verified by then, so none is written")
}

#[expect(clippy::too_many_arguments, reason = "each is another part of what a search needs")]
fn find(
    request: &Request<'_>,
    subject: &Subject<'_>,
    workers: &Workers,
    goals: &Goals,
    earlier: Stored,
    nondeterminism: Nondeterminism,
    policy: &CratePolicy<'_>,
    progress: &Progress,
) -> Result<Found, Failure> {
    let args = &request.args.search;
    let options = Options {
        seed: args.seed,
        budget: args.executions.map_or(Budget::Time(args.budget), Budget::Executions),
        method: args.strategy.into(),
        goals: goals.open.clone(),
        goes_on: false,
        patience: Some(PATIENCE),
        statements: STATEMENTS,
        limits: workers.quick.clone(),
        confirming: workers.usual.clone(),
        nondeterminism,
        evolving: Evolving::default(),
        solving: Solving::default(),
        solving_after: None,
        stored: earlier,
    };
    let observer = GenerateObserver { policy, progress, started: Instant::now() };
    search(subject, &workers.pool, &options, &observer).map_err(failure)
}

/// Wants what can be written, and tells the user how it is going.
struct GenerateObserver<'a> {
    policy: &'a CratePolicy<'a>,
    progress: &'a Progress,
    started: Instant,
}

impl SearchObserver for GenerateObserver<'_> {
    fn hear(&self, event: Event) {
        self.progress.searching(&event, self.started.elapsed());
    }

    fn can_use(&self, program: &Program, observed: &ObservedDifference) -> bool {
        oracle::can_show(program, observed, self.policy)
    }
}

fn no_api(package: &Package, left_out: &[LeftOut]) -> Failure {
    if let Some(first) = left_out.first() {
        return Failure::new(
            Code::Baseline,
            format!(
                "all of {} that a test could call reaches outside of its process, as {} does: {}\n  \
                 `allow` in testsmith.toml says what tests may reach; `cargo testsmith inspect` names the calls",
                package.name,
                first.path,
                first.chain()
            ),
        );
    }
    Failure::new(
        Code::Baseline,
        format!(
            "{} has nothing public that a test could call\n  `cargo testsmith inspect` says what it has, and why it cannot be called",
            package.name
        ),
    )
}

fn counts(goals: &Goals, found: &Found, known: usize, dead: &BTreeSet<u32>, alive: &BTreeSet<u32>) -> Counts {
    let unreached = alive.iter().filter(|mutant| !found.reached.contains_key(mutant)).count();
    Counts {
        generated: goals.viable.len() + goals.unviable.len(),
        unviable: goals.unviable.len(),
        killed_by_existing: goals.killed.len() + known,
        killed_by_generated: dead.len(),
        unreached,
        survived: alive.len() - unreached,
    }
}

/// By the path of a test the rules that it breaks.
fn broken_rules(files: &[(String, String)]) -> BTreeMap<String, Vec<&'static str>> {
    let of_file = |(file, text): &(String, String)| {
        let module = file.trim_end_matches(".rs").to_owned();
        let tests = testsmith_suite::rules::broken(text).unwrap_or_default().into_iter();
        tests.map(move |(test, rules)| (format!("{module}::{test}"), rules.into_iter().collect()))
    };
    files.iter().flat_map(of_file).collect()
}

fn entry(
    policy: &CratePolicy<'_>,
    plan: &Plan,
    draft: &Draft,
    index: usize,
    written: &Written,
    breaks: &BTreeMap<String, Vec<&'static str>>,
) -> TestEntry {
    let Case { program, checks, kills, .. } = &written.case;
    let (fits, texts): (Vec<&Check>, Vec<&Check>) =
        checks.iter().filter(|check| policy.is_printed(program, check)).partition(|check| check.is_flag());
    let name = draft.path(index).unwrap_or_default();
    TestEntry {
        breaks: breaks.get(&name).cloned().unwrap_or_default(),
        name,
        statements: program.size(),
        assertions: written.case.assertions(),
        rows: Some(written.rows.len()).filter(|rows| *rows > 0),
        on_text: texts.len(),
        on_full_buffer: fits.len(),
        cfg: written.condition.predicate(),
        kills: kills.iter().map(|number| plan.mutant(*number).id.to_string()).collect(),
    }
}
