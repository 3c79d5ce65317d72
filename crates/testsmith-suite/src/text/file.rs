//! Whole files: `main.rs` of the test target, and one module for each unit.

use std::collections::BTreeSet;

use testsmith_ir::render::needs_import;

use super::existing::{Existing, HEADER};
use super::test::TestText;
use super::uses::Uses;
use super::words::{is_keyword, join, snake_case, without_brackets};

/// A module file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// All of it.
    pub text: String,
    /// For each new test its name; `None` if the file has one that does the same.
    pub names: Vec<Option<String>>,
}

/// Adds tests to a file, or makes a new one.
pub fn module(existing: Option<&Existing>, tests: &[TestText], edition: u16) -> Module {
    let mut uses = Uses::new(existing.map(Existing::imports).unwrap_or_default());
    let mut taken = existing.map(Existing::names).unwrap_or_default();
    let before = uses.lines(edition);
    let mut names = Vec::new();
    let mut items = Vec::new();
    let mut bodies = BTreeSet::new();
    for test in tests {
        let body = test.body();
        if existing.is_some_and(|existing| existing.has_body(&body)) || !bodies.insert(body) {
            names.push(None);
            continue;
        }
        let needed = test.imports.iter().filter(|path| needs_import(path, edition));
        let own: Vec<&str> = needed.filter(|path| !uses.add(path)).map(String::as_str).collect();
        let name = free_name(&test.names, |name| taken.contains(name) || uses.has_name(name));
        taken.insert(name.clone());
        items.push(test.item(&name, &own));
        names.push(Some(name));
    }
    let lines = uses.lines(edition);
    let head = match existing {
        Some(existing) if lines == before => existing.text().to_owned(),
        Some(existing) => existing.with_uses(&lines),
        None => format!("{HEADER}\n\n{}", lines.join("\n")),
    };
    Module { text: blocks(&head, &items), names }
}

/// With an empty line between all.
fn blocks(head: &str, items: &[String]) -> String {
    let mut text = head.trim_end().to_owned() + "\n";
    for item in items {
        text += "\n";
        text += item;
    }
    text
}

/// The first name that is free, or the first with a number.
fn free_name(names: &[String], is_taken: impl Fn(&str) -> bool) -> String {
    let first = names.first().map_or("works", String::as_str);
    let numbered = (2..).map(|number| format!("{first}_{number}"));
    let is_free = |name: &String| !is_taken(name) && !is_keyword(name);
    names.iter().cloned().chain(numbered).find(is_free).expect("numbers do not end")
}

/// Names of modules for units, by which their files are called: `map::IndexMap` is `index_map`, or `map_index_map` if there
/// is another one. None is one of those that are taken.
pub fn module_names(units: &[String], taken: &[&str], library: &str, edition: u16) -> Vec<String> {
    let short = |unit: &str| words_of(unit, 1);
    let mut taken: BTreeSet<String> = taken.iter().map(|name| (*name).to_owned()).collect();
    let mut names = Vec::new();
    for unit in units {
        let is_unique = units.iter().filter(|other| short(other) == short(unit)).count() == 1;
        let base = if is_unique { short(unit) } else { words_of(unit, usize::MAX) };
        // Where `extern crate` brings the library to the root, no module can have its name.
        let is_library = |name: &str| edition < 2018 && name == library.replace('-', "_");
        let is_taken = |name: &str| taken.contains(name) || is_library(name) || is_keyword(name);
        let fallback = format!("{base}_tests");
        let name = free_name(&[base, fallback], is_taken);
        taken.insert(name.clone());
        names.push(name);
    }
    names
}

/// The last parts of a path as a name.
fn words_of(unit: &str, parts: usize) -> String {
    let path = without_brackets(unit);
    let all: Vec<String> = path.split("::").filter(|part| !part.is_empty()).map(snake_case).collect();
    let kept = &all[all.len().saturating_sub(parts)..];
    let name = join(kept.iter().map(String::as_str));
    if name.is_empty() { "items".to_owned() } else { name }
}

/// `main.rs` with these modules, added to what is there. `texts` are theirs: before 2018 a crate that is imported has to be
/// declared in the root.
pub fn main_file<'t>(
    existing: Option<&str>,
    modules: &[String],
    texts: impl IntoIterator<Item = &'t str>,
    library: &str,
    edition: u16,
) -> String {
    let texts: Vec<&str> = texts.into_iter().collect();
    let mut text = match existing {
        Some(existing) => with_allowed(existing.to_owned(), &texts),
        None => new_main(library, edition, &texts),
    };
    if edition < 2018 {
        let used: BTreeSet<&str> = texts.iter().flat_map(|text| imported(text)).collect();
        let missing = used.into_iter().filter(|name| !text.contains(&format!("extern crate {name};")));
        let lines: String = missing.map(|name| format!("extern crate {name};\n")).collect();
        let at = text.find("extern crate ").unwrap_or(text.len());
        text.insert_str(at, &lines);
    }
    let known: BTreeSet<String> = text.lines().filter_map(module_of).collect();
    let missing: BTreeSet<&String> = modules.iter().filter(|module| !known.contains(*module)).collect();
    let lines: String = missing.iter().map(|module| format!("mod {module};\n")).collect();
    let last = text.lines().rev().find(|line| module_of(line).is_some());
    match last.and_then(|line| text.rfind(line).map(|at| at + line.len() + 1)) {
        Some(end) if end <= text.len() => text.insert_str(end, &lines),
        _ if lines.is_empty() => {}
        _ => text = format!("{}\n\n{lines}", text.trim_end()),
    }
    text
}

/// The crates that a file imports from, but for the standard library.
fn imported(text: &str) -> impl Iterator<Item = &str> {
    let names = text.lines().filter_map(|line| line.strip_prefix("use ")?.split("::").next());
    names.filter(|name| !["std", "core", "alloc", "super", "crate", "self"].contains(name))
}

fn new_main(library: &str, edition: u16, texts: &[&str]) -> String {
    let allowed = allowed(texts);
    match edition {
        ..2018 => format!("{HEADER}\n{allowed}\nextern crate {};\n", library.replace('-', "_")),
        _ => format!("{HEADER}\n{allowed}"),
    }
}

/// Lints that find a shorter way of saying something than the call that a test is about, and what a text has that they may find.
const LINTS: [(&str, &[&str]); 12] = [
    ("clippy::clone_on_copy", &[".clone()"]),
    ("clippy::comparison_to_empty", &["== \"\"", "!= \"\"", "== []", "!= []"]),
    ("clippy::double_ended_iterator_last", &[".last()"]),
    ("clippy::op_ref", &["== &", "!= &", "< &", "> &", "<= &", ">= &"]),
    ("clippy::needless_borrows_for_generic_args", &["(&", ", &"]),
    ("clippy::redundant_slicing", &["[..]"]),
    ("clippy::reversed_empty_ranges", &[".."]),
    ("clippy::never_loop", &["for "]),
    ("clippy::unit_arg", &["(()"]),
    ("clippy::unnecessary_find_map", &["find_map"]),
    ("clippy::unnecessary_literal_unwrap", &["Some(", "Ok(", "Err(", "None.", "None::"]),
    ("clippy::useless_vec", &["vec!["]),
];

/// Lints on a line.
const LINTS_PER_LINE: usize = 4;

/// A file with attributes for lints that new texts may break as well. Where nobody wants these any more, none are added.
fn with_allowed(text: String, texts: &[&str]) -> String {
    let Some(last) = text.rmatch_indices("#![allow(").next().map(|(at, _)| at) else { return text };
    let missing: Vec<&str> = may_be_broken(texts).into_iter().filter(|lint| !text.contains(lint)).collect();
    let end = text[last..].find('\n').map_or(text.len(), |end| last + end + 1);
    match missing.is_empty() {
        true => text,
        false => format!("{}#![allow({})]\n{}", &text[..end], missing.join(", "), &text[end..]),
    }
}

/// Attributes for the lints that some texts may break.
fn allowed(texts: &[&str]) -> String {
    let lints = may_be_broken(texts);
    if lints.is_empty() {
        return String::new();
    }
    let lines: String =
        lints.chunks(LINTS_PER_LINE).map(|some| format!("#![allow({})]\n", some.join(", "))).collect();
    format!("\n// The tests call what the crate offers, also where there is a shorter way.\n{lines}")
}

/// The lints that some texts may break.
fn may_be_broken(texts: &[&str]) -> Vec<&'static str> {
    let may_break = |marks: &[&str]| marks.iter().any(|mark| texts.iter().any(|text| text.contains(mark)));
    LINTS.iter().filter(|(_, marks)| may_break(marks)).map(|(lint, _)| *lint).collect()
}

/// The module of a line `mod name;`.
fn module_of(line: &str) -> Option<String> {
    let name = line.trim().strip_prefix("mod ")?.strip_suffix(';')?;
    Some(name.trim().to_owned())
}
