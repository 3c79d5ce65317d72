//! Roman numerals.
//! goals: 3

mod support;
use support::{goal, text};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let text = text(0, "aaaa");
    let value = |letter: u8| match letter {
        b'I' => Some(1),
        b'V' => Some(5),
        b'X' => Some(10),
        b'L' => Some(50),
        b'C' => Some(100),
        b'D' => Some(500),
        b'M' => Some(1000),
        _ => None,
    };
    let (mut sum, mut last) = (0, 0);
    for letter in text.bytes().rev() {
        let Some(value) = value(letter) else { return goal(0) };
        if value < last {
            sum -= value;
        } else {
            sum += value;
            last = value;
        }
    }
    match sum {
        1900 => goal(1),
        4000 => goal(2),
        _ => {}
    }
}
