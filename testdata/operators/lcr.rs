//! `&&` and `||` become each other; a condition with `let` stays.

pub fn is_leap(year: u32) -> bool {
    year % 4 == 0 && year % 100 != 0 || year % 400 == 0
}

pub fn is_open(door: Option<u32>, is_locked: bool) -> bool {
    if let Some(width) = door
        && width > 0
    {
        return !is_locked;
    }
    false
}

// mutants:
// 4:19 && → ||
// 4:38 || → &&
