//! Strategy `evolve`: breeds call sequences that come ever closer to killing mutants, after µTEST (Fraser and Zeller,
//! ISSTA 2010, §3).
//!
//! One population serves all goals: living mutants and sides of comparisons that were never taken. For each goal its
//! best individuals survive ([`population`]), and each goal gets its share of offspring, less the longer nothing has
//! improved. A side becomes a goal when its comparison is made for the first time, a mutant when its function is
//! entered; until then its callables are called as in Algorithm 1 ([`variation`]). Where a comparison says how far it was
//! from coming out differently, literals are moved by just that ([`local`]); where its operands are known and one of them is
//! in a literal, the other one is put there ([`replace`]).

mod goal;
mod hard;
mod local;
mod objects;
mod operators;
mod population;
mod replace;
#[cfg(test)]
mod tests;
mod variation;

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use testsmith_ir::Program;
use testsmith_ir::random::{Options as Programs, ProgramMutator};
use testsmith_rt::harness::wire::Outcome;

use self::goal::Goal;
use self::hard::Hard;
use self::objects::Objects;
use self::operators::{Operator, Operators};
use self::population::{Individual, Population};
use super::{Strategy, Trial};
use crate::execution_trace::ExecutionTrace;
use crate::options::Evolving;
use crate::search_state::SearchState;
use crate::subject::Subject;

/// Programs may grow to so many times the initial length.
const GROWTH: usize = 2;
/// Of a hundred programs, so many are new ones: what evolution starts from, and what keeps it from running dry.
const FRESH: u8 = 10;
/// Of a round, at most one part in so many is for moved literals.
const LOCAL: usize = 2;
/// Of a round, at most one part in so many is for constructors that fail nearly always.
const HARD: usize = 8;
/// So many moved literals wait at most.
const MOST_WAITING: usize = 4096;
/// So often another program is tried where one was run before.
const TRIES: usize = 4;

/// Breeds programs.
pub struct Evolve<'a> {
    mutator: ProgramMutator<'a>,
    length: usize,
    population: Population,
    objects: Objects<'a>,
    hard: Hard,
    operators: Operators,
    trace: ExecutionTrace,
    /// Programs with moved literals, and the goals that they are for.
    waiting: VecDeque<(Program, Goal)>,
    /// Where the programs of the rounds that are under way come from.
    origins: VecDeque<Vec<Origin>>,
    /// Hashes of all programs that were proposed.
    known: HashSet<u64>,
}

/// Where a program comes from.
#[derive(Clone, Copy, Debug)]
struct Origin {
    goal: Option<Goal>,
    operator: Operator,
}

impl<'a> Evolve<'a> {
    /// The evolution of a seed.
    pub fn new(subject: &Subject<'a>, seed: u64, parameters: &Evolving) -> Evolve<'a> {
        let options = Programs {
            max_statements: parameters.length * GROWTH,
            roots: subject.roots.clone(),
            constants: subject.constants.clone(),
            ..Programs::default()
        };
        Evolve {
            mutator: ProgramMutator::new(subject.api, seed, options),
            length: parameters.length,
            population: Population::new(parameters),
            objects: Objects::new(subject.api),
            hard: Hard::default(),
            operators: Operators::default(),
            trace: ExecutionTrace::new(subject),
            waiting: VecDeque::new(),
            origins: VecDeque::new(),
            known: HashSet::new(),
        }
    }

    /// One program that has not been run before; if none is found, one that is made from nothing.
    fn offspring(&mut self, known: &SearchState<'_>) -> (Program, Origin) {
        let new = (0..TRIES).find_map(|_| {
            let (program, origin) = self.breed(known);
            let is_new = !program.is_empty() && self.known.insert(program.hash());
            is_new.then_some((program, origin))
        });
        new.unwrap_or_else(|| self.fresh(known))
    }

    fn fresh(&mut self, known: &SearchState<'_>) -> (Program, Origin) {
        let program = variation::initial(&mut self.mutator, known, self.length);
        (program, Origin { goal: None, operator: Operator::Initial })
    }

    fn breed(&mut self, known: &SearchState<'_>) -> (Program, Origin) {
        let is_fresh = self.mutator.rng().percent(FRESH);
        let chosen = if is_fresh { None } else { self.population.choose(self.mutator.rng()) };
        let Some((goal, parent)) = chosen else {
            return self.fresh(known);
        };
        let operator = self.operators.choose(goal.group(known), self.mutator.rng());
        let mut variation = variation::Variation {
            mutator: &mut self.mutator,
            objects: &self.objects,
            population: &self.population,
        };
        let mut program = variation.apply(operator, &parent, goal, known);
        // Some offspring is changed more than once, so that evolution gets over gaps.
        while variation.mutator.rng().once_in(4) {
            let again = self.operators.choose(goal.group(known), variation.mutator.rng());
            let changed = Individual { program: Arc::new(program), ..parent.clone() };
            program = variation.apply(again, &changed, goal, known);
        }
        (program, Origin { goal: Some(goal), operator })
    }

    /// Programs in which literals are moved by as much as a comparison is away from the other answer.
    fn local(&mut self, most: usize) -> Vec<(Program, Origin)> {
        let mut found = Vec::new();
        while found.len() < most
            && let Some((program, goal)) = self.waiting.pop_front()
        {
            if self.population.is_open(goal) && self.known.insert(program.hash()) {
                found.push((program, Origin { goal: Some(goal), operator: Operator::Local }));
            }
        }
        found
    }

    /// Lets individuals that have come closer change their literals as the comparison that matters suggests.
    fn explore(&mut self, goal: Goal, individual: &Individual) {
        let replaced = replace::operands(&individual.program, &individual.operands);
        let move_by = |distance| local::moves(self.mutator.api(), &individual.program, distance);
        let moved = individual.distance.map(move_by).unwrap_or_default();
        for program in replaced.into_iter().chain(moved) {
            if self.waiting.len() < MOST_WAITING {
                self.waiting.push_back((program, goal));
            }
        }
    }

    /// Takes over what others have found for the goals that are open.
    fn refresh(&mut self, known: &SearchState<'_>) {
        self.population.close(known);
        for (goal, individual) in goal::nearest(known) {
            if self.population.offer(goal, &individual, self.mutator.rng()) {
                self.explore(goal, &individual);
            }
        }
    }
}

impl Strategy for Evolve<'_> {
    fn name(&self) -> &'static str {
        "evolve"
    }

    fn propose(&mut self, known: &SearchState<'_>, count: usize) -> Vec<Program> {
        self.refresh(known);
        known.callable_stats().weigh_callables(&mut self.mutator);
        self.hard.notice(&self.mutator, known.callable_stats());
        let hard = self.hard.propose(&mut self.mutator, count / HARD);
        let origin = Origin { goal: None, operator: Operator::Exhaustive };
        let mut round: Vec<(Program, Origin)> = hard.into_iter().map(|program| (program, origin)).collect();
        round.extend(self.local(count / LOCAL));
        while round.len() < count {
            round.push(self.offspring(known));
        }
        let (programs, origins) = round.into_iter().unzip();
        self.origins.push_back(origins);
        programs
    }

    fn aim(&self, at: usize) -> Option<u32> {
        match self.origins.back()?.get(at)?.goal {
            Some(Goal::Mutant(mutant)) => Some(mutant),
            Some(Goal::Side(..)) | None => None,
        }
    }

    fn take(&mut self, known: &SearchState<'_>, round: &[Trial]) {
        let origins = self.origins.pop_front().unwrap_or_default();
        self.hard.take(&mut self.mutator, round.iter().map(|trial| &trial.execution));
        for (trial, origin) in round.iter().zip(origins) {
            let mut has_improved = !trial.gains.is_empty();
            if matches!(trial.execution.outcome, Outcome::Ok | Outcome::Panic { .. }) {
                self.trace.look(known.subject(), &trial.execution);
                self.objects.take(&trial.program, &trial.execution, self.mutator.rng());
                for goal in self.population.open() {
                    let Some(individual) = goal.judge(&trial.program, known, &self.trace) else { continue };
                    if self.population.offer(goal, &individual, self.mutator.rng()) {
                        has_improved |= origin.goal == Some(goal);
                        self.explore(goal, &individual);
                    }
                }
            }
            self.operators.book(origin.operator, has_improved);
        }
    }
}
