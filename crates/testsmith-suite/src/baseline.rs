//! Whole test binaries with no mutant active: on the plain crate, and on the meta-program.

use std::collections::BTreeMap;
use std::time::Duration;

use testsmith_proc::{Capture, Ending};
use testsmith_rt::board::Task;

use crate::runner::{Runner, TestError, Which, passed};
use crate::{TestBinary, libtest};

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

fn failure(binary: &TestBinary, ending: Ending, results: &[(String, bool)], output: &str) -> Failure {
    let lines: Vec<_> = output.lines().collect();
    Failure {
        binary: binary.name.clone(),
        ending,
        tests: results.iter().filter(|(_, ok)| !ok).map(|(name, _)| name.clone()).collect(),
        output: lines[lines.len().saturating_sub(30)..].join("\n"),
    }
}
