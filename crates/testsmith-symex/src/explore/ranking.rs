//! In which order candidates are tried.
//!
//! Main trait: [`Ranking`]. [`Coverage`] prefers outcomes that no run has had; [`Toward`] prefers those from which the fewest
//! decisions lead to a goal, and falls back on coverage among equals.

use rustc_hash::FxHashMap;

use super::distance::Distances;
use crate::machine::{Decision, Subject};
use crate::wasm::Module;

/// How promising something is: less comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Rank(pub u32, pub u32, pub u32);

/// An order of candidates, which may change with every run.
pub trait Ranking {
    /// The rank of a decision with an outcome that it has not had on this path, so many decisions from the root.
    fn rank(&self, wanted: &Decision, depth: usize) -> Rank;

    /// Looks at the path of a run.
    fn observe(&mut self, path: &[Decision]);
}

/// How often each outcome at each place was seen.
#[derive(Default)]
pub struct Coverage {
    seen: FxHashMap<(u32, u64), u32>,
}

impl Coverage {
    fn times(&self, wanted: &Decision) -> u32 {
        // Outcomes of open values are no places in the program: every one is as good as the next.
        let outcome = match wanted.subject {
            Subject::Value(_) => u64::MAX,
            _ => wanted.outcome,
        };
        self.seen.get(&(wanted.place, outcome)).copied().unwrap_or(0)
    }
}

impl Ranking for Coverage {
    fn rank(&self, wanted: &Decision, depth: usize) -> Rank {
        // Rare outcomes first; the logarithm keeps loops from being counted turn by turn.
        Rank(0, self.times(wanted).checked_ilog2().map_or(0, |log| log + 1), depth as u32)
    }

    fn observe(&mut self, path: &[Decision]) {
        for decision in path {
            let outcome = match decision.subject {
                Subject::Value(_) => u64::MAX,
                _ => decision.outcome,
            };
            *self.seen.entry((decision.place, outcome)).or_default() += 1;
        }
    }
}

/// Toward goals in the code.
pub struct Toward<'a> {
    distances: Distances,
    module: &'a Module,
    coverage: Coverage,
}

impl<'a> Toward<'a> {
    /// Toward the places that the distances are to.
    #[must_use]
    pub fn new(distances: Distances, module: &'a Module) -> Self {
        Self { distances, module, coverage: Coverage::default() }
    }

    /// Goes for other places from here on; what was seen stays known.
    pub fn aim(&mut self, distances: Distances) {
        self.distances = distances;
    }
}

impl Ranking for Toward<'_> {
    fn rank(&self, wanted: &Decision, depth: usize) -> Rank {
        let Rank(_, rare, depth) = self.coverage.rank(wanted, depth);
        let distance = self.distances.from(wanted.leads_to(self.module));
        // What was tried often without bringing the goal is put behind what is a little farther away.
        Rank(distance.saturating_add(2 * rare), rare, depth)
    }

    fn observe(&mut self, path: &[Decision]) {
        self.coverage.observe(path);
    }
}
