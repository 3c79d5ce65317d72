//! Ends its process, or makes another of it.

use std::panic::{catch_unwind, panic_any};

extern "C" {
    pub(crate) fn fork() -> i32;
    pub(crate) fn pause() -> i32;
    pub(crate) fn getpid() -> i32;
    pub(crate) fn getppid() -> i32;
    pub(crate) fn kill(process: i32, signal: i32) -> i32;
    pub(crate) fn setsid() -> i32;
    fn close(fd: i32) -> i32;
}

pub fn abort() -> u32 {
    std::process::abort()
}

pub fn exit(code: i32) -> u32 {
    std::process::exit(code)
}

pub fn segfault() -> u32 {
    // SAFETY: none; this is the point.
    unsafe { std::ptr::read_volatile(std::hint::black_box(8) as *const u32) }
}

pub fn kill_itself() -> i32 {
    // SAFETY: a system call.
    unsafe { kill(getpid(), 9) }
}

/// Both processes come back from it.
pub fn fork_and_go_on() -> bool {
    // SAFETY: none. It is what a crate does that starts processes by itself.
    unsafe { fork() >= 0 }
}

/// The child comes back from it, and the parent is gone.
pub fn fork_and_leave() -> bool {
    // SAFETY: as above.
    if unsafe { fork() } > 0 {
        std::process::exit(0);
    }
    true
}

/// Every file of the process, also those that others rely on.
pub fn close_everything() -> u32 {
    for fd in 0..1024 {
        // SAFETY: none. It is what a bug in unsafe code does.
        unsafe { close(fd) };
    }
    1
}

/// Panics when it is dropped.
pub struct Grenade(u32);

impl Grenade {
    pub fn new(number: u32) -> Grenade {
        Grenade(number)
    }
}

impl Drop for Grenade {
    fn drop(&mut self) {
        panic!("dropped {}", self.0);
    }
}

pub fn panic_while_panicking() -> u32 {
    let _grenade = Grenade(1);
    panic!("the first one")
}

/// Panics when it is looked at.
pub struct Shy(u32);

impl Shy {
    pub fn new(number: u32) -> Shy {
        Shy(number)
    }
}

impl std::fmt::Debug for Shy {
    fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        panic!("do not look at {}", self.0)
    }
}

pub fn catch_its_panic() -> bool {
    catch_unwind(|| panic!("nobody will know")).is_err()
}

/// Stops for nobody who asks by a panic.
pub fn catch_everything() -> u32 {
    loop {
        let _ = catch_unwind(crate::limits::loop_for_ever);
    }
}

/// With a payload that panics when it is dropped.
pub fn panic_with_a_grenade() -> u32 {
    panic_any(Grenade(2))
}
