//! Random programs, each run on the mutants that it infects: plain, and hard to beat.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use testsmith_exec::{Confirmed, Failure, Pool, encode, ending};
use testsmith_ir::random::{Generator, Options as Programs};
use testsmith_ir::{Api, Program, check};
use testsmith_rt::harness::wire::{Batch, Bitmap, Execution, Mutants, Observing, Options, Run};

/// Runs of one batch.
const BATCH: usize = 32;
/// A program is tried on at most so many mutants.
const MUTANTS_EACH: u32 = 24;
/// A mutant that has been run so often without a difference is left to others.
const PATIENCE: u32 = 2000;

/// How to drive.
#[derive(Clone, Debug)]
pub struct Drive {
    /// Of the programs.
    pub seed: u64,
    /// How long to go on.
    pub time: Duration,
    /// What programs are like.
    pub programs: Programs,
    /// Limits of each run.
    pub limits: Options,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Programs that were run.
    pub programs: u64,
    /// Statements in them.
    pub statements: u64,
    /// Runs of mutants.
    pub mutant_runs: u64,
    /// How programs ended on the original.
    pub endings: BTreeMap<String, u64>,
    /// Mutants whose site was executed.
    pub reached: BTreeSet<u32>,
    /// Mutants that have computed another value.
    pub infected: BTreeSet<u32>,
    /// For each mutant that differed the first program that showed it.
    pub kills: BTreeMap<u32, Kill>,
    /// Callables that have been called and came back.
    pub called: BTreeSet<u32>,
    /// Wall-clock time.
    pub seconds: f64,
}

/// A program that tells a mutant from the original.
#[derive(Clone, Debug)]
pub struct Kill {
    /// The program.
    pub program: Program,
    /// As it was run.
    pub run: Run,
}

/// Runs random programs until the time is over, with several workers side by side.
pub fn drive(api: &Api, pool: &Pool, workers: usize, drive: &Drive) -> Result<Report, Failure> {
    let started = Instant::now();
    let shared = Mutex::new(Shared::default());
    pool.map(0..workers.max(1) as u64, |executor, worker| {
        let mut generator =
            Generator::new(api, drive.seed.wrapping_add(worker << 32), drive.programs.clone());
        while started.elapsed() < drive.time {
            let programs: Vec<Program> = (0..BATCH).map(|_| generator.next()).collect();
            let runs = programs.iter().map(|program| run(api, program)).collect();
            let options = Options { observe: Observing::Hash, trace: true, ..drive.limits.clone() };
            let batch = Batch { options, skip: lock(&shared).settled(), runs };
            let executions = executor.run(&batch)?;
            let mut shared = lock(&shared);
            for ((program, run), execution) in programs.into_iter().zip(batch.runs).zip(executions) {
                shared.take(program, run, &execution);
            }
        }
        Ok(())
    })?;
    let mut report = shared.into_inner().unwrap_or_else(PoisonError::into_inner).report;
    report.seconds = started.elapsed().as_secs_f64();
    Ok(report)
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What all workers know.
#[derive(Default)]
struct Shared {
    report: Report,
    /// How often each mutant was run.
    tries: BTreeMap<u32, u32>,
}

impl Shared {
    /// Mutants that need not be run any more: dead ones, and stubborn ones that would eat all the time.
    fn settled(&self) -> Bitmap {
        let stubborn = self.tries.iter().filter(|(_, tries)| **tries > PATIENCE).map(|(mutant, _)| mutant);
        self.report.kills.keys().chain(stubborn).copied().collect()
    }

    fn take(&mut self, program: Program, run: Run, execution: &Execution) {
        for mutant in &execution.ran {
            *self.tries.entry(*mutant).or_default() += 1;
        }
        self.report.take(program, run, execution);
    }
}

fn run(api: &Api, program: &Program) -> Run {
    let liveness = check(api, program).expect("the generator obeys the borrow rules");
    encode(program, liveness.observable(), Mutants::Infected { at_most: MUTANTS_EACH })
}

impl Report {
    fn take(&mut self, program: Program, run: Run, execution: &Execution) {
        self.programs += 1;
        self.statements += program.statements.len() as u64;
        self.mutant_runs += execution.ran.len() as u64;
        *self.endings.entry(ending(&execution.outcome)).or_default() += 1;
        self.reached.extend(&execution.reached);
        self.infected.extend(&execution.infected);
        self.called.extend(called(&program, execution));
        for (mutant, _) in &execution.differences {
            let kill = || Kill { program: program.clone(), run: run.clone() };
            self.kills.entry(*mutant).or_insert_with(kill);
        }
    }

    /// Asks again in fresh processes; what is not confirmed is no kill.
    pub fn confirm(&mut self, pool: &Pool, limits: &Options) -> Result<Rejected, Failure> {
        let kills: Vec<(Run, u32)> =
            self.kills.iter().map(|(mutant, kill)| (kill.run.clone(), *mutant)).collect();
        let mut rejected = Rejected::default();
        for ((_, mutant), confirmed) in kills.iter().zip(pool.confirm(limits, &kills)?) {
            match confirmed {
                Confirmed::Yes(_) => continue,
                Confirmed::No => rejected.wrong += 1,
                Confirmed::Flaky => rejected.flaky += 1,
            }
            self.kills.remove(mutant);
        }
        Ok(rejected)
    }
}

/// Kills that did not show again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rejected {
    /// Never again.
    pub wrong: usize,
    /// Not every time.
    pub flaky: usize,
}

fn called(program: &Program, execution: &Execution) -> Vec<u32> {
    let done = usize::from(execution.statement);
    let calls =
        program.statements.iter().take(done).enumerate().filter_map(|(at, statement)| match statement {
            testsmith_ir::Statement::Call { callable, .. } => Some((at, callable.0)),
            _ => None,
        });
    let has_value = |at: usize| !execution.absent.iter().any(|slot| usize::from(*slot) == at);
    calls.filter(|(at, _)| has_value(*at)).map(|(_, callable)| callable).collect()
}
