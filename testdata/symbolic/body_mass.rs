//! The body mass index in f64, with its four classes and bad input.
//! goals: 5, seconds: 0.01

mod support;
use support::{goal, number};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let (weight, height): (f64, f64) = (number(0, 0.0), number(1, 0.0));
    if !(weight > 0.0 && height > 0.0) {
        goal(0);
        return;
    }
    let index = weight / (height * height);
    if index < 18.5 {
        goal(1);
    } else if index < 25.0 {
        goal(2);
    } else if index < 30.0 {
        goal(3);
    } else {
        goal(4);
    }
}
