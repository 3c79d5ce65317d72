//! Quotients and remainders of 32 bits, signed, with their panics.
//! goals: 3, panics: 2

mod support;
use support::{goal, number};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let (a, b): (i32, i32) = (number(0, 0), number(1, 1));
    let (quotient, rest) = (a / b, a % b);
    if quotient == -77 && rest == -5 {
        goal(0);
    }
    if quotient > 1000 && rest < -1000 && b < 0 {
        goal(1);
    }
    if a.rem_euclid(b) == 6 && a < -100 && b == 7 {
        goal(2);
    }
}
