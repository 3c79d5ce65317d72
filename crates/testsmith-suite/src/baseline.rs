//! Whole test binaries with no mutant active: on the plain crate, and on the meta-program.

use std::collections::BTreeMap;
use std::time::Duration;

use testsmith_proc::{Capture, Ending};
use testsmith_rt::coverage_map::Task;

use crate::claims::Order;
use crate::runner::{Run, Runner, TestError, Which, passed};
use crate::sandbox::Access;
use crate::{TestBinary, TestId, libtest};

/// Enough of a suite's output to find every result in it, unless it prints without end.
const OUTPUT: usize = 4 << 20;

/// What a suite did with no mutant active.
#[derive(Clone, Debug, Default)]
pub struct Baseline {
    /// Result of each test: by binary name and test name.
    pub results: BTreeMap<(String, String), bool>,
    /// Binaries that did not pass.
    pub failures: Vec<Failure>,
    /// How long all binaries took together.
    pub duration: Duration,
    /// The user asked to stop.
    pub interrupted: bool,
}

/// A binary that did not pass.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Its name.
    pub binary: String,
    /// How it ended.
    pub ending: Ending,
    /// Tests that failed, where it could say.
    pub tests: Vec<String>,
    /// The end of what it printed.
    pub output: String,
}

impl Runner<'_> {
    /// Runs every binary whole, one after the other, as `cargo test` does. Tests that need different access run in
    /// different processes.
    pub fn baseline(&self) -> Result<Baseline, TestError> {
        let mut baseline = Baseline::default();
        for binary in &self.suite.binaries {
            let mut parts: BTreeMap<Access, Vec<TestId>> = BTreeMap::new();
            self.tests_of(binary)
                .into_iter()
                .for_each(|test| parts.entry(self.access_of(test)).or_default().push(test));
            let is_whole = parts.len() < 2;
            for tests in parts.into_values().take(if is_whole { 0 } else { usize::MAX }) {
                let failure =
                    self.run_part(binary, Which::Ordered(Order::SideBySide, &tests), &mut baseline)?;
                baseline.failures.extend(failure);
            }
            if is_whole {
                let failure = self.run_part(binary, Which::All, &mut baseline)?;
                baseline.failures.extend(failure);
            }
            if baseline.interrupted {
                break;
            }
        }
        Ok(baseline)
    }

    /// The same for a suite of which nobody knows yet what its tests may need: those that fail are run again with more
    /// access, as long as there is more. They are the exceptions of the sandbox from then on.
    pub fn baseline_and_access(&mut self) -> Result<Baseline, TestError> {
        let mut baseline = Baseline::default();
        for binary in &self.suite.binaries {
            let mut failure = self.run_part(binary, Which::All, &mut baseline)?;
            while let Some(failed) = failure.take() {
                let Some(tests) = self.widen(binary, &failed, &baseline) else {
                    baseline.failures.push(failed);
                    break;
                };
                failure = self.run_part(binary, Which::Ordered(Order::SideBySide, &tests), &mut baseline)?;
            }
            if baseline.interrupted {
                break;
            }
        }
        Ok(baseline)
    }

    /// Allows the tests more that have failed, and returns them. `None` if that would not help: with more access, a test that
    /// does not end would not end either.
    fn widen(&mut self, binary: &TestBinary, failure: &Failure, baseline: &Baseline) -> Option<Vec<TestId>> {
        let passed: Vec<&str> = baseline
            .results
            .iter()
            .filter(|((of, _), ok)| **ok && *of == binary.name)
            .map(|((_, name), _)| libtest::plain_name(name))
            .collect();
        let has_failed = |test: &TestId| !passed.contains(&self.suite.tests[*test].name.as_str());
        let tests: Vec<TestId> = self.tests_of(binary).into_iter().filter(has_failed).collect();
        if tests.is_empty() || failure.ending == Ending::TimedOut || baseline.interrupted {
            return None;
        }
        let wider = tests.iter().map(|test| self.access_of(*test)).max()?.wider()?;
        let sandbox = self.sandbox.as_mut()?;
        for test in &tests {
            sandbox.exceptions.insert((binary.name.clone(), self.suite.tests[*test].name.clone()), wider);
        }
        Some(tests)
    }

    /// Runs some tests of a binary, or all, and adds what they did. Returns what failed.
    fn run_part(
        &self,
        binary: &TestBinary,
        which: Which<'_>,
        baseline: &mut Baseline,
    ) -> Result<Option<Failure>, TestError> {
        let capture = Capture::Tail { bytes: OUTPUT };
        let run = self.run(0, binary, which, Task::Plain, self.time.baseline, capture)?;
        // A binary that is stopped because the time for all is over is late, as one that takes too long by itself.
        if run.ran.ending == Ending::Interrupted {
            baseline.interrupted = true;
            return Ok(None);
        }
        baseline.duration += run.ran.duration;
        let stdout = String::from_utf8_lossy(&run.ran.stdout).into_owned();
        let results = libtest::results(&stdout);
        let failure = (!passed(binary, &run.ran.ending)).then(|| {
            let output = format!("{stdout}{}", String::from_utf8_lossy(&run.ran.stderr));
            failure(binary, run.ran.ending, &results, &output)
        });
        baseline.results.extend(results.into_iter().map(|(name, ok)| ((binary.name.clone(), name), ok)));
        Ok(failure)
    }
}

impl Runner<'_> {
    /// Runs the tests that have no result, because their binary did not end in time, each in a process of its own. Those
    /// that do not end within `limit` are returned, and the binary is not blamed for them.
    pub fn slow(&self, baseline: &mut Baseline, limit: Duration) -> Result<Vec<TestId>, TestError> {
        let is_late = |failure: &Failure| failure.ending == Ending::TimedOut && failure.tests.is_empty();
        let (late, other) = std::mem::take(&mut baseline.failures).into_iter().partition(is_late);
        baseline.failures = other;
        let late: Vec<Failure> = late;
        let has_result = |binary: &str, test: &str| {
            let mut names = baseline.results.keys().filter(|(of, _)| of == binary);
            names.any(|(_, name)| libtest::plain_name(name) == test)
        };
        let is_open = |test: &TestId| {
            let (binary, name) = (self.binary_of(*test), &self.suite.tests[*test].name);
            late.iter().any(|failure| failure.binary == binary.name) && !has_result(&binary.name, name)
        };
        let open: Vec<TestId> = (0..self.suite.tests.len()).filter(is_open).collect();
        let done = self.side_by_side(&open, |worker, test| self.alone_within(worker, test, limit))?;
        // Nothing is known of those that were not run any more.
        let mut slow: Vec<TestId> =
            open.into_iter().filter(|test| !done.iter().any(|(it, _)| it == test)).collect();
        for (test, run) in done {
            let binary = self.binary_of(test);
            match run.ran.ending {
                Ending::Interrupted => baseline.interrupted = true,
                Ending::TimedOut => slow.push(test),
                // It may have been disturbed by one that ran beside it.
                _ if passed(binary, &run.ran.ending) || self.passes(0, test)? => {
                    let key = (binary.name.clone(), self.suite.tests[test].name.clone());
                    baseline.results.insert(key, true);
                    baseline.duration += run.ran.duration;
                }
                ending => {
                    let results = [(self.suite.tests[test].name.clone(), false)];
                    let output = String::from_utf8_lossy(&run.ran.stdout);
                    baseline.failures.push(failure(binary, ending, &results, &output));
                }
            }
        }
        slow.sort_unstable();
        Ok(slow)
    }

    fn binary_of(&self, test: TestId) -> &TestBinary {
        &self.suite.binaries[self.suite.tests[test].binary]
    }

    fn alone_within(&self, worker: usize, test: TestId, limit: Duration) -> Result<Run, TestError> {
        let capture = Capture::Tail { bytes: OUTPUT };
        self.run(worker, self.binary_of(test), Which::These(&[test]), Task::Plain, limit, capture)
    }
}

fn failure(binary: &TestBinary, ending: Ending, results: &[(String, bool)], output: &str) -> Failure {
    let lines: Vec<_> = output.lines().collect();
    Failure {
        binary: binary.name.clone(),
        ending,
        tests: results.iter().filter(|(_, ok)| !ok).map(|(name, _)| name.clone()).collect(),
        output: lines[lines.len().saturating_sub(30)..].join("\n"),
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::time::Instant;

    use super::*;
    use crate::runner::{Heap, TimeLimits};
    use crate::{Suite, TestBinary};

    #[test]
    fn a_binary_that_is_stopped_when_all_time_is_over_is_late_and_nobody_has_interrupted_it() {
        let binary = TestBinary {
            path: "yes".into(),
            name: "endless".to_owned(),
            package: 0,
            dir: PathBuf::from("."),
            env: Vec::new(),
            harness: false,
            passes_by_failing: false,
            group: 0,
        };
        let suite = Suite { binaries: vec![binary], tests: Vec::new(), ignored: 0 };
        let dir = std::env::temp_dir().join(format!("testsmith-baseline-{}", std::process::id()));
        std::fs::create_dir_all(&dir).expect("a temporary folder can be made");
        let minute = Duration::from_secs(60);
        let until = Some(Instant::now() + Duration::from_millis(50));
        let runner = Runner {
            suite: &suite,
            scratch: dir.clone(),
            temp: dir.clone(),
            sandbox: None,
            skip: Vec::new(),
            time: TimeLimits { baseline: minute, base: minute, factor: 1, until },
            memory: None,
            jobs: 1,
            heap: Heap::Usual,
        };
        let baseline = runner.baseline();
        std::fs::remove_dir_all(&dir).expect("it is there");
        let baseline = baseline.expect("it can be run");
        assert!(!baseline.interrupted);
        assert_eq!(baseline.failures.iter().map(|it| &it.ending).collect::<Vec<_>>(), [&Ending::TimedOut]);
    }
}
