//! Macros of the package that can do nothing but look at their arguments, such as a `try_opt!`.
//!
//! A macro's body is not analysed: it is taken to change what it is given, unless none of its words could.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// Calls that change nothing, and words that stand in front of parentheses without being calls.
const HARMLESS: [&str; 26] = [
    "Some",
    "Ok",
    "Err",
    "if",
    "match",
    "return",
    "in",
    "while",
    "panic",
    "assert",
    "assert_eq",
    "unreachable",
    "debug_assert",
    "matches",
    "From",
    "expr",
    "unreachable_unchecked",
    "concat",
    "stringify",
    "format",
    "cfg",
    "size_of",
    "not",
    "any",
    "all",
    "is_empty",
];

/// Whether a `macro_rules!` of some name is known to change nothing.
pub(super) fn is_quiet(name: &str, body: &TokenStream) -> bool {
    is_quiet_within(name, body.clone())
}

/// No assignment, no `mut`, no `unsafe`, no `let`, no item, no call of anything unknown.
fn is_quiet_within(name: &str, tokens: TokenStream) -> bool {
    let mut word: Option<String> = None;
    // Names in front of `::<`, while the arguments go by.
    let mut outer: Vec<Option<String>> = Vec::new();
    let mut joint = None;
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(ident) => {
                let text = ident.to_string();
                if matches!(text.as_str(), "mut" | "unsafe" | "let" | "fn" | "impl" | "static" | "struct") {
                    return false;
                }
                word = Some(text);
                joint = None;
            }
            TokenTree::Group(group) => {
                let called = word.take().filter(|_| group.delimiter() == Delimiter::Parenthesis);
                let is_harmless = |word: String| word == name || HARMLESS.contains(&word.as_str());
                if !called.is_none_or(is_harmless) || !is_quiet_within(name, group.stream()) {
                    return false;
                }
                joint = None;
            }
            TokenTree::Punct(punct) => {
                let part_of_operator = joint.is_some_and(|before| "=!<>".contains(before))
                    || punct.spacing() == Spacing::Joint
                        && matches!(tokens.peek(), Some(TokenTree::Punct(next)) if "=>".contains(next.as_char()));
                if punct.as_char() == '=' && !part_of_operator {
                    return false;
                }
                word = match punct.as_char() {
                    // `name!(…)` is judged by its name.
                    '!' | ':' => word,
                    // An attribute is for the compiler.
                    '#' => {
                        tokens.next();
                        None
                    }
                    '<' if joint == Some(':') => {
                        outer.push(word);
                        None
                    }
                    '>' => outer.pop().flatten(),
                    _ => None,
                };
                joint = (punct.spacing() == Spacing::Joint).then_some(punct.as_char());
            }
            TokenTree::Literal(_) => (word, joint) = (None, None),
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_are_quiet_without_assignments_and_calls() {
        let check = |text: &str| is_quiet("m", &text.parse().unwrap());
        assert!(check("($e:expr) => { match $e { Some(v) => v, None => return None } }"));
        assert!(check("($e:expr) => { if $e >= 1 { return Err($e) } }"));
        assert!(check("($e:expr) => { assert!($e != 2, \"no\") }"));
        assert!(check("($e:expr) => { if size_of::<u8>() > 1 { #[cfg(a = \"b\")] panic!(\"no\") } }"));
        assert!(!check("($e:expr) => { change::<u8>($e) }"));
        assert!(!check("($e:expr) => { $e = 1 }"));
        assert!(!check("($e:expr) => { $e += 1 }"));
        assert!(!check("($e:expr) => { $e.push(1) }"));
        assert!(!check("($e:expr) => { change(&mut $e) }"));
        assert!(!check("() => { println!(\"x\") }"));
    }
}
