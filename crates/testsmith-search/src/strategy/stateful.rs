//! Stateful testing: objects that were seen become arguments of calls that contradict what all calls had in common.
//!
//! Programs are composed of objects by their recipes, and carry questions (`testsmith-contracts`), so that each is a test
//! and evidence at once. From time to time contracts are inferred, and the next programs are about what would contradict
//! them. See docs/internals/stateful.md.

use std::collections::{BTreeSet, VecDeque};

use testsmith_contracts::{
    Composer, Definers, Probed, Queries, Tables, Target, infer, probe, programs, targets,
};
use testsmith_ir::random::{Generator, Options};
use testsmith_ir::{Api, CallableId, Program};

use super::{Strategy, Trial};
use crate::search_state::SearchState;
use crate::subject::Subject;

/// Statements of a program before questions are added.
const STATEMENTS: usize = 14;
/// Contracts are inferred after so many programs of this strategy, and after twice as many each further time.
const FIRST_INFERENCE: u64 = 512;
/// Programs about targets that wait, at most.
const MOST_WAITING: usize = 4096;
/// Queries that panic are left out after so many programs.
const PRUNING: u64 = 256;
/// One program in so many is random, as long as objects are few.
const RANDOM: usize = 4;

/// Proposes programs about objects that were seen.
pub struct Stateful<'a> {
    api: &'a Api,
    generator: Generator<'a>,
    composer: Composer<'a>,
    queries: Queries,
    subjects: BTreeSet<CallableId>,
    tables: Tables,
    /// Programs about targets.
    waiting: VecDeque<Program>,
    /// Targets of which there were programs.
    tried: Vec<Target>,
    /// Rounds that are being run.
    running: VecDeque<Vec<(Program, Probed)>>,
    /// Programs that were run.
    taken: u64,
    next_inference: u64,
    is_pruned: bool,
    turn: usize,
    /// It waits until nothing has been gained by anybody for a while.
    stagnation: Option<Stagnation>,
}

/// When the goals that are alive became fewer last.
struct Stagnation {
    /// Executions without a gain, at least.
    patience: u64,
    alive: usize,
    since: u64,
}

impl<'a> Stateful<'a> {
    /// Of a seed. `stored` are programs that rebuild objects of earlier runs: they come first. With `patience` it has no idea before so many executions of all strategies have killed nothing.
    pub fn new(subject: &Subject<'a>, seed: u64, stored: &[Program], patience: Option<u64>) -> Stateful<'a> {
        let options = Options {
            max_statements: STATEMENTS,
            roots: subject.roots.clone(),
            constants: subject.constants.clone(),
            ..Options::default()
        };
        let is_pure = |id: CallableId| {
            subject.changes.get(id.0 as usize).is_some_and(|changes| changes.iter().all(|changes| !changes))
        };
        let queries = Queries::new(subject.api, is_pure);
        let composer = Composer::new(subject.api, seed ^ 0x57a8, options.clone());
        Stateful {
            api: subject.api,
            generator: Generator::new(subject.api, seed ^ 0x57a7, options),
            composer: composer.with_definers(definers(subject, &queries)),
            queries,
            subjects: subject.roots.iter().copied().collect(),
            tables: Tables::default(),
            waiting: stored.iter().take(MOST_WAITING).cloned().collect(),
            tried: Vec::new(),
            running: VecDeque::new(),
            taken: 0,
            next_inference: FIRST_INFERENCE,
            is_pruned: false,
            turn: 0,
            stagnation: patience.map(|patience| Stagnation { patience, alive: usize::MAX, since: 0 }),
        }
    }

    /// Whether others still get on.
    fn waits(&mut self, known: &SearchState<'_>) -> bool {
        let Some(stagnation) = &mut self.stagnation else { return false };
        let (alive, now) = (known.alive().count(), known.tally().executions);
        if alive < stagnation.alive {
            (stagnation.alive, stagnation.since) = (alive, now);
        }
        now - stagnation.since < stagnation.patience.max(stagnation.since / 4)
    }

    fn next(&mut self, leading: &[CallableId]) -> Program {
        self.turn += 1;
        if let Some(program) = self.waiting.pop_front() {
            return program;
        }
        if self.turn.is_multiple_of(RANDOM) || leading.is_empty() {
            return self.generator.next();
        }
        let callable = leading[self.turn % leading.len()];
        self.composer.compose(&self.tables, callable).unwrap_or_else(|| self.generator.next())
    }

    /// What would contradict what all calls had in common.
    ///
    /// What was tried once and met nothing new is not tried again.
    fn reduce(&mut self) {
        for (callable, table) in &self.tables.callables {
            for target in targets(*callable, table, &infer(table)) {
                if self.tried.contains(&target) {
                    continue;
                }
                let found = programs(self.api, &mut self.composer, &self.tables, &target);
                // Objects that it takes may come.
                if !found.is_empty() {
                    self.tried.push(target);
                }
                self.waiting.extend(found);
            }
        }
        self.waiting.truncate(MOST_WAITING);
    }
}

/// By query: the callables that define a field which it uses.
fn definers(subject: &Subject<'_>, queries: &Queries) -> Definers {
    let defines = |callable: CallableId, query: CallableId| {
        let both = (subject.fields.get(callable.0 as usize), subject.fields.get(query.0 as usize));
        matches!(both, (Some(one), Some(other)) if !one.defines.is_disjoint(&other.uses))
    };
    let of_query = |(_, query): (_, CallableId)| {
        let all = subject.roots.iter().copied().filter(|callable| defines(*callable, query));
        (query, all.collect())
    };
    queries.about_one().map(of_query).collect()
}

impl Strategy for Stateful<'_> {
    fn name(&self) -> &'static str {
        "stateful"
    }

    fn looks(&self) -> bool {
        true
    }

    fn propose(&mut self, known: &SearchState<'_>, count: usize) -> Vec<Program> {
        if self.waits(known) {
            return Vec::new();
        }
        known.callable_stats().teach(&mut self.generator);
        self.composer.weigh(|callable| known.callable_stats().weight(callable));
        // Calls that lead to what is alive.
        let mut leading: Vec<CallableId> =
            known.alive().flat_map(|mutant| known.leading_to(mutant)).collect();
        leading.sort_unstable();
        leading.dedup();
        leading.retain(|callable| self.subjects.contains(callable));
        let round: Vec<(Program, Probed)> = (0..count)
            .map(|_| {
                let mut program = self.next(&leading);
                // Rows have to hold what is run.
                self.api.bring_within(&mut program);
                let probed =
                    probe(self.api, &self.queries, &program, |callable| self.subjects.contains(&callable));
                (program, probed)
            })
            .collect();
        let programs = round.iter().map(|(_, probed)| probed.program.clone()).collect();
        self.running.push_back(round);
        programs
    }

    fn take(&mut self, _: &SearchState<'_>, round: &[Trial]) {
        let asked = self.running.pop_front().unwrap_or_default();
        for ((program, mut probed), trial) in asked.into_iter().zip(round) {
            // Values may have been brought within what the user allows.
            if trial.program.size() == probed.program.size() {
                probed.program = trial.program.as_ref().clone();
                self.tables.record(self.api, &program.into(), &probed, &trial.execution);
            }
        }
        self.taken += round.len() as u64;
        if !self.is_pruned && self.taken >= PRUNING {
            self.is_pruned = true;
            self.queries.remove(&self.tables.panicking);
            self.tables = Tables::default();
        }
        if self.taken >= self.next_inference {
            self.next_inference *= 2;
            self.reduce();
        }
    }
}
