//! Tested by a program of its own, and by one libtest test.

/// The larger half.
pub fn half(value: u32) -> u32 {
    (value + 1) / 2
}

/// Twice as much.
pub fn double(value: u32) -> u32 {
    value + value
}
