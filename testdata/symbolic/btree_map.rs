//! The ordered map of the standard library with four keys.
//! goals: 4, seconds: 0.05

use std::collections::BTreeMap;

mod support;
use support::{goal, number};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let mut map: BTreeMap<i32, u32> = BTreeMap::new();
    for slot in 0..4 {
        if map.insert(number(slot, 0), slot).is_some_and(|before| before == 2) {
            goal(0);
        }
    }
    match map.get(&1234) {
        Some(3) => goal(1),
        Some(_) => goal(2),
        None if map.range(10..20).count() == 4 => goal(3),
        None => {}
    }
}
