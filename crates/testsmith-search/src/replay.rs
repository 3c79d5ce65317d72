//! The same programs again and again: how fast a worker is when programs are given, and whether it leaks.

use std::time::Instant;

use testsmith_exec::{Executor, Failure, WorkerPool};
use testsmith_ir::random::{Generator, Options as Programs};
use testsmith_ir::{Api, Program};
use testsmith_rt::harness::wire::{Batch, Bitmap, Execution, Mutants, Observing, Options, Outcome, Run};

use crate::engine::{MUTANTS_EACH, encoded};

/// Different programs.
const PROGRAMS: usize = 4096;
/// Runs of one batch: large enough that the pipe does not matter.
const BATCH: usize = 512;
/// Runs of one batch while it is not known which mutants crash: each crash costs a worker and the runs behind it.
const CAREFUL: usize = 32;
/// So many generated programs at most are looked at for each that is wanted.
const TRIES: usize = 50;

/// What to replay.
#[derive(Clone, Debug)]
pub struct Replay {
    /// Of the programs.
    pub seed: u64,
    /// What programs are like; all have exactly `max_statements` statements.
    pub programs: Programs,
    /// Limits of each run.
    pub limits: Options,
    /// So many runs of the original.
    pub runs: u64,
}

/// How fast it went, on one worker.
#[derive(Clone, Copy, Debug, Default)]
pub struct Replayed {
    /// Different programs.
    pub different: u64,
    /// Statements of each.
    pub statements: u64,
    /// Traced runs of the original.
    pub programs: u64,
    /// Wall-clock time for them.
    pub seconds: f64,
    /// Each program once more, and everything looked at.
    pub observed: u64,
    /// Wall-clock time for these.
    pub observed_seconds: f64,
    /// Runs of mutants, each behind a traced run of the original that several mutants share.
    pub mutant_runs: u64,
    /// Wall-clock time for mutants and originals.
    pub mutant_seconds: f64,
    /// The most memory in bytes that the worker had in use when a twentieth of the programs was done.
    pub memory_early: u64,
    /// The same at the end.
    pub memory_late: u64,
}

/// Replays programs that run to their end.
pub fn replay(api: &Api, pool: &WorkerPool, wanted: &Replay) -> Result<Replayed, Failure> {
    let mut all = pool.map([()], |executor, ()| replay_on(api, executor, wanted))?;
    Ok(all.pop().unwrap_or_default())
}

fn replay_on(api: &Api, executor: &mut Executor, wanted: &Replay) -> Result<Replayed, Failure> {
    let options = Options { observe: Observing::Hash, trace: true, ..wanted.limits.clone() };
    let programs = fitting(api, executor, wanted, &options)?;
    let mut replayed = Replayed {
        different: programs.len() as u64,
        statements: wanted.programs.max_statements as u64,
        ..Replayed::default()
    };
    if programs.is_empty() {
        return Ok(replayed);
    }
    let nobody = Mutants::Listed(Vec::new());
    let blind = Options { observe: Observing::Nothing, ..options.clone() };
    originals(executor, &batches(api, &programs, &blind, nobody.clone()), wanted.runs, &mut replayed)?;
    let observed = batches(api, &programs, &options, nobody);
    (replayed.observed, replayed.observed_seconds) = once(executor, &observed, |_| 1)?;
    let infected = Mutants::Infected { at_most: MUTANTS_EACH };
    mutants(executor, &batches(api, &programs, &options, infected), &mut replayed)?;
    Ok(replayed)
}

/// Programs of the wanted length that run to their end.
fn fitting(
    api: &Api,
    executor: &mut Executor,
    wanted: &Replay,
    options: &Options,
) -> Result<Vec<Program>, Failure> {
    let mut generator = Generator::new(api, wanted.seed, wanted.programs.clone());
    let mut programs = Vec::new();
    for _ in 0..PROGRAMS * TRIES / BATCH {
        let candidates: Vec<Program> = std::iter::repeat_with(|| generator.next())
            .take(BATCH)
            .filter(|program| program.statements.len() == wanted.programs.max_statements)
            .collect();
        let executions = match batches(api, &candidates, options, Mutants::Listed(Vec::new())).as_slice() {
            [batch] => executor.run(batch)?,
            _ => continue,
        };
        let good = candidates.into_iter().zip(executions).filter(|(_, it)| it.outcome == Outcome::Ok);
        programs.extend(good.map(|(program, _)| program));
        if programs.len() >= PROGRAMS {
            programs.truncate(PROGRAMS);
            break;
        }
    }
    Ok(programs)
}

fn batches(api: &Api, programs: &[Program], options: &Options, mutants: Mutants) -> Vec<Batch> {
    let batch = |programs: &[Program]| {
        let runs: Vec<Run> = programs.iter().map(|program| encoded(api, program, mutants.clone())).collect();
        Batch { options: options.clone(), skip: Bitmap::default(), runs }
    };
    programs.chunks(BATCH).map(batch).collect()
}

fn originals(
    executor: &mut Executor,
    batches: &[Batch],
    runs: u64,
    replayed: &mut Replayed,
) -> Result<(), Failure> {
    let started = Instant::now();
    let mut next = batches.iter().cycle();
    while replayed.programs < runs {
        let executions = next.next().map_or_else(|| Ok(Vec::new()), |batch| executor.run(batch))?;
        replayed.programs += executions.len() as u64;
        if replayed.memory_early == 0 && replayed.programs >= runs / 20 {
            replayed.memory_early = executor.peak_memory();
        }
    }
    replayed.seconds = started.elapsed().as_secs_f64();
    replayed.memory_late = executor.peak_memory();
    Ok(())
}

/// Each program with its mutants, without those that only a limit or a crash ends: nobody runs these twice.
fn mutants(executor: &mut Executor, batches: &[Batch], replayed: &mut Replayed) -> Result<(), Failure> {
    let mut skip = Bitmap::default();
    for batch in batches {
        for runs in batch.runs.chunks(CAREFUL) {
            let batch = Batch { options: batch.options.clone(), skip: skip.clone(), runs: runs.to_vec() };
            let executions = executor.run(&batch)?;
            let differences = executions.iter().flat_map(|execution| &execution.differences);
            let costly = differences.filter(|(_, difference)| difference.is_costly());
            costly.for_each(|(mutant, _)| skip.insert(*mutant));
        }
    }
    let batches: Vec<Batch> =
        batches.iter().map(|batch| Batch { skip: skip.clone(), ..batch.clone() }).collect();
    (replayed.mutant_runs, replayed.mutant_seconds) =
        once(executor, &batches, |execution| execution.ran.len() as u64)?;
    Ok(())
}

/// Runs batches; the sum of what `count` says, and the time.
fn once(
    executor: &mut Executor,
    batches: &[Batch],
    count: impl Fn(&Execution) -> u64,
) -> Result<(u64, f64), Failure> {
    let started = Instant::now();
    let mut sum = 0;
    for batch in batches {
        sum += executor.run(batch)?.iter().map(&count).sum::<u64>();
    }
    Ok((sum, started.elapsed().as_secs_f64()))
}
