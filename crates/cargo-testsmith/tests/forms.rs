//! The forms that crates come in: each fixture of `testdata` with the counts, the exit code and the survivors that it
//! must have. The verdicts were found by hand, with each mutant applied as text.

mod util;

use util::{Fixture, Score, mutant_line};

/// What `score` must say about a fixture.
struct Form {
    fixture: &'static str,
    arguments: &'static [&'static str],
    generated: u64,
    /// Killed, or stopped by the limit of time: a loaded machine may take the one for the other.
    detected: u64,
    /// Whether some mutants never end, so that only the limit can stop them.
    has_timeouts: bool,
    unreached: u64,
    survivors: &'static [&'static str],
}

const FORM: Form = Form {
    fixture: "",
    arguments: &[],
    generated: 0,
    detected: 0,
    has_timeouts: false,
    unreached: 0,
    survivors: &[],
};

#[track_caller]
fn check(form: &Form) {
    check_in(&Fixture::copy(form.fixture), form);
}

#[track_caller]
fn check_in(fixture: &Fixture, form: &Form) {
    let run = fixture.run(&[&["score", "--json"], form.arguments].concat());
    let is_all_detected = form.survivors.is_empty() && form.unreached == 0;
    let run = run.expect_code(if is_all_detected { 0 } else { 2 });
    let score = run.score();
    assert_eq!(score.survivors(), form.survivors, "{}", form.fixture);
    let (killed, timeout) = (score.count("killed"), score.count("timeout"));
    assert_eq!(
        (score.count("generated"), killed + timeout, score.count("unreached"), score.count("unviable")),
        (form.generated, form.detected, form.unreached, 0),
        "generated, detected, unreached, unviable of {}: {:#}",
        form.fixture,
        score.0["mutants"]
    );
    assert_eq!(timeout > 0, form.has_timeouts, "time-outs of {}", form.fixture);
    check_what_always_holds(&score);
    assert!(!fixture.tree().names().any(|name| name == "Cargo.lock"), "a lock file for the user");
}

/// The run is complete, its numbers add up, and its self-checks have found nothing.
#[track_caller]
fn check_what_always_holds(score: &Score) {
    let parts = ["unviable", "unreached", "killed", "timeout", "survived", "not_run"];
    assert_eq!(score.count("generated"), parts.map(|part| score.count(part)).iter().sum::<u64>());
    assert_eq!(score.entries("verdicts").len() as u64, score.count("generated"));
    assert_eq!(score.verdicts().len() as u64, score.count("generated"), "an id stands for two mutants");
    assert_eq!(score.entries("survivors").len() as u64, score.count("survived"));
    assert_eq!(score.0["complete"], true);
    assert_eq!(score.0["tests"]["unusable"], 0);
    let checks = &score.0["self_checks"];
    assert_eq!(checks["changed_tests"].as_array().map(Vec::len), Some(0), "{checks:#}");
    assert_eq!(checks["killed_uninfected"].as_array().map(Vec::len), Some(0), "{checks:#}");
}

#[test]
fn crlf_line_ends_and_byte_order_marks_stay() {
    let fixture = Fixture::copy("crlf-bom");
    for name in ["src/lib.rs", "src/words.rs"] {
        let text = fixture.read(name).replace('\n', "\r\n");
        fixture.write(name, format!("\u{feff}{text}"));
    }
    check_in(
        &fixture,
        &Form {
            fixture: "crlf-bom",
            generated: 36,
            detected: 35,
            survivors: &["src/words.rs:5 find → rfind"],
            ..FORM
        },
    );
}

#[test]
fn a_crate_without_std_needs_none() {
    check(&Form {
        fixture: "no-std",
        generated: 20,
        detected: 18,
        survivors: &["src/lib.rs:13 < → <=", "src/lib.rs:13 2 → 3"],
        ..FORM
    });
}

#[test]
fn every_edition_is_understood() {
    check(&Form {
        fixture: "editions",
        arguments: &["--workspace"],
        generated: 101,
        detected: 95,
        survivors: &[
            "e2015/src/lib.rs:18 a → a + 1",
            "e2015/src/lib.rs:18 a → a - 1",
            "e2015/src/old.rs:6 ? → .unwrap()",
            "e2018/src/lib.rs:12 0 → 1",
            "e2021/src/lib.rs:13 saturating_add → wrapping_add",
            "e2024/src/lib.rs:17 != → <",
        ],
        ..FORM
    });
}

#[test]
fn denied_warnings_and_forbidden_unsafe_code_do_not_hinder() {
    check(&Form {
        fixture: "strict",
        generated: 24,
        detected: 21,
        survivors: &[
            "src/lib.rs:11 >= → >",
            "src/lib.rs:11 paid → (paid - 1)",
            "src/lib.rs:11 price → (price + 1)",
        ],
        ..FORM
    });
}

#[test]
fn what_a_build_script_makes_is_there() {
    check(&Form { fixture: "build-script", generated: 5, detected: 5, ..FORM });
}

#[test]
fn macros_of_the_same_workspace_are_used() {
    check(&Form {
        fixture: "proc-macro",
        arguments: &["-p", "app"],
        generated: 9,
        detected: 4,
        survivors: &[
            "app/src/lib.rs:13 { self.lives > 0 } → true",
            "app/src/lib.rs:14 > → >=",
            "app/src/lib.rs:14 self.lives → (self.lives + 1)",
            "app/src/lib.rs:14 self.lives → (self.lives - 1)",
            "app/src/lib.rs:14 0 → 1",
        ],
        ..FORM
    });
}

#[test]
fn macros_are_tested_by_their_own_unit_tests() {
    check(&Form {
        fixture: "proc-macro",
        arguments: &["--workspace"],
        generated: 31,
        detected: 17,
        unreached: 7,
        survivors: &[
            "app/src/lib.rs:13 { self.lives > 0 } → true",
            "app/src/lib.rs:14 > → >=",
            "app/src/lib.rs:14 self.lives → (self.lives + 1)",
            "app/src/lib.rs:14 self.lives → (self.lives - 1)",
            "app/src/lib.rs:14 0 → 1",
            "macros/src/lib.rs:21 \"enum\" → \"\"",
            "macros/src/lib.rs:21 \"enum\" → \"xyzzy\"",
        ],
        ..FORM
    });
}

#[test]
fn functions_that_macros_make_are_mutated_in_the_macro() {
    check(&Form {
        fixture: "macros",
        generated: 24,
        detected: 23,
        survivors: &["src/lib.rs:37 == → >="],
        ..FORM
    });
}

#[test]
fn paths_that_lead_out_of_the_workspace_still_do() {
    check(&Form {
        fixture: "inheritance/ws",
        arguments: &["--workspace"],
        generated: 29,
        detected: 27,
        survivors: &["crates/shop/src/lib.rs:5 net → (net + 1)", "crates/shop/src/lib.rs:5 net → net + 1"],
        ..FORM
    });
}

#[test]
fn a_program_is_tested_from_outside() {
    check(&Form {
        fixture: "binary",
        generated: 12,
        detected: 10,
        survivors: &["src/main.rs:7 2 → 3", "src/main.rs:7 2 → 1"],
        ..FORM
    });
}

#[test]
fn tests_without_a_harness_are_run_whole() {
    check(&Form {
        fixture: "harness-false",
        generated: 27,
        detected: 26,
        survivors: &["src/lib.rs:10 + → *"],
        ..FORM
    });
}

#[test]
fn a_const_fn_is_opened_unless_something_needs_it() {
    check(&Form { fixture: "const-fn", generated: 25, detected: 25, ..FORM });
}

#[test]
fn mutants_that_never_end_are_stopped() {
    check(&Form {
        fixture: "endless",
        generated: 47,
        detected: 40,
        has_timeouts: true,
        survivors: &[
            "src/lib.rs:7 1 → 0",
            "src/lib.rs:8 < → !=",
            "src/lib.rs:17 3 → 2",
            "src/lib.rs:17 < → <=",
            "src/lib.rs:17 limit → (limit + 1)",
            "src/lib.rs:25 0 → 1",
            "src/lib.rs:26 drop(kept); → nothing",
        ],
        ..FORM
    });
}

#[test]
fn mutants_that_eat_memory_are_stopped() {
    check(&Form {
        fixture: "memory",
        generated: 16,
        detected: 15,
        survivors: &["src/lib.rs:6 != → >"],
        ..FORM
    });
}

#[test]
fn locks_are_released_where_they_were() {
    check(&Form {
        fixture: "locks",
        generated: 45,
        detected: 41,
        has_timeouts: true,
        survivors: &[
            "src/lib.rs:29 > → !=",
            "src/lib.rs:39 0 → 1",
            "src/lib.rs:39 100 → 101",
            "src/lib.rs:39 100 → 99",
        ],
        ..FORM
    });
}

/// Two tests of different binaries write the same file, in the temporary folder.
const SHARED_FILE: Form = Form {
    fixture: "fixed-file",
    generated: 24,
    detected: 9,
    survivors: &[
        "src/lib.rs:15 { number < 10 } → true",
        "src/lib.rs:16 < → <=",
        "src/lib.rs:16 < → !=",
        "src/lib.rs:16 number → (number + 1)",
        "src/lib.rs:16 number → (number - 1)",
        "src/lib.rs:16 10 → 11",
        "src/lib.rs:16 10 → 9",
        "src/lib.rs:20 { number > 90 } → true",
        "src/lib.rs:21 > → >=",
        "src/lib.rs:21 > → !=",
        "src/lib.rs:21 number → (number + 1)",
        "src/lib.rs:21 number → (number - 1)",
        "src/lib.rs:21 90 → 91",
        "src/lib.rs:21 90 → 89",
        "src/lib.rs:21 90 → 0",
    ],
    ..FORM
};

#[test]
fn tests_that_share_a_file_do_not_disturb_each_other() {
    check(&Form { arguments: &["-j1"], ..SHARED_FILE });
    check(&Form { arguments: &["-j2"], ..SHARED_FILE });
}

#[test]
fn tests_that_share_a_file_beside_the_manifest_do_not_either() {
    let fixture = Fixture::copy("fixed-file");
    for file in ["src/lib.rs", "tests/same_file.rs"] {
        let path = "std::env::temp_dir().join(\"testsmith-fixed-file\")";
        fixture.replace(file, path, "std::path::PathBuf::from(\"same-file\")");
    }
    check_in(&fixture, &Form { arguments: &["-j1"], ..SHARED_FILE });
    check_in(&fixture, &Form { arguments: &["-j4"], ..SHARED_FILE });
}

/// In one process a lock keeps these tests apart; in a process each, nothing does.
#[test]
fn tests_that_a_lock_keeps_apart_do_not_meet() {
    let test = |name: &str, number: u32, claim: &str| {
        format!(
            "#[test]\nfn {name}() {{\n    assert_eq!(round_trip({number}), {number});\n    assert!({claim});\n}}\n"
        )
    };
    let tests = [
        "static LOCK: std::sync::Mutex<()> = std::sync::Mutex::new(());\n\n\
         fn round_trip(number: u32) -> u32 {\n    let _guard = LOCK.lock().unwrap_or_else(|e| e.into_inner());\n    \
         std::fs::write(\"shared\", number.to_string()).unwrap();\n    \
         std::thread::sleep(std::time::Duration::from_millis(5));\n    \
         std::fs::read_to_string(\"shared\").unwrap().parse().unwrap()\n}\n"
            .to_owned(),
        test("small", 7, "sample::is_small(3)"),
        test("large", 8, "sample::is_large(95)"),
        test("both", 9, "sample::is_small(3) && sample::is_large(95)"),
    ];
    let lib = "pub fn is_small(n: u32) -> bool {\n    n < 10\n}\n\npub fn is_large(n: u32) -> bool {\n    n > 90\n}\n";
    let fixture = Fixture::package(&[("src/lib.rs", lib), ("tests/all.rs", &tests.concat())]);
    let alone = fixture.score(&["-j1"]);
    assert_eq!((alone.count("killed"), alone.count("survived")), (9, 15));
    let together = fixture.score(&["-j4"]);
    assert_eq!(together.verdicts(), alone.verdicts());
    check_what_always_holds(&together);
}

#[test]
fn what_is_not_compiled_does_not_count() {
    check(&Form { fixture: "cfg", generated: 19, detected: 19, ..FORM });
}

#[test]
fn features_bring_their_code() {
    check(&Form {
        fixture: "cfg",
        arguments: &["--all-features"],
        generated: 37,
        detected: 32,
        unreached: 3,
        survivors: &["src/lib.rs:30 is_very_far(0) → false", "src/lib.rs:30 0 → 1"],
        ..FORM
    });
}

#[test]
fn marked_items_are_left_alone() {
    check(&Form {
        fixture: "skip",
        generated: 5,
        detected: 4,
        survivors: &["src/lib.rs:36 { !value } → true"],
        ..FORM
    });
}

#[test]
fn members_are_judged_by_their_own_tests() {
    let form = Form { fixture: "members", unreached: 11, ..FORM };
    check(&Form { arguments: &["--workspace"], generated: 25, detected: 14, ..form });
    check(&Form { arguments: &["-p", "left"], generated: 21, detected: 10, ..form });
}

#[test]
fn the_demo_shows_what_the_readme_says() {
    check(&Form {
        fixture: "demo",
        generated: 95,
        detected: 81,
        unreached: 2,
        survivors: &[
            "src/lib.rs:38 < → <=",
            "src/lib.rs:38 < → <=",
            "src/lib.rs:45 >= → >",
            "src/lib.rs:45 >= → ==",
            "src/lib.rs:48 < → <=",
            "src/lib.rs:48 > → >=",
            "src/lib.rs:71 >= → >",
            "src/lib.rs:71 - → %",
            "src/lib.rs:76 < → <=",
            "src/lib.rs:76 - → %",
            "src/lib.rs:84 - → %",
            "src/lib.rs:85 100 → 101",
        ],
        ..FORM
    });
}

/// Order of evaluation, borrows, inference, coercions: rewritten, it has to do the same. Only what no type allows may
/// be lost.
#[test]
fn code_that_is_easily_changed_by_rewriting_stays_as_it_is() {
    for edition in ["2021", "2024"] {
        let fixture = Fixture::copy("rewriting");
        fixture.replace("Cargo.toml", "edition = \"2021\"", &format!("edition = \"{edition}\""));
        let score = fixture.score(&[]);
        check_what_always_holds(&score);
        let verdicts = score.entries("verdicts").iter();
        let lost: Vec<_> = verdicts.filter(|entry| entry["verdict"] == "unviable").map(mutant_line).collect();
        assert_eq!(
            lost,
            [
                "src/lib.rs:39 += → -=",
                "src/lib.rs:39 += → *=",
                "src/lib.rs:39 += → /=",
                "src/lib.rs:39 += → %=",
                "src/lib.rs:126 + → -",
                "src/lib.rs:126 + → *",
                "src/lib.rs:126 + → /",
                "src/lib.rs:126 + → %",
            ],
        );
        let counts = ["generated", "killed", "survived", "unreached"].map(|name| score.count(name));
        assert_eq!(counts, [459, 385, 66, 0], "edition {edition}");
    }
}
