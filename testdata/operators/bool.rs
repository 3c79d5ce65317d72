//! `true` and `false` become each other; patterns and constants stay.

const DEFAULT: bool = true;

pub fn contains(items: &[u8], wanted: u8) -> bool {
    let mut found = false;
    for item in items {
        if *item == wanted {
            found = true;
        }
    }
    found
}

pub fn setting(value: Option<bool>) -> bool {
    match value {
        Some(true) => DEFAULT,
        _ => false,
    }
}

// mutants:
// 6:21 false → true
// 9:21 true → false
// 18:14 false → true
