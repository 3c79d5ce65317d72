//! What stops a program in the worker: fuel and depth.
//!
//! Ticks are handed out in small chunks. The end of a chunk is where the stack is measured, so that the way of a tick
//! stays as short as it is in a test process. A program that is out of fuel or too deep is unwound; code that runs
//! while it is (drops, or whoever catches panics) gets some more, and a process that uses up that as well dies.

use std::cell::Cell;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};

use super::status::{self, Cause};
use crate::{fuel, wasm};

/// The payload that unwinds a program; whoever throws it has noted why.
pub(super) struct Halt;

/// Ticks between two looks at the stack: so many frames may be entered unseen.
const CHUNK: u64 = 64;
/// Ticks for those who run while a program is unwound, at a time.
const GRANT: u64 = 1 << 20;
/// How often they get them.
const MOST_GRANTS: u32 = 64;

static ON: AtomicBool = AtomicBool::new(false);
/// Ticks behind the present chunk.
static BUDGET: AtomicU64 = AtomicU64::new(0);
/// All ticks that have been handed out.
static TOTAL: AtomicU64 = AtomicU64::new(0);
static GRANTS: AtomicU32 = AtomicU32::new(0);
/// The number of the run.
static RUN: AtomicU32 = AtomicU32::new(0);
/// A [`Cause`], or 0.
static STOPPED: AtomicU32 = AtomicU32::new(0);
/// Highest address of the runner's stack, its size, and how much of it may be used.
static TOP: AtomicUsize = AtomicUsize::new(0);
static SIZE: AtomicUsize = AtomicUsize::new(0);
static DEEPEST: AtomicUsize = AtomicUsize::new(usize::MAX);

thread_local! {
    /// The run that this thread belongs to.
    static SINCE: Cell<u32> = const { Cell::new(0) };
}

/// The stack of the calling thread is watched: it starts here and has this size.
pub(super) fn watch_stack(size: usize) {
    TOP.store(address(), Relaxed);
    SIZE.store(size, Relaxed);
}

/// Starts to count.
pub(super) fn arm(ticks: u64, stack: u64) {
    // The engine has limits of its own.
    if wasm::IS {
        return;
    }
    let run = RUN.load(Relaxed).wrapping_add(1).max(1);
    RUN.store(run, Relaxed);
    SINCE.with(|since| since.set(run));
    STOPPED.store(0, Relaxed);
    GRANTS.store(0, Relaxed);
    // Past half of the stack there must be room for what does not tick.
    let most = SIZE.load(Relaxed) / 2;
    DEEPEST.store(usize::try_from(stack).map_or(most, |stack| stack.min(most)), Relaxed);
    TOTAL.store(ticks, Relaxed);
    BUDGET.store(ticks, Relaxed);
    fuel::fill(0);
    ON.store(true, Relaxed);
}

/// Stops to count; the ticks that were used.
pub(super) fn disarm() -> u64 {
    if wasm::IS {
        return 0;
    }
    let left = BUDGET.load(Relaxed).saturating_add(fuel::left());
    ON.store(false, Relaxed);
    fuel::fill(u64::MAX);
    TOTAL.load(Relaxed).saturating_sub(left)
}

/// What has stopped the program, if something has.
pub(super) fn stopped() -> Option<Cause> {
    if wasm::IS {
        return None;
    }
    Cause::of(STOPPED.load(Relaxed))
}

/// Pays the first tick of a new chunk, where the harness counts; false where it does not.
pub(crate) fn refill() -> bool {
    if !ON.load(Relaxed) {
        return false;
    }
    if is_left_over() && !std::thread::panicking() {
        // It must not use up what others have, and nobody waits for it.
        resume_unwind(Box::new(Halt));
    }
    if is_too_deep() && !std::thread::panicking() {
        stop(Cause::Depth);
    }
    if BUDGET.load(Relaxed) == 0 {
        // Code that runs while a panic unwinds must not be unwound itself, and the panic stays the outcome.
        if std::thread::panicking() {
            grant();
        } else {
            stop(Cause::Fuel);
        }
    }
    let budget = BUDGET.load(Relaxed);
    let chunk = budget.min(CHUNK);
    BUDGET.store(budget - chunk, Relaxed);
    fuel::fill(chunk.saturating_sub(1));
    true
}

/// Whether this thread belongs to a program that is over.
fn is_left_over() -> bool {
    let run = RUN.load(Relaxed);
    let since = SINCE.try_with(|since| {
        if since.get() == 0 {
            since.set(run);
        }
        since.get()
    });
    since.is_ok_and(|since| since != run)
}

/// An address in the frame of the caller's caller, or near it.
#[inline(never)]
fn address() -> usize {
    let local = 0u8;
    std::hint::black_box(&local) as *const u8 as usize
}

fn is_too_deep() -> bool {
    // Other threads have their stack elsewhere: the difference is larger than the runner's stack.
    let used = TOP.load(Relaxed).wrapping_sub(address());
    used > DEEPEST.load(Relaxed) && used < SIZE.load(Relaxed)
}

#[cold]
fn stop(cause: Cause) -> ! {
    // The first reason is the reason.
    let _ = STOPPED.compare_exchange(0, cause.number(), Relaxed, Relaxed);
    grant();
    resume_unwind(Box::new(Halt))
}

fn grant() {
    let grants = GRANTS.load(Relaxed);
    if grants == MOST_GRANTS {
        status::die(stopped().unwrap_or(Cause::Fuel));
    }
    GRANTS.store(grants + 1, Relaxed);
    BUDGET.store(BUDGET.load(Relaxed).saturating_add(GRANT), Relaxed);
    TOTAL.store(TOTAL.load(Relaxed).saturating_add(GRANT), Relaxed);
}
