//! The hash map of the standard library: the hash is not executed but known.
//! goals: 3, seconds: 0.01

use std::collections::HashMap;

mod support;
use support::{goal, number};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let mut map: HashMap<u32, u32> = HashMap::new();
    for slot in 0..3 {
        map.insert(number(slot, slot), slot);
    }
    if map.len() == 1 {
        goal(0);
    }
    match map.get(&991) {
        Some(1) => goal(1),
        Some(_) => goal(2),
        None => {}
    }
}
