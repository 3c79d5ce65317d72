//! Asking again in fresh processes: whether a mutant really differs ([`Executor::confirm`]), and which observations are
//! always the same ([`Executor::deterministic`]).

use testsmith_rt::harness::wire::{
    At, Batch, Difference, Execution, Isolation, Mutants, Observation, Observations, Observing, Options,
    Outcome, Run, What,
};

use crate::executor::Executor;
use crate::failure::Failure;
use crate::setup::Kind;

/// Whether a program tells a mutant from the original.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Confirmed {
    /// Every time, in the same place.
    Yes(ObservedDifference),
    /// Never.
    No,
    /// Not every time; or not even the original does the same every time: then the nondeterminism says what differs.
    Flaky(Nondeterminism),
}

/// A difference, and what the original did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObservedDifference {
    /// What the mutant did.
    pub difference: Difference,
    /// How the original ended.
    pub outcome: Outcome,
    /// The statement that it ended in.
    pub statement: u16,
    /// What it showed where the mutant shows something else.
    pub original: Option<Observation>,
}

impl ObservedDifference {
    fn new(difference: &Difference, original: &Execution) -> Self {
        let shown = match difference {
            Difference::Observation(index, _) => seen(original).get(*index as usize).cloned(),
            Difference::Outcome(..) => None,
        };
        Self {
            difference: difference.clone(),
            outcome: original.outcome.clone(),
            statement: original.statement,
            original: shown,
        }
    }
}

/// What differs between two executions of the same program.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Nondeterminism {
    /// How it ended, where, or which slots have a value.
    pub end: Option<Ends>,
    /// Observations that differ, in their order. Where the ends differ, what comes after the first of them is not
    /// compared.
    pub observations: Vec<Shift>,
}

/// Two ends of the same program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ends {
    /// The statement up to which both did the same.
    pub statement: u16,
    /// How each ended.
    pub outcomes: [Outcome; 2],
}

/// Two observations of the same thing that differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shift {
    /// Their place among all observations.
    pub index: u32,
    /// What was seen the first time.
    pub first: Observation,
    /// What was seen the second time.
    pub second: What,
}

impl Nondeterminism {
    /// Whether nothing differs.
    pub fn is_empty(&self) -> bool {
        self.end.is_none() && self.observations.is_empty()
    }

    /// Both, as far as they are about different things.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.end = self.end.or(other.end);
        let known = |shift: &Shift| self.observations.iter().any(|it| it.index == shift.index);
        let new: Vec<Shift> = other.observations.into_iter().filter(|shift| !known(shift)).collect();
        self.observations.extend(new);
        self
    }

    /// What differs between these two.
    pub fn between(left: &Execution, right: &Execution) -> Self {
        let (seen_left, seen_right) = (seen(left), seen(right));
        let is_same_thing = |(left, right): &(&Observation, &Observation)| {
            (left.at, left.slot, left.what.aspect()) == (right.at, right.slot, right.what.aspect())
        };
        let pairs: Vec<_> = seen_left.iter().zip(seen_right).take_while(is_same_thing).collect();
        let shifts = (0..).zip(&pairs).filter(|(_, (left, right))| left != right);
        let shift = |(index, (left, right)): (u32, &(&Observation, &Observation))| Shift {
            index,
            first: (*left).clone(),
            second: right.what.clone(),
        };
        let observations = shifts.map(shift).collect();
        let is_same_way = pairs.len() == seen_left.len().max(seen_right.len());
        let parted =
            [seen_left, seen_right].into_iter().filter_map(|seen| statement_of(seen.get(pairs.len())?)).min();
        Self { end: ends(left, right, is_same_way, parted), observations }
    }
}

fn ends(left: &Execution, right: &Execution, is_same_way: bool, parted: Option<u16>) -> Option<Ends> {
    let end = |execution: &Execution| (execution.outcome.clone(), execution.statement);
    if end(left) == end(right) && left.absent == right.absent && is_same_way {
        return None;
    }
    let statement = left.statement.min(right.statement);
    let statement = parted.map_or(statement, |parted| parted.min(statement));
    Some(Ends { statement, outcomes: [left.outcome.clone(), right.outcome.clone()] })
}

/// The statement after which something was seen.
fn statement_of(observation: &Observation) -> Option<u16> {
    match observation.at {
        At::Statement(number) => Some(number),
        At::End => None,
    }
}

fn seen(execution: &Execution) -> &[Observation] {
    match &execution.observations {
        Observations::Full(all) => all,
        Observations::Nothing | Observations::Hash(_) => &[],
    }
}

impl Executor {
    /// Runs each program on the original and on its mutants, in two fresh workers. Where a mutant may damage its process
    /// all run in children of theirs, which is as good as a fresh process and started in a tenth of the time.
    pub fn confirm(&mut self, options: &Options, kills: &[(Run, u32)]) -> Result<Vec<Confirmed>, Failure> {
        let isolate = if self.setup.trust.is_harmless() { Isolation::InProcess } else { Isolation::Fork };
        let options = Options { isolate, ..options.clone() };
        let (runs, places) = by_program(kills);
        let mut once = |kind| self.in_fresh_process(kind, &options, runs.clone());
        // Not anywhere: what a mutant makes of memory that is not its own shall be the same when all is done again.
        let (first, second) = (once(Kind::Usual)?, once(Kind::Shifted)?);
        let judge_at = |(at, (_, mutant)): (&usize, &(Run, u32))| judge(&first[*at], &second[*at], *mutant);
        Ok(places.iter().zip(kills).map(judge_at).collect())
    }

    /// Runs the programs on the original in two processes, in the second one backwards, and says for each what differs:
    /// what the process has made up, and what earlier programs have left in it.
    pub fn deterministic(&mut self, options: &Options, runs: &[Run]) -> Result<Vec<Nondeterminism>, Failure> {
        let plain = |run: &Run| Run { mutants: Mutants::Listed(Vec::new()), ..run.clone() };
        let (there, back) = (runs.iter().map(plain).collect(), runs.iter().rev().map(plain).collect());
        let forwards = self.in_fresh_process(Kind::Usual, options, there)?;
        let backwards = self.in_fresh_process(Kind::Anywhere, options, back)?;
        let pairs = forwards.iter().zip(backwards.iter().rev());
        Ok(pairs.map(|(first, second)| Nondeterminism::between(first, second)).collect())
    }

    /// Runs in a process that is fresh and not used afterwards.
    fn in_fresh_process(
        &mut self,
        kind: Kind,
        options: &Options,
        runs: Vec<Run>,
    ) -> Result<Vec<Execution>, Failure> {
        let options = Options { observe: Observing::Full, trace: false, ..options.clone() };
        self.renew(kind);
        let executions = self.run(&Batch { options, runs, ..Batch::default() });
        self.renew(Kind::Usual);
        executions
    }
}

/// One run for each program, with all of its mutants, and for each kill which one it is: the original is run once.
fn by_program(kills: &[(Run, u32)]) -> (Vec<Run>, Vec<usize>) {
    let mut runs: Vec<Run> = Vec::new();
    let mut mutants: Vec<Vec<u32>> = Vec::new();
    let mut places = Vec::with_capacity(kills.len());
    for (run, mutant) in kills {
        let is_it =
            |known: &Run| known.ops == run.ops && known.unseen == run.unseen && known.alive == run.alive;
        let at = runs.iter().position(is_it).unwrap_or_else(|| {
            runs.push(run.clone());
            mutants.push(Vec::new());
            runs.len() - 1
        });
        mutants[at].push(*mutant);
        places.push(at);
    }
    for (run, mutants) in runs.iter_mut().zip(mutants) {
        run.mutants = Mutants::Listed(mutants);
    }
    (runs, places)
}

fn judge(first: &Execution, second: &Execution, mutant: u32) -> Confirmed {
    let nondeterminism = Nondeterminism::between(first, second);
    if !nondeterminism.is_empty() {
        return Confirmed::Flaky(nondeterminism);
    }
    let difference = |execution: &Execution| {
        execution.differences.iter().find(|(of, _)| *of == mutant).map(|(_, difference)| difference.clone())
    };
    match (difference(first), difference(second)) {
        (None, None) => Confirmed::No,
        (Some(found), Some(again)) if place(&found) == place(&again) => {
            Confirmed::Yes(ObservedDifference::new(&found, first))
        }
        _ => Confirmed::Flaky(nondeterminism),
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
    use testsmith_rt::harness::wire::Aspect;

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
        let yes = |difference: Option<Difference>| {
            Confirmed::Yes(ObservedDifference::new(&difference.unwrap(), &execution(&["a"], None)))
        };
        check(sees(0, "b"), sees(0, "b"), &yes(sees(0, "b")));
        check(sees(0, "b"), sees(0, "c"), &yes(sees(0, "b")));
        check(crash(3), crash(3), &yes(crash(3)));
        let flaky = Confirmed::Flaky(Nondeterminism::default());
        check(sees(0, "b"), sees(1, "b"), &flaky);
        check(sees(0, "b"), None, &flaky);
        check(crash(0), sees(0, "b"), &flaky);
    }

    #[test]
    fn what_the_original_showed_instead_is_told() {
        let original = execution(&["a", "b"], None);
        let shown = |difference: Option<Difference>| {
            ObservedDifference::new(&difference.unwrap(), &original).original
        };
        let text = |observation: Observation| match observation.what {
            What::Debug(text) => text,
            other => panic!("{other:?}"),
        };
        assert_eq!(shown(sees(1, "c")).map(text), Some("b".to_owned()));
        assert_eq!(shown(Some(Difference::Outcome(Outcome::Fuel, 0))), None);
    }

    #[test]
    fn a_program_that_kills_twice_is_run_once() {
        let run = |unseen: &[(u16, Aspect)]| Run {
            ops: Vec::new(),
            alive: Vec::new(),
            unseen: unseen.to_vec(),
            mutants: Mutants::Infected { at_most: 9 },
        };
        let other = [(1, Aspect::Debug)];
        let (runs, places) = by_program(&[(run(&[]), 3), (run(&other), 4), (run(&[]), 5)]);
        let listed: Vec<_> = runs.into_iter().map(|run| run.mutants).collect();
        assert_eq!(listed, [Mutants::Listed(vec![3, 5]), Mutants::Listed(vec![4])]);
        assert_eq!(places, [0, 1, 0]);
    }

    #[test]
    fn an_original_that_is_not_always_the_same_confirms_nothing() {
        let [first, second] = ["a", "b"].map(|seen| execution(&[seen], sees(0, "c")));
        let Confirmed::Flaky(nondeterminism) = judge(&first, &second, 7) else { panic!("it was confirmed") };
        let [Shift { index: 0, second: What::Debug(text), .. }] = nondeterminism.observations.as_slice()
        else {
            panic!("{nondeterminism:?}")
        };
        assert_eq!(text, "b");
    }

    #[test]
    fn differences_of_another_mutant_do_not_count() {
        let [first, second] = [sees(0, "b"), sees(0, "b")].map(|difference| execution(&["a"], difference));
        assert_eq!(judge(&first, &second, 8), Confirmed::No);
    }

    #[test]
    fn observations_that_differ_are_marked() {
        type Row<'a> = (&'a [&'a str], &'a [&'a str], &'a [u32], bool);
        let table: [Row<'_>; 4] = [
            (&["a", "b"], &["a", "b"], &[], false),
            (&["a", "b", "c"], &["x", "b", "y"], &[0, 2], false),
            (&["a"], &["a", "b", "c"], &[], true),
            (&["a", "b"], &[], &[], true),
        ];
        for (left, right, expected, ends) in table {
            let nondeterminism = Nondeterminism::between(&execution(left, None), &execution(right, None));
            let places: Vec<_> = nondeterminism.observations.iter().map(|shift| shift.index).collect();
            assert_eq!((places.as_slice(), nondeterminism.end.is_some()), (expected, ends));
        }
    }

    #[test]
    fn another_end_is_marked_with_the_statement_that_made_it() {
        let ended = Execution::ended(Outcome::Ok, 3);
        let others = [
            (Execution::ended(Outcome::Fuel, 1), 1),
            (Execution::ended(Outcome::Ok, 2), 2),
            (Execution { absent: vec![0], ..ended.clone() }, 3),
        ];
        for (other, statement) in others {
            assert_eq!(
                Nondeterminism::between(&ended, &other).end.map(|ends| ends.statement),
                Some(statement)
            );
        }
        let absent = |what| {
            let observations = Observations::Full(vec![Observation { at: At::Statement(1), slot: 1, what }]);
            Execution { observations, ..ended.clone() }
        };
        let nondeterminism =
            Nondeterminism::between(&absent(What::Absent), &absent(What::Debug("a".to_owned())));
        assert_eq!(nondeterminism.end.map(|ends| ends.statement), Some(1));
    }
}
