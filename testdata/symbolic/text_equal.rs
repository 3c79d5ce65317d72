//! Two texts and a word.
//! goals: 3

mod support;
use support::{goal, text};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let (a, b) = (text(0, "aaaaaaaaaaaa"), text(1, "bbbbbbbbbbbb"));
    if a == "hello, world" {
        goal(0);
    }
    if a == b {
        goal(1);
    } else if a > b && b.eq_ignore_ascii_case(&a) {
        goal(2);
    }
}
