//! Rounds amounts.

/// Down to a multiple of ten.
pub fn rounded(amount: u32) -> u32 {
    amount - amount % 10
}

#[cfg(test)]
mod tests {
    #[test]
    fn amounts_are_rounded_down() {
        assert_eq!(super::rounded(57), 50);
    }
}
