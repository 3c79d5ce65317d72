//! Steps of Collatz from a number below a hundred.
//! goals: 2

mod support;
use support::{goal, number};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let start: u32 = number(0, 1);
    if !(1..100).contains(&start) {
        return;
    }
    let (mut value, mut steps) = (start, 0);
    while value != 1 && steps < 30 {
        value = if value % 2 == 0 { value / 2 } else { value * 3 + 1 };
        steps += 1;
    }
    if steps == 16 {
        goal(0);
    }
    if steps == 30 {
        goal(1);
    }
}
