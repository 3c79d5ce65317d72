//! What is evolved for: [`Goal`].

use std::sync::Arc;

use testsmith_ir::Program;

use super::population::Individual;
use crate::execution_trace::ExecutionTrace;
use crate::fitness;
use crate::search_state::{SearchState, Stage};

/// A mutant to kill, or a side of a comparison to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Goal {
    Mutant(u32),
    /// The probe, and how it shall come out.
    Side(u32, bool),
}

/// Goals that need the same kind of change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Group {
    /// Sides of comparisons.
    Sides,
    /// Mutants whose function was entered.
    Entered,
    /// Mutants that were reached and computed nothing else.
    Reached,
    /// Mutants that computed another value, which nobody saw.
    Infected,
}

impl Group {
    pub(super) const ALL: [Group; 4] = [Group::Sides, Group::Entered, Group::Reached, Group::Infected];
}

impl Goal {
    /// The group that it belongs to now.
    pub(super) fn group(self, known: &SearchState<'_>) -> Group {
        match self {
            Goal::Side(..) => Group::Sides,
            Goal::Mutant(mutant) => match known.near(mutant).map(|near| near.stage) {
                Some(Stage::Infected) => Group::Infected,
                Some(Stage::Reached) => Group::Reached,
                Some(Stage::Entered | Stage::Away) | None => Group::Entered,
            },
        }
    }

    /// Whether there is still something to do.
    pub(super) fn is_open(self, known: &SearchState<'_>) -> bool {
        match self {
            Goal::Mutant(mutant) => known.is_alive(mutant),
            Goal::Side(probe, side) => {
                known.branches().get(&(probe, side)).is_some_and(|it| it.distance > 0.0)
            }
        }
    }

    /// A program that was just looked at, as an individual for this goal; `None` if it has nothing to do with it.
    pub(super) fn judge(
        self,
        program: &Arc<Program>,
        known: &SearchState<'_>,
        trace: &ExecutionTrace,
    ) -> Option<Individual> {
        let (fitness, impact, distance, probe) = match self {
            Goal::Mutant(mutant) => {
                let target = known.subject().target(mutant)?;
                if !trace.has_entered(target.function) {
                    return None;
                }
                let distance = fitness::to_other_answer(target, trace);
                let impact = fitness::impact(mutant, trace, program.size());
                (fitness::of_mutant(mutant, target, trace), impact, distance, target.probe)
            }
            Goal::Side(probe, side) => {
                let distance = trace.distance(probe, side)?;
                (fitness::of_distance(fitness::normal(distance)), 0.0, Some(distance), Some(probe))
            }
        };
        let operands = trace.operands(probe);
        Some(Individual { program: program.clone(), fitness, impact, distance, operands })
    }

    /// The mutant whose function it is in.
    pub(super) fn mutant(self) -> u32 {
        match self {
            Goal::Mutant(mutant) | Goal::Side(mutant, _) => mutant,
        }
    }
}

/// All goals that are open and can be approached, each with the program that came closest so far.
pub(super) fn nearest(known: &SearchState<'_>) -> Vec<(Goal, Individual)> {
    let mutants = known.alive().filter_map(|mutant| {
        let near = known.near(mutant)?;
        let individual = Individual {
            program: near.program.clone(),
            fitness: near.fitness,
            impact: near.impact,
            distance: near.distance,
            operands: near.operands.clone(),
        };
        Some((Goal::Mutant(mutant), individual))
    });
    let open = known.branches().iter().filter(|(_, side)| side.distance > 0.0);
    let sides = open.map(|((probe, answer), side)| {
        let fitness = fitness::of_distance(fitness::normal(side.distance));
        let individual = Individual {
            program: side.program.clone(),
            fitness,
            impact: 0.0,
            distance: Some(side.distance),
            operands: side.operands.clone(),
        };
        (Goal::Side(*probe, *answer), individual)
    });
    mutants.chain(sides).collect()
}
