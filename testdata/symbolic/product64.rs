//! 64-bit products, wrapping and checked.
//! goals: 4, hard: 1

mod support;
use support::{goal, number};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let (a, b): (u64, u64) = (number(0, 0), number(1, 0));
    if a > 1 && b > 1 && a.wrapping_mul(b) == 143 {
        goal(0);
    }
    match a.checked_mul(b) {
        None => goal(1),
        Some(product) if product == 1_000_000_016_000_000_063 && a > b && b > 1 => goal(2),
        Some(_) => {}
    }
    if a.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 60 == 5 {
        goal(3);
    }
}
