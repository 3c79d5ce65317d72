//! Checked arithmetic of 64 bits.
//! goals: 4

mod support;
use support::{goal, number};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let (a, b): (u64, u64) = (number(0, 0), number(1, 0));
    match a.checked_mul(1_000_000).and_then(|micros| micros.checked_add(b)) {
        None => goal(0),
        Some(123_456_789_012_345) => goal(1),
        Some(_) => {}
    }
    match a.checked_sub(b) {
        None => goal(2),
        Some(10) if a % 97 == 13 => goal(3),
        Some(_) => {}
    }
}
