//! Trees that compete: a [`Population`] is about one callable, which is at the top of all its trees.

use std::collections::{BTreeSet, HashMap};

use testsmith_ir::random::Rng;

use super::Parameters;
use super::flow::Nodes;
use super::grow::Grower;
use super::node::Node;
use super::weights::{Weights, unfeasible};

/// A tree that was executed.
#[derive(Clone, Debug)]
pub(super) struct Individual {
    pub(super) tree: Node,
    pub(super) trace: Trace,
}

/// What became of it.
#[derive(Clone, Debug)]
pub(super) enum Trace {
    /// The call at the top was made; the nodes that were hit.
    Feasible(Vec<usize>),
    /// A statement before it panicked, or gave nothing.
    Unfeasible { statements: usize, ended: usize },
}

impl Trace {
    pub(super) fn is_feasible(&self) -> bool {
        matches!(self, Trace::Feasible(_))
    }
}

/// One of the next generation.
#[derive(Clone, Debug)]
pub(super) enum Offspring {
    /// A copy, whose trace is known.
    Reproduced(Individual),
    /// To be executed.
    New(Node),
}

/// Trees of one callable.
pub(super) struct Population {
    /// The number of the entry at the top.
    top: usize,
    individuals: Vec<Individual>,
    nodes: Nodes,
    weights: Weights,
    /// Nodes that were ever hit.
    covered: BTreeSet<usize>,
    /// By the hash of a program: what became of it, since the last beginning.
    traces: HashMap<u64, Trace>,
    /// Generations since something was hit or killed for the first time.
    pub(super) stale: usize,
    /// How often it has begun anew: generations from before do not count.
    pub(super) beginnings: usize,
}

impl Population {
    /// Of trees with an entry at their top, which may go through these nodes.
    pub(super) fn new(top: usize, nodes: Nodes) -> Population {
        Population {
            top,
            individuals: Vec::new(),
            weights: Weights::new(nodes.successors.clone()),
            nodes,
            covered: BTreeSet::new(),
            traces: HashMap::new(),
            stale: 0,
            beginnings: 0,
        }
    }

    /// The next generation: random trees at first, then by one of the three pipelines each, with equal chances.
    pub(super) fn breed(&self, grower: &mut Grower<'_>, parameters: &Parameters) -> Vec<Offspring> {
        let mut next = Vec::new();
        while next.len() < parameters.population {
            let chosen = if self.individuals.is_empty() { 3 } else { grower.rng.below(3) };
            match chosen {
                0 => next.push(Offspring::Reproduced(self.select(&mut grower.rng, parameters).clone())),
                1 => {
                    let [left, right] = self.crossover(&mut grower.rng, parameters);
                    next.push(Offspring::New(left));
                    next.push(Offspring::New(right));
                }
                2 => next.push(Offspring::New(self.mutation(grower, parameters))),
                _ => match self.fresh(grower, parameters) {
                    Some(tree) => next.push(Offspring::New(tree)),
                    None => break,
                },
            }
        }
        next.truncate(parameters.population);
        next
    }

    fn fresh(&self, grower: &mut Grower<'_>, parameters: &Parameters) -> Option<Node> {
        grower.literals.renew(&mut grower.rng);
        let depth = 1 + grower.rng.below(parameters.depth);
        grower.entry(self.top, depth)
    }

    /// Tournament: of some at random, the one with the least fitness.
    fn select(&self, rng: &mut Rng, parameters: &Parameters) -> &Individual {
        let mut best = &self.individuals[rng.below(self.individuals.len())];
        for _ in 1..parameters.tournament {
            let other = &self.individuals[rng.below(self.individuals.len())];
            if self.fitness(other, parameters) < self.fitness(best, parameters) {
                best = other;
            }
        }
        best
    }

    fn fitness(&self, individual: &Individual, parameters: &Parameters) -> f64 {
        match &individual.trace {
            Trace::Feasible(hits) => self.weights.feasible(hits),
            Trace::Unfeasible { statements, ended } => unfeasible(parameters.penalty, *statements, *ended),
        }
    }

    /// Swaps two subtrees that provide the same type. Trees that would be too large stay as they are.
    fn crossover(&self, rng: &mut Rng, parameters: &Parameters) -> [Node; 2] {
        let mut left = self.select(rng, parameters).tree.clone();
        let mut right = self.select(rng, parameters).tree.clone();
        let types: Vec<_> = left.nodes().iter().map(|node| node.ty).collect();
        // Swapping the tops would give the same two trees.
        let pairs = right.nodes().into_iter().enumerate().skip(1).flat_map(|(at, node)| {
            let same = types.iter().enumerate().skip(1).filter(|(_, ty)| **ty == node.ty);
            same.map(|(other, _)| (other, at)).collect::<Vec<_>>()
        });
        if let Some((from, to)) = rng.one_of(pairs) {
            let (mut one, mut other) = (left.clone(), right.clone());
            if let (Some(one), Some(other)) = (one.node_mut(from), other.node_mut(to)) {
                std::mem::swap(one, other);
            }
            if one.size().max(other.size()) <= parameters.nodes {
                (left, right) = (one, other);
            }
        }
        [left, right]
    }

    /// Replaces a subtree by a new one of the same type.
    fn mutation(&self, grower: &mut Grower<'_>, parameters: &Parameters) -> Node {
        let mut tree = self.select(&mut grower.rng, parameters).tree.clone();
        let number = grower.rng.below(tree.size());
        grower.literals.renew(&mut grower.rng);
        let depth = grower.rng.below(parameters.depth);
        let Some(place) = tree.node_mut(number) else { return tree };
        let new = match number {
            0 => grower.entry(self.top, depth + 1),
            _ => grower.instead_of(place, depth),
        };
        let old = new.map(|new| std::mem::replace(place, new));
        if let Some(old) = old
            && tree.size() > parameters.nodes
            && let Some(place) = tree.node_mut(number)
        {
            *place = old;
        }
        tree
    }

    /// A generation was executed, and has killed so many mutants.
    pub(super) fn replace(&mut self, generation: Vec<Individual>, gains: usize, parameters: &Parameters) {
        let mut counts = vec![0; self.nodes.places.len()];
        let before = self.covered.len();
        for individual in &generation {
            if let Trace::Feasible(hits) = &individual.trace {
                hits.iter().for_each(|node| counts[*node] += 1);
                self.covered.extend(hits.iter());
            }
        }
        self.weights.reevaluate(parameters.decrease, &counts, generation.len());
        self.stale = if self.covered.len() > before || gains > 0 { 0 } else { self.stale + 1 };
        if !generation.is_empty() {
            self.individuals = generation;
        }
    }

    /// What became of a program that was executed before.
    pub(super) fn known(&self, program: u64) -> Option<&Trace> {
        self.traces.get(&program)
    }

    /// What became of a program need not be found out again.
    pub(super) fn learn(&mut self, program: u64, trace: &Trace) {
        self.traces.insert(program, trace.clone());
    }

    /// Whether a trace has nodes that no tree before went through.
    pub(super) fn is_new(&self, trace: &Trace) -> bool {
        matches!(trace, Trace::Feasible(hits) if hits.iter().any(|node| !self.covered.contains(node)))
    }

    /// The hits that count here.
    pub(super) fn local(&self, hits: &[usize]) -> Vec<usize> {
        self.nodes.local(hits)
    }

    /// Begins anew, after other nodes.
    pub(super) fn restart(&mut self, nodes: Nodes) {
        let beginnings = self.beginnings + 1;
        *self = Population { beginnings, ..Population::new(self.top, nodes) };
    }
}
