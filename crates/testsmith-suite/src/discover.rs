//! Finds the tests of built binaries.

use std::path::Path;
use std::time::Duration;

use testsmith_proc::{Capture, Ending, Limits, Spec};

use crate::runner::TestError;
use crate::sandbox::{Access, Folders, Sandbox};
use crate::{Suite, Test, TestBinary, libtest};

/// A list that is longer than this is cut: no suite has so many tests.
const LONGEST_LIST: usize = 16 << 20;

/// Asks every binary for its tests; ignored ones are only counted, and those with a name in `skip` are left out.
/// `temp` is a folder for what they may write meanwhile.
pub fn discover(
    binaries: Vec<TestBinary>,
    skip: &[String],
    sandbox: Option<&Sandbox>,
    temp: &Path,
) -> Result<Suite, TestError> {
    let folders = Folders::of_worker(temp, 0).map_err(|e| TestError::CoverageMap(temp.to_owned(), e))?;
    let list = |binary: &TestBinary, more: &[&str]| {
        let spec = list_spec(binary, more).env("TMPDIR", &folders.temp);
        list(sandbox.map_or(spec.clone(), |sandbox| sandbox.spec(spec, Access::Own, &folders, None)))
    };
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

fn list_spec(binary: &TestBinary, more: &[&str]) -> Spec {
    let mut spec = Spec::new(&binary.path)
        .dir(&binary.dir)
        .args(["--list", "--format", "terse"])
        .args(more.iter().copied());
    spec.env.extend(binary.env.iter().cloned());
    spec
}

fn list(spec: Spec) -> Result<Vec<String>, TestError> {
    let limits = Limits::wall(Duration::from_secs(30));
    let ran = testsmith_proc::run(&spec, &limits, Capture::Tail { bytes: LONGEST_LIST })?;
    // A binary that cannot list its tests will fail as a whole, with its own words, in the baseline.
    if ran.ending == Ending::Exited(0) {
        Ok(libtest::listed(&String::from_utf8_lossy(&ran.stdout)))
    } else {
        Ok(Vec::new())
    }
}
