//! Finds the tests of built binaries.

use std::time::Duration;

use testsmith_proc::{Capture, Ending, Limits, Spec};

use crate::runner::TestError;
use crate::{Suite, Test, TestBinary, libtest};

/// A list that is longer than this is cut: no suite has so many tests.
const LONGEST_LIST: usize = 16 << 20;

/// Asks every binary for its tests; ignored ones are only counted, and those with a name in `skip` are left out.
pub fn discover(binaries: Vec<TestBinary>, skip: &[String]) -> Result<Suite, TestError> {
    let mut suite = Suite::default();
    for (at, binary) in binaries.into_iter().enumerate() {
        if binary.harness {
            let ignored = list(&binary, &["--ignored"])?;
            let all = list(&binary, &[])?;
            suite.ignored += ignored.len();
            let is_skipped = |name: &String| skip.iter().any(|part| name.contains(part.as_str()));
            let names = all.into_iter().filter(|name| !ignored.contains(name) && !is_skipped(name));
            suite.tests.extend(names.map(|name| Test { binary: at, name }));
        } else {
            suite.tests.push(Test { binary: at, name: String::new() });
        }
        suite.binaries.push(binary);
    }
    Ok(suite)
}

fn list(binary: &TestBinary, more: &[&str]) -> Result<Vec<String>, TestError> {
    let mut spec = Spec::new(&binary.path)
        .dir(&binary.dir)
        .args(["--list", "--format", "terse"])
        .args(more.iter().copied());
    spec.env.extend(binary.env.iter().cloned());
    let limits = Limits::wall(Duration::from_secs(30));
    let ran = testsmith_proc::run(&spec, &limits, Capture::Tail { bytes: LONGEST_LIST })?;
    // A binary that cannot list its tests will fail as a whole, with its own words, in the baseline.
    if ran.ending == Ending::Exited(0) {
        Ok(libtest::listed(&String::from_utf8_lossy(&ran.stdout)))
    } else {
        Ok(Vec::new())
    }
}
