//! 128-bit arithmetic: a product, a quotient and a parsed number.
//! goals: 4, hard: 2

mod support;
use support::{goal, number, text};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let (a, b): (i128, u64) = (number(0, 0), number(1, 0));
    if a.checked_mul(i128::from(b)) == Some(1_000_000_000_000_000_000_001_000_000_007) {
        goal(0);
    }
    if b != 0 && a / i128::from(b) == 123_456_789_012_345_678_901 && b > 1000 {
        goal(1);
    }
    if a >> 100 == 77 {
        goal(2);
    }
    if text(2, "aaa").parse::<u128>() == Ok(905) {
        goal(3);
    }
}
