//! Fuel: what stops a mutant that loops for ever.
//!
//! Every loop body and function entry of the meta-program pays one tick. A traced run only counts; a mutant
//! gets a limit scaled from that count, and its process ends when the limit is reached. In a harness, programs get
//! limits of their own (harness/limits.rs).

use std::sync::atomic::{AtomicU64, Ordering};

use crate::{harness, switch, wasm};

/// Ticks between two entries of a traced run on the coverage map.
pub(crate) const CHUNK: u64 = 1024;

/// Ticks left. Threads may lose a tick to each other, which costs precision that nobody needs.
static LEFT: AtomicU64 = AtomicU64::new(0);

pub(crate) fn fill(ticks: u64) {
    LEFT.store(ticks, Ordering::Relaxed);
}

#[allow(dead_code)] // By the harness alone, which not every copy has.
pub(crate) fn left() -> u64 {
    LEFT.load(Ordering::Relaxed)
}

/// Pays one tick.
#[inline(always)]
pub fn tick() {
    // The engine counts its steps.
    if wasm::IS {
        return;
    }
    let left = LEFT.load(Ordering::Relaxed);
    if left == 0 {
        empty();
    } else {
        LEFT.store(left - 1, Ordering::Relaxed);
    }
}

/// The first tick of a process, the end of a chunk, or the end of a mutant.
#[cold]
fn empty() {
    if harness::refill() {
        return;
    }
    switch::start();
    let Some(coverage_map) = switch::coverage_map() else { return fill(u64::MAX) };
    match coverage_map.task() {
        crate::coverage_map::Task::Plain | crate::coverage_map::Task::Each { .. } => fill(u64::MAX),
        crate::coverage_map::Task::Trace { .. } => {
            coverage_map.add_fuel_used(CHUNK);
            fill(CHUNK);
        }
        crate::coverage_map::Task::Mutant { fuel, .. } => {
            // `start` has just filled it when this was the first tick.
            if LEFT.load(Ordering::Relaxed) == 0 && fuel > 0 {
                coverage_map.set_out_of_fuel();
                std::process::abort();
            }
        }
    }
}
