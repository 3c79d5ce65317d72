//! Holds written tests to what is claimed of them: they pass again and again, in any order, and each fails on the mutants
//! that it names.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use testsmith_proc::{Capture, Ending};
use testsmith_rt::claims::{FAILED, PASSED};
use testsmith_rt::coverage_map::Task;

use crate::runner::{Heap, Runner, TestError, Which, passed};
use crate::{TestBinary, TestId, libtest};

/// Ticks that a mutant gets: the tests are small.
const FUEL: u64 = 2_000_000;
/// Enough of the output to find every result in it.
const OUTPUT: usize = 4 << 20;

/// By test, whether it has passed.
type Results = BTreeMap<String, bool>;

/// By test that has failed, what it has printed.
type Printed = BTreeMap<String, String>;

/// Mutants that share a process, at most: there are several workers.
const TOGETHER: usize = 64;

/// Places of claims, by their test.
fn groups(claims: &[(TestId, u32)]) -> Vec<(TestId, Vec<usize>)> {
    let mut of_test: BTreeMap<TestId, Vec<usize>> = BTreeMap::new();
    claims.iter().enumerate().for_each(|(at, (test, _))| of_test.entry(*test).or_default().push(at));
    let parts = |(test, places): (TestId, Vec<usize>)| {
        places.chunks(TOGETHER).map(|some| (test, some.to_vec())).collect::<Vec<_>>()
    };
    of_test.into_iter().flat_map(parts).collect()
}

/// What a mark says of a test on a mutant: whether it has failed.
fn known(mark: u8) -> Option<bool> {
    match mark {
        PASSED => Some(false),
        FAILED => Some(true),
        _ => None,
    }
}

/// In which order the tests of a binary run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// One after the other.
    Single,
    /// As many at a time as libtest likes.
    SideBySide,
    /// Side by side, shuffled with this seed.
    Shuffled(u64),
}

impl Runner<'_> {
    /// Runs all tests of the suite once, and says which passed. A test that is missing took the process along, or never
    /// ran.
    pub fn once(&self, order: Order) -> Result<BTreeMap<String, bool>, TestError> {
        let mut all = BTreeMap::new();
        for (at, binary) in self.suite.binaries.iter().enumerate() {
            let tests = self.suite.tests.iter().enumerate().filter(|(_, test)| test.binary == at);
            let tests: Vec<TestId> = tests.map(|(id, _)| id).collect();
            if tests.is_empty() {
                continue;
            }
            let capture = Capture::Tail { bytes: OUTPUT };
            let which = Which::Ordered(order, &tests);
            let run = self.run(0, binary, which, Task::Plain, self.time.baseline, capture)?;
            let results = libtest::results(&String::from_utf8_lossy(&run.ran.stdout));
            all.extend(results.into_iter().map(|(name, ok)| (libtest::plain_name(&name).to_owned(), ok)));
        }
        Ok(all)
    }

    /// What tests that do not pass have printed. Who took the process along is found by running those without a result alone.
    pub fn failing(&self, tests: &[TestId], order: Order) -> Result<BTreeMap<TestId, String>, TestError> {
        let mut failing = BTreeMap::new();
        for (at, binary) in self.suite.binaries.iter().enumerate() {
            let is_its = |test: &TestId| self.suite.tests[*test].binary == at;
            let tests: Vec<TestId> = tests.iter().copied().filter(is_its).collect();
            if tests.is_empty() {
                continue;
            }
            let (results, printed) = self.printed(binary, Which::Ordered(order, &tests))?;
            for test in tests {
                let name = &self.suite.tests[test].name;
                match results.get(name) {
                    Some(true) => {}
                    Some(false) => _ = failing.insert(test, printed.get(name).cloned().unwrap_or_default()),
                    None => {
                        let (results, printed) =
                            self.printed(binary, Which::Ordered(Order::Single, &[test]))?;
                        if results.get(name) != Some(&true) {
                            let words = printed.get(name).cloned();
                            let ended = || "it ends its process, or does not end".to_owned();
                            failing.insert(test, words.unwrap_or_else(ended));
                        }
                    }
                }
            }
        }
        Ok(failing)
    }

    /// The results of tests of one binary, and what those that failed have printed.
    fn printed(&self, binary: &TestBinary, which: Which<'_>) -> Result<(Results, Printed), TestError> {
        let capture = Capture::Tail { bytes: OUTPUT };
        let run = self.run(0, binary, which, Task::Plain, self.time.baseline, capture)?;
        let stdout = String::from_utf8_lossy(&run.ran.stdout);
        let results = libtest::results(&stdout).into_iter();
        let results = results.map(|(name, ok)| (libtest::plain_name(&name).to_owned(), ok)).collect();
        Ok((results, libtest::printed(&stdout)))
    }

    /// Whether a test passes in a process of its own.
    pub fn alone(&self, test: TestId) -> Result<bool, TestError> {
        let binary = &self.suite.binaries[self.suite.tests[test].binary];
        let which = Which::These(&[test]);
        let run = self.run(0, binary, which, Task::Plain, self.time.baseline, Capture::Nothing)?;
        Ok(passed(binary, &run.ran.ending))
    }

    /// Runs tests on mutants; whether each claim holds, which is that the test fails or does not end, with each of these
    /// heaps. `None` for those that did not run to their end because the user asked to stop, or because the time was over.
    pub fn claims(&self, claims: &[(TestId, u32)], heaps: &[Heap]) -> Result<Vec<Option<bool>>, TestError> {
        let runners: Vec<Runner<'_>> =
            heaps.iter().map(|heap| Runner { heap: *heap, ..self.clone() }).collect();
        let groups = groups(claims);
        let next = AtomicUsize::new(0);
        let holds = Mutex::new(vec![None; claims.len()]);
        self.in_parallel(|worker| {
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some((test, places)) = groups.get(at) else { return Ok(()) };
                if self.is_over() {
                    return Ok(());
                }
                let mut open = places.clone();
                for runner in &runners {
                    let mutants: Vec<u32> = open.iter().map(|place| claims[*place].1).collect();
                    let ends = runner.fails_on_each(worker, *test, &mutants)?;
                    let mut holds = holds.lock().expect("no worker panics while it holds this");
                    open.iter().zip(&ends).for_each(|(place, end)| holds[*place] = *end);
                    open =
                        open.into_iter().zip(ends).filter(|it| it.1 == Some(true)).map(|it| it.0).collect();
                }
            }
        })?;
        Ok(holds.into_inner().expect("all workers are done"))
    }

    /// Whether a test fails on each of some mutants. They share a process that makes a child for each, where the system lets us;
    /// what that process does not tell has one of its own.
    fn fails_on_each(
        &self,
        worker: usize,
        test: TestId,
        mutants: &[u32],
    ) -> Result<Vec<Option<bool>>, TestError> {
        let count = u32::try_from(mutants.len()).expect("mutants are numbered in 32 bits");
        let mut ends = vec![0; mutants.len()];
        if cfg!(target_os = "linux") && count > 1 {
            let binary = &self.suite.binaries[self.suite.tests[test].binary];
            let each = self.wall_for(Duration::ZERO);
            let which = Which::OnEach(test, mutants, each.as_secs().max(1));
            let task = Task::Each { mutants: count, fuel: FUEL };
            let run = self.run(worker, binary, which, task, each * count, Capture::Nothing)?;
            ends.iter_mut().zip(&run.findings.marks).for_each(|(end, mark)| *end = *mark);
            if run.interrupted() {
                return Ok(ends.into_iter().map(known).collect());
            }
        }
        let one = |(mutant, end): (&u32, u8)| match known(end) {
            None => self.fails_on(worker, test, *mutant),
            known => Ok(known),
        };
        mutants.iter().zip(ends).map(one).collect()
    }

    /// For each mutant the first of all tests that fails on it, in one process and then alone.
    pub fn killers(&self, mutants: &[u32]) -> Result<Vec<Option<TestId>>, TestError> {
        let next = AtomicUsize::new(0);
        let killers = Mutex::new(vec![None; mutants.len()]);
        self.in_parallel(|worker| {
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(mutant) = mutants.get(at).copied() else { return Ok(()) };
                if testsmith_proc::interrupt::requested() {
                    return Ok(());
                }
                if let Some(test) = self.first_to_fail(worker, mutant)?
                    && self.fails_on(worker, test, mutant)? == Some(true)
                {
                    killers.lock().expect("no worker panics while it holds this")[at] = Some(test);
                }
            }
        })?;
        Ok(killers.into_inner().expect("all workers are done"))
    }

    fn first_to_fail(&self, worker: usize, mutant: u32) -> Result<Option<TestId>, TestError> {
        for (at, binary) in self.suite.binaries.iter().enumerate() {
            let tests = self.suite.tests.iter().enumerate().filter(|(_, test)| test.binary == at);
            let tests: Vec<TestId> = tests.map(|(id, _)| id).collect();
            if tests.is_empty() {
                continue;
            }
            let task = Task::Mutant { number: mutant, fuel: FUEL.saturating_mul(tests.len() as u64) };
            let which = Which::Ordered(Order::Single, &tests);
            let capture = Capture::Tail { bytes: OUTPUT };
            let run = self.run(worker, binary, which, task, self.time.baseline, capture)?;
            let failed = libtest::first_failure(&String::from_utf8_lossy(&run.ran.stdout));
            let failed =
                tests.iter().copied().find(|id| Some(&self.suite.tests[*id].name) == failed.as_ref());
            if failed.is_some() {
                return Ok(failed);
            }
        }
        Ok(None)
    }

    fn fails_on(&self, worker: usize, test: TestId, mutant: u32) -> Result<Option<bool>, TestError> {
        let binary = &self.suite.binaries[self.suite.tests[test].binary];
        let task = Task::Mutant { number: mutant, fuel: FUEL };
        let wall = self.wall_for(Duration::ZERO);
        let run = self.run(worker, binary, Which::These(&[test]), task, wall, Capture::Nothing)?;
        if run.interrupted() {
            return Ok(None);
        }
        let is_endless = run.findings.out_of_fuel || run.ran.ending == Ending::TimedOut;
        Ok(Some(is_endless || !passed(binary, &run.ran.ending)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_of_a_test_share_processes() {
        let mut claims = vec![(1, 10), (0, 11), (1, 12)];
        assert_eq!(groups(&claims), [(0, vec![1]), (1, vec![0, 2])]);
        claims = (0..70).map(|mutant| (3, mutant)).collect();
        let sizes: Vec<usize> = groups(&claims).iter().map(|(_, places)| places.len()).collect();
        assert_eq!(sizes, [TOGETHER, 70 - TOGETHER]);
    }
}
