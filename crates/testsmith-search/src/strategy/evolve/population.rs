//! The individuals that survive: [`Population`].
//!
//! For each open goal the best few are kept, as if every goal had a front of its own: what is best for one goal is not
//! pushed out by what is good for many. Fitness comes first, then impact, then length. Of equals, a few newcomers replace others, so
//! that evolution can drift over a plateau.

use std::collections::BTreeMap;
use std::sync::Arc;

use testsmith_ir::Program;
use testsmith_ir::random::Rng;
use testsmith_rt::harness::wire::Operands;

use super::goal::{Goal, Group};
use crate::options::Evolving;
use crate::search_state::SearchState;

/// Individuals of a goal, at least and at most.
const FEWEST: usize = 2;
const MOST: usize = 10;

/// One in so many newcomers replaces an equal one.
const DRIFT: usize = 8;

/// So many goals of a group are looked at, and the one that has been tried least is taken.
const CHOICE: usize = 4;

/// How often each group has its turn, by [`Group::ALL`].
const WEIGHTS: [usize; Group::ALL.len()] = [3, 1, 3, 3];

/// A program with what it is worth to a goal.
#[derive(Clone, Debug)]
pub(super) struct Individual {
    pub(super) program: Arc<Program>,
    /// Eq. 5 of µTEST without the impact.
    pub(super) fitness: f64,
    /// Eq. 4.
    pub(super) impact: f64,
    /// How far the comparison that matters was from the other answer.
    pub(super) distance: Option<f64>,
    /// What that comparison was about.
    pub(super) operands: Vec<Operands>,
}

impl Individual {
    fn is_better_than(&self, other: &Individual) -> bool {
        let is_shorter = self.program.size() < other.program.size();
        self.worth() > other.worth() || self.worth() == other.worth() && is_shorter
    }

    /// What decides between two individuals, one after the other.
    fn worth(&self) -> (f64, f64) {
        (self.fitness, self.impact)
    }
}

/// The individuals of a goal, the best first.
#[derive(Clone, Debug, Default)]
struct Niche {
    group: Option<Group>,
    individuals: Vec<Individual>,
    /// How often an individual was chosen since there was a better one.
    chosen: u32,
}

/// All individuals.
#[derive(Clone, Debug)]
pub(super) struct Population {
    niches: BTreeMap<Goal, Niche>,
    /// Open goals by group.
    groups: [Vec<Goal>; Group::ALL.len()],
    size: usize,
    /// A goal that was chosen so often in vain is left to chance.
    patience: u32,
}

impl Population {
    pub(super) fn new(parameters: &Evolving) -> Population {
        let patience = u32::try_from(parameters.generations * 4).unwrap_or(u32::MAX);
        Population {
            niches: BTreeMap::new(),
            groups: [const { Vec::new() }; Group::ALL.len()],
            size: parameters.population,
            patience,
        }
    }

    /// Goals that are open.
    pub(super) fn open(&self) -> Vec<Goal> {
        self.niches.keys().copied().collect()
    }

    pub(super) fn is_open(&self, goal: Goal) -> bool {
        self.niches.contains_key(&goal)
    }

    /// Forgets goals that are reached, and puts the others into their groups.
    pub(super) fn close(&mut self, known: &SearchState<'_>) {
        self.niches.retain(|goal, _| goal.is_open(known));
        self.groups.iter_mut().for_each(Vec::clear);
        for (goal, niche) in &mut self.niches {
            let group = goal.group(known);
            // A goal that has come a step further has all its chances again.
            if niche.group.replace(group) != Some(group) {
                niche.chosen = 0;
            }
            self.groups[group as usize].push(*goal);
        }
    }

    /// Keeps an individual if it is good enough; whether it is fitter than all before.
    pub(super) fn offer(&mut self, goal: Goal, individual: &Individual, rng: &mut Rng) -> bool {
        let room = (self.size / self.niches.len().max(1)).clamp(FEWEST, MOST);
        let niche = self.niches.entry(goal).or_default();
        let best = niche.individuals.first();
        let is_fitter = best.is_none_or(|best| individual.fitness > best.fitness);
        if niche.individuals.iter().any(|known| known.program == individual.program) {
            return false;
        }
        let at = niche.individuals.iter().position(|known| individual.is_better_than(known));
        let at = at.unwrap_or(niche.individuals.len());
        if at < room {
            niche.individuals.insert(at, individual.clone());
            niche.individuals.truncate(room);
        } else if niche.individuals.last().is_some_and(|last| last.worth() == individual.worth())
            && rng.once_in(DRIFT)
        {
            *niche.individuals.last_mut().expect("there is a last one") = individual.clone();
        }
        if is_fitter {
            niche.chosen = 0;
        }
        is_fitter
    }

    /// A goal and a parent for it.
    pub(super) fn choose(&mut self, rng: &mut Rng) -> Option<(Goal, Individual)> {
        let turns: Vec<usize> = (0..Group::ALL.len())
            .filter(|group| !self.groups[*group].is_empty())
            .flat_map(|group| std::iter::repeat_n(group, WEIGHTS[group]))
            .collect();
        let group = *rng.one(&turns)?;
        let some = (0..CHOICE).filter_map(|_| rng.one(&self.groups[group]).copied());
        let tried =
            |goal: &Goal| self.niches.get(goal).map_or(u32::MAX, |niche| niche.chosen.min(self.patience));
        let goal = some.min_by_key(tried)?;
        let niche = self.niches.get_mut(&goal)?;
        niche.chosen = niche.chosen.saturating_add(1);
        // The better of two.
        let at = rng.below(niche.individuals.len()).min(rng.below(niche.individuals.len()));
        Some((goal, niche.individuals[at].clone()))
    }

    /// Any individual.
    pub(super) fn any(&self, rng: &mut Rng) -> Option<&Individual> {
        let group = rng.one_of(self.groups.iter().filter(|group| !group.is_empty()))?;
        let niche = self.niches.get(rng.one(group)?)?;
        rng.one(&niche.individuals)
    }
}

#[cfg(test)]
mod tests {
    use testsmith_ir::{Literal, Statement, TypeId};

    use super::*;

    fn individual(fitness: f64, impact: f64, statements: usize) -> Individual {
        let literal = Statement::Literal { ty: TypeId(0), value: Literal::Unit };
        let program = Arc::new(std::iter::repeat_n(literal, statements).collect());
        Individual { program, fitness, impact, distance: None, operands: Vec::new() }
    }

    #[test]
    fn fitness_comes_first_then_impact_then_length() {
        let mut population = Population::new(&Evolving { population: 4, ..Evolving::default() });
        let mut rng = Rng::new(1);
        let goal = Goal::Mutant(1);
        let offers = [
            (0.5, 0.0, 5, true),
            (0.5, 0.0, 3, false),
            (0.9, 0.0, 9, true),
            (0.5, 0.2, 8, false),
            (0.1, 0.3, 1, false),
        ];
        for (fitness, impact, statements, expected) in offers {
            assert_eq!(population.offer(goal, &individual(fitness, impact, statements), &mut rng), expected);
        }
        let kept: Vec<(f64, usize)> =
            population.niches[&goal].individuals.iter().map(|it| (it.fitness, it.program.size())).collect();
        assert_eq!(kept, [(0.9, 9), (0.5, 8), (0.5, 3), (0.5, 5)]);
    }
}
