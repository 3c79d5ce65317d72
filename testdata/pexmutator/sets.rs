//! Permutations of a set: how many ways there are to line up some of its members.

/// The number of ways to choose `chosen` of `members` in order; nothing where that is no number, or too large a one.
pub fn permutations(members: i32, chosen: i32) -> Option<i64> {
    if members < 0 || chosen < 0 {
        return None;
    }
    if chosen > members {
        return Some(0);
    }
    if members > 20 && chosen > 10 {
        return None;
    }
    let mut number = i64::from(members);
    let last = i64::from(members - chosen);
    let mut ways: i64 = 1;
    while number > last {
        ways *= number;
        number -= 1;
    }
    Some(ways)
}
