//! A float printed with one digit behind the point.
//! goals: 2, hard: 1

mod support;
use support::{goal, number};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let text = format!("{:.1}", number(0, 0.0_f64));
    if text == "2.5" {
        goal(0);
    } else if text.starts_with('-') {
        goal(1);
    }
}
