//! Words of a sentence, sorted and without doubles.
//! goals: 2

mod support;
use support::{goal, text};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let text = text(0, "a b c d");
    let mut words: Vec<&str> = text.split_whitespace().collect();
    words.sort_unstable();
    words.dedup();
    match words.as_slice() {
        ["no", "yes"] => goal(0),
        [one] if one.len() == 1 => goal(1),
        _ => {}
    }
}
