//! A tokenizer: words, numbers and signs.
//! goals: 4

mod support;
use support::{goal, text};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let text = text(0, "        ");
    let (mut words, mut numbers, mut signs) = (0, 0, 0);
    let mut letters = text.bytes().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            b'a'..=b'z' | b'_' => {
                words += 1;
                while letters.next_if(|next| matches!(next, b'a'..=b'z' | b'_' | b'0'..=b'9')).is_some() {}
            }
            b'0'..=b'9' => {
                numbers += 1;
                while letters.next_if(u8::is_ascii_digit).is_some() {}
            }
            b'+' | b'-' | b'*' | b'/' => signs += 1,
            b' ' => {}
            _ => return goal(0),
        }
    }
    match (words, numbers, signs) {
        (0, 0, 0) => goal(1),
        (2, 1, 2) => goal(2),
        (1, 0, 0) if text.starts_with("return_1") => goal(3),
        _ => {}
    }
}
