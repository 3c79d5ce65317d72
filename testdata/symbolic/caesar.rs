//! A word behind a shift of the alphabet.
//! goals: 2

mod support;
use support::{goal, number, text};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let (word, by) = (text(0, "aaaaa"), number::<u8>(1, 0));
    let shifted: String = word
        .chars()
        .map(|letter| match letter {
            'a'..='z' => char::from((letter as u8 - b'a' + by % 26) % 26 + b'a'),
            other => other,
        })
        .collect();
    if shifted == "hello" && by % 26 == 3 {
        goal(0);
    }
    if shifted == word && by > 100 && word.starts_with('q') {
        goal(1);
    }
}
