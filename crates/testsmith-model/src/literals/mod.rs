//! Literals that a crate mentions: values that its code compares with, and those that its docs and tests call it with,
//! are worth trying.
//!
//! [`literals`] reads the files ([`files`]), walks their tokens ([`tokens`], [`calls`], [`docs`]), ranks what it finds and chooses ([`choose`]).

mod calls;
mod choose;
mod docs;
mod files;
mod tokens;

use std::collections::{BTreeMap, BTreeSet};

use self::tokens::Takers;
use crate::{Package, SourceTree};

/// So many strings of each rank at most: a pool of thousands tries nothing often enough.
const MOST_STRINGS: usize = 160;
const MOST_INTS: usize = 120;
/// So many texts, and as many numbers, for an argument of a function.
const MOST_ARGUMENTS: usize = 60;
/// Longer texts are messages and docs, and rarely compared with.
const LONGEST: usize = 64;
/// What a test passes to the crate may be longer.
const LONGEST_INPUT: usize = 160;
/// And longer still where it is passed to the very function that is called.
const LONGEST_ARGUMENT: usize = 400;

/// Strings and integers that a crate mentions, the most promising first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Literals {
    /// Text of strings, byte strings and characters.
    pub strings: Vec<String>,
    /// Integers, also those inside of bytes.
    pub ints: Vec<i128>,
    /// What calls were written with.
    pub arguments: BTreeMap<Argument, Vec<Value>>,
}

/// A place in the calls of a function, as far as their text tells which function that is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Argument {
    /// Name of the function.
    pub function: String,
    /// The type or module that stands before it.
    pub owner: Option<String>,
    /// It is called with a dot: the receiver is none of the arguments.
    pub is_method: bool,
    /// From 0.
    pub at: usize,
}

/// A literal that was written as an argument.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// Text of a string, byte string or character.
    Text(String),
    /// An integer.
    Int(i128),
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
    arguments: BTreeMap<Argument, BTreeSet<Value>>,
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

    /// An argument of a call, which is a value by itself as well.
    fn add_argument(&mut self, argument: &Argument, literal: &syn::Lit) {
        let value = match literal {
            syn::Lit::Str(text) => Value::Text(text.value()),
            syn::Lit::ByteStr(bytes) => Value::Text(String::from_utf8_lossy(&bytes.value()).into_owned()),
            syn::Lit::Char(c) => Value::Text(c.value().to_string()),
            syn::Lit::Byte(byte) => Value::Int(byte.value().into()),
            syn::Lit::Int(int) => match int.base10_parse() {
                Ok(int) => Value::Int(int),
                Err(_) => return,
            },
            _ => return,
        };
        if !matches!(&value, Value::Text(text) if text.len() > LONGEST_ARGUMENT) {
            self.arguments.entry(argument.clone()).or_default().insert(value);
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
            strings: by_rank(&self.strings, |texts| {
                choose::varied(texts.into_iter().map(String::as_str).collect(), MOST_STRINGS)
            }),
            ints: by_rank(&self.ints, |mut ints| {
                ints.sort_by_key(|int| int.unsigned_abs());
                ints.into_iter().take(MOST_INTS).copied().collect()
            }),
            arguments: self.arguments.into_iter().map(|(at, values)| (at, some(values))).collect(),
        }
    }
}

/// Those of each rank that are chosen, the best rank first.
fn by_rank<T: Ord>(all: &BTreeMap<T, Rank>, choose: impl Fn(Vec<&T>) -> Vec<T>) -> Vec<T> {
    let of_rank = |rank| all.iter().filter(|it| *it.1 == rank).map(|it| it.0).collect();
    [Rank::Input, Rank::Code, Rank::Example].into_iter().flat_map(|rank| choose(of_rank(rank))).collect()
}

/// Some of the values of an argument: numbers as they come, texts as varied as they can be.
fn some(values: BTreeSet<Value>) -> Vec<Value> {
    let mut ints = Vec::new();
    let mut texts = Vec::new();
    for value in &values {
        match value {
            Value::Int(_) => ints.push(value.clone()),
            Value::Text(text) => texts.push(text.as_str()),
        }
    }
    let texts = choose::varied(texts, MOST_ARGUMENTS).into_iter().map(Value::Text);
    texts.chain(ints.into_iter().take(MOST_ARGUMENTS)).collect()
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
            &["but this", "longer than it", "1.2-x", "that"],
            &[7],
        );
    }

    #[test]
    fn tests_are_uses_wherever_they_stand() {
        check(
            "fn f(s: &str) { s == \"code\" } #[cfg(test)] mod tests { fn t() { f(\"in tests\"); assert!(1 > 0, \"m\") } }",
            "fn t() { check(&[\"in a file\"]); \"1\".len() } fn check(texts: &[&str]) {}",
            &["in a file", "in tests", "code", "1", "m"],
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
    fn of_many_strings_some_are_kept() {
        let code: String = (0..1000).map(|n| format!("const A{n}: &str = \"{n}\";")).collect();
        assert_eq!(collect(&[&code], &[], "").strings.len(), MOST_STRINGS);
    }
}
