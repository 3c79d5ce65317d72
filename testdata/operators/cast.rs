//! `as` an integer type: the boundaries of the type. Other casts stay.

pub fn byte(value: u32) -> u8 {
    value as u8
}

pub fn offset(value: usize) -> isize {
    value as isize
}

pub fn real(value: u32) -> f64 {
    value as f64
}

// mutants:
// 4:5 value as u8 → u8::MAX
// 4:5 value as u8 → u8::MIN
// 8:5 value as isize → isize::MAX
// 8:5 value as isize → isize::MIN
