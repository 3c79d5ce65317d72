//! How many of the unsound contracts reduction refutes, against random programs in the same time: for `cargo xtask bench stateful`.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use serde::Serialize;
use testsmith_contracts::{Atom, Contract, Formula, Tables, infer, preconditions};
use testsmith_ir::CallableId;

use super::claims::Findings;
use super::sampling::Sampler;
use crate::failure::Failure;
use testsmith_model::api::Model;

/// Rounds of inference and reduction.
const ROUNDS: u64 = 4;
/// Programs of a check that are remembered together.
const CHUNK: u64 = 4_096;
/// Contracts that are named.
const MOST_MISSED: usize = 40;
/// Programs between two looks at the clock.
const STEP: u64 = 64;

/// What was measured.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Measured {
    /// Calls that contracts were inferred from, equal ones counted.
    calls: u64,
    /// Seconds that inference takes, for all callables together.
    inference_seconds: f64,
    reduction_seconds: f64,
    reduction_programs: u64,
    random_programs: u64,
    /// Programs of the longer run that says what is unsound.
    judging_programs: u64,
    preconditions: Refuted,
    postconditions: Refuted,
    /// Unsound preconditions that reduction has not refuted, some of them.
    missed: Vec<String>,
}

/// What became of contracts of one kind.
#[derive(Clone, Debug, Default, Serialize)]
struct Refuted {
    inferred: usize,
    /// Some program contradicts them.
    unsound: usize,
    by_reduction: usize,
    /// By random programs in the time that reduction took.
    by_random: usize,
}

/// What is to be refuted.
struct Claims {
    preconditions: Vec<(CallableId, Atom)>,
    postconditions: Vec<(CallableId, Contract)>,
}

/// The numbers of those that some row contradicts.
#[derive(Default)]
struct Broken {
    preconditions: BTreeSet<usize>,
    postconditions: BTreeSet<usize>,
}

/// Measures on what a sampler has seen; `judging` programs say afterwards what is unsound.
pub(super) fn measure(
    model: &Model,
    sampler: &mut Sampler<'_>,
    seed: u64,
    judging: u64,
) -> Result<Measured, Failure> {
    let began = Instant::now();
    let claims = Claims::of(&sampler.tables);
    let inference_seconds = began.elapsed().as_secs_f64();
    let base = sampler.tables.clone();
    let calls = base.callables.values().map(|table| table.observed()).sum();

    let began = Instant::now();
    let mut reduction_programs = 0;
    for round in 0..ROUNDS {
        let findings = Findings::infer(model, &sampler.tables);
        let ran = sampler.reduce(&findings, seed ^ 0x5a5a ^ (round << 20), u64::MAX)?;
        reduction_programs += ran;
        if ran == 0 {
            break;
        }
    }
    let time = began.elapsed();
    let mut by_reduction = Broken::default();
    by_reduction.add(&claims, &base, &sampler.tables);

    sampler.tables = base.clone();
    let random_programs = for_so_long(sampler, seed.wrapping_add(3 << 40), time)?;
    let mut by_random = Broken::default();
    by_random.add(&claims, &base, &sampler.tables);

    let mut unsound = Broken::default();
    for part in 0..judging.div_ceil(CHUNK) {
        sampler.start_anew();
        sampler.run(seed.wrapping_add((5 << 40) + part), CHUNK)?;
        unsound.add(&claims, &base, &sampler.tables);
    }
    for other in [&by_reduction, &by_random] {
        unsound.preconditions.extend(&other.preconditions);
        unsound.postconditions.extend(&other.postconditions);
    }
    let missed = unsound.preconditions.difference(&by_reduction.preconditions);
    let missed = missed.take(MOST_MISSED).map(|at| {
        let (callable, atom) = &claims.preconditions[*at];
        let path = &sampler.api[*callable].path;
        format!("{path}: {}", atom.text(&base.callables[callable], false))
    });
    let missed = missed.collect();
    sampler.tables = base;
    let counts = |inferred: usize, of: &dyn Fn(&Broken) -> usize| Refuted {
        inferred,
        unsound: of(&unsound),
        by_reduction: of(&by_reduction),
        by_random: of(&by_random),
    };
    Ok(Measured {
        calls,
        inference_seconds,
        reduction_seconds: time.as_secs_f64(),
        reduction_programs,
        random_programs,
        judging_programs: judging,
        preconditions: counts(claims.preconditions.len(), &|broken| broken.preconditions.len()),
        postconditions: counts(claims.postconditions.len(), &|broken| broken.postconditions.len()),
        missed,
    })
}

fn for_so_long(sampler: &mut Sampler<'_>, seed: u64, time: Duration) -> Result<u64, Failure> {
    let began = Instant::now();
    let mut programs = 0;
    while began.elapsed() < time {
        sampler.run(seed.wrapping_add(programs), STEP)?;
        programs += STEP;
    }
    Ok(programs)
}

impl Claims {
    fn of(tables: &Tables) -> Claims {
        let mut claims = Claims { preconditions: Vec::new(), postconditions: Vec::new() };
        for (callable, table) in &tables.callables {
            claims.preconditions.extend(preconditions(table).into_iter().map(|atom| (*callable, atom)));
            let is_post = |contract: &Contract| !matches!(contract.formula, Formula::Panics { .. });
            let all = infer(table).into_iter().filter(is_post);
            claims.postconditions.extend(all.map(|contract| (*callable, contract)));
        }
        claims
    }
}

impl Broken {
    /// Adds what rows contradict; columns are those of `base`.
    fn add(&mut self, claims: &Claims, base: &Tables, tables: &Tables) {
        for (at, (callable, atom)) in claims.preconditions.iter().enumerate() {
            let Some(table) = tables.callables.get(callable) else { continue };
            let there = atom.in_table(&base.callables[callable], table);
            let returned = table.returned();
            let is_broken = there.is_some_and(|atom| {
                (0..table.len()).any(|row| returned.contains(row) && atom.holds(table, row) == Some(false))
            });
            if is_broken {
                self.preconditions.insert(at);
            }
        }
        for (at, (callable, contract)) in claims.postconditions.iter().enumerate() {
            let Some(table) = tables.callables.get(callable) else { continue };
            let there = contract.in_table(&base.callables[callable], table);
            if there.is_some_and(|contract| contract.broken_by(table, 0).is_some()) {
                self.postconditions.insert(at);
            }
        }
    }
}
