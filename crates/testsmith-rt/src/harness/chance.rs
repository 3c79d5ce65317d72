//! Random numbers of the system. The standard library asks for them to tell hash tables apart, and where a hash decides what a
//! program does, a search would never do the same twice: to workers of one kind they are given in one order.
//!
//! The generated binary has [`getrandom`](crate::getrandom) in the place of the C library's function of that name.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Which numbers are given; 0 for those of the system.
static SERIES: AtomicU64 = AtomicU64::new(0);
/// How many were given.
static GIVEN: AtomicU64 = AtomicU64::new(0);

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

/// Declares `getrandom`, for the generated binary.
#[macro_export]
macro_rules! getrandom {
    () => {
        #[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
        #[unsafe(no_mangle)]
        unsafe extern "C" fn getrandom(buffer: *mut u8, length: usize, flags: u32) -> isize {
            unsafe { $crate::harness::random(buffer, length, flags) }
        }
    };
}
