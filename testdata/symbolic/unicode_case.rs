//! Characters through the case tables of the standard library.
//! goals: 5, hard: 3

mod support;
use support::{character, goal};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let letter = character(0, 'a');
    if letter.is_uppercase() && !letter.is_ascii() {
        goal(0);
    }
    let mut upper = letter.to_uppercase();
    match (upper.next(), upper.next()) {
        (Some('Ω'), None) => goal(1),
        (Some('S'), Some('S')) => goal(2),
        _ => {}
    }
    if letter.is_numeric() && !letter.is_ascii() {
        goal(3);
    }
    if letter.to_lowercase().next() == Some('д') && letter != 'д' {
        goal(4);
    }
}
