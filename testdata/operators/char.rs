//! Characters and bytes become the next one; patterns stay.

pub fn is_comment(line: &str) -> bool {
    line.starts_with('#')
}

pub fn count_newlines(text: &[u8]) -> usize {
    text.iter().filter(|byte| **byte == b'\n').count()
}

pub fn is_vowel(letter: char) -> bool {
    matches!(letter, 'a' | 'e' | 'i' | 'o' | 'u')
}

// mutants:
// 4:22 '#' → '$'
// 8:41 b'\n' → b'\x0b'
