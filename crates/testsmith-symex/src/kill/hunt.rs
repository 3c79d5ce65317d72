//! Looks for inputs of one program that make mutants show: [`Hunt`].
//!
//! First come the inputs of new paths ([`Hunt::explore`]); then, for a mutant, a *strong* goal ([`Hunt::expose`]), the
//! conditions of both paths and a byte of an observation that differs, with branches behind the mutant's site turned round
//! where that cannot be; last a *weak* goal ([`Hunt::infect`]), the condition of the mutant on the path to its site.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::execution::{Condition, Execution};
use super::harness::{Harness, Role, Wanted};
use crate::explore::{Coverage, Explorer, Program, Turn};
use crate::expr::{Evaluator, Expr, Exprs, Model, Names};
use crate::machine::{Decision, Run};
use crate::solver::{Answer, Layered, Limit, Solver};
use crate::wasm::Module;

/// Conditions of a path that are shown, and characters of each.
const SHOWN: usize = 4;
const MOST_SHOWN: usize = 160;

/// One of very many paths is worth this part of what a goal is.
const PATIENCE_FOR_PATHS: u64 = 4;

/// How much is tried.
#[derive(Clone, Debug)]
pub struct Settings {
    /// For one query.
    pub limit: Limit,
    /// Runs of an exploration.
    pub paths: usize,
    /// Work of an exploration: instructions, and what the solver takes in terms of these.
    pub exploring: u64,
    /// The same of all that is tried for one mutant.
    pub steps: u64,
    /// Branches behind the site that are turned round for one mutant.
    pub tries: usize,
    /// How many of them one after the other.
    pub depth: usize,
    /// Questions to the solver for one mutant.
    pub queries: u64,
    /// Runs that reach a mutant, from which a strong goal is tried.
    pub starts: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            limit: Limit::time(std::time::Duration::from_secs(1)).and_steps(10_000),
            paths: 48,
            exploring: 60_000_000,
            steps: 20_000_000,
            tries: 12,
            depth: 2,
            queries: 64,
            starts: 3,
        }
    }
}

/// What was spent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Runs.
    pub runs: u64,
    /// Instructions of all runs.
    pub steps: u64,
    /// Questions to the solver.
    pub queries: u64,
    /// Questions that it did not answer.
    pub unknown: u64,
    /// What its answers took, in operations that take about as long as an instruction.
    pub solving: u64,
    /// Models that did not hold when they were evaluated.
    pub wrong_models: u64,
    /// Runs that did not do what was predicted of them.
    pub mispredictions: u64,
}

impl Effort {
    /// Instructions, and what the solver took in terms of these.
    #[must_use]
    pub fn work(&self) -> u64 {
        self.steps + self.solving
    }

    /// Adds what was spent elsewhere.
    pub fn add(&mut self, other: Self) {
        self.runs += other.runs;
        self.steps += other.steps;
        self.queries += other.queries;
        self.unknown += other.unknown;
        self.solving += other.solving;
        self.wrong_models += other.wrong_models;
        self.mispredictions += other.mispredictions;
    }
}

/// What came of a goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// These inputs reach it.
    Inputs(Model),
    /// No input does, as far as was tried.
    Nothing,
    /// The solver gave up somewhere, or a limit was reached.
    Unknown,
}

/// The inputs of one program, and what runs have shown of it.
pub struct Hunt<'h, 'm> {
    harness: &'h mut Harness<'m>,
    symbolic: BTreeSet<u32>,
    exprs: Exprs,
    solver: Layered,
    settings: Settings,
    /// What was spent so far.
    pub effort: Effort,
    /// Traced runs, the first with the literals that the program has.
    traces: Vec<Execution>,
    /// Runs of the original with observations, by program.
    originals: Vec<(u32, Rc<Execution>)>,
    /// What became of branches that were turned round, for whichever mutant.
    turned: FxHashMap<Vec<Expr>, Outcome>,
    /// The runs are all that there are.
    is_complete: bool,
}

impl<'h, 'm> Hunt<'h, 'm> {
    /// For the programs that a harness has loaded, which differ in what is observed alone; the literals of these slots are
    /// inputs.
    pub fn new(
        harness: &'h mut Harness<'m>,
        symbolic: BTreeSet<u32>,
        settings: Settings,
        solver: Layered,
    ) -> Self {
        Self {
            harness,
            symbolic,
            exprs: Exprs::new(),
            solver,
            settings,
            effort: Effort::default(),
            traces: Vec::new(),
            originals: Vec::new(),
            turned: FxHashMap::default(),
            is_complete: false,
        }
    }

    /// The expressions of its runs.
    #[must_use]
    pub fn exprs(&self) -> &Exprs {
        &self.exprs
    }

    /// Traced runs so far; the first has the program's own literals.
    #[must_use]
    pub fn traces(&self) -> &[Execution] {
        &self.traces
    }

    /// Explores paths. Returns the inputs of all that are new, without the program's own literals.
    pub fn explore(&mut self) -> Vec<Model> {
        let log = Rc::new(RefCell::new(Vec::new()));
        let mut traced = Traced {
            harness: self.harness,
            symbolic: &self.symbolic,
            log: log.clone(),
            inputs: Model::new(),
        };
        let limit = self.settings.limit;
        let limit = limit.and_steps(limit.steps / PATIENCE_FOR_PATHS);
        let settings = crate::explore::Settings { limit, values: 8, check_every: 8 };
        let mut coverage = Coverage::default();
        let mut explorer = Explorer::new(&mut self.exprs, &mut traced, &mut self.solver, settings);
        explorer.run(&Model::new(), &mut coverage);
        // Most that is asked for beside a path cannot be.
        let most_queries = 4 * self.settings.paths as u64;
        while (explorer.stats.runs as usize) < self.settings.paths
            && explorer.stats.queries < most_queries
            && explorer.work() < self.settings.exploring
        {
            if let Turn::Exhausted = explorer.turn(&mut coverage) {
                break;
            }
        }
        let stats = explorer.stats.clone();
        self.is_complete = explorer.completely_explored();
        self.effort.add(Effort {
            runs: stats.runs,
            steps: stats.steps,
            queries: stats.queries,
            unknown: stats.unknown,
            solving: 0,
            wrong_models: stats.wrong_models,
            mispredictions: stats.mispredictions + stats.nondeterministic + stats.wrong_conditions,
        });
        self.effort.solving = self.solver.statistics().work;
        self.traces = log.take();
        self.traces.iter().skip(1).map(|trace| trace.inputs.clone()).collect()
    }

    /// Whether the last exploration has run every path that there is.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Repeats traced runs: with the program's own literals, then with these inputs, which are those of all paths if
    /// `is_complete`.
    pub fn replay(&mut self, inputs: &[Model], is_complete: bool) {
        self.is_complete = is_complete;
        let own = Model::new();
        for inputs in std::iter::once(&own).chain(inputs) {
            let trace = self.run(0, Role::Traced, inputs);
            self.traces.push(trace);
        }
    }

    /// Tries to make a mutant show, from runs that reach it: in what the first of these programs lets see, then in what the
    /// next ones do.
    pub fn expose(&mut self, mutant: u32, programs: &[u32]) -> Outcome {
        let mut outcome = Outcome::Nothing;
        for program in programs {
            match self.expose_in(mutant, *program) {
                Outcome::Nothing => {}
                Outcome::Unknown => outcome = Outcome::Unknown,
                found => return found,
            }
        }
        outcome
    }

    fn expose_in(&mut self, mutant: u32, program: u32) -> Outcome {
        let mut goal = Goal::new(mutant, program, self);
        for start in self.starts(mutant) {
            let (inputs, after) = {
                let trace = &self.traces[start];
                let after = trace.visits_of(mutant).next().map_or(0, |visit| visit.after);
                (trace.inputs.clone(), after)
            };
            if let Some(found) = self.expose_from(&mut goal, &inputs, after, 0) {
                return Outcome::Inputs(found);
            }
            if goal.is_spent(self) {
                break;
            }
        }
        if goal.is_open { Outcome::Unknown } else { Outcome::Nothing }
    }

    /// Runs that reach a mutant: those first in which it computes another value.
    fn starts(&self, mutant: u32) -> Vec<usize> {
        let reaching = (0..self.traces.len()).filter(|at| self.traces[*at].reached(mutant));
        let (mut infected, others): (Vec<usize>, Vec<usize>) =
            reaching.partition(|at| self.traces[*at].infects(mutant));
        infected.extend(others);
        infected.truncate(self.settings.starts);
        infected
    }

    /// Both run on these inputs; then, where no input tells them apart on the paths that they take, on others.
    fn expose_from(&mut self, goal: &mut Goal, inputs: &Model, after: usize, depth: usize) -> Option<Model> {
        let original = self.original(goal.program, inputs);
        let mutant = self.run(goal.program, Role::Mutant(goal.mutant), inputs);
        if original.differs(&mutant) {
            return Some(inputs.clone());
        }
        let difference = original.difference(&mutant, &mut self.exprs);
        if difference != Exprs::FALSE {
            let mut constraints = self.conditions(&original.run.path);
            constraints.extend(self.conditions(&mutant.run.path));
            constraints.push(difference);
            match self.solve(&constraints, inputs) {
                Outcome::Inputs(model) => return Some(model),
                Outcome::Nothing => {}
                Outcome::Unknown => goal.is_open = true,
            }
        }
        if depth >= self.settings.depth {
            return None;
        }
        self.turn_round(goal, [&original.run.path, &mutant.run.path], inputs, after, depth)
    }

    /// Turns round branches behind the site, in either run, the nearest first.
    fn turn_round(
        &mut self,
        goal: &mut Goal,
        paths: [&[Decision]; 2],
        inputs: &Model,
        after: usize,
        depth: usize,
    ) -> Option<Model> {
        let furthest = paths[0].len().max(paths[1].len());
        let shared = paths[0].iter().zip(paths[1]).take_while(|(a, b)| a == b).count();
        for at in after..furthest {
            for (which, path) in paths.iter().enumerate() {
                // What both have decided alike is turned round once.
                if at >= path.len() || which == 1 && at < shared {
                    continue;
                }
                if goal.tries >= self.settings.tries || goal.is_spent(self) {
                    goal.is_open = true;
                    return None;
                }
                let Some(found) = self.other_way(goal, &path[..=at], inputs) else { continue };
                goal.tries += 1;
                if let Some(found) = self.expose_from(goal, &found, at + 1, depth + 1) {
                    return Some(found);
                }
            }
        }
        None
    }

    /// Inputs that take a path up to its last decision, and then another way; nothing where that was tried.
    fn other_way(&mut self, goal: &mut Goal, path: &[Decision], inputs: &Model) -> Option<Model> {
        let (last, before) = path.split_last()?;
        if let crate::machine::Subject::Assumption(_) = last.subject {
            return None;
        }
        let mut constraints = self.conditions(before);
        let taken = last.condition(&mut self.exprs, self.harness.module());
        let other = self.exprs.not(taken);
        constraints.push(other);
        if !goal.asked.insert(constraints.clone()) {
            return None;
        }
        let outcome = match self.turned.get(&constraints) {
            Some(known) => known.clone(),
            None => {
                let outcome = self.solve(&constraints, inputs);
                self.turned.insert(constraints, outcome.clone());
                outcome
            }
        };
        match outcome {
            Outcome::Inputs(model) => Some(model),
            Outcome::Nothing => None,
            Outcome::Unknown => {
                goal.is_open = true;
                None
            }
        }
    }

    /// Tries to make a mutant compute another value, where no run so far did so; the run is repeated to confirm it.
    pub fn infect(&mut self, mutant: u32) -> Outcome {
        let mut outcome = Outcome::Nothing;
        for at in self.starts(mutant) {
            let trace = &self.traces[at];
            let inputs = trace.inputs.clone();
            let goals: Vec<(usize, Expr)> = trace
                .visits_of(mutant)
                .filter_map(|visit| match visit.condition {
                    Condition::Known(condition) if self.exprs.as_constant(condition).is_none() => {
                        Some((visit.after, condition))
                    }
                    _ => None,
                })
                .collect();
            let path = trace.run.path.clone();
            for (after, condition) in goals {
                let mut constraints = self.conditions(&path[..after]);
                constraints.push(condition);
                match self.solve(&constraints, &inputs) {
                    Outcome::Inputs(model) => {
                        let again = self.run(0, Role::Traced, &model);
                        if again.infects(mutant) {
                            self.traces.push(again);
                            return Outcome::Inputs(model);
                        }
                        self.effort.mispredictions += 1;
                    }
                    Outcome::Nothing => {}
                    Outcome::Unknown => outcome = Outcome::Unknown,
                }
            }
        }
        outcome
    }

    /// Whether a mutant computes the same wherever it was looked at, whatever the inputs are: every condition of its visits has
    /// become false while it was built, over operands that depend on inputs and are not as wide as addresses.
    #[must_use]
    pub fn never_differs(&self, mutant: u32) -> bool {
        let mut visits = self.traces.iter().flat_map(|trace| trace.visits_of(mutant)).peekable();
        visits.peek().is_some()
            && self.traces.iter().all(|trace| trace.has_all_visits(mutant))
            && visits.all(|visit| {
                visit.condition == Condition::Known(Exprs::FALSE) && visit.symbolic && !visit.sized
            })
    }

    /// Whether a mutant computes the same on every path that there is: its condition can be nowhere together with what the path
    /// to it says. As above, it is looked at only over operands that depend on inputs.
    pub fn cannot_differ(&mut self, mutant: u32) -> bool {
        if !self.is_complete || !self.traces.iter().all(|trace| trace.has_all_visits(mutant)) {
            return false;
        }
        let visits = self.traces.iter().enumerate();
        let visits: Vec<_> =
            visits.flat_map(|(at, trace)| trace.visits_of(mutant).map(move |visit| (at, *visit))).collect();
        let mut goals = BTreeSet::new();
        for (at, visit) in &visits {
            let Condition::Known(condition) = visit.condition else { return false };
            if !visit.symbolic || visit.sized || condition == Exprs::TRUE {
                return false;
            }
            if condition != Exprs::FALSE {
                let path = self.traces[*at].run.path[..visit.after].to_vec();
                let mut constraints = self.conditions(&path);
                constraints.push(condition);
                goals.insert(constraints);
            }
        }
        let is_short = goals.len() as u64 <= self.settings.queries;
        let own = Model::new();
        !visits.is_empty() && is_short && goals.iter().all(|goal| self.solve(goal, &own) == Outcome::Nothing)
    }

    /// Whether the site of a mutant has seen values that are as wide as addresses.
    #[must_use]
    pub fn depends_on_width(&self, mutant: u32) -> bool {
        self.traces.iter().flat_map(|trace| trace.visits_of(mutant)).any(|visit| visit.sized)
    }

    /// The condition of a mutant where it depends on inputs, and the last conditions of the path before it, as text.
    pub fn describe(&mut self, mutant: u32, names: &dyn Names) -> Option<(Option<String>, Vec<String>)> {
        let reaching = self.traces.iter().filter(|trace| trace.reached(mutant));
        let visits = reaching.flat_map(|trace| trace.visits_of(mutant).map(move |visit| (trace, *visit)));
        let (trace, visit) = visits.max_by_key(|(_, visit)| match visit.condition {
            Condition::Known(condition) => u8::from(self.exprs.as_constant(condition).is_none()) + 1,
            Condition::Unknown => 0,
        })?;
        let path = trace.run.path[..visit.after].to_vec();
        let conditions = self.conditions(&path);
        let text = |expr| self.exprs.text(expr, MOST_SHOWN, names).to_string();
        let last = conditions.iter().rev().take(SHOWN).rev().map(|condition| text(*condition)).collect();
        let condition = match visit.condition {
            Condition::Known(condition) if self.exprs.as_constant(condition).is_none() => {
                Some(text(condition))
            }
            _ => None,
        };
        Some((condition, last))
    }

    fn original(&mut self, program: u32, inputs: &Model) -> Rc<Execution> {
        let is_it = |(of, known): &&(u32, Rc<Execution>)| *of == program && known.inputs == *inputs;
        if let Some((_, known)) = self.originals.iter().find(is_it) {
            return known.clone();
        }
        let original = Rc::new(self.run(program, Role::Original, inputs));
        self.originals.push((program, original.clone()));
        original
    }

    fn run(&mut self, program: u32, role: Role, model: &Model) -> Execution {
        let wanted = Wanted { program, role, symbolic: &self.symbolic, model };
        let execution = self.harness.run(&mut self.exprs, &wanted);
        self.effort.runs += 1;
        self.effort.steps += execution.run.steps;
        execution
    }

    /// What a path says of the inputs.
    fn conditions(&mut self, path: &[Decision]) -> Vec<Expr> {
        let module = self.harness.module();
        let conditions = path.iter().map(|decision| decision.condition(&mut self.exprs, module));
        conditions.filter(|condition| *condition != Exprs::TRUE).collect()
    }

    /// Asks the solver; a model is evaluated before anyone uses it. Inputs that it does not mention keep their values.
    fn solve(&mut self, constraints: &[Expr], inputs: &Model) -> Outcome {
        if constraints.contains(&Exprs::FALSE) {
            return Outcome::Nothing;
        }
        self.effort.queries += 1;
        let answer = self.solver.check(&mut self.exprs, constraints, &self.settings.limit);
        self.effort.solving = self.solver.statistics().work;
        match answer {
            Answer::Unsat => Outcome::Nothing,
            Answer::Unknown(_) => {
                self.effort.unknown += 1;
                Outcome::Unknown
            }
            Answer::Sat(found) => {
                let mut model = inputs.clone();
                model.extend(&found);
                let mut evaluator = Evaluator::new(model);
                if constraints.iter().all(|constraint| evaluator.holds(&self.exprs, *constraint)) {
                    return Outcome::Inputs(evaluator.model().clone());
                }
                self.effort.wrong_models += 1;
                Outcome::Unknown
            }
        }
    }
}

/// What was tried for one mutant.
struct Goal {
    mutant: u32,
    program: u32,
    /// Branches that were turned round.
    tries: usize,
    /// Work and queries of the whole hunt beyond which it is over.
    until: (u64, u64),
    /// Queries, so that none is asked twice.
    asked: FxHashSet<Vec<Expr>>,
    /// Something was not answered, or not tried.
    is_open: bool,
}

impl Goal {
    fn new(mutant: u32, program: u32, hunt: &Hunt<'_, '_>) -> Self {
        let (effort, settings) = (&hunt.effort, &hunt.settings);
        let until = (effort.work().saturating_add(settings.steps), effort.queries + settings.queries);
        Self { mutant, program, tries: 0, until, asked: FxHashSet::default(), is_open: false }
    }

    fn is_spent(&self, hunt: &Hunt<'_, '_>) -> bool {
        hunt.effort.work() >= self.until.0 || hunt.effort.queries >= self.until.1
    }
}

/// Traced runs of a program, for the exploration.
struct Traced<'x, 'm> {
    harness: &'x mut Harness<'m>,
    symbolic: &'x BTreeSet<u32>,
    log: Rc<RefCell<Vec<Execution>>>,
    inputs: Model,
}

impl Program for Traced<'_, '_> {
    fn module(&self) -> &Module {
        self.harness.module()
    }

    fn run(&mut self, exprs: &mut Exprs, model: &Model) -> Run {
        let wanted = Wanted { program: 0, role: Role::Traced, symbolic: self.symbolic, model };
        let execution = self.harness.run(exprs, &wanted);
        self.inputs = execution.inputs.clone();
        let run = execution.run.clone();
        self.log.borrow_mut().push(execution);
        run
    }

    fn inputs(&self) -> &Model {
        &self.inputs
    }
}
