//! The concolic loop: run, look at the path, solve for an outcome that no run has had, run again.
//!
//! Main type: [`Explorer`]. `ranking` says which outcome is tried next, the tree which ones there are; `program` is what is
//! run and `inputs` the literals that a solver may choose. Every model is evaluated before it is used, and every run is held
//! to what was predicted of it.

mod distance;
mod inputs;
mod program;
mod queue;
mod ranking;

use std::time::{Duration, Instant};

pub use distance::{Distances, Graph, UNREACHABLE};
pub use inputs::{Inputs, Kind, parts, variable};
pub use program::{Instance, Program};
pub use ranking::{Coverage, Rank, Ranking, Toward};

use crate::expr::{Evaluator, Expr, Exprs, Model};
use crate::machine::{Decision, End, Run, SoftGoal};
use crate::solver::{Answer, Limit, Solver};
use crate::tree::{Candidate, NodeId, State, Tree, Violation};
use queue::{Entry, Goal, Queue};
use rustc_hash::FxHashSet;

/// How the loop uses its solver.
#[derive(Clone, Debug)]
pub struct Settings {
    /// For one query.
    pub limit: Limit,
    /// Values that are tried for an address or another open value at one node of the tree.
    pub values: usize,
    /// Of so many runs one is checked as a whole: every condition of its path must hold for its inputs. 1 checks all.
    pub check_every: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { limit: Limit::time(Duration::from_secs(1)), values: 64, check_every: 1 }
    }
}

/// What was done so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Runs.
    pub runs: u64,
    /// Instructions of all runs.
    pub steps: u64,
    /// Questions to the solver.
    pub queries: u64,
    /// Questions that it did not answer.
    pub unknown: u64,
    /// Models that did not hold when they were evaluated.
    pub wrong_models: u64,
    /// Runs that did not take the path that was predicted, or took one that was called infeasible.
    pub mispredictions: u64,
    /// Runs that decided otherwise after the same beginning.
    pub nondeterministic: u64,
    /// Conditions of a path that do not hold for the inputs of its own run.
    pub wrong_conditions: u64,
    /// Time in the solver.
    pub solving: Duration,
    /// Time in runs.
    pub running: Duration,
}

/// What one turn of the loop brought.
pub enum Turn {
    /// A run, by number, of inputs that no run had before.
    Ran(Run),
    /// A candidate that no input reaches, or of which nobody knows.
    Settled,
    /// Nothing is left to try.
    Exhausted,
}

/// Explores the paths of a program.
pub struct Explorer<'a> {
    /// The table of expressions.
    pub exprs: &'a mut Exprs,
    /// What all runs have shown.
    pub tree: Tree,
    /// What was done so far.
    pub stats: Stats,
    program: &'a mut dyn Program,
    solver: &'a mut dyn Solver,
    settings: Settings,
    queue: Queue,
    /// Inputs of all runs.
    models: Vec<Model>,
    soft_seen: FxHashSet<(u32, bool)>,
    /// Values under the inputs of a run, or a model; kept for its memory.
    evaluator: Evaluator,
    /// Work that went into goals that a short attempt had not solved.
    hard: u64,
}

/// The part of the limit that a goal gets at first, so that a few hard ones do not keep the others waiting.
const SHORT: u32 = 20;

impl<'a> Explorer<'a> {
    /// Prepares the exploration of a program.
    pub fn new(
        exprs: &'a mut Exprs,
        program: &'a mut dyn Program,
        solver: &'a mut dyn Solver,
        settings: Settings,
    ) -> Self {
        Self {
            exprs,
            tree: Tree::new(),
            stats: Stats::default(),
            program,
            solver,
            settings,
            queue: Queue::default(),
            models: Vec::new(),
            soft_seen: FxHashSet::default(),
            evaluator: Evaluator::default(),
            hard: 0,
        }
    }

    /// The inputs of the last run.
    #[must_use]
    pub fn last_model(&self) -> Option<&Model> {
        self.models.last()
    }

    /// Instructions of all runs, and what the solver took in terms of these.
    #[must_use]
    pub fn work(&self) -> u64 {
        self.stats.steps + self.solver.work()
    }

    /// Whether every path of the program has been run or cannot be.
    #[must_use]
    pub fn completely_explored(&self) -> bool {
        self.tree.completely_explored()
    }

    /// Runs the program on given inputs, and adds its path.
    pub fn run(&mut self, model: &Model, ranking: &mut dyn Ranking) -> Run {
        let began = Instant::now();
        let run = self.program.run(self.exprs, model);
        self.stats.running += began.elapsed();
        self.stats.runs += 1;
        self.stats.steps += run.steps;
        let inputs = self.program.inputs().clone();
        if self.stats.runs.is_multiple_of(self.settings.check_every) {
            self.check_conditions(&run, &inputs);
        }
        self.models.push(inputs);
        ranking.observe(&run.path);
        self.grow(&run, ranking);
        run
    }

    /// Takes the most promising candidate, solves for it and runs what comes of it.
    pub fn turn(&mut self, ranking: &mut dyn Ranking) -> Turn {
        let Some(Entry { goal, of_run, tried }) = self.next(ranking) else { return Turn::Exhausted };
        let (mut constraints, prefix) = self.prefix(goal);
        let wanted = self.wanted(goal);
        constraints.push(wanted);
        let before = self.solver.work();
        let answer = self.solve(&constraints, of_run, self.limit(tried));
        if tried {
            self.hard += self.solver.work() - before;
        }
        match answer {
            Answer::Sat(model) => {
                let run = self.run(&model, ranking);
                self.check_prediction(goal, &prefix, &run);
                self.try_other_values(goal, of_run, ranking);
                Turn::Ran(run)
            }
            Answer::Unsat => {
                self.settle(goal, State::Infeasible);
                Turn::Settled
            }
            Answer::Unknown(_) if !tried => {
                self.queue.put_off(Entry { goal, of_run, tried: true });
                Turn::Settled
            }
            Answer::Unknown(_) => {
                self.stats.unknown += 1;
                self.settle(goal, State::Unknown);
                Turn::Settled
            }
        }
    }

    /// A short attempt first, the whole limit for what was put off.
    fn limit(&self, tried: bool) -> Limit {
        let Limit { time, steps } = self.settings.limit;
        match tried {
            true => Limit { time, steps },
            false => Limit { time: time / SHORT, steps: (steps / u64::from(SHORT)).max(1) },
        }
    }

    /// The next goal that still is one. Those that were put off get as much work as all others.
    fn next(&mut self, ranking: &mut dyn Ranking) -> Option<Entry> {
        let (tree, soft_seen) = (&self.tree, &self.soft_seen);
        let rank = |goal: &Goal| match *goal {
            Goal::Outcome(candidate) => {
                let waits = tree.candidate_state(candidate) == State::Unexplored;
                waits.then(|| ranking.rank(&tree.decision(candidate), tree.depth(candidate.node)))
            }
            Goal::Soft { goal, .. } => {
                let waits = !soft_seen.contains(&(goal.place, !goal.outcome));
                waits.then(|| ranking.rank(&soft_decision(&goal), goal.after))
            }
        };
        let easy = self.work().saturating_sub(self.hard);
        self.queue.pop(self.hard <= easy, rank)
    }

    fn settle(&mut self, goal: Goal, state: State) {
        match goal {
            Goal::Outcome(candidate) => self.tree.settle(candidate, state),
            Goal::Soft { .. } => {}
        }
    }

    /// The conditions of the path to a goal, without the constant ones.
    fn prefix(&mut self, goal: Goal) -> (Vec<Expr>, Vec<Decision>) {
        let decisions = match goal {
            Goal::Outcome(candidate) => self.tree.prefix(candidate.node),
            Goal::Soft { after: None, .. } => Vec::new(),
            Goal::Soft { after: Some((node, outcome)), .. } => {
                let mut decisions = self.tree.prefix(node);
                decisions.push(self.tree.decision(Candidate { node, outcome: Some(outcome) }));
                decisions
            }
        };
        let module = self.program.module();
        let conditions = decisions.iter().map(|decision| decision.condition(self.exprs, module));
        (conditions.filter(|condition| *condition != Exprs::TRUE).collect(), decisions)
    }

    fn wanted(&mut self, goal: Goal) -> Expr {
        match goal {
            Goal::Outcome(candidate) => self.tree.condition(candidate, self.exprs, self.program.module()),
            Goal::Soft { goal, .. } if goal.outcome => self.exprs.not(goal.condition),
            Goal::Soft { goal, .. } => goal.condition,
        }
    }

    /// Asks the solver, and evaluates the constraints under its model before anyone uses it. Inputs that the model does not
    /// mention keep the values of the run that the goal comes from.
    fn solve(&mut self, constraints: &[Expr], of_run: u32, limit: Limit) -> Answer {
        if constraints.contains(&Exprs::FALSE) {
            return Answer::Unsat;
        }
        let began = Instant::now();
        let answer = self.solver.check(self.exprs, constraints, &limit);
        self.stats.solving += began.elapsed();
        self.stats.queries += 1;
        let Answer::Sat(found) = answer else { return answer };
        let mut model = self.models[of_run as usize].clone();
        model.extend(&found);
        self.evaluator.set_model(model);
        if constraints.iter().all(|constraint| self.evaluator.holds(self.exprs, *constraint)) {
            Answer::Sat(self.evaluator.model().clone())
        } else {
            self.stats.wrong_models += 1;
            Answer::Unknown(crate::solver::Reason::WrongModel)
        }
    }

    /// The run must begin as the path to the goal and then have the outcome that was asked for.
    fn check_prediction(&mut self, goal: Goal, prefix: &[Decision], run: &Run) {
        let cut = matches!(run.end, End::Limited(_));
        let begins = run.path.len() >= prefix.len() && run.path[..prefix.len()] == *prefix;
        let taken = match goal {
            Goal::Outcome(candidate) => {
                let wanted = self.tree.decision(candidate);
                run.path.get(prefix.len()).is_some_and(|decision| {
                    decision.place == wanted.place
                        && decision.subject == wanted.subject
                        && candidate.outcome.is_none_or(|outcome| outcome == decision.outcome)
                })
            }
            Goal::Soft { .. } => true,
        };
        let predicted = begins && taken;
        if !predicted && !cut {
            self.stats.mispredictions += 1;
        }
    }

    /// An open value that got one more is a goal again, until the cap is reached: then the tree is not complete.
    fn try_other_values(&mut self, goal: Goal, of_run: u32, ranking: &mut dyn Ranking) {
        let Goal::Outcome(candidate @ Candidate { outcome: None, node }) = goal else { return };
        if self.tree.values(node) >= self.settings.values {
            self.tree.settle(candidate, State::Unknown);
        } else {
            let rank = ranking.rank(&self.tree.decision(candidate), self.tree.depth(node));
            self.queue.push(rank, goal, of_run);
        }
    }

    /// Every condition of a path holds for the inputs that took it.
    fn check_conditions(&mut self, run: &Run, model: &Model) {
        self.evaluator.set_model(model.clone());
        for decision in &run.path {
            let condition = decision.condition(self.exprs, self.program.module());
            if !self.evaluator.holds(self.exprs, condition) {
                self.stats.wrong_conditions += 1;
            }
        }
    }

    /// Adds a path to the tree and what stands beside it to the queue.
    fn grow(&mut self, run: &Run, ranking: &mut dyn Ranking) {
        let of_run = self.models.len() as u32 - 1;
        let cut = matches!(run.end, End::Limited(_));
        match self.tree.insert(&run.path, cut, self.program.module()) {
            Ok(growth) => {
                for candidate in growth.candidates {
                    let depth = self.tree.depth(candidate.node);
                    let rank = ranking.rank(&self.tree.decision(candidate), depth);
                    self.queue.push(rank, Goal::Outcome(candidate), of_run);
                }
                self.add_soft_goals(run, &growth.nodes, of_run, ranking);
            }
            Err(Violation::Nondeterministic(_)) => self.stats.nondeterministic += 1,
            Err(Violation::NotInfeasible(_)) => self.stats.mispredictions += 1,
        }
    }

    /// The other arm of a `select`, where no run has had it.
    fn add_soft_goals(&mut self, run: &Run, nodes: &[NodeId], of_run: u32, ranking: &mut dyn Ranking) {
        for goal in &run.soft {
            self.soft_seen.insert((goal.place, goal.outcome));
        }
        for goal in &run.soft {
            if !self.soft_seen.contains(&(goal.place, !goal.outcome)) {
                let after = goal.after.checked_sub(1).map(|last| nodes[last]);
                // The decisions up to here are those of this run: the outcome of the last one is part of the prefix.
                let after = after.map(|node| (node, run.path[goal.after - 1].outcome));
                let rank = ranking.rank(&soft_decision(goal), goal.after);
                self.queue.push(rank, Goal::Soft { goal: *goal, after }, of_run);
            }
        }
    }
}

/// A soft goal as the decision that it would be, for the ranking.
fn soft_decision(goal: &SoftGoal) -> Decision {
    let subject = crate::machine::Subject::Branch(goal.condition);
    Decision { place: goal.place, subject, outcome: u64::from(!goal.outcome), inverted: false }
}
