//! What a search has found out so far, for all strategies to see: [`SearchState`].

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use testsmith_exec::{ObservedDifference, ending};
use testsmith_ir::{CallableId, Program, Slot};
use testsmith_rt::harness::wire::{Bitmap, Difference, Execution, Operands, Outcome};

use crate::archive::{Archive, Pending, Seems};
use crate::callable_stats::CallableStats;
use crate::execution_trace::{ExecutionTrace, Mark};
use crate::fitness;
use crate::nondeterminism::Nondeterminism;
use crate::observer::SearchObserver;
use crate::reach::Reach;
use crate::subject::Subject;

/// A mutant that has been run so often without a difference is run in every second round, after twice as many in every
/// third, and so on: stubborn ones would eat all the time. Programs that are made for it are run on it all the same.
const PATIENCE: u32 = 50;

/// In every so many rounds dead mutants are run again, in search of a shorter program, and those that take their process
/// along, in search of one that shows them otherwise.
const SHORTENING: u64 = 16;

/// What a search has found out so far.
#[derive(Clone, Debug)]
pub struct SearchState<'a> {
    subject: &'a Subject<'a>,
    goals: Vec<u32>,
    pub(crate) archive: Archive,
    pub(crate) nondeterminism: Nondeterminism,
    pub(crate) callable_stats: CallableStats,
    trace: ExecutionTrace,
    reach: Reach,
    /// By mutant: how often it was run.
    tries: Vec<u32>,
    reached: BTreeMap<u32, u32>,
    infected: BTreeSet<u32>,
    near: BTreeMap<u32, Near>,
    branches: BTreeMap<Branch, Side>,
    pub(crate) panics: BTreeMap<Place, Panic>,
    pub(crate) tally: Tally,
}

/// The program that came closest to killing a mutant that is still alive.
#[derive(Clone, Debug)]
pub struct Near {
    /// The program.
    pub program: Arc<Program>,
    /// How far it got.
    pub stage: Stage,
    /// Eq. 5 of µTEST without the impact.
    pub fitness: f64,
    /// Eq. 4.
    pub impact: f64,
    /// How far the comparison that it changes was from the other answer, if it always gave the same.
    pub distance: Option<f64>,
    /// What that comparison was about.
    pub operands: Vec<Operands>,
}

/// How far a program got with a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Its function was not entered.
    Away,
    /// Its function was entered.
    Entered,
    /// Its site was executed.
    Reached,
    /// It computed another value, or may have.
    Infected,
}

/// One side of a comparison: its probe, and how it comes out.
pub type Branch = (u32, bool);

/// What is known of one side of a comparison.
#[derive(Clone, Debug)]
pub struct Side {
    /// The shortest of the programs that came closest.
    pub program: Arc<Program>,
    /// How close; 0 if the comparison came out like this.
    pub distance: f64,
    /// What it was about, if it did not come out like this.
    pub operands: Vec<Operands>,
}

/// Where something panicked: file and line.
pub type Place = (String, u32);

/// The shortest program that panics in a place.
#[derive(Clone, Debug)]
pub struct Panic {
    /// The program.
    pub program: Arc<Program>,
    /// The statement that panics.
    pub statement: u16,
    /// What it says.
    pub message: String,
}

/// Counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Programs that were run on the original.
    pub executions: u64,
    /// Statements in them.
    pub statements: u64,
    /// Runs of mutants.
    pub mutant_runs: u64,
    /// How programs ended on the original.
    pub endings: BTreeMap<String, u64>,
    /// Callables that were called and came back with a value.
    pub called: BTreeSet<u32>,
}

impl<'a> SearchState<'a> {
    pub(crate) fn new(
        subject: &'a Subject<'a>,
        goals: &BTreeSet<u32>,
        nondeterminism: Nondeterminism,
    ) -> SearchState<'a> {
        let functions = subject.mutants.iter().map(|target| target.function + 1).max().unwrap_or(0);
        SearchState {
            subject,
            goals: goals.iter().copied().filter(|goal| subject.target(*goal).is_some()).collect(),
            archive: Archive::default(),
            nondeterminism,
            callable_stats: CallableStats::new(subject.api),
            trace: ExecutionTrace::new(subject),
            reach: Reach::new(functions, subject.api.callables.len()),
            tries: vec![0; subject.mutants.len() + 1],
            reached: BTreeMap::new(),
            infected: BTreeSet::new(),
            near: BTreeMap::new(),
            branches: BTreeMap::new(),
            panics: BTreeMap::new(),
            tally: Tally::default(),
        }
    }

    /// What is searched.
    pub fn subject(&self) -> &'a Subject<'a> {
        self.subject
    }

    /// Goals that are neither dead nor given up.
    pub fn alive(&self) -> impl Iterator<Item = u32> {
        self.goals.iter().copied().filter(|goal| !self.archive.is_settled(*goal))
    }

    /// Whether a mutant is a goal that is neither dead nor given up.
    pub fn is_alive(&self, mutant: u32) -> bool {
        self.goals.binary_search(&mutant).is_ok() && !self.archive.is_settled(mutant)
    }

    /// Programs that tell mutants from the original.
    pub fn archive(&self) -> &Archive {
        &self.archive
    }

    /// What has become of each callable, and which ones the next programs should be about.
    pub fn callable_stats(&self) -> &CallableStats {
        &self.callable_stats
    }

    /// Mutants whose site was executed, with the number of programs that did.
    pub fn reached(&self) -> &BTreeMap<u32, u32> {
        &self.reached
    }

    /// Mutants that have computed another value, or may have.
    pub fn infected(&self) -> &BTreeSet<u32> {
        &self.infected
    }

    /// The program that came closest to a goal that is alive, if any entered its function.
    pub fn near(&self, mutant: u32) -> Option<&Near> {
        self.near.get(&mutant)
    }

    /// How often a mutant was run.
    pub fn tries(&self, mutant: u32) -> u32 {
        self.tries.get(mutant as usize).copied().unwrap_or(0)
    }

    /// All sides of comparisons that were made.
    pub fn branches(&self) -> &BTreeMap<Branch, Side> {
        &self.branches
    }

    /// Counts.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Callables that lead to the function of a mutant: as executions have shown, or else as the source says.
    pub fn leading_to(&self, mutant: u32) -> Vec<CallableId> {
        let Some(target) = self.subject.target(mutant) else { return Vec::new() };
        let learned = self.reach.leading_to(target.function);
        if learned.is_empty() { target.callables.clone() } else { learned }
    }

    /// How often a callable was called.
    pub fn calls(&self, callable: CallableId) -> u32 {
        self.reach.calls(callable)
    }

    /// All mutants but the goals that are neither dead nor given up.
    pub(crate) fn settled(&self) -> Bitmap {
        self.subject.numbers().filter(|mutant| !self.is_alive(*mutant)).collect()
    }

    /// Mutants that programs of this round are not run on.
    pub(crate) fn skip(&self, round: u64) -> Bitmap {
        let shortens = round % SHORTENING == SHORTENING - 1;
        let is_run = |mutant: u32| {
            let is_goal = self.goals.binary_search(&mutant).is_ok();
            let turn = u64::from(self.tries(mutant) / PATIENCE) + 1;
            let is_in_turn = (round + u64::from(mutant)).is_multiple_of(turn);
            let is_wanted = match self.archive.is_settled(mutant) {
                true => shortens && self.archive.is_long(mutant),
                false if self.archive.is_slow(mutant) => shortens,
                false => is_in_turn,
            };
            is_goal && is_wanted
        };
        self.subject.numbers().filter(|mutant| !is_run(*mutant)).collect()
    }

    /// How many mutants were reached, and infected: what a search gains before it kills.
    pub(crate) fn reached_and_infected(&self) -> usize {
        self.reached.len() + self.infected.len()
    }

    /// Takes an execution; the goals that seem to be killed for the first time.
    pub(crate) fn take(
        &mut self,
        program: &Arc<Program>,
        execution: &Execution,
        observer: &dyn SearchObserver,
    ) -> Vec<u32> {
        self.trace.look(self.subject, execution);
        self.count(program, execution);
        self.callable_stats.note(program, execution);
        let executed = usize::from(execution.statement) + 1;
        self.reach.take(program, executed, self.trace.entered());
        for mutant in &execution.reached {
            *self.reached.entry(*mutant).or_default() += 1;
        }
        self.infected.extend(execution.infected.iter().chain(&execution.maybe));
        let gains = self.differing(program, execution, observer);
        self.panicked(program, execution);
        // What does not come to an end of its own is no good for a test.
        if matches!(execution.outcome, Outcome::Ok | Outcome::Panic { .. }) {
            self.approach(program);
            self.branch(program, execution);
        }
        gains
    }

    /// Suspects the goals that differ; those for the first time.
    fn differing(
        &mut self,
        program: &Arc<Program>,
        execution: &Execution,
        observer: &dyn SearchObserver,
    ) -> Vec<u32> {
        let SearchState { subject, goals, archive, .. } = self;
        let depth = subject.api.visibility(program).map_or(usize::MAX, |visibility| visibility.depth());
        let is_goal = |(mutant, _): &&(u32, Difference)| goals.binary_search(mutant).is_ok();
        let is_new = |(mutant, difference): &(u32, Difference)| {
            let seems = seems(program, execution, difference, observer);
            archive.suspect(*mutant, Pending { program: program.clone(), depth, seems }).then_some(*mutant)
        };
        execution.differences.iter().filter(is_goal).filter_map(is_new).collect()
    }

    /// Forgets how close programs came to what is dead now.
    pub(crate) fn forget_dead(&mut self) {
        let SearchState { near, archive, .. } = self;
        near.retain(|mutant, _| !archive.is_settled(*mutant));
    }

    fn count(&mut self, program: &Program, execution: &Execution) {
        let tally = &mut self.tally;
        tally.executions += 1;
        tally.statements += program.size() as u64;
        tally.mutant_runs += execution.ran.len() as u64;
        *tally.endings.entry(ending(&execution.outcome)).or_default() += 1;
        let came_back = program.iter().take(usize::from(execution.statement));
        let has_value = |slot: u16| !execution.absent.contains(&slot);
        let called = came_back.filter(|(slot, _)| has_value(slot.0)).filter_map(|(_, it)| it.callable());
        tally.called.extend(called.map(|callable| callable.0));
        for mutant in &execution.ran {
            if let Some(tries) = self.tries.get_mut(*mutant as usize) {
                *tries += 1;
            }
        }
    }

    fn panicked(&mut self, program: &Arc<Program>, execution: &Execution) {
        let Outcome::Panic { message, file, line } = &execution.outcome else { return };
        let place = (file.clone(), *line);
        let is_shorter =
            |known: &Panic| useful(program, execution.statement) < useful(&known.program, known.statement);
        if self.panics.get(&place).is_none_or(is_shorter) {
            let panic =
                Panic { program: program.clone(), statement: execution.statement, message: message.clone() };
            self.panics.insert(place, panic);
        }
    }

    /// Keeps the program for the goals that no other came closer to, or none that is shorter.
    fn approach(&mut self, program: &Arc<Program>) {
        for goal in &self.goals {
            let Some(target) = self.subject.target(*goal) else { continue };
            if !self.trace.has_entered(target.function) || self.archive.is_settled(*goal) {
                continue;
            }
            let fitness = fitness::of_mutant(*goal, target, &self.trace);
            let impact = fitness::impact(*goal, &self.trace, program.size());
            let is_closer = |known: &Near| {
                let than = (known.fitness, known.impact);
                let is_shorter = program.size() < known.program.size();
                (fitness, impact) > than || (fitness, impact) == than && is_shorter
            };
            if self.near.get(goal).is_none_or(is_closer) {
                let stage = match self.trace.mark(*goal) {
                    Mark::Untouched => Stage::Entered,
                    Mark::Reached => Stage::Reached,
                    Mark::Maybe | Mark::Infected => Stage::Infected,
                };
                let distance = fitness::to_other_answer(target, &self.trace);
                let operands = self.trace.operands(target.probe);
                let near = Near { program: program.clone(), stage, fitness, impact, distance, operands };
                self.near.insert(*goal, near);
            }
        }
    }

    fn branch(&mut self, program: &Arc<Program>, execution: &Execution) {
        for made in &execution.distances {
            for (side, distance) in [(true, made.to_true), (false, made.to_false)] {
                let is_closer = |known: &Side| {
                    distance < known.distance
                        || distance == known.distance && program.size() < known.program.size()
                };
                if self.branches.get(&(made.probe, side)).is_none_or(is_closer) {
                    let is_open = distance > 0.0;
                    let operands = self.trace.operands(is_open.then_some(made.probe));
                    let closest = Side { program: program.clone(), distance, operands };
                    self.branches.insert((made.probe, side), closest);
                }
            }
        }
    }
}

/// What a difference seems to be good for. Of what was seen only the place is known yet.
fn seems(
    program: &Program,
    execution: &Execution,
    difference: &Difference,
    observer: &dyn SearchObserver,
) -> Seems {
    let Execution { outcome, statement, .. } = execution;
    let observed = || ObservedDifference {
        difference: difference.clone(),
        outcome: outcome.clone(),
        statement: *statement,
        original: None,
    };
    match (outcome, difference) {
        (_, Difference::Outcome(Outcome::Signal(_) | Outcome::Exit(_), _)) => Seems::Deadly,
        (Outcome::Ok, _) => Seems::Usable,
        (Outcome::Panic { .. }, _) if observer.can_use(program, &observed()) => Seems::Usable,
        _ => Seems::Useless,
    }
}

/// Statements that the panicking one needs, and itself: what is left when all others are removed.
fn useful(program: &Program, statement: u16) -> usize {
    let slot = Slot(statement);
    if slot.index() < program.size() { program.ancestors(slot).len() + 1 } else { program.size() }
}
