//! A module in a file.

/// The digits of a text.
pub(crate) fn count(text: &str, radix: u32) -> usize {
    text.chars().filter(|c| is_digit(*c, radix)).count()
}

fn is_digit(c: char, radix: u32) -> bool {
    if radix == 1 {
        return c == '|';
    }
    c.is_digit(radix.clamp(2, 36))
}
