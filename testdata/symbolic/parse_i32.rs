//! `str::parse` of the standard library: its errors and one number.
//! goals: 5, seconds: 0.06

use std::num::IntErrorKind;

mod support;
use support::{goal, text_up_to};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let text = text_up_to(0, "aaaaaaaaaaa");
    match text.parse::<i32>() {
        Ok(1234) => goal(0),
        Ok(_) => {}
        Err(error) => match error.kind() {
            IntErrorKind::Empty => goal(1),
            IntErrorKind::InvalidDigit => goal(2),
            IntErrorKind::PosOverflow => goal(3),
            IntErrorKind::NegOverflow => goal(4),
            _ => {}
        },
    }
}
