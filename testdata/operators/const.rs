//! Integer literals: plus one, minus one, zero, within the bounds of their type. Patterns and constants stay.

const LIMIT: u8 = 10;

pub fn scaled(value: u64) -> u64 {
    value * 8
}

pub fn start() -> i8 {
    -128
}

pub fn byte(value: u8) -> [u8; 2] {
    match value {
        7 => [0u8; 2],
        _ => [0xFF, LIMIT],
    }
}

// mutants:
// 6:13 8 → 9
// 6:13 8 → 7
// 6:13 8 → 0
// 10:5 -128 → -127
// 10:5 -128 → 0
// 15:15 0u8 → 1u8
// 16:15 0xFF → 254
// 16:15 0xFF → 0
