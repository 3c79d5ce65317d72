//! The worker as the engine drives it: what is kept between calls from outside, and the entries that it calls.
//!
//! `main` keeps the tables and returns. The engine then loads a batch, takes a snapshot, and runs programs from there as often
//! as it wants, each time with other literals.

use super::run::{Role, Runner};
use super::table::Tables;
use super::watch::Watch;
use super::wire::{Batch, Outcome};
use super::worker::runner;
use crate::switch;

use std::cell::UnsafeCell;

struct Kept(UnsafeCell<Option<(Runner, Batch)>>);

// SAFETY: there is one thread where this is used.
unsafe impl Sync for Kept {}

static KEPT: Kept = Kept(UnsafeCell::new(None));

/// Keeps what the entries need.
pub(super) fn keep(tables: Tables) {
    switch::drive(0);
    let kept = (runner(tables), Batch::default());
    // SAFETY: one thread, and no entry is active.
    unsafe { *KEPT.0.get() = Some(kept) };
}

/// A bit of a run's mode: sites tell what they see.
const TRACED: u32 = 1;
/// A bit of a run's mode: observations are made.
const OBSERVED: u32 = 2;

/// Room for a message.
#[cfg_attr(target_arch = "wasm32", no_mangle)]
#[cfg_attr(not(target_arch = "wasm32"), allow(dead_code))]
extern "C" fn ts_alloc(len: usize) -> *mut u8 {
    Box::leak(vec![0; len].into_boxed_slice()).as_mut_ptr()
}

/// Takes a batch; how many runs it has, or -1 if it is none.
#[cfg_attr(target_arch = "wasm32", no_mangle)]
#[cfg_attr(not(target_arch = "wasm32"), allow(dead_code))]
unsafe extern "C" fn ts_load(at: *const u8, len: usize) -> i32 {
    let (Some((_, kept)), Ok(batch)) =
        (&mut *KEPT.0.get(), Batch::decode(std::slice::from_raw_parts(at, len)))
    else {
        return -1;
    };
    *kept = batch;
    kept.runs.len() as i32
}

/// Runs a program of the batch as a mutant, or as the original for 0. How it ended, and above 8 bits in which statement.
#[cfg_attr(target_arch = "wasm32", no_mangle)]
#[cfg_attr(not(target_arch = "wasm32"), allow(dead_code))]
unsafe extern "C" fn ts_run(run: usize, mutant: u32, mode: u32) -> u32 {
    let Some((runner, batch)) = &mut *KEPT.0.get() else { return u32::MAX };
    let Some(run) = batch.runs.get(run) else { return u32::MAX };
    let role = match mutant {
        0 => Role::Original { traced: mode & TRACED != 0 },
        mutant => Role::Mutant(mutant),
    };
    let mut watch = if mode & OBSERVED != 0 { Watch::Tell } else { Watch::Nothing };
    let end = runner.run(run, role, u64::MAX, &batch.options, None, &mut watch);
    let outcome = match end.outcome {
        None | Some(Outcome::Ok) => 0,
        Some(Outcome::Panic { .. }) => 1,
        Some(Outcome::Type(_)) => 3,
        Some(_) => 4,
    };
    outcome | u32::from(end.statement) << 8
}
