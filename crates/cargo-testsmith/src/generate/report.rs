//! What `generate` has done: JSON, and text for people.

use std::collections::BTreeSet;
use std::fmt::Write;

use serde::Serialize;
use testsmith_instrument::Plan;
use testsmith_model::Package;
use testsmith_search::Found;
use testsmith_suite::case::Case;

use super::files::Draft;
use super::goals::Goals;
use super::verify::Dropped;
use crate::report::json::SCHEMA;
use crate::report::lines::{change, list_line};

/// How long each phase took.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct Times {
    /// Judging the existing tests.
    pub(crate) score: f64,
    pub(crate) build: f64,
    pub(crate) search: f64,
    pub(crate) suite: f64,
    pub(crate) verify: f64,
    pub(crate) total: f64,
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Counts {
    generated: usize,
    unviable: usize,
    killed_by_existing: usize,
    killed_by_generated: usize,
    unreached: usize,
    survived: usize,
}

/// A mutant that is still alive.
#[derive(Clone, Debug, Serialize)]
struct Survivor {
    id: String,
    line: String,
    reason: &'static str,
}

/// `generate --json`, and `target/testsmith/generate.json`.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Report {
    schema: &'static str,
    package: String,
    files: Vec<String>,
    tests: usize,
    assertions: usize,
    mutants: Counts,
    score_before: f64,
    score_after: f64,
    dropped: Dropped,
    /// Kills that the search has found.
    found: usize,
    /// Of those, in cases that can be written.
    exposed: usize,
    executions: u64,
    seconds: Times,
    seed: u64,
    survivors: Vec<Survivor>,
}

/// All that the report is made of.
pub(crate) struct Facts<'a> {
    pub(crate) package: &'a Package,
    pub(crate) plan: &'a Plan,
    pub(crate) goals: &'a Goals,
    pub(crate) found: &'a Found,
    pub(crate) draft: &'a Draft,
    pub(crate) dropped: Dropped,
    pub(crate) exposed: &'a BTreeSet<u32>,
    pub(crate) files: Vec<String>,
    pub(crate) times: Times,
    pub(crate) seed: u64,
}

/// What a test kills, for the comment above it.
pub(crate) fn kills(plan: &Plan, case: &Case) -> Vec<String> {
    let line = |number: &u32| {
        let mutant = plan.mutant(*number);
        let file = plan.file_of(mutant);
        let name = file.name.rsplit('/').next().unwrap_or(&file.name);
        format!("{} at {name}:{}", change(mutant), mutant.line)
    };
    case.kills.iter().map(line).collect()
}

impl Report {
    pub(crate) fn new(facts: &Facts<'_>) -> Report {
        let Facts { plan, goals, found, draft, .. } = facts;
        let killed: BTreeSet<u32> =
            draft.tests().flat_map(|(_, test)| test.case.kills.iter().copied()).collect();
        let alive: Vec<u32> = goals.open.difference(&killed).copied().collect();
        let is_unreached = |mutant: &&u32| !found.reached.contains(mutant);
        let unreached = alive.iter().filter(is_unreached).count();
        let mutants = Counts {
            generated: goals.viable.len() + goals.unviable.len(),
            unviable: goals.unviable.len(),
            killed_by_existing: goals.killed.len(),
            killed_by_generated: killed.len(),
            unreached,
            survived: alive.len() - unreached,
        };
        let all_killed = goals.killed.union(&killed).count();
        let survivors = alive.iter().map(|number| Survivor {
            id: plan.mutant(*number).id.to_string(),
            line: list_line(plan, plan.mutant(*number)),
            reason: reason(found, facts.exposed, *number),
        });
        Report {
            schema: SCHEMA,
            package: facts.package.name.clone(),
            files: facts.files.clone(),
            tests: draft.tests().count(),
            assertions: draft.tests().map(|(_, test)| test.case.checks.len()).sum(),
            mutants,
            score_before: percent(goals.killed.len(), goals.viable.len()),
            score_after: percent(all_killed, goals.viable.len()),
            dropped: facts.dropped,
            found: found.archive.len(),
            exposed: facts.exposed.len(),
            executions: found.tally.executions,
            seconds: facts.times,
            seed: facts.seed,
            survivors: survivors.collect(),
        }
    }

    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        let _ = writeln!(
            text,
            "{}: {} tests with {} assertions kill {} mutants; score {:.1} % → {:.1} %",
            self.package,
            self.tests,
            self.assertions,
            self.mutants.killed_by_generated,
            self.score_before,
            self.score_after
        );
        self.files.iter().for_each(|file| {
            let _ = writeln!(text, "  {file}");
        });
        let _ = writeln!(text, "found {} exposed {} dropped {:?}", self.found, self.exposed, self.dropped);
        let _ = writeln!(text, "{:?} {} executions", self.seconds, self.executions);
        let _ = writeln!(text, "{:?}", self.mutants);
        text
    }
}

/// Why a mutant is still alive.
fn reason(found: &Found, exposed: &BTreeSet<u32>, number: u32) -> &'static str {
    if exposed.contains(&number) {
        "the test that exposes it could not be kept"
    } else if found.archive.contains_key(&number) {
        "what it changes cannot be asserted"
    } else if found.infected.contains(&number) {
        "not observable"
    } else if found.reached.contains(&number) {
        "not infected"
    } else {
        "not reached"
    }
}

#[allow(clippy::cast_precision_loss, reason = "far fewer than 2^52 mutants")]
fn percent(part: usize, whole: usize) -> f64 {
    if whole == 0 { 100.0 } else { (part as f64 * 10_000.0 / whole as f64).round() / 100.0 }
}
