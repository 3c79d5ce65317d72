//! Conditions under which seven mutants of a function have another state than the original; the last one never has.
//! goals: 6

mod support;
use support::{goal, number};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let (a, b): (i32, i32) = (number(0, 0), number(1, 0));
    let kill = |mutant: u32, infected: bool| {
        if infected {
            goal(mutant);
        }
    };
    kill(0, (a < b) != (a <= b));
    kill(1, a.wrapping_add(b) != a.wrapping_sub(b));
    kill(2, a.wrapping_mul(b) != a.wrapping_add(b));
    if a > 100 {
        kill(3, (a & b) != (a | b));
        if b.wrapping_mul(3) == a {
            kill(4, (b > 1000) != (b >= 1000));
            kill(5, b == 0 || a / b != a.wrapping_sub(b));
        }
        kill(6, (a > 0) != (a >= 0));
    }
}
