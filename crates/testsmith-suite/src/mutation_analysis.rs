//! Mutation analysis: runs the tests that may kill each of them until one fails.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::{Condvar, Mutex};
use std::time::Duration;

use testsmith_proc::{Capture, Ending};
use testsmith_rt::coverage_map::Task;

use crate::runner::{Run, Runner, TestError, Which, passed};
use crate::schedule::{Candidate, Next, Place, Schedule, Step, order};
use crate::trace::{Touch, Traces};
use crate::{Event, Listener, TestId, Verdict, libtest};

/// Ticks that any mutant gets, on top of some times what its tests use with no mutant active.
const BASE_FUEL: u64 = 1_000_000;
const FUEL_FACTOR: u64 = 5;

/// Enough of the output to find the name of the test that failed.
const OUTPUT: usize = 64 << 10;

/// A mutant that is to be run.
#[derive(Clone, Copy, Debug)]
pub struct MutantUnderTest {
    /// Its number.
    pub mutant: u32,
    /// Its function.
    pub group: usize,
    /// Its package: only tests of that package are tried.
    pub package: usize,
}

/// What the tests of a suite say about mutants.
#[derive(Clone, Debug, Default)]
pub struct MutationAnalysis {
    /// The verdicts, by mutant.
    pub verdicts: HashMap<u32, Verdict>,
    /// How long the tests of a mutant took.
    pub spent: HashMap<u32, Duration>,
    /// Mutants that no test infects, and how many of them were run all the same.
    pub uninfected: usize,
    /// See there.
    pub uninfected_run: usize,
    /// Those that were killed although no test was seen to infect them: recording is wrong about them.
    pub killed_uninfected: Vec<u32>,
}

/// What the workers share.
struct Progress {
    schedule: Schedule,
    verdicts: HashMap<u32, Verdict>,
    spent: HashMap<u32, Duration>,
    /// A worker has failed: what it was running will never be released, so the others must not wait for it.
    is_over: bool,
}

impl Runner<'_> {
    /// Runs the tests that may kill each mutant, by their traces.
    pub fn mutation_analysis(
        &self,
        under_test: &[MutantUnderTest],
        traces: &Traces,
        listener: Listener<'_>,
    ) -> Result<MutationAnalysis, TestError> {
        let touches = self.touches_by_mutant(under_test, traces);
        let mut analysis = MutationAnalysis::default();
        let mut candidates = Vec::new();
        let mut uninfected = Vec::new();
        for under_test in under_test {
            let Some(touches) = touches.get(&under_test.mutant).filter(|t| !t.is_empty()) else {
                analysis.verdicts.insert(under_test.mutant, Verdict::Unreached);
                continue;
            };
            let tests = order(touches, &traces.tests);
            if tests.is_empty() {
                analysis.verdicts.insert(under_test.mutant, Verdict::Survived);
                uninfected.push((*under_test, touches[0].0));
            } else {
                candidates.push(Candidate { mutant: under_test.mutant, group: under_test.group, tests });
            }
        }
        // The permanent self-check: some mutants that nothing infects are run all the same.
        analysis.uninfected = uninfected.len();
        let sample = sample(&uninfected);
        analysis.uninfected_run = sample.len();
        candidates.extend(sample.iter().map(|(under_test, test)| Candidate {
            mutant: under_test.mutant,
            group: under_test.group,
            tests: vec![*test],
        }));
        listener(Event::MutantsStarted { mutants: candidates.len() });
        let mut progress = self.run_all(candidates.clone(), traces, listener)?;
        self.run_disturbed_again(&candidates, traces, &mut progress)?;
        let Progress { verdicts, spent, .. } = progress;
        analysis.spent = spent;
        for (under_test, _) in &sample {
            if let Some(Verdict::Killed { .. } | Verdict::Timeout { .. }) = verdicts.get(&under_test.mutant) {
                analysis.killed_uninfected.push(under_test.mutant);
            }
        }
        analysis.verdicts.extend(verdicts);
        Ok(analysis)
    }

    /// A test that killed a mutant while others ran may have been disturbed by them. Every such test runs once more
    /// beside others, without a mutant; if one fails, its group is run again, one process at a time.
    fn run_disturbed_again(
        &self,
        candidates: &[Candidate],
        traces: &Traces,
        progress: &mut Progress,
    ) -> Result<(), TestError> {
        let mut killers: BTreeMap<usize, BTreeSet<TestId>> = BTreeMap::new();
        for verdict in progress.verdicts.values() {
            if let Verdict::Killed { by: Some(test) } | Verdict::Timeout { by: Some(test) } = verdict {
                killers.entry(self.suite.group(*test)).or_default().insert(*test);
            }
        }
        let mut traces = traces.clone();
        let mut disturbed = HashSet::new();
        for (group, tests) in killers {
            if self.jobs < 2 || tests.len() < 2 || traces.exclusive.contains(&group) {
                continue;
            }
            let tests: Vec<_> = tests.into_iter().collect();
            let passed = self.side_by_side(&tests, |worker, test| self.passes(worker, test))?;
            if passed.iter().any(|(_, passed)| !passed) {
                disturbed.insert(group);
            }
        }
        traces.exclusive.extend(&disturbed);
        let in_disturbed = |candidate: &&Candidate| match progress.verdicts.get(&candidate.mutant) {
            Some(Verdict::Killed { by } | Verdict::Timeout { by }) => {
                by.map_or(!disturbed.is_empty(), |test| disturbed.contains(&self.suite.group(test)))
            }
            _ => false,
        };
        let again: Vec<_> = candidates.iter().filter(in_disturbed).cloned().collect();
        if !again.is_empty() {
            let second = self.run_all(again, &traces, &|_| {})?;
            progress.verdicts.extend(second.verdicts);
        }
        Ok(())
    }

    /// For each mutant the tests of its package that reach it.
    fn touches_by_mutant(
        &self,
        under_test: &[MutantUnderTest],
        traces: &Traces,
    ) -> HashMap<u32, Vec<(TestId, Touch)>> {
        let package_of: HashMap<u32, usize> = under_test.iter().map(|a| (a.mutant, a.package)).collect();
        let mut touches: HashMap<u32, Vec<(TestId, Touch)>> = HashMap::new();
        for (test, trace) in traces.tests.iter().enumerate() {
            // A test that fails alone can tell nothing about a mutant.
            let Some(trace) = trace.as_ref().filter(|trace| trace.passed) else { continue };
            let package = self.suite.binaries[self.suite.tests[test].binary].package;
            for (mutant, touch) in &trace.touches {
                if package_of.get(mutant) == Some(&package) {
                    touches.entry(*mutant).or_default().push((test, *touch));
                }
            }
        }
        touches
    }

    fn run_all(
        &self,
        candidates: Vec<Candidate>,
        traces: &Traces,
        listener: Listener<'_>,
    ) -> Result<Progress, TestError> {
        let place = |test: TestId| {
            let group = self.suite.group(test);
            let exclusive = traces.exclusive.contains(&group);
            Place { binary: self.suite.tests[test].binary, group, exclusive, access: self.access_of(test) }
        };
        let places = (0..self.suite.tests.len()).map(place).collect();
        let state = Mutex::new(Progress {
            verdicts: candidates.iter().map(|c| (c.mutant, Verdict::NotRun)).collect(),
            spent: HashMap::new(),
            schedule: Schedule::new(candidates, places),
            is_over: false,
        });
        let changed = Condvar::new();
        self.in_parallel(|worker| {
            let worked = self.work(worker, &state, &changed, traces, listener);
            if worked.is_err() {
                state.lock().expect("no worker panics while it holds this").is_over = true;
            }
            changed.notify_all();
            worked
        })?;
        Ok(state.into_inner().expect("all workers are done"))
    }

    fn work(
        &self,
        worker: usize,
        state: &Mutex<Progress>,
        changed: &Condvar,
        traces: &Traces,
        listener: Listener<'_>,
    ) -> Result<(), TestError> {
        loop {
            let (step, mutant) = {
                let mut guard = state.lock().expect("no worker panics while it holds this");
                loop {
                    if guard.is_over || self.is_over() {
                        return Ok(());
                    }
                    match guard.schedule.take() {
                        Next::Run(step) => {
                            let mutant = guard.schedule.mutant(&step);
                            break (step, mutant);
                        }
                        Next::Done => return Ok(()),
                        // With a time limit: nobody notifies of an interrupt.
                        Next::Wait => {
                            let pause = Duration::from_millis(100);
                            guard = changed.wait_timeout(guard, pause).expect("as above").0;
                        }
                    }
                }
            };
            let run = self.run_step(worker, &step, mutant, traces)?;
            if run.interrupted() {
                return Ok(());
            }
            let verdict = self.verdict(&step, &run);
            let mut guard = state.lock().expect("no worker panics while it holds this");
            *guard.spent.entry(mutant).or_default() += run.ran.duration;
            let verdict = match verdict {
                None => guard.schedule.passed(&step).then_some(Verdict::Survived),
                Some(verdict) => {
                    let (Verdict::Killed { by } | Verdict::Timeout { by }) = verdict else {
                        unreachable!("a failed run kills")
                    };
                    guard.schedule.failed(&step, by);
                    Some(verdict)
                }
            };
            if let Some(verdict) = &verdict {
                guard.verdicts.insert(mutant, verdict.clone());
            }
            drop(guard);
            changed.notify_all();
            if let Some(verdict) = verdict {
                listener(Event::MutantDone { mutant, verdict });
            }
        }
    }

    fn run_step(&self, worker: usize, step: &Step, mutant: u32, traces: &Traces) -> Result<Run, TestError> {
        let binary = &self.suite.binaries[self.suite.tests[step.tests[0]].binary];
        let usual = |test: &TestId| {
            traces.tests[*test].as_ref().map_or((0, Duration::ZERO), |t| (t.fuel, t.duration))
        };
        let (fuel, time) = step
            .tests
            .iter()
            .map(usual)
            .fold((0u64, Duration::ZERO), |(fuel, time), (f, t)| (fuel.saturating_add(f), time + t));
        let task =
            Task::Mutant { number: mutant, fuel: BASE_FUEL.saturating_add(fuel.saturating_mul(FUEL_FACTOR)) };
        let capture = if step.tests.len() > 1 { Capture::Tail { bytes: OUTPUT } } else { Capture::Nothing };
        self.run(worker, binary, Which::These(&step.tests), task, self.wall_for(time), capture)
    }

    /// `None` if the tests passed.
    fn verdict(&self, step: &Step, run: &Run) -> Option<Verdict> {
        let binary = &self.suite.binaries[self.suite.tests[step.tests[0]].binary];
        let by = || match step.tests.as_slice() {
            [test] => Some(*test),
            tests => {
                let name = libtest::first_failure(&String::from_utf8_lossy(&run.ran.stdout))?;
                tests.iter().copied().find(|test| self.suite.tests[*test].name == name)
            }
        };
        if run.findings.out_of_fuel || run.ran.ending == Ending::TimedOut {
            return Some(Verdict::Timeout { by: by() });
        }
        (!passed(binary, &run.ran.ending)).then(|| Verdict::Killed { by: by() })
    }
}

/// Every tenth, at least a few, at most two dozen.
fn sample<T: Clone>(all: &[T]) -> Vec<T> {
    let wanted = (all.len() / 10).clamp(4, 24).min(all.len());
    (0..wanted).map(|at| all[at * all.len() / wanted].clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_is_spread_over_all() {
        assert_eq!(sample(&[0u8; 0]), [0u8; 0]);
        assert_eq!(sample(&[1, 2]), [1, 2]);
        let all: Vec<_> = (0..100).collect();
        assert_eq!(sample(&all), [0, 10, 20, 30, 40, 50, 60, 70, 80, 90]);
        assert_eq!(sample(&[0; 1000]).len(), 24);
    }
}
