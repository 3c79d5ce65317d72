//! A search with nothing behind it, to measure strategies and the harness by.

use std::time::Instant;

use testsmith_exec::Pool;
use testsmith_instrument::{Plan, State};
use testsmith_model::Package;
use testsmith_model::api::Model;
use testsmith_model::effects::Effects;
use testsmith_model::graph::Graph;
use testsmith_rt::harness::wire::Options as Limits;
use testsmith_search::marks::Marks;
use testsmith_search::{Anybody, Budget, Evolving, Found, Options, search};

use super::failure;
use crate::cli::StrategyArg;
use crate::failure::Failure;
use crate::subject::subject;

/// How to search.
pub(super) struct Wanted {
    pub(super) strategy: StrategyArg,
    pub(super) budget: Budget,
    pub(super) seed: u64,
    pub(super) statements: usize,
    pub(super) hasty: Limits,
    pub(super) usual: Limits,
    pub(super) marks: Marks,
}

/// What was found, and in how many seconds.
pub(super) fn run(
    package: &Package,
    model: &Model,
    plan: &Plan,
    effects: &Effects,
    pool: &Pool,
    wanted: Wanted,
) -> Result<(Found, f64), Failure> {
    let subject = subject(package, model, plan, &Graph::new(model, effects), effects);
    let goals = plan.iter().filter(|(_, state)| **state == State::Alive).map(|(mutant, _)| mutant.number);
    let options = Options {
        seed: wanted.seed,
        budget: wanted.budget,
        method: wanted.strategy.into(),
        goals: goals.collect(),
        // A budget of programs is for strategies, whose effort is over when all mutants are dead.
        goes_on: matches!(wanted.budget, Budget::Time(_)),
        patience: None,
        statements: wanted.statements,
        limits: wanted.hasty,
        confirming: wanted.usual,
        marks: wanted.marks,
        evolving: Evolving::default(),
    };
    let started = Instant::now();
    let found = search(&subject, pool, &options, &Anybody).map_err(failure)?;
    Ok((found, started.elapsed().as_secs_f64()))
}
