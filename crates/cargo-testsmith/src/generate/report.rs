//! What `generate` has done: JSON, and text for people.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use serde::Serialize;
use testsmith_instrument::{Plan, State, operators};
use testsmith_suite::case::Case;
use testsmith_suite::text::{KillWords, snake_case};

use super::findings::Finding;
use super::stored::FromStore;
use super::survivors::Survivor;
use super::verify::Dropped;
use crate::chosen;
use crate::report::human::unknown_accepted;
use crate::report::json::{MutantEntry, SCHEMA};
use crate::report::lines::in_words;
use crate::report::rate::Rate;
use crate::stale::{self, StaleTest};

/// How long each phase took.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct Times {
    /// Judging the existing tests.
    pub(crate) score: f64,
    /// Building what drives the crate.
    pub(crate) build: f64,
    pub(crate) search: f64,
    /// Shortening and choosing.
    pub(crate) suite: f64,
    pub(crate) verify: f64,
    pub(crate) total: f64,
}

/// Mutants by what became of them.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct Counts {
    pub(crate) generated: usize,
    pub(crate) unviable: usize,
    pub(crate) killed_by_existing: usize,
    pub(crate) killed_by_generated: usize,
    pub(crate) unreached: usize,
    pub(crate) survived: usize,
}

/// A test that was written.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct TestEntry {
    /// As libtest names it.
    pub(crate) name: String,
    /// Calls, literals and drops in its program.
    pub(crate) statements: usize,
    pub(crate) assertions: usize,
    /// Cases of its table, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rows: Option<usize>,
    /// Of these, on printed text.
    pub(crate) on_text: usize,
    /// Of these, that a text does not fit into a buffer.
    pub(crate) on_full_buffer: usize,
    /// What has to be on for it, as `cfg` takes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cfg: Option<String>,
    /// Ids of the mutants that it was seen to fail on.
    pub(crate) kills: Vec<String>,
    /// Rules for tests that people like to read, which it breaks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) breaks: Vec<&'static str>,
}

/// How kills got from the search to the files.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct Yield {
    /// Killed by a program of the search.
    pub(crate) found: usize,
    /// Of these, by a case that can be written.
    pub(crate) writable: usize,
    /// Of these, by a test that is in the files.
    pub(crate) written: usize,
}

/// What there was no time for when the existing tests were judged.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Existing {
    /// Tests that were left out.
    pub(crate) slow_tests: Vec<String>,
    /// Mutants that count as alive, although a test may kill them.
    pub(crate) mutants_not_tried: usize,
}

/// A mutant that no test has to kill, because the user says so.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Accepted {
    #[serde(flatten)]
    pub(crate) mutant: MutantEntry,
    pub(crate) reason: String,
}

impl Accepted {
    pub(crate) fn all(plan: &Plan, packages: &[String]) -> Vec<Accepted> {
        let accepted = plan.iter().filter_map(|(mutant, state)| match state {
            State::Accepted(reason) => {
                Some(Accepted { mutant: MutantEntry::new(plan, mutant, packages), reason: reason.clone() })
            }
            _ => None,
        });
        accepted.collect()
    }
}

/// `generate --json`, and `target/testsmith/generate.json`.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Report {
    pub(crate) schema: &'static str,
    pub(crate) package: String,
    pub(crate) existing: Existing,
    /// Files that were written or changed.
    pub(crate) files: Vec<String>,
    /// Tests of earlier runs that no longer hold.
    pub(crate) stale: Vec<StaleTest>,
    /// What would be written, if nothing is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) diff: Option<String>,
    /// Files of the crate that got the line `mod testsmith;`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) declared: Vec<String>,
    pub(crate) tests: usize,
    pub(crate) assertions: usize,
    pub(crate) lines: usize,
    pub(crate) mutants: Counts,
    /// That nearly nothing of the library can be called from outside.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) facade: Option<String>,
    /// By file, mutants in code that the tests cannot call, because only other programs have it. They count nowhere else.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) elsewhere: BTreeMap<String, usize>,
    /// Programs that `--bin` would test.
    #[serde(skip)]
    pub(crate) programs: Vec<String>,
    /// Percent of the viable mutants that are killed, before and after.
    pub(crate) score: [Option<f64>; 2],
    /// Mutants that the configuration accepts.
    pub(crate) accepted: Vec<Accepted>,
    /// Those of them that are not there.
    pub(crate) unknown_accepted: Vec<String>,
    #[serde(rename = "yield")]
    pub(crate) yielded: Yield,
    /// Tests that were left out.
    pub(crate) dropped: Dropped,
    pub(crate) findings: Vec<Finding>,
    /// Places whose panics the configuration says to ignore.
    pub(crate) ignored_panics: usize,
    pub(crate) executions: u64,
    pub(crate) mutant_runs: u64,
    pub(crate) strategies: BTreeMap<String, u64>,
    pub(crate) seconds: Times,
    pub(crate) seed: u64,
    /// Whether the run came to its end.
    pub(crate) complete: bool,
    pub(crate) written: Vec<TestEntry>,
    /// How many of them break which rule.
    pub(crate) rules: BTreeMap<&'static str, usize>,
    /// By the name of a mutant, what held in all calls that were seen, and not with it.
    pub(crate) broken_contracts: BTreeMap<String, Vec<String>>,
    pub(crate) survivors: Vec<Survivor>,
    /// Programs and objects of earlier runs, and for later ones.
    pub(crate) from_store: FromStore,
    /// Callables that reach outside of their process: no test calls them.
    pub(crate) reaching_outside: BTreeMap<String, Outer>,
    /// Callables whose results are not the same every time or everywhere, and how that is known: no test rests on them.
    pub(crate) unsteady: BTreeMap<String, String>,
    /// What cannot be called, and why.
    pub(crate) untested: BTreeMap<String, String>,
    /// What cargo has to be told to find the tests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) manifest: Option<String>,
}

/// Where a callable reaches outside of its process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Outer {
    pub(crate) outside: BTreeSet<String>,
    /// A chain of calls, or how it was seen.
    pub(crate) because: String,
}

/// What a test kills, for the comment above it and for its name.
pub(crate) fn kills(plan: &Plan, case: &Case) -> KillWords {
    let mut places = Vec::new();
    for number in by_words(plan, &case.kills) {
        let path = &plan.function_of(plan.mutant(number)).path;
        let place = snake_case(path.rsplit("::").next().unwrap_or_default());
        if !place.is_empty() && !places.contains(&place) {
            places.push(place);
        }
    }
    KillWords { clauses: described(plan, &case.kills), places }
}

/// What mutants change, in words that stay true when lines move: ``"`<` in `Date::is_valid` becomes `<=`"``. Those that say most come first.
pub(crate) fn described(plan: &Plan, mutants: &[u32]) -> Vec<String> {
    by_words(plan, mutants).into_iter().map(|number| in_words(plan, plan.mutant(number))).collect()
}

/// Mutants, those first that say most.
fn by_words(plan: &Plan, mutants: &[u32]) -> Vec<u32> {
    // What is computed wrongly says more than a body that is gone, and what is short more than what is cut.
    let key = |number: &u32| {
        let mutant = plan.mutant(*number);
        let words = in_words(plan, mutant);
        (words.contains('…'), mutant.operator == operators::FN_VALUE, words.chars().count(), *number)
    };
    let mut all = mutants.to_vec();
    all.sort_by_cached_key(key);
    all
}

/// What the user has to know who reads no report.
pub(crate) const NOT_RUN: &str =
    "warning: `cargo test` does not run the written tests until Cargo.toml names them";

/// Survivors that are printed; all are in the JSON.
const MOST_SURVIVORS: usize = 10;
/// Names of tests that take too long that are printed.
const MOST_SLOW_TESTS: usize = 3;
/// Callables that reach outside that are printed.
const MOST_OUTSIDE: usize = 5;
/// The same for those that are not the same every time.
const MOST_UNSTEADY: usize = 5;
/// Findings that are printed.
const MOST_FINDINGS: usize = 5;

impl Report {
    /// Of a diff that touches no mutant.
    pub(crate) fn nothing_in_diff(package: &str, seed: u64) -> Report {
        Report { schema: SCHEMA, package: package.to_owned(), seed, complete: true, ..Report::default() }
    }

    /// For people.
    pub(crate) fn text(&self, verbose: bool) -> String {
        let mut text = self.head();
        self.tell_accepted(&mut text);
        self.left_out(&mut text);
        if verbose && !self.rules.is_empty() {
            let counts: Vec<String> =
                self.rules.iter().map(|(rule, count)| format!("{count} {rule}")).collect();
            let _ = writeln!(text, "rules   tests that break one: {}", counts.join(", "));
        }
        self.tell_survivors(&mut text, verbose);
        self.tell_findings(&mut text, verbose);
        text += &stale::text(&self.stale, verbose);
        if let Some(lines) = &self.manifest {
            let _ = writeln!(
                text,
                "\n`cargo test` does not run the written tests until Cargo.toml names them; add to it:\n{}",
                indent(lines)
            );
        }
        if let Some(diff) = &self.diff {
            let _ = write!(text, "\n{diff}");
        }
        text
    }

    fn head(&self) -> String {
        let Report { mutants, seconds, .. } = self;
        let viable = mutants.generated - mutants.unviable;
        if mutants.generated == 0 {
            return format!("{}: {}\n", self.package, chosen::NOTHING_IN_DIFF);
        }
        let rate = |part| Rate { part, whole: viable }.text();
        let (before, after) =
            (rate(mutants.killed_by_existing), rate(viable - mutants.unreached - mutants.survived));
        if mutants.killed_by_existing == viable && self.tests == 0 {
            return format!(
                "{}: nothing is missing: the existing tests kill all {viable} mutants\n",
                self.package
            );
        }
        let mut text = format!(
            "{}: {} tests with {} assertions, {} lines\n",
            self.package, self.tests, self.assertions, self.lines
        );
        let _ = writeln!(
            text,
            "score   {before} % → {after} %: of {viable} mutants {} are killed by existing tests, {} by new ones",
            mutants.killed_by_existing, mutants.killed_by_generated
        );
        let _ = writeln!(
            text,
            "time    {:.0} s: existing tests {:.0}, build {:.0}, search {:.0} ({} programs), shortening {:.0}, verifying {:.0}",
            seconds.total,
            seconds.score,
            seconds.build,
            seconds.search,
            self.executions,
            seconds.suite,
            seconds.verify
        );
        let [written, changed] = match self.diff {
            Some(_) => ["would write", "would change"],
            None => ["written", "changed"],
        };
        if !self.files.is_empty() {
            let _ = writeln!(text, "{written} {}", self.files.join(", "));
        }
        if !self.declared.is_empty() {
            let _ = writeln!(text, "{changed} {}: `mod testsmith;` at the end", self.declared.join(", "));
        }
        text
    }

    fn left_out(&self, text: &mut String) {
        let Existing { slow_tests, mutants_not_tried } = &self.existing;
        if !slow_tests.is_empty() {
            let named = slow_tests.iter().take(MOST_SLOW_TESTS).cloned().collect::<Vec<_>>().join(", ");
            let more = if slow_tests.len() > MOST_SLOW_TESTS { ", …" } else { "" };
            let count = slow_tests.len();
            let _ = writeln!(text, "left out: {count} existing tests that take too long: {named}{more}");
        }
        if *mutants_not_tried > 0 {
            let _ = writeln!(
                text,
                "left out: {mutants_not_tried} mutants that there was no time to try existing tests on; they count as alive, \
                 and a larger --budget gives more time"
            );
        }
        if let Some(facade) = &self.facade {
            let _ =
                writeln!(text, "note: {facade}; `--private` writes tests inside of the crate for the others");
        }
        self.elsewhere(text);
        self.outside(text);
        self.not_the_same(text);
        let Dropped {
            uncompilable,
            failing,
            flaky,
            unportable,
            debug_only,
            feature_only,
            useless,
            unverified,
            ..
        } = &self.dropped;
        let reaching = &self.dropped.reaching_outside.len();
        let not_verified = match self.complete {
            true => "were not verified in time",
            false => "were not verified before the interruption",
        };
        let parts = [
            (uncompilable, "did not compile"),
            (failing, "did not pass"),
            (flaky, "did not pass every time"),
            (unportable, "would not pass at another time, for another user or on another machine"),
            (
                debug_only,
                "would not pass without debug assertions and overflow checks (--debug-only keeps them)",
            ),
            (feature_only, "would not pass with other features"),
            (reaching, "reached outside of their process"),
            (useless, "did not kill what they claimed"),
            (unverified, not_verified),
        ];
        let parts: Vec<String> = parts
            .iter()
            .filter(|(count, _)| **count > 0)
            .map(|(count, what)| format!("{count} {what}"))
            .collect();
        if !parts.is_empty() {
            let _ = writeln!(text, "left out: tests that were written and not kept: {}", parts.join(", "));
        }
        if self.dropped.untried_kills > 0 {
            let why = match self.complete {
                true => "that there was no time to see; a larger --budget gives more",
                false => "that were not seen before the interruption",
            };
            let _ = writeln!(text, "left out: {} kills {why}", self.dropped.untried_kills);
        }
    }

    /// Code that is not part of what the tests call.
    fn elsewhere(&self, text: &mut String) {
        let Some(first) = self.elsewhere.keys().next() else { return };
        let count: usize = self.elsewhere.values().sum();
        let more = match self.elsewhere.len() - 1 {
            0 => String::new(),
            more => format!(" and {more} more files"),
        };
        let advice = match self.programs.as_slice() {
            [] => "tests of the library cannot call it".to_owned(),
            [program, ..] => format!("`--bin {program}` writes tests for that program"),
        };
        let _ = writeln!(
            text,
            "not counted: {count} mutants in {first}{more}, code that only a program has; {advice}"
        );
    }

    /// Callables whose effects a test must not have.
    fn outside(&self, text: &mut String) {
        if self.reaching_outside.is_empty() {
            return;
        }
        let count = self.reaching_outside.len();
        let calls = if count == 1 { "callable reaches" } else { "callables reach" };
        let _ = writeln!(
            text,
            "left out: {count} {calls} outside of the process; `allow` in testsmith.toml brings them back"
        );
        for (path, Outer { outside, because }) in self.reaching_outside.iter().take(MOST_OUTSIDE) {
            let outside: Vec<&str> = outside.iter().map(String::as_str).collect();
            let because = if because.is_empty() { String::new() } else { format!(": {because}") };
            let _ = writeln!(text, "  {path} ({}){because}", outside.join(", "));
        }
        if count > MOST_OUTSIDE {
            let _ =
                writeln!(text, "  … and {} more; `cargo testsmith inspect` names all", count - MOST_OUTSIDE);
        }
    }

    /// Callables whose results no test can rest on.
    fn not_the_same(&self, text: &mut String) {
        if self.unsteady.is_empty() {
            return;
        }
        let count = self.unsteady.len();
        let callables = if count == 1 { "callable" } else { "callables" };
        let _ = writeln!(text, "left out: nondeterministic results of {count} {callables}");
        for (path, because) in self.unsteady.iter().take(MOST_UNSTEADY) {
            let _ = writeln!(text, "  {path}: {because}");
        }
        if count > MOST_UNSTEADY {
            let _ =
                writeln!(text, "  … and {} more: `unsteady` of the details names all", count - MOST_UNSTEADY);
        }
    }

    fn tell_accepted(&self, text: &mut String) {
        for Accepted { mutant, reason } in &self.accepted {
            let MutantEntry { file, line, column, change, id, .. } = mutant;
            let _ = writeln!(text, "accepted {file}:{line}:{column}: {change}  {id}: {reason}");
        }
        for name in &self.unknown_accepted {
            let _ = writeln!(text, "note: {}", unknown_accepted(name));
        }
    }

    fn tell_survivors(&self, text: &mut String, verbose: bool) {
        if self.survivors.is_empty() {
            return;
        }
        let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
        self.survivors.iter().for_each(|survivor| *reasons.entry(survivor.reason).or_default() += 1);
        let are = if self.survivors.len() == 1 { "mutant is" } else { "mutants are" };
        let _ = writeln!(text, "\n{} {are} still alive:", self.survivors.len());
        for (reason, count) in &reasons {
            let _ = writeln!(text, "  {count:>4} {reason}");
        }
        let most = if verbose { usize::MAX } else { MOST_SURVIVORS };
        for survivor in self.survivors.iter().take(most) {
            let mutant = &survivor.mutant;
            let _ = writeln!(
                text,
                "  {}:{}:{}: {} in {}  {}",
                mutant.file, mutant.line, mutant.column, mutant.change, mutant.function, mutant.id
            );
            if let Some(contract) = survivor.breaks.first() {
                let _ = writeln!(text, "      it breaks what held in all calls: {contract}");
            }
        }
        let hidden = self.survivors.len().saturating_sub(most);
        if hidden > 0 {
            let _ = writeln!(
                text,
                "  and {hidden} more: -v lists all; `cargo testsmith explain MUTANT` tells about one"
            );
        }
    }

    fn tell_findings(&self, text: &mut String, verbose: bool) {
        if self.findings.is_empty() {
            return;
        }
        let panics = if self.findings.len() == 1 { "panic" } else { "panics" };
        let _ = writeln!(text, "\n{} {panics} that the docs do not declare:", self.findings.len());
        let most = if verbose { usize::MAX } else { MOST_FINDINGS };
        for finding in self.findings.iter().take(most) {
            let message = finding.message.lines().next().unwrap_or_default();
            let _ = writeln!(text, "  {}:{}: {} ({message})", finding.file, finding.line, finding.kind);
            finding.program.iter().for_each(|line| {
                let _ = writeln!(text, "      {line}");
            });
            if let Some(test) = &finding.test {
                let _ = writeln!(text, "      ignored test: {test}");
            }
        }
        let hidden = self.findings.len().saturating_sub(most);
        if hidden > 0 {
            let _ = writeln!(text, "  and {hidden} more: -v shows all");
        }
    }
}

fn indent(lines: &str) -> String {
    lines.lines().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
}

/// Numbers of all mutants that some cases kill.
pub(crate) fn killed<'a>(cases: impl IntoIterator<Item = &'a Case>) -> BTreeSet<u32> {
    cases.into_iter().flat_map(|case| case.kills.iter().copied()).collect()
}
