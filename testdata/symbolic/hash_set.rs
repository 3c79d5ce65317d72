//! The hash set of the standard library with texts.
//! goals: 3

use std::collections::HashSet;

mod support;
use support::{goal, text};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let mut set: HashSet<String> = HashSet::new();
    set.insert("one".to_owned());
    for slot in 0..3 {
        set.insert(text(slot, "aaa"));
    }
    if set.len() == 1 {
        goal(0);
    }
    if set.len() == 4 && set.contains("two") {
        goal(1);
    }
    if set.len() == 2 {
        goal(2);
    }
}
