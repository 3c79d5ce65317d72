//! `execute --strategy`: a search without anything behind it, to measure strategies by.

use std::collections::BTreeMap;
use std::time::Instant;

use serde::Serialize;
use testsmith_exec::Pool;
use testsmith_instrument::{Plan, State};
use testsmith_ir::random::Options as Programs;
use testsmith_model::Package;
use testsmith_model::api::Model;
use testsmith_model::effects;
use testsmith_model::graph::Graph;
use testsmith_rt::harness::wire::Options as Limits;
use testsmith_search::knowledge::Stage;
use testsmith_search::marks::Marks;
use testsmith_search::{Budget, Evolving, Found, Options, search};

use super::failure;
use crate::cli::StrategyArg;
use crate::failure::Failure;
use crate::options::Output;
use crate::report::json::SCHEMA;
use crate::subject::subject;

/// How to search.
pub(super) struct Wanted {
    pub(super) strategy: StrategyArg,
    pub(super) budget: Budget,
    pub(super) seed: u64,
    pub(super) programs: Programs,
    pub(super) hasty: Limits,
    pub(super) usual: Limits,
    pub(super) marks: Marks,
}

/// What is printed.
#[derive(Serialize)]
struct Searched {
    schema: &'static str,
    seconds: f64,
    goals: usize,
    reached: usize,
    infected: usize,
    killed: usize,
    /// Numbers of dead mutants, with the number of statements that it takes.
    kills: BTreeMap<u32, usize>,
    executions: u64,
    statements: u64,
    mutant_runs: u64,
    unconfirmed: usize,
    flaky: usize,
    endings: BTreeMap<String, u64>,
    /// Sides of comparisons that were taken.
    branches: usize,
    panics: usize,
    /// Survivors by how close they came.
    near: BTreeMap<&'static str, usize>,
    strategies: Vec<Earned>,
}

#[derive(Serialize)]
struct Earned {
    strategy: &'static str,
    executions: u64,
    kills: u64,
}

pub(super) fn run(
    package: &Package,
    model: &Model,
    plan: &Plan,
    pool: &Pool,
    wanted: Wanted,
    output: Output,
) -> Result<(), Failure> {
    let effects = effects::analyse(&plan.tree, 0, &plan.cfgs[0]);
    let subject = subject(package, model, plan, &Graph::new(model, &effects), &effects);
    let goals = plan.iter().filter(|(_, state)| **state == State::Alive).map(|(mutant, _)| mutant.number);
    let options = Options {
        seed: wanted.seed,
        budget: wanted.budget,
        method: wanted.strategy.into(),
        goals: goals.collect(),
        statements: wanted.programs.max_statements,
        limits: wanted.hasty,
        confirming: wanted.usual,
        marks: wanted.marks,
        evolving: Evolving::default(),
    };
    let started = Instant::now();
    let found = search(&subject, pool, &options, &|_| {}).map_err(failure)?;
    let searched = searched(&found, options.goals.len(), started.elapsed().as_secs_f64());
    if output.json {
        crate::print_json(&searched);
    } else {
        anstream::print!("{}", searched.text());
    }
    Ok(())
}

fn searched(found: &Found, goals: usize, seconds: f64) -> Searched {
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
    Searched {
        schema: SCHEMA,
        seconds,
        goals,
        reached: found.reached.len(),
        infected: found.infected.len(),
        killed: found.archive.len(),
        kills: found.archive.iter().map(|(mutant, best)| (*mutant, best.program.size())).collect(),
        executions: found.tally.executions,
        statements: found.tally.statements,
        mutant_runs: found.tally.mutant_runs,
        unconfirmed: found.rejected.wrong,
        flaky: found.rejected.flaky,
        endings: found.tally.endings.clone(),
        branches: found.branches.len(),
        panics: found.panics.len(),
        near,
        strategies: found
            .earned
            .iter()
            .map(|(strategy, account)| Earned {
                strategy,
                executions: account.executions,
                kills: account.kills,
            })
            .collect(),
    }
}

impl Searched {
    fn text(&self) -> String {
        use std::fmt::Write;
        let mut text = String::new();
        let _ = writeln!(
            text,
            "{} of {} mutants killed by {} programs of {} statements and {} runs of mutants in {:.1} s ({} reached, {} infected, {} not \
             again, {} flaky)",
            self.killed,
            self.goals,
            self.executions,
            self.statements,
            self.mutant_runs,
            self.seconds,
            self.reached,
            self.infected,
            self.unconfirmed,
            self.flaky
        );
        let _ = writeln!(text, "alive: {:?}; sides of comparisons: {}", self.near, self.branches);
        for Earned { strategy, executions, kills } in &self.strategies {
            let _ = writeln!(text, "{strategy}: {kills} kills by {executions} programs");
        }
        text
    }
}
