//! Several workers at once: [`WorkerPool`]. Whoever is free takes the next item, and results are in the order of the items.
//! Workers live on from one call to the next.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use testsmith_ir::Program;
use testsmith_rt::harness::wire::{Batch, Execution, Hello, Options, Run};

use crate::confirm::Confirmed;
use crate::executor::{Executor, Tally};
use crate::failure::Failure;
use crate::setup::{Setup, Trust};

/// Kills that one worker is asked about at a time.
const KILLS: usize = 32;

/// Executors for several threads.
pub struct WorkerPool {
    setup: Setup,
    workers: NonZeroUsize,
    /// Those that no thread has taken.
    idle: Mutex<Vec<Executor>>,
}

impl WorkerPool {
    /// A pool of so many workers. Nothing is started before there is something to do.
    pub fn new(setup: Setup, workers: NonZeroUsize) -> Self {
        Self { setup, workers, idle: Mutex::default() }
    }

    /// What a worker says about itself.
    pub fn hello(&self) -> Result<Hello, Failure> {
        self.with_executor(|executor| executor.hello().cloned())
    }

    /// Whether the damage that a mutant does may show in others, which run in the same process after it.
    pub fn spreads_damage(&self) -> bool {
        match self.setup.trust {
            Trust::Mutants => true,
            Trust::Fork => self.setup.stateful.is_some(),
            Trust::InProcess | Trust::Fresh => false,
        }
    }

    /// Whether a mutant can do no harm to the process that it runs in.
    pub fn is_harmless(&self) -> bool {
        self.setup.trust.is_harmless()
    }

    /// Whether many runs of a program share a process, one after the other: that is fast.
    pub fn runs_together(&self, program: &Program) -> bool {
        let callables = program.statements.iter().filter_map(|statement| statement.callable());
        match self.setup.trust {
            Trust::InProcess | Trust::Mutants => true,
            Trust::Fork => !self.setup.is_stateful(callables.map(|callable| callable.0)),
            Trust::Fresh => false,
        }
    }

    /// What has become of all workers so far.
    pub fn tally(&self) -> Tally {
        lock(&self.idle).iter().map(Executor::tally).fold(Tally::default(), Tally::plus)
    }

    /// Runs batches; one list of executions for each.
    pub fn run(&self, batches: &[Batch]) -> Result<Vec<Vec<Execution>>, Failure> {
        self.map(batches, |executor, batch| executor.run(batch))
    }

    /// Asks again in fresh processes whether programs tell mutants from the original, as [`Executor::confirm`] does.
    pub fn confirm(&self, options: &Options, kills: &[(Run, u32)]) -> Result<Vec<Confirmed>, Failure> {
        let confirmed = self.map(kills.chunks(KILLS), |executor, kills| executor.confirm(options, kills))?;
        Ok(confirmed.concat())
    }

    /// Does both at once, so that no worker waits for the slowest of one kind: [`run`](Self::run) and
    /// [`confirm`](Self::confirm).
    pub fn run_and_confirm(
        &self,
        batches: &[Batch],
        options: &Options,
        kills: &[(Run, u32)],
    ) -> Result<(Vec<Vec<Execution>>, Vec<Confirmed>), Failure> {
        enum Work<'a> {
            Run(&'a Batch),
            Confirm(&'a [(Run, u32)]),
        }
        enum Done {
            Run(Vec<Execution>),
            Confirmed(Vec<Confirmed>),
        }
        // What is confirmed takes longest.
        let work = kills.chunks(KILLS).map(Work::Confirm).chain(batches.iter().map(Work::Run));
        let all = self.map(work, |executor, work| match work {
            Work::Run(batch) => executor.run(batch).map(Done::Run),
            Work::Confirm(kills) => executor.confirm(options, kills).map(Done::Confirmed),
        })?;
        let (mut executions, mut confirmed) = (Vec::new(), Vec::new());
        for done in all {
            match done {
                Done::Run(of_batch) => executions.push(of_batch),
                Done::Confirmed(some) => confirmed.extend(some),
            }
        }
        Ok((executions, confirmed))
    }

    /// Does something for every item, each with an executor; the first failure ends it.
    pub fn map<T: Send, R: Send>(
        &self,
        items: impl IntoIterator<Item = T>,
        job: impl Fn(&mut Executor, T) -> Result<R, Failure> + Sync,
    ) -> Result<Vec<R>, Failure> {
        let items: Vec<T> = items.into_iter().collect();
        let threads = self.workers.get().min(items.len());
        let queue = Mutex::new(items.into_iter().enumerate());
        let has_failed = AtomicBool::new(false);
        // Everything that one thread gets done, with the places of the results.
        let work = || {
            let mut done = Vec::new();
            let outcome = self.with_executor(|executor| {
                while !has_failed.load(Ordering::Relaxed)
                    && let Some((place, item)) = { lock(&queue).next() }
                {
                    done.push((place, job(executor, item)?));
                }
                Ok(())
            });
            has_failed.fetch_or(outcome.is_err(), Ordering::Relaxed);
            outcome.map(|()| done)
        };
        let mut all = Vec::new();
        thread::scope(|scope| {
            // The calling thread is one of them.
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            let own = work();
            let others = others
                .into_iter()
                .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            // All are waited for before the first failure is returned.
            let outcomes: Vec<_> = [own].into_iter().chain(others).collect();
            outcomes.into_iter().try_for_each(|done| done.map(|done| all.extend(done)))
        })?;
        all.sort_unstable_by_key(|(place, _)| *place);
        Ok(all.into_iter().map(|(_, result)| result).collect())
    }

    fn with_executor<R>(&self, job: impl FnOnce(&mut Executor) -> Result<R, Failure>) -> Result<R, Failure> {
        let idle = lock(&self.idle).pop();
        let mut executor = idle.map_or_else(|| Executor::new(self.setup.clone()), Ok)?;
        let result = job(&mut executor);
        lock(&self.idle).push(executor);
        result
    }
}

/// What is locked here is whole after every single operation, so a panic elsewhere cannot have broken it.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
