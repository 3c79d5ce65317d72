//! What people see: the report as text, colours, how much is said, help, and the README's own example.

mod util;

use std::fs;

use util::{Fixture, REPOSITORY};

/// The first block of the README behind some words.
fn block(words: &str) -> String {
    let readme = fs::read_to_string(format!("{REPOSITORY}/README.md")).expect("the README is there");
    let (_, shown) = readme.split_once(words).unwrap_or_else(|| panic!("the README has no `{words}`"));
    let (_, block) = shown.split("```").nth(1).expect("a block").split_once('\n').expect("it has lines");
    block.to_owned()
}

/// All that a block shows has to be said, but for what was cut, and times.
#[track_caller]
fn shows(block: &str, said: &str, least: usize) {
    let lines = block.lines().filter(|line| line.trim() != "…" && !line.starts_with("time "));
    let missing: Vec<_> = lines.filter(|line| !said.lines().any(|said| said == *line)).collect();
    assert!(missing.is_empty(), "the README shows, but nobody says: {missing:#?}\n{said}");
    assert!(block.lines().count() >= least, "{block}");
}

#[test]
fn the_demo_prints_what_the_readme_shows() {
    let fixture = Fixture::copy("demo").with_tests();
    let run = fixture.run(&["score"]).expect_code(2);
    shows(&block("`cargo testsmith score` alone says"), &run.stdout, 6);
    let run = fixture.run(&["generate", "--executions", "100000", "--seed", "2"]).expect_code(0);
    shows(&block("The demo prints this"), &run.stdout, 5);
    let test = block("and this is one of the tests");
    assert!(fixture.read("tests/testsmith/room.rs").contains(&test), "{test}");
}

#[test]
fn survivors_are_shown_as_a_diff() {
    let run = Fixture::copy("no-std").run(&["score"]).expect_code(2);
    let expected = "       13 | -     if text.len() < 2 {\n          | +     if text.len() <= 2 {\n";
    assert!(run.stdout.contains(expected), "{}", run.stdout);
    assert!(
        run.stdout.starts_with("src/lib.rs\n  survived src/lib.rs:13:19 ror in padded "),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains("score 90.0%: 18 of 20 mutants detected"), "{}", run.stdout);
}

#[test]
fn colours_are_for_terminals_unless_asked_for() {
    let fixture = Fixture::copy("no-std");
    let is_coloured = |arguments: &[&str], variables: &[(&str, &str)]| {
        let mut tool = fixture.tool();
        tool.arg("score").args(arguments).envs(variables.iter().copied());
        fixture.start(&mut tool).wait().expect_code(2).stdout.contains("\u{1b}[")
    };
    assert!(!is_coloured(&[], &[]), "the output of a test is no terminal");
    assert!(is_coloured(&["--color", "always"], &[]));
    assert!(is_coloured(&[], &[("CARGO_TERM_COLOR", "always")]));
    assert!(!is_coloured(&["--color", "never"], &[("CARGO_TERM_COLOR", "always")]));
    assert!(!is_coloured(&[], &[("CARGO_TERM_COLOR", "never"), ("NO_COLOR", "1")]));
}

#[test]
fn quiet_says_only_the_result_and_json_only_json() {
    let fixture = Fixture::copy("no-std");
    let usual = fixture.run(&["score"]).expect_code(2);
    assert!(usual.stderr.starts_with("building the crate …\n"), "{usual:#?}");
    assert!(usual.stdout.ends_with("details: target/testsmith/score.json\n"), "{usual:#?}");
    let quiet = fixture.run(&["score", "-q"]).expect_code(2);
    assert_eq!(quiet.stderr, "");
    assert!(quiet.stdout.contains("score 90.0%") && !quiet.stdout.contains("details: "), "{quiet:#?}");
    let json = fixture.run(&["score", "--json", "-q"]).expect_code(2);
    assert_eq!((json.stderr.as_str(), json.score().count("survived")), ("", 2));
}

#[test]
fn verbose_says_what_the_compiler_rejects() {
    let fixture = Fixture::package(&[
        (
            "src/lib.rs",
            "pub struct NoDefault(pub u32);\n\npub fn wrap<T: Into<u32>>(n: T) -> Result<u32, T> {\n    \
             Ok(n.into())\n}\n\npub mod inner {\n    pub type Known = super::NoDefault;\n}\n\n\
             pub fn known() -> inner::Known {\n    NoDefault(1)\n}\n",
        ),
        (
            "tests/all.rs",
            "#[test]\nfn all() {\n    assert_eq!(sample::known().0, 1);\n    \
             assert_eq!(sample::wrap(2u32).ok(), Some(2));\n}\n",
        ),
    ]);
    let run = fixture.run(&["score", "-v"]);
    let heading =
        "rejected by the compiler\n  src/lib.rs:11:32 fn-value: { NoDefault(1) } → Default::default() ";
    assert!(run.stdout.contains(heading), "{run:#?}");
}

#[test]
fn what_is_left_alone_is_listed_with_its_reason() {
    let run = Fixture::copy("skip").run(&["list", "--skipped"]).expect_code(0);
    for place in ["src/lib.rs:5", "src/lib.rs:11", "src/lib.rs:17", "src/lib.rs:25", "src/lib.rs:33"] {
        let is_told = run.stdout.lines().any(|line| line.starts_with(place) && line.contains("skip"));
        assert!(is_told, "nothing about {place}:\n{}", run.stdout);
    }
    let run = Fixture::copy("cfg").run(&["list", "--skipped"]).expect_code(0);
    assert!(run.stdout.contains("is_very_far") && run.stdout.contains("cfg"), "{}", run.stdout);
}

#[test]
fn help_has_examples_and_groups() {
    let fixture = Fixture::empty();
    let help = fixture.run(&["--help"]).expect_code(0).stdout;
    assert!(help.contains("Examples:") && help.contains("Exit codes: 0 all detected"), "{help}");
    let help = fixture.run(&["score", "--help"]).expect_code(0).stdout;
    for group in ["Package:", "Which mutants:", "Running:", "Output:"] {
        assert!(help.contains(&format!("\n{group}\n")), "no group `{group}`: {help}");
    }
}

/// Every exit code of `--help` stands in docs/exit-codes.md, and the other way round.
#[test]
fn help_and_docs_name_the_same_exit_codes() {
    let help = Fixture::empty().run(&["--help"]).expect_code(0).stdout;
    let (_, told) = help.split_once("Exit codes: ").expect("help has exit codes");
    let numbers = |text: &str| -> Vec<u32> {
        text.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect()
    };
    let docs = fs::read_to_string(format!("{REPOSITORY}/docs/exit-codes.md")).expect("the docs are there");
    let rows = docs.lines().filter_map(|line| line.strip_prefix("| ")?.split(' ').next());
    assert_eq!(numbers(told), rows.filter_map(|code| code.parse().ok()).collect::<Vec<u32>>());
}
