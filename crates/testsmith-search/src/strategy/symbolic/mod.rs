//! Strategy `symbolic`: programs that came close to living mutants are executed once more, on the harness built for wasm, with
//! their literals as inputs that a solver chooses. Its models come back as programs ([`Symbolic`]).
//!
//! A [`Case`] is a program and some of its literals: one at a time first, then pairs, then all. Inputs of new paths come first,
//! since they kill most; then strong goals, mutant by mutant; weak goals last. What is found is proposed as any program is,
//! and counts when the worker has confirmed it.

mod case;
mod inputs;
mod notes;

use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use testsmith_ir::Program;
use testsmith_rt::harness::wire::{self, Aspect, Batch, Mutants, Run};
use testsmith_symex::expr::{Expr, Exprs};
use testsmith_symex::kill::{Effort, Harness, Hunt, Outcome, Settings};
use testsmith_symex::machine::Options;
use testsmith_symex::solver::{Answer, Layered, Limit, Solver};
use testsmith_symex::wasm::Module;

use self::case::{Case, variants};
use self::inputs::with_inputs;
use self::notes::Notes;
use super::{Strategy, Trial};
use crate::engine::encoded;
use crate::options::Solving;
use crate::search_state::{SearchState, Stage};
use crate::solved::Solved;
use crate::subject::Subject;

/// Steps of the engine and its solver that are worth an execution of a worker: both are about as long.
const STEPS_OF_EXECUTION: u64 = 40_000;
/// What a question to the solver is worth besides: it reads the whole path.
const EXECUTIONS_OF_QUERY: u64 = 1;
/// Conflicts after which it does, twice: with what it knows, and alone.
const CONFLICTS: u64 = 2_000;
/// The time after which it does, where the clock counts.
const PATIENCE: Duration = Duration::from_secs(1);
/// The same where it does not: nothing but a broken query takes as long.
const NO_CLOCK: Duration = Duration::from_secs(60);
/// So many executions' worth of work is done for one proposal, about.
const SLICE: u64 = 600;
/// Steps of one run: a program that takes more is left to others.
const STEPS_OF_RUN: u64 = 3_000_000;
/// Decisions of one path: the solver reads each of them for every question.
const DECISIONS: usize = 4_000;
/// Steps of the engine and its solver that are worth it for the paths of one case, and for the strong goal of one mutant.
const STEPS_OF_PATHS: u64 = 30_000_000;
const STEPS_OF_GOAL: u64 = 10_000_000;
/// Mutants that are tried in one go, with the work of running the explored paths again.
const GOALS: usize = 12;
/// Programs of which each with its own literals is a case.
const MOST_CASES: usize = 4_096;

/// Solves for inputs.
pub struct Symbolic<'a> {
    harness: Option<Harness<'a>>,
    goals: Solving,
    /// For one question to the solver.
    patience: Duration,
    cases: Vec<Case>,
    known: HashSet<u64>,
    /// What is to be explored next, by case.
    unexplored: VecDeque<usize>,
    /// Programs with the mutant that each was made for.
    found: VecDeque<(Program, Option<u32>)>,
    aims: Vec<Option<u32>>,
    /// Those of rounds whose answers are not here yet.
    awaited: VecDeque<Vec<Option<u32>>>,
    /// Strong goals that were tried, by mutant.
    tries: BTreeMap<u32, u32>,
    /// What was found out of mutants.
    notes: Notes,
    /// Who is asked where the embedded solver gives up.
    external: Option<Shared>,
    effort: Effort,
    /// What of it was told already.
    told: u64,
    /// What of it was for new paths.
    exploring: u64,
}

impl<'a> Symbolic<'a> {
    /// On the harness of this module; with one that does not start, it has no idea ever.
    /// Where the clock does not count, the same is found each time.
    pub fn new(
        module: &'a Module,
        subject: &Subject<'_>,
        goals: Solving,
        clock_counts: bool,
    ) -> Symbolic<'a> {
        let options = Options { steps: STEPS_OF_RUN, decisions: DECISIONS, ..Options::default() };
        let starting = Options { steps: 200_000_000, ..options.clone() };
        Symbolic {
            harness: Harness::new(module, starting, options.steps).ok(),
            goals,
            patience: if clock_counts { PATIENCE } else { NO_CLOCK },
            cases: Vec::new(),
            known: HashSet::new(),
            unexplored: VecDeque::new(),
            found: VecDeque::new(),
            aims: Vec::new(),
            awaited: VecDeque::new(),
            tries: BTreeMap::new(),
            notes: Notes::default(),
            external: subject.solver.and_then(|starts| starts.start()).map(Shared::new),
            effort: Effort::default(),
            told: 0,
            exploring: 0,
        }
    }

    fn spent(&self) -> u64 {
        worth(&self.effort)
    }

    /// Makes cases of the programs that came closest to living mutants; those of most mutants come first.
    fn look_around(&mut self, known: &SearchState<'_>) {
        let mut programs: BTreeMap<&Arc<Program>, usize> = BTreeMap::new();
        for mutant in known.alive() {
            if let Some(near) = known.near(mutant) {
                *programs.entry(&near.program).or_default() += 1;
            }
        }
        let mut programs: Vec<_> = programs.into_iter().collect();
        programs.sort_by_key(|(program, mutants)| (std::cmp::Reverse(*mutants), program.size()));
        for (program, _) in programs {
            if self.cases.len() >= MOST_CASES {
                return;
            }
            for case in variants(program) {
                if self.known.insert(case.key()) {
                    self.unexplored.push_back(self.cases.len());
                    self.cases.push(case);
                }
            }
        }
        // Few literals first.
        let cases = &self.cases;
        self.unexplored.make_contiguous().sort_by_key(|at| (cases[*at].rank(), *at));
    }

    /// Explores the next case, if there is one.
    fn explore_next(&mut self, known: &SearchState<'_>) -> bool {
        let Some(at) = self.unexplored.pop_front() else { return false };
        let before = self.spent();
        self.explore(known, at);
        self.exploring += self.spent() - before;
        true
    }

    /// Explores the paths of a case.
    fn explore(&mut self, known: &SearchState<'_>, at: usize) {
        let Some(harness) = &mut self.harness else { return };
        let case = &mut self.cases[at];
        case.is_explored = true;
        let Some(mut hunt) = hunt(harness, case, known, self.patience, self.external.as_ref()) else {
            return;
        };
        let inputs = hunt.explore();
        self.effort.add(hunt.effort);
        case.is_complete = hunt.is_complete();
        case.is_alive =
            hunt.traces().first().is_some_and(|trace| !trace.run.path.is_empty() || inputs.is_empty());
        let programs = inputs.iter().filter_map(|inputs| with_inputs(&case.program, inputs));
        self.found.extend(programs.map(|program| (program, None)));
        case.inputs = inputs;
    }

    /// Tries strong goals, and where a mutant was never infected its weak goal; whether there was anything to try.
    fn pursue(&mut self, known: &SearchState<'_>, until: u64) -> bool {
        if self.goals == Solving::PATHS {
            return false;
        }
        let before = self.spent();
        let Some(harness) = &mut self.harness else { return false };
        let Some((at, mutants)) = next_goals(&self.cases, &self.tries, known) else { return false };
        let case = &mut self.cases[at];
        let mut hunt = hunt(harness, case, known, self.patience, self.external.as_ref());
        if let Some(hunt) = &mut hunt {
            hunt.replay(&case.inputs, case.is_complete);
        }
        for mutant in mutants {
            if hunt.as_ref().is_some_and(|hunt| before + worth(&hunt.effort) >= until) {
                break;
            }
            case.tried.insert(mutant);
            *self.tries.entry(mutant).or_default() += 1;
            let Some(hunt) = &mut hunt else { continue };
            let mut outcome = match self.goals.strong {
                true => hunt.expose(mutant, &[VALUES, ALL]),
                false => Outcome::Nothing,
            };
            if let Outcome::Inputs(_) = outcome {
                self.notes.shows(mutant);
            }
            let is_infected = hunt.traces().iter().any(|trace| trace.infects(mutant));
            if self.goals.weak && !is_infected && !matches!(outcome, Outcome::Inputs(_)) {
                outcome = hunt.infect(mutant);
            }
            let program = match &outcome {
                Outcome::Inputs(inputs) => with_inputs(&case.program, inputs),
                Outcome::Nothing | Outcome::Unknown => None,
            };
            self.notes.take(mutant, case, hunt, &outcome, program.as_ref());
            self.found.extend(program.map(|program| (program, Some(mutant))));
        }
        self.effort.add(hunt.map_or_else(Effort::default, |hunt| hunt.effort));
        true
    }
}

/// Work of the engine, as executions.
fn worth(effort: &Effort) -> u64 {
    effort.work() / STEPS_OF_EXECUTION + EXECUTIONS_OF_QUERY * effort.queries
}

/// The case whose goals are to be tried next, and which: of mutants that were tried least.
fn next_goals(
    cases: &[Case],
    tries: &BTreeMap<u32, u32>,
    known: &SearchState<'_>,
) -> Option<(usize, Vec<u32>)> {
    let mut best: Option<(u32, usize, usize, Vec<u32>)> = None;
    let mut by_program: BTreeMap<&Program, Vec<u32>> = BTreeMap::new();
    for mutant in known.alive() {
        if let Some(near) = known.near(mutant).filter(|near| near.stage >= Stage::Reached) {
            by_program.entry(&near.program).or_default().push(mutant);
        }
    }
    for (at, case) in cases.iter().enumerate().filter(|(_, case)| case.is_explored && case.is_alive) {
        let Some(mutants) = by_program.get(&*case.of) else { continue };
        let mut open: Vec<(u32, u32)> = mutants
            .iter()
            .filter(|mutant| !case.tried.contains(mutant))
            .map(|mutant| (tries.get(mutant).copied().unwrap_or(0), *mutant))
            .collect();
        open.sort_unstable();
        let Some((least, _)) = open.first().copied() else { continue };
        if best.as_ref().is_none_or(|(tries, rank, ..)| (least, case.rank()) < (*tries, *rank)) {
            let goals = open.into_iter().take_while(|(tries, _)| *tries == least).take(GOALS);
            best = Some((least, case.rank(), at, goals.map(|(_, mutant)| mutant).collect()));
        }
    }
    best.map(|(_, _, at, goals)| (at, goals))
}

/// The programs of a batch: one whose values alone are observed, and one of which everything is.
const VALUES: u32 = 0;
const ALL: u32 = 1;

/// What a printed number is depends on each of its digits, so that a path goes with each: values are looked at first.
fn hunt<'h, 'm>(
    harness: &'h mut Harness<'m>,
    case: &Case,
    known: &SearchState<'_>,
    patience: Duration,
    external: Option<&Shared>,
) -> Option<Hunt<'h, 'm>> {
    let run = encoded(known.subject().api, &case.program, Mutants::Listed(Vec::new()));
    let run = Run { unseen: known.nondeterminism.unseen(&case.program), ..run };
    let slots = 0..u16::try_from(case.program.size()).ok()?;
    let printed = slots.flat_map(|slot| [(slot, Aspect::Debug), (slot, Aspect::Display)]);
    let values = Run { unseen: run.unseen.iter().copied().chain(printed).collect(), ..run.clone() };
    let batch = Batch { runs: vec![values, run], ..Batch::default() };
    harness.load(&batch.encode()).ok()?;
    let settings = Settings {
        limit: Limit::time(patience).and_steps(CONFLICTS),
        exploring: STEPS_OF_PATHS,
        steps: STEPS_OF_GOAL,
        ..Settings::default()
    };
    let symbolic = case.slots.iter().map(|slot| u32::from(slot.0)).collect();
    let solver = match external {
        Some(external) => Layered::new().with_external(Box::new(external.clone())),
        None => Layered::new(),
    };
    Some(Hunt::new(harness, symbolic, settings, solver))
}

impl Strategy for Symbolic<'_> {
    fn name(&self) -> &'static str {
        "symbolic"
    }

    fn propose(&mut self, known: &SearchState<'_>, count: usize) -> Vec<Program> {
        let until = self.spent() + SLICE;
        self.look_around(known);
        while self.harness.is_some() && self.found.len() < count && self.spent() < until {
            let before = self.spent();
            // Half of the work is for new paths, as long as there are some.
            let explores = self.exploring <= before / 2;
            if !(explores && self.explore_next(known)
                || self.pursue(known, until)
                || self.explore_next(known))
            {
                break;
            }
        }
        let programs = self.found.drain(..self.found.len().min(count));
        let (programs, aims): (Vec<Program>, Vec<_>) = programs.unzip();
        self.aims = aims;
        if !programs.is_empty() {
            self.awaited.push_back(self.aims.clone());
        }
        programs
    }

    fn aim(&self, at: usize) -> Option<u32> {
        self.aims.get(at).copied().flatten()
    }

    fn solved(&mut self) -> BTreeMap<u32, Solved> {
        self.notes.hand_over()
    }

    fn is_thorough(&self) -> bool {
        true
    }

    fn effort(&mut self) -> u64 {
        let spent = self.spent();
        spent - std::mem::replace(&mut self.told, spent)
    }

    fn take(&mut self, _: &SearchState<'_>, round: &[Trial]) {
        let aims = self.awaited.pop_front().unwrap_or_default();
        for (trial, mutant) in round.iter().zip(aims) {
            let Some(mutant) = mutant else { continue };
            let shows = trial.execution.differences.iter().any(|(it, _)| *it == mutant);
            let came_to_an_end =
                matches!(trial.execution.outcome, wire::Outcome::Ok | wire::Outcome::Panic { .. });
            if !shows && came_to_an_end {
                self.notes.does_not_show(mutant);
            }
        }
    }
}

/// An external solver that all hunts ask, one after the other.
#[derive(Clone)]
struct Shared(Rc<RefCell<Box<dyn Solver>>>);

impl Shared {
    fn new(solver: Box<dyn Solver>) -> Shared {
        Shared(Rc::new(RefCell::new(solver)))
    }
}

impl Solver for Shared {
    fn name(&self) -> &str {
        "external"
    }

    fn check(&mut self, exprs: &mut Exprs, constraints: &[Expr], limit: &Limit) -> Answer {
        self.0.borrow_mut().check(exprs, constraints, limit)
    }
}
