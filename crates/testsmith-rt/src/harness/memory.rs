//! An allocator that ends the process when a program has allocated too much.
//!
//! An error that the program sees would lead it through code that nobody has tested; a process that dies leaves a note
//! for the tool and nothing else.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicIsize, Ordering::Relaxed};

use super::status::{self, Cause};

/// The system's allocator, counting. The generated `main` declares it as `#[global_allocator]`.
pub struct Counting;

/// Bytes that were allocated since the start of the run and are not yet free.
static LIVE: AtomicIsize = AtomicIsize::new(0);
/// As many are allowed.
static MOST: AtomicIsize = AtomicIsize::new(isize::MAX);

/// Starts to count.
pub(super) fn arm(bytes: u64) {
    LIVE.store(0, Relaxed);
    MOST.store(isize::try_from(bytes).unwrap_or(isize::MAX), Relaxed);
}

/// Lets everything pass.
pub(super) fn disarm() {
    MOST.store(isize::MAX, Relaxed);
}

#[inline]
fn more(bytes: usize) {
    let bytes = bytes as isize;
    let live = LIVE.fetch_add(bytes, Relaxed);
    if live.saturating_add(bytes) > MOST.load(Relaxed) {
        status::die(Cause::Memory);
    }
}

#[inline]
fn less(bytes: usize) {
    LIVE.fetch_sub(bytes as isize, Relaxed);
}

// SAFETY: all memory comes from and goes to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        more(layout.size());
        System.alloc(layout)
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        more(layout.size());
        System.alloc_zeroed(layout)
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        less(layout.size());
        System.dealloc(at, layout);
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        match size.checked_sub(layout.size()) {
            Some(growth) => more(growth),
            None => less(layout.size() - size),
        }
        System.realloc(at, layout, size)
    }
}
