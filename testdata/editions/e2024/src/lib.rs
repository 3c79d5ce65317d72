//! Edition 2024: let chains, `unsafe extern`, temporaries of a tail dropped at once, `gen` reserved.

use std::cell::RefCell;

unsafe extern "C" {
    safe fn abs(value: i32) -> i32;
}

thread_local! {
    static CALLS: RefCell<u32> = const { RefCell::new(0) };
}

/// How far a number is from zero, if it is one.
pub fn distance(text: &str) -> Option<i32> {
    CALLS.with(|calls| *calls.borrow_mut() += 1);
    if let Ok(number) = text.parse::<i32>()
        && number != 0
    {
        return Some(abs(number));
    }
    None
}

/// A borrow in the tail of a block.
pub fn length(words: &RefCell<Vec<String>>) -> usize {
    let words = RefCell::new(words.borrow().clone());
    words.borrow().len() + 1
}

/// How often somebody has asked.
pub fn calls() -> u32 {
    CALLS.with(|calls| *calls.borrow())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_is_never_negative() {
        assert_eq!(distance("-3"), Some(3));
        assert_eq!(distance("0"), None);
        assert_eq!(calls(), 2);
        assert_eq!(length(&RefCell::new(vec!["a".into()])), 2);
    }
}
