//! The greatest common divisor of two bytes.
//! goals: 3

mod support;
use support::{goal, number};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let (mut a, mut b): (u8, u8) = (number(0, 0), number(1, 0));
    let (first, second) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    if a == 17 && first > second && second > 17 {
        goal(0);
    }
    if a == 0 {
        goal(1);
    }
    if a == 1 && first > 200 && second > 200 {
        goal(2);
    }
}
