//! What the engine asks: cheap answers first, the SAT solver after them, whoever is outside last.
//!
//! Main type: [`Layered`]. A query is cut into slices that share no variable; each slice is looked up, tried on models that were found
//! before, searched (floats), solved. Every model is evaluated before it is handed out; a wrong one is counted and not used.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;

use super::embedded::Embedded;
use super::floats::{Lowering, has_floats, has_products, search::Search};
use super::{Answer, Limit, Reason, Solver, slices, substitute};
use crate::expr::{Evaluator, Expr, Exprs, Model};

/// Models that later queries are tried on.
const MODELS: usize = 4;

/// Slices that are remembered; all are forgotten when there are more.
const SLICES: usize = 100_000;

/// Conflicts before a query is simplified as a whole and given to a solver of its own.
const INCREMENTAL_STEPS: u64 = 2_000;

/// The same before a search, where values are multiplied.
const PRODUCT_STEPS: u64 = 200;

/// Evaluations of a search for float models before circuits are tried, and after they gave up.
const EVALUATIONS: [u64; 2] = [4_000, 100_000];

/// Operations of such a search for each step of the limit: where one evaluation has many, there are fewer of them.
const OPERATIONS: [u64; 2] = [2_000, 10_000];

/// What a gate or an assignment of the SAT solver takes, in operations of an evaluation.
const OPERATIONS_OF_GATE: u64 = 20;

/// The embedded solver with everything before and after it.
pub struct Layered {
    embedded: Embedded,
    lowering: Lowering,
    external: Option<Box<dyn Solver>>,
    models: VecDeque<Evaluator>,
    known: FxHashMap<Box<[Expr]>, Answer>,
    statistics: Statistics,
}

/// How queries were answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Queries, whole ones.
    pub queries: u64,
    /// Slices that were known.
    pub known: u64,
    /// Slices that held under a model found before.
    pub models: u64,
    /// Slices that a search by distance solved.
    pub searched: u64,
    /// Slices that the SAT solver solved, with what it had learnt.
    pub incremental: u64,
    /// Slices that a SAT solver of their own solved.
    pub alone: u64,
    /// Slices that an external solver solved.
    pub external: u64,
    /// Slices that nobody solved.
    pub unknown: u64,
    /// Models that did not hold.
    pub wrong_models: u64,
    /// What all of it took, in operations of evaluations, each of which takes about as long as an instruction of a run. Unlike
    /// the time it is the same each time.
    pub work: u64,
    /// Time spent in all of it.
    pub time: Duration,
}

impl Default for Layered {
    fn default() -> Self {
        Self::new()
    }
}

impl Layered {
    /// The embedded solver and what is before it.
    #[must_use]
    pub fn new() -> Self {
        Self {
            embedded: Embedded::new(),
            lowering: Lowering::default(),
            external: None,
            models: VecDeque::new(),
            known: FxHashMap::default(),
            statistics: Statistics::default(),
        }
    }

    /// With a solver that is asked where the embedded one has given up.
    #[must_use]
    pub fn with_external(self, external: Box<dyn Solver>) -> Self {
        Self { external: Some(external), ..self }
    }

    /// How queries were answered so far.
    #[must_use]
    pub const fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Later queries are tried on this model first: the inputs of a run satisfy most of the next path.
    pub fn remember(&mut self, model: Model) {
        if self.models.iter().any(|known| *known.model() == model) {
            return;
        }
        let mut evaluator = match self.models.len() {
            MODELS => self.models.pop_back().expect("there are some"),
            _ => Evaluator::default(),
        };
        evaluator.set_model(model);
        self.models.push_front(evaluator);
    }

    fn solve(&mut self, exprs: &mut Exprs, constraints: &[Expr], limit: &Limit) -> Answer {
        let began = Instant::now();
        let Some(constraints) = slices::conjuncts(exprs, constraints) else {
            return Answer::Unsat;
        };
        let mut model = Model::new();
        let mut unknown = None;
        for slice in slices::independent(exprs, &constraints) {
            match self.slice(exprs, &slice, &limit.left(began)) {
                Answer::Sat(part) => model.extend(&part),
                Answer::Unsat => return Answer::Unsat,
                // Another slice may still be impossible.
                Answer::Unknown(reason) => unknown = Some(reason),
            }
        }
        match unknown {
            Some(reason) => Answer::Unknown(reason),
            None => Answer::Sat(model),
        }
    }

    fn slice(&mut self, exprs: &mut Exprs, slice: &[Expr], limit: &Limit) -> Answer {
        if let Some(known) = self.known.get(slice) {
            self.statistics.known += 1;
            return known.clone();
        }
        if let Some(model) = self.try_models(exprs, slice) {
            self.statistics.models += 1;
            return Answer::Sat(model);
        }
        let answer = self.work(exprs, slice, limit);
        if let Answer::Sat(model) = &answer {
            self.remember(model.clone());
        }
        if !matches!(answer, Answer::Unknown(_)) {
            if self.known.len() >= SLICES {
                self.known.clear();
            }
            self.known.insert(slice.into(), answer.clone());
        }
        answer
    }

    fn try_models(&mut self, exprs: &Exprs, slice: &[Expr]) -> Option<Model> {
        let holds =
            |known: &mut Evaluator| slice.iter().rev().all(|&constraint| known.holds(exprs, constraint));
        let place = (0..self.models.len()).find(|&place| holds(&mut self.models[place]))?;
        let known = self.models[place].model();
        let variables = slice.iter().flat_map(|&constraint| exprs.variables(constraint));
        let numbers = variables.filter_map(|variable| exprs.as_variable(variable));
        Some(numbers.map(|number| (number, known.get(number).unwrap_or(0))).collect())
    }

    /// A slice that nothing cheap has answered.
    fn work(&mut self, exprs: &mut Exprs, slice: &[Expr], limit: &Limit) -> Answer {
        let began = Instant::now();
        let floats = has_floats(exprs, slice);
        let starts = if floats { self.starts(exprs, slice, limit) } else { Vec::new() };
        if floats && let Some(model) = self.search(exprs, slice, &starts, 0, limit) {
            return Answer::Sat(model);
        }
        let bits: Vec<Expr> = match floats {
            true => slice.iter().map(|&constraint| self.lowering.lower(exprs, constraint)).collect(),
            false => slice.to_vec(),
        };
        let Some(bits) = slices::conjuncts(exprs, &bits) else {
            return Answer::Unsat;
        };
        // Circuits of products are slow where values that fit are many: a search finds one of those.
        let products = !floats && has_products(exprs, slice);
        let attempts = if products { &[PRODUCT_STEPS, INCREMENTAL_STEPS][..] } else { &[INCREMENTAL_STEPS] };
        for (attempt, &steps) in attempts.iter().enumerate() {
            let learnt = limit.left(began).and_steps(limit.steps.min(steps));
            let answer = self.embedded.check(exprs, &bits, &learnt);
            if let Some(answer) = self.accept(exprs, slice, answer) {
                self.statistics.incremental += 1;
                return answer;
            }
            if products && attempt == 0 {
                let starts = self.known_models();
                let left = limit.left(began);
                if let Some(model) = self.search(exprs, slice, &starts, 0, &left) {
                    return Answer::Sat(model);
                }
            }
        }
        let left = limit.left(began);
        let answer = match left.time.is_zero() {
            true => Answer::Unknown(Reason::Time),
            false => self.alone(exprs, &bits, &left),
        };
        if let Some(answer) = self.accept(exprs, slice, answer.clone()) {
            self.statistics.alone += 1;
            return answer;
        }
        if (floats || products)
            && let Some(model) = self.search(exprs, slice, &starts, 1, &limit.left(began))
        {
            return Answer::Sat(model);
        }
        self.ask_external(exprs, slice, limit, answer)
    }

    /// A solver that sees nothing but this query, simplified as a whole.
    fn alone(&mut self, exprs: &mut Exprs, constraints: &[Expr], limit: &Limit) -> Answer {
        let Some(simpler) = substitute::simplify(exprs, constraints) else { return Answer::Unsat };
        let mut solver = Embedded::new();
        let answer = solver.check(exprs, &simpler, limit);
        self.statistics.work += solver.work() * OPERATIONS_OF_GATE;
        answer
    }

    /// The outside gets the whole limit again: it is asked because the time was up.
    fn ask_external(&mut self, exprs: &mut Exprs, slice: &[Expr], limit: &Limit, embedded: Answer) -> Answer {
        if let Some(mut external) = self.external.take() {
            let answer = external.check(exprs, slice, limit);
            self.external = Some(external);
            if let Some(answer) = self.accept(exprs, slice, answer) {
                self.statistics.external += 1;
                return answer;
            }
        }
        self.statistics.unknown += 1;
        match embedded {
            Answer::Unknown(reason) => Answer::Unknown(reason),
            // It was not accepted.
            _ => Answer::Unknown(Reason::WrongModel),
        }
    }

    /// The answer, if it is one that can be used.
    fn accept(&mut self, exprs: &Exprs, slice: &[Expr], answer: Answer) -> Option<Answer> {
        match &answer {
            Answer::Unknown(_) => return None,
            Answer::Sat(model) if !holds(exprs, slice, model) => {
                self.statistics.wrong_models += 1;
                return None;
            }
            _ => {}
        }
        Some(answer)
    }

    /// Where a search begins: models found before, and one of the constraints without floats.
    fn starts(&mut self, exprs: &mut Exprs, slice: &[Expr], limit: &Limit) -> Vec<Model> {
        let mut starts = self.known_models();
        let integers: Vec<Expr> =
            slice.iter().copied().filter(|&constraint| !has_floats(exprs, &[constraint])).collect();
        let quick = limit.and_steps(limit.steps.min(INCREMENTAL_STEPS));
        if let Answer::Sat(model) = self.embedded.check(exprs, &integers, &quick) {
            starts.push(model);
        }
        starts
    }

    fn known_models(&self) -> Vec<Model> {
        self.models.iter().map(|known| known.model().clone()).collect()
    }

    fn search(
        &mut self,
        exprs: &Exprs,
        slice: &[Expr],
        starts: &[Model],
        attempt: usize,
        limit: &Limit,
    ) -> Option<Model> {
        let mut search = Search::new(exprs, slice);
        let most = limit.steps.saturating_mul(100).min(EVALUATIONS[attempt]);
        let operations = limit.steps.saturating_mul(OPERATIONS[attempt]);
        let most = most.min(operations / search.operations().max(1));
        let model = search.run(starts, most, limit);
        self.statistics.work += search.evaluations() * search.operations();
        let model = model?;
        if !holds(exprs, slice, &model) {
            self.statistics.wrong_models += 1;
            return None;
        }
        self.statistics.searched += 1;
        Some(model)
    }
}

impl Solver for Layered {
    fn name(&self) -> &str {
        "embedded"
    }

    fn work(&self) -> u64 {
        self.statistics.work
    }

    fn check(&mut self, exprs: &mut Exprs, constraints: &[Expr], limit: &Limit) -> Answer {
        let (began, work) = (Instant::now(), self.embedded.work());
        let answer = self.solve(exprs, constraints, limit);
        self.statistics.queries += 1;
        self.statistics.work += (self.embedded.work() - work) * OPERATIONS_OF_GATE;
        self.statistics.time += began.elapsed();
        debug_assert!(match &answer {
            Answer::Sat(model) => holds(exprs, constraints, model),
            _ => true,
        });
        answer
    }
}

fn holds(exprs: &Exprs, constraints: &[Expr], model: &Model) -> bool {
    let mut evaluator = Evaluator::new(model.clone());
    constraints.iter().all(|&constraint| evaluator.holds(exprs, constraint))
}
