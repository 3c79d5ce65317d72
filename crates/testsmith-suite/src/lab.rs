//! Runs programs for the oracle: on the original and on mutants, with everything that can be seen.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use testsmith_exec::{Failure, Nondeterminism, WorkerPool, encode};
use testsmith_ir::{Api, Program, check};
use testsmith_rt::harness::wire::{
    Aspect, Batch, Bitmap, Difference, Execution, Isolation, Mutants, Observation, Observations, Observing,
    Options, Outcome,
};

/// Runs that one worker is asked about at a time.
const BATCH: usize = 32;
/// Mutants that a program is run on, if no list of them is given.
const MOST_MUTANTS: u32 = 4096;

/// Says what of a program is not to be looked at.
pub type Unseen<'a> = dyn Fn(&Program) -> Option<Vec<(u16, Aspect)>> + Sync + 'a;

/// What programs are looked at with.
pub struct Lab<'a> {
    /// What they are made of.
    pub api: &'a Api,
    /// Where they run.
    pub pool: &'a WorkerPool,
    /// Limits of each run.
    pub limits: Options,
    /// Ways of looking that prove nothing, because they do not show the same every time; `None` for a program of which
    /// nothing proves anything.
    pub unseen: &'a Unseen<'a>,
    /// When cases have to be made: from then on programs stay as they are. `None` if no clock is to decide.
    pub deadline: Option<Instant>,
}

/// Which mutants a program is run on.
#[derive(Clone, Debug)]
pub enum Target {
    /// These.
    Listed(Vec<u32>),
    /// All that it infects, but for those that are skipped.
    Infected,
}

/// What a program has shown.
#[derive(Clone, Debug)]
pub struct ProgramObservation {
    /// How the original ended.
    pub outcome: Outcome,
    /// The statement that it ended in.
    pub statement: u16,
    /// Slots that never got a value.
    pub absent: Vec<u16>,
    /// What was seen on the original.
    pub observations: Vec<Observation>,
    /// All differences, by mutant.
    pub differences: BTreeMap<u32, Vec<Difference>>,
}

impl<'a> Lab<'a> {
    /// The same with every mutant in a process of its own, which takes longer; `None` where that makes no difference.
    pub fn careful(&self) -> Option<Lab<'a>> {
        let limits = Options { isolate: Isolation::Fork, ..self.limits.clone() };
        let Lab { api, pool, unseen, deadline, .. } = *self;
        pool.spreads_damage().then_some(Lab { api, pool, limits, unseen, deadline })
    }

    /// Until when one of several steps may go on: it gets a half of the time that is left.
    pub fn half_time(&self) -> Option<Instant> {
        let now = Instant::now();
        self.deadline.map(|deadline| now + deadline.saturating_duration_since(now) / 2)
    }

    /// Whether there is no time left.
    pub fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Runs programs; `None` for one that breaks the borrow rules, writes a number that the user does not want, or proves
    /// nothing.
    pub fn look(
        &self,
        asked: &[(Program, Target)],
        skip: &Bitmap,
    ) -> Result<Vec<Option<ProgramObservation>>, Failure> {
        let runs: Vec<_> = asked
            .iter()
            .map(|(program, on)| {
                let liveness = check(self.api, program).ok().filter(|_| self.api.is_within(program))?;
                let unseen = (self.unseen)(program)?;
                let mutants = match on {
                    Target::Listed(mutants) => Mutants::Listed(mutants.clone()),
                    Target::Infected => Mutants::Infected { at_most: MOST_MUTANTS },
                };
                let mut run = encode(program, liveness.observable(), mutants);
                run.unseen = unseen;
                Some(run)
            })
            .collect();
        let options = Options { observe: Observing::All, trace: false, ..self.limits.clone() };
        let sound: Vec<_> = runs.iter().flatten().cloned().collect();
        let batch = |runs: &[_]| Batch { options: options.clone(), skip: skip.clone(), runs: runs.to_vec() };
        let batches: Vec<Batch> = sound.chunks(BATCH).map(batch).collect();
        let mut executions = self.pool.run(&batches)?.into_iter().flatten();
        let mut next = || executions.next().expect("every run has an execution");
        let looks = runs.into_iter().map(|run| run.map(|_| next()).map(ProgramObservation::from));
        Ok(looks.collect())
    }
}

/// So often a program is run to see whether it always does the same: what depends on seven random bits, as the place in a
/// hash table does, is missed once in two thousand times.
const COPIES: usize = 1000;
/// What always has to be, however long it takes.
const FEWEST_COPIES: usize = 20;
/// What this may cost for a case where the clock counts.
const PER_CASE: Duration = Duration::from_millis(10);

impl Lab<'_> {
    /// Whether programs do the same every time.
    pub fn steady(&self, programs: &[Program]) -> Result<Vec<bool>, Failure> {
        let is_steady = |executions: Vec<Execution>| {
            let seen = |it: &Execution| (it.outcome.clone(), it.statement, it.observations.clone());
            let first = executions.first().map(seen);
            executions.iter().all(|it| Some(seen(it)) == first)
        };
        // What was seen would fill much memory.
        let repeated = self.repeated(programs, Observing::Hash, self.copies(programs)?)?;
        Ok(repeated.into_iter().map(is_steady).collect())
    }

    /// How often programs are run to see that: where the clock counts, as often as there is time for.
    fn copies(&self, programs: &[Program]) -> Result<usize, Failure> {
        if self.deadline.is_none() || programs.is_empty() {
            return Ok(COPIES);
        }
        let started = Instant::now();
        self.repeated(programs, Observing::Hash, FEWEST_COPIES)?;
        let once = started.elapsed() / u32::try_from(FEWEST_COPIES).expect("they are few");
        let time = PER_CASE * u32::try_from(programs.len()).unwrap_or(u32::MAX);
        let copies = time.as_nanos() / once.as_nanos().max(1);
        Ok(usize::try_from(copies).unwrap_or(COPIES).clamp(FEWEST_COPIES, COPIES))
    }

    /// What programs do that is not the same every time.
    pub fn shifts(&self, programs: &[Program]) -> Result<Vec<Nondeterminism>, Failure> {
        let mut all = Vec::new();
        for program in programs {
            let executions = self.repeated(std::slice::from_ref(program), Observing::Full, COPIES)?.concat();
            let first = executions.first();
            let others = executions.iter().filter_map(|it| Some(Nondeterminism::between(first?, it)));
            all.push(others.fold(Nondeterminism::default(), Nondeterminism::and));
        }
        Ok(all)
    }

    /// Runs each program very often on the original.
    fn repeated(
        &self,
        programs: &[Program],
        observe: Observing,
        copies: usize,
    ) -> Result<Vec<Vec<Execution>>, Failure> {
        let options = Options { observe, trace: false, ..self.limits.clone() };
        // Where every run has a process of its own, that would take minutes, and nothing is left from one to the next.
        let batch = |program: &Program| {
            let copies = if self.pool.runs_together(program) { copies } else { 1 };
            let liveness = check(self.api, program).expect("a case keeps the borrow rules");
            let mut run = encode(program, liveness.observable(), Mutants::Listed(Vec::new()));
            run.unseen = (self.unseen)(program).unwrap_or_default();
            Batch { options: options.clone(), skip: Bitmap::default(), runs: vec![run; copies] }
        };
        self.pool.run(&programs.iter().map(batch).collect::<Vec<_>>())
    }
}

impl ProgramObservation {
    /// Whether a mutant took its process along or had to be stopped: that is slow to see, again and again.
    pub fn is_costly(&self, mutant: u32) -> bool {
        self.differences.get(&mutant).is_some_and(|all| all.iter().any(Difference::is_costly))
    }

    /// Without the ends of mutants that had to be stopped or took their process along, but for those of which that is known:
    /// on a busy machine anything may take too long.
    #[must_use]
    pub fn trusting(mut self, is_known: impl Fn(u32) -> bool) -> ProgramObservation {
        let costly: Vec<u32> = self.differences.keys().copied().filter(|it| self.is_costly(*it)).collect();
        for mutant in costly.into_iter().filter(|mutant| !is_known(*mutant)) {
            let shown = |difference: &Difference| matches!(difference, Difference::Observation(_, Some(_)));
            self.differences.entry(mutant).or_default().retain(shown);
        }
        self
    }
}

impl From<Execution> for ProgramObservation {
    fn from(execution: Execution) -> ProgramObservation {
        let mut differences: BTreeMap<u32, Vec<Difference>> = BTreeMap::new();
        for (mutant, difference) in execution.differences {
            differences.entry(mutant).or_default().push(difference);
        }
        let observations = match execution.observations {
            Observations::Full(all) => all,
            Observations::Nothing | Observations::Hash(_) => Vec::new(),
        };
        ProgramObservation {
            outcome: execution.outcome,
            statement: execution.statement,
            absent: execution.absent,
            observations,
            differences,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_that_nobody_knows_of_is_not_trusted() {
        let hang = || vec![Difference::Outcome(Outcome::Hang, 1)];
        let panic = Outcome::Panic { message: String::new(), file: String::new(), line: 0 };
        let differences =
            BTreeMap::from([(1, hang()), (2, hang()), (3, vec![Difference::Outcome(panic, 1)])]);
        let look = ProgramObservation {
            outcome: Outcome::Ok,
            statement: 0,
            absent: Vec::new(),
            observations: Vec::new(),
            differences,
        };
        let kept = look.trusting(|mutant| mutant == 2).differences;
        assert_eq!(kept.values().map(Vec::len).collect::<Vec<_>>(), [0, 1, 1]);
    }
}
