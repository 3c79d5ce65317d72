//! Examples in the documentation as tests: those that run kill mutants, those that are only compiled do not, and one
//! that has to panic kills a mutant by not doing so.

mod util;

use std::collections::BTreeSet;

use util::Fixture;

#[track_caller]
fn check(edition: &str, arguments: &[&str], configuration: &str) {
    let fixture = Fixture::copy("doctests");
    fixture.replace("Cargo.toml", "edition = \"2021\"", &format!("edition = \"{edition}\""));
    fixture.write("testsmith.toml", configuration);
    let score = fixture.run(&[&["score", "--json"], arguments].concat()).expect_code(2).score();
    assert_eq!(
        score.survivors(),
        ["src/lib.rs:21 find → rfind", "src/lib.rs:21 \"abc\" → \"\"", "src/lib.rs:21 \"abc\" → \"xyzzy\""],
    );
    let counts = ["generated", "killed", "unreached", "unviable"].map(|name| score.count(name));
    assert_eq!(counts, [46, 13, 30, 0], "{:#}", score.0["mutants"]);
    assert_eq!(score.0["tests"]["run"], 2);
    let verdicts = score.entries("verdicts").iter();
    let killers: BTreeSet<_> = verdicts.filter_map(|entry| entry["by"].as_str()).collect();
    assert_eq!(killers, BTreeSet::from(["doctest half (src/lib.rs:5)", "doctest place (src/lib.rs:17)"]));
}

#[test]
fn examples_kill_mutants() {
    check("2021", &["--doctests"], "");
}

#[test]
fn examples_of_edition_2024_do_too_and_the_configuration_can_ask_for_them() {
    check("2024", &[], "doctests = true\n");
}

#[test]
fn examples_and_tests_are_used_together() {
    let fixture = Fixture::copy("doctests");
    fixture.write("tests/even.rs", "#[test]\nfn even() {\n    assert!(doctests::is_even(2));\n}\n");
    let with = fixture.score(&["--doctests"]);
    let without = fixture.score(&[]);
    assert_eq!((&with.0["tests"]["run"], &without.0["tests"]["run"]), (&3.into(), &1.into()));
    assert_eq!((with.count("unreached"), without.count("unreached")), (16, 32));
}

#[test]
fn examples_that_fail_are_named() {
    let fixture = Fixture::copy("doctests");
    fixture.replace("src/lib.rs", "half(8), 4", "half(8), 5");
    let words = &["doctests fail before any mutant", "half (line 5)", "cargo test --doc"];
    let run = fixture.run(&["score", "--doctests"]).expect_code(4).expect_words(words);
    assert!(!fixture.report().exists(), "{run:#?}");
}

#[test]
fn a_crate_with_examples_only_has_no_tests_unless_they_are_asked_for() {
    let fixture = Fixture::copy("doctests");
    fixture.run(&["score"]).expect_code(4).expect_words(&["no tests", "--doctests"]);
}
