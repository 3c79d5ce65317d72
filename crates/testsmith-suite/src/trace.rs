//! Which test reaches and infects which mutant: one process for each test.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use testsmith_proc::Capture;
use testsmith_rt::board::{INFECTED, Task, UNKNOWN};

use crate::runner::{Runner, TestError, Which, passed};
use crate::{Event, Listener, TestId};

/// What a test does to a mutant that it reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Touch {
    /// The mutant computes another value.
    Infects,
    /// Whether it does is not known.
    MayInfect,
    /// It computes the same value every time.
    Reaches,
}

/// What a test does with no mutant active.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// Mutants that it reaches.
    pub touches: Vec<(u32, Touch)>,
    /// Ticks that it uses.
    pub fuel: u64,
    /// How long it takes.
    pub duration: Duration,
    /// Whether it passes when it is run alone.
    pub passed: bool,
}

impl Runner<'_> {
    /// Traces every test; `None` for tests that were not run because the user asked to stop.
    pub fn trace(&self, mutants: u32, listener: Listener<'_>) -> Result<Vec<Option<Trace>>, TestError> {
        let tests = self.suite.tests.len();
        listener(Event::TracingStarted { tests });
        let next = AtomicUsize::new(0);
        let traces: Mutex<Vec<Option<Trace>>> = Mutex::new(vec![None; tests]);
        let work = |worker: usize| -> Result<(), TestError> {
            loop {
                let test = next.fetch_add(1, Ordering::Relaxed);
                if test >= tests || testsmith_proc::interrupt::requested() {
                    return Ok(());
                }
                let trace = self.trace_one(worker, test, mutants)?;
                listener(Event::Traced);
                traces.lock().expect("no worker panics while it holds this")[test] = trace;
            }
        };
        self.in_parallel(work)?;
        Ok(traces.into_inner().expect("all workers are done"))
    }

    fn trace_one(&self, worker: usize, test: TestId, mutants: u32) -> Result<Option<Trace>, TestError> {
        let binary = &self.suite.binaries[self.suite.tests[test].binary];
        let task = Task::Trace { mutants };
        let run =
            self.run(worker, binary, Which::These(&[test]), task, self.time.baseline, Capture::Nothing)?;
        if run.interrupted() {
            return Ok(None);
        }
        let touches = (0u32..).zip(&run.findings.marks).filter(|(_, marks)| **marks != 0);
        let touch = |marks: u8| {
            if marks & INFECTED != 0 {
                Touch::Infects
            } else if marks & UNKNOWN != 0 {
                Touch::MayInfect
            } else {
                Touch::Reaches
            }
        };
        Ok(Some(Trace {
            touches: touches.map(|(mutant, marks)| (mutant, touch(*marks))).collect(),
            fuel: run.findings.fuel_used,
            duration: run.ran.duration,
            passed: passed(binary, &run.ran.ending),
        }))
    }

    /// Runs `work` in as many threads as there are jobs.
    pub(crate) fn in_parallel(
        &self,
        work: impl Fn(usize) -> Result<(), TestError> + Sync,
    ) -> Result<(), TestError> {
        std::thread::scope(|scope| {
            let work = &work;
            let workers: Vec<_> = (0..self.jobs.max(1)).map(|w| scope.spawn(move || work(w))).collect();
            workers.into_iter().try_for_each(|worker| worker.join().expect("workers do not panic"))
        })
    }
}
