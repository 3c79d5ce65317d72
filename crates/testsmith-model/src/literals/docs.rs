//! Literals in docs: the words are no values, the code of examples is, and so are formats that are shown in the text.

use proc_macro2::TokenStream;

use super::{Found, Rank, tokens};
use tokens::Takers;

/// Adds what the examples of a text in Markdown mention.
pub(super) fn read(found: &mut Found, takers: &Takers, text: &str) {
    let mut example: Option<String> = None;
    for line in text.lines().map(str::trim) {
        if line.starts_with("```") {
            match example.take() {
                Some(code) => read_example(found, takers, &code),
                None => example = Some(String::new()),
            }
        } else if let Some(code) = &mut example {
            // Lines that are not shown are code as well.
            *code += line.strip_prefix("# ").unwrap_or(line);
            code.push('\n');
        } else {
            read_line(found, line);
        }
    }
}

fn read_example(found: &mut Found, takers: &Takers, code: &str) {
    if let Ok(tokens) = code.parse::<TokenStream>() {
        return tokens::walk(found, takers, tokens, Rank::Example);
    }
    // No Rust, or not all of it: what lines there are.
    for line in code.lines() {
        let closed = line.replace(['(', ')', '[', ']', '{', '}'], " ");
        let tokens = line.parse().or_else(|_| closed.parse::<TokenStream>());
        tokens::walk(found, takers, tokens.unwrap_or_default(), Rank::Example);
    }
}

/// `2018-02-14`, shown as code in a sentence, is a format; `f(2)` and `u64` are none.
fn read_line(found: &mut Found, line: &str) {
    for span in line.split('`').skip(1).step_by(2) {
        let is_code = span.contains(['(', '<', '[', '{']) || span.contains("::");
        let is_word = span.chars().all(|c| c.is_alphanumeric() || c == '_');
        if !is_code && !is_word && span.chars().any(|c| c.is_ascii_digit()) {
            found.add_text(span.trim_matches('"'), Rank::Example);
        }
    }
}
