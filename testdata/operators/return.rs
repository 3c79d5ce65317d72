//! `return` at the end of an `if` without `else` is left out.

pub fn halved(value: u32) -> Option<u32> {
    if value % 2 == 1 {
        return None;
    }
    Some(value / 2)
}

pub fn clear(list: &mut Vec<u8>, is_kept: bool) {
    if is_kept {
        return;
    }
    list.clear();
}

pub fn either(flag: bool) -> u8 {
    if flag {
        return 1;
    } else {
        return 2;
    }
}

// mutants:
// 5:9 return None; → nothing
// 12:9 return; → nothing
