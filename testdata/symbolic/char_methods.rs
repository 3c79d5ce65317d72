//! Classes of characters.
//! goals: 5

mod support;
use support::{character, goal};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let letter = character(0, 'a');
    if letter.is_ascii_digit() && letter.to_digit(10) == Some(7) {
        goal(0);
    }
    if letter.is_whitespace() && !letter.is_ascii() {
        goal(1);
    }
    if letter.is_alphabetic() && letter.len_utf8() == 4 {
        goal(2);
    }
    if letter.is_control() && letter > 'z' {
        goal(3);
    }
    if letter.to_digit(36) == Some(35) && letter.is_uppercase() {
        goal(4);
    }
}
