//! Four characters as three bytes.
//! goals: 3

mod support;
use support::{bytes, goal};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let text = bytes(0, b"AAAA");
    let digit = |letter: u8| match letter {
        b'A'..=b'Z' => Some(letter - b'A'),
        b'a'..=b'z' => Some(letter - b'a' + 26),
        b'0'..=b'9' => Some(letter - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let mut bits = 0_u32;
    for letter in &text {
        let Some(digit) = digit(*letter) else { return goal(0) };
        bits = bits << 6 | u32::from(digit);
    }
    match &bits.to_be_bytes()[1..] {
        b"yes" => goal(1),
        [0xff, 0xff, _] => goal(2),
        _ => {}
    }
}
