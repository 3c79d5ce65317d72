//! Arms of a `match` give way to the catch-all, unless that does the same.

pub fn word(count: u32, is_short: bool) -> &'static str {
    match count {
        0 => "none",
        1 if is_short => "1",
        2 | 3 => "many",
        _ => "many",
    }
}

pub fn swapped(flag: bool) -> bool {
    match flag {
        true => false,
        false => true,
    }
}

// mutants:
// 5:9 0 => "none" → nothing
// 6:9 1 if is_short => "1" → nothing
