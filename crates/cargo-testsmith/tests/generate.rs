//! `generate` as a whole: what it writes passes, kills what it claims, and is the same for the same seed; what is there
//! is kept; and what bad input gets.

mod util;

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::Value;
use util::{Fixture, Run};

/// Enough for most mutants of the small crates here.
const FEW: [&str; 4] = ["--executions", "3000", "--seed", "7"];

fn generate(fixture: &Fixture, arguments: &[&str]) -> Value {
    fixture.run(&[&["generate", "--json"], &FEW[..], arguments].concat()).expect_code(0).json()
}

/// Names and text of the files that were written.
fn written(fixture: &Fixture) -> Vec<(String, String)> {
    let mut files: Vec<_> = fs::read_dir(fixture.path("tests/testsmith"))
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .map(|name| (name.clone(), fixture.read(&format!("tests/testsmith/{name}"))))
        .collect();
    files.sort();
    files
}

fn count(document: &Value, pointer: &str) -> u64 {
    document.pointer(pointer).and_then(Value::as_u64).unwrap_or_else(|| panic!("{pointer}: {document:#}"))
}

#[test]
fn the_tests_that_are_missing_are_written_and_a_second_run_adds_nothing_that_is_there() {
    let fixture = Fixture::copy("demo").with_tests();
    let first = generate(&fixture, &[]);
    assert!(count(&first, "/tests") >= 3, "{first:#}");
    assert!(count(&first, "/mutants/killed_by_generated") >= 5, "{first:#}");
    assert_eq!(count(&first, "/dropped/unconfirmed_kills"), 0, "{first:#}");
    assert!(
        count(&first, "/assertions") >= count(&first, "/tests"),
        "every test here asserts something: {first:#}"
    );
    let files = written(&fixture);
    assert!(files.iter().all(|(_, text)| text.starts_with("// Tests written by `cargo testsmith`")));

    // The tool that judges tests agrees: everything that was claimed is detected.
    let score = fixture.score(&[]);
    let detected = |id: &Value| {
        let verdicts = score.0["verdicts"].as_array().expect("a list").clone();
        verdicts.iter().any(|entry| entry["id"] == *id && entry["verdict"] == "killed")
    };
    let tests = first["written"].as_array().expect("a list");
    let claimed: Vec<&Value> =
        tests.iter().flat_map(|test| test["kills"].as_array().expect("a list")).collect();
    assert!(claimed.iter().all(|id| detected(id)), "{claimed:?}");

    let second = generate(&fixture, &[]);
    // A test also kills mutants that it was not written for.
    let at_least = count(&first, "/mutants/killed_by_existing") + claimed.len() as u64;
    assert!(count(&second, "/mutants/killed_by_existing") >= at_least, "{second:#}");
    let again = written(&fixture);
    for (name, text) in &files {
        let (_, now) = again.iter().find(|(other, _)| other == name).expect("no file goes away");
        assert!(text.lines().all(|line| now.contains(line)), "{name} lost a line");
    }
    let story = fixture.run(&["explain", claimed[0].as_str().expect("an id")]).expect_code(0);
    assert!(story.stdout.contains("existing tests: killed by"), "{story:#?}");
}

#[test]
fn a_second_run_counts_what_the_tests_kill_that_are_there() {
    let fixture = Fixture::copy("demo").with_tests();
    let first = generate(&fixture, &["--all-mutants"]);
    let second = generate(&fixture, &["--all-mutants"]);
    assert_eq!(count(&first, "/mutants/killed_by_existing"), 0);
    assert_eq!(
        (count(&second, "/tests"), count(&second, "/mutants/killed_by_generated")),
        (0, 0),
        "{second:#}"
    );
    assert_eq!(
        count(&second, "/mutants/killed_by_existing"),
        count(&first, "/mutants/killed_by_generated"),
        "{second:#}"
    );
    assert_eq!(second["score"][1], first["score"][1], "{second:#}");
}

#[track_caller]
fn check_repeats(fixture: &str) {
    let files = ["1", "3"].map(|jobs| {
        // Each in a folder of its own.
        let fixture = Fixture::copy(fixture).with_tests();
        generate(&fixture, &["--all-mutants", "--jobs", jobs]);
        written(&fixture)
    });
    assert!(!files[0].is_empty());
    assert_eq!(files[0], files[1]);
}

#[test]
fn the_same_seed_gives_the_same_files_whatever_the_folder_and_the_number_of_workers() {
    check_repeats("demo");
}

#[test]
fn so_it_does_where_addresses_are_compared_and_mutants_read_what_is_not_theirs() {
    check_repeats("addresses");
}

#[test]
fn calls_that_need_care_compile() {
    let fixture = Fixture::copy("spelling").with_tests();
    let document = generate(&fixture, &["--all-mutants"]);
    assert_eq!(count(&document, "/dropped/uncompilable"), 0, "{document:#}");
    assert_eq!(count(&document, "/dropped/unconfirmed_kills"), 0, "{document:#}");
    assert_eq!(count(&document, "/mutants/unreached"), 0, "{document:#}");
    let text = written(&fixture).into_iter().map(|(_, text)| text).collect::<String>();
    let calls = [
        "Limit::limit(&",
        "Name::from(&[7",
        "PartialOrd::partial_cmp(&b",
        "Metres::<f64>::try_from(",
        "Round::floor(",
        "Ground::floor(",
        "<f64 as Round>::from(",
        "Some(&(",
        "halved(",
        "Wild<'",
        ": (f64, i64) = (",
        "Fill::fill_up(&mut ",
        "<[u8] as Fill>::fill_up(",
        "<Sign as Numbered>::numbered(",
        "Trouble::NoTrouble(",
        "Trouble::Trouble",
    ];
    for call in calls {
        assert!(text.contains(call), "{call}: {text}");
    }
}

/// A crate in which every call of the API panics.
const ALWAYS: &str =
    "pub fn never(n: u8) -> u8 {\n    if n < 200 { panic!(\"no\") } else { panic!(\"neither\") }\n}\n";

#[test]
fn a_crate_whose_every_call_panics_is_no_problem() {
    let fixture = Fixture::package(&[("src/lib.rs", ALWAYS)]).with_tests();
    let document = generate(&fixture, &[]);
    assert!(count(&document, "/mutants/generated") > 0);
}

#[test]
fn what_the_user_has_changed_is_kept() {
    let fixture = Fixture::copy("demo").with_tests();
    generate(&fixture, &["--unit", "Room"]);
    let file = "tests/testsmith/room.rs";
    let own = format!(
        "{}\n/// Mine.\nfn helper() -> u8 {{ 7 }}\n\n#[test]\nfn my_own() {{\n    assert_eq!(helper(), 7);\n}}\n",
        fixture.read(file)
    );
    fixture.write(file, &own);
    generate(&fixture, &["--all-mutants"]);
    let now = fixture.read(file);
    assert!(now.contains("/// Mine.\nfn helper() -> u8 { 7 }\n") && now.contains("fn my_own()"), "{now}");
}

#[track_caller]
fn refused(fixture: &Fixture, arguments: &[&str], code: i32, words: &[&str]) -> Run {
    fixture.run(&[&["generate"], arguments].concat()).expect_code(code).expect_words(words)
}

/// A function with a few mutants.
const LIB: &str = "pub fn is_big(n: u32) -> bool {\n    n > 9\n}\n";

#[test]
fn wrong_arguments_are_told_at_once() {
    let fixture = Fixture::package(&[("src/lib.rs", LIB)]);
    refused(&fixture, &["--budget", "0"], 1, &["--budget", "at least 1s"]);
    refused(&fixture, &["--budget", "soon"], 1, &["`soon` is no time", "1m30s"]);
    refused(&fixture, &["--unit", "smaple"], 7, &["there is no unit `smaple`", "did you mean `sample`"]);
    refused(
        &fixture,
        &["--only", "0123456789"],
        7,
        &["there is no mutant", "did you mean", "testsmith list"],
    );
}

#[test]
fn files_of_others_are_left_alone() {
    let fixture = Fixture::package(&[
        ("src/lib.rs", LIB),
        ("tests/testsmith/main.rs", "mod sample;\n"),
        ("tests/testsmith/sample.rs", "#[test]\nfn mine() {}\n"),
    ]);
    refused(&fixture, &FEW, 1, &["was not written by testsmith", "--out", "--force"]);
}

#[test]
fn a_file_that_was_broken_by_hand_is_named() {
    let header = "// Tests written by `cargo testsmith`. Change what you like: it is kept.\n";
    let fixture = Fixture::package(&[
        ("src/lib.rs", LIB),
        ("tests/testsmith/main.rs", &format!("{header}\nmod sample;\n")),
        ("tests/testsmith/sample.rs", &format!("{header}\n#[test]\nfn mine( {{}}\n")),
    ]);
    refused(&fixture, &FEW, 4, &["tests/testsmith/sample.rs:4", "mend it, or remove the file"]);
}

#[test]
fn packages_without_anything_to_call_are_told_so() {
    let nothing = Fixture::package(&[("tests/a.rs", "#[test]\nfn a() {}\n")]);
    refused(&nothing, &FEW, 4, &["neither a library nor a program", "src/main.rs"]);
    let private =
        Fixture::package(&[("src/lib.rs", "#[allow(dead_code)]\nfn secret(n: u8) -> bool { n > 1 }\n")]);
    refused(&private, &FEW, 4, &["nothing public", "inspect"]);
}

#[test]
fn a_folder_that_cannot_be_written_to_is_told_before_any_work() {
    let fixture = Fixture::package(&[("src/lib.rs", LIB), ("tests/a.rs", "")]);
    let tests = fixture.path("tests");
    fs::set_permissions(&tests, fs::Permissions::from_mode(0o555)).expect("it is ours");
    // Root may write anywhere.
    let may_write = fs::write(tests.join("probe"), "").is_ok();
    if may_write {
        fs::remove_file(tests.join("probe")).expect("it was just written");
        let nowhere = refused(&fixture, &["--out", "/proc/testsmith"], 6, &["cannot write to", "--out"]);
        assert!(!nowhere.stderr.contains("building"), "{nowhere:#?}");
    } else {
        refused(&fixture, &FEW, 6, &["cannot write to", "--out"]);
    }
    fs::set_permissions(&tests, fs::Permissions::from_mode(0o755)).expect("it is ours");
}

#[test]
fn nothing_is_written_where_nothing_is_missing() {
    let test = "#[test]\nfn all() {\n    assert!(sample::is_big(10) && !sample::is_big(9) && !sample::is_big(8) && sample::is_big(11));\n}\n";
    let fixture = Fixture::package(&[("src/lib.rs", LIB), ("tests/all.rs", test)]);
    let run = fixture.run(&[&["generate"], &FEW[..]].concat()).expect_code(0);
    assert!(run.stdout.contains("nothing is missing"), "{run:#?}");
}

/// Two types of the same name.
const GATES: &str = "pub mod a {\n    pub struct Gate(pub u8);\n    impl Gate {\n        pub fn is_open(&self) -> bool {\n            self.0 > 1\n        }\n    }\n}\n\n\
    pub mod b {\n    pub struct Gate(pub u8);\n    impl Gate {\n        pub fn is_shut(&self) -> bool {\n            self.0 > 2\n        }\n    }\n}\n";

#[test]
fn files_are_called_the_same_whatever_a_run_is_about() {
    let fixture = Fixture::package(&[("src/lib.rs", GATES)]).with_tests();
    let list = fixture.list(&["--operators", "ror"]);
    let mutant = |function: &str| {
        let mutants = list["mutants"].as_array().expect("a list");
        let found = mutants.iter().find(|mutant| mutant["function"] == function);
        found.and_then(|mutant| mutant["id"].as_str()).expect("it has mutants").to_owned()
    };
    let names = || written(&fixture).into_iter().map(|(name, _)| name).collect::<Vec<_>>();
    generate(&fixture, &["--all-mutants", "--only", &mutant("a::Gate::is_open")]);
    assert_eq!(names(), ["main.rs", "sample_a_gate.rs"]);
    generate(&fixture, &["--all-mutants", "--only", &mutant("b::Gate::is_shut")]);
    assert_eq!(names(), ["main.rs", "sample_a_gate.rs", "sample_b_gate.rs"]);
}

#[test]
fn findings_are_written_as_ignored_tests_on_request() {
    let lib = "pub fn third(list: &[u8]) -> u8 {\n    list[2]\n}\n";
    let fixture = Fixture::package(&[("src/lib.rs", lib)]).with_tests();
    let file = "tests/testsmith/findings.rs";
    generate(&fixture, &["--all-mutants"]);
    assert!(!fixture.path(file).exists(), "nobody asked for it");
    let report = generate(&fixture, &["--all-mutants", "--findings"]);
    let name = report["findings"][0]["test"].as_str().expect("it was written").to_owned();
    let text = fixture.read(file);
    assert!(text.contains("// panics at src/lib.rs:2: index out of bounds"), "{text}");
    assert!(
        text.contains("#[test]\n#[ignore = \"a panic that the docs do not declare (index)\"]\n"),
        "{text}"
    );
    assert!(fixture.read("tests/testsmith/main.rs").contains("mod findings;\n"));

    // What the user makes of it stays, and what is there is not written once more.
    let own = text.replace("(index)", "(index), to be mended");
    fixture.write(file, &own);
    let report = generate(&fixture, &["--all-mutants", "--findings"]);
    assert_eq!((report["findings"][0].get("test"), fixture.read(file)), (None, own));

    let mut cargo = fixture.command("cargo");
    let run = cargo.args(["test", "--offline", "--test", "testsmith", "--", "--ignored"]).output();
    let said = String::from_utf8_lossy(&run.expect("there is a cargo").stdout).into_owned();
    assert!(said.contains(&format!("test {name} ... FAILED")), "{said}");
    assert!(said.contains("index out of bounds"), "{said}");
}

#[test]
fn existing_tests_that_take_too_long_are_left_out_and_named() {
    let fixture = Fixture::copy("demo").with_tests();
    fixture.write("testsmith.toml", "baseline_seconds = 3\n");
    let slow = "#[test]\nfn sleeps() {\n    std::thread::sleep(std::time::Duration::from_secs(60));\n}\n";
    fixture.write("tests/slow.rs", slow);
    let report = generate(&fixture, &[]);
    assert_eq!(report["existing"]["slow_tests"], serde_json::json!(["sleeps"]), "{report:#}");
    assert!(count(&report, "/mutants/killed_by_existing") > 0, "{report:#}");
}
