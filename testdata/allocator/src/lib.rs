//! A crate with an allocator of its own. A program has one: the harness has to do without.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

static ALLOCATED: AtomicUsize = AtomicUsize::new(0);

struct Counted;

#[global_allocator]
static GLOBAL: Counted = Counted;

// SAFETY: all memory comes from and goes to the system's allocator.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATED.fetch_add(layout.size(), Ordering::Relaxed);
        System.alloc(layout)
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        System.dealloc(at, layout);
    }
}

/// How many bytes a vector of so many takes.
pub fn bytes_of(length: u16) -> usize {
    let before = ALLOCATED.load(Ordering::Relaxed);
    let bytes = vec![0_u8; usize::from(length)];
    drop(std::hint::black_box(bytes));
    ALLOCATED.load(Ordering::Relaxed) - before
}

pub fn gigabytes(number: usize) -> usize {
    std::hint::black_box(vec![1_u8; number << 30]).len()
}

pub fn half(number: u32) -> u32 {
    if number % 2 == 0 { number / 2 } else { number }
}
