//! Methods and functions of std with a counterpart.

use std::cmp;
use std::collections::VecDeque;

pub fn clamped(value: u32, limit: u32) -> u32 {
    cmp::min(value, limit).max(1)
}

pub fn ends(items: &[u8]) -> (Option<&u8>, bool) {
    (items.first(), items.iter().any(|item| *item > 9))
}

pub fn is_known(name: Option<&str>) -> bool {
    name.is_some() && name.unwrap_or_default().starts_with("x-")
}

pub fn rotate(queue: &mut VecDeque<u8>) -> usize {
    let moved = queue.pop_front();
    queue.push_back(moved.unwrap_or(0));
    queue.len()
}

pub fn longest(words: &[&str]) -> usize {
    words.iter().max_by_key(|word| word.len()).map_or(0, |word| word.len())
}

pub fn decoded(bytes: [u8; 4]) -> u32 {
    u32::from_be_bytes(bytes)
}

pub fn rounded(value: f64) -> f64 {
    value.floor()
}

// mutants:
// 7:5 cmp::min → cmp::max
// 7:28 max → min
// 11:12 first → last
// 11:34 any → all
// 15:10 is_some → is_none
// 15:48 starts_with → ends_with
// 19:23 pop_front → pop_back
// 20:11 push_back → push_front
// 25:18 max_by_key → min_by_key
// 29:5 u32::from_be_bytes → u32::from_le_bytes
// 33:11 floor → ceil
