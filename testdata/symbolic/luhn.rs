//! The check digit of card numbers, over eight characters.
//! goals: 3

mod support;
use support::{goal, text};

fn check(text: &str) -> Option<bool> {
    let mut sum = 0;
    for (place, letter) in text.chars().rev().enumerate() {
        let digit = letter.to_digit(10)?;
        sum += match place % 2 {
            0 => digit,
            _ if digit > 4 => digit * 2 - 9,
            _ => digit * 2,
        };
    }
    Some(sum % 10 == 0)
}

#[unsafe(no_mangle)]
extern "C" fn run() {
    match check(&text(0, "aaaaaaaa")) {
        None => goal(0),
        Some(false) => goal(1),
        Some(true) => goal(2),
    }
}
