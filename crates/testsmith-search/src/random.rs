//! Random programs, each run on the mutants that it infects: plain, and hard to beat.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use testsmith_exec::{Executor, Failure, Pool, encode, ending};
use testsmith_ir::random::{Generator, Options as Programs};
use testsmith_ir::{Api, Program, check};
use testsmith_rt::harness::wire::{Batch, Bitmap, Execution, Mutants, Observing, Options, Run};

use crate::experience::{Experience, is_death};
use crate::kills::{Kill, Kills};
use crate::marks::Marks;

/// Runs of one batch: few at first, while each program kills mutants that the next ones need not be run on, and more later,
/// because a batch has its price.
const BATCH: RangeInclusive<u64> = 32..=256;
/// A program is tried on at most so many mutants.
pub(crate) const MUTANTS_EACH: u32 = 24;
/// A mutant that has been run so often without a difference is left to others.
const PATIENCE: u32 = 2000;
/// So many would-be kills are confirmed together.
const KILLS: usize = 64;
/// The programs of the first batches are run twice, to find out what is not the same every time.
const FIRST_SAMPLES: u32 = 4;
/// So many of each.
const SAMPLE: usize = 32;
/// Those of later ones as long as that takes no more than one part in so many of the time.
const SAMPLING: u32 = 20;

/// How to drive.
#[derive(Clone, Debug)]
pub struct Drive {
    /// Of the programs.
    pub seed: u64,
    /// How long to go on, apart from the time in which kills are confirmed.
    pub time: Duration,
    /// What programs are like.
    pub programs: Programs,
    /// Limits of each run.
    pub limits: Options,
    /// Limits of those that confirm a kill.
    pub confirming: Options,
    /// What is known not to be the same every time.
    pub marks: Marks,
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
    /// Mutants that differ.
    pub kills: Kills,
    /// What is not the same every time.
    pub marks: Marks,
    /// What became of callables.
    pub experience: Experience,
    /// Wall-clock time of driving.
    pub seconds: f64,
    /// Time that all workers together have spent on asking again.
    pub seconds_confirming: f64,
}

/// Runs random programs until the time is over, with several workers side by side.
pub fn drive(api: &Api, pool: &Pool, workers: usize, drive: &Drive) -> Result<Report, Failure> {
    let report = Report { marks: drive.marks.clone(), experience: Experience::new(api), ..Report::default() };
    let shared = Mutex::new(Shared { report, tries: BTreeMap::new() });
    let driver = Driver { api, drive, shared: &shared };
    let seconds = pool.map(0..workers.max(1) as u64, |executor, worker| driver.work(executor, worker))?;
    let mut report = shared.into_inner().unwrap_or_else(PoisonError::into_inner).report;
    report.seconds = seconds.into_iter().fold(0.0, f64::max);
    Ok(report)
}

/// What each worker does.
struct Driver<'a> {
    api: &'a Api,
    drive: &'a Drive,
    shared: &'a Mutex<Shared>,
}

impl Driver<'_> {
    /// Runs programs until the time is over; returns how long that took.
    fn work(&self, executor: &mut Executor, worker: u64) -> Result<f64, Failure> {
        let Drive { seed, time, programs, limits, .. } = self.drive;
        let mut generator = Generator::new(self.api, seed.wrapping_add(worker << 32), programs.clone());
        let options = Options { observe: Observing::Hash, trace: true, ..limits.clone() };
        let (mut driven, mut sampled, mut samples) = (Duration::ZERO, Duration::ZERO, 0);
        loop {
            let size = {
                let shared = lock(self.shared);
                shared.report.experience.teach(&mut generator);
                (shared.report.programs / BATCH.start()).clamp(*BATCH.start(), *BATCH.end())
            };
            let programs: Vec<Program> = (0..size).map(|_| generator.next()).collect();
            let started = Instant::now();
            let batch = {
                let shared = lock(self.shared);
                let runs = programs.iter().map(|program| run(self.api, program, &shared.report.marks));
                Batch { options: options.clone(), runs: runs.collect(), skip: shared.settled() }
            };
            let executions = executor.run(&batch)?;
            {
                let mut shared = lock(self.shared);
                programs
                    .iter()
                    .zip(&executions)
                    .for_each(|(program, execution)| shared.take(program, execution));
            }
            driven += started.elapsed();
            if samples < FIRST_SAMPLES || sampled * SAMPLING < driven {
                let started = Instant::now();
                self.sample(executor, &survivors(programs, &executions, SAMPLE))?;
                sampled += started.elapsed();
                samples += 1;
            }
            let is_over = driven >= *time;
            self.confirm(executor, if is_over { 1 } else { KILLS })?;
            if is_over {
                break;
            }
        }
        Ok(driven.as_secs_f64())
    }

    /// Runs programs twice on the original, and learns what differs.
    fn sample(&self, executor: &mut Executor, programs: &[Program]) -> Result<(), Failure> {
        let started = Instant::now();
        let runs: Vec<Run> = {
            let shared = lock(self.shared);
            programs.iter().map(|program| run(self.api, program, &shared.report.marks)).collect()
        };
        let found = executor.deterministic(&self.drive.limits, &runs)?;
        let mut shared = lock(self.shared);
        for (program, found) in programs.iter().zip(&found) {
            shared.report.marks.learn(program, found);
        }
        shared.report.seconds_confirming += started.elapsed().as_secs_f64();
        Ok(())
    }

    /// Asks again in fresh processes about would-be kills, if there are at least so many.
    fn confirm(&self, executor: &mut Executor, at_least: usize) -> Result<(), Failure> {
        loop {
            let started = Instant::now();
            let (mutants, kills): (Vec<u32>, Vec<Kill>) = {
                let mut shared = lock(self.shared);
                if shared.report.kills.pending() < at_least {
                    return Ok(());
                }
                let pending = shared.report.kills.take_pending();
                let kill = |program: Program| {
                    let run = run(self.api, &program, &shared.report.marks);
                    Kill { program, run }
                };
                pending.into_iter().map(|(mutant, program)| (mutant, kill(program))).unzip()
            };
            let asked: Vec<(Run, u32)> =
                kills.iter().zip(&mutants).map(|(kill, mutant)| (kill.run.clone(), *mutant)).collect();
            let answers = executor.confirm(&self.drive.confirming, &asked)?;
            let mut shared = lock(self.shared);
            let Report { kills: known, marks, seconds_confirming, .. } = &mut shared.report;
            for ((mutant, kill), answer) in mutants.into_iter().zip(kills).zip(&answers) {
                known.settle(mutant, kill, answer, marks);
            }
            *seconds_confirming += started.elapsed().as_secs_f64();
        }
    }
}

/// Programs that left their process alive: what kills workers proves nothing, and costs two more.
fn survivors(programs: Vec<Program>, executions: &[Execution], at_most: usize) -> Vec<Program> {
    let pairs = programs.into_iter().zip(executions);
    pairs
        .filter(|(_, execution)| !is_death(&execution.outcome))
        .map(|(program, _)| program)
        .take(at_most)
        .collect()
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What all workers know.
struct Shared {
    report: Report,
    /// How often each mutant was run.
    tries: BTreeMap<u32, u32>,
}

impl Shared {
    /// Mutants that need not be run any more: dead ones, and stubborn ones that would eat all the time.
    fn settled(&self) -> Bitmap {
        let stubborn = self.tries.iter().filter(|(_, tries)| **tries > PATIENCE).map(|(mutant, _)| *mutant);
        self.report.kills.settled().chain(stubborn).collect()
    }

    fn take(&mut self, program: &Program, execution: &Execution) {
        for mutant in &execution.ran {
            *self.tries.entry(*mutant).or_default() += 1;
        }
        self.report.take(program, execution);
    }
}

/// A generated program as a worker takes it.
pub(crate) fn encoded(api: &Api, program: &Program, mutants: Mutants) -> Run {
    let liveness = check(api, program).expect("the generator obeys the borrow rules");
    encode(program, liveness.observable(), mutants)
}

/// A program as it is run: what is not the same every time is not looked at, or nothing is proved by it at all.
fn run(api: &Api, program: &Program, marks: &Marks) -> Run {
    let mutants = match marks.may_end_otherwise(program) {
        true => Mutants::Listed(Vec::new()),
        false => Mutants::Infected { at_most: MUTANTS_EACH },
    };
    Run { unseen: marks.unseen(program), ..encoded(api, program, mutants) }
}

impl Report {
    fn take(&mut self, program: &Program, execution: &Execution) {
        self.programs += 1;
        self.statements += program.statements.len() as u64;
        self.mutant_runs += execution.ran.len() as u64;
        *self.endings.entry(ending(&execution.outcome)).or_default() += 1;
        self.reached.extend(&execution.reached);
        self.infected.extend(&execution.infected);
        self.experience.note(program, execution);
        for (mutant, _) in &execution.differences {
            self.kills.suspect(*mutant, program);
        }
    }
}
