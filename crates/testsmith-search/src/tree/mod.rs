//! Strategy `tree`: test programs as strongly typed trees over the purified function set, bred by the weights of the
//! control flow that they go through. The eCrash approach (Ribeiro, Zenha-Rela, Fernández de Vega 2009, §4).
//!
//! `function_set` says what trees are made of, `grow` makes them, with what is in the `bank`, `linear` writes them as programs, `population` breeds
//! them, `flow` and `weights` judge them. See docs/internals/tree.md.

mod bank;
mod flow;
mod function_set;
mod grow;
mod linear;
mod node;
mod population;
#[cfg(test)]
mod tests;
mod weights;

use std::collections::{BTreeMap, VecDeque};

pub use function_set::{Entry, FunctionSet};

use testsmith_ir::random::{Literals, Rng};
use testsmith_ir::{CallableId, Program, Slot};
use testsmith_rt::harness::wire::Execution;

use crate::engine::MUTANTS_EACH;
use crate::search_state::SearchState;
use crate::strategy::{Strategy, Trial};
use crate::subject::Subject;
use bank::Bank;
use flow::Flow;
use grow::Grower;
use linear::linearise;
use node::Node;
use population::{Individual, Offspring, Population, Trace};

/// What is bred, and how; the defaults are those that served best in the paper.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameters {
    /// Whether the function set is purified: what does not change an object does not provide it.
    pub purified: bool,
    /// Trees of a generation.
    pub population: usize,
    /// Trees that compete to be a parent.
    pub tournament: usize,
    /// α of Eq. 1: what a weight is multiplied with in each generation.
    pub decrease: f64,
    /// β of Eq. 4: what an unfeasible tree costs more.
    pub penalty: f64,
    /// Nodes below each other, of a tree that is grown.
    pub depth: usize,
    /// Nodes of a tree, at most.
    pub nodes: usize,
    /// So many generations without anything new, and a population begins anew.
    pub patience: usize,
    /// Of a hundred new subtrees so many are copies of proven ones, of any population.
    pub reuse: u8,
}

impl Default for Parameters {
    fn default() -> Parameters {
        Parameters {
            purified: true,
            population: 10,
            tournament: 2,
            decrease: 0.5,
            penalty: 150.0,
            depth: 6,
            nodes: 40,
            patience: 20,
            reuse: 30,
        }
    }
}

/// Breeds trees.
pub struct Tree<'a> {
    parameters: Parameters,
    grower: Grower<'a>,
    flow: Flow,
    /// Callables that trees can be about, with their entries.
    tops: BTreeMap<CallableId, usize>,
    populations: BTreeMap<CallableId, Population>,
    /// Callables whose turn it is, one after the other.
    turns: VecDeque<CallableId>,
    /// Rounds that are being executed.
    running: VecDeque<Vec<Generation>>,
}

/// A generation that is being executed.
struct Generation {
    callable: CallableId,
    /// Of its population.
    beginning: usize,
    members: Vec<Member>,
}

enum Member {
    Known(Individual),
    Running { tree: Node, top: Slot, hash: u64 },
}

impl<'a> Tree<'a> {
    /// Of a seed.
    pub fn new(subject: &Subject<'a>, seed: u64, parameters: Parameters) -> Tree<'a> {
        let changes = parameters.purified.then_some(subject.changes.as_slice());
        let set = FunctionSet::new(subject.api, changes.filter(|changes| !changes.is_empty()));
        let tops = subject.roots.iter().filter_map(|root| Some((*root, set.call_of(*root)?)));
        Tree {
            tops: tops.collect(),
            flow: Flow::new(subject),
            grower: Grower {
                api: subject.api,
                set,
                literals: Literals::new(subject.constants.clone()),
                rng: Rng::new(seed),
                bank: Bank::default(),
                reuse: parameters.reuse,
                parameter: None,
            },
            parameters,
            populations: BTreeMap::new(),
            turns: VecDeque::new(),
            running: VecDeque::new(),
        }
    }

    /// Entries of the function set.
    pub fn entries(&self) -> usize {
        self.grower.set.len()
    }

    /// Everybody has a turn who may lead to a mutant that is alive; where nobody does, everybody has.
    fn new_turns(&mut self, known: &SearchState<'_>) {
        let leading = known.alive().flat_map(|mutant| known.leading_to(mutant));
        let mut callables: Vec<CallableId> =
            leading.filter(|callable| self.tops.contains_key(callable)).collect();
        callables.sort_unstable();
        callables.dedup();
        if callables.is_empty() {
            callables.extend(self.tops.keys());
        }
        self.turns.extend(callables);
    }

    /// A generation of a callable, and its programs.
    fn generation(&mut self, callable: CallableId, known: &SearchState<'_>) -> (Generation, Vec<Program>) {
        let Tree { grower, parameters, flow, tops, populations, .. } = self;
        let alive = || known.alive().collect::<Vec<u32>>();
        let population = populations
            .entry(callable)
            .or_insert_with(|| Population::new(tops[&callable], flow.of_call(callable, &alive())));
        if population.stale >= parameters.patience {
            population.restart(flow.of_call(callable, &alive()));
        }
        let (mut members, mut programs) = (Vec::new(), Vec::new());
        for offspring in population.breed(grower, parameters) {
            match offspring {
                Offspring::Reproduced(individual) => members.push(Member::Known(individual)),
                Offspring::New(tree) => {
                    let Some(linear) = linearise(grower.api, &grower.set, &tree) else { continue };
                    let hash = linear.program.hash();
                    match population.known(hash) {
                        Some(trace) => members.push(Member::Known(Individual { tree, trace: trace.clone() })),
                        None => {
                            members.push(Member::Running { tree, top: linear.top, hash });
                            programs.push(linear.program);
                        }
                    }
                }
            }
        }
        (Generation { callable, beginning: population.beginnings, members }, programs)
    }

    fn evaluate(&mut self, generation: Generation, trials: &mut std::slice::Iter<'_, Trial>) {
        let Some(population) = self.populations.get_mut(&generation.callable) else { return };
        let mut gains = 0;
        let mut individuals = Vec::new();
        for member in generation.members {
            match member {
                Member::Known(individual) => individuals.push(individual),
                Member::Running { tree, top, hash } => {
                    let Some(trial) = trials.next() else { continue };
                    gains += trial.gains.len();
                    let trace = match ended_before(&trial.execution, top) {
                        Some(ended) => Trace::Unfeasible { statements: top.index() + 1, ended },
                        None => Trace::Feasible(population.local(&self.flow.hits(&trial.execution))),
                    };
                    if population.is_new(&trace) || trace.is_feasible() && !trial.gains.is_empty() {
                        self.grower.bank.keep(&tree, &mut self.grower.rng);
                    }
                    // What infects more mutants than it was run on is worth another execution.
                    if trial.execution.ran.len() < MUTANTS_EACH as usize {
                        population.learn(hash, &trace);
                    }
                    individuals.push(Individual { tree, trace });
                }
            }
        }
        if population.beginnings == generation.beginning {
            population.replace(individuals, gains, &self.parameters);
        }
    }
}

/// The statement with which a program ended before the call at the top of its tree, if it did. A value that is not there
/// ends it as a panic does: what depends on it is skipped.
fn ended_before(execution: &Execution, top: Slot) -> Option<usize> {
    let ended = usize::from(execution.statement);
    let absent = execution.absent.iter().map(|slot| usize::from(*slot)).min();
    let first = absent.map_or(ended, |absent| absent.min(ended));
    (first < top.index()).then_some(first)
}

impl Strategy for Tree<'_> {
    fn name(&self) -> &'static str {
        if self.parameters.purified { "tree" } else { "tree-impure" }
    }

    fn propose(&mut self, known: &SearchState<'_>, count: usize) -> Vec<Program> {
        let (mut round, mut programs) = (Vec::new(), Vec::new());
        // A generation may have nothing to execute: all of it was copied, or the borrow rules allow none of it.
        let mut tries = 4 * count;
        while programs.len() < count && tries > 0 {
            tries -= 1;
            if self.turns.is_empty() {
                self.new_turns(known);
            }
            let Some(callable) = self.turns.pop_front() else { break };
            let (mut generation, mut new) = self.generation(callable, known);
            let room = count - programs.len();
            if new.len() > room {
                new.truncate(room);
                cut(&mut generation.members, room);
            }
            programs.extend(new);
            round.push(generation);
        }
        if programs.is_empty() {
            // Nobody will tell what became of it.
            round.into_iter().for_each(|generation| self.evaluate(generation, &mut [].iter()));
        } else {
            self.running.push_back(round);
        }
        programs
    }

    fn take(&mut self, _: &SearchState<'_>, round: &[Trial]) {
        let mut trials = round.iter();
        for generation in self.running.pop_front().unwrap_or_default() {
            self.evaluate(generation, &mut trials);
        }
    }
}

/// Keeps so many members that are to be executed.
fn cut(members: &mut Vec<Member>, most: usize) {
    let mut running = 0;
    members.retain(|member| {
        running += usize::from(matches!(member, Member::Running { .. }));
        matches!(member, Member::Known(_)) || running <= most
    });
}
