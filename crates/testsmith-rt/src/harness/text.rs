//! Printed values: cut where they are long, and without the addresses that differ from run to run.

use std::fmt::{self, Write};

use super::observe::{cut, MOST_TEXT};
use crate::wasm;

/// Prints, keeping the beginning.
pub(super) fn print(print: impl FnOnce(&mut dyn Write) -> fmt::Result) -> String {
    let mut kept = Kept { text: String::new() };
    // An error is part of what is seen: so far, and no further.
    if print(&mut kept).is_err() {
        kept.text.push_str("<error>");
    }
    mask(cut(&kept.text, MOST_TEXT))
}

/// Ends the printing where the text is full: a table of an automaton takes a thousand times longer to print than to make.
struct Kept {
    text: String,
}

impl Write for Kept {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.text.len() >= MOST_TEXT {
            return Err(fmt::Error);
        }
        self.text.push_str(cut(text, MOST_TEXT));
        Ok(())
    }
}

/// More hexadecimal digits than this are an address: fewer are a number that someone wants to see.
const FEW_DIGITS: usize = if cfg!(target_pointer_width = "64") { 8 } else { 6 };

/// What stands for an address.
pub const MASKED: &str = "0x_";

/// `0x7ffd12345678` becomes `0x_`.
pub(super) fn mask(text: &str) -> String {
    // There addresses are always the same, and a search would read every character.
    if wasm::IS {
        return text.to_owned();
    }
    let mut masked = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("0x") {
        let (before, number) = rest.split_at(at + 2);
        masked.push_str(before);
        let digits = number.bytes().take_while(u8::is_ascii_hexdigit).count();
        masked.push_str(if digits > FEW_DIGITS { "_" } else { &number[..digits] });
        rest = &number[digits..];
    }
    masked.push_str(rest);
    masked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_masked_and_numbers_are_not() {
        let table = [
            ("", ""),
            ("at 0x7ffd12345678, 0x55aabbccdd00.", "at 0x_, 0x_."),
            ("0xff 0x 0xdeadbeef 00x1", "0xff 0x 0xdeadbeef 00x1"),
            ("é0x1é", "é0x1é"),
        ];
        for (text, expected) in table {
            assert_eq!(mask(text), expected);
        }
        let local = 0u8;
        assert_eq!(print(|to| write!(to, "{:p}", &local)), "0x_");
    }

    #[test]
    fn long_text_is_cut_and_errors_are_seen() {
        assert_eq!(print(|to| write!(to, "{}", "x".repeat(9999))).len(), MOST_TEXT);
        assert_eq!(print(|to| (0..9999).try_for_each(|_| to.write_str("é"))).len(), MOST_TEXT);
        assert_eq!(print(|to| to.write_str("a").and(Err(fmt::Error))), "a<error>");
        let mut printed = 0;
        let text = print(|to| {
            (0..1_000_000).try_for_each(|n| {
                printed = n;
                to.write_str("1, ")
            })
        });
        assert_eq!(text.len(), MOST_TEXT);
        assert!(printed < 5_000, "{printed}");
    }
}
