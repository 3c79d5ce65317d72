//! Guards of match arms become true and false.

pub fn sign(value: i32) -> i32 {
    match value {
        v if v > 0 => 1,
        0 => 0,
        _ => -1,
    }
}

// mutants:
// 5:14 v > 0 → true
// 5:14 v > 0 → false
