//! A number that is printed.
//! goals: 2, seconds: 0.31

mod support;
use support::{goal, number};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let text = format!("{}", number(0, 7_i32));
    if text == "-305" {
        goal(0);
    } else if text.len() == 6 {
        goal(1);
    }
}
