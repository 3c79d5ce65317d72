//! What the user knows of a crate's API, as `generate` heeds it: what is not to be called, helpers, ranges, ignored panics.

mod util;

use serde_json::Value;
use util::Fixture;

/// Runs `generate` with a configuration; the report, and the text of the tests of the unit `sample`.
#[track_caller]
fn generate(lib: &str, config: &str) -> (Value, String) {
    let fixture = Fixture::package(&[("src/lib.rs", lib), ("testsmith.toml", config)]).with_tests();
    let arguments = ["generate", "--json", "--all-mutants", "--executions", "3000", "--seed", "5"];
    let report = fixture.run(&arguments).expect_code(0).json();
    assert!(report["tests"].as_u64() > Some(0), "{report:#}");
    (report, fixture.read("tests/testsmith/sample.rs"))
}

const PANICS: &str = "pub fn third(list: &[u8]) -> u8 {\n    list[2]\n}\n\n\
    pub fn lucky(n: u8) -> u8 {\n    assert!(n < 100, \"unlucky\");\n    n / 2\n}\n";

#[test]
fn ignored_panics_are_neither_found_nor_expected() {
    let (report, text) = generate(PANICS, "");
    assert_eq!(report["findings"][0]["kind"], "index", "{report:#}");
    assert!(text.contains("should_panic") && text.contains("unlucky"), "{text}");
    let (report, text) =
        generate(PANICS, "ignored_panics = [\"^src/lib.rs:2: index out of bounds\", \"unlucky\"]");
    assert_eq!(report["findings"], Value::Array(Vec::new()), "{report:#}");
    assert_eq!(report["ignored_panics"], 2, "{report:#}");
    assert!(!text.contains("should_panic"), "{text}");
}

#[test]
fn numbers_are_written_within_the_range_of_their_parameter() {
    let lib =
        "pub fn room(capacity: usize, used: usize) -> usize {\n    capacity.saturating_sub(used) + 1\n}\n";
    let (_, text) = generate(lib, "[ranges]\n\"room\".capacity = \"40..=44\"\n");
    let numbers: Vec<usize> = text
        .split("room(")
        .skip(1)
        // What a call gives is no number that is written.
        .filter_map(|rest| rest.split(',').next()?.parse().ok())
        .collect();
    assert!(!numbers.is_empty() && numbers.iter().all(|number| (40..=44).contains(number)), "{text}");
}

#[test]
fn values_are_made_by_helpers() {
    let lib = "pub struct Door {\n    width: u32,\n}\n\nimpl Door {\n    pub fn new(width: u32) -> Door {\n        Door { width }\n    }\n}\n\n\
        pub mod testing {\n    pub fn usual_door() -> crate::Door {\n        crate::Door::new(80)\n    }\n}\n\n\
        pub fn fits(door: &Door, width: u32) -> bool {\n    width < door.width\n}\n";
    let (_, text) = generate(lib, "helpers = [\"sample::testing::usual_door\"]");
    assert!(text.contains("usual_door()") && !text.contains("Door::new("), "{text}");
}

#[test]
fn what_is_not_to_be_called_is_not_called() {
    let lib =
        "pub fn leave(code: u8) -> u8 {\n    code + 1\n}\n\npub fn stay(code: u8) -> u8 {\n    code / 2\n}\n";
    let (report, text) = generate(lib, "never_call = [\"sample::leave\"]");
    assert!(!text.contains("leave") && text.contains("stay("), "{text}");
    let reason = report["untested"]["sample::leave"].as_str();
    assert!(reason.is_some_and(|reason| reason.contains("never_call")), "{report:#}");
}

#[test]
fn names_that_are_not_there_are_errors_with_the_nearest() {
    let lib = "pub fn room(capacity: usize, name: &str) -> usize {\n    capacity + name.len()\n}\n";
    let cases: &[(&str, &[&str])] = &[
        ("never_call = [\"rom\"]", &["`never_call` names `rom`", "did you mean `sample::room`?"]),
        (
            "never_call = [\"sample::rom\"]",
            &["`never_call` names `sample::rom`", "did you mean `sample::room`?"],
        ),
        ("helpers = [\"smaple::room\"]", &["`helpers` names `smaple::room`", "`sample::room`", "inspect"]),
        (
            "[ranges]\n\"sample::room\".size = \"1..=2\"",
            &["the parameter `size`, which `sample::room` does not have", "`capacity`", "`name`"],
        ),
        ("[ranges]\n\"sample::room\".name = \"1..=2\"", &["takes no integer"]),
        ("[ranges]\n\"sample::room\".capacity = \"some\"", &["`some` is no range", "`0..=1024`"]),
        ("[ranges]\n\"sample::room\".capacity = \"-5..0\"", &["no number of `capacity`", "`-5..0`"]),
        ("ignored_panics = [\"(\"]", &["not a regular expression"]),
    ];
    let fixture = Fixture::package(&[("src/lib.rs", lib)]);
    for (config, words) in cases {
        fixture.write("testsmith.toml", config);
        fixture.run(&["generate", "--all-mutants"]).expect_code(1).expect_words(words);
    }
}
