//! Bodies of `macro_rules!` that produce functions.
//!
//! A body is made parseable: `$name` becomes an identifier (or what its fragment stands for), a repetition stands for
//! its content once. All tokens keep their places in the source, so sites are spliced into the body itself and work
//! in every expansion. What would cross the edge of a repetition is left out, and so is a body that is no list of items.

use std::collections::HashMap;
use std::ops::Range;

use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use syn::visit::Visit;
use syn::{ImplItem, Item, ItemMacro};

use super::{Walker, range};
use crate::site::{Choice, Part};

/// What stands in front of a parameter's name while the body is looked at.
const PREFIX: &str = "__mv_";

/// A stretch of a body that stands for any number of copies.
#[derive(Clone, Debug)]
pub(super) struct Repetition {
    /// From `$` to the operator.
    outer: Range<usize>,
    /// Between the parentheses.
    inner: Range<usize>,
}

impl Repetition {
    /// Whether a stretch of source is wholly inside, wholly around, or elsewhere.
    pub(super) fn allows(&self, stretch: &Range<usize>) -> bool {
        let holds = |a: &Range<usize>, b: &Range<usize>| a.start <= b.start && b.end <= a.end;
        holds(&self.inner, stretch)
            || holds(stretch, &self.outer)
            || stretch.end <= self.outer.start
            || self.outer.end <= stretch.start
    }
}

/// Gives parameters their `$` back in text that was made from the parsed body.
pub(super) fn restore(text: &str) -> String {
    text.replace(PREFIX, "$")
}

/// The same for the text of a part.
pub(super) fn restore_part(part: Part) -> Part {
    match part {
        Part::Text(text) => Part::Text(restore(&text)),
        Part::Choice(choice) => Part::Choice(Choice {
            call: choice.call,
            original: choice.original.into_iter().map(restore_part).collect(),
            mutants: choice.mutants.iter().map(|text| restore(text)).collect(),
        }),
        other => other,
    }
}

/// Whether all stretches of source in some parts are allowed.
fn stretches_allowed(parts: &[Part], repetitions: &[Repetition]) -> bool {
    parts.iter().all(|part| match part {
        Part::Source(range) => repetitions.iter().all(|repetition| repetition.allows(range)),
        Part::Choice(choice) => stretches_allowed(&choice.original, repetitions),
        Part::Text(_) | Part::Newlines(_) => true,
    })
}

impl Walker<'_> {
    /// Whether a site may be written: in a macro's body it must not cross the edge of a repetition.
    pub(super) fn may_write(&self, range: &Range<usize>, parts: &[Part]) -> bool {
        let Some(repetitions) = &self.repetitions else { return true };
        repetitions.iter().all(|repetition| repetition.allows(range)) && stretches_allowed(parts, repetitions)
    }

    pub(super) fn macro_rules(&mut self, item: &ItemMacro) {
        let Some(name) = item.ident.as_ref().map(ToString::to_string) else { return };
        let at = range(&item.ident);
        if !self.is_under_test(&item.attrs, &format!("macro {name}"), at.clone()) {
            return;
        }
        let found = self.plan.mutants.len();
        if self.facts.macros.contains(&name) {
            self.path.push(format!("{name}!"));
            for (pattern, body) in rules(item.mac.tokens.clone()) {
                self.macro_body(&pattern, body);
            }
            self.path.pop();
        }
        if self.plan.mutants.len() == found {
            self.skip(at.start, &format!("macro {name}"), "its body is no list of functions");
        }
    }

    fn macro_body(&mut self, pattern: &Group, body: Group) {
        let mut fragments = HashMap::new();
        read_fragments(pattern.stream(), &mut fragments);
        let mut repetitions = Vec::new();
        let tokens = parseable(body.stream(), &fragments, &mut repetitions);
        self.repetitions = Some(repetitions);
        if let Ok(file) = syn::parse2::<syn::File>(tokens.clone()) {
            for item in file.items.iter().filter(|item| !matches!(item, Item::Macro(_))) {
                self.visit_item(item);
            }
        } else if let Ok(items) = syn::parse2::<ImplItems>(tokens) {
            items.0.iter().for_each(|item| self.visit_impl_item(item));
        }
        self.repetitions = None;
    }
}

struct ImplItems(Vec<ImplItem>);

impl syn::parse::Parse for ImplItems {
    fn parse(input: syn::parse::ParseStream<'_>) -> syn::Result<Self> {
        let mut items = Vec::new();
        while !input.is_empty() {
            items.push(input.parse()?);
        }
        Ok(ImplItems(items))
    }
}

/// Pattern and body of each rule.
fn rules(tokens: TokenStream) -> Vec<(Group, Group)> {
    let groups: Vec<Group> = tokens
        .into_iter()
        .filter_map(|token| match token {
            TokenTree::Group(group) => Some(group),
            _ => None,
        })
        .collect();
    groups.chunks_exact(2).map(|rule| (rule[0].clone(), rule[1].clone())).collect()
}

/// `$name:fragment`, at any depth of a pattern.
fn read_fragments(tokens: TokenStream, into: &mut HashMap<String, String>) {
    let tokens: Vec<_> = tokens.into_iter().collect();
    for at in 0..tokens.len() {
        match &tokens[at..] {
            [
                TokenTree::Punct(dollar),
                TokenTree::Ident(name),
                TokenTree::Punct(colon),
                TokenTree::Ident(kind),
                ..,
            ] if dollar.as_char() == '$' && colon.as_char() == ':' => {
                into.insert(name.to_string(), kind.to_string());
            }
            [TokenTree::Group(group), ..] => read_fragments(group.stream(), into),
            _ => {}
        }
    }
}

/// The body as tokens that may parse, all at their places.
fn parseable(
    tokens: TokenStream,
    fragments: &HashMap<String, String>,
    repetitions: &mut Vec<Repetition>,
) -> TokenStream {
    let mut out = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(dollar) if dollar.as_char() == '$' => match tokens.next() {
                Some(TokenTree::Ident(name)) => {
                    let span = dollar.span().join(name.span()).unwrap_or(name.span());
                    let kind = fragments.get(&name.to_string()).map_or("", String::as_str);
                    out.extend(stand_in(&name.to_string(), kind, span));
                }
                Some(TokenTree::Group(group)) => {
                    let start = dollar.span().byte_range().start;
                    let end = repetition_end(&mut tokens).unwrap_or(group.span_close().byte_range().end);
                    repetitions.push(Repetition {
                        outer: start..end,
                        inner: group.span_open().byte_range().end..group.span_close().byte_range().start,
                    });
                    out.extend(parseable(group.stream(), fragments, repetitions));
                }
                other => out.extend(other),
            },
            TokenTree::Group(group) => {
                let mut inner =
                    Group::new(group.delimiter(), parseable(group.stream(), fragments, repetitions));
                inner.set_span(group.span());
                out.push(TokenTree::Group(inner));
            }
            other => out.push(other),
        }
    }
    out.into_iter().collect()
}

/// What a parameter becomes.
fn stand_in(name: &str, kind: &str, span: Span) -> Option<TokenTree> {
    if name == "crate" {
        return Some(TokenTree::Ident(Ident::new("crate", span)));
    }
    match kind {
        // May be empty, or a whole item: nothing that the body's own structure needs.
        "vis" | "item" => None,
        "block" => {
            let mut block = Group::new(Delimiter::Brace, TokenStream::new());
            block.set_span(span);
            Some(TokenTree::Group(block))
        }
        _ => Some(TokenTree::Ident(Ident::new(&format!("{PREFIX}{name}"), span))),
    }
}

/// Reads `*`, `+`, `?` or a separator and one of those; the byte behind it.
fn repetition_end(tokens: &mut std::iter::Peekable<proc_macro2::token_stream::IntoIter>) -> Option<usize> {
    let is_operator = |punct: &Punct| "*+?".contains(punct.as_char());
    loop {
        match tokens.next()? {
            TokenTree::Punct(punct) if is_operator(&punct) => {
                // `+` may be the separator of `$( … )+*`.
                let is_separator = matches!(tokens.peek(), Some(TokenTree::Punct(next))
                    if is_operator(next) && punct.spacing() == Spacing::Joint);
                if !is_separator {
                    return Some(punct.span().byte_range().end);
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(body: &str) -> (String, usize) {
        let tokens: TokenStream = body.parse().unwrap();
        let fragments =
            HashMap::from([("v".to_owned(), "vis".to_owned()), ("b".to_owned(), "block".to_owned())]);
        let mut repetitions = Vec::new();
        let text = parseable(tokens, &fragments, &mut repetitions).to_string();
        (text, repetitions.len())
    }

    #[test]
    fn bodies_become_parseable() {
        assert_eq!(read("$v fn $n() $b").0, "fn __mv_n () { }");
        assert_eq!(read("$(impl A for $t {})*"), ("impl A for __mv_t { }".to_owned(), 1));
        assert_eq!(read("f($($x),+) $crate::g()"), ("f (__mv_x) crate :: g ()".to_owned(), 1));
    }

    #[test]
    fn a_stretch_may_not_cross_the_edge_of_a_repetition() {
        let repetition = Repetition { outer: 10..20, inner: 12..18 };
        for fine in [0..10, 20..25, 12..18, 13..14, 5..25, 10..20] {
            assert!(repetition.allows(&fine), "{fine:?}");
        }
        for crossing in [5..15, 15..25, 11..13, 10..12] {
            assert!(!repetition.allows(&crossing), "{crossing:?}");
        }
    }
}
