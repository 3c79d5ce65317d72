//! What came of a run of a harness: [`Execution`], with what its sites and observations have shown.

use rustc_hash::{FxHashMap, FxHashSet};

use super::host::Shown;
use crate::expr::{Evaluator, Expr, Exprs, Model};
use crate::machine::{End, Run};

/// Whether a mutant computes another value at a visit of its site.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Condition {
    /// Under this condition, of width 1; a constant where it does not depend on inputs.
    Known(Expr),
    /// Nobody knows.
    Unknown,
}

/// A mutant whose site was executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Visit {
    /// Its number.
    pub mutant: u32,
    /// Decisions before it on the path.
    pub after: usize,
    /// Whether it computes another value there.
    pub condition: Condition,
    /// An operand depended on inputs.
    pub symbolic: bool,
    /// The width of an operand is that of addresses, which differs from target to target.
    pub sized: bool,
}

/// An observation, as bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seen {
    /// After which statement; the highest number stands for the end.
    pub at: u32,
    /// Of which slot.
    pub slot: u32,
    /// In which way.
    pub aspect: u32,
    /// What was seen.
    pub bytes: Vec<u8>,
    /// The bytes that depend on inputs, with their places.
    pub exprs: Vec<(u32, Expr)>,
}

/// How a program ended, as the harness says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// By itself, or by a panic that was caught: the number that the harness gave.
    Said(u32),
    /// Somewhere where nothing catches it: a trap such as an abort.
    Trapped,
    /// Not at all: a limit was reached, or the engine cannot go on.
    Cut,
}

/// What came of a run.
#[derive(Clone, Debug)]
pub struct Execution {
    /// The path.
    pub run: Run,
    /// Visits of sites, in order; of each mutant the first few.
    pub visits: Vec<Visit>,
    /// Observations, in order.
    pub seen: Vec<Seen>,
    /// The values that all inputs had.
    pub inputs: Model,
    /// How often the sites of mutants were executed.
    pub(super) visited: FxHashMap<u32, u32>,
    /// Mutants that computed another value, where that was asked.
    infected: FxHashSet<u32>,
}

impl Execution {
    pub(super) fn new(run: Run, shown: Shown, exprs: &Exprs) -> Self {
        let Shown { inputs, visits, visited, seen, .. } = shown;
        let infected = FxHashSet::default();
        let mut execution = Self { run, visits, seen, inputs: inputs.values, visited, infected };
        execution.evaluate(exprs);
        execution
    }

    /// How it ended.
    #[must_use]
    pub fn ended(&self) -> Ended {
        match &self.run.end {
            End::Returned(values) => Ended::Said(values.first().map_or(0, |value| value.low())),
            End::Limited(_) | End::Unsupported(_) => Ended::Cut,
            _ => Ended::Trapped,
        }
    }

    /// Whether a mutant's site was executed.
    #[must_use]
    pub fn reached(&self, mutant: u32) -> bool {
        self.visited.contains_key(&mutant)
    }

    /// Whether every visit of a mutant was kept.
    pub(super) fn has_all_visits(&self, mutant: u32) -> bool {
        let kept = self.visits_of(mutant).count();
        self.visited.get(&mutant).is_none_or(|visits| *visits as usize == kept)
    }

    /// Mutants whose sites were executed.
    pub fn mutants(&self) -> impl Iterator<Item = u32> + '_ {
        self.visited.keys().copied()
    }

    /// The visits of a mutant that were kept.
    pub fn visits_of(&self, mutant: u32) -> impl Iterator<Item = &Visit> {
        self.visits.iter().filter(move |visit| visit.mutant == mutant)
    }

    /// Whether a mutant computed another value in this very run.
    #[must_use]
    pub fn infects(&self, mutant: u32) -> bool {
        self.infected.contains(&mutant)
    }

    /// Finds out which mutants computed another value.
    fn evaluate(&mut self, exprs: &Exprs) {
        let mut evaluator = Evaluator::new(self.inputs.clone());
        for visit in &self.visits {
            if let Condition::Known(condition) = visit.condition
                && evaluator.holds(exprs, condition)
            {
                self.infected.insert(visit.mutant);
            }
        }
    }

    /// Whether somebody who looks at both can tell them apart: how they ended, or what was seen. A run that was cut off
    /// is as good as any up to there.
    #[must_use]
    pub fn differs(&self, other: &Self) -> bool {
        let (ended, others) = (self.ended(), other.ended());
        if ended == Ended::Cut || others == Ended::Cut {
            return false;
        }
        ended != others
            || !self.has_shape_of(other)
            || self.seen.iter().zip(&other.seen).any(|(a, b)| a.bytes != b.bytes)
    }

    /// Whether the observations can be laid on each other: of the same slots, in the same way, of the same length.
    fn has_shape_of(&self, other: &Self) -> bool {
        let shape = |seen: &Seen| (seen.at, seen.slot, seen.aspect, seen.bytes.len());
        self.seen.len() == other.seen.len()
            && self.seen.iter().zip(&other.seen).all(|(a, b)| shape(a) == shape(b))
    }

    /// The condition under which a byte of an observation differs, on the paths of both.
    pub fn difference(&self, other: &Self, exprs: &mut Exprs) -> Expr {
        let mut differing = Vec::new();
        for (a, b) in self.seen.iter().zip(&other.seen) {
            let mut places: Vec<u32> = a.exprs.iter().chain(&b.exprs).map(|(place, _)| *place).collect();
            places.sort_unstable();
            places.dedup();
            for place in places {
                let (a, b) = (a.byte(place, exprs), b.byte(place, exprs));
                differing.push(exprs.ne(a, b));
            }
        }
        exprs.any(differing)
    }
}

impl Seen {
    fn byte(&self, place: u32, exprs: &mut Exprs) -> Expr {
        match self.exprs.binary_search_by_key(&place, |(place, _)| *place) {
            Ok(at) => self.exprs[at].1,
            Err(_) => exprs.constant(8, u128::from(self.bytes[place as usize])),
        }
    }
}
