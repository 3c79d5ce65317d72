//! Points in the plane: a square root and its border.
//! goals: 3

mod support;
use support::{goal, number};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let (x, y): (f64, f64) = (number(0, 0.0), number(1, 0.0));
    let distance = (x * x + y * y).sqrt();
    if distance == 5.0 && x > 1.0 && y > 1.0 {
        goal(0);
    } else if distance > 100.0 && distance < 100.5 && x < y {
        goal(1);
    }
    if (x / 3.0).trunc() == 7.0 && x.abs() == x {
        goal(2);
    }
}
