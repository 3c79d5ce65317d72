//! The roots of a quadratic equation in f64.
//! goals: 4

mod support;
use support::{goal, number};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let (a, b, c): (f64, f64, f64) = (number(0, 0.0), number(1, 0.0), number(2, 0.0));
    if a == 0.0 {
        return goal(0);
    }
    let discriminant = b * b - 4.0 * a * c;
    if discriminant < 0.0 {
        goal(1);
    } else if discriminant == 0.0 {
        goal(2);
    } else if (-b + discriminant.sqrt()) / (2.0 * a) == 3.0 {
        goal(3);
    }
}
