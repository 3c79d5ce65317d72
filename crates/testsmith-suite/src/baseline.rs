//! Whole test binaries with no mutant active: on the plain crate, and on the meta-program.

use std::collections::BTreeMap;
use std::time::Duration;

use testsmith_proc::{Capture, Ending};
use testsmith_rt::board::Task;

use crate::runner::{Run, Runner, TestError, Which, passed};
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
    /// Runs every binary whole, one after the other, as `cargo test` does.
    pub fn baseline(&self) -> Result<Baseline, TestError> {
        let mut baseline = Baseline::default();
        for binary in &self.suite.binaries {
            let capture = Capture::Tail { bytes: OUTPUT };
            let run = self.run(0, binary, Which::All, Task::Plain, self.time.baseline, capture)?;
            if run.interrupted() {
                baseline.interrupted = true;
                break;
            }
            baseline.duration += run.ran.duration;
            let stdout = String::from_utf8_lossy(&run.ran.stdout).into_owned();
            let results = libtest::results(&stdout);
            if !passed(binary, &run.ran.ending) {
                let output = format!("{stdout}{}", String::from_utf8_lossy(&run.ran.stderr));
                baseline.failures.push(failure(binary, run.ran.ending, &results, &output));
            }
            for (name, ok) in results {
                baseline.results.insert((binary.name.clone(), name), ok);
            }
        }
        Ok(baseline)
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
