//! Goes round the call graph until no summary grows any more.

use std::collections::{BTreeSet, VecDeque};

use super::decls::{Body, Decls, FnId};
use super::summary::Summary;
use super::walk::walk;

/// A function is walked at most this often. Summaries grow and are finite, so that this is never reached but by
/// types that are guessed differently each time.
const VISITS: usize = 40;

/// What is known of all functions, by number.
pub(super) struct Solved {
    pub(super) summaries: Vec<Summary>,
    /// Those that call each, or may do so.
    pub(super) callers: Vec<BTreeSet<FnId>>,
}

/// Summaries of all functions.
pub(super) fn solve(decls: &Decls<'_>) -> Solved {
    let mut known: Vec<Summary> = decls.fns.iter().map(|f| Summary::new(f.params.len())).collect();
    for (id, f) in decls.fns.iter().enumerate() {
        if matches!(f.body, Body::Absent) {
            known[id] = Summary::of_signature(decls, f);
        }
    }
    let mut queue: VecDeque<FnId> = (0..decls.fns.len()).collect();
    let mut waiting = vec![true; decls.fns.len()];
    let mut visits = vec![0; decls.fns.len()];
    let mut callers = vec![BTreeSet::new(); decls.fns.len()];
    while let Some(id) = queue.pop_front() {
        waiting[id] = false;
        visits[id] += 1;
        let walked = walk(decls, &known, id);
        for callee in walked.callees {
            callers[callee].insert(id);
        }
        let mut grown = known[id].clone();
        grown.join(&walked.summary);
        if grown == known[id] {
            continue;
        }
        known[id] = grown;
        for caller in &callers[id] {
            if !waiting[*caller] && visits[*caller] < VISITS {
                waiting[*caller] = true;
                queue.push_back(*caller);
            }
        }
    }
    Solved { summaries: known, callers }
}
