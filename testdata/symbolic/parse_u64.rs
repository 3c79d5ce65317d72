//! `str::parse` to 64 bits, with the border of overflow.
//! goals: 4

mod support;
use support::{goal, text};

#[unsafe(no_mangle)]
extern "C" fn run() {
    match text(0, "aaaaaaaaaaaaaaaaaaaa").parse::<u64>() {
        Ok(u64::MAX) => goal(0),
        Ok(number) if number > 10_000_000_000_000_000_000 => goal(1),
        Ok(_) => goal(2),
        Err(error) if *error.kind() == std::num::IntErrorKind::PosOverflow => goal(3),
        Err(_) => {}
    }
}
