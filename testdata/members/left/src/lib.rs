//! Tested by itself, and used by its neighbour.

/// One more.
pub fn more(value: u32) -> u32 {
    value + 1
}

/// Tested by the neighbour only.
pub fn is_more(value: u32) -> bool {
    value > 1
}

#[cfg(test)]
mod tests {
    #[test]
    fn more_is_one_more() {
        assert_eq!(super::more(4), 5);
    }
}
