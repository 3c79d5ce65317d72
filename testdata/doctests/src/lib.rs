//! Tested by its examples only. The test tries it with edition 2024 too, whose examples are built together.

/// Half of it, rounded down.
///
/// ```
/// assert_eq!(doctests::half(8), 4);
/// assert_eq!(doctests::half(5), 2);
/// ```
pub fn half(value: u32) -> u32 {
    value / 2
}

/// The place of a letter.
///
/// It has to be one:
///
/// ```should_panic
/// doctests::place('?');
/// ```
pub fn place(letter: char) -> usize {
    "abc".find(letter).unwrap()
}

/// Only compiled.
///
/// ```no_run
/// assert!(doctests::is_even(2) && !doctests::is_even(3));
/// ```
pub fn is_even(value: u32) -> bool {
    value % 2 == 0
}

/// Not even compiled.
///
/// ```ignore
/// assert!(doctests::is_odd(3));
/// ```
///
/// ```compile_fail
/// doctests::is_odd("three");
/// ```
///
/// ```text
/// no code at all
/// ```
pub fn is_odd(value: u32) -> bool {
    value % 2 == 1
}
