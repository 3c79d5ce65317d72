//! A test file that is there already: what is in it is kept as it is, whoever wrote it.

use std::collections::BTreeSet;
use std::ops::Range;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;

use super::fingerprint::{fingerprint, parted, with_numbers};
use super::scope::last;
use super::uses::Uses;

/// The first line of every file that the tool writes, and by which it knows its own.
pub const HEADER: &str = "// Tests written by `cargo testsmith`. Change what you like: it is kept.";

/// What a file of ours begins with, whichever version wrote it.
const MARK: &str = "// Tests written by `cargo testsmith`";

/// A file with tests.
#[derive(Clone, Debug)]
pub struct Existing {
    /// As it was read.
    raw: String,
    /// Without the fingerprints at its end.
    text: String,
    /// Of tests as they were written.
    fingerprints: BTreeSet<String>,
    items: Vec<Item>,
    /// Names that new tests cannot have, although nothing has them.
    reserved: BTreeSet<String>,
}

/// What stands at a place of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum At {
    /// A test of this name.
    Test(String),
    /// A plain `use` item with these paths.
    Use(Vec<String>),
    /// Something else.
    Other,
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
        let raw = text;
        let (text, fingerprints) = parted(raw);
        let file = syn::parse_file(&text).map_err(|error| Unreadable::Syntax {
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
        let (items, raw) = (items.collect(), raw.to_owned());
        Ok(Existing { raw, items, text, fingerprints, reserved: BTreeSet::new() })
    }

    /// All of it, but for the fingerprints.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// All of it, as it was read.
    pub fn raw(&self) -> &str {
        &self.raw
    }

    /// Whether it is still as it was read.
    pub fn is_as_read(&self) -> bool {
        parted(&self.raw).1 == self.fingerprints
    }

    /// Whether there is nothing in it but imports.
    pub fn is_bare(&self) -> bool {
        self.items.iter().all(|item| item.imports.is_some())
    }

    /// Names of tests that are as they were written.
    pub fn unedited(&self) -> BTreeSet<String> {
        let is_known = |text: &str| fingerprint(text).is_some_and(|it| self.fingerprints.contains(&it));
        self.tests().filter(|(_, text)| is_known(text)).map(|(name, _)| name.to_owned()).collect()
    }

    /// The text with the fingerprints of the tests of these names.
    pub fn sealed(&self, names: &BTreeSet<String>) -> String {
        let ours = self.tests().filter(|(name, _)| names.contains(*name));
        let numbers: Vec<String> = ours.filter_map(|(_, text)| fingerprint(text)).collect();
        with_numbers(&self.text, &numbers)
    }

    /// What stands at a byte of the text, and at a line, counted from 1.
    pub fn at_byte(&self, byte: usize) -> At {
        let item = self.items.iter().find(|item| item.range.contains(&byte));
        match item {
            Some(Item { is_test: true, name: Some(name), .. }) => At::Test(name.clone()),
            Some(Item { imports: Some(paths), .. }) => At::Use(paths.clone()),
            _ => At::Other,
        }
    }

    /// The line of a test, counted from 1.
    pub fn line_of(&self, test: &str) -> Option<usize> {
        let item = self.items.iter().find(|item| item.is_test && item.name.as_deref() == Some(test))?;
        Some(self.text[..item.start].matches('\n').count() + 1)
    }

    /// The line on which the text of a test begins, comments included.
    pub fn first_line_of(&self, test: &str) -> Option<usize> {
        let item = self.items.iter().find(|item| item.is_test && item.name.as_deref() == Some(test))?;
        let text = &self.text[item.range.clone()];
        let start = item.range.start + (text.len() - text.trim_start().len());
        Some(self.text[..start].matches('\n').count() + 1)
    }

    /// Whether an item other than an import has this word.
    pub fn mentions(&self, word: &str) -> bool {
        let others = self.items.iter().filter(|item| item.imports.is_none());
        others.map(|item| &self.text[item.range.clone()]).any(|text| has_word(text, word))
    }

    /// The tests that have this word.
    pub fn tests_with(&self, word: &str) -> BTreeSet<String> {
        let tests = self.tests().filter(|(_, text)| has_word(text, word));
        tests.map(|(name, _)| name.to_owned()).collect()
    }

    /// With another text of ours for a test; as it is, if that is no Rust.
    #[must_use]
    pub fn with_test(&self, name: &str, text: &str) -> Existing {
        let Some(item) = self.items.iter().find(|item| item.is_test && item.name.as_deref() == Some(name))
        else {
            return self.clone();
        };
        let old = &self.text[item.range.clone()];
        let start = item.range.start + (old.len() - old.trim_start().len());
        let mut changed = self.text.clone();
        changed.replace_range(start..item.range.end, text.trim());
        let Some(mut changed) = self.with_text(&changed) else { return self.clone() };
        changed.fingerprints.extend(fingerprint(text));
        changed
    }

    /// Without some paths of plain imports.
    #[must_use]
    pub fn without_imports(&self, paths: &BTreeSet<String>, edition: u16) -> Existing {
        let kept: Vec<String> = self.imports().into_iter().filter(|path| !paths.contains(path)).collect();
        if kept.len() == self.imports().len() {
            return self.clone();
        }
        let changed = self.with_uses(&Uses::new(kept).lines(edition));
        self.with_text(&changed).unwrap_or_else(|| self.clone())
    }

    /// Without imports of what only these tests have named, which are not in the file any more.
    #[must_use]
    pub fn without_imports_of(&self, gone: &[&str], edition: u16) -> Existing {
        let is_idle = |path: &String| {
            let name = imported_name(path);
            gone.iter().any(|text| has_word(text, name)) && !self.mentions(name)
        };
        let idle = self.imports().into_iter().filter(is_idle).collect();
        self.without_imports(&idle, edition)
    }

    /// The same with names that no new test gets.
    #[must_use]
    pub fn reserving(mut self, names: BTreeSet<String>) -> Existing {
        self.reserved.extend(names);
        self
    }

    /// Another text of the same file.
    fn with_text(&self, text: &str) -> Option<Existing> {
        let Existing { fingerprints, reserved, .. } = self.clone();
        Some(Existing { fingerprints, reserved, ..Existing::read(text).ok()? })
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
        self.with_text(&text).expect("what is left of a file is as it was")
    }

    /// Whether a test does the same as one with this [body](super::TestText::body).
    pub fn has_body(&self, body: &str) -> bool {
        self.items.iter().any(|item| item.name.is_some() && item.body == body)
    }

    /// The test that does the same as one with this body.
    pub fn test_with_body(&self, body: &str) -> Option<&str> {
        let test = self.items.iter().find(|item| item.is_test && item.body == body)?;
        test.name.as_deref()
    }

    /// Names of functions and of what is imported in ways that are not written anew.
    pub fn names(&self) -> BTreeSet<String> {
        let own = self.items.iter().filter_map(|item| item.name.clone());
        own.chain(self.reserved.iter().cloned())
            .chain(self.items.iter().flat_map(|item| item.brings.iter().cloned()))
            .collect()
    }

    /// The paths of all plain `use` items.
    pub fn imports(&self) -> Vec<String> {
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

/// The name that an import brings.
pub fn imported_name(path: &str) -> &str {
    last(path)
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|part| part == word)
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
