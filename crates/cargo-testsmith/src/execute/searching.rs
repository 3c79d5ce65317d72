//! A search with nothing behind it, to measure strategies and the harness by.

use std::time::Instant;

use testsmith_exec::WorkerPool;
use testsmith_instrument::{Plan, State};
use testsmith_model::Package;
use testsmith_model::api::Model;
use testsmith_model::effects::Effects;
use testsmith_model::graph::Graph;
use testsmith_rt::harness::wire::Options as Limits;
use testsmith_search::nondeterminism::Nondeterminism;
use testsmith_search::{Budget, Evolving, Found, Options, SearchObserver, Solving, Stored, search};

use super::failure;
use crate::cli::StrategyArg;
use crate::failure::Failure;
use crate::subject::subject;
use crate::symbolic::Symbolic;

/// How to search.
pub(super) struct Wanted<'a> {
    pub(super) strategy: StrategyArg,
    pub(super) budget: Budget,
    pub(super) seed: u64,
    pub(super) statements: usize,
    pub(super) quick: Limits,
    pub(super) usual: Limits,
    pub(super) nondeterminism: Nondeterminism,
    pub(super) symbolic: &'a Symbolic,
    pub(super) solving: Solving,
    pub(super) solving_after: Option<f64>,
}

/// What was found, and in how many seconds.
pub(super) fn run(
    package: &Package,
    model: &Model,
    plan: &Plan,
    effects: &Effects,
    pool: &WorkerPool,
    wanted: Wanted<'_>,
    observer: &dyn SearchObserver,
) -> Result<(Found, f64), Failure> {
    let subject = subject(package, model, plan, &Graph::new(model, effects), effects, wanted.symbolic);
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
        limits: wanted.quick,
        confirming: wanted.usual,
        nondeterminism: wanted.nondeterminism,
        evolving: Evolving::default(),
        solving: wanted.solving,
        solving_after: wanted.solving_after,
        stored: Stored::default(),
    };
    let started = Instant::now();
    let found = search(&subject, pool, &options, observer).map_err(failure)?;
    Ok((found, started.elapsed().as_secs_f64()))
}
