//! Runs test binaries under a task of the run-time library, with limits.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use testsmith_proc::sandbox::Policy;
use testsmith_proc::{Capture, Ending, Limits, Ran, Spec, StartError};
use testsmith_rt::claims::{CLAIM_SECONDS_VAR, CLAIMS_VAR};
use testsmith_rt::coverage_map::{COVERAGE_MAP_VAR, Findings, Task};

use crate::claims::Order;
use crate::sandbox::{self, Access, Folders, Sandbox};
use crate::world::InWorld;
use crate::{Suite, Test, TestBinary, TestId};

/// Time that tests get.
#[derive(Clone, Copy, Debug)]
pub struct TimeLimits {
    /// For a whole binary with no mutant active.
    pub baseline: Duration,
    /// Always, for tests of a mutant.
    pub base: Duration,
    /// On top, as a multiple of what the tests take with no mutant active.
    pub factor: u32,
    /// When all has to be over: what was not run by then is left out, as if the user had asked to stop.
    pub until: Option<Instant>,
}

impl TimeLimits {
    /// Those for the meta-program with no mutant active, which is slower than the plain crate, much so while it is
    /// traced.
    pub fn for_meta_program(self, plain: Duration) -> TimeLimits {
        TimeLimits { baseline: self.baseline.min(Duration::from_secs(60) + plain * 50), ..self }
    }

    /// As much of this time as is left.
    fn left_of(&self, time: Duration) -> Duration {
        self.until.map_or(time, |until| time.min(until.saturating_duration_since(Instant::now())))
    }
}

/// What is needed to run tests.
#[derive(Clone)]
pub struct Runner<'a> {
    /// The tests.
    pub suite: &'a Suite,
    /// A folder for coverage maps; each worker has one there.
    pub scratch: PathBuf,
    /// A folder for what tests write to the temporary folder and to their home; each worker has its own there, so that two
    /// tests that use the same name do not meet.
    pub temp: PathBuf,
    /// What keeps the tests from the system; `None` if they run without.
    pub sandbox: Option<Sandbox>,
    /// Parts of names of tests that are left out.
    pub skip: Vec<String>,
    /// Limits of time.
    pub time: TimeLimits,
    /// Limit of each process' address space, in bytes.
    pub memory: Option<u64>,
    /// Processes at a time.
    pub jobs: usize,
    /// How their heap is treated.
    pub heap: Heap,
    /// The world that they see; `None` is that of this machine.
    pub world: Option<InWorld>,
}

/// How the heap of a test process is treated. What a mutant of unsafe code does with memory that is not its own may show or
/// not, and that depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Heap {
    /// As the system does it.
    #[default]
    Usual,
    /// Memory is used again in another order, and is full of something before it is and after it was in use, where the C
    /// library lets us choose that. That threads share one heap would be a matter of time again.
    Shaken,
}

impl Heap {
    fn variables(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Heap::Usual => &[],
            Heap::Shaken => &[("GLIBC_TUNABLES", "glibc.malloc.tcache_count=0"), ("MALLOC_PERTURB_", "90")],
        }
    }
}

/// Why tests could not be run at all.
#[derive(Debug)]
pub enum TestError {
    /// A binary did not start.
    Start(StartError),
    /// A coverage map could not be written or read.
    CoverageMap(PathBuf, std::io::Error),
}

impl fmt::Display for TestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TestError::Start(error) => error.fmt(f),
            TestError::CoverageMap(path, error) => {
                write!(
                    f,
                    "cannot write {}: {error}\n  is there space left, and may you write there?",
                    path.display()
                )
            }
        }
    }
}

impl std::error::Error for TestError {}

impl From<StartError> for TestError {
    fn from(error: StartError) -> Self {
        TestError::Start(error)
    }
}

/// Which tests of a binary.
pub(crate) enum Which<'a> {
    /// All that are not ignored.
    All,
    /// These, one after the other, up to the first that fails.
    These(&'a [TestId]),
    /// These, in this order.
    Ordered(Order, &'a [TestId]),
    /// One, in a child for each of some mutants, which may take so many seconds.
    OnEach(TestId, &'a [u32], u64),
}

/// How a run has ended.
pub(crate) struct Run {
    pub(crate) ran: Ran,
    pub(crate) findings: Findings,
    /// The time for all was over before that for this run, which tells nothing then.
    is_cut: bool,
}

impl Run {
    pub(crate) fn interrupted(&self) -> bool {
        self.is_cut || self.ran.ending == Ending::Interrupted
    }
}

impl Runner<'_> {
    /// Runs tests of one binary; `worker` names the coverage map.
    pub(crate) fn run(
        &self,
        worker: usize,
        binary: &TestBinary,
        which: Which<'_>,
        task: Task,
        wall: Duration,
        capture: Capture,
    ) -> Result<Run, TestError> {
        let (shared, coverage_map) = self.coverage_map(worker, &task)?;
        let folders = self.folders(worker)?;
        let access = self.access(binary, &which);
        let mut spec = self.spec(binary, which, &of_usual_length(&coverage_map)).env("TMPDIR", &folders.temp);
        if task != Task::Plain {
            // Whether a test sees what a mutant does with memory that is not its own shall not be left to chance, nor to
            // the folder: libtest keeps a copy of the path that it was started by.
            spec.program = of_usual_length(&spec.program);
            spec.fixed_addresses = true;
        }
        if let Some(InWorld { world, library }) = &self.world {
            spec = world.spec(spec, library.as_deref());
        }
        if let Some(sandbox) = &self.sandbox {
            spec = sandbox.spec(spec, access, &folders, Some(&shared));
        }
        let left = self.time.left_of(wall);
        let ran = testsmith_proc::run(&spec, &self.limits(wall), capture)?;
        let bytes =
            std::fs::read(&coverage_map).map_err(|e| TestError::CoverageMap(coverage_map.clone(), e))?;
        let findings = Findings::decode(&bytes).ok_or_else(|| {
            TestError::CoverageMap(coverage_map, std::io::Error::other("the tests have overwritten it"))
        })?;
        let is_cut = left < wall && ran.ending == Ending::TimedOut;
        Ok(Run { ran, findings, is_cut })
    }

    /// A folder that a worker shares with the tool, and the coverage map in it, with a task for the tests.
    fn coverage_map(&self, worker: usize, task: &Task) -> Result<(PathBuf, PathBuf), TestError> {
        let shared = self.scratch.join(format!("worker-{worker}"));
        let coverage_map = shared.join("coverage-map");
        std::fs::create_dir_all(&shared)
            .and_then(|()| std::fs::write(&coverage_map, task.encode()))
            .map_err(|e| TestError::CoverageMap(coverage_map.clone(), e))?;
        Ok((shared, coverage_map))
    }

    /// The folders of a worker's tests.
    pub(crate) fn folders(&self, worker: usize) -> Result<Folders, TestError> {
        Folders::of_worker(&self.temp, worker).map_err(|e| TestError::CoverageMap(self.temp.clone(), e))
    }

    pub(crate) fn limits(&self, wall: Duration) -> Limits {
        Limits { wall: Some(self.time.left_of(wall)), memory: self.memory }
    }

    /// What runs one test, or none, and the sandbox for it: whatever the user wants of other tests.
    pub(crate) fn observable(
        &self,
        binary: &TestBinary,
        tests: &[TestId],
    ) -> Result<(Spec, Policy), TestError> {
        let (shared, coverage_map) = self.coverage_map(0, &Task::Plain)?;
        let folders = self.folders(0)?;
        let spec = self.spec(binary, Which::These(tests), &coverage_map).env("TMPDIR", &folders.temp);
        // Where there is a test to tell of, libtest looks for what the terminal can do.
        let spec = spec.arg("--color=never").env_remove("TERM");
        let spec = if tests.is_empty() { spec.arg(NO_TEST) } else { spec };
        Ok((sandbox::with_home(spec, &folders), sandbox::policy(&folders, [shared])))
    }

    /// What a test may change.
    pub(crate) fn access_of(&self, test: TestId) -> Access {
        let Test { binary, name } = &self.suite.tests[test];
        self.sandbox.as_ref().map_or(Access::All, |it| it.access(&self.suite.binaries[*binary].name, name))
    }

    /// What a process may change in which these tests run: as much as the one that needs most.
    fn access(&self, binary: &TestBinary, which: &Which<'_>) -> Access {
        let widest = |tests: &[TestId]| tests.iter().map(|test| self.access_of(*test)).max();
        match which {
            Which::These(tests) | Which::Ordered(_, tests) => widest(tests).unwrap_or_default(),
            Which::OnEach(test, ..) => self.access_of(*test),
            Which::All => widest(&self.tests_of(binary)).unwrap_or_default(),
        }
    }

    /// The tests of a binary.
    pub(crate) fn tests_of(&self, binary: &TestBinary) -> Vec<TestId> {
        let is_its = |test: &Test| std::ptr::eq(&self.suite.binaries[test.binary], binary);
        (0..self.suite.tests.len()).filter(|test| is_its(&self.suite.tests[*test])).collect()
    }

    /// Whether nothing more is to be started.
    pub(crate) fn is_over(&self) -> bool {
        testsmith_proc::interrupt::requested() || self.time.until.is_some_and(|until| Instant::now() >= until)
    }

    fn spec(&self, binary: &TestBinary, which: Which<'_>, coverage_map: &Path) -> Spec {
        let mut spec = Spec::new(&binary.path)
            .dir(&binary.dir)
            // A backtrace costs a third of a second in every failing process.
            .env("RUST_BACKTRACE", "0")
            .env(COVERAGE_MAP_VAR, coverage_map);
        spec.env.extend(self.heap.variables().iter().map(|(name, value)| (name.into(), value.into())));
        spec.env.extend(binary.env.iter().cloned());
        if !binary.harness {
            return spec;
        }
        if let Which::All = which {
            spec = spec.args(self.skip.iter().flat_map(|name| ["--skip", name]));
        }
        if let Which::Ordered(order, tests) = which {
            spec = spec.arg("--exact").args(tests.iter().map(|test| &self.suite.tests[*test].name));
            spec = match order {
                Order::Single => spec.arg("--test-threads=1"),
                Order::SideBySide => spec,
                // Behind a switch, as below.
                Order::Shuffled(seed) => spec
                    .args(["-Zunstable-options", "--shuffle-seed"])
                    .arg(seed.to_string())
                    .env("RUSTC_BOOTSTRAP", "1"),
            };
        }
        if let Which::OnEach(test, mutants, seconds) = which {
            let numbers: Vec<String> = mutants.iter().map(u32::to_string).collect();
            spec = spec.env(CLAIMS_VAR, numbers.join(",")).env(CLAIM_SECONDS_VAR, seconds.to_string());
            spec = spec.arg("--exact").arg(&self.suite.tests[test].name);
        }
        if let Which::These(tests) = which {
            spec = spec.arg("--exact").args(tests.iter().map(|test| &self.suite.tests[*test].name));
            if tests.len() > 1 {
                // libtest's early exit is behind this switch; tests of one batch must not disturb each other.
                spec = spec
                    .args(["--test-threads=1", "-Zunstable-options", "--fail-fast"])
                    .env("RUSTC_BOOTSTRAP", "1");
            }
        }
        spec
    }

    /// Time for tests that take `usual` with no mutant active.
    pub(crate) fn wall_for(&self, usual: Duration) -> Duration {
        self.time.base + usual * self.time.factor
    }
}

/// A name that no test has.
const NO_TEST: &str = "no test has this name";

/// Paths are made as long as this, or a multiple of it.
const USUAL_LENGTH: usize = 256;

/// The same file by a path that takes as much memory in every folder: one slash at its beginning is as good as many.
fn of_usual_length(path: &Path) -> PathBuf {
    if !path.is_absolute() {
        return path.to_owned();
    }
    let length = path.as_os_str().len();
    let mut long = OsString::from("/".repeat(length.next_multiple_of(USUAL_LENGTH) - length));
    long.push(path);
    long.into()
}

/// Whether a run means that its tests passed.
pub(crate) fn passed(binary: &TestBinary, ending: &Ending) -> bool {
    match ending {
        Ending::TimedOut | Ending::Interrupted => false,
        ending => ending.success() != binary.passes_by_failing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_as_long_in_every_folder() {
        let deep = format!("/{}/b", "a".repeat(300));
        for (path, length) in [("/a/coverage-map-0", 256), ("/a/bcd/ef/coverage-map-0", 256), (&*deep, 512)] {
            let long = of_usual_length(Path::new(path));
            assert_eq!(long.as_os_str().len(), length, "{path}");
            assert_eq!(long, Path::new(path), "it is the same file");
        }
        assert_eq!(
            of_usual_length(Path::new("coverage-map-0")).as_os_str(),
            "coverage-map-0",
            "a slash would change it"
        );
    }

    #[test]
    fn a_heap_is_shaken_by_the_environment_of_the_process() {
        let suite = Suite { binaries: Vec::new(), tests: Vec::new(), ignored: 0 };
        let binary = TestBinary {
            path: "tests".into(),
            name: "lib".to_owned(),
            package: 0,
            dir: PathBuf::new(),
            env: Vec::new(),
            harness: true,
            passes_by_failing: false,
            group: 0,
        };
        let names = |heap| {
            let second = Duration::from_secs(1);
            let runner = Runner {
                suite: &suite,
                scratch: PathBuf::new(),
                temp: PathBuf::new(),
                sandbox: None,
                skip: Vec::new(),
                time: TimeLimits { baseline: second, base: second, factor: 1, until: None },
                memory: None,
                jobs: 1,
                heap,
                world: None,
            };
            let env = runner.spec(&binary, Which::All, Path::new("coverage_map")).env;
            env.into_iter().filter_map(|(name, _)| name.into_string().ok()).collect::<Vec<_>>()
        };
        assert_eq!(names(Heap::Usual), ["RUST_BACKTRACE", COVERAGE_MAP_VAR]);
        let shaken = ["RUST_BACKTRACE", COVERAGE_MAP_VAR, "GLIBC_TUNABLES", "MALLOC_PERTURB_"];
        assert_eq!(names(Heap::Shaken), shaken);
    }
}
