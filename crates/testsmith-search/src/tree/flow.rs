//! The nodes of the control flow that executions go through: [`Flow`].
//!
//! The paper has the nodes of a method's control-flow graph. Here a node is a region of the source (see
//! `testsmith_ir::regions`), or a mutant that is to be killed: it is hit by an execution in which it computes another value, or
//! may do so. Successors of a region are the regions and the mutants in it.

use std::collections::{BTreeMap, BTreeSet};

use testsmith_ir::{CallableId, Side};
use testsmith_rt::harness::wire::Execution;

use crate::subject::Subject;

/// All nodes: regions first, then one for each mutant, number 0 among them.
pub(super) struct Flow {
    /// By region: the one around it.
    parents: Vec<Option<usize>>,
    /// By region: its function.
    functions: Vec<usize>,
    /// By mutant.
    region_of: Vec<Option<usize>>,
    /// Regions that are entered when a condition comes out in a certain way.
    entered: BTreeMap<Side, Vec<usize>>,
    /// Functions that a call of a callable may execute.
    executed: BTreeMap<CallableId, BTreeSet<usize>>,
}

impl Flow {
    pub(super) fn new(subject: &Subject<'_>) -> Flow {
        let regions = &subject.regions;
        let mut entered: BTreeMap<Side, Vec<usize>> = BTreeMap::new();
        for (at, region) in regions.all.iter().enumerate() {
            region.sides.iter().for_each(|side| entered.entry(*side).or_default().push(at));
        }
        let mut executed: BTreeMap<CallableId, BTreeSet<usize>> = BTreeMap::new();
        for target in &subject.mutants {
            for callable in &target.callables {
                executed.entry(*callable).or_default().insert(target.function);
            }
        }
        Flow {
            parents: regions.all.iter().map(|region| region.parent).collect(),
            functions: regions.all.iter().map(|region| region.function).collect(),
            region_of: regions.by_mutant(subject.mutants.len()),
            entered,
            executed,
        }
    }

    /// The nodes that an execution went through, in order.
    pub(super) fn hits(&self, execution: &Execution) -> Vec<usize> {
        let mut hits = BTreeSet::new();
        for mutant in &execution.reached {
            self.enter(self.region_of.get(*mutant as usize).copied().flatten(), &mut hits);
        }
        for made in &execution.distances {
            for (distance, answer) in [(made.to_true, true), (made.to_false, false)] {
                if distance == 0.0 {
                    let regions = self.entered.get(&Side { probe: made.probe, answer });
                    regions.into_iter().flatten().for_each(|region| self.enter(Some(*region), &mut hits));
                }
            }
        }
        let infected = execution.infected.iter().chain(&execution.maybe);
        hits.extend(infected.map(|mutant| self.mutant(*mutant)));
        hits.into_iter().collect()
    }

    /// Whoever is in a region is in those around it.
    fn enter(&self, region: Option<usize>, hits: &mut BTreeSet<usize>) {
        let mut next = region;
        while let Some(region) = next.filter(|region| hits.insert(*region)) {
            next = self.parents[region];
        }
    }

    /// The node of a mutant.
    pub(super) fn mutant(&self, mutant: u32) -> usize {
        self.parents.len() + mutant as usize
    }

    /// The nodes that a call of a callable may go through, these mutants among them. All, where nothing is known.
    pub(super) fn of_call(&self, callable: CallableId, alive: &[u32]) -> Nodes {
        let functions = self.executed.get(&callable);
        let is_executed = |function: usize| functions.is_none_or(|known| known.contains(&function));
        let mut nodes: Vec<usize> =
            (0..self.parents.len()).filter(|region| is_executed(self.functions[*region])).collect();
        let regions = nodes.len();
        let in_region = |mutant: &u32| self.region_of.get(*mutant as usize).copied().flatten();
        let is_inside =
            |mutant: &&u32| in_region(mutant).is_some_and(|region| is_executed(self.functions[region]));
        nodes.extend(alive.iter().filter(is_inside).map(|mutant| self.mutant(*mutant)));
        let places: BTreeMap<usize, usize> = nodes.iter().copied().zip(0..).collect();
        let mut successors = vec![Vec::new(); nodes.len()];
        for (place, node) in nodes.iter().enumerate() {
            let parent = match place < regions {
                true => self.parents[*node],
                false => self.region_of[*node - self.parents.len()],
            };
            if let Some(parent) = parent.and_then(|parent| places.get(&parent)) {
                successors[*parent].push(place);
            }
        }
        Nodes { places, successors }
    }
}

/// Some of the nodes, with numbers of their own.
pub(super) struct Nodes {
    /// From the number of a node to its number here.
    pub(super) places: BTreeMap<usize, usize>,
    pub(super) successors: Vec<Vec<usize>>,
}

impl Nodes {
    /// The numbers here of those that are here.
    pub(super) fn local(&self, hits: &[usize]) -> Vec<usize> {
        hits.iter().filter_map(|node| self.places.get(node).copied()).collect()
    }
}
