//! Saturating and wrapping arithmetic of small types.
//! goals: 4

mod support;
use support::{goal, number};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let (a, b): (i8, u16) = (number(0, 0), number(1, 0));
    if a.saturating_mul(3) == i8::MIN && a > -50 {
        goal(0);
    }
    if b.saturating_sub(60_000) == 77 {
        goal(1);
    }
    if a.wrapping_abs() < 0 {
        goal(2);
    }
    if (i32::from(a) * i32::from(b)) % 1000 == -999 {
        goal(3);
    }
}
