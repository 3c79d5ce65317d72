//! Another file of the same kind.

/// The first word.
pub fn first(text: &str) -> &str {
    match text.find(' ') {
        Some(at) => &text[..at],
        None => text,
    }
}
