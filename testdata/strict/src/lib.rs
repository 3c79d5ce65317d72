//! Every warning is an error, and unsafe code is forbidden: the copy compiles all the same.
#![deny(warnings, unused, missing_docs, unreachable_code, unused_parens)]
#![forbid(unsafe_code)]

/// Whether all of it is paid.
#[must_use]
pub fn is_paid(price: u32, paid: u32, is_free: bool) -> bool {
    if is_free {
        return true;
    }
    paid >= price
}

/// What is left to pay.
#[must_use]
pub const fn rest(price: u32, paid: u32) -> u32 {
    price - paid
}

#[cfg(test)]
mod tests {
    #![deny(warnings)]
    use super::*;

    #[test]
    fn a_price_is_paid_in_full() {
        assert!(is_paid(3, 4, false) && !is_paid(3, 2, false));
        assert!(is_paid(3, 0, true));
        assert_eq!(rest(5, 2), 3);
    }
}
