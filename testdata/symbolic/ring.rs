//! The double-ended queue of the standard library.
//! goals: 3

use std::collections::VecDeque;

mod support;
use support::{goal, number};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let mut ring: VecDeque<u16> = VecDeque::with_capacity(4);
    for slot in 0..6 {
        let value: u16 = number(slot * 2 + 1, 0);
        match number::<u8>(slot * 2, 9) {
            0 => ring.push_back(value),
            1 => ring.push_front(value),
            2 => {
                ring.pop_back();
            }
            3 => {
                ring.pop_front();
            }
            _ => {}
        }
    }
    if ring == [3, 1, 2] {
        goal(0);
    }
    if ring.len() == 6 {
        goal(1);
    }
    if ring.front().is_some_and(|first| ring.back().is_some_and(|last| first > last && ring.len() == 2)) {
        goal(2);
    }
}
