//! Asking again in fresh processes: whether a mutant really differs ([`Executor::confirm`]), and which observations are
//! always the same ([`Executor::deterministic`]).

use testsmith_rt::harness::wire::{
    Batch, Difference, Execution, Isolation, Mutants, Observation, Observations, Observing, Options, Run,
};

use crate::executor::Executor;
use crate::failure::Failure;

/// Whether a program tells a mutant from the original.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Confirmed {
    /// Every time, in the same place.
    Yes(Difference),
    /// Never.
    No,
    /// Not every time; or not even the original does the same every time.
    Flaky,
}

/// What differs between two executions of the same program.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Marks {
    /// How it ended, where, or which slots have a value.
    pub outcome: bool,
    /// Indices of observations, in ascending order; where there are more in one execution than in the other, of all
    /// surplus ones.
    pub observations: Vec<u32>,
}

impl Marks {
    /// Whether nothing differs.
    pub fn is_empty(&self) -> bool {
        !self.outcome && self.observations.is_empty()
    }

    fn between(left: &Execution, right: &Execution) -> Self {
        let ends = |execution: &Execution| (execution.outcome.clone(), execution.statement);
        let outcome = ends(left) != ends(right) || left.absent != right.absent;
        let (left, right) = (seen(left), seen(right));
        let differs = |at: &usize| left.get(*at) != right.get(*at);
        let observations = (0..left.len().max(right.len())).filter(differs);
        let observations = observations.map(|at| u32::try_from(at).unwrap_or(u32::MAX)).collect();
        Self { outcome, observations }
    }
}

fn seen(execution: &Execution) -> &[Observation] {
    match &execution.observations {
        Observations::Full(all) => all,
        Observations::Nothing | Observations::Hash(_) => &[],
    }
}

impl Executor {
    /// Runs each program on the original and on its mutant, in two workers that run nothing themselves: each time in a
    /// child, which is as good as a fresh process and started in a tenth of the time.
    pub fn confirm(&mut self, options: &Options, kills: &[(Run, u32)]) -> Result<Vec<Confirmed>, Failure> {
        let alone =
            |(run, mutant): &(Run, u32)| Run { mutants: Mutants::Listed(vec![*mutant]), ..run.clone() };
        let options = Options { isolate: Isolation::Fork, ..options.clone() };
        let mut once = || self.in_fresh_process(&options, kills.iter().map(alone).collect());
        let (first, second) = (once()?, once()?);
        let pairs = first.iter().zip(&second).zip(kills);
        Ok(pairs.map(|((first, second), (_, mutant))| judge(first, second, *mutant)).collect())
    }

    /// Runs the programs on the original in two processes, in the second one backwards, and says for each what differs:
    /// what the process has made up, and what earlier programs have left in it.
    pub fn deterministic(&mut self, options: &Options, runs: &[Run]) -> Result<Vec<Marks>, Failure> {
        let plain = |run: &Run| Run { mutants: Mutants::Listed(Vec::new()), ..run.clone() };
        let forwards = self.in_fresh_process(options, runs.iter().map(plain).collect())?;
        let backwards = self.in_fresh_process(options, runs.iter().rev().map(plain).collect())?;
        let pairs = forwards.iter().zip(backwards.iter().rev());
        Ok(pairs.map(|(first, second)| Marks::between(first, second)).collect())
    }

    /// Runs in a process that is fresh and not used afterwards.
    fn in_fresh_process(&mut self, options: &Options, runs: Vec<Run>) -> Result<Vec<Execution>, Failure> {
        let options = Options { observe: Observing::Full, trace: false, ..options.clone() };
        self.renew();
        let executions = self.run(&Batch { options, runs, ..Batch::default() });
        self.renew();
        executions
    }
}

fn judge(first: &Execution, second: &Execution, mutant: u32) -> Confirmed {
    if !Marks::between(first, second).is_empty() {
        return Confirmed::Flaky;
    }
    let difference = |execution: &Execution| {
        execution.differences.iter().find(|(of, _)| *of == mutant).map(|(_, difference)| difference.clone())
    };
    match (difference(first), difference(second)) {
        (None, None) => Confirmed::No,
        (Some(first), Some(second)) if place(&first) == place(&second) => Confirmed::Yes(first),
        _ => Confirmed::Flaky,
    }
}

/// Where a mutant differs. What is seen there may change from time to time, as long as it is not what the original
/// shows.
fn place(difference: &Difference) -> (bool, u32) {
    match difference {
        Difference::Outcome(_, statement) => (true, u32::from(*statement)),
        Difference::Observation(index, _) => (false, *index),
    }
}

#[cfg(test)]
mod tests {
    use testsmith_rt::harness::wire::{At, Outcome, What};

    use super::*;

    fn execution(seen: &[&str], difference: Option<Difference>) -> Execution {
        let observation = |text: &&str| {
            let what = What::Debug((*text).to_owned());
            Observation { at: At::End, slot: 0, what }
        };
        Execution {
            observations: Observations::Full(seen.iter().map(observation).collect()),
            differences: difference.map(|difference| (7, difference)).into_iter().collect(),
            ..Execution::ended(Outcome::Ok, 1)
        }
    }

    fn sees(index: u32, text: &str) -> Option<Difference> {
        Some(Difference::Observation(index, Some(What::Debug(text.to_owned()))))
    }

    #[track_caller]
    fn check(first: Option<Difference>, second: Option<Difference>, expected: &Confirmed) {
        let [first, second] = [first, second].map(|difference| execution(&["a"], difference));
        assert_eq!(judge(&first, &second, 7), *expected);
    }

    #[test]
    fn a_mutant_is_confirmed_if_it_differs_in_the_same_place() {
        let crash = |statement| Some(Difference::Outcome(Outcome::Signal(11), statement));
        check(None, None, &Confirmed::No);
        check(sees(0, "b"), sees(0, "b"), &Confirmed::Yes(sees(0, "b").unwrap()));
        check(sees(0, "b"), sees(0, "c"), &Confirmed::Yes(sees(0, "b").unwrap()));
        check(crash(3), crash(3), &Confirmed::Yes(crash(3).unwrap()));
        check(sees(0, "b"), sees(1, "b"), &Confirmed::Flaky);
        check(sees(0, "b"), None, &Confirmed::Flaky);
        check(crash(0), sees(0, "b"), &Confirmed::Flaky);
    }

    #[test]
    fn an_original_that_is_not_always_the_same_confirms_nothing() {
        let [first, second] = ["a", "b"].map(|seen| execution(&[seen], sees(0, "c")));
        assert_eq!(judge(&first, &second, 7), Confirmed::Flaky);
    }

    #[test]
    fn differences_of_another_mutant_do_not_count() {
        let [first, second] = [sees(0, "b"), sees(0, "b")].map(|difference| execution(&["a"], difference));
        assert_eq!(judge(&first, &second, 8), Confirmed::No);
    }

    #[test]
    fn observations_that_differ_are_marked() {
        let table: [(&[&str], &[&str], &[u32]); 4] = [
            (&["a", "b"], &["a", "b"], &[]),
            (&["a", "b", "c"], &["x", "b", "y"], &[0, 2]),
            (&["a"], &["a", "b", "c"], &[1, 2]),
            (&["a", "b"], &[], &[0, 1]),
        ];
        for (left, right, expected) in table {
            let marks = Marks::between(&execution(left, None), &execution(right, None));
            assert_eq!((marks.outcome, marks.observations.as_slice()), (false, expected));
        }
    }

    #[test]
    fn another_end_is_marked() {
        let ended = Execution::ended(Outcome::Ok, 1);
        let others = [
            Execution::ended(Outcome::Fuel, 1),
            Execution::ended(Outcome::Ok, 2),
            Execution { absent: vec![0], ..ended.clone() },
        ];
        for other in others {
            assert!(Marks::between(&ended, &other).outcome);
        }
    }
}
