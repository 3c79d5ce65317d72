//! How a test is known to be as it was written: a number made of its tokens and comments, which layout does not change. A file
//! ends with a comment of the numbers of all its tests, so they go wherever the file goes.

use std::collections::BTreeSet;
use std::ops::Range;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// How the comment with the numbers begins.
const MARK: &str = "// As written, by which later runs know what was edited:";

/// Numbers on a line.
const PER_LINE: usize = 10;

/// Hexadecimal digits of a number.
const DIGITS: usize = 8;

/// The number of an item with its comments; `None` if it is no Rust.
pub(super) fn fingerprint(item: &str) -> Option<String> {
    let tokens: TokenStream = item.parse().ok()?;
    let mut leaves = Leaves { item, hash: OFFSET, end: 0 };
    leaves.stream(tokens);
    leaves.comments(item.len());
    Some(format!("{:0DIGITS$x}", (leaves.hash >> 32) as u32 ^ leaves.hash as u32))
}

/// A file without the comment, and the numbers in it.
pub(super) fn parted(text: &str) -> (String, BTreeSet<String>) {
    let mut kept = String::new();
    let mut numbers = BTreeSet::new();
    let mut is_inside = false;
    for line in text.split_inclusive('\n') {
        let is_first = line.starts_with(MARK);
        let words = line.trim_end().strip_prefix(if is_first { MARK } else { "//" }).unwrap_or_default();
        let found: Vec<&str> = words.split_whitespace().collect();
        is_inside = is_first || is_inside && !found.is_empty() && found.iter().all(|word| is_number(word));
        match is_inside {
            true => numbers.extend(found.into_iter().filter(|word| is_number(word)).map(str::to_owned)),
            false => kept += line,
        }
    }
    if !numbers.is_empty() {
        kept.truncate(kept.trim_end().len());
        kept += "\n";
    }
    (kept, numbers)
}

/// A file with the comment at its end.
pub(super) fn with_numbers(text: &str, numbers: &[String]) -> String {
    let lines: Vec<String> =
        numbers.chunks(PER_LINE).map(|some| format!("// {}\n", some.join(" "))).collect();
    match lines.is_empty() {
        true => text.to_owned(),
        false => format!("{}\n\n{MARK}\n{}", text.trim_end(), lines.concat()),
    }
}

fn is_number(word: &str) -> bool {
    word.len() == DIGITS && word.chars().all(|c| c.is_ascii_hexdigit())
}

// FNV-1a, which stays the same whatever compiler builds this.
const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

struct Leaves<'a> {
    item: &'a str,
    hash: u64,
    /// Of the token before.
    end: usize,
}

impl Leaves<'_> {
    fn stream(&mut self, tokens: TokenStream) {
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Group(group) => {
                    let (open, close) = delimiters(group.delimiter());
                    self.token(open, group.span_open().byte_range());
                    self.stream(group.stream());
                    self.token(close, group.span_close().byte_range());
                }
                // Layout adds a comma behind the last of several lines.
                TokenTree::Punct(punct) if punct.as_char() == ',' && tokens.peek().is_none() => {
                    self.token("", punct.span().byte_range());
                }
                token => self.token(&token.to_string(), token.span().byte_range()),
            }
        }
    }

    fn token(&mut self, text: &str, range: Range<usize>) {
        self.comments(range.start);
        self.end = self.end.max(range.end);
        if !text.is_empty() {
            self.add(text);
        }
    }

    /// Words between two tokens are those of a comment.
    fn comments(&mut self, until: usize) {
        let gap = self.item.get(self.end..until).unwrap_or_default();
        gap.split_whitespace().for_each(|word| self.add(word));
    }

    fn add(&mut self, word: &str) {
        for byte in word.bytes().chain([0]) {
            self.hash = (self.hash ^ u64::from(byte)).wrapping_mul(PRIME);
        }
    }
}

fn delimiters(delimiter: Delimiter) -> (&'static str, &'static str) {
    match delimiter {
        Delimiter::Parenthesis => ("(", ")"),
        Delimiter::Brace => ("{", "}"),
        Delimiter::Bracket => ("[", "]"),
        Delimiter::None => ("", ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEST: &str =
        "// kills: + → - at lib.rs:3\n#[test]\nfn sum() {\n    assert_eq!(sum(&[1, 2], \"a  b\"), 3);\n}\n";

    #[test]
    fn layout_changes_no_number_and_every_edit_does() {
        let same = [
            "// kills: + → - at lib.rs:3\n\n#[test] fn sum() { assert_eq!(\n  sum(\n    &[1, 2,],\n \"a  b\",\n  ),\n  3,\n ); }",
            "\n\n// kills:  + → -\n// at lib.rs:3\n#[test]\nfn sum() {\n\tassert_eq!(sum(&[ 1, 2 ], \"a  b\"), 3);\n}",
        ];
        // A comment that is wrapped has slashes more.
        assert_eq!(fingerprint(TEST), fingerprint(same[0]));
        assert_ne!(fingerprint(TEST), fingerprint(same[1]));
        let edits = [
            ("3);", "4);"),
            ("a  b", "a b"),
            ("kills", "sees"),
            ("fn sum", "fn my_sum"),
            ("#[test]", "#[test]\n#[ignore]"),
            ("1, 2", "2, 1"),
            ("3);", "3); // why"),
        ];
        for (from, to) in edits {
            assert_ne!(fingerprint(TEST), fingerprint(&TEST.replace(from, to)), "{to}");
        }
        assert_eq!(fingerprint("fn f( {"), None);
    }

    #[test]
    fn numbers_are_found_again_wherever_the_file_goes_on() {
        let numbers: Vec<String> = (0..25_u32).map(|number| format!("{number:08x}")).collect();
        let text = format!("// head\n\n{TEST}");
        let written = with_numbers(&text, &numbers);
        let numbers: BTreeSet<String> = numbers.into_iter().collect();
        assert_eq!(parted(&written), (text.clone(), numbers.clone()));
        let added = format!("{written}\n#[test]\nfn mine() {{}}\n");
        assert_eq!(parted(&added), (format!("{text}\n\n#[test]\nfn mine() {{}}\n"), numbers));
        assert_eq!(parted(&text), (text.clone(), BTreeSet::new()));
        assert_eq!(with_numbers(&text, &[]), text);
    }
}
