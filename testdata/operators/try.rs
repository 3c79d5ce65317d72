//! Errors that are handed on become panics.

pub fn sum(a: &str, b: &str) -> Result<i32, std::num::ParseIntError> {
    let first: i32 = a.parse()?;
    Ok(first + b.parse::<i32>()?)
}

pub fn second(items: &[u8]) -> Option<u8> {
    Some(*items.get(1)?)
}

// mutants:
// 4:31 ? → .unwrap()
// 5:32 ? → .unwrap()
// 9:23 ? → .unwrap()
