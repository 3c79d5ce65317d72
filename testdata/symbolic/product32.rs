//! Factors of a number of 32 bits.
//! goals: 2, hard: 1

mod support;
use support::{goal, number};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let (a, b): (u32, u32) = (number(0, 0), number(1, 0));
    if a > 1 && b > 1 && a < 65_536 && b < 65_536 && a * b == 2_147_117_569 {
        goal(0);
    }
    if a > 1 && b > a && a.wrapping_mul(b) == 143 {
        goal(1);
    }
}
