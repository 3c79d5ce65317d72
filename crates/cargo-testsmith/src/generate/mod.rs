//! `cargo testsmith generate`: the pipeline from a crate to the tests that it misses.
//!
//! `goals` says what the tests are for, `subject` and `testsmith-search` find programs that expose mutants, `cases` makes
//! test cases of them with the help of `judgement`, `files` writes them, `verify` holds them to what they claim.

mod cases;
mod files;
mod goals;
mod judgement;
mod report;
mod subject;
mod verify;

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use testsmith_instrument::Plan;
use testsmith_ir::Program;
use testsmith_model::Package;
use testsmith_model::api::Reach;
use testsmith_model::effects;
use testsmith_model::graph::Graph;
use testsmith_search::marks::Marks;
use testsmith_search::{Budget, Evolving, Found, Method, Options, Subject, search};
use testsmith_suite::case::Case;
use testsmith_suite::lab::Lab;
use testsmith_suite::text;

use self::files::{Draft, Found as Existing, Manner, NAME, Written};
use self::goals::Goals;
use self::judgement::Expert;
use self::report::{Report, Times};
use self::verify::Court;
use crate::build::Builder;
use crate::cli::{GenerateArgs, StrategyArg};
use crate::failure::{Code, Failure, write_atomically};
use crate::filter::Filter;
use crate::harness::{self, Driven};
use crate::isolation::Sources;
use crate::options::{Output, PackageOptions, RunOptions};
use crate::report::progress::Progress;
use crate::score;
use crate::workers::{Wanted, Workers, failure};

/// How long a program may go on without a step before its process is killed.
const STALL: Duration = Duration::from_secs(3);

/// What the user wants.
pub(crate) struct Request<'a> {
    pub(crate) options: &'a PackageOptions,
    pub(crate) filter: &'a Filter,
    pub(crate) builder: &'a Builder,
    pub(crate) run: &'a RunOptions,
    pub(crate) args: &'a GenerateArgs,
}

/// Runs the command.
pub(crate) fn run(request: &Request<'_>, output: Output) -> Result<Code, Failure> {
    let progress = Progress::new(output);
    let result = generate(request, output, &progress);
    progress.finish();
    let report = result?;
    let path = request.builder.copies.home.join("generate.json");
    write_atomically(&path, &crate::json_text(&report))?;
    if output.json {
        crate::print_json(&report);
    } else {
        anstream::print!("{}", report.text());
    }
    Ok(Code::Success)
}

fn generate(request: &Request<'_>, output: Output, progress: &Progress) -> Result<Report, Failure> {
    let started = Instant::now();
    let Request { options, filter, builder, run, args } = request;
    let [package] = options.workspace.packages.as_slice() else {
        return Err(Failure::usage("one package at a time\n  name it with --package"));
    };
    let mut times = Times::default();
    let existing = match args.search.all_mutants {
        true => None,
        false => score::analyse(options, filter, builder, run, progress, started)?,
    };
    let score = existing.map(|(score, _)| score);
    times.score = score::seconds(started.elapsed());
    builder.copies.scratch()?;
    let mut driven = harness::build(options, filter, builder, package, Reach::Public, progress)?;
    let sources = Sources::read(options, builder, package)?;
    let wanted = Wanted { workers: run.jobs, stall: STALL, isolation: None };
    let workers = Workers::start(&mut driven, &sources, builder, package, wanted)?;
    workers.surroundings.tell(output);
    times.build = score::seconds(started.elapsed()) - times.score;
    let Driven { model, plan, .. } = &driven;
    let goals = Goals::new(plan, model, score.as_ref(), &args.search)?;

    let searching = Instant::now();
    progress.phase("searching");
    let effects = effects::analyse(&plan.tree, 0, &plan.cfgs[0]);
    let graph = Graph::new(model, &effects);
    let subject = subject::subject(model, plan, &graph);
    let mut marks = Marks::default();
    sources.unsteady(model).into_iter().for_each(|(callable, reason)| marks.declare(callable, reason));
    let found = find(request, &subject, &workers, &goals, marks)?;
    times.search = score::seconds(searching.elapsed());

    let writing = Instant::now();
    progress.phase("choosing and shortening the tests");
    let expert = Expert::new(model, plan);
    let inspectors = expert.inspectors(&graph);
    let unseen = |program: &Program| {
        let steady = !found.marks.may_end_otherwise(program);
        steady.then(|| found.marks.unseen(program))
    };
    let lab = Lab { api: &model.api, pool: &workers.pool, limits: workers.hasty.clone(), unseen: &unseen };
    let programs: BTreeMap<u32, Program> =
        found.archive.iter().map(|(mutant, best)| (*mutant, best.program.as_ref().clone())).collect();
    let mutants = u32::try_from(plan.mutants.len()).expect("mutants are numbered in 32 bits");
    let cases = cases::cases(&lab, &expert, &inspectors, &programs, mutants)?;
    let exposed: BTreeSet<u32> = cases.iter().flat_map(|case| case.kills.iter().copied()).collect();
    let library = package.library().map_or(&package.name, |library| &library.name);
    let manner = Manner { library: library.clone(), edition: package.edition };
    let mut draft = Draft::new(manner, written(&expert, plan, cases), Existing::default());
    times.suite = score::seconds(writing.elapsed());

    let verifying = Instant::now();
    let court = Court { request, package, progress };
    let dropped = court.verify(&mut draft, plan)?;
    times.verify = score::seconds(verifying.elapsed());
    let files = place(package, args, &draft)?;
    times.total = score::seconds(started.elapsed());
    Ok(Report::new(&report::Facts {
        package,
        plan,
        goals: &goals,
        found: &found,
        draft: &draft,
        dropped,
        exposed: &exposed,
        files,
        times,
        seed: args.search.seed,
    }))
}

fn find(
    request: &Request<'_>,
    subject: &Subject<'_>,
    workers: &Workers,
    goals: &Goals,
    marks: Marks,
) -> Result<Found, Failure> {
    let args = &request.args.search;
    let options = Options {
        seed: args.seed,
        budget: args.executions.map_or(Budget::Time(args.budget), Budget::Executions),
        method: match args.strategy {
            StrategyArg::Random => Method::Random,
            StrategyArg::Evolve => Method::Evolve,
            StrategyArg::Hybrid => Method::Hybrid,
        },
        goals: goals.open.clone(),
        statements: 16,
        limits: workers.hasty.clone(),
        confirming: workers.usual.clone(),
        marks,
        evolving: Evolving::default(),
    };
    search(subject, &workers.pool, &options, &|_| {}).map_err(failure)
}

/// The cases as text.
fn written(expert: &Expert<'_>, plan: &Plan, cases: Vec<Case>) -> Vec<Written> {
    let write = |case: Case| {
        let text = text::test(&expert.model.api, &case, &report::kills(plan, &case))?;
        let unit = expert.subject_of(&case.program).map_or("tests", |origin| origin.unit.as_str());
        Some(Written { unit: unit.to_owned(), case, text })
    };
    cases.into_iter().filter_map(write).collect()
}

/// Moves the files to where the user wants them.
fn place(package: &Package, args: &GenerateArgs, draft: &Draft) -> Result<Vec<String>, Failure> {
    let dir = args.place.out.clone().unwrap_or_else(|| package.dir.join("tests").join(NAME));
    let mut placed = Vec::new();
    if draft.tests().next().is_none() {
        return Ok(placed);
    }
    for (name, text) in draft.files() {
        let path = dir.join(name);
        write_atomically(&path, text)?;
        placed.push(score::shorten(&path).display().to_string());
    }
    Ok(placed)
}
