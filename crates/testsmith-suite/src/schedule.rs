//! What runs next.
//!
//! A mutant's tests are tried best first: those that infect it, quick ones, and above all the test that killed
//! the last mutant of the same function. The first test runs alone, because it mostly decides; the others follow in
//! one process for each binary. Tests may disturb a second copy of themselves (a file, a port), so no test ever
//! runs twice at the same time: mutants that share no test run in parallel. Tests of different groups (binaries) never
//! run at the same time under cargo, so they do not here; and a group that is known to disturb itself runs alone.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use crate::TestId;
use crate::sandbox::Access;
use crate::trace::{Touch, Trace};

/// Tests that take less are not told apart by the clock.
const QUICK: Duration = Duration::from_millis(200);

/// A mutant to be run.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its number.
    pub mutant: u32,
    /// Mutants of one group (a function) are mostly killed by the same tests.
    pub group: usize,
    /// Tests that may kill it, best first.
    pub tests: Vec<TestId>,
}

/// Tests to run on a mutant, all of one binary and with the same access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Which candidate.
    pub candidate: usize,
    /// Its tests.
    pub tests: Vec<TestId>,
}

/// What to do now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// Run this.
    Run(Step),
    /// Everything that is left waits for a test that is running.
    Wait,
    /// There is nothing left.
    Done,
}

/// The state of all candidates.
pub struct Schedule {
    candidates: Vec<Candidate>,
    progress: Vec<Progress>,
    places: Vec<Place>,
    /// Tests that are running.
    busy: HashSet<TestId>,
    /// How many steps are running.
    running: usize,
    /// The test that killed the last mutant of each group.
    killers: HashMap<usize, TestId>,
    /// All candidates before this one are done.
    first_open: usize,
}

/// Where a test belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its binary.
    pub binary: usize,
    /// Its group.
    pub group: usize,
    /// Whether its group runs one process at a time.
    pub exclusive: bool,
    /// What it may change: a process is allowed as much as one of its tests needs.
    pub access: Access,
}

struct Progress {
    /// Tests not yet tried, best first.
    open: Vec<TestId>,
    status: Status,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Status {
    Fresh,
    Tried,
    Running,
    Done,
}

/// Sorts the tests that reach a mutant, best first; those that only reach it cannot kill it.
pub fn order(touches: &[(TestId, Touch)], traces: &[Option<Trace>]) -> Vec<TestId> {
    let mut tests: Vec<_> = touches.iter().filter(|(_, touch)| *touch != Touch::Reaches).collect();
    tests.sort_by_key(|(test, touch)| {
        let trace = traces[*test].as_ref();
        let reach = trace.map_or(usize::MAX, |t| t.touches.len());
        (*touch, trace.map(cost).unwrap_or((u32::MAX, u64::MAX)), reach, *test)
    });
    tests.into_iter().map(|(test, _)| *test).collect()
}

/// What a run of a test costs, in steps so large that the load of the machine does not change the order: the clock tells
/// only tests that are slow (each step twice the time), ticks tell the others (a million are a few milliseconds).
fn cost(trace: &Trace) -> (u32, u64) {
    let quick = u64::try_from(QUICK.as_millis()).unwrap_or(u64::MAX);
    let slow = (crate::millis(trace.duration) / quick).checked_ilog2().map_or(0, |steps| steps + 1);
    (slow, trace.fuel >> 20)
}

impl Schedule {
    /// A schedule; `places` tells where every test belongs.
    pub fn new(candidates: Vec<Candidate>, places: Vec<Place>) -> Schedule {
        let progress = |c: &Candidate| Progress { open: c.tests.clone(), status: Status::Fresh };
        Schedule {
            progress: candidates.iter().map(progress).collect(),
            candidates,
            places,
            busy: HashSet::new(),
            running: 0,
            killers: HashMap::new(),
            first_open: 0,
        }
    }

    /// The mutant of a step.
    pub fn mutant(&self, step: &Step) -> u32 {
        self.candidates[step.candidate].mutant
    }

    /// Takes the next step.
    pub fn take(&mut self) -> Next {
        let is_done = |p: &Progress| p.status == Status::Done;
        while self.progress.get(self.first_open).is_some_and(is_done) {
            self.first_open += 1;
        }
        for at in self.first_open..self.progress.len() {
            if let Some(tests) = self.tests_for(at) {
                let progress = &mut self.progress[at];
                progress.open.retain(|test| !tests.contains(test));
                progress.status = Status::Running;
                self.busy.extend(tests.iter().copied());
                self.running += 1;
                return Next::Run(Step { candidate: at, tests });
            }
        }
        if self.first_open < self.progress.len() { Next::Wait } else { Next::Done }
    }

    /// What can run for a candidate now.
    fn tests_for(&self, at: usize) -> Option<Vec<TestId>> {
        let Progress { open, status } = &self.progress[at];
        if matches!(status, Status::Running | Status::Done) {
            return None;
        }
        let free: Vec<_> = open.iter().copied().filter(|test| self.is_free(*test)).collect();
        let killer = self.killers.get(&self.candidates[at].group).filter(|test| free.contains(test));
        let best = killer.or(free.first()).copied()?;
        if *status == Status::Fresh {
            return Some(vec![best]);
        }
        let process = |test: TestId| (self.places[test].binary, self.places[test].access);
        Some(free.into_iter().filter(|test| process(*test) == process(best)).collect())
    }

    /// Whether a test may run beside those that are running.
    fn is_free(&self, test: TestId) -> bool {
        let place = self.places[test];
        let fits = |busy: &TestId| self.places[*busy].group == place.group && !place.exclusive;
        self.running == 0 || !self.busy.contains(&test) && self.busy.iter().next().is_some_and(fits)
    }

    /// Notes that the tests of a step passed. True if the candidate has survived all its tests.
    pub fn passed(&mut self, step: &Step) -> bool {
        self.release(step);
        let progress = &mut self.progress[step.candidate];
        let survived = progress.open.is_empty();
        progress.status = if survived { Status::Done } else { Status::Tried };
        survived
    }

    /// Notes that the candidate is done; `by` is the test that failed, where it is known.
    pub fn failed(&mut self, step: &Step, by: Option<TestId>) {
        self.release(step);
        self.progress[step.candidate].status = Status::Done;
        if let Some(test) = by {
            self.killers.insert(self.candidates[step.candidate].group, test);
        }
    }

    fn release(&mut self, step: &Step) {
        self.running -= 1;
        step.tests.iter().for_each(|test| {
            self.busy.remove(test);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(mutant: u32, tests: &[TestId]) -> Candidate {
        Candidate { mutant, group: 0, tests: tests.to_vec() }
    }

    /// Tests of these binaries, each a group of its own.
    fn places(binaries: &[usize]) -> Vec<Place> {
        let place = |binary: usize| Place { binary, group: binary, exclusive: false, access: Access::Own };
        binaries.iter().map(|binary| place(*binary)).collect()
    }

    fn run(schedule: &mut Schedule) -> Step {
        match schedule.take() {
            Next::Run(step) => step,
            other => panic!("a step, not {other:?}"),
        }
    }

    #[test]
    fn the_best_test_runs_alone_and_the_rest_by_binary() {
        let mut schedule = Schedule::new(vec![candidate(1, &[0, 1, 2, 3])], places(&[0, 0, 1, 1]));
        for expected in [&[0][..], &[1], &[2, 3]] {
            let step = run(&mut schedule);
            assert_eq!(step.tests, expected);
            assert_eq!(schedule.passed(&step), expected == [2, 3]);
        }
        assert_eq!(schedule.take(), Next::Done);
    }

    #[test]
    fn no_test_runs_twice_at_the_same_time() {
        let mut schedule =
            Schedule::new(vec![candidate(1, &[0]), candidate(2, &[0]), candidate(3, &[1])], places(&[0, 0]));
        let first = run(&mut schedule);
        let other = run(&mut schedule);
        assert_eq!((schedule.mutant(&first), schedule.mutant(&other)), (1, 3));
        assert_eq!(schedule.take(), Next::Wait);
        assert!(schedule.passed(&first));
        let second = run(&mut schedule);
        assert_eq!(schedule.mutant(&second), 2);
    }

    #[test]
    fn only_tests_of_one_group_run_side_by_side_and_an_exclusive_group_alone() {
        let candidates = || vec![candidate(1, &[0]), candidate(2, &[2]), candidate(3, &[1])];
        let mut schedule = Schedule::new(candidates(), places(&[0, 0, 1]));
        let first = run(&mut schedule);
        let beside = run(&mut schedule);
        assert_eq!((schedule.mutant(&first), schedule.mutant(&beside)), (1, 3));
        assert_eq!(schedule.take(), Next::Wait);
        let mut alone = places(&[0, 0, 1]);
        alone.iter_mut().for_each(|place| place.exclusive = true);
        let mut schedule = Schedule::new(candidates(), alone);
        run(&mut schedule);
        assert_eq!(schedule.take(), Next::Wait);
    }

    #[test]
    fn the_last_killer_of_the_group_is_tried_first() {
        let mut schedule = Schedule::new(vec![candidate(1, &[0, 1]), candidate(2, &[0, 1])], places(&[0, 0]));
        let step = run(&mut schedule);
        schedule.passed(&step);
        let step = run(&mut schedule);
        assert_eq!((schedule.mutant(&step), step.tests.as_slice()), (1, &[1][..]));
        schedule.failed(&step, Some(1));
        assert_eq!(run(&mut schedule).tests, [1]);
    }

    #[test]
    fn tests_are_ordered_by_infection_then_time_then_reach() {
        let trace = |millis: u64, reach: u32| {
            let touches = (0..reach).map(|m| (m, Touch::Infects)).collect();
            Some(Trace { touches, fuel: 0, duration: Duration::from_millis(millis), passed: true })
        };
        let traces = [trace(1, 1), trace(500, 1), trace(90, 1), trace(3, 9), trace(1, 1)];
        let touches = [
            (0, Touch::MayInfect),
            (1, Touch::Infects),
            (2, Touch::Infects),
            (3, Touch::Infects),
            (4, Touch::Reaches),
        ];
        assert_eq!(order(&touches, &traces), [2, 3, 1, 0]);
    }

    #[test]
    fn quick_tests_are_told_by_their_ticks_and_slow_ones_by_the_clock() {
        let of = |millis, fuel| Trace { fuel, duration: Duration::from_millis(millis), ..Trace::default() };
        let cost = |millis, fuel| cost(&of(millis, fuel));
        assert_eq!(cost(1, 10), cost(199, 1_000_000));
        assert!(cost(1, 10) < cost(1, 5_000_000));
        assert!(cost(1, 5_000_000) < cost(250, 10));
        assert_eq!(cost(250, 10), cost(390, 10));
        assert!(cost(250, 10) < cost(450, 10));
    }
}
