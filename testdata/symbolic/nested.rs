//! Conditions inside of conditions, ten deep.
//! goals: 2

mod support;
use support::{goal, number};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let values: [u8; 10] = std::array::from_fn(|slot| number(slot as u32, 0));
    let mut depth = 0;
    for (place, value) in values.iter().enumerate() {
        if usize::from(*value) != place * 7 + 3 {
            break;
        }
        depth += 1;
    }
    if depth == values.len() {
        goal(0);
    } else if depth == 5 {
        goal(1);
    }
}
