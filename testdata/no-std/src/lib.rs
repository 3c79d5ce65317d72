//! A crate without std: what mutants need of it comes from the run-time library.
#![no_std]

extern crate alloc;

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::num::ParseIntError;

/// The digits of a number, at least two of them.
pub fn padded(value: u8) -> String {
    let text = value.to_string();
    if text.len() < 2 {
        let mut padded = String::from("0");
        padded.push_str(&text);
        return padded;
    }
    text
}

/// The numbers of a list.
pub fn numbers(list: &str) -> Result<Vec<u8>, ParseIntError> {
    let mut numbers = Vec::new();
    for word in list.split(',') {
        numbers.push(word.parse()?);
    }
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_digit_is_padded() {
        assert_eq!(padded(7), "07");
        assert_eq!(padded(123), "123");
    }
}
