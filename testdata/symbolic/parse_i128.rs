//! `str::parse` to 128 bits.
//! goals: 3

mod support;
use support::{goal, text};

#[unsafe(no_mangle)]
extern "C" fn run() {
    match text(0, "aaaaaaaaaaaa").parse::<i128>() {
        Ok(-98_765_432_101) => goal(0),
        Ok(number) if number > 0 => goal(1),
        Ok(_) => {}
        Err(_) => goal(2),
    }
}
