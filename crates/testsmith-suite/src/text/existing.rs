//! A test file that is there already: what is in it is kept as it is, whoever wrote it.

use std::collections::BTreeSet;
use std::ops::Range;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;

use super::scope::last;

/// The first line of every file that the tool writes, and by which it knows its own.
pub const HEADER: &str = "// Tests written by `cargo testsmith`. Change what you like: it is kept.";

/// What a file of ours begins with, whichever version wrote it.
const MARK: &str = "// Tests written by `cargo testsmith`";

/// A file with tests.
#[derive(Clone, Debug)]
pub struct Existing {
    text: String,
    items: Vec<Item>,
}

/// Why a file cannot be added to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// It has not our header.
    Foreign,
    /// It is no Rust.
    Syntax {
        /// Counted from 1.
        line: usize,
        /// What the parser says.
        message: String,
    },
}

#[derive(Clone, Debug)]
struct Item {
    /// Of a function.
    name: Option<String>,
    is_test: bool,
    /// From the end of the item before.
    range: Range<usize>,
    /// Where it really begins: behind comments and empty lines.
    start: usize,
    /// The body of a function without what makes no difference.
    body: String,
    /// The paths of a `use` item that can be written anew; `None` for everything else.
    imports: Option<Vec<String>>,
    /// Names that a `use` item of any kind brings.
    brings: Vec<String>,
}

/// Whether a file was written by the tool.
pub fn is_ours(text: &str) -> bool {
    text.lines().next().is_some_and(|line| line.starts_with(MARK))
}

impl Existing {
    /// Reads a module file.
    pub fn read(text: &str) -> Result<Existing, Unreadable> {
        if !is_ours(text) {
            return Err(Unreadable::Foreign);
        }
        let file = syn::parse_file(text).map_err(|error| Unreadable::Syntax {
            line: error.span().start().line,
            message: error.to_string(),
        })?;
        let header = text.find('\n').map_or(text.len(), |end| end + 1);
        let mut end =
            file.attrs.iter().map(|attr| attr.span().byte_range().end).max().unwrap_or(0).max(header);
        let items = file.items.iter().map(|item| {
            let span = item.span().byte_range();
            let range = end..span.end;
            end = span.end;
            Item::new(item, range, span.start)
        });
        Ok(Existing { items: items.collect(), text: text.to_owned() })
    }

    /// All of it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its tests: name and exact text, comments included.
    pub fn tests(&self) -> impl Iterator<Item = (&str, &str)> {
        let tests = self.items.iter().filter(|item| item.is_test);
        tests.filter_map(|item| Some((item.name.as_deref()?, self.text[item.range.clone()].trim())))
    }

    /// Without the tests of these names.
    pub fn without(&self, names: &BTreeSet<String>) -> Existing {
        let is_out =
            |item: &&Item| item.is_test && item.name.as_ref().is_some_and(|name| names.contains(name));
        let mut text = self.text.clone();
        for item in self.items.iter().rev().filter(is_out) {
            text.replace_range(item.range.clone(), "");
        }
        Existing::read(&text).expect("what is left of a file is as it was")
    }

    /// Whether a test does the same as one with this [body](super::TestText::body).
    pub fn has_body(&self, body: &str) -> bool {
        self.items.iter().any(|item| item.name.is_some() && item.body == body)
    }

    /// Names of functions and of what is imported in ways that are not written anew.
    pub(super) fn names(&self) -> BTreeSet<String> {
        let own = self.items.iter().filter_map(|item| item.name.clone());
        own.chain(self.items.iter().flat_map(|item| item.brings.iter().cloned())).collect()
    }

    /// The paths of all plain `use` items.
    pub(super) fn imports(&self) -> Vec<String> {
        self.items.iter().flat_map(|item| item.imports.iter().flatten().cloned()).collect()
    }

    /// The text with other plain `use` items.
    pub(super) fn with_uses(&self, lines: &[String]) -> String {
        let uses: Vec<&Item> = self.items.iter().filter(|item| item.imports.is_some()).collect();
        let block = lines.join("\n");
        let Some((first, rest)) = uses.split_first() else {
            let at = self.items.first().map_or(self.text.len(), |item| item.range.start);
            let (before, after) = self.text.split_at(at);
            let after = after.trim_start_matches('\n');
            return format!("{}\n\n{block}\n\n{after}", before.trim_end());
        };
        let mut text = self.text.clone();
        for item in rest.iter().rev() {
            // Comments in front of it stay.
            let before = text[..item.start].trim_end_matches([' ', '\n']).len();
            text.replace_range(before.max(item.range.start)..item.range.end, "");
        }
        text.replace_range(first.start..first.range.end, &block);
        text
    }
}

impl Item {
    fn new(item: &syn::Item, range: Range<usize>, start: usize) -> Item {
        let mut new = Item {
            name: None,
            is_test: false,
            range,
            start,
            body: String::new(),
            imports: None,
            brings: Vec::new(),
        };
        match item {
            syn::Item::Fn(function) => {
                new.name = Some(function.sig.ident.to_string());
                new.is_test = function.attrs.iter().any(|attr| last_segment(attr.path()) == "test");
                new.body = normal(function);
            }
            syn::Item::Use(import) => {
                let mut paths = Vec::new();
                let is_plain = flatten(&import.tree, "", &mut paths, &mut new.brings);
                let is_bare = import.attrs.is_empty() && matches!(import.vis, syn::Visibility::Inherited);
                new.imports = (is_plain && is_bare && import.leading_colon.is_none()).then_some(paths);
            }
            _ => {}
        }
        new
    }
}

fn last_segment(path: &syn::Path) -> String {
    path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default()
}

/// All paths of a `use` tree; `false` if there is something in it that is no plain path.
fn flatten(tree: &syn::UseTree, prefix: &str, paths: &mut Vec<String>, names: &mut Vec<String>) -> bool {
    match tree {
        syn::UseTree::Path(path) => flatten(&path.tree, &format!("{prefix}{}::", path.ident), paths, names),
        syn::UseTree::Name(name) if name.ident == "self" => {
            let path = prefix.trim_end_matches("::");
            names.push(last(path).to_owned());
            paths.push(path.to_owned());
            // It would bring macros and functions of that name as well.
            false
        }
        syn::UseTree::Name(name) => {
            names.push(name.ident.to_string());
            paths.push(format!("{prefix}{}", name.ident));
            true
        }
        syn::UseTree::Rename(rename) => {
            names.push(rename.rename.to_string());
            paths.push(format!("{prefix}{} as {}", rename.ident, rename.rename));
            // Any number of things can have no name.
            rename.rename != "_"
        }
        syn::UseTree::Glob(_) => false,
        syn::UseTree::Group(group) => {
            // All are looked at, also behind one that is not plain.
            let odd = group.items.iter().filter(|tree| !flatten(tree, prefix, paths, names)).count();
            odd == 0
        }
    }
}

/// What a function does, without its name, its comments and its layout.
fn normal(function: &syn::ItemFn) -> String {
    let panics = function.attrs.iter().filter(|attr| attr.path().is_ident("should_panic"));
    let mut text = String::new();
    panics.for_each(|attr| write_tokens(attr.to_token_stream(), &mut text));
    write_tokens(function.block.to_token_stream(), &mut text);
    text
}

/// Tokens without the commas that layout brings.
fn write_tokens(tokens: TokenStream, text: &mut String) {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Group(group) => {
                *text += &format!("{:?} ", group.delimiter());
                write_tokens(group.stream(), text);
                *text += "end ";
            }
            TokenTree::Punct(punct) if punct.as_char() == ',' && tokens.peek().is_none() => {}
            token => *text += &format!("{token} "),
        }
    }
}

/// The same for a test that is not in a file yet.
pub(super) fn normal_item(item: &str) -> Option<String> {
    syn::parse_str::<syn::ItemFn>(item).ok().map(|function| normal(&function))
}
