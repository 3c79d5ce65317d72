//! How close a program came to killing a mutant: the fitness of µTEST (Fraser and Zeller, ISSTA 2010, §3).
//!
//! `fitness = 1 / (D_f + D_m) + I_m` (Eq. 5), to be maximised.
//!
//! * `D_f` (Eq. 1–2) counts what a program lacks for a call that leads to the mutant. Here every call is built with all its
//!   arguments, so nothing is ever lacking: it is 1 where the function of the mutant was entered, and programs that do not
//!   enter it are no candidates.
//! * `D_m` (Eq. 3) is [`mutation_distance`].
//! * `I_m = (c · |C| + r · |A|) / (1 + |t|)` (Eq. 4). `|A|` is for programs that show a difference: the archive prefers the
//!   shortest, because the number of differences is 1 at least and a worker looks no further. Before, there are a
//!   [`promise`], and the [`impact`] of the mutant that the program was made for.

use testsmith_ir::{Api, Side, Statement, TypeId};

use crate::execution_trace::{ExecutionTrace, Mark};
use crate::subject::Target;

/// D_m of a mutant that was reached and of whose distance to infection nothing is known.
const UNKNOWN: f64 = 0.5;

/// Eq. 5 with `D_f = 1` and `I_m = 0`.
pub(crate) fn of_distance(mutation: f64) -> f64 {
    1.0 / (1.0 + mutation)
}

/// Eq. 5 for a mutant whose function was entered, without what running the mutant itself shows.
pub(crate) fn of_mutant(mutant: u32, target: &Target, trace: &ExecutionTrace) -> f64 {
    let distance = mutation_distance(mutant, target, trace);
    let promise = if distance == 0.0 { promise(target, trace) } else { 0.0 };
    of_distance(distance) + promise
}

/// `I_m = c · |C| / (1 + |t|)` (Eq. 4) for a mutant that shows no difference, with `|C|` the sites that went through something
/// else than in the original; 0 if the mutant was not run to find that out. As `c` is smaller than any other part of the
/// fitness, it is left out here: the impact decides between programs that are equal in everything else.
pub(crate) fn impact(mutant: u32, trace: &ExecutionTrace, length: usize) -> f64 {
    f64::from(trace.impact(mutant).unwrap_or(0)) / (1.0 + length as f64)
}

/// `D_m = approach + branch distance`, then the necessity distance (Eq. 3). The levels, from far to near:
///
/// * the function was not entered: `2 + |conditions|`;
/// * condition `i` came out wrong: `1 + (conditions behind i) + normal(distance of condition i)`;
/// * the mutant was reached: `normal(distance of its own comparison from the other answer)`, or [`UNKNOWN`];
/// * it computed another value: 0.
fn mutation_distance(mutant: u32, target: &Target, trace: &ExecutionTrace) -> f64 {
    match trace.mark(mutant) {
        Mark::Infected | Mark::Maybe => 0.0,
        Mark::Reached => to_other_answer(target, trace).map_or(UNKNOWN, normal),
        Mark::Untouched if trace.has_entered(target.function) => 1.0 + approach(trace.way(mutant), trace),
        Mark::Untouched => 2.0 + trace.way(mutant).len() as f64,
    }
}

/// The innermost condition that was evaluated says how far it is. One that came out right and yet did not lead there has
/// something behind it that nobody measures.
fn approach(way: &[Vec<Side>], trace: &ExecutionTrace) -> f64 {
    let to_side = |side: &Side| trace.distance(side.probe, side.answer);
    let evaluated = way.iter().rev().enumerate().find_map(|(behind, sides)| {
        let distance = sides.iter().filter_map(to_side).min_by(f64::total_cmp)?;
        Some(behind as f64 + if distance > 0.0 { normal(distance) } else { -UNKNOWN })
    });
    evaluated.map_or(way.len() as f64, |distance| distance.max(0.0))
}

/// A mutant of a comparison, or of one of its operands, differs at the latest where the comparison is about to come out
/// differently. Nothing is known where there is none.
pub(crate) fn to_other_answer(target: &Target, trace: &ExecutionTrace) -> Option<f64> {
    trace.to_other(target.probe?)
}

/// What may become of another value: an estimate of the impact from 0 to 1, where no difference was seen. A comparison that is about
/// to come out differently is the best that there is.
fn promise(target: &Target, trace: &ExecutionTrace) -> f64 {
    to_other_answer(target, trace).map_or(0.0, |distance| 1.0 - normal(distance))
}

/// `d / (d + 1)`: from any distance into 0 to 1.
pub(crate) fn normal(distance: f64) -> f64 {
    if distance.is_finite() { distance / (distance + 1.0) } else { 1.0 }
}

/// The type of a statement's slot.
pub(crate) fn output(api: &Api, statement: &Statement) -> Option<TypeId> {
    match statement {
        Statement::Literal { ty, .. } => Some(*ty),
        Statement::Call { callable, .. } => Some(api[*callable].output),
        Statement::Drop(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use testsmith_ir::random::Constants;
    use testsmith_ir::{Region, Regions};
    use testsmith_rt::harness::wire::{Distance, Execution, Outcome};

    use super::*;
    use crate::subject::Subject;

    /// Mutant 1 is the comparison `if a < b`, 2 one inside of it, 3 something inside of both, 4 another function.
    fn check(reached: &[u32], infected: &[u32], distances: &[(u32, f64, f64)], expected: f64) {
        let api = Api::default();
        let region = |parent, probe: Option<u32>, mutants: &[u32]| Region {
            function: 0,
            parent,
            sides: probe.map(|probe| Side { probe, answer: true }).into_iter().collect(),
            mutants: mutants.to_vec(),
        };
        let all = vec![
            region(None, None, &[1]),
            Region { function: 1, ..region(None, None, &[4]) },
            region(Some(0), Some(1), &[2]),
            region(Some(2), Some(2), &[3]),
        ];
        let target = |probe, function| Target { probe, function, ..Target::default() };
        let subject = Subject {
            api: &api,
            roots: Vec::new(),
            inspectors: Vec::new(),
            constants: Constants::default(),
            mutants: vec![target(Some(1), 0), target(Some(2), 0), target(None, 0), target(None, 1)],
            regions: Regions { all, probes: Vec::new() },
            #[cfg(feature = "symbolic")]
            module: None,
            #[cfg(feature = "symbolic")]
            solver: None,
            changes: Vec::new(),
            fields: Vec::new(),
        };
        let distance = |(probe, to_true, to_false): &(u32, f64, f64)| Distance {
            probe: *probe,
            to_true: *to_true,
            to_false: *to_false,
            to_other: to_true.max(*to_false),
        };
        let execution = Execution {
            reached: reached.to_vec(),
            infected: infected.to_vec(),
            distances: distances.iter().map(distance).collect(),
            ..Execution::ended(Outcome::Ok, 0)
        };
        let mut trace = ExecutionTrace::new(&subject);
        trace.look(&subject, &execution);
        assert_eq!(mutation_distance(3, subject.target(3).unwrap(), &trace), expected);
    }

    #[test]
    fn every_step_towards_a_mutant_is_nearer() {
        check(&[4], &[], &[], 4.0);
        check(&[1], &[], &[(1, 3.0, 0.0)], 2.75);
        check(&[1], &[], &[(1, 1.0, 0.0)], 2.5);
        check(&[1, 2], &[], &[(1, 0.0, 1.0), (2, 1.0, 0.0)], 1.5);
        check(&[1, 2, 3], &[], &[(1, 0.0, 1.0), (2, 0.0, 9.0)], UNKNOWN);
        check(&[1, 2, 3], &[3], &[(1, 0.0, 1.0), (2, 0.0, 9.0)], 0.0);
    }
}
