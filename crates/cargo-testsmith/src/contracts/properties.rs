//! Contracts as property tests: written, compiled, run again and again, and run on mutants. What does not compile, does not pass or
//! kills nothing is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::Serialize;
use testsmith_contracts::{Contract, Kind, PropertyTest, Style, Tables, Writer};
use testsmith_instrument::Plan;
use testsmith_ir::TypeId;
use testsmith_ir::render::needs_import;
use testsmith_model::api::Model;
use testsmith_model::{Package, indented};
use testsmith_proc::{Capture, Limits, Spec};
use testsmith_suite::claims::Order;
use testsmith_suite::{Exceptions, Heap, Runner, Suite};

use super::claims::{Findings, is_shown};
use super::sampling::Judged;
use crate::build::{Builder, Built, CompilerMessage};
use crate::cli::RunArgs;
use crate::copy::Lock;
use crate::failure::{Code, Failure, IoContext, write_atomically};
use crate::generate::described;
use crate::options::{PackageOptions, RunOptions};
use crate::report::progress::Progress;
use crate::score::shorten;
use crate::stale::written_suite;
use crate::test_sandbox;

/// The test target, which is a folder of `tests`.
const TARGET: &str = "testsmith_contracts";
/// What our file begins with; a fingerprint of all that follows stands behind it.
const MARK: &str = "// Property tests written by `cargo testsmith contracts --property-tests`. Fingerprint ";
/// Rounds after which what does not compile is a bug.
const MOST_ROUNDS: usize = 8;
/// Tests of one function.
const MOST_EACH: usize = 6;
/// Mutants that a test is run on.
const MOST_CLAIMS: usize = 10;
/// Mutants that a test names.
const MOST_NAMED: usize = 3;
/// In each of these orders all tests have to pass.
const ORDERS: [Order; 3] = [Order::SideBySide, Order::Single, Order::Shuffled(1)];

/// What is needed to write them.
pub(super) struct Request<'a> {
    pub(super) options: &'a PackageOptions,
    pub(super) builder: &'a Builder,
    pub(super) package: &'a Package,
    pub(super) model: &'a Model,
    pub(super) plan: &'a Plan,
    /// Texts that the crate mentions.
    pub(super) strings: &'a [String],
}

/// What became of them.
#[derive(Debug, Default, Serialize)]
pub(super) struct PropertyTests {
    /// Where they were written, if any are left.
    path: Option<PathBuf>,
    /// `loops` or `proptest`.
    style: &'static str,
    written: Vec<Written>,
    /// The compiler rejects them.
    uncompilable: usize,
    /// They do not pass: the contract does not hold for what they draw.
    failing: usize,
    /// They kill no mutant that was tried.
    toothless: usize,
    /// What the compiler said.
    errors: BTreeSet<String>,
}

#[derive(Debug, Serialize)]
struct Written {
    name: String,
    function: String,
    contract: String,
    /// Mutants that it was seen to fail on.
    kills: Vec<String>,
}

impl PropertyTests {
    pub(super) fn text(&self, all: bool) -> String {
        let mut text = String::new();
        if let Some(path) = &self.path {
            let _ = writeln!(
                text,
                "{} property tests written to {}: each passes, and was seen to fail on a mutant",
                self.written.len(),
                shorten(path).display()
            );
        } else {
            text += "no property test was written: none that was tried kills a mutant\n";
        }
        if all {
            for test in &self.written {
                let _ = writeln!(text, "  {}  {}: {}", test.name, test.function, test.contract);
            }
        }
        let left = self.uncompilable + self.failing + self.toothless;
        if left > 0 {
            let _ = writeln!(
                text,
                "{left} left out: {} do not compile, {} do not pass, {} kill no mutant",
                self.uncompilable, self.failing, self.toothless
            );
        }
        if self.style == "loops" && self.path.is_some() {
            text += "with proptest among the dev-dependencies they would draw by its strategies\n";
        }
        text
    }
}

/// A test that may still be left out.
struct Candidate {
    origin: usize,
    /// Of its callable.
    number: usize,
    test: PropertyTest,
    name: String,
    kills: Vec<u32>,
}

/// Writes the tests that hold and kill.
pub(super) fn write(
    request: &Request<'_>,
    findings: &Findings,
    tables: &Tables,
    judged: &Judged,
    progress: &Progress,
) -> Result<PropertyTests, Failure> {
    let path = request.package.dir.join("tests").join(TARGET).join("main.rs");
    refuse_edited(&path)?;
    progress.phase("writing property tests");
    let style = if has_proptest(request.package)? { Style::Proptest } else { Style::Plain };
    let writer = Writer::new(&request.model.api, tables, style, request.strings);
    let mut all = candidates(request, findings, tables, &writer);
    let mut report = PropertyTests {
        style: if style == Style::Plain { "loops" } else { "proptest" },
        ..PropertyTests::default()
    };
    let verification = Verification { request, writer: &writer, style, run: run_options(request.options)? };
    let suite = verification.compiled(&mut all, &mut report)?;
    if let Some(suite) = suite {
        progress.phase("running property tests again and again");
        verification.steady(suite, &mut all, &mut report)?;
        progress.phase("running property tests on mutants");
        verification.kill(&mut all, judged, &mut report)?;
    }
    if !all.is_empty() {
        let text = verification.text(&all).0;
        let text = rustfmt(request, &text).unwrap_or(text);
        write_atomically(&path, &sealed(&text))?;
        report.path = Some(path);
    }
    let written = all.iter().map(|it| Written {
        name: it.name.clone(),
        function: request.model.origins[it.origin].path.clone(),
        contract: it.test.title.clone(),
        kills: it.kills.iter().map(|number| request.plan.mutant(*number).id.to_string()).collect(),
    });
    report.written = written.collect();
    Ok(report)
}

/// The strong contracts as tests, those that decide something first.
fn candidates(
    request: &Request<'_>,
    findings: &Findings,
    tables: &Tables,
    writer: &Writer<'_>,
) -> Vec<Candidate> {
    let mut all: Vec<Candidate> = Vec::new();
    let mut taken = BTreeSet::new();
    for (origin, (callable, contracts)) in &findings.functions {
        let table = &tables.callables[callable];
        // What panics for reasons that nobody knows cannot be called in a test.
        let panics = contracts.iter().find(|contract| contract.kind == Kind::Panics);
        if panics.is_none() && !table.panicked().is_empty() {
            continue;
        }
        let strong = |contract: &&Contract| is_shown(contract, table);
        let mut count = 0;
        for contract in contracts.iter().filter(strong) {
            if count == MOST_EACH {
                break;
            }
            let Some(test) = writer.test(*callable, table, contract, panics) else { continue };
            let number = contracts.iter().position(|it| it == contract).expect("it is one of them");
            let unit =
                request.model.origins[*origin].unit.rsplit("::").next().unwrap_or_default().to_lowercase();
            let unit: String = unit.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            let names = [test.name.clone(), format!("{unit}_{}", test.name)];
            let numbered = (2..).map(|number| format!("{unit}_{}_{number}", test.name));
            let mut free = names.into_iter().chain(numbered).filter(|name| !taken.contains(name));
            let name = free.next().expect("numbers do not end");
            taken.insert(name.clone());
            all.push(Candidate { origin: *origin, number, test, name, kills: Vec::new() });
            count += 1;
        }
    }
    all
}

/// A file that somebody has changed is not written over.
fn refuse_edited(path: &Path) -> Result<(), Failure> {
    if !path.exists() {
        return Ok(());
    }
    let text = std::fs::read_to_string(path).doing("read", path)?;
    let is_as_written = text
        .strip_prefix(MARK)
        .and_then(|rest| rest.split_once('\n'))
        .is_some_and(|(print, body)| print == fingerprint(body));
    match is_as_written {
        true => Ok(()),
        false => Err(Failure::new(
            Code::Usage,
            format!(
                "{} has been changed since it was written, or somebody else has written it\n  \
                 rename the folder, so that it is kept; then run this again",
                shorten(path).display()
            ),
        )),
    }
}

fn sealed(text: &str) -> String {
    format!("{MARK}{}\n{text}", fingerprint(text))
}

fn fingerprint(text: &str) -> String {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// Whether proptest is one of the dev-dependencies.
fn has_proptest(package: &Package) -> Result<bool, Failure> {
    let text = std::fs::read_to_string(&package.manifest).doing("read", &package.manifest)?;
    let manifest: toml::Table = text.parse().unwrap_or_default();
    Ok(manifest.get("dev-dependencies").and_then(|it| it.get("proptest")).is_some())
}

fn run_options(options: &PackageOptions) -> Result<RunOptions, Failure> {
    let args =
        RunArgs { jobs: None, doctests: false, skip_test: Vec::new(), no_sandbox: false, offline: false };
    RunOptions::resolve(&args, None, &options.config()?)
}

fn rustfmt(request: &Request<'_>, text: &str) -> Option<String> {
    let dir = request.builder.copies.place(&request.package.dir, &request.builder.copies.plain());
    let file = tempfile::Builder::new().prefix("testsmith-").suffix(".rs").tempfile_in(&dir).ok()?;
    std::fs::write(file.path(), text).ok()?;
    let edition = request.package.edition.to_string();
    let spec = Spec::new("rustfmt").args(["--quiet", "--edition", &edition]).arg(file.path()).dir(&dir);
    let ran = testsmith_proc::run(&spec, &Limits::default(), Capture::Nothing).ok()?;
    ran.ending.success().then(|| std::fs::read_to_string(file.path()).ok()).flatten()
}

struct Verification<'a> {
    request: &'a Request<'a>,
    writer: &'a Writer<'a>,
    style: Style,
    run: RunOptions,
}

impl Verification<'_> {
    /// The file, and the lines of each test in it.
    fn text(&self, all: &[Candidate]) -> (String, Vec<Range<usize>>) {
        let edition = self.request.package.edition;
        let types: BTreeSet<TypeId> = all.iter().flat_map(|it| it.test.types.iter().copied()).collect();
        let functions: Vec<_> = types.iter().filter_map(|ty| self.writer.objects(*ty)).collect();
        let imports: BTreeSet<&String> = functions
            .iter()
            .flat_map(|it| &it.imports)
            .chain(all.iter().flat_map(|it| &it.test.imports))
            .collect();
        let mut text = String::from(
            "//! What held in all calls that were seen. Each test passes, and was seen to fail on the mutants that it names.\n\n",
        );
        if edition < 2018 {
            let roots: BTreeSet<&str> = imports.iter().filter_map(|path| path.split("::").next()).collect();
            roots
                .iter()
                .filter(|root| **root != "std")
                .for_each(|root| text += &format!("extern crate {root};\n"));
        }
        imports
            .iter()
            .filter(|path| needs_import(path, edition))
            .for_each(|path| text += &format!("use {path};\n"));
        for function in &functions {
            text += "\n";
            text += &function.item;
        }
        let is_proptest = self.style == Style::Proptest;
        if is_proptest {
            text += "\nproptest::proptest! {\n";
        }
        let mut places = Vec::new();
        for candidate in all {
            text += "\n";
            let first = text.lines().count() + 1;
            let _ = writeln!(text, "/// {}", candidate.test.title);
            if !candidate.kills.is_empty() {
                let named = described(self.request.plan, &candidate.kills);
                text += "///\n/// Fails on:\n";
                for mutant in named.iter().take(MOST_NAMED) {
                    let _ = writeln!(text, "/// * `{mutant}`");
                }
            }
            let _ = write!(text, "#[test]\nfn {}{}", candidate.name, candidate.test.item);
            places.push(first..text.lines().count() + 1);
        }
        if is_proptest {
            text += "}\n";
        }
        (text, places)
    }

    fn build(&self, copy: &Path, text: String) -> Result<Built, Failure> {
        let Request { builder, package, .. } = self.request;
        let lock = Lock::keep(copy)?;
        builder.copies.write_test(copy, package, TARGET, &[("main.rs".to_owned(), text)], true)?;
        let built = builder.build_test(copy, package, &["--test", TARGET])?;
        lock.put_back()?;
        Ok(built)
    }

    /// Compiles the tests; what the compiler rejects is left out. `None` if nothing is left.
    fn compiled(
        &self,
        all: &mut Vec<Candidate>,
        report: &mut PropertyTests,
    ) -> Result<Option<Suite>, Failure> {
        let copy = self.request.builder.copies.plain();
        for _ in 0..MOST_ROUNDS {
            if all.is_empty() {
                return Ok(None);
            }
            let (text, places) = self.text(all);
            let built = self.build(&copy, text)?;
            if built.success {
                return self.suite(&built, &copy).map(Some);
            }
            let lines: BTreeMap<usize, String> = built
                .errors
                .iter()
                .flat_map(|error| lines_of(error).into_iter().map(|line| (line, error.in_short())))
                .collect();
            let is_guilty = |place: &Range<usize>| lines.keys().any(|line| place.contains(line));
            let guilty: Vec<bool> = places.iter().map(is_guilty).collect();
            // What is wrong with a function that makes objects is wrong with all tests that use it.
            let in_functions = guilty.iter().all(|guilty| !guilty);
            let before = all.len();
            if in_functions {
                let first = all[0].test.types.first().copied();
                all.retain(|it| first.is_some() && it.test.types.first().copied() != first);
            } else {
                let mut guilty = guilty.into_iter();
                all.retain(|_| !guilty.next().unwrap_or(false));
            }
            if before == all.len() {
                return Err(Failure::bug(format!(
                    "the property tests do not compile, and none is to blame\n{}",
                    indented(&built.words())
                )));
            }
            report.uncompilable += before - all.len();
            report.errors.extend(lines.into_values());
        }
        report.uncompilable += all.len();
        all.clear();
        Ok(None)
    }

    /// Leaves only tests that pass in all orders.
    fn steady(
        &self,
        mut suite: Suite,
        all: &mut Vec<Candidate>,
        report: &mut PropertyTests,
    ) -> Result<(), Failure> {
        loop {
            let mut failing: BTreeSet<String> = BTreeSet::new();
            for order in ORDERS {
                let results = self.runner(&suite).once(order)?;
                failing.extend(
                    all.iter().filter(|it| results.get(&it.name) != Some(&true)).map(|it| it.name.clone()),
                );
                if testsmith_proc::interrupt::requested() {
                    return Err(Failure::interrupted());
                }
            }
            if failing.is_empty() {
                return Ok(());
            }
            report.failing += failing.len();
            all.retain(|it| !failing.contains(&it.name));
            match self.compiled(all, report)? {
                Some(next) => suite = next,
                None => return Ok(()),
            }
        }
    }

    /// Runs each test on mutants that break its contract, and on those of its function; leaves only those that kill.
    fn kill(
        &self,
        all: &mut Vec<Candidate>,
        judged: &Judged,
        report: &mut PropertyTests,
    ) -> Result<(), Failure> {
        if all.is_empty() {
            return Ok(());
        }
        let copy = self.request.builder.copies.meta();
        let built = self.build(&copy, self.text(all).0)?;
        if !built.success {
            return Err(Failure::bug(format!(
                "the property tests compile with the crate, and not with its copy\n{}",
                indented(&built.words())
            )));
        }
        let suite = self.suite(&built, &copy)?;
        let mut claims = Vec::new();
        let mut claimants = Vec::new();
        for (at, candidate) in all.iter().enumerate() {
            let Some(test) = suite.tests.iter().position(|test| test.name == candidate.name) else {
                continue;
            };
            for mutant in self.suspects(candidate, judged) {
                claims.push((test, mutant));
                claimants.push((at, mutant));
            }
        }
        let holds = self.runner(&suite).claims(&claims, &[Heap::Usual])?;
        for ((at, mutant), holds) in claimants.into_iter().zip(holds) {
            if holds == Some(true) {
                all[at].kills.push(mutant);
            }
        }
        let before = all.len();
        all.retain(|it| !it.kills.is_empty());
        report.toothless += before - all.len();
        Ok(())
    }

    fn suspects(&self, candidate: &Candidate, judged: &Judged) -> Vec<u32> {
        let origin = &self.request.model.origins[candidate.origin];
        let is_its = |callable: &testsmith_ir::CallableId| origin.callables.contains(&(callable.0 as usize));
        let breaks = judged.broken.iter().filter(|(_, broken)| {
            broken.iter().any(|(callable, number)| is_its(callable) && *number == candidate.number)
        });
        let mut all: Vec<u32> = breaks.map(|(mutant, _)| *mutant).collect();
        if let Some(place) = &origin.place {
            let alive = |number: u32| {
                self.request.plan.states[number as usize - 1] == testsmith_instrument::State::Alive
            };
            let own = self.request.plan.mutants.iter().filter(|mutant| {
                let file = &self.request.plan.file_of(mutant).name;
                *file == place.file
                    && (place.first..=place.last).contains(&mutant.line)
                    && alive(mutant.number)
            });
            all.extend(own.map(|mutant| mutant.number));
        }
        let mut seen = BTreeSet::new();
        all.retain(|mutant| seen.insert(*mutant));
        all.truncate(MOST_CLAIMS);
        all
    }

    fn suite(&self, built: &Built, copy: &Path) -> Result<Suite, Failure> {
        let Request { builder, package, .. } = self.request;
        written_suite(builder, &self.run, package, TARGET, built, copy)
    }

    fn runner<'s>(&self, suite: &'s Suite) -> Runner<'s> {
        let builder = self.request.builder;
        Runner {
            suite,
            scratch: builder.copies.home.join("scratch"),
            temp: builder.temp.clone(),
            sandbox: test_sandbox::of_copy(&builder.copies.plain(), self.run.sandbox, &Exceptions::default()),
            skip: Vec::new(),
            time: self.run.time,
            memory: self.run.memory,
            jobs: self.run.jobs,
            heap: Heap::Usual,
            world: None,
        }
    }
}

/// The lines of our file that an error is about.
fn lines_of(error: &CompilerMessage) -> Vec<usize> {
    let is_ours = |file: &str| file.contains(TARGET);
    let mut lines = Vec::new();
    for span in &error.spans {
        let mut next = Some(span);
        while let Some(span) = next {
            if is_ours(&span.file_name) {
                lines.push(span.line_start);
            }
            next = span.expansion.as_ref().map(|expansion| &expansion.span);
        }
    }
    lines
}
