//! The search of the standard library in a sorted array, with keys that inputs give.
//! goals: 4

mod support;
use support::{goal, number};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let keys: [u16; 5] = std::array::from_fn(|slot| number(slot as u32, 0));
    if !keys.windows(2).all(|pair| pair[0] < pair[1]) {
        goal(0);
        return;
    }
    match keys.binary_search(&5000) {
        Ok(4) => goal(1),
        Ok(_) => goal(2),
        Err(3) => goal(3),
        Err(_) => {}
    }
}
