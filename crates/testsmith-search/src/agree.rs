//! Every program in two processes: whether the answers are the same, but for what is marked, and whether every worker
//! that was lost is the doing of a program that says so ([`agree`]).

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use testsmith_exec::{Executor, Failure, Kind, Nondeterminism as Found, WorkerPool, ending};
use testsmith_ir::random::{Generator, Options as Programs};
use testsmith_ir::{Api, Program};
use testsmith_rt::harness::wire::{Aspect, Batch, Bitmap, Execution, Mutants, Observing, Options, Run};

use crate::callable_stats::{CallableStats, is_death};
use crate::engine::encoded;
use crate::nondeterminism::Nondeterminism;

/// Programs that one process runs before another one does: few at first, so that what ends its process is known soon.
const ROUND: RangeInclusive<u64> = 128..=8192;
/// Runs of one batch: a death costs its runs once more.
const BATCH: usize = 128;
/// So many programs that do not do the same are kept as examples.
const EXAMPLES: usize = 20;
/// What differed once is looked for in so many pairs of processes at most: the order of two elements is the same half of
/// the time.
const LOOKS: usize = 8;
/// And so often in each: some things differ only where a few bits of a random hash are what they were.
const COPIES: usize = 64;

/// What to compare.
#[derive(Clone, Debug)]
pub struct Agree {
    /// Of the programs.
    pub seed: u64,
    /// What programs are like.
    pub programs: Programs,
    /// Limits of each run.
    pub limits: Options,
    /// So many programs.
    pub count: u64,
    /// What is known not to be the same every time.
    pub nondeterminism: Nondeterminism,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct Agreement {
    /// Programs that were run in two processes.
    pub programs: u64,
    /// How they ended, in both processes together.
    pub endings: BTreeMap<String, u64>,
    /// Those that ended their process, in both together.
    pub deaths: u64,
    /// Workers that died meanwhile.
    pub workers_died: u64,
    /// Those of them of which nobody knows why.
    pub workers_unexplained: u64,
    /// Programs with something marked in them, which is not looked at.
    pub with_marks: u64,
    /// Programs that did not do the same, before what differs was marked.
    pub differed: u64,
    /// Those that differ all the same: known nondeterminism does not account for it.
    pub unmarked: u64,
    /// Examples of programs that differed, those that known nondeterminism does not account for first.
    pub examples: Vec<Example>,
    /// What is not the same every time.
    pub nondeterminism: Nondeterminism,
    /// What became of callables.
    pub callable_stats: CallableStats,
    /// Wall-clock time.
    pub seconds: f64,
}

/// A program that did not do the same.
#[derive(Clone, Debug)]
pub struct Example {
    /// The program.
    pub program: Program,
    /// How it ended in each process.
    pub endings: [String; 2],
    /// What differed when it was looked at again, in other processes.
    pub found: Found,
    /// Whether known nondeterminism accounts for it.
    pub is_marked: bool,
}

/// Runs programs in two processes each.
pub fn agree(api: &Api, pool: &WorkerPool, workers: usize, wanted: &Agree) -> Result<Agreement, Failure> {
    let started = Instant::now();
    let shared = Mutex::new(Agreement {
        nondeterminism: wanted.nondeterminism.clone(),
        callable_stats: CallableStats::new(api),
        ..Agreement::default()
    });
    let comparer = Comparer { api, wanted, shared: &shared };
    pool.map(0..workers.max(1) as u64, |executor, worker| comparer.work(executor, worker))?;
    let mut agreement = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    agreement.examples.sort_by_key(|example| example.is_marked);
    agreement.examples.truncate(EXAMPLES);
    agreement.seconds = started.elapsed().as_secs_f64();
    Ok(agreement)
}

struct Comparer<'a> {
    api: &'a Api,
    wanted: &'a Agree,
    shared: &'a Mutex<Agreement>,
}

impl Comparer<'_> {
    fn work(&self, executor: &mut Executor, worker: u64) -> Result<(), Failure> {
        let Agree { seed, programs, count, .. } = self.wanted;
        let mut generator = Generator::new(self.api, seed.wrapping_add(worker << 32), programs.clone());
        loop {
            let left = {
                let shared = lock(self.shared);
                shared.callable_stats.teach(&mut generator);
                let round = shared.programs.clamp(*ROUND.start(), *ROUND.end());
                count.saturating_sub(shared.programs).min(round)
            };
            if left == 0 {
                return Ok(());
            }
            let programs: Vec<Program> = (0..left).map(|_| generator.next()).collect();
            self.round(executor, &programs)?;
        }
    }

    /// Runs programs in one process, then in another one, and looks closer at those that differ.
    fn round(&self, executor: &mut Executor, programs: &[Program]) -> Result<(), Failure> {
        let runs = self.runs(programs);
        let before = executor.tally();
        let [first, second] =
            [self.pass(executor, Kind::Usual, &runs)?, self.pass(executor, Kind::Anywhere, &runs)?];
        let after = executor.tally();
        let mut odd = Vec::new();
        {
            let mut shared = lock(self.shared);
            shared.workers_died += after.died - before.died;
            shared.workers_unexplained += after.unexplained - before.unexplained;
            for (((program, run), first), second) in programs.iter().zip(&runs).zip(&first).zip(&second) {
                shared.take(program, run, [first, second]);
                if !is_same(first, second) && !shared.nondeterminism.may_end_otherwise(program) {
                    let endings = [first, second].map(|execution| ending(&execution.outcome));
                    odd.push((program, run, endings));
                }
            }
        }
        odd.into_iter()
            .try_for_each(|(program, run, endings)| self.look_closer(executor, program, run, endings))
    }

    /// Runs all in a process that has run nothing else.
    fn pass(&self, executor: &mut Executor, kind: Kind, runs: &[Run]) -> Result<Vec<Execution>, Failure> {
        executor.renew(kind);
        let options = Options { observe: Observing::Hash, trace: false, ..self.wanted.limits.clone() };
        let mut executions = Vec::with_capacity(runs.len());
        for runs in runs.chunks(BATCH) {
            let batch = Batch { options: options.clone(), skip: Bitmap::default(), runs: runs.to_vec() };
            executions.extend(executor.run(&batch)?);
        }
        Ok(executions)
    }

    /// Finds out what of a program differs, marks it, and runs it once more without that.
    fn look_closer(
        &self,
        executor: &mut Executor,
        program: &Program,
        run: &Run,
        endings: [String; 2],
    ) -> Result<(), Failure> {
        let mut found = Found::default();
        let mut is_marked = false;
        for _ in 0..LOOKS {
            let differing = self.twice(executor, program)?;
            lock(self.shared).nondeterminism.learn(program, &differing);
            // What is marked now may be what was seen then.
            let is_news = self.unseen(program) != run.unseen;
            is_marked = lock(self.shared).nondeterminism.may_end_otherwise(program)
                || is_news && differing.is_empty();
            if found.is_empty() {
                found = differing;
            }
            if is_marked {
                break;
            }
        }
        let mut shared = lock(self.shared);
        shared.differed += 1;
        shared.unmarked += u64::from(!is_marked);
        if !is_marked || shared.examples.len() < EXAMPLES {
            shared.examples.push(Example { program: program.clone(), endings, found, is_marked });
        }
        Ok(())
    }

    fn unseen(&self, program: &Program) -> Vec<(u16, Aspect)> {
        lock(self.shared).nondeterminism.unseen(program)
    }

    fn twice(&self, executor: &mut Executor, program: &Program) -> Result<Found, Failure> {
        let runs = self.runs(&vec![program.clone(); COPIES]);
        let found = executor.deterministic(&self.wanted.limits, &runs)?;
        Ok(found.into_iter().find(|found| !found.is_empty()).unwrap_or_default())
    }

    /// Programs as they are run: what is marked is not looked at.
    fn runs(&self, programs: &[Program]) -> Vec<Run> {
        let nondeterminism = lock(self.shared).nondeterminism.clone();
        let run = |program: &Program| Run {
            unseen: nondeterminism.unseen(program),
            ..encoded(self.api, program, Mutants::Listed(Vec::new()))
        };
        programs.iter().map(run).collect()
    }
}

impl Agreement {
    fn take(&mut self, program: &Program, run: &Run, executions: [&Execution; 2]) {
        self.programs += 1;
        self.with_marks +=
            u64::from(!run.unseen.is_empty() || self.nondeterminism.may_end_otherwise(program));
        for execution in executions {
            *self.endings.entry(ending(&execution.outcome)).or_default() += 1;
            self.deaths += u64::from(is_death(&execution.outcome));
        }
        self.callable_stats.note(program, executions[0]);
    }

    /// Workers that died though no program says so.
    pub fn workers_lost(&self) -> u64 {
        self.workers_unexplained + (self.workers_died - self.workers_unexplained).saturating_sub(self.deaths)
    }
}

/// Whether two answers are the same.
fn is_same(first: &Execution, second: &Execution) -> bool {
    let end = |execution: &Execution| (execution.outcome.clone(), execution.statement);
    end(first) == end(second) && first.absent == second.absent && first.observations == second.observations
}

fn lock(shared: &Mutex<Agreement>) -> MutexGuard<'_, Agreement> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
