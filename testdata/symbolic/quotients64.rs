//! Quotients and remainders of 64 bits.
//! goals: 3

mod support;
use support::{goal, number};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let (a, b): (u64, u64) = (number(0, 0), number(1, 1));
    let seconds = a / 1_000_000_000;
    if seconds % 86_400 == 45_296 && a % 1_000_000_000 == 789 {
        goal(0);
    }
    if b != 0 && a / b == 1_000_003 && a % b == 999 {
        goal(1);
    }
    if b != 0 && a % b == b - 1 && b > 1 << 40 {
        goal(2);
    }
}
