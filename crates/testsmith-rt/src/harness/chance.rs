//! Random numbers of the system, and its clocks. The standard library asks for the former to tell hash tables apart, some generators of
//! random numbers begin with the latter, and where they decide what a program does, a search would never do the same twice: to workers
//! of one kind numbers are given in one order, and clocks begin anew with each program.
//!
//! The generated binary has [`chance`](crate::chance) in the place of the C library's functions of these names.

use std::os::raw::{c_int, c_long};
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};

use super::outside;

/// Which numbers are given; 0 for those of the system.
static SERIES: AtomicU64 = AtomicU64::new(0);
/// How many were given.
static GIVEN: AtomicU64 = AtomicU64::new(0);

/// How often the program that runs has looked at a clock.
static LOOKS: AtomicI64 = AtomicI64::new(0);

/// A program begins, and its clocks with it.
pub(super) fn begin_program() {
    LOOKS.store(0, Relaxed);
}

/// Gives numbers that depend on `salt` from now on, but for workers that leave everything to chance.
pub(super) fn fix(salt: usize) {
    SERIES.store(if matches!(salt, 1 | 2) { salt as u64 } else { 0 }, Relaxed);
}

/// Does what `getrandom` of the C library does.
///
/// # Safety
/// There is room for `length` bytes.
pub unsafe fn random(buffer: *mut u8, length: usize, flags: u32) -> isize {
    match SERIES.load(Relaxed) {
        0 => from_system(buffer, length, flags),
        series => {
            let bytes = std::slice::from_raw_parts_mut(buffer.cast::<std::mem::MaybeUninit<u8>>(), length);
            for chunk in bytes.chunks_mut(8) {
                let number = mixed(series << 32 | GIVEN.fetch_add(1, Relaxed)).to_le_bytes();
                chunk.iter_mut().zip(number).for_each(|(to, byte)| *to = std::mem::MaybeUninit::new(byte));
            }
            length as isize
        }
    }
}

/// What the C library calls `timespec`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Time {
    seconds: i64,
    nanoseconds: c_long,
}

/// Those that tell the time of day.
const WALL: [c_int; 3] = [0, 5, 11];
/// Of the two kinds of workers: some day in 2025, and one 29 years, three months and some hours later.
const DAYS: [i64; 2] = [1_741_000_000, 1_741_000_000 + 29 * 31_556_952 + 100 * 86_400 + 26_000];
/// A look takes so long, times the series: a loop that waits comes to its end, and spans of time differ as well.
const LOOK: i64 = 1_000_003;
const SECOND: i64 = 1_000_000_000;

/// Does what `clock_gettime` of the C library does.
///
/// # Safety
/// There is room for the time.
pub unsafe fn clock(clock: c_int, time: *mut Time) -> c_int {
    let result = clock_of_system(clock, time);
    let series = SERIES.load(Relaxed);
    if result == 0 && series != 0 && outside::is_running() {
        *time = told(clock, series as i64, LOOKS.fetch_add(1, Relaxed) + 1);
    }
    result
}

/// What a clock tells a program that looks for this time. The clock of the time since the start is behind that of the system, so that
/// who waits up to some time is not kept waiting.
fn told(clock: c_int, series: i64, looks: i64) -> Time {
    let since = looks * LOOK * series;
    let day = if series == 1 { DAYS[0] } else { DAYS[1] };
    let start = if WALL.contains(&clock) { day } else { series };
    Time { seconds: start + since / SECOND, nanoseconds: (since % SECOND) as c_long }
}

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
unsafe fn clock_of_system(clock: c_int, time: *mut Time) -> c_int {
    extern "C" {
        fn syscall(number: c_long, ...) -> c_long;
    }
    const CLOCK_GETTIME: c_long = if cfg!(target_arch = "x86_64") { 228 } else { 113 };
    syscall(CLOCK_GETTIME, clock, time) as c_int
}

/// Nobody asks for it there.
#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
unsafe fn clock_of_system(_clock: c_int, _time: *mut Time) -> c_int {
    -1
}

/// The last step of SplitMix64: numbers that follow each other have nothing in common afterwards.
fn mixed(number: u64) -> u64 {
    let number = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
unsafe fn from_system(buffer: *mut u8, length: usize, flags: u32) -> isize {
    extern "C" {
        fn syscall(number: std::os::raw::c_long, ...) -> std::os::raw::c_long;
    }
    const GETRANDOM: std::os::raw::c_long = if cfg!(target_arch = "x86_64") { 318 } else { 278 };
    syscall(GETRANDOM, buffer, length, flags) as isize
}

/// Nobody asks for it there.
#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
unsafe fn from_system(_buffer: *mut u8, _length: usize, _flags: u32) -> isize {
    -1
}

/// Declares `getrandom` and `clock_gettime`, for the generated binary.
#[macro_export]
macro_rules! chance {
    () => {
        #[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
        #[unsafe(no_mangle)]
        unsafe extern "C" fn clock_gettime(clock: i32, time: *mut $crate::harness::Time) -> i32 {
            unsafe { $crate::harness::clock(clock, time) }
        }

        #[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
        #[unsafe(no_mangle)]
        unsafe extern "C" fn getrandom(buffer: *mut u8, length: usize, flags: u32) -> isize {
            unsafe { $crate::harness::random(buffer, length, flags) }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_go_on_with_each_look_and_differ_between_kinds_of_workers() {
        let time = |seconds, nanoseconds| Time { seconds, nanoseconds };
        assert_eq!(told(1, 1, 1), time(1, 1_000_003));
        assert_eq!(told(1, 2, 1), time(2, 2_000_006));
        assert_eq!(told(0, 1, 2_000), time(DAYS[0] + 2, 6_000));
        let [first, second] = DAYS.map(|seconds| seconds / 86_400);
        assert_ne!(first % 7, second % 7, "another day of the week");
        assert_ne!(DAYS[0] / 3600 % 24, DAYS[1] / 3600 % 24, "another hour");
    }
}
