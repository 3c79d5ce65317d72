//! Takes all there is: time, stack, memory, files, processes.

use std::fs::File;
use std::hint::black_box;

pub fn loop_for_ever() -> u32 {
    let mut number = 0_u32;
    loop {
        number = black_box(number.wrapping_add(1));
    }
}

pub fn recurse_for_ever(number: u64) -> u64 {
    black_box(recurse_for_ever(black_box(number.wrapping_add(1)))).wrapping_add(1)
}

pub fn allocate_at_once(gigabytes: usize) -> usize {
    black_box(vec![1_u8; gigabytes << 30]).len()
}

pub fn allocate_by_and_by(gigabytes: usize) -> usize {
    let mut all = Vec::new();
    while all.len() < gigabytes << 10 {
        all.push(black_box(vec![1_u8; 1 << 20]));
    }
    all.len()
}

/// How many files can be open at a time.
pub fn open_files() -> usize {
    let files: Vec<File> = (0..5000).map_while(|_| File::open("/dev/null").ok()).collect();
    files.len()
}

/// How many children can be had at a time. They wait until they are killed.
pub fn start_children() -> usize {
    let started = (0..200).take_while(|_| {
        // SAFETY: the child waits and does nothing else.
        match unsafe { crate::process::fork() } {
            0 => loop {
                // SAFETY: waits for a signal.
                unsafe { crate::process::pause() };
            },
            child => child > 0,
        }
    });
    started.count()
}

/// Makes a file of this size.
pub fn fill_the_disk(gigabytes: u64) -> String {
    let path = std::env::temp_dir().join("large");
    crate::told(File::create(path).and_then(|file| file.set_len(gigabytes << 30)))
}
