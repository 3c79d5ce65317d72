//! Contracts judge mutants: what holds in all calls of the original, and which of it each mutant breaks.
//!
//! A mutant that is alive and breaks what held in all calls is the most likely to be a gap of the tests; one that changes much
//! on its way is more likely to be seen than one that changes little. Nothing is claimed where the original breaks it, too.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use testsmith_contracts::Tables;
use testsmith_exec::WorkerPool;
use testsmith_instrument::Plan;
use testsmith_ir::random::Options as Programs;
use testsmith_ir::{CallableId, Program};
use testsmith_model::Package;
use testsmith_model::api::Model;
use testsmith_model::graph::Graph;
use testsmith_rt::harness::wire::{Bitmap, Options as Limits};
use testsmith_search::Found;

use crate::constants::constants;
use crate::contracts::sampling::{Impact, Sampler};
use crate::contracts::{Findings, background, makers, subjects};
use crate::failure::Failure;

/// Programs that contracts are inferred from, beside those of the search.
const PROGRAMS: u64 = 1_536;
/// Programs until somebody looks at the clock.
const ROUND: u64 = 256;
/// Time for these programs, where the clock counts.
const TIME: Duration = Duration::from_secs(4);
/// Statements of a program, before questions are added.
const STATEMENTS: usize = 12;
/// Programs of each callable that mutants are judged by.
const SHOWING: usize = 6;
/// A mutant that breaks so many contracts is judged.
const MOST_BROKEN: usize = 3;

/// What contracts say of mutants.
#[derive(Debug, Default)]
pub(crate) struct Judgement {
    /// The contracts that a mutant breaks, with the function that each is about.
    pub(crate) broken: BTreeMap<u32, Vec<String>>,
    /// How much a mutant changes in the program that came closest to it.
    pub(crate) impacts: BTreeMap<u32, Impact>,
    /// What was seen.
    pub(crate) tables: Tables,
}

/// What is needed to judge.
pub(crate) struct Bench<'a> {
    pub(crate) package: &'a Package,
    pub(crate) model: &'a Model,
    pub(crate) plan: &'a Plan,
    pub(crate) graph: &'a Graph,
    /// Callables that are not the same every time.
    pub(crate) unsteady: &'a BTreeSet<CallableId>,
    pub(crate) pool: &'a WorkerPool,
    pub(crate) limits: Limits,
    pub(crate) seed: u64,
    /// Whether the clock counts.
    pub(crate) is_timed: bool,
}

/// Judges the mutants that are alive, and those that were found to differ.
pub(crate) fn judge(bench: &Bench<'_>, found: &Found, alive: &BTreeSet<u32>) -> Result<Judgement, Failure> {
    let Bench { package, model, plan, graph, unsteady, pool, seed, .. } = *bench;
    let literals = testsmith_model::literals(&plan.tree, package);
    let programs = Programs {
        max_statements: STATEMENTS,
        roots: makers(model),
        constants: constants(literals, &model.api),
        ..Programs::default()
    };
    let background = background(model, plan, graph, unsteady, subjects(model, &[])?);
    let mut sampler = Sampler::new(&model.api, pool, bench.limits.clone(), programs, background);
    sampler.warm_up(seed)?;
    let aims = aims(found, alive);
    sampler.replay(&aims.iter().map(|(_, program)| program.clone()).collect::<Vec<_>>())?;
    let until = bench.is_timed.then(|| Instant::now() + TIME);
    for round in 0..PROGRAMS / ROUND {
        sampler.run(seed.wrapping_add(round << 32), ROUND)?;
        if until.is_some_and(|until| Instant::now() >= until) {
            break;
        }
    }
    let findings = Findings::infer(model, &sampler.tables);
    let known = findings.known(&sampler.tables);
    let (mut judged, impacts) = sampler.judge_each(&known, &aims)?;
    let others: Bitmap = plan.mutants.iter().map(|it| it.number).filter(|it| !alive.contains(it)).collect();
    let shown = sampler.judge(&known, &sampler.showing(SHOWING), &others, MOST_BROKEN)?;
    for (mutant, broken) in shown.broken {
        judged.broken.entry(mutant).or_default().extend(broken);
    }
    let text = |broken: BTreeSet<_>| {
        let texts = broken.into_iter().take(MOST_BROKEN);
        texts.filter_map(|of| findings.text(model, &sampler.tables, of)).collect::<Vec<String>>()
    };
    let broken = judged.broken.into_iter().map(|(mutant, broken)| (mutant, text(broken))).collect();
    Ok(Judgement { broken, impacts, tables: sampler.tables })
}

/// For each mutant the program that tells it apart, or came closest.
fn aims(found: &Found, alive: &BTreeSet<u32>) -> Vec<(u32, Program)> {
    let killed = found.archive.iter().map(|(mutant, best)| (*mutant, best.program.as_ref().clone()));
    let near = alive
        .iter()
        .filter(|mutant| !found.archive.contains_key(mutant))
        .filter_map(|mutant| Some((*mutant, found.near.get(mutant)?.program.as_ref().clone())));
    killed.chain(near).collect()
}
