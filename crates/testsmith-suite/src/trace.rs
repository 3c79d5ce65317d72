//! Which test reaches and infects which mutant: one process for each test.

use std::collections::{BTreeMap, HashSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use testsmith_proc::Capture;
use testsmith_rt::coverage_map::{INFECTED, Task, UNKNOWN};

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

/// The traces of all tests.
#[derive(Clone, Debug, Default)]
pub struct Traces {
    /// By test; `None` for tests that were not run because the user asked to stop, or the time was over.
    pub tests: Vec<Option<Trace>>,
    /// Groups whose tests disturb each other when they run in several processes: they run one at a time.
    pub exclusive: HashSet<usize>,
}

impl Runner<'_> {
    /// Traces every test, those of one group side by side.
    pub fn trace(&self, mutants: u32, listener: Listener<'_>) -> Result<Traces, TestError> {
        let tests = self.suite.tests.len();
        listener(Event::TracingStarted { tests });
        let mut traces = Traces { tests: vec![None; tests], exclusive: HashSet::new() };
        for group in self.groups() {
            let done = self.side_by_side(&group, |worker, test| {
                let trace = self.trace_one(worker, test, mutants)?;
                listener(Event::Traced);
                Ok(trace)
            })?;
            for (test, trace) in done {
                traces.tests[test] = trace;
            }
            self.settle(&group, &mut traces, mutants)?;
        }
        Ok(traces)
    }

    /// Tests that failed among others are tried alone; and those that passed once more among others, in another order.
    fn settle(&self, group: &[TestId], traces: &mut Traces, mutants: u32) -> Result<(), TestError> {
        let Some(first) = group.first() else { return Ok(()) };
        let failed = |traces: &Traces, test: TestId| traces.tests[test].as_ref().is_some_and(|t| !t.passed);
        let mut disturbed = false;
        for test in group.iter().copied().filter(|test| failed(traces, *test)).collect::<Vec<_>>() {
            if self.is_over() {
                return Ok(());
            }
            traces.tests[test] = self.trace_one(0, test, mutants)?;
            disturbed |= traces.tests[test].as_ref().is_some_and(|trace| trace.passed);
        }
        if !disturbed && self.jobs > 1 && group.len() > 1 {
            let passed: Vec<_> = group.iter().copied().rev().filter(|test| !failed(traces, *test)).collect();
            let again = self.side_by_side(&passed, |worker, test| self.passes(worker, test))?;
            disturbed = again.iter().any(|(_, passed)| !passed);
        }
        if disturbed {
            traces.exclusive.insert(self.suite.group(*first));
        }
        Ok(())
    }

    /// Whether a test passes with no mutant active.
    pub(crate) fn passes(&self, worker: usize, test: TestId) -> Result<bool, TestError> {
        let binary = &self.suite.binaries[self.suite.tests[test].binary];
        let which = Which::These(std::slice::from_ref(&test));
        let run = self.run(worker, binary, which, Task::Plain, self.time.baseline, Capture::Nothing)?;
        Ok(run.interrupted() || passed(binary, &run.ran.ending))
    }

    /// The tests of each group.
    fn groups(&self) -> Vec<Vec<TestId>> {
        let mut groups: BTreeMap<usize, Vec<TestId>> = BTreeMap::new();
        for test in 0..self.suite.tests.len() {
            groups.entry(self.suite.group(test)).or_default().push(test);
        }
        groups.into_values().collect()
    }

    /// Does something with each test, as many at a time as there are jobs, until it is over.
    pub(crate) fn side_by_side<T: Send>(
        &self,
        tests: &[TestId],
        work: impl Fn(usize, TestId) -> Result<T, TestError> + Sync,
    ) -> Result<Vec<(TestId, T)>, TestError> {
        let next = AtomicUsize::new(0);
        let done: Mutex<Vec<(TestId, T)>> = Mutex::new(Vec::new());
        self.in_parallel(|worker| {
            loop {
                let Some(test) = tests.get(next.fetch_add(1, Ordering::Relaxed)).copied() else {
                    return Ok(());
                };
                if self.is_over() {
                    return Ok(());
                }
                let result = work(worker, test)?;
                done.lock().expect("no worker panics while it holds this").push((test, result));
            }
        })?;
        Ok(done.into_inner().expect("all workers are done"))
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
