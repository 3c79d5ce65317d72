//! Kinds of triangles; the sums overflow, which are panics to be found.
//! goals: 4, panics: 3, seconds: 0.01

mod support;
use support::{goal, number};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let (a, b, c): (i32, i32, i32) = (number(0, 1), number(1, 2), number(2, 4));
    if a + b <= c || a + c <= b || b + c <= a {
        goal(0);
    } else if a == b && b == c {
        goal(1);
    } else if a == b || b == c || a == c {
        goal(2);
    } else {
        goal(3);
    }
}
