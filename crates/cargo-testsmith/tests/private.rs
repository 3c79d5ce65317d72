//! `generate --private` as a whole: what only private functions can show is tested inside of the crate, of whose own files
//! none gets more than the declaration of those tests.

mod util;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use util::Fixture;

const FEW: [&str; 4] = ["--executions", "3000", "--seed", "7"];

const DECLARATION: &str = "\n#[cfg(test)]\nmod testsmith;\n";

fn generate(fixture: &Fixture, arguments: &[&str]) -> Value {
    fixture.run(&[&["generate", "--json"], &FEW[..], arguments].concat()).expect_code(0).json()
}

/// Every file below a folder of the fixture, with its text.
fn files(fixture: &Fixture, folder: &str) -> BTreeMap<String, String> {
    fn read(dir: &Path, files: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
            match entry.path() {
                path if path.is_dir() => read(&path, files),
                path => files.push(path),
            }
        }
    }
    let mut paths = Vec::new();
    read(&fixture.path(folder), &mut paths);
    let name = |path: &PathBuf| {
        let relative = path.strip_prefix(fixture.path("")).expect("it is below the fixture");
        relative.to_string_lossy().into_owned()
    };
    paths.iter().map(|path| (name(path), fs::read_to_string(path).expect("it is text"))).collect()
}

/// Functions with a mutant on such a line that is still alive.
fn alive(report: &Value) -> BTreeSet<(String, u64)> {
    let survivors = report["survivors"].as_array().expect("a list").iter();
    let place = |it: &Value| Some((it["function"].as_str()?.to_owned(), it["line"].as_u64()?));
    survivors.filter_map(place).collect()
}

#[test]
fn what_only_private_functions_show_is_tested_inside_of_the_crate() {
    let fixture = Fixture::copy("private").with_inner_tests();
    let before = files(&fixture, "src");
    let binary_digits = ("digits::is_digit".to_owned(), 10);
    let no_limit = ("shelf::below".to_owned(), 29);

    let public = generate(&fixture, &["--all-mutants"]);
    assert!(alive(&public).contains(&binary_digits), "{public:#}");
    assert_eq!((files(&fixture, "src"), public.get("declared")), (before.clone(), None));

    let private = generate(&fixture, &["--private"]);
    assert!(!alive(&private).contains(&binary_digits), "{private:#}");
    assert!(alive(&private).contains(&no_limit), "no file can hold a test of it: {private:#}");
    let reason = private["untested"]["private_parts::shelf::below"].as_str().expect("it is told");
    assert!(reason.contains("`shelf`"), "{reason}");
    assert_eq!(private["dropped"]["uncompilable"], 0, "{private:#}");

    // Of the crate's own files those that are named have the declaration more, and no other has changed.
    let after = files(&fixture, "src");
    let declared: Vec<&str> =
        private["declared"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    assert!(declared.iter().all(|name| before.contains_key(*name)) && !declared.is_empty(), "{declared:?}");
    for (name, text) in &before {
        let added = if declared.contains(&name.as_str()) { DECLARATION } else { "" };
        assert_eq!(after[name], format!("{text}{added}"));
    }
    let new: Vec<&String> = after.keys().filter(|name| !before.contains_key(*name)).collect();
    assert!(new.iter().all(|name| name.ends_with("/testsmith.rs")), "{new:?}");
    assert_eq!(new.len(), declared.len());

    let run = fixture.command("cargo").args(["test", "--offline"]).output().expect("there is a cargo");
    let said = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(run.status.success() && said.contains("testsmith::"), "{said}");

    let tests = files(&fixture, "tests");
    let again = generate(&fixture, &["--private"]);
    assert_eq!((files(&fixture, "src"), files(&fixture, "tests")), (after, tests), "{again:#}");
}

#[test]
fn the_same_seed_gives_the_same_files_inside_of_the_crate_too() {
    let all = ["1", "3"].map(|jobs| {
        let fixture = Fixture::copy("private").with_inner_tests();
        generate(&fixture, &["--private", "--all-mutants", "--jobs", jobs]);
        files(&fixture, "src")
    });
    assert!(all[0].contains_key("src/testsmith.rs") || all[0].contains_key("src/digits/testsmith.rs"));
    assert_eq!(all[0], all[1]);
}

#[test]
fn what_private_tests_cannot_do_is_told_at_once() {
    let refused = |files: &[(&str, &str)], arguments: &[&str], words: &[&str]| {
        let lib = "pub fn is_big(n: u32) -> bool {\n    n > 9\n}\n";
        let fixture = Fixture::package(&[&[("src/lib.rs", lib)], files].concat());
        let arguments = [&["generate", "--private"], &FEW[..], arguments].concat();
        fixture.run(&arguments).expect_code(1).expect_words(words);
    };
    refused(&[], &["--out", "elsewhere"], &["--out and --private", "inside of the crate"]);
    refused(&[("src/testsmith.rs", "")], &[], &["src/testsmith.rs was not written by testsmith", "--force"]);
    let manifest = format!("{}\n[lib]\ntest = false\n", util::MANIFEST);
    refused(&[("Cargo.toml", &manifest)], &[], &["no tests inside of the library", "test = false"]);
}

#[test]
fn a_crate_without_the_standard_library_has_tests_with_it() {
    let lib = "#![no_std]\n\npub fn open(n: u8) -> bool {\n    inner(n, 0).is_some()\n}\n\n\
               fn inner(n: u8, m: u8) -> Option<u8> {\n    if m == 7 { None } else { Some(n) }\n}\n";
    let fixture = Fixture::package(&[("src/lib.rs", lib)]).with_inner_tests();
    let report = generate(&fixture, &["--private", "--all-mutants"]);
    assert_eq!(report["dropped"]["uncompilable"], 0, "{report:#}");
    let text = fixture.read("src/testsmith.rs");
    assert!(text.contains("extern crate std;") && text.contains("use crate::inner;"), "{text}");
}

#[test]
fn a_file_that_a_program_has_as_well_gets_no_tests() {
    let fixture = Fixture::package(&[
        ("src/lib.rs", "mod helper;\nmod own;\npub fn open(n: u8) -> bool {\n    helper::is_big(own::more(n))\n}\n"),
        ("src/main.rs", "mod helper;\nfn main() {\n    let _ = helper::is_big(3);\n}\n"),
        ("src/helper.rs", "pub fn is_big(n: u8) -> bool {\n    limit(n, 9)\n}\n\nfn limit(n: u8, m: u8) -> bool {\n    n > m\n}\n"),
        ("src/own.rs", "pub fn more(n: u8) -> u8 {\n    plus(n, 1)\n}\n\nfn plus(n: u8, m: u8) -> u8 {\n    if m == 3 { 0 } else { n.saturating_add(m) }\n}\n"),
    ])
    .with_inner_tests();
    let report = generate(&fixture, &["--private", "--all-mutants"]);
    let reason = report["untested"]["sample::helper::limit"].as_str().expect("it is told");
    assert!(reason.contains("`helper`"), "{reason}");
    assert!(
        !fixture.path("src/helper/testsmith.rs").exists() && fixture.path("src/own/testsmith.rs").exists()
    );
    let run = fixture.command("cargo").args(["test", "--offline"]).output().expect("there is a cargo");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
}

#[test]
fn what_is_not_there_in_tests_is_left_out_and_the_rest_is_kept() {
    let lib = "pub fn open(n: u8) -> bool {\n    n > 1\n}\n\n#[allow(dead_code)]\nfn seen(n: u8) -> bool {\n    n > 3\n}\n\n\
               #[cfg(not(test))]\n#[allow(dead_code)]\nfn unseen(n: u8) -> bool {\n    n > 5\n}\n";
    let fixture = Fixture::package(&[("src/lib.rs", lib)]).with_inner_tests();
    let report = generate(&fixture, &["--private", "--all-mutants"]);
    assert!(report["dropped"]["uncompilable"].as_u64() > Some(0), "{report:#}");
    let text = fixture.read("src/testsmith.rs");
    assert!(text.contains("use crate::seen;") && !text.contains("unseen"), "{text}");
}
