//! The engine: one brain proposes rounds of programs, all workers run them, and what is found is confirmed ([`search`]).
//!
//! The same seed and number of executions give the same, whatever the number of workers: answers are taken in the order of
//! the programs, and a round is proposed before the answers to the one before it are known. What the clock decides
//! may differ: a run that takes too long, and a budget of time. What mutants of unsafe code read that is not theirs is the
//! same every time as far as the executor can see to it.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use testsmith_exec::{Confirmed, Failure, ObservedDifference, WorkerPool, encode};
use testsmith_ir::{Api, Program, check};
use testsmith_rt::harness::wire::{self, Batch, Execution, Mutants, Observing, Run};

use crate::archive::{Pending, Suspect};
use crate::found::Found;
use crate::nondeterminism::Nondeterminism;
use crate::observer::{Event, SearchObserver};
use crate::options::{Budget, Method, Options};
use crate::schedule::Schedule;
use crate::search_state::SearchState;
use crate::strategy::{Evolve, Random, Stateful, Stored, Strategy, Trial};
use crate::subject::Subject;
use crate::tree::{self, Tree};

/// Runs of one batch.
const BATCH: usize = 64;
/// Programs of a round.
const ROUND: usize = 256;
/// Rounds are small at first, because what dies in one is still run in all of it.
const FIRST_ROUND: usize = 32;
/// How long a round may take, where the budget is a time.
const ROUND_SECONDS: f64 = 0.5;
/// A program is tried on at most so many mutants.
pub(crate) const MUTANTS_EACH: u32 = 24;
/// A program that is made with more effort is tried on more.
const MUTANTS_OF_THOROUGH: u32 = 512;
/// The name of the strategy that runs programs of earlier runs.
const STORED: &str = "store";
/// The name of the strategy that solves for inputs.
const SOLVING: &str = "symbolic";
/// So many would-be kills are confirmed together, beside a round.
const KILLS: usize = 64;
/// With every so many rounds all are confirmed, however few: the user may stop at any time, and wants to see how it goes.
const CONFIRMING: u64 = 16;
/// Of the first rounds, and of one in so many later ones, programs are run twice, to find out what is not the same every
/// time.
const FIRST_SAMPLES: u64 = 4;
const SAMPLING: u64 = 16;
/// The part of a budget that is for random programs, before other strategies begin.
const HEAD_START: u64 = 16;
/// Executions of the head start, where the budget is a time.
const MOST_HEAD_START: u64 = 5_000;

/// Executions of all strategies without a kill, before stateful testing begins.
const STAGNATION: u64 = 1_024;

/// Searches for programs that tell mutants from the original. What was confirmed before an interruption is returned.
pub fn search(
    subject: &Subject<'_>,
    pool: &WorkerPool,
    options: &Options,
    observer: &dyn SearchObserver,
) -> Result<Found, Failure> {
    search_with(subject, pool, options, strategies(subject, options), observer)
}

/// As [`search`], with these strategies. The first of several has a head start; what then is whose is decided by what
/// each earned lately.
fn search_with<'a>(
    subject: &'a Subject<'a>,
    pool: &WorkerPool,
    options: &Options,
    strategies: Vec<Box<dyn Strategy + 'a>>,
    observer: &dyn SearchObserver,
) -> Result<Found, Failure> {
    let mut engine = Engine::new(subject, pool, options, strategies, observer);
    let is_interrupted = match engine.drive() {
        Ok(()) => false,
        Err(Failure::Interrupted) if !engine.known.archive.confirmed().is_empty() => true,
        Err(failure) => return Err(failure),
    };
    let earned = engine.strategies.iter().zip(engine.schedule.accounts());
    let earned = earned.map(|(strategy, account)| (strategy.name(), account.clone())).collect();
    let solved = engine.strategies.iter_mut().flat_map(|strategy| strategy.solved()).collect();
    let mut found = Found::new(engine.known, earned, solved, is_interrupted);
    found.unsolved = engine.unsolved;
    Ok(found)
}

fn strategies<'a>(subject: &'a Subject<'a>, options: &Options) -> Vec<Box<dyn Strategy + 'a>> {
    let random = || Box::new(Random::new(subject, options.seed, options.statements));
    let evolve = || Box::new(Evolve::new(subject, options.seed, &options.evolving));
    let tree = |purified| {
        let parameters = tree::Parameters { purified, ..tree::Parameters::default() };
        Box::new(Tree::new(subject, options.seed, parameters))
    };
    let stateful =
        |patience| Box::new(Stateful::new(subject, options.seed, &options.stored.objects, patience));
    let mut all: Vec<Box<dyn Strategy + 'a>> = match options.method {
        Method::Random => vec![random()],
        Method::Evolve => vec![evolve()],
        Method::Tree { purified } => vec![tree(purified)],
        Method::Stateful => vec![stateful(None)],
        Method::Symbolic => {
            let mut strategies: Vec<Box<dyn Strategy + 'a>> = vec![random()];
            strategies.extend(symbolic(subject, options));
            strategies
        }
        Method::Hybrid => {
            let mut strategies: Vec<Box<dyn Strategy + 'a>> =
                vec![random(), evolve(), tree(true), stateful(Some(STAGNATION))];
            strategies.extend(symbolic(subject, options));
            strategies
        }
    };
    // The last, so that the first of the others has its head start.
    if !options.stored.programs.is_empty() {
        all.push(Box::new(Stored::new(options.stored.programs.clone())));
    }
    all
}

/// The strategy that solves for inputs, where there is a harness for it.
#[cfg(feature = "symbolic")]
fn symbolic<'a>(subject: &'a Subject<'a>, options: &Options) -> Option<Box<dyn Strategy + 'a>> {
    let clock_counts = matches!(options.budget, Budget::Time(_));
    Some(Box::new(crate::strategy::Symbolic::new(subject.module?, subject, options.solving, clock_counts)))
}

#[cfg(not(feature = "symbolic"))]
fn symbolic<'a>(_: &'a Subject<'a>, _: &Options) -> Option<Box<dyn Strategy + 'a>> {
    None
}

struct Engine<'a, 'o> {
    pool: &'o WorkerPool,
    options: &'o Options,
    observer: &'o dyn SearchObserver,
    known: SearchState<'a>,
    strategies: Vec<Box<dyn Strategy + 'a>>,
    schedule: Schedule,
    started: Instant,
    rounds: u64,
    /// Programs that were proposed, whether they have been run or not.
    proposed: u64,
    /// What proposals have cost, as executions.
    effort: u64,
    /// Programs a second, of the last round.
    pace: f64,
    /// The part of the budget that was used when something was gained last.
    gained: f64,
    /// Goals that were alive when nothing but solving was left to do, where that is measured.
    unsolved: Option<BTreeSet<u32>>,
}

/// Programs that are run together.
struct Round {
    strategy: usize,
    programs: Vec<Arc<Program>>,
    /// By program: the mutant that it is made for.
    aims: Vec<Option<u32>>,
}

impl<'a, 'o> Engine<'a, 'o> {
    fn new(
        subject: &'a Subject<'a>,
        pool: &'o WorkerPool,
        options: &'o Options,
        strategies: Vec<Box<dyn Strategy + 'a>>,
        observer: &'o dyn SearchObserver,
    ) -> Engine<'a, 'o> {
        let head_start = match options.budget {
            _ if strategies.len() < 2 => 0,
            Budget::Time(_) => MOST_HEAD_START,
            Budget::Executions(most) => (most / HEAD_START).min(MOST_HEAD_START),
        };
        Engine {
            pool,
            options,
            observer,
            known: SearchState::new(subject, &options.goals, options.nondeterminism.clone()),
            schedule: Schedule::new(strategies.len(), head_start),
            strategies,
            started: Instant::now(),
            rounds: 0,
            proposed: 0,
            effort: 0,
            pace: f64::INFINITY,
            gained: 0.0,
            unsolved: None,
        }
    }

    /// Runs rounds until the budget is used up, nothing is left to kill, or nobody has an idea.
    fn drive(&mut self) -> Result<(), Failure> {
        let mut next = self.propose();
        while let Some(round) = match next.take() {
            None => self.think_again()?,
            round => round,
        } {
            if self.rounds < FIRST_SAMPLES || self.rounds.is_multiple_of(SAMPLING) {
                self.sample(&round.programs)?;
            }
            let batches = self.batches(&round);
            let is_due = self.rounds.is_multiple_of(CONFIRMING);
            let suspects = self.suspects(if is_due { 1 } else { KILLS });
            let asked = asked(&suspects);
            let (pool, confirming) = (self.pool, &self.options.confirming);
            let began = Instant::now();
            let (answers, proposed) = thread::scope(|scope| {
                let running = scope.spawn(|| pool.run_and_confirm(&batches, confirming, &asked));
                let proposed = self.propose();
                let answers = running.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                (answers, proposed)
            });
            self.pace = round.programs.len() as f64 / began.elapsed().as_secs_f64();
            let (executions, confirmed) = answers?;
            self.take(&round, executions.concat());
            self.settle(suspects, confirmed);
            self.observer.hear(self.event(round.strategy));
            next = proposed.filter(|_| !self.is_over());
        }
        Ok(())
    }

    /// A round for what seemed to be dead, and is not.
    fn think_again(&mut self) -> Result<Option<Round>, Failure> {
        if self.known.archive.pending() == 0 {
            return Ok(None);
        }
        self.confirm()?;
        Ok(if self.is_over() { None } else { self.propose() })
    }

    /// The next round: of whoever's turn it is and has an idea.
    fn propose(&mut self) -> Option<Round> {
        let count = self.room();
        if count == 0 || self.is_done() {
            return None;
        }
        if self.unsolved.is_none() && self.options.solving_after.is_some_and(|after| self.used() >= after) {
            self.unsolved = Some(self.known.alive().collect());
        }
        let mut tired = self.resting();
        let stored = self.strategies.iter().position(|strategy| strategy.name() == STORED);
        let first = |tired: &[bool]| stored.filter(|at| !tired[*at]);
        while let Some(strategy) = first(&tired).or_else(|| self.schedule.next(|at| tired[at])) {
            let began = Instant::now();
            let programs = self.strategies[strategy].propose(&self.known, count);
            let effort = self.strategies[strategy].effort();
            let effort = self.worth(effort, began.elapsed());
            self.schedule.charge(strategy, effort);
            self.effort += effort;
            if !programs.is_empty() {
                self.proposed += programs.len() as u64;
                let aims = (0..programs.len()).map(|at| self.strategies[strategy].aim(at)).collect();
                let api = self.known.subject().api;
                let within = |mut program: Program| {
                    api.bring_within(&mut program);
                    Arc::new(program)
                };
                let programs = programs.into_iter().map(within).collect();
                return Some(Round { strategy, programs, aims });
            }
            // Where nobody else has a turn, what has not led to a program yet may still do so.
            let goes_on = effort > 0 && self.options.solving_after.is_some() && !self.is_over();
            tired[strategy] = !goes_on;
        }
        None
    }

    /// By strategy: whether it has no turn now. That is so only where solving is measured by itself.
    fn resting(&self) -> Vec<bool> {
        let is_resting = |solves: bool| match self.options.solving_after {
            Some(_) if !self.options.solving.paths => solves,
            Some(after) => solves != (self.used() >= after),
            None => false,
        };
        self.strategies.iter().map(|strategy| is_resting(strategy.name() == SOLVING)).collect()
    }

    /// What the work for a proposal is worth, as executions: what the strategy says, or where the budget is a time, what was
    /// run in that time lately.
    fn worth(&self, effort: u64, time: Duration) -> u64 {
        match self.options.budget {
            Budget::Time(_) if effort > 0 && self.pace.is_finite() => (time.as_secs_f64() * self.pace) as u64,
            _ => effort,
        }
    }

    /// Programs that the next round may have.
    fn room(&self) -> usize {
        let wanted = (FIRST_ROUND << self.rounds.min(8)).min(ROUND);
        match self.options.budget {
            // A slow crate's rounds are small, so that the end is not overshot.
            Budget::Time(_) => wanted.min((self.pace * ROUND_SECONDS) as usize).max(FIRST_ROUND),
            Budget::Executions(most) => {
                let left = most.saturating_sub(self.proposed + self.effort);
                usize::try_from(left).map_or(wanted, |left| left.min(wanted))
            }
        }
    }

    fn is_over(&self) -> bool {
        let is_late = match self.options.budget {
            Budget::Time(most) => self.started.elapsed() >= most,
            Budget::Executions(_) => false,
        };
        is_late || self.is_stale() || self.is_done()
    }

    /// Whether nothing was gained for so long that nothing will be.
    fn is_stale(&self) -> bool {
        let since = self.used() - self.gained;
        self.options.patience.is_some_and(|patience| since >= patience.max(self.gained))
    }

    /// The part of the budget that is used up.
    fn used(&self) -> f64 {
        match self.options.budget {
            Budget::Time(most) => self.started.elapsed().as_secs_f64() / most.as_secs_f64(),
            Budget::Executions(most) => (self.known.tally().executions + self.effort) as f64 / most as f64,
        }
    }

    fn is_done(&self) -> bool {
        !self.options.goes_on && self.known.alive().next().is_none()
    }

    fn batches(&self, round: &Round) -> Vec<Batch> {
        let strategy = &self.strategies[round.strategy];
        let observe = if strategy.looks() { Observing::Full } else { Observing::Hash };
        let options = wire::Options { observe, trace: true, ..self.options.limits.clone() };
        // Where solving is measured, others must not look worse for the mutants that they were not tried on.
        let is_thorough = strategy.is_thorough() || self.options.solving_after.is_some();
        let skip = if is_thorough { self.known.settled() } else { self.known.skip(self.rounds) };
        let run = |(program, aim): (&Arc<Program>, &Option<u32>)| {
            let mut run = self.run(program);
            if let (Mutants::Infected { at_most }, true) = (&mut run.mutants, is_thorough) {
                *at_most = MUTANTS_OF_THOROUGH;
            }
            let aim = aim.filter(|mutant| self.known.is_alive(*mutant));
            if let (Mutants::Infected { at_most }, Some(first)) = (&run.mutants, aim) {
                run.mutants = Mutants::Aimed { first, at_most: *at_most };
            }
            run
        };
        let runs: Vec<Run> = round.programs.iter().zip(&round.aims).map(run).collect();
        let batch =
            |runs: &[Run]| Batch { options: options.clone(), skip: skip.clone(), runs: runs.to_vec() };
        runs.chunks(BATCH).map(batch).collect()
    }

    fn run(&self, program: &Program) -> Run {
        run(self.known.subject().api, program, &self.known.nondeterminism)
    }

    fn take(&mut self, round: &Round, executions: Vec<Execution>) {
        let before = self.known.reached_and_infected();
        let trial = |(program, execution): (&Arc<Program>, Execution)| {
            let gains = self.known.take(program, &execution, self.observer);
            Trial { program: program.clone(), execution, gains }
        };
        let trials: Vec<Trial> = round.programs.iter().zip(executions).map(trial).collect();
        self.known.forget_dead();
        let kills = trials.iter().map(|trial| trial.gains.len() as u64).sum();
        if kills > 0 || self.known.reached_and_infected() > before {
            self.gained = self.used();
        }
        self.schedule.book(round.strategy, trials.len() as u64, kills);
        self.strategies[round.strategy].take(&self.known, &trials);
        self.rounds += 1;
    }

    /// Runs some programs twice on the original, and learns what differs.
    fn sample(&mut self, programs: &[Arc<Program>]) -> Result<(), Failure> {
        let programs = &programs[..programs.len().min(BATCH)];
        let runs: Vec<Run> = programs.iter().map(|program| self.run(program)).collect();
        let found = self
            .pool
            .map([runs], |executor, runs| executor.deterministic(&self.options.limits, &runs))?
            .concat();
        for (program, found) in programs.iter().zip(&found) {
            self.known.nondeterminism.learn(program, found);
        }
        Ok(())
    }

    /// Asks again in fresh processes about would-be kills, until there are none.
    fn confirm(&mut self) -> Result<(), Failure> {
        while self.known.archive.pending() > 0 {
            let suspects = self.suspects(1);
            let answers = self.pool.confirm(&self.options.confirming, &asked(&suspects))?;
            self.settle(suspects, answers);
        }
        Ok(())
    }

    /// The would-be kills, if there are at least so many.
    fn suspects(&self, at_least: usize) -> Vec<Suspect> {
        if self.known.archive.pending() < at_least {
            return Vec::new();
        }
        let suspect = |(mutant, pending): (u32, Pending)| {
            let run = self.run(&pending.program);
            Suspect { mutant, pending, run }
        };
        self.known.archive.all_pending().into_iter().map(suspect).collect()
    }

    /// Takes the answers of fresh processes.
    fn settle(&mut self, suspects: Vec<Suspect>, answers: Vec<Confirmed>) {
        let SearchState { archive, nondeterminism, .. } = &mut self.known;
        let can_use =
            |program: &Program, observed: &ObservedDifference| self.observer.can_use(program, observed);
        let mut is_gain = false;
        for (suspect, answer) in suspects.into_iter().zip(answers) {
            is_gain |= archive.settle(suspect, answer, nondeterminism, can_use);
        }
        if is_gain {
            self.gained = self.used();
        }
    }

    fn event(&self, strategy: usize) -> Event {
        let tally = self.known.tally();
        Event {
            executions: tally.executions,
            mutant_runs: tally.mutant_runs,
            killed: self.known.archive.confirmed().len(),
            pending: self.known.archive.pending(),
            reached: self.known.reached().len(),
            infected: self.known.infected().len(),
            sides: self.known.branches().values().filter(|side| side.distance == 0.0).count(),
            goals: self.options.goals.len(),
            strategy: self.strategies[strategy].name(),
            used: self.used().min(1.0),
        }
    }
}

/// What fresh processes are asked.
fn asked(suspects: &[Suspect]) -> Vec<(Run, u32)> {
    suspects.iter().map(|suspect| (suspect.run.clone(), suspect.mutant)).collect()
}

/// A program as it is run: what is not the same every time is not looked at, or nothing is proved by it at all.
fn run(api: &Api, program: &Program, nondeterminism: &Nondeterminism) -> Run {
    let mutants = match nondeterminism.may_end_otherwise(program) {
        true => Mutants::Listed(Vec::new()),
        false => Mutants::Infected { at_most: MUTANTS_EACH },
    };
    Run { unseen: nondeterminism.unseen(program), ..encoded(api, program, mutants) }
}

/// A program of a generator or a strategy as a worker takes it.
pub(crate) fn encoded(api: &Api, program: &Program, mutants: Mutants) -> Run {
    let liveness = check(api, program).unwrap_or_else(|violation| {
        panic!("a strategy has broken the borrow rules: {violation}\n{program:#?}")
    });
    encode(program, liveness.observable(), mutants)
}
