//! The JSON documents, as docs/json.md describes them.

use std::collections::BTreeMap;

use serde::Serialize;
use testsmith_instrument::{Mutant, Plan, State};
use testsmith_suite::{Suite, Verdict};

use super::lines::change;
use super::rate::Rate;
use crate::stale::StaleTest;
use crate::test_sandbox::SandboxReport;

/// Version of the documents: the major number changes when a key changes its meaning or goes away.
pub(crate) const SCHEMA: &str = "testsmith/1";

/// `list --json`.
#[derive(Serialize)]
pub(crate) struct List {
    schema: &'static str,
    package: String,
    mutants: Vec<MutantEntry>,
    skipped: Vec<SkippedEntry>,
}

#[derive(Serialize)]
pub(crate) struct SkippedEntry {
    file: String,
    line: usize,
    what: String,
    reason: String,
}

/// A mutant, wherever it is listed.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct MutantEntry {
    pub(crate) id: String,
    pub(crate) package: String,
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) operator: &'static str,
    pub(crate) function: String,
    pub(crate) before: String,
    pub(crate) after: String,
    pub(crate) change: String,
}

/// `score --json`, and `target/testsmith/score.json`.
#[derive(Clone, Default, Serialize)]
pub(crate) struct Score {
    pub(crate) schema: &'static str,
    pub(crate) package: String,
    pub(crate) packages: Vec<PackageScore>,
    pub(crate) mutants: Counts,
    /// Percent of the viable mutants that were detected; none, if none was judged.
    pub(crate) score: Option<f64>,
    pub(crate) tests: Tests,
    pub(crate) seconds: Seconds,
    pub(crate) memory: Memory,
    /// How the tests were kept from the system.
    pub(crate) sandbox: SandboxReport,
    pub(crate) build_rounds: usize,
    pub(crate) self_checks: SelfChecks,
    /// Source files that could not be read, each with the reason: they have no mutants.
    pub(crate) unread_files: Vec<String>,
    /// Whether the run was ended before all mutants were judged.
    pub(crate) complete: bool,
    pub(crate) survivors: Vec<MutantEntry>,
    pub(crate) verdicts: Vec<VerdictEntry>,
    /// Mutants that the configuration accepts and that are not there.
    pub(crate) unknown_accepted: Vec<String>,
    /// Tests that testsmith has written earlier and that no longer hold: nothing was run with them.
    pub(crate) stale: Vec<StaleTest>,
}

#[derive(Clone, Serialize)]
pub(crate) struct PackageScore {
    pub(crate) package: String,
    pub(crate) mutants: Counts,
    pub(crate) score: Option<f64>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Counts {
    pub(crate) generated: usize,
    pub(crate) unviable: usize,
    /// Those that the configuration accepts.
    pub(crate) accepted: usize,
    pub(crate) unreached: usize,
    pub(crate) killed: usize,
    pub(crate) timeout: usize,
    pub(crate) survived: usize,
    pub(crate) not_run: usize,
}

#[derive(Clone, Copy, Default, Serialize)]
pub(crate) struct Tests {
    pub(crate) run: usize,
    pub(crate) ignored: usize,
    /// Tests that pass in the suite but not alone: they are not used.
    pub(crate) unusable: usize,
    pub(crate) binaries: usize,
}

#[derive(Clone, Copy, Default, Serialize)]
pub(crate) struct Seconds {
    pub(crate) build: f64,
    pub(crate) run: f64,
    pub(crate) total: f64,
    pub(crate) tests_plain: f64,
    pub(crate) tests_meta: f64,
}

#[derive(Clone, Copy, Default, Serialize)]
pub(crate) struct Memory {
    /// The most that the tool itself has used.
    pub(crate) peak_tool_kib: u64,
}

#[derive(Clone, Default, Serialize)]
pub(crate) struct SelfChecks {
    /// Tests whose result on the unmutated meta-program differs from the plain crate's.
    pub(crate) changed_tests: Vec<String>,
    /// Tests that pass with the others but not alone.
    pub(crate) unusable_tests: Vec<String>,
    pub(crate) uninfected: usize,
    pub(crate) uninfected_run: usize,
    /// Mutants that were killed although no test was seen to infect them.
    pub(crate) killed_uninfected: Vec<String>,
}

#[derive(Clone, Serialize)]
pub(crate) struct VerdictEntry {
    #[serde(flatten)]
    pub(crate) mutant: MutantEntry,
    pub(crate) verdict: &'static str,
    /// How long its tests ran.
    pub(crate) seconds: f64,
    /// The test that detected it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) by: Option<String>,
    /// Why the compiler rejects it, or why the user accepts it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
}

impl Counts {
    pub(crate) fn add(&mut self, verdict: &str) {
        self.generated += 1;
        let count = match verdict {
            "unviable" => &mut self.unviable,
            "accepted" => &mut self.accepted,
            "unreached" => &mut self.unreached,
            "killed" => &mut self.killed,
            "timeout" => &mut self.timeout,
            "survived" => &mut self.survived,
            _ => &mut self.not_run,
        };
        *count += 1;
    }

    /// How many of the mutants that could be judged were detected.
    pub(crate) fn rate(&self) -> Rate {
        Rate { part: self.killed + self.timeout, whole: self.viable() - self.not_run }
    }

    /// Mutants that a test should detect.
    pub(crate) fn viable(&self) -> usize {
        self.generated - self.unviable - self.accepted
    }
}

impl MutantEntry {
    pub(crate) fn new(plan: &Plan, mutant: &Mutant, packages: &[String]) -> MutantEntry {
        let file = plan.file_of(mutant);
        MutantEntry {
            id: mutant.id.to_string(),
            package: packages.get(file.package).cloned().unwrap_or_default(),
            file: file.name.clone(),
            line: mutant.line,
            column: mutant.column,
            operator: mutant.operator.id,
            function: plan.function_of(mutant).path.clone(),
            before: mutant.before.clone(),
            after: mutant.after.clone(),
            change: change(mutant),
        }
    }
}

impl List {
    pub(crate) fn new(plan: &Plan, package: String, packages: &[String]) -> List {
        let alive = plan.iter().filter(|(_, state)| **state == State::Alive);
        List {
            schema: SCHEMA,
            package,
            mutants: alive.map(|(mutant, _)| MutantEntry::new(plan, mutant, packages)).collect(),
            skipped: skipped(plan),
        }
    }
}

/// What is left alone: whole items, and mutants in functions that have to stay as they are.
fn skipped(plan: &Plan) -> Vec<SkippedEntry> {
    let items = plan.skipped.iter().map(|skipped| SkippedEntry {
        file: skipped.file.clone(),
        line: skipped.line,
        what: skipped.what.clone(),
        reason: skipped.reason.clone(),
    });
    let mut functions: BTreeMap<usize, (usize, &str)> = BTreeMap::new();
    for (mutant, state) in plan.iter() {
        if let State::Fixed(reason) = state {
            functions.entry(mutant.function).or_insert((0, reason)).0 += 1;
        }
    }
    let fixed = functions.into_iter().map(|(at, (count, reason))| {
        let function = &plan.functions[at];
        SkippedEntry {
            file: plan.tree.files[function.file].name.clone(),
            line: function.line,
            what: format!("fn {} ({count} mutants)", function.path),
            reason: reason.to_owned(),
        }
    });
    items.chain(fixed).collect()
}

impl SkippedEntry {
    pub(crate) fn line(&self) -> String {
        format!("{}:{}: {}: {}", self.file, self.line, self.what, self.reason)
    }
}

/// What is left alone, for people.
pub(crate) fn skipped_lines(plan: &Plan) -> Vec<String> {
    skipped(plan).iter().map(SkippedEntry::line).collect()
}

/// The word for a verdict, and the test behind it.
pub(crate) fn verdict(verdict: &Verdict, suite: &Suite) -> (&'static str, Option<String>) {
    let name = |test: &Option<usize>| test.map(|test| suite.name(test));
    match verdict {
        Verdict::Killed { by } => ("killed", name(by)),
        Verdict::Timeout { by } => ("timeout", name(by)),
        Verdict::Survived => ("survived", None),
        Verdict::Unreached => ("unreached", None),
        Verdict::NotRun => ("not_run", None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_score_counts_viable_and_judged_mutants_only() {
        let mut counts = Counts::default();
        assert_eq!(counts.rate().percent(), None);
        for verdict in ["killed", "timeout", "survived", "unreached", "unviable", "accepted", "not_run"] {
            counts.add(verdict);
        }
        assert_eq!((counts.generated, counts.rate().percent()), (7, Some(50.0)));
    }
}
