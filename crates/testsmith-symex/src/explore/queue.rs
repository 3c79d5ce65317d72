//! What waits to be tried, the most promising first.
//!
//! Main type: [`Queue`]. Ranks get worse while runs see more, so that an entry is ranked again when it comes to the front, and
//! put back if others are better now.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

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

/// A goal that waits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) goal: Goal,
    /// The run that it comes from.
    pub(super) of_run: u32,
    /// A short attempt has not solved it.
    pub(super) tried: bool,
}

/// A rank with the number of its entry: later ones first among equals, since they are deeper in what was just reached.
type Ranked = (Reverse<Rank>, u64);

/// Of so many goals one is the best that is near the root, so that what was reached last does not keep the search to itself.
const SHALLOW: u32 = 8;

#[derive(Default)]
pub(super) struct Queue {
    /// By rank, whatever the depth.
    heap: BinaryHeap<Ranked>,
    /// The same by rank and depth.
    shallow: BinaryHeap<Ranked>,
    taken: u32,
    entries: Vec<Option<Entry>>,
    /// Hard ones, in the order in which they were given up.
    put_off: VecDeque<Entry>,
}

impl Queue {
    /// Adds a goal with the run that it comes from.
    pub(super) fn push(&mut self, rank: Rank, goal: Goal, of_run: u32) {
        let number = self.entries.len() as u64;
        self.heap.push((Reverse(any_depth(rank)), number));
        self.shallow.push((Reverse(rank), number));
        self.entries.push(Some(Entry { goal, of_run, tried: false }));
    }

    /// Puts a hard goal behind the others.
    pub(super) fn put_off(&mut self, entry: Entry) {
        self.put_off.push_back(entry);
    }

    /// Takes a hard goal where `hard` says that it is their turn, or nothing else is left; else the best that still has a rank.
    pub(super) fn pop(&mut self, hard: bool, mut rank: impl FnMut(&Goal) -> Option<Rank>) -> Option<Entry> {
        let put_off = |queue: &mut Self, rank: &mut dyn FnMut(&Goal) -> Option<Rank>| {
            std::iter::from_fn(|| queue.put_off.pop_front()).find(|entry| rank(&entry.goal).is_some())
        };
        if hard && let Some(entry) = put_off(self, &mut rank) {
            return Some(entry);
        }
        self.best(&mut rank).or_else(|| put_off(self, &mut rank))
    }

    fn best(&mut self, rank: &mut dyn FnMut(&Goal) -> Option<Rank>) -> Option<Entry> {
        self.taken = self.taken.wrapping_add(1);
        match self.taken.is_multiple_of(SHALLOW) {
            true => take(&mut self.shallow, &mut self.entries, rank),
            false => take(&mut self.heap, &mut self.entries, &mut |goal| rank(goal).map(any_depth)),
        }
    }
}

fn any_depth(Rank(first, second, _): Rank) -> Rank {
    Rank(first, second, 0)
}

/// Takes the best entry of a heap that still has a rank.
fn take(
    heap: &mut BinaryHeap<Ranked>,
    entries: &mut [Option<Entry>],
    rank: &mut dyn FnMut(&Goal) -> Option<Rank>,
) -> Option<Entry> {
    while let Some((Reverse(before), at)) = heap.pop() {
        // The other heap may have given it away.
        let Some(entry) = entries[at as usize] else { continue };
        let Some(now) = rank(&entry.goal) else {
            entries[at as usize] = None;
            continue;
        };
        let front = heap.peek().map(|(Reverse(rank), _)| *rank);
        if now > before && front.is_some_and(|front| front < now) {
            heap.push((Reverse(now), at));
            continue;
        }
        entries[at as usize] = None;
        return Some(entry);
    }
    None
}
