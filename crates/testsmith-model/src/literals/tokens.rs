//! Literals in the tokens of a file: what is code, what is a test, which function an argument is for.
//!
//! Tokens and not syntax, because arguments stand inside of macros (`assert_eq!(f("x"), 1)`) as often as not.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use super::{Found, Rank, calls, docs};

/// Parameters of these types can be given as text.
const TEXTS: [&str; 7] = ["str", "String", "char", "AsRef", "OsStr", "Path", "CStr"];
/// Their strings are messages for people.
const TELLERS: [&str; 6] = ["panic", "expect", "unreachable", "unimplemented", "todo", "expect_err"];

/// Names of functions that take text.
pub(super) struct Takers(BTreeSet<String>);

impl Default for Takers {
    /// `parse` is how `FromStr` is called.
    fn default() -> Takers {
        Takers(BTreeSet::from(["parse".to_owned(), "from_str".to_owned()]))
    }
}

impl Takers {
    /// Learns from the signatures in a file.
    pub(super) fn learn(&mut self, tokens: TokenStream) {
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Group(group) => self.learn(group.stream()),
                TokenTree::Ident(word) if word == "fn" => {
                    let Some(TokenTree::Ident(name)) = tokens.peek() else { continue };
                    let name = name.to_string();
                    let mut takes_text = false;
                    // Type parameters with their bounds stand before the parameters.
                    for token in tokens.by_ref() {
                        let is_end = matches!(&token, TokenTree::Group(it) if it.delimiter() == Delimiter::Parenthesis);
                        takes_text |= mentions_text(token);
                        if is_end {
                            break;
                        }
                    }
                    if takes_text {
                        self.0.insert(name);
                    }
                }
                TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
}

fn mentions_text(token: TokenTree) -> bool {
    match token {
        TokenTree::Group(group) => group.stream().into_iter().any(mentions_text),
        TokenTree::Ident(word) => TEXTS.iter().any(|text| word == text),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    }
}

/// Adds the literals of a file, or of a part of it.
pub(super) fn walk(found: &mut Found, takers: &Takers, tokens: TokenStream, rank: Rank) {
    calls::read(found, tokens.clone());
    let mut walk = Walk { found, takers, doc: String::new() };
    walk.tokens(tokens, rank);
    walk.end_of_doc();
}

struct Walk<'a> {
    found: &'a mut Found,
    takers: &'a Takers,
    /// The doc comment at hand: its lines are attributes of their own.
    doc: String,
}

impl Walk<'_> {
    fn tokens(&mut self, tokens: TokenStream, rank: Rank) {
        let mut callee = None;
        let mut is_attribute = false;
        let mut is_test = false;
        for token in tokens {
            match token {
                TokenTree::Punct(punct) => {
                    // `name!(…)` is called as `name(…)` is, and `#![…]` is an attribute as `#[…]` is.
                    is_attribute = punct.as_char() == '#' || is_attribute && punct.as_char() == '!';
                    callee = callee.filter(|_| punct.as_char() == '!');
                }
                TokenTree::Group(group) if is_attribute => {
                    is_attribute = false;
                    is_test |= self.attribute(&group);
                }
                TokenTree::Group(group) => {
                    self.end_of_doc();
                    let is_body = group.delimiter() == Delimiter::Brace;
                    let inside = if is_test && is_body { Rank::Example } else { rank };
                    is_test &= !is_body;
                    self.group(&group, callee.take().as_deref(), inside);
                }
                TokenTree::Ident(word) => {
                    self.end_of_doc();
                    callee = Some(word.to_string());
                }
                TokenTree::Literal(literal) => {
                    callee = None;
                    self.found.add(&syn::Lit::new(literal), rank);
                }
            }
        }
    }

    /// What is in brackets, as arguments if something stands before them.
    fn group(&mut self, group: &Group, callee: Option<&str>, rank: Rank) {
        let callee = callee.filter(|_| group.delimiter() == Delimiter::Parenthesis);
        let is_input = rank != Rank::Code && callee.is_some_and(|name| self.takers.0.contains(name));
        if callee.is_some_and(|name| TELLERS.contains(&name)) {
            let is_text =
                |token: &TokenTree| matches!(token, TokenTree::Literal(it) if it.to_string().ends_with('"'));
            self.tokens(group.stream().into_iter().filter(|token| !is_text(token)).collect(), rank);
        } else {
            self.tokens(group.stream(), if is_input { Rank::Input } else { rank });
        }
    }

    /// Keeps docs; whether what follows is for tests only.
    fn attribute(&mut self, group: &Group) -> bool {
        let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
        match tokens.as_slice() {
            [TokenTree::Ident(name), TokenTree::Punct(_), TokenTree::Literal(text)] if name == "doc" => {
                if let syn::Lit::Str(text) = syn::Lit::new(text.clone()) {
                    self.doc += &text.value();
                    self.doc.push('\n');
                }
                false
            }
            [TokenTree::Ident(name), TokenTree::Group(inner)] => {
                name == "cfg" && inner.stream().to_string() == "test"
            }
            [TokenTree::Ident(name)] => name == "test",
            _ => false,
        }
    }

    fn end_of_doc(&mut self) {
        if !self.doc.is_empty() {
            let doc = std::mem::take(&mut self.doc);
            docs::read(self.found, self.takers, &doc);
        }
    }
}
