//! Choices that match nothing are errors before anything is built; mutants are named by id or place; one can be accepted.

mod util;

use std::fs;

use serde_json::Value;
use util::{Fixture, Run};

/// Two files with a few mutants each; the tests leave some alive.
fn two_files() -> Fixture {
    Fixture::package(&[
        ("src/lib.rs", "pub mod deep;\n\npub fn is_big(n: u32) -> bool {\n    n > 9\n}\n"),
        ("src/deep.rs", "pub fn half(n: u32) -> u32 {\n    n / 2\n}\n"),
        (
            "tests/all.rs",
            "#[test]\nfn all() {\n    assert!(sample::is_big(20) && !sample::is_big(2));\n    \
             assert_eq!((sample::deep::half(8), sample::deep::half(9)), (4, 4));\n}\n",
        ),
    ])
}

/// The command must end with code 7 and these words, and nothing may have been built.
#[track_caller]
fn check(fixture: &Fixture, arguments: &[&str], words: &[&str]) -> Run {
    let run = fixture.run(arguments).expect_code(7).expect_words(words);
    assert_eq!(run.stdout, "", "{run:#?}");
    assert!(!run.stderr.contains("building"), "{run:#?}");
    let built = fixture.path("target/testsmith/build");
    assert!(!built.exists(), "it has built: {run:#?}");
    run
}

#[test]
fn a_choice_that_matches_nothing_is_an_error_that_names_what_comes_close() {
    let fixture = two_files();
    let cases: &[(&[&str], &[&str])] = &[
        (&["-f", "src/depe.rs"], &["no source file matches `src/depe.rs`", "did you mean `src/deep.rs`"]),
        (&["-f", "src/lib.rs", "-f", "non.rs"], &["no source file matches `non.rs`"]),
        (&["--re", "in is_bug$"], &["no mutant matches", "`in is_bug$`", "did you mean `in is_big`"]),
        (&["--re", "is_big", "--re", "is_bug"], &["`is_bug`"]),
        (
            &["--operators", "lcr"],
            &["`lcr`", "operators that have mutants here: aor, const, fn-value, ror, uoi"],
        ),
        (&["--only", "0123456789"], &["there is no mutant `0123456789`", "did you mean"]),
        (&["--only", "src/lib.rs:5"], &["there is no mutant `src/lib.rs:5`", "did you mean `src/lib.rs:4:"]),
        (&["--only", "lib.rs:4:8"], &["there is no mutant `lib.rs:4:8`", "did you mean `src/lib.rs:4:"]),
        (&["-f", "src/lib.rs", "--operators", "aor"], &["no mutant is left that passes every filter"]),
    ];
    for command in ["list", "score", "generate"] {
        for (arguments, words) in cases {
            check(&fixture, &[&[command], *arguments].concat(), words);
        }
    }
    check(
        &fixture,
        &["generate", "--unit", "smaple"],
        &["there is no unit `smaple`", "did you mean `sample`"],
    );
    check(&fixture, &["explain", "src/lib.rs:40"], &["there is no mutant", "did you mean `src/lib.rs:4:"]);
    fixture.write("testsmith.toml", "exclude_files = [\"**\"]\n");
    check(&fixture, &["score"], &["no mutant is left that passes every filter", "exclude_files"]);
}

#[test]
fn a_crate_without_mutants_is_told_so() {
    let fixture = Fixture::package(&[
        ("src/lib.rs", "pub struct Unit;\npub trait Named {\n    fn name(&self);\n}\n"),
        ("tests/all.rs", "#[test]\nfn nothing() {}\n"),
    ]);
    for command in ["list", "score", "generate"] {
        check(&fixture, &[command], &["sample has no code that a mutant could be made of"]);
    }
}

#[test]
fn a_source_file_that_cannot_be_parsed_is_named_unless_nobody_wants_it() {
    let fixture = two_files();
    fixture.write("src/deep.rs", "pub fn half(n: u32) -> u32 {\n    n /\n}\n");
    for command in ["list", "score", "generate"] {
        let words =
            &["src/deep.rs cannot be read", "line 3", "cargo check", "exclude_files = [\"src/deep.rs\"]"];
        check(&fixture, &[command], words);
    }
    fixture.run(&["list", "-f", "lib.rs"]).expect_code(0);
    fixture.write("testsmith.toml", "exclude_files = [\"src/deep.rs\"]\n");
    fixture.run(&["list"]).expect_code(0);
}

#[test]
fn names_of_edition_2015_are_names() {
    let fixture = Fixture::package(&[
        ("Cargo.toml", "[package]\nname = \"sample\"\nversion = \"0.1.0\"\n\n[workspace]\n"),
        ("src/lib.rs", "pub fn async(n: u32) -> bool {\n    n > 9\n}\n"),
        ("tests/all.rs", "extern crate sample;\n\n#[test]\nfn big() {\n    assert!(sample::async(10));\n}\n"),
    ]);
    assert!(fixture.run(&["list"]).expect_code(0).stdout.contains("src/lib.rs:2:7: ror: > → >= in"));
    assert!(fixture.score(&[]).count("killed") > 0);
}

#[test]
fn a_diff_without_code_is_nothing_to_judge_and_no_mistake() {
    let fixture = two_files();
    let diff = fixture.beside("my.diff");
    fs::write(&diff, "--- a/README.md\n+++ b/README.md\n@@ -0,0 +1,1 @@\n+words\n")
        .expect("it can be written");
    fixture.write("README.md", "words\n");
    let diff = diff.to_str().expect("a plain path");
    for command in ["list", "score", "generate"] {
        let run = fixture.run(&[command, "--in-diff", diff]).expect_code(0);
        assert!(!run.stdout.contains("100") && !run.stdout.contains("nothing is missing"), "{run:#?}");
    }
    let score =
        fixture.run(&["score", "--json", "--in-diff", diff, "--min-score", "80"]).expect_code(0).json();
    assert_eq!((score["score"].clone(), score["mutants"]["generated"].clone()), (Value::Null, 0.into()));
}

#[test]
fn mutants_are_chosen_by_id_and_by_place() {
    let fixture = two_files();
    let all = fixture.list(&[]);
    let all = all["mutants"].as_array().expect("a list").clone();
    let ids = |list: &Value| -> Vec<String> {
        let mutants = list["mutants"].as_array().expect("a list").iter();
        mutants.map(|mutant| mutant["id"].as_str().expect("an id").to_owned()).collect()
    };
    let id = all[5]["id"].as_str().expect("an id");
    assert_eq!(ids(&fixture.list(&["--only", id])), [id]);
    let on = |line: u64, column: Option<u64>| -> Vec<String> {
        let is_there = |mutant: &&Value| {
            mutant["file"] == "src/lib.rs"
                && mutant["line"] == line
                && column.is_none_or(|it| mutant["column"] == it)
        };
        all.iter().filter(is_there).map(|mutant| mutant["id"].as_str().expect("an id").to_owned()).collect()
    };
    assert_eq!(ids(&fixture.list(&["--only", "src/lib.rs:4"])), on(4, None));
    assert_eq!(ids(&fixture.list(&["--only", "./src/lib.rs:4:7"])), on(4, Some(7)));
    assert_eq!(ids(&fixture.list(&["--only", "lib.rs:4:7"])), on(4, Some(7)));
    let text = fixture.run(&["list", "--only", id]).expect_code(0).stdout;
    assert!(text.trim_end().ends_with(id), "{text}");
    let score = fixture.score(&["--only", "src/lib.rs:4:7"]);
    assert_eq!(score.verdicts().into_keys().collect::<Vec<_>>(), {
        let mut ids = on(4, Some(7));
        ids.sort();
        ids
    });
}

#[test]
fn an_accepted_mutant_is_shown_with_its_reason_and_not_missing() {
    let fixture = two_files().with_tests();
    let before = fixture.score(&["-f", "lib.rs"]);
    let survivor = before.entries("survivors")[0].clone();
    let id = survivor["id"].as_str().expect("an id");
    let rest: Vec<&Value> = before.entries("survivors")[1..].iter().collect();
    let mut config =
        format!("[accepted]\n\"{id}\" = \"nine is as good as ten\"\n\"src/gone.rs:3\" = \"it went\"\n");
    fixture.write("testsmith.toml", &config);
    let after = fixture.score(&["-f", "lib.rs"]);
    assert_eq!((after.count("accepted"), after.count("survived")), (1, before.count("survived") - 1));
    assert!(after.0["score"].as_f64() > before.0["score"].as_f64());
    assert_eq!(after.0["unknown_accepted"], serde_json::json!(["src/gone.rs:3"]));
    let entry = after.entries("verdicts").iter().find(|entry| entry["id"] == id).expect("it is listed");
    assert_eq!(
        (entry["verdict"].as_str(), entry["reason"].as_str()),
        (Some("accepted"), Some("nine is as good as ten"))
    );
    let text = fixture.run(&["score", "-f", "lib.rs"]).stdout;
    assert!(
        text.contains("accepted by the configuration") && text.contains("nine is as good as ten"),
        "{text}"
    );
    assert!(text.contains("src/gone.rs:3"), "{text}");
    let story = fixture.run(&["explain", id]).expect_code(0).stdout;
    assert!(story.contains("accepted by the configuration: nine is as good as ten"), "{story}");

    // `generate` leaves it alone as well.
    let report =
        fixture.run(&["generate", "--json", "-f", "lib.rs", "--executions", "2000"]).expect_code(0).json();
    assert_eq!(report["accepted"][0]["id"], id);
    assert!(report["survivors"].as_array().expect("a list").iter().all(|it| it["id"] != id), "{report:#}");

    // Once all are accepted, nothing is left to judge, and that is no 100 %.
    for mutant in rest {
        config += &format!("\"{}\" = \"all the same\"\n", mutant["id"].as_str().expect("an id"));
    }
    fixture.write("testsmith.toml", &config);
    fixture
        .run(&["score", "-f", "lib.rs", "--only", id])
        .expect_code(7)
        .expect_words(&["accepted by the configuration"]);
    fixture.write("testsmith.toml", "[accepted]\n\"src/lib.rs:4\" = \"\"\n");
    fixture.run(&["score"]).expect_code(1).expect_words(&["accepted", "is not possible"]);
}

#[test]
fn explain_says_what_was_observed_and_speaks_json() {
    // Nobody can see that the text is copied, only that it was not.
    let lib = "pub fn plain(n: u8) -> u8 {\n    let mut out = 0;\n    if n > 3 {\n        out = n.min(200) / 201;\n    }\n    out\n}\n";
    let fixture = Fixture::package(&[("src/lib.rs", lib)]).with_tests();
    let report = fixture.run(&["generate", "--json", "--executions", "2000"]).expect_code(0).json();
    let survivors = report["survivors"].as_array().expect("a list");
    let seen = survivors.iter().find(|it| it["observed"].is_string()).unwrap_or_else(|| panic!("{report:#}"));
    let id = seen["id"].as_str().expect("an id");
    let story = fixture.run(&["explain", "--json", id]).expect_code(0).json();
    assert_eq!(story["mutants"][0]["id"], id);
    assert_eq!(story["mutants"][0]["generated"]["observed"], seen["observed"]);
    assert!(story["mutants"][0]["diff"]["before"].is_array(), "{story:#}");
    let text = fixture.run(&["explain", id]).expect_code(0).stdout;
    assert!(text.contains("what was observed: ") && text.contains("the program that came closest"), "{text}");
    // By its place, with all others that are there.
    let place = format!("{}:{}", seen["file"].as_str().expect("a name"), seen["line"]);
    let all = fixture.run(&["explain", "--json", &place]).expect_code(0).json();
    assert!(all["mutants"].as_array().expect("a list").iter().any(|it| it["id"] == id), "{all:#}");
}
