//! Tells of the machine and of the day, as dependencies do: past the standard library, so that no source says it.

extern "C" {
    fn time(result: *mut i64) -> i64;
    fn gethostname(name: *mut u8, room: usize) -> i32;
    fn getuid() -> u32;
    fn getrlimit(resource: i32, limit: *mut [u64; 2]) -> i32;
}

pub fn user() -> u32 {
    // SAFETY: it only tells.
    unsafe { getuid() }
}

/// How many files may be open.
pub fn open_files() -> u64 {
    let mut limit = [0; 2];
    // SAFETY: there is room for both numbers.
    unsafe { getrlimit(7, &mut limit) };
    limit[0]
}

pub fn seconds() -> u64 {
    // SAFETY: a null pointer is allowed.
    (unsafe { time(std::ptr::null_mut()) }) as u64
}

pub fn host() -> String {
    let mut name = [0u8; 256];
    // SAFETY: there is room for so many bytes.
    unsafe { gethostname(name.as_mut_ptr(), name.len()) };
    name.iter().take_while(|byte| **byte != 0).map(|byte| char::from(*byte)).collect()
}
