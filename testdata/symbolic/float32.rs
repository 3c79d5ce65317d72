//! 32-bit floats: casts, infinities, and what is not a number.
//! goals: 6

mod support;
use support::{goal, number};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let (a, b): (f32, f32) = (number(0, 0.0), number(1, 0.0));
    if a.is_nan() {
        goal(0);
    } else if a.is_infinite() && a < 0.0 {
        goal(1);
    } else if a as u8 == 200 && a.fract() > 0.25 {
        goal(2);
    }
    if a * b == 30.25 && a > b && b > 1.0 {
        goal(3);
    }
    if a > 0.0 && a + 1.0 == a {
        goal(4);
    }
    if (a as i32) == -7 && b == a.sqrt() {
        goal(5);
    }
    if (b * 10.0).round() == 37.0 && a.max(b) == b {
        goal(5);
    }
}
