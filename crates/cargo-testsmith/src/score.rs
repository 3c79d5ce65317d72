//! `cargo testsmith score`: the pipeline from a crate to its score.

use std::path::Path;
use std::time::Duration;

use testsmith_instrument::{Mutant, Plan, State};
use testsmith_model::{Package, Workspace, indented};
use testsmith_suite::baseline::Baseline;
use testsmith_suite::mutation_analysis::{MutantUnderTest, MutationAnalysis};
use testsmith_suite::trace::{Trace, Traces};
use testsmith_suite::{Exceptions, Heap, Runner, Suite, Verdict, discover};

use crate::build::{Builder, Built};
use crate::failure::{Code, Failure, write_atomically};
use crate::filter::Filter;
use crate::meta::{self, MetaProgram, Purpose};
use crate::options::{Output, PackageOptions, RunOptions};
use crate::report::json::{
    Counts, Memory, MutantEntry, PackageScore, SCHEMA, Score, Seconds, SelfChecks, Tests, VerdictEntry,
    verdict,
};
use crate::report::progress::Progress;
use crate::stale::{self, StaleTest, Where};
use crate::test_sandbox::SandboxReport;
use crate::time_budget::TimeBudget;
use crate::{build_failure, chosen, doctest, report, test_sandbox};

/// Runs the command; the code says what was found.
pub(crate) fn run(
    options: &PackageOptions,
    filter: &Filter,
    builder: &Builder,
    run: &RunOptions,
    output: Output,
) -> Result<Code, Failure> {
    let progress = Progress::new(output);
    let planned = planned(options, filter, builder)?;
    if planned.as_ref().is_some_and(chosen::is_empty) {
        return Ok(nothing_in_diff(options, output));
    }
    let result = without_stale(options, builder, run, &progress).and_then(|(builder, stale)| {
        let analysis = analyse(options, filter, &builder, run, None, planned, &progress)?;
        Ok((analysis, stale))
    });
    progress.finish();
    let (analysis, stale) = result?;
    let Analysis { mut score, plan, .. } = analysis.ok_or_else(|| no_tests(options, &stale))?;
    score.stale = stale;
    let path = builder.copies.home.join("score.json");
    let text = serde_json::to_string_pretty(&score).expect("the report can be written");
    write_atomically(&path, &text)?;
    if output.json {
        crate::print_json(&score);
    } else {
        anstream::print!("{}", report::human::score(&score, &plan, output.verbose));
        if !output.quiet {
            anstream::println!("details: {}", shorten(&path).display());
        }
    }
    if score.complete && score.score.is_none() {
        return Err(none_judged(&score));
    }
    Ok(code(&score, run))
}

/// A builder whose copies go without tests that testsmith has written earlier and that no longer hold, and these.
fn without_stale(
    options: &PackageOptions,
    builder: &Builder,
    run: &RunOptions,
    progress: &Progress,
) -> Result<(Builder, Vec<StaleTest>), Failure> {
    let (mut builder, mut stale) = (builder.clone(), Vec::new());
    for package in &options.workspace.packages {
        let wanted = stale::Wanted::default();
        let checked = stale::check(options, &builder, package, Where::Package, run, wanted, progress)?;
        builder = checked.builder(&builder);
        stale.extend(checked.stale());
    }
    Ok((builder, stale))
}

/// The mutants that the user has chosen, before anything is built; `None` if only a crate that has been built tells, or why it
/// cannot be.
pub(crate) fn planned(
    options: &PackageOptions,
    filter: &Filter,
    builder: &Builder,
) -> Result<Option<Plan>, Failure> {
    match chosen::plan(options, filter, builder) {
        Err(failure) if failure.code == Code::Baseline => Ok(None),
        planned => planned.map(Some),
    }
}

/// A change of the docs, say: that there is nothing to judge is as it should be.
fn nothing_in_diff(options: &PackageOptions, output: Output) -> Code {
    anstream::eprintln!("{}", chosen::NOTHING_IN_DIFF);
    if output.json {
        let (package, complete) = (options.title(), true);
        crate::print_json(&Score { schema: SCHEMA, package, complete, ..Score::default() });
    }
    Code::Success
}

fn none_judged(score: &Score) -> Failure {
    chosen::nothing(&format!(
        "no mutant could be judged: of {} the compiler rejects {}\n  `-v` prints its reasons",
        score.mutants.generated, score.mutants.unviable
    ))
}

/// What the existing tests are worth.
pub(crate) struct Analysis {
    pub(crate) score: Score,
    /// The mutants, of which some have turned out not to compile.
    pub(crate) plan: Plan,
    /// The mutants as they were planned.
    pub(crate) planned: Plan,
    /// Tests that were left out because they take too long.
    pub(crate) slow: Vec<String>,
    /// What tests need of the system.
    pub(crate) exceptions: Exceptions,
}

/// The score of the existing tests; `None` if there are none. Within a time budget, tests that take too long are left out, and mutants
/// that have not been tried when the time is over are `not_run`.
pub(crate) fn analyse(
    options: &PackageOptions,
    filter: &Filter,
    builder: &Builder,
    run: &RunOptions,
    time_budget: Option<TimeBudget>,
    planned: Option<Plan>,
    progress: &Progress,
) -> Result<Option<Analysis>, Failure> {
    let scratch = builder.copies.scratch()?;
    let packages = &options.workspace.packages;

    progress.phase("building the crate");
    let (builder, plain) = build_plain(builder, &options.workspace)?;
    let builder = &builder;
    let mut sandbox_report = test_sandbox::ask(run.sandbox, &builder.temp)?;
    let plain_suite = tests(&plain, builder, &builder.copies.plain(), packages, run, &run.skip_tests)?;
    if plain_suite.tests.is_empty() {
        return Ok(None);
    }
    let planned = planned.map_or_else(|| chosen::plan(options, filter, builder), Ok)?;
    let mut plan = planned.clone();
    let built_plain = progress.elapsed();

    progress.phase("running its tests");
    let runner = |suite, time, skip: &[String], sandbox| Runner {
        suite,
        sandbox,
        scratch: scratch.clone(),
        temp: builder.temp.clone(),
        skip: skip.to_vec(),
        time,
        memory: run.memory,
        jobs: run.jobs,
        heap: Heap::Usual,
        world: None,
    };
    let time = time_budget.map_or(run.time, |time_budget| time_budget.plain(run.time));
    let sandbox = |copy: &Path, exceptions: &Exceptions| test_sandbox::of_copy(copy, run.sandbox, exceptions);
    let plain_sandbox = sandbox(&builder.copies.plain(), &Exceptions::default());
    let mut plain_runner = runner(&plain_suite, time, &run.skip_tests, plain_sandbox);
    let mut plain_results = plain_runner.baseline_and_access()?;
    let slow = match time_budget {
        Some(time_budget) => plain_runner.slow(&mut plain_results, time_budget.slow(run.time))?,
        None => Vec::new(),
    };
    passed(&plain_results, run)?;
    let exceptions = plain_runner.sandbox.as_ref().map(|it| it.exceptions.clone()).unwrap_or_default();
    sandbox_report.note(&exceptions);
    sandbox_report.notes().iter().for_each(|note| progress.note(note));
    if slow.len() == plain_suite.tests.len() {
        return Ok(None);
    }
    let mut slow: Vec<String> = slow.into_iter().map(|test| plain_suite.tests[test].name.clone()).collect();
    let skip: Vec<String> = run.skip_tests.iter().chain(&slow).cloned().collect();
    let run_plain = progress.elapsed() - built_plain;

    progress.phase("building all mutants at once");
    let meta = meta::build(builder, &options.workspace, &mut plan, &mut Purpose::Tests)?;
    let suite = tests(&meta.built, builder, &builder.copies.meta(), packages, run, &skip)?;
    let build = progress.elapsed() - run_plain;

    progress.phase("checking that the copy behaves as the crate");
    let time = run.time.for_meta_program(plain_results.duration);
    let [tracing, running] = time_budget.map_or([time; 2], |time_budget| time_budget.mutants(time));
    let meta_sandbox = sandbox(&builder.copies.meta(), &exceptions);
    let tracer = runner(&suite, tracing, &skip, meta_sandbox.clone());
    let meta_results = tracer.baseline()?;
    let traces = tracer.trace(u32::try_from(plan.mutants.len()).expect("few"), &|e| progress.event(&e))?;
    slow.extend(untraced(&suite, &traces, tracing.baseline));
    let under_test: Vec<_> = under_test(&plan);
    let analysis =
        runner(&suite, running, &skip, meta_sandbox)
            .mutation_analysis(&under_test, &traces, &|e| progress.event(&e))?;

    let seconds = Seconds {
        build: seconds(build),
        run: seconds(progress.elapsed() - build),
        total: seconds(progress.elapsed()),
        tests_plain: seconds(plain_results.duration),
        tests_meta: seconds(meta_results.duration),
    };
    let findings = Findings {
        sandbox: sandbox_report,
        meta,
        suite,
        traces,
        plain_results,
        meta_results,
        analysis,
        seconds,
    };
    Ok(Some(Analysis { score: findings.score(options, filter, &plan), plan, planned, slow, exceptions }))
}

/// Builds the plain copy, at first without dev-dependencies that the tests do not seem to need.
fn build_plain(builder: &Builder, workspace: &Workspace) -> Result<(Builder, Built), Failure> {
    let mut builder = builder.clone();
    loop {
        builder.copies.update_plain(workspace)?;
        let built = builder.build_tests(&builder.copies.plain(), &workspace.packages)?;
        if built.success {
            return Ok((builder, built));
        }
        if !builder.copies.prunes {
            return Err(does_not_compile(&built, &builder));
        }
        builder.copies.prunes = false;
    }
}

/// The tests of a built copy.
fn tests(
    built: &Built,
    builder: &Builder,
    copy: &Path,
    packages: &[Package],
    run: &RunOptions,
    skip: &[String],
) -> Result<Suite, Failure> {
    let mut binaries = built.binaries(builder, copy, packages)?;
    if run.doctests {
        binaries.extend(doctest::build(builder, copy, packages, binaries.len())?);
    }
    let sandbox = test_sandbox::of_copy(copy, run.sandbox, &Exceptions::default());
    Ok(discover::discover(binaries, skip, sandbox.as_ref(), &builder.temp)?)
}

/// Tests of which there was no time to find out what they reach, but for an interruption.
fn untraced(suite: &Suite, traces: &Traces, limit: Duration) -> Vec<String> {
    let is_late = |trace: &Trace| !trace.passed && trace.duration >= limit;
    let tests = traces.tests.iter().zip(&suite.tests);
    let late = tests.filter(|(trace, _)| trace.as_ref().is_none_or(is_late));
    late.map(|(_, test)| test.name.clone()).collect()
}

/// Everything that was found out.
struct Findings {
    sandbox: SandboxReport,
    meta: MetaProgram,
    suite: Suite,
    traces: Traces,
    plain_results: Baseline,
    meta_results: Baseline,
    analysis: MutationAnalysis,
    seconds: Seconds,
}

impl Findings {
    fn score(&self, options: &PackageOptions, filter: &Filter, plan: &Plan) -> Score {
        let names = options.names();
        let verdicts = self.verdicts(plan, &names);
        let mut mutants = Counts::default();
        let mut packages: Vec<PackageScore> = names
            .iter()
            .map(|name| PackageScore { package: name.clone(), mutants: Counts::default(), score: None })
            .collect();
        for entry in &verdicts {
            mutants.add(entry.verdict);
            if let Some(package) = packages.iter_mut().find(|p| p.package == entry.mutant.package) {
                package.mutants.add(entry.verdict);
            }
        }
        packages.iter_mut().for_each(|package| package.score = package.mutants.rate().percent());
        let survivors =
            verdicts.iter().filter(|v| v.verdict == "survived").map(|v| v.mutant.clone()).collect();
        Score {
            schema: SCHEMA,
            package: options.title(),
            packages,
            score: mutants.rate().percent(),
            complete: mutants.not_run == 0 && !testsmith_proc::interrupt::requested(),
            mutants,
            tests: Tests {
                run: self.suite.tests.len(),
                ignored: self.suite.ignored,
                unusable: self.unusable_tests().len(),
                binaries: self.suite.binaries.len(),
            },
            seconds: self.seconds,
            memory: Memory { peak_tool_kib: peak_kib() },
            sandbox: self.sandbox.clone(),
            build_rounds: self.meta.rounds,
            self_checks: self.self_checks(plan),
            unread_files: unread_files(plan),
            survivors,
            verdicts,
            unknown_accepted: filter.unknown_accepted(plan).into_iter().map(|(name, _)| name).collect(),
            stale: Vec::new(),
        }
    }

    fn verdicts(&self, plan: &Plan, names: &[String]) -> Vec<VerdictEntry> {
        let entry = |mutant: &Mutant, state: &State| {
            let (verdict, by, reason) = match state {
                State::Unviable(reason) => ("unviable", None, Some(reason.clone())),
                State::Alive => {
                    let found = self.analysis.verdicts.get(&mutant.number).unwrap_or(&Verdict::NotRun);
                    let (word, by) = verdict(found, &self.suite);
                    (word, by, None)
                }
                State::Accepted(reason) => ("accepted", None, Some(reason.clone())),
                State::Deselected | State::Fixed(_) => return None,
            };
            let spent = self.analysis.spent.get(&mutant.number).copied().unwrap_or_default();
            Some(VerdictEntry {
                mutant: MutantEntry::new(plan, mutant, names),
                verdict,
                seconds: seconds(spent),
                by,
                reason,
            })
        };
        plan.iter().filter_map(|(mutant, state)| entry(mutant, state)).collect()
    }

    /// Tests that pass with the others but not alone.
    fn unusable_tests(&self) -> Vec<String> {
        let failed = |trace: &Option<_>| trace.as_ref().is_some_and(|trace: &Trace| !trace.passed);
        let tests = self.traces.tests.iter().enumerate().filter(|(_, trace)| failed(trace));
        tests.map(|(test, _)| self.suite.name(test)).collect()
    }

    fn self_checks(&self, plan: &Plan) -> SelfChecks {
        let differs =
            |(key, ok): &(&(String, String), &bool)| self.plain_results.results.get(key) != Some(ok);
        let changed = self.meta_results.results.iter().filter(differs);
        let ids = self.analysis.killed_uninfected.iter().map(|number| plan.mutant(*number).id.to_string());
        SelfChecks {
            unusable_tests: self.unusable_tests(),
            changed_tests: changed.map(|((binary, test), _)| format!("{binary}: {test}")).collect(),
            uninfected: self.analysis.uninfected,
            uninfected_run: self.analysis.uninfected_run,
            killed_uninfected: ids.collect(),
        }
    }
}

/// Files that are part of the crate but could not be read.
fn unread_files(plan: &Plan) -> Vec<String> {
    let files = plan.skipped.iter().filter(|s| s.line == 0 && s.reason != "generated");
    files.map(|s| format!("{}: {}", s.file, s.reason)).collect()
}

fn under_test(plan: &Plan) -> Vec<MutantUnderTest> {
    let alive = plan.iter().filter(|(_, state)| **state == State::Alive);
    let accuse = |mutant: &Mutant| MutantUnderTest {
        mutant: mutant.number,
        group: mutant.function,
        package: plan.file_of(mutant).package,
    };
    alive.map(|(mutant, _)| accuse(mutant)).collect()
}

/// The crate has to compile as it is.
pub(crate) fn does_not_compile(built: &Built, builder: &Builder) -> Failure {
    if let Some(failure) = builder.copies.full_disk(&built.words()) {
        return failure;
    }
    if let Some(failure) = build_failure::explained(&built.words()) {
        return failure;
    }
    // A library is compiled twice, once for its own tests.
    let mut words: Vec<&str> = Vec::new();
    for error in built.errors.iter().filter_map(|e| e.rendered.as_deref()) {
        if !words.contains(&error) {
            words.push(error);
        }
    }
    words.truncate(3);
    if words.is_empty() {
        words.push(&built.stderr);
    }
    Failure::new(
        Code::Baseline,
        format!(
            "the crate or its tests do not compile, before any mutant\n{}\n  `cargo test --no-run` shows the same",
            indented(&words.join("\n"))
        ),
    )
}

/// Its tests have to pass as it is.
fn passed(baseline: &Baseline, run: &RunOptions) -> Result<(), Failure> {
    if baseline.interrupted {
        return Err(Failure::interrupted());
    }
    let Some(failure) = baseline.failures.first() else { return Ok(()) };
    let names = match failure.tests.as_slice() {
        [] => String::new(),
        tests => format!(": {}", tests.join(", ")),
    };
    let advice = match failure.ending {
        testsmith_proc::Ending::TimedOut => format!(
            "it did not end within {} s; `baseline_seconds` in testsmith.toml sets the limit",
            run.time.baseline.as_secs()
        ),
        testsmith_proc::Ending::Signalled(_) => format!(
            "it may need more memory than the {} MiB that `memory_mib` in testsmith.toml allows; `cargo test` shows more",
            run.memory.unwrap_or(0) >> 20
        ),
        _ => "a mutant can only be judged by tests that pass without one: mend them, or leave them out with \
              --skip-test NAME; `cargo test` shows more"
            .to_owned(),
    };
    Err(Failure::new(
        Code::Baseline,
        format!(
            "the tests fail before any mutant ({}, {}){names}\n{}\n  {advice}",
            failure.binary,
            failure.ending,
            indented(&failure.output)
        ),
    ))
}

fn no_tests(options: &PackageOptions, stale: &[StaleTest]) -> Failure {
    if !stale.is_empty() {
        let words = stale::text(stale, false);
        return Failure::new(
            Code::Baseline,
            format!("{} has no test that still holds\n{}", options.title(), words.trim()),
        );
    }
    Failure::new(
        Code::Baseline,
        format!(
            "{} has no tests, so every mutant would survive\n  \
             write one, or use --doctests if the examples in its docs are its tests; `cargo testsmith list` prints the mutants",
            options.title()
        ),
    )
}

/// What the exit code says.
fn code(score: &Score, run: &RunOptions) -> Code {
    if !score.complete {
        return Code::Interrupted;
    }
    let well = if score.stale.is_empty() { Code::Success } else { Code::Stale };
    if let Some(least) = run.min_score {
        return if score.mutants.rate().reaches(least) { well } else { Code::Survivors };
    }
    let counts = &score.mutants;
    if counts.survived + counts.unreached > 0 {
        Code::Survivors
    } else if counts.timeout > 0 {
        Code::Timeouts
    } else {
        well
    }
}

/// To the millisecond.
pub(crate) fn seconds(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1000.0).round() / 1000.0
}

/// The path from here, where that is shorter.
pub(crate) fn shorten(path: &Path) -> &Path {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(here).unwrap_or(path)
}

/// The most memory that this process has used, where the system tells.
fn peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}
