//! Bit operators and their assignments, on integers and on bools.

pub fn common(a: u8, b: u8) -> u8 {
    a & b
}

pub fn toggled(mut flags: u32, mask: u32) -> u32 {
    flags ^= mask;
    flags
}

pub fn either(a: bool, b: bool) -> bool {
    a | b
}

// mutants:
// 4:7 & → |
// 4:7 & → ^
// 8:11 ^= → &=
// 8:11 ^= → |=
// 13:7 | → &
// 13:7 | → ^
