//! Runs a crate's tests: on the plain crate, on the meta-program with no mutant active, and on its mutants.
//!
//! [`discover`] finds the tests of built binaries, [`baseline`] runs whole binaries, [`trace`] finds out which test
//! reaches and infects which mutant, [`schedule`] decides what runs next and [`mutation_analysis`] runs it. Knows mutants as
//! numbers only, and reports through [`Event`]s; it prints nothing.

pub mod baseline;
pub mod case;
pub mod claims;
pub mod cover;
pub mod discover;
pub mod dress;
pub mod lab;
pub mod libtest;
pub mod mutation_analysis;
pub mod observed;
pub mod oracle;
pub mod purpose;
pub mod reduce;
pub mod rules;
mod runner;
mod sandbox;
pub mod schedule;
pub mod text;
pub mod trace;
pub mod world;

pub use runner::{Heap, Runner, TestError, TimeLimits};
pub use sandbox::{Access, Exceptions, Sandbox};

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// A built test binary.
#[derive(Clone, Debug)]
pub struct TestBinary {
    /// The executable.
    pub path: PathBuf,
    /// What it tests, for people: `lib`, `bin tool`, `test parse`, `doctest src/lib.rs:12`.
    pub name: String,
    /// Index of its package.
    pub package: usize,
    /// Where it runs.
    pub dir: PathBuf,
    /// What cargo would set for it.
    pub env: Vec<(OsString, OsString)>,
    /// Whether libtest runs its tests one by one; otherwise it is run whole.
    pub harness: bool,
    /// Whether it passes by failing, as a doctest that should panic does.
    pub passes_by_failing: bool,
    /// Tests of one group run side by side under cargo too; those of different groups never do.
    pub group: usize,
}

/// Index of a test in a [`Suite`].
pub type TestId = usize;

/// One test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// Index of its binary.
    pub binary: usize,
    /// Its name in the binary; empty for a binary that is run whole.
    pub name: String,
}

/// The tests of some binaries.
#[derive(Clone, Debug, Default)]
pub struct Suite {
    /// The binaries.
    pub binaries: Vec<TestBinary>,
    /// Their tests, binary by binary.
    pub tests: Vec<Test>,
    /// How many tests are marked `#[ignore]`.
    pub ignored: usize,
}

impl Suite {
    /// The group of a test's binary.
    pub fn group(&self, test: TestId) -> usize {
        self.binaries[self.tests[test].binary].group
    }

    /// The name of a test, for people.
    pub fn name(&self, test: TestId) -> String {
        let Test { binary, name } = &self.tests[test];
        let binary = &self.binaries[*binary].name;
        if name.is_empty() { binary.clone() } else { format!("{binary}: {name}") }
    }
}

/// What happens while tests run; a reporter shows it.
#[derive(Clone, Debug)]
pub enum Event {
    /// So many tests are to be traced.
    TracingStarted {
        /// How many.
        tests: usize,
    },
    /// One of them is done.
    Traced,
    /// So many mutants are to be run.
    MutantsStarted {
        /// How many.
        mutants: usize,
    },
    /// One of them is done.
    MutantDone {
        /// Number of the mutant.
        mutant: u32,
        /// What became of it.
        verdict: Verdict,
    },
}

/// What became of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A test failed.
    Killed {
        /// That test; `None` where several ran and it is not known which.
        by: Option<TestId>,
    },
    /// A test did not end.
    Timeout {
        /// That test, as above.
        by: Option<TestId>,
    },
    /// All tests that reach it pass.
    Survived,
    /// No test reaches it.
    Unreached,
    /// The analysis was ended before it was run.
    NotRun,
}

/// Receives events, from any thread.
pub type Listener<'a> = &'a (dyn Fn(Event) + Sync);

/// How long something took.
pub(crate) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
