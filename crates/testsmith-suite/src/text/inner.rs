//! Tests inside of the crate: how its items are named there, how a new file begins, and the declaration that makes a file a
//! module.

use testsmith_ir::Api;

use super::existing::HEADER;

/// What is added to the file of a module for its tests, which lie where the compiler looks for them, or at this path.
fn declaration(path: Option<&str>) -> String {
    let path = path.map(|path| format!("#[path = \"{path}\"]\n")).unwrap_or_default();
    format!("#[cfg(test)]\n{path}mod testsmith;\n")
}

/// The API of a library as its own modules name it: `crate::parse::number` for `library::parse::number`.
pub fn seen_from_inside(api: &Api, library: &str) -> Api {
    let mut api = api.clone();
    let (whole, root) = (format!("::{library}::"), format!("{library}::"));
    let shown = |text: &mut String| *text = text.replace(&whole, "crate::");
    let import = |path: &mut String| {
        if let Some(rest) = path.strip_prefix(&root) {
            *path = format!("crate::{rest}");
        }
    };
    for ty in &mut api.types {
        shown(&mut ty.shown);
        ty.imports.iter_mut().for_each(import);
    }
    for callable in &mut api.callables {
        shown(&mut callable.shown);
        callable.imports.iter_mut().for_each(import);
    }
    api
}

/// A file without tests; that of a crate without the standard library brings it.
pub fn inner_file(brings_std: bool) -> String {
    format!("{HEADER}\n{ALLOWED}{}", if brings_std { STD } else { "" })
}

/// What is allowed outside, and the rules that a crate may have for its own code.
const ALLOWED: &str = "
// The tests call what the crate has, also where there is a shorter way.
#![allow(deprecated, unused_imports, unused_must_use, unused_results)]
#![allow(clippy::clone_on_copy, clippy::comparison_to_empty, clippy::op_ref)]
#![allow(clippy::field_reassign_with_default)]
#![allow(clippy::needless_borrows_for_generic_args, clippy::redundant_slicing)]
#![allow(clippy::never_loop, clippy::unnecessary_find_map, clippy::unnecessary_literal_unwrap)]
#![allow(clippy::pedantic, clippy::nursery, clippy::restriction)]
";

const STD: &str = "
extern crate std;
use std::{format, prelude::v1::*, vec};
";

/// The source of a module with the declaration of its tests at the end; `None` if it has one. `path` says where they are, if not
/// where the compiler would look.
pub fn declared(source: &str, path: Option<&str>) -> Option<String> {
    let file = syn::parse_file(source.trim_start_matches('\u{feff}')).ok();
    let is_it = |item: &syn::Item| matches!(item, syn::Item::Mod(module) if module.ident == "testsmith");
    if file.is_some_and(|file| file.items.iter().any(is_it)) {
        return None;
    }
    let end = if source.contains("\r\n") { "\r\n" } else { "\n" };
    let mut text = source.to_owned();
    if !text.is_empty() && !text.ends_with('\n') {
        text += end;
    }
    Some(text + end + &declaration(path).replace('\n', end))
}

/// The source of a module without what [`declared`] has added.
pub fn undeclared(source: &str, path: Option<&str>) -> String {
    let end = if source.contains("\r\n") { "\r\n" } else { "\n" };
    let added = format!("{end}{}", declaration(path).replace('\n', end));
    source.strip_suffix(&added).unwrap_or(source).to_owned()
}

#[cfg(test)]
mod tests {
    use testsmith_ir::render::Spelling;
    use testsmith_ir::{Visibility, sketch};

    use super::super::{Existing, KillWords, module, test};
    use super::*;
    use crate::case::{Case, Check, Claim, Ending};

    #[test]
    fn a_module_declares_its_tests_once() {
        let table = [
            ("fn f() {}\n", "fn f() {}\n\n#[cfg(test)]\nmod testsmith;\n"),
            ("fn f() {}", "fn f() {}\n\n#[cfg(test)]\nmod testsmith;\n"),
            ("fn f() {}\r\n", "fn f() {}\r\n\r\n#[cfg(test)]\r\nmod testsmith;\r\n"),
            ("\u{feff}// end", "\u{feff}// end\n\n#[cfg(test)]\nmod testsmith;\n"),
        ];
        for (before, after) in table {
            assert_eq!(declared(before, None).as_deref(), Some(after));
            assert_eq!(declared(after, None), None);
            assert_eq!(undeclared(after, None).trim_end(), before.trim_end());
            assert_eq!(undeclared(before, None), before);
        }
        assert_eq!(declared("#[cfg(test)] mod testsmith;", None), None);
        let elsewhere = "fn f() {}\n\n#[cfg(test)]\n#[path = \"a/testsmith.rs\"]\nmod testsmith;\n";
        assert_eq!(declared("fn f() {}\n", Some("a/testsmith.rs")).as_deref(), Some(elsewhere));
        assert_eq!(undeclared(elsewhere, Some("a/testsmith.rs")), "fn f() {}\n");
    }

    #[test]
    fn a_test_inside_of_the_crate_names_what_it_needs_from_the_root() {
        let text = "
            type i32: copy eq debug
            type mine::parse::Digits: drop
            fn mine::parse::digits(number: i32) -> mine::parse::Digits => digits($0)
            fn mine::parse::Digits::sum(self: &mine::parse::Digits) -> i32 => $0.sum()
        ";
        let mut api = sketch::api(text).expect("the table is well-formed");
        api.visibilities = vec![Visibility::Inside(vec!["parse".to_owned()]); 2];
        api.callables[0].imports = vec!["mine::parse::digits".to_owned()];
        let api = seen_from_inside(&api, "mine");
        let program =
            sketch::program(&api, "n = 12: i32\nd = mine::parse::digits(n)\ns = mine::parse::Digits::sum(d)");
        let program = program.expect("a program").program;
        let value = testsmith_rt::harness::Value::Int(3);
        let slot = testsmith_ir::Slot::at(2);
        let checks = vec![Check { slot, after: Some(slot), claim: Claim::Value(value) }];
        let case = Case::new(program, Ending::Returns, checks, Vec::new());
        let kills = KillWords { clauses: vec!["`+` in `sum` becomes `-`".to_owned()], places: Vec::new() };
        let written = test(&api, &case, &kills, Spelling::Natural).expect("it can be written");
        let new = Existing::read(&inner_file(false)).expect("it is ours");
        assert_eq!(
            module(Some(&new), &[written], 2021).text,
            format!(
                "{HEADER}\n{ALLOWED}
use crate::parse::digits;

// Fails if `+` in `sum` becomes `-`.
#[test]
fn sum_of_digits_12_returns_3() {{
    let value = digits(12);
    assert_eq!(value.sum(), 3);
}}
"
            )
        );
    }

    #[test]
    fn what_a_file_begins_with_is_rust() {
        for brings_std in [false, true] {
            assert!(Existing::read(&inner_file(brings_std)).is_ok());
        }
    }
}
