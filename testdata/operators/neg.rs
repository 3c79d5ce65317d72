//! Conditions of `if` and `while` that no other operator turns around.

pub fn label(name: &str, is_short: bool) -> usize {
    if name.is_empty() {
        return 0;
    }
    if is_short || name.len() > 9 { 1 } else { 2 }
}

pub fn last(items: &mut Vec<u8>) -> Option<u8> {
    while items.ends_with(&[0]) {
        items.pop();
    }
    if items.is_empty() == true { None } else { items.last().copied() }
}

// mutants:
// 4:8 name.is_empty() → !name.is_empty()
// 7:8 is_short || name.len() > 9 → !(is_short || name.len() > 9)
// 11:11 items.ends_with(&[0]) → !items.ends_with(&[0])
