//! What `execute` reports.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use testsmith_exec::Tally;
use testsmith_instrument::Plan;
use testsmith_ir::Api;
use testsmith_rt::harness::wire::Aspect;
use testsmith_search::Found;
use testsmith_search::callable_stats::Avoided;
use testsmith_search::nondeterminism::{Reason, Trait};
use testsmith_search::replay::Replayed;
use testsmith_search::search_state::Stage;

use super::Environment;
use super::moments::Moment;
use crate::isolation::{Gap, IsolationReport};
use crate::report::json::SCHEMA;

/// What is printed.
#[derive(Serialize)]
pub(super) struct Execution {
    pub(super) schema: &'static str,
    pub(super) package: String,
    pub(super) isolation: IsolationReport,
    /// What the sandbox does not protect on this system.
    pub(super) unprotected: Vec<Gap>,
    pub(super) memory_limit: &'static str,
    /// From the start of the command to the first execution.
    pub(super) seconds_to_first: f64,
    pub(super) seconds: f64,
    pub(super) programs: u64,
    pub(super) statements: u64,
    pub(super) mutant_runs: u64,
    pub(super) endings: BTreeMap<String, u64>,
    pub(super) mutants: usize,
    pub(super) reached: usize,
    pub(super) infected: usize,
    pub(super) killed: usize,
    /// Numbers of dead mutants, with the number of statements that it takes.
    pub(super) kills: BTreeMap<u32, usize>,
    /// Survivors whose function was entered, by how close programs came.
    pub(super) near: BTreeMap<&'static str, usize>,
    /// Sides of comparisons that were taken.
    pub(super) branches: usize,
    /// Places where the original panicked.
    pub(super) panics: usize,
    pub(super) strategies: Vec<Earned>,
    /// Kills that did not show again in fresh processes.
    pub(super) unconfirmed: usize,
    pub(super) flaky: usize,
    /// What is not the same every time: nothing of it counts.
    pub(super) nondeterminism: Vec<MarkReport>,
    /// Callables that kept ending their process, and were called less for that.
    pub(super) avoided: Vec<AvoidedReport>,
    pub(super) callables: usize,
    /// Origins of which at least one callable was called and came back.
    pub(super) executed: usize,
    pub(super) never_executed: Vec<String>,
    pub(super) workers_started: u64,
    pub(super) workers_died: u64,
    pub(super) peak_worker_bytes: u64,
    pub(super) replay: Option<Replaying>,
    /// How it was going, where somebody asked.
    pub(super) moments: Vec<Moment>,
    /// Mutants that were alive when nothing but solving was left to do.
    pub(super) unsolved: Vec<Unsolved>,
}

/// A mutant that was alive when nothing but solving was left to do.
#[derive(Serialize)]
pub(super) struct Unsolved {
    id: String,
    reached: bool,
    infected: bool,
    /// It is dead now.
    killed: bool,
    /// The engine says that it computes the same whatever the inputs are.
    never_differs: bool,
}

/// What a strategy cost and brought.
#[derive(Serialize)]
pub(super) struct Earned {
    strategy: &'static str,
    executions: u64,
    kills: u64,
}

/// How fast one worker is when programs are given.
#[derive(Serialize)]
pub(super) struct Replaying {
    different_programs: u64,
    statements_each: u64,
    programs: u64,
    /// Traced, and nothing looked at.
    programs_per_second: f64,
    /// Traced, and everything looked at.
    observed_per_second: f64,
    mutant_runs: u64,
    mutant_runs_per_second: f64,
    /// Peak memory of the worker when a twentieth of the programs was done, and at the end.
    early_bytes: u64,
    late_bytes: u64,
}

/// Something of a callable that is not the same every time.
#[derive(Serialize)]
pub(super) struct MarkReport {
    pub(super) callable: String,
    /// `value`, `debug`, `display`, `eq`, `cmp`: of its result; `arguments`, `end`.
    pub(super) what: &'static str,
    /// What was seen in two processes.
    pub(super) example: Option<[String; 2]>,
    /// What the source says.
    pub(super) because: Option<String>,
}

/// A callable that kept ending its process.
#[derive(Serialize)]
pub(super) struct AvoidedReport {
    pub(super) callable: String,
    pub(super) called: u64,
    /// How its process ended, and how often.
    pub(super) deaths: BTreeMap<String, u64>,
}

impl AvoidedReport {
    pub(super) fn of(avoided: Avoided, api: &Api) -> AvoidedReport {
        let Avoided { callable, called, deaths, .. } = avoided;
        AvoidedReport { callable: path(api, callable), called, deaths }
    }
}

fn path(api: &Api, callable: u32) -> String {
    api.callables.get(callable as usize).map_or_else(String::new, |known| known.path.clone())
}

impl MarkReport {
    pub(super) fn of((callable, what, reason): (u32, Trait, &Reason), api: &Api) -> MarkReport {
        let what = match what {
            Trait::Result(Aspect::Value) => "value",
            Trait::Result(Aspect::Debug) => "debug",
            Trait::Result(Aspect::Display) => "display",
            Trait::Result(Aspect::Eq) => "eq",
            Trait::Result(Aspect::Cmp) => "cmp",
            Trait::Arguments(Aspect::Value) => "arguments",
            Trait::Arguments(_) => "looks of arguments",
            Trait::Reveals => "what is inside of arguments",
            Trait::End => "end",
        };
        let (example, because) = match reason {
            Reason::Seen(example) => (Some(example.clone()), None),
            Reason::Source(source) => (None, Some(source.clone())),
        };
        MarkReport { callable: path(api, callable), what, example, because }
    }
}

impl Execution {
    pub(super) fn text(&self) -> String {
        use std::fmt::Write;
        let mut text = String::new();
        let _ = writeln!(
            text,
            "{}: {} of {} mutants killed by {} programs in {:.1} s ({} not again, {} flaky)",
            self.package,
            self.killed,
            self.mutants,
            self.programs,
            self.seconds,
            self.unconfirmed,
            self.flaky
        );
        let _ = writeln!(text, "alive: {:?}; sides of comparisons: {}", self.near, self.branches);
        for Earned { strategy, executions, kills } in &self.strategies {
            let _ = writeln!(text, "{strategy}: {kills} kills by {executions} programs");
        }
        let _ = writeln!(text, "{}", self.isolation.line());
        let unsteady: BTreeSet<&str> =
            self.nondeterminism.iter().map(|mark| mark.callable.as_str()).collect();
        if !unsteady.is_empty() {
            let all: Vec<&str> = unsteady.into_iter().collect();
            let _ = writeln!(text, "not the same every time, so nothing of it counts: {}", all.join(", "));
        }
        if !self.avoided.is_empty() {
            let all: Vec<&str> = self.avoided.iter().map(|avoided| avoided.callable.as_str()).collect();
            let _ = writeln!(text, "called less, because they end their process: {}", all.join(", "));
        }
        text
    }
}

pub(super) fn summary(found: &Found, api: &Api, tally: Tally, environment: Environment) -> Execution {
    let avoided = found.callable_stats.avoided().into_iter();
    let earned = found.earned.iter();
    Execution {
        schema: SCHEMA,
        package: String::new(),
        isolation: environment.isolation,
        unprotected: environment.unprotected,
        memory_limit: environment.memory_limit,
        seconds_to_first: 0.0,
        seconds: 0.0,
        programs: found.tally.executions,
        statements: found.tally.statements,
        mutant_runs: found.tally.mutant_runs,
        endings: found.tally.endings.clone(),
        mutants: 0,
        reached: found.reached.len(),
        infected: found.infected.len(),
        killed: found.archive.len(),
        kills: found.archive.iter().map(|(mutant, best)| (*mutant, best.program.size())).collect(),
        near: near(found),
        branches: found.branches.len(),
        panics: found.panics.len(),
        strategies: earned
            .map(|(strategy, account)| Earned {
                strategy,
                executions: account.executions,
                kills: account.kills,
            })
            .collect(),
        unconfirmed: found.rejected.wrong,
        flaky: found.rejected.flaky,
        nondeterminism: found.nondeterminism.iter().map(|mark| MarkReport::of(mark, api)).collect(),
        avoided: avoided.map(|avoided| AvoidedReport::of(avoided, api)).collect(),
        callables: 0,
        executed: 0,
        never_executed: Vec::new(),
        workers_started: tally.started,
        workers_died: tally.died,
        peak_worker_bytes: tally.peak_memory,
        replay: None,
        moments: Vec::new(),
        unsolved: Vec::new(),
    }
}

/// What has become of mutants that were alive when nothing but solving was left to do.
pub(super) fn unsolved(found: &Found, plan: &Plan) -> Vec<Unsolved> {
    let unsolved = |number: &u32| Unsolved {
        id: plan.mutant(*number).id.to_string(),
        reached: found.reached.contains_key(number),
        infected: found.infected.contains(number),
        killed: found.archive.contains_key(number),
        never_differs: found.never_differs(*number),
    };
    found.unsolved.iter().flatten().map(unsolved).collect()
}

fn near(found: &Found) -> BTreeMap<&'static str, usize> {
    let mut near = BTreeMap::new();
    for it in found.near.values() {
        let stage = match it.stage {
            Stage::Away => "away",
            Stage::Entered => "entered",
            Stage::Reached => "reached",
            Stage::Infected => "infected",
        };
        *near.entry(stage).or_default() += 1;
    }
    near
}

impl From<Replayed> for Replaying {
    fn from(replayed: Replayed) -> Replaying {
        Replaying {
            different_programs: replayed.different,
            statements_each: replayed.statements,
            programs: replayed.programs,
            programs_per_second: replayed.programs as f64 / replayed.seconds,
            observed_per_second: replayed.observed as f64 / replayed.observed_seconds,
            mutant_runs: replayed.mutant_runs,
            mutant_runs_per_second: replayed.mutant_runs as f64 / replayed.mutant_seconds,
            early_bytes: replayed.memory_early,
            late_bytes: replayed.memory_late,
        }
    }
}
