//! An allocator that ends the process when a program has allocated too much, and what is in memory before it is written.
//!
//! An error that the program sees would lead it through code that nobody has tested; a process that dies leaves a note
//! for the tool and nothing else.
//!
//! Whoever reads what was never written finds what others have left there, which is mostly the same, and not to be relied on.
//! Workers that are to differ from others fill memory with something else, so that it shows.

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicIsize, AtomicU8, Ordering::Relaxed};

use super::status::{self, Cause};
use crate::wasm;

/// The system's allocator, counting. The generated `main` declares it as `#[global_allocator]`.
pub struct Counting;

/// Bytes that were allocated since the start of the run and are not yet free.
static LIVE: AtomicIsize = AtomicIsize::new(0);
/// As many are allowed.
static MOST: AtomicIsize = AtomicIsize::new(isize::MAX);

/// What memory is full of before and after it is in use; 0 if it is left as it is.
static FILLING: AtomicU8 = AtomicU8::new(0);
/// So much of a block is filled: more would cost time, and memory that nobody has asked for yet.
const MOST_FILLED: usize = 1 << 14;

/// Fills memory from now on, with something that depends on `salt`; for the first two it is left as it is.
pub(super) fn fill(salt: usize) {
    let filling = match salt {
        0 | 1 => 0,
        even if even % 2 == 0 => 0x5a,
        _ => 0xa5,
    };
    FILLING.store(filling, Relaxed);
}

/// Fills the stack below the caller, where that is wanted.
#[inline]
pub(super) fn fill_stack() {
    let filling = FILLING.load(Relaxed);
    if filling != 0 {
        fill_frame(filling);
    }
}

/// Apart, because its frame costs time even where nothing is filled.
#[cold]
#[inline(never)]
fn fill_frame(filling: u8) {
    let mut below = [MaybeUninit::<u8>::uninit(); MOST_FILLED];
    black_box(&mut below).fill(MaybeUninit::new(filling));
}

/// Fills a block.
///
/// # Safety
/// The block has this size, and what is in it is of no use to anyone.
#[inline]
unsafe fn fill_block(at: *mut u8, size: usize) {
    let filling = FILLING.load(Relaxed);
    if filling != 0 && !at.is_null() {
        at.write_bytes(filling, size.min(MOST_FILLED));
    }
}

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
    // The engine has a limit of its own, and a size may depend on its inputs.
    if wasm::IS {
        return;
    }
    let bytes = bytes as isize;
    let live = LIVE.fetch_add(bytes, Relaxed);
    if live.saturating_add(bytes) > MOST.load(Relaxed) {
        status::die(Cause::Memory);
    }
}

#[inline]
fn less(bytes: usize) {
    if wasm::IS {
        return;
    }
    LIVE.fetch_sub(bytes as isize, Relaxed);
}

// SAFETY: all memory comes from and goes to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        more(layout.size());
        let at = System.alloc(layout);
        fill_block(at, layout.size());
        at
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        more(layout.size());
        System.alloc_zeroed(layout)
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        less(layout.size());
        fill_block(at, layout.size());
        System.dealloc(at, layout);
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        match size.checked_sub(layout.size()) {
            Some(growth) => more(growth),
            None => less(layout.size() - size),
        }
        let new = System.realloc(at, layout, size);
        if let (Some(growth), false) = (size.checked_sub(layout.size()), new.is_null()) {
            fill_block(new.add(layout.size()), growth);
        }
        new
    }
}
