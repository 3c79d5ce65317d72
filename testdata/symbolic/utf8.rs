//! Bytes that have to be text with characters of each length.
//! goals: 5

mod support;
use support::{bytes, goal};

#[unsafe(no_mangle)]
extern "C" fn run() {
    let bytes = bytes(0, b"aaaa");
    match std::str::from_utf8(&bytes) {
        Ok(text) if text.chars().count() == 1 => goal(0),
        Ok(text) if text.chars().any(|letter| letter.len_utf8() == 3) => goal(1),
        Ok("ÄÖ") => goal(2),
        Ok(_) => {}
        Err(error) if error.error_len().is_none() => goal(3),
        Err(error) if error.valid_up_to() == 3 => goal(4),
        Err(_) => {}
    }
}
