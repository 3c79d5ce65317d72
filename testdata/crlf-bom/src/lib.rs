//! The test writes this file with a byte order mark and CRLF line ends.

mod words;

pub use words::first;

/// Whether a year
/// has 366 days.
pub fn is_leap(year: u32) -> bool {
    year % 4 == 0
        && year % 100 != 0
}

/* A comment
   over lines, with ümläuts. */
pub fn banner() -> &'static str {
    "two
lines — both"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fourth_year_is_a_leap_year() {
        assert!(is_leap(2024));
        assert!(!is_leap(2023));
        assert!(!is_leap(1900));
    }

    #[test]
    fn the_banner_has_two_lines() {
        assert_eq!(banner().lines().count(), 2);
        assert_eq!(first("öne two"), "öne");
    }
}
