//! What waits to be tried, the most promising first.
//!
//! Main type: [`Queue`]. Ranks get worse while runs see more, so that an entry is ranked again when it comes to the front, and
//! put back if others are better now.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::ranking::Rank;
use crate::machine::SoftGoal;
use crate::tree::{Candidate, NodeId};

/// What may be solved for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Goal {
    /// An outcome of the tree that no run has had.
    Outcome(Candidate),
    /// The other arm of a `select`, behind the outcome of a node, or at the very beginning.
    Soft { goal: SoftGoal, after: Option<(NodeId, u64)> },
}

/// Later entries first among equals: they are deeper in what was just reached.
type Entry = (Reverse<Rank>, u64);

#[derive(Default)]
pub(super) struct Queue {
    heap: BinaryHeap<Entry>,
    goals: Vec<Option<(Goal, u32)>>,
}

impl Queue {
    /// Adds a goal with the run that it comes from.
    pub(super) fn push(&mut self, rank: Rank, goal: Goal, of_run: u32) {
        self.heap.push((Reverse(rank), self.goals.len() as u64));
        self.goals.push(Some((goal, of_run)));
    }

    /// Takes the best goal that still has a rank.
    pub(super) fn pop(&mut self, mut rank: impl FnMut(&Goal) -> Option<Rank>) -> Option<(Goal, u32)> {
        while let Some((Reverse(before), at)) = self.heap.pop() {
            let entry = self.goals[at as usize].expect("an entry is taken once");
            let Some(now) = rank(&entry.0) else {
                self.goals[at as usize] = None;
                continue;
            };
            let front = self.heap.peek().map(|(Reverse(rank), _)| *rank);
            if now > before && front.is_some_and(|front| front < now) {
                self.heap.push((Reverse(now), at));
                continue;
            }
            self.goals[at as usize] = None;
            return Some(entry);
        }
        None
    }
}
