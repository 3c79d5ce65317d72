//! What tests do outside of their process, seen from outside: each runs once, alone, and every system call that reaches outside
//! is refused and noted, but for those that the test harness makes without any test.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

use testsmith_proc::{Answer, Call, Capture, Ending, run_observed};
use testsmith_rt::harness::outside::{Outside, is_quiet};

use crate::runner::{Runner, TestError};
use crate::{TestBinary, TestId};

/// Something that a test was about to do outside of its process.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reached {
    /// The part of the world.
    pub outside: Outside,
    /// The system call.
    pub call: &'static str,
    /// What it is about.
    pub path: Option<PathBuf>,
}

impl fmt::Display for Reached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.call)?;
        self.path.as_ref().map_or(Ok(()), |path| write!(f, " {}", path.display()))
    }
}

/// What was seen of tests.
pub enum Observed {
    /// Those that reach outside; nothing is known of those that the user has interrupted.
    Reaching(BTreeMap<TestId, BTreeSet<Reached>>),
    /// This system cannot tell, for this reason.
    Unknown(String),
}

/// Enough of what the sandbox says where it cannot be entered.
const OUTPUT: usize = 4 << 10;

/// What is not refused.
struct Expected<'a> {
    /// What the test harness does itself.
    usual: &'a BTreeSet<Call>,
    /// What the test may do, of files below this folder.
    allowed: &'a BTreeSet<Outside>,
    folder: PathBuf,
}

impl Runner<'_> {
    /// Sees what each of these tests does. `allowed` says what a test may reach, of files those in its own folder for temporary
    /// ones.
    pub fn reaching(
        &self,
        tests: &[TestId],
        allowed: &dyn Fn(TestId) -> BTreeSet<Outside>,
    ) -> Result<Observed, TestError> {
        let mut usual: BTreeMap<usize, BTreeSet<Call>> = BTreeMap::new();
        let mut reaching = BTreeMap::new();
        for test in tests {
            let at = self.suite.tests[*test].binary;
            let binary = &self.suite.binaries[at];
            let usual = match usual.entry(at) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(unknown) => match self.calls(binary, None)? {
                    Ok(calls) => unknown.insert(calls),
                    Err(reason) => return Ok(Observed::Unknown(reason)),
                },
            };
            let folder = self.folders(0)?.temp;
            let folder = folder.canonicalize().unwrap_or(folder);
            let expected = Expected { usual, allowed: &allowed(*test), folder };
            let calls = match self.calls(binary, Some((*test, &expected)))? {
                Ok(calls) => calls,
                Err(reason) => return Ok(Observed::Unknown(reason)),
            };
            let calls: BTreeSet<Reached> = calls.into_iter().filter_map(reached).collect();
            if !calls.is_empty() {
                reaching.insert(*test, calls);
            }
        }
        Ok(Observed::Reaching(reaching))
    }

    /// The calls of a process of this binary that runs no test, or those of one that runs a test which are not expected: they are
    /// refused.
    fn calls(
        &self,
        binary: &TestBinary,
        test: Option<(TestId, &Expected<'_>)>,
    ) -> Result<Result<BTreeSet<Call>, String>, TestError> {
        let mut calls = BTreeSet::new();
        let mut on_call = |call: &Call| {
            // What a path means can be another matter later.
            let is_expected = test.is_some_and(|(_, expected)| expected.is_expected(call));
            if !is_expected {
                calls.insert(call.clone());
            }
            if is_expected || test.is_none() { Answer::Go } else { Answer::Refuse }
        };
        let tests: Vec<TestId> = test.iter().map(|(test, _)| *test).collect();
        let (spec, policy) = self.observable(binary, &tests)?;
        let limits = self.limits(self.time.base);
        let capture = Capture::Tail { bytes: OUTPUT };
        match run_observed(&policy, spec, &limits, capture, &mut on_call)? {
            Ok(ran) if ran.ending == Ending::Interrupted => Ok(Ok(BTreeSet::new())),
            Ok(_) => Ok(Ok(calls)),
            Err(error) => Ok(Err(error.to_string())),
        }
    }
}

impl Expected<'_> {
    fn is_expected(&self, call: &Call) -> bool {
        let is_quiet = call.path.as_deref().is_some_and(|path| is_quiet(path.as_os_str().as_encoded_bytes()));
        is_quiet || self.usual.contains(call) || self.is_allowed(call)
    }

    fn is_allowed(&self, call: &Call) -> bool {
        let Some(outside) = Outside::named(call.part.name()) else { return false };
        let has_folder = self.allowed.contains(&Outside::Files);
        match outside {
            Outside::Files => has_folder && call.path.as_deref().is_none_or(|path| self.is_own(path)),
            // A test with a folder of its own enters and leaves it.
            Outside::Directory if has_folder && ["getcwd", "chdir"].contains(&call.name) => true,
            _ => self.allowed.contains(&outside),
        }
    }

    /// Whether a path stays in the test's own folder, wherever its links lead.
    fn is_own(&self, path: &Path) -> bool {
        let real = path.canonicalize().or_else(|_| path.parent().unwrap_or(path).canonicalize());
        path.file_name().is_some() && real.is_ok_and(|real| real.starts_with(&self.folder))
    }
}

fn reached(call: Call) -> Option<Reached> {
    let Call { part, name, path, .. } = call;
    Some(Reached { outside: Outside::named(part.name())?, call: name, path })
}
