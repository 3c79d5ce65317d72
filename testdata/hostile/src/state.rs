//! Changes what belongs to the whole process, and tells it.

use std::cell::Cell;
use std::panic;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use crate::told;

static COUNT: AtomicU32 = AtomicU32::new(0);

thread_local! {
    static LOCAL: Cell<u32> = const { Cell::new(0) };
}

/// How often it was called, by two counts.
pub fn count() -> (u32, u32) {
    let local = LOCAL.with(|local| {
        local.set(local.get() + 1);
        local.get()
    });
    (COUNT.fetch_add(1, Ordering::Relaxed) + 1, local)
}

pub fn change_folder(path: &str) -> String {
    told(std::env::set_current_dir(path))
}

pub fn folder() -> String {
    std::env::current_dir().map_or_else(|error| error.to_string(), |path| path.display().to_string())
}

pub fn set_variable(value: &str) -> bool {
    std::env::set_var("HOSTILE", value);
    true
}

pub fn variable() -> Option<String> {
    std::env::var("HOSTILE").ok()
}

/// A hook that ends the process.
pub fn install_a_hook() -> bool {
    panic::set_hook(Box::new(|_| std::process::exit(33)));
    true
}

pub fn panic() -> u32 {
    panic!("on purpose")
}

/// Threads that are there when the call is over: one that waits, one that works, and one that panics.
pub fn leave_threads() -> bool {
    thread::spawn(|| thread::sleep(Duration::from_secs(3600)));
    thread::spawn(crate::limits::loop_for_ever);
    thread::spawn(|| {
        thread::sleep(Duration::from_millis(20));
        panic!("in a thread that nobody knows")
    });
    true
}
