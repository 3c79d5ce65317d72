//! Literals that a crate mentions: values that its code compares with, and those that its docs and tests call it with,
//! are worth trying.
//!
//! [`literals`] reads the files ([`files`]), walks their tokens ([`tokens`], [`docs`]) and ranks what it finds.

mod docs;
mod files;
mod tokens;

use std::collections::BTreeMap;

use self::tokens::Takers;
use crate::{Package, SourceTree};

/// So many strings of each rank at most: a pool of thousands tries nothing often enough.
const MOST_STRINGS: usize = 160;
const MOST_INTS: usize = 120;
/// Longer texts are messages and docs, and rarely compared with.
const LONGEST: usize = 64;
/// What a test passes to the crate may be longer.
const LONGEST_INPUT: usize = 160;

/// Strings and integers that a crate mentions, the most promising first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Literals {
    /// Text of strings, byte strings and characters.
    pub strings: Vec<String>,
    /// Integers, also those inside of bytes.
    pub ints: Vec<i128>,
}

/// How promising a literal is, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// What docs and tests pass to a function that takes text: mostly valid input, which is hard to guess.
    Input,
    /// It stands in the code, which may compare with it.
    Code,
    /// It stands elsewhere in docs and tests: results, messages.
    Example,
}

/// All literals, each with the best of its ranks.
#[derive(Default)]
struct Found {
    strings: BTreeMap<String, Rank>,
    ints: BTreeMap<i128, Rank>,
}

/// Collects the literals of a package: of its code, docs and readme, tests, examples and benches.
pub fn literals(tree: &SourceTree, package: &Package) -> Literals {
    let code: Vec<&str> = tree.files.iter().map(|file| file.text.as_str()).collect();
    let uses = files::uses(&package.dir, tree);
    let readme = std::fs::read_to_string(package.dir.join("README.md")).unwrap_or_default();
    collect(&code, &uses, &readme)
}

/// From the text of the crate's own files, of files that use it, and of its readme.
fn collect(code: &[&str], uses: &[String], readme: &str) -> Literals {
    let parse = |text: &str| text.parse::<proc_macro2::TokenStream>().unwrap_or_default();
    let code: Vec<_> = code.iter().map(|text| parse(text)).collect();
    let uses: Vec<_> = uses.iter().map(|text| parse(text)).collect();
    let mut takers = Takers::default();
    code.iter().chain(&uses).for_each(|tokens| takers.learn(tokens.clone()));
    let mut found = Found::default();
    for (files, rank) in [(code, Rank::Code), (uses, Rank::Example)] {
        files.into_iter().for_each(|tokens| tokens::walk(&mut found, &takers, tokens, rank));
    }
    docs::read(&mut found, &takers, readme);
    found.ranked()
}

impl Found {
    fn add(&mut self, literal: &syn::Lit, rank: Rank) {
        match literal {
            syn::Lit::Str(text) => self.add_text(&text.value(), rank),
            syn::Lit::ByteStr(bytes) => self.add_text(&String::from_utf8_lossy(&bytes.value()), rank),
            syn::Lit::CStr(text) => self.add_text(&text.value().to_string_lossy(), rank),
            syn::Lit::Char(c) => self.add_text(&c.value().to_string(), rank),
            syn::Lit::Byte(byte) => self.add_int(byte.value().into(), rank),
            syn::Lit::Int(int) => {
                int.base10_parse::<i128>().into_iter().for_each(|int| self.add_int(int, rank));
            }
            _ => {}
        }
    }

    fn add_text(&mut self, text: &str, rank: Rank) {
        let longest = if rank == Rank::Input { LONGEST_INPUT } else { LONGEST };
        if text.len() <= longest {
            let known = self.strings.entry(text.to_owned()).or_insert(rank);
            *known = rank.min(*known);
        }
    }

    fn add_int(&mut self, int: i128, rank: Rank) {
        // Next to a text, a number is no better than elsewhere in an example.
        let rank = if rank == Rank::Input { Rank::Example } else { rank };
        let known = self.ints.entry(int).or_insert(rank);
        *known = rank.min(*known);
    }

    fn ranked(self) -> Literals {
        Literals {
            strings: best(self.strings, MOST_STRINGS, |text| text.chars().count() as u128),
            ints: best(self.ints, MOST_INTS, |int| int.unsigned_abs()),
        }
    }
}

/// By rank, and of each rank at most so many: the simplest.
fn best<T: Ord + Clone>(all: BTreeMap<T, Rank>, most: usize, weight: impl Fn(&T) -> u128) -> Vec<T> {
    [Rank::Input, Rank::Code, Rank::Example]
        .into_iter()
        .flat_map(|rank| {
            let mut of_rank: Vec<&T> = all.iter().filter(|it| *it.1 == rank).map(|it| it.0).collect();
            of_rank.sort_by_key(|value| weight(value));
            of_rank.into_iter().take(most).cloned().collect::<Vec<T>>()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(code: &str, uses: &str, strings: &[&str], ints: &[i128]) {
        let found = collect(&[code], &[uses.to_owned()], "");
        assert_eq!(found.strings, strings);
        assert_eq!(found.ints, ints);
    }

    #[test]
    fn literals_are_found_in_code_and_in_macros() {
        check(
            "fn f(s: &str) -> bool { assert!(s != \"a\\tc\"); s == \"x\" && 0x10 < 17u8 as usize && b'a' == 98 }",
            "",
            &["x", "a\tc"],
            &[16, 17, 97, 98],
        );
    }

    #[test]
    fn what_examples_pass_to_functions_that_take_text_comes_first() {
        check(
            "/// not \"this\"\n/// ```\n/// assert_eq!(f(7,\n///  \"but this\"), \"that\");\n/// ```\n/// nor 5, \
             but `1.2-x`, not `f(3)`\npub fn f<T: Into<u8>>(n: T, s: &str) -> bool { s == \"longer than it\" }",
            "",
            &["but this", "longer than it", "that", "1.2-x"],
            &[7],
        );
    }

    #[test]
    fn tests_are_uses_wherever_they_stand() {
        check(
            "fn f(s: &str) { s == \"code\" } #[cfg(test)] mod tests { fn t() { f(\"in tests\"); assert!(1 > 0, \"m\") } }",
            "fn t() { check(&[\"in a file\"]); \"1\".len() } fn check(texts: &[&str]) {}",
            &["in tests", "in a file", "code", "1", "m"],
            &[0, 1],
        );
    }

    #[test]
    fn messages_and_attributes_are_no_values() {
        check(
            "#[deprecated(note = \"old\")] fn f() { g().expect(\"there\"); panic!(\"message {}\", 3) }",
            "",
            &[],
            &[3],
        );
    }

    #[test]
    fn a_readme_has_examples_too() {
        let found = collect(&["fn f(s: &str) {}"], &[], "# f\n```rust\nf(\"12:30\");\n```\n\"not this\"\n");
        assert_eq!(found.strings, ["12:30"]);
    }

    #[test]
    fn of_many_strings_the_short_ones_are_kept() {
        let code: String = (0..1000).map(|n| format!("const A{n}: &str = \"{n}\";")).collect();
        let found = collect(&[&code], &[], "");
        assert_eq!(found.strings.len(), MOST_STRINGS);
        assert!(found.strings.iter().all(|text| text.len() <= 3));
    }
}
