//! What is left to be done when a worker has died in the middle of a batch: [`after_death`]. Values only, no process.
//!
//! A worker answers a batch as a whole, so a death takes the answers of the runs before it along; they are asked for
//! again. The run that did it is asked for again with the original and every mutant in a child of the worker; if that
//! does not save the worker, the original has its answer, or the run is asked for without the mutant. Each death settles a run or a
//! mutant, or isolates a run, or makes a group smaller, or counts against a run: it comes to an end.

use testsmith_rt::harness::status::Phase;
use testsmith_rt::harness::wire::{
    Batch, Bitmap, Difference, Execution, Isolation, Mutants, Options, Outcome, Run,
};

use crate::session::Death;

/// How often a run may be asked for alone with a death that nobody can explain.
const MOST_UNEXPLAINED: u32 = 2;

/// A run that has no answer yet.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Task {
    /// Its place in what the caller asked for.
    pub(crate) index: usize,
    run: Run,
    /// A mutant killed its worker: there may be more of that kind, so mutants run in children from now on.
    isolated: bool,
    /// Mutants that killed or stopped their worker, with the difference that this is.
    dead: Vec<(u32, Difference)>,
    /// Deaths that nobody could explain.
    unexplained: u32,
}

/// Runs that are asked for together. One that is isolated, or has dead mutants, is alone.
pub(crate) type Group = Vec<Task>;

impl Task {
    pub(crate) fn new(index: usize, run: Run) -> Self {
        Self { index, run, isolated: false, dead: Vec::new(), unexplained: 0 }
    }

    /// The answer to the run as it was asked for by the caller.
    pub(crate) fn complete(self, mut execution: Execution) -> (usize, Execution) {
        execution.ran.extend(self.dead.iter().map(|(mutant, _)| *mutant));
        // The original may have used up its fuel as well.
        let end = Difference::Outcome(execution.outcome.clone(), execution.statement);
        execution.differences.extend(self.dead.into_iter().filter(|(_, difference)| *difference != end));
        (self.index, execution)
    }

    /// Whether this mutant can have been at work.
    fn may_run(&self, mutant: u32) -> bool {
        let is_dead = self.dead.iter().any(|(dead, _)| *dead == mutant);
        let is_meant = match &self.run.mutants {
            Mutants::Listed(mutants) => mutants.contains(&mutant),
            Mutants::Infected { .. } | Mutants::Aimed { .. } => true,
        };
        is_meant && !is_dead
    }

    /// The run without the mutants that killed their worker.
    fn without_dead(&self) -> Run {
        let is_dead = |mutant: &u32| self.dead.iter().any(|(dead, _)| dead == mutant);
        let dead = u32::try_from(self.dead.len()).unwrap_or(u32::MAX);
        let left = |at_most: u32| at_most.saturating_sub(dead);
        let mutants = match &self.run.mutants {
            Mutants::Listed(mutants) => {
                Mutants::Listed(mutants.iter().copied().filter(|mutant| !is_dead(mutant)).collect())
            }
            Mutants::Infected { at_most } => Mutants::Infected { at_most: left(*at_most) },
            Mutants::Aimed { first, at_most } if is_dead(first) => {
                Mutants::Infected { at_most: left(*at_most) }
            }
            Mutants::Aimed { first, at_most } => Mutants::Aimed { first: *first, at_most: left(*at_most) },
        };
        Run { mutants, ..self.run.clone() }
    }
}

/// The batch of a group.
pub(crate) fn batch(group: &[Task], options: &Options, skip: &Bitmap) -> Batch {
    let mut options = options.clone();
    let mut skip = skip.clone();
    if group.iter().any(|task| task.isolated) {
        options.isolate = Isolation::Fork;
    }
    group.iter().flat_map(|task| &task.dead).for_each(|(mutant, _)| skip.insert(*mutant));
    Batch { options, skip, runs: group.iter().map(Task::without_dead).collect() }
}

/// What follows from a death.
#[derive(Debug, PartialEq)]
pub(crate) struct Aftermath {
    /// Runs that have their answer by that.
    pub(crate) settled: Vec<(usize, Execution)>,
    /// What is to be asked for, in this order.
    pub(crate) groups: Vec<Group>,
    /// Whether it is known which run did it.
    pub(crate) is_explained: bool,
}

/// What follows from the death of a worker that was asked for this group, with this isolation.
pub(crate) fn after_death(mut group: Group, isolate: Isolation, death: &Death) -> Aftermath {
    let Some((run, mutant, statement)) = culprit(&group, death) else {
        return unexplained(group, death);
    };
    let after = group.split_off(run + 1);
    let mut task = group.pop().expect("a culprit is one of the group");
    let before = group;
    let mut settled = Vec::new();
    let mut groups = vec![before];
    // A mutant that ran before may have damaged what the original died of; what a limit says is the run's own doing.
    let is_limit = matches!(
        death.outcome,
        Outcome::Memory | Outcome::Fuel | Outcome::Depth | Outcome::Hang | Outcome::Outside(_)
    );
    let is_certain = task.isolated || isolate == Isolation::Fork || is_limit;
    if mutant == 0 && is_certain {
        settled.push(task.complete(Execution::ended(death.outcome.clone(), statement)));
    } else if mutant == 0 {
        task.isolated = true;
        groups.push(vec![task]);
    } else {
        // Waiting once for what does not end is enough.
        if isolate == Isolation::Fork || death.outcome == Outcome::Hang {
            task.dead.push((mutant, Difference::Outcome(death.outcome.clone(), statement)));
        }
        task.isolated = true;
        groups.push(vec![task]);
    }
    groups.push(after);
    groups.retain(|group| !group.is_empty());
    Aftermath { settled, groups, is_explained: true }
}

/// Run, mutant and statement that the worker died in, if what it left makes sense.
fn culprit(group: &[Task], death: &Death) -> Option<(usize, u32, u16)> {
    let status = death.status.filter(|status| status.phase != Phase::Idle)?;
    let run = usize::try_from(status.run).ok()?;
    let task = group.get(run)?;
    let is_possible = status.mutant == 0 || task.may_run(status.mutant);
    let statement = u16::try_from(status.statement).ok()?;
    is_possible.then_some((run, status.mutant, statement))
}

/// Nobody knows which run it was: smaller groups will tell, and a run alone has another chance.
fn unexplained(mut group: Group, death: &Death) -> Aftermath {
    if let [task] = group.as_mut_slice() {
        task.unexplained += 1;
        if task.unexplained <= MOST_UNEXPLAINED {
            return Aftermath { settled: Vec::new(), groups: vec![group], is_explained: false };
        }
        let end = |task: Task| task.complete(Execution::ended(death.outcome.clone(), 0));
        let settled = group.into_iter().map(end).collect();
        return Aftermath { settled, groups: Vec::new(), is_explained: false };
    }
    let half = group.split_off(group.len() / 2);
    Aftermath { settled: Vec::new(), groups: vec![group, half], is_explained: false }
}

#[cfg(test)]
mod tests {
    use testsmith_rt::harness::status::Status;

    use super::*;

    fn task(index: usize, mutants: &[u32]) -> Task {
        let mutants = Mutants::Listed(mutants.to_vec());
        Task::new(index, Run { ops: Vec::new(), alive: Vec::new(), unseen: Vec::new(), mutants })
    }

    fn group(length: usize) -> Group {
        (0..length).map(|index| task(index, &[1, 2, 3])).collect()
    }

    fn death(outcome: Outcome, run: u32, mutant: u32) -> Death {
        let status = Status { phase: Phase::Running, batch: 1, run, mutant, statement: 5, cause: None };
        Death { outcome, status: Some(status) }
    }

    fn unknown() -> Death {
        Death { outcome: Outcome::Signal(9), status: None }
    }

    /// The indices of each group that is asked for again, and of what is settled.
    fn shape(aftermath: &Aftermath) -> (Vec<Vec<usize>>, Vec<usize>) {
        let indices = |group: &Group| group.iter().map(|task| task.index).collect();
        let settled = aftermath.settled.iter().map(|(index, _)| *index).collect();
        (aftermath.groups.iter().map(indices).collect(), settled)
    }

    #[track_caller]
    fn check(length: usize, death: &Death, groups: &[&[usize]], settled: &[usize]) {
        let aftermath = after_death(group(length), Isolation::InProcess, death);
        let groups: Vec<Vec<usize>> = groups.iter().map(|group| group.to_vec()).collect();
        assert_eq!(shape(&aftermath), (groups, settled.to_vec()));
    }

    #[test]
    fn an_original_that_dies_is_asked_for_alone_and_settled_when_it_dies_again() {
        let signal = |run| death(Outcome::Signal(6), run, 0);
        check(3, &signal(1), &[&[0], &[1], &[2]], &[]);
        check(3, &signal(0), &[&[0], &[1, 2]], &[]);
        check(1, &death(Outcome::Hang, 0, 0), &[], &[0]);
        check(2, &death(Outcome::Memory, 1, 0), &[&[0]], &[1]);
        let aftermath = after_death(group(1), Isolation::Fork, &signal(0));
        assert_eq!(shape(&aftermath), (Vec::new(), vec![0]));
        assert_eq!(aftermath.settled[0].1, Execution::ended(Outcome::Signal(6), 5));
    }

    #[test]
    fn a_run_whose_mutant_dies_is_asked_for_alone() {
        check(4, &death(Outcome::Memory, 2, 3), &[&[0, 1], &[2], &[3]], &[]);
        check(1, &death(Outcome::Hang, 0, 1), &[&[0]], &[]);
    }

    #[test]
    fn what_makes_no_sense_divides_the_group() {
        let idle = |mut death: Death| {
            death.status = death.status.map(|status| Status { phase: Phase::Idle, ..status });
            death
        };
        let crash = Outcome::Signal(11);
        for odd in [
            unknown(),
            idle(death(crash.clone(), 0, 0)),
            death(crash.clone(), 7, 0),
            death(crash.clone(), 0, 99),
        ] {
            check(4, &odd, &[&[0, 1], &[2, 3]], &[]);
            check(3, &odd, &[&[0], &[1, 2]], &[]);
            check(1, &odd, &[&[0]], &[]);
        }
    }

    #[test]
    fn a_run_alone_has_two_more_chances() {
        let mut group = group(1);
        for _ in 0..MOST_UNEXPLAINED {
            group = after_death(group, Isolation::InProcess, &unknown()).groups.remove(0);
        }
        let aftermath = after_death(group, Isolation::InProcess, &unknown());
        assert_eq!(shape(&aftermath), (vec![], vec![0]));
        assert_eq!(aftermath.settled[0].1.outcome, Outcome::Signal(9));
    }

    #[test]
    fn a_mutant_that_dies_is_tried_in_a_child_and_then_left_out() {
        let options = Options { isolate: Isolation::InProcess, ..Options::default() };
        let crash = death(Outcome::Signal(11), 0, 2);

        let isolated = after_death(group(1), Isolation::InProcess, &crash).groups.remove(0);
        let again = batch(&isolated, &options, &Bitmap::default());
        assert_eq!(again.options.isolate, Isolation::Fork);
        assert_eq!(again.runs[0].mutants, Mutants::Listed(vec![1, 2, 3]));

        let without = after_death(isolated, Isolation::Fork, &crash).groups.remove(0);
        let last = batch(&without, &options, &Bitmap::default());
        assert_eq!(last.runs[0].mutants, Mutants::Listed(vec![1, 3]));
        assert!(last.skip.contains(2));

        // It cannot have been the one that was left out.
        let odd = after_death(without.clone(), Isolation::Fork, &crash);
        assert_eq!(odd.groups[0][0].unexplained, 1);

        let (_, execution) = without[0].clone().complete(Execution::ended(Outcome::Ok, 9));
        assert_eq!(execution.ran, [2]);
        assert_eq!(execution.differences, [(2, Difference::Outcome(Outcome::Signal(11), 5))]);
    }

    #[test]
    fn a_mutant_that_hangs_is_not_waited_for_again() {
        let hang = death(Outcome::Hang, 0, 2);
        let without = after_death(group(1), Isolation::InProcess, &hang).groups.remove(0);
        let again = batch(&without, &Options::default(), &Bitmap::default());
        assert_eq!(again.runs[0].mutants, Mutants::Listed(vec![1, 3]));
    }

    #[test]
    fn a_mutant_that_ends_as_the_original_does_is_no_difference() {
        let hang = death(Outcome::Hang, 0, 2);
        let without = after_death(group(1), Isolation::InProcess, &hang).groups.remove(0);
        let (_, execution) = without[0].clone().complete(Execution::ended(Outcome::Hang, 5));
        assert_eq!((execution.ran, execution.differences), (vec![2], vec![]));
    }

    #[test]
    fn of_infected_mutants_the_dead_count_as_having_run() {
        let mutants = Mutants::Infected { at_most: 10 };
        let task = Task::new(0, Run { ops: Vec::new(), alive: Vec::new(), unseen: Vec::new(), mutants });
        let hang = death(Outcome::Hang, 0, 77);
        let without = after_death(vec![task], Isolation::InProcess, &hang).groups.remove(0);
        let again = batch(&without, &Options::default(), &Bitmap::from_iter([5]));
        assert_eq!(again.runs[0].mutants, Mutants::Infected { at_most: 9 });
        assert!(again.skip.contains(77) && again.skip.contains(5));
    }
}
