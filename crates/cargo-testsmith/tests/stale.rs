//! The day after: tests of an earlier run of which some no longer hold, because the crate has changed. `testdata/second-day` is such
//! a crate, with tests as they were written before, and some that a person has changed since.

mod util;

use serde_json::Value;
use util::Fixture;

/// Enough for most mutants of the small crate.
const FEW: [&str; 4] = ["--executions", "3000", "--seed", "7"];

const JAR: &str = "tests/testsmith/jar.rs";
const PURSE: &str = "tests/testsmith/purse.rs";

/// What becomes of each stale test: its kind, what is told of it, and who may change it.
const EXPECTED: &[(&str, &str, &str, &str)] = &[
    ("jar::add_0_on_new_jar_returns_ok", "value_changed", "jar.add(0): Ok(1) → Err(Worn)", "refreshable"),
    ("jar::after_fee_of_two_coins_returns_8", "value_changed", "jar.after_fee(): 4 → 3", "refreshable"),
    ("jar::sum_of_new_jar_returns_0", "callable_gone", "Jar::sum, perhaps Jar::total", "prunable"),
    ("jar::largest_of_new_jar_returns_none", "does_not_compile", "", "prunable"),
    ("jar::mean_of_new_jar_returns_0", "fails", "", "prunable"),
    ("jar::token_of_new_jar_returns_7", "fails", "", "prunable"),
    ("jar::after_fee_of_one_coin_returns_3", "value_changed", "jar.after_fee(): 3 → 2", "edited"),
    ("jar::sum_of_one_coin_returns_4", "callable_gone", "Jar::sum, perhaps Jar::total", "edited"),
    ("purse::notes_of_new_purse_returns_0", "callable_gone", "jar::Purse, perhaps NewPurse", "prunable"),
];

fn day_after() -> Fixture {
    Fixture::copy("second-day").with_tests()
}

fn generate(fixture: &Fixture, code: i32, arguments: &[&str]) -> Value {
    fixture.run(&[&["generate", "--json"], &FEW[..], arguments].concat()).expect_code(code).json()
}

fn stale(document: &Value) -> Vec<Value> {
    document["stale"].as_array().expect("a list").clone()
}

/// Tests that somebody has to see to, by what becomes of them.
fn with_action(document: &Value, action: &str) -> Vec<String> {
    let stale = stale(document);
    let wanted = stale.iter().filter(|test| test["action"] == action);
    let mut names: Vec<String> =
        wanted.map(|test| test["test"].as_str().expect("a name").to_owned()).collect();
    names.sort();
    names
}

fn those(wanted: &[&str]) -> Vec<String> {
    let these = EXPECTED.iter().filter(|(.., who)| wanted.contains(who));
    let mut names: Vec<String> = these.map(|(name, ..)| (*name).to_owned()).collect();
    names.sort();
    names
}

#[track_caller]
fn check_all(document: &Value) {
    let found = stale(document);
    for (name, kind, told, who) in EXPECTED {
        let test =
            found.iter().find(|test| test["test"] == *name).unwrap_or_else(|| panic!("{name}: {found:#?}"));
        let word = |key: &str| test[key].as_str().unwrap_or_default().to_owned();
        assert_eq!(word("kind"), *kind, "{test:#}");
        let tells = match *kind {
            "value_changed" => format!("{}: {} → {}", word("what"), word("old"), word("new")),
            "callable_gone" => format!("{}, perhaps {}", word("what"), word("likely")),
            _ => String::new(),
        };
        assert_eq!(tells, *told, "{test:#}");
        assert_eq!(
            (test["edited"] == true, test["refreshable"] == true),
            (*who == "edited", *who == "refreshable")
        );
    }
    assert_eq!(found.len(), EXPECTED.len(), "{found:#?}");
}

#[test]
fn a_score_goes_on_without_stale_tests_and_tells_of_each() {
    let fixture = day_after();
    let run = fixture.run(&["score"]).expect_code(2);
    for line in [
        "9 tests that are there no longer hold:",
        "jar.rs:23: jar::after_fee_of_two_coins_returns_8: `jar.after_fee()` was 4, is 3",
        "`Jar::sum` is gone, perhaps it is `Jar::total` now",
        "token_of_new_jar_returns_7: `jar.token()` is not the same in every run",
        "it panics: attempt to divide by zero",
        "(edited since it was written, so it is left as it is)",
        "`cargo testsmith generate --refresh` rewrites 2 with the new values",
        "`cargo testsmith generate --prune` removes 5 that cannot be rewritten",
        "2 are yours to mend or to delete",
    ] {
        assert!(run.stdout.contains(line), "{line}\n{}", run.stdout);
    }
    let score = fixture.score(&[]);
    check_all(&score.0);
    let killers = score.0["verdicts"].as_array().expect("a list").iter().filter_map(|it| it["by"].as_str());
    let killers: Vec<&str> = killers.collect();
    assert!(killers.iter().any(|by| by.ends_with("add_after_three_coins_returns_err")), "{killers:?}");
}

#[test]
fn tests_are_generated_without_stale_ones_and_nothing_that_is_there_is_changed() {
    for arguments in [&[][..], &["--all-mutants"]] {
        let fixture = day_after();
        let (jar, purse) = (fixture.read(JAR), fixture.read(PURSE));
        let document = generate(&fixture, 8, arguments);
        check_all(&document);
        assert!(document["tests"].as_u64().is_some_and(|tests| tests > 0), "{document:#}");
        let now = fixture.read(JAR);
        let is_test = |line: &&str| !line.starts_with("// ");
        assert!(jar.lines().filter(is_test).all(|line| now.contains(line)), "{now}");
        assert_eq!(fixture.read(PURSE), purse);
    }
}

#[test]
fn nothing_is_changed_by_a_dry_run_and_its_diff_is_what_would_be() {
    let fixture = day_after();
    let before = [JAR, PURSE, "tests/testsmith/main.rs"].map(|file| fixture.read(file));
    let document = generate(&fixture, 8, &["--refresh", "--prune", "--dry-run", "--jobs", "1"]);
    assert_eq!([JAR, PURSE, "tests/testsmith/main.rs"].map(|file| fixture.read(file)), before);
    let diff = document["diff"].as_str().expect("a diff");
    for line in [
        "--- a/tests/testsmith/jar.rs\n+++ b/tests/testsmith/jar.rs\n",
        "-    assert_eq!(jar.after_fee(), 8);\n+    assert_eq!(jar.after_fee(), 7);\n",
        "-    assert_eq!(jar.add(0), Ok(1));\n+    assert_eq!(jar.add(0), Err(Refusal::Worn));\n",
        "-fn sum_of_new_jar_returns_0() {\n",
        "--- a/tests/testsmith/purse.rs\n+++ /dev/null\n",
        "-mod purse;\n",
    ] {
        assert!(diff.contains(line), "{line}\n{diff}");
    }

    // Applied, it is what a run without it writes.
    fixture.write("the.diff", diff);
    let applied = std::process::Command::new("git")
        .args(["apply", "the.diff"])
        .current_dir(fixture.path(""))
        .status()
        .expect("git is there");
    assert!(applied.success(), "{diff}");
    let other = day_after();
    generate(&other, 8, &["--refresh", "--prune", "--jobs", "1"]);
    assert_eq!(fixture.read(JAR), other.read(JAR));
    assert!(!fixture.path(PURSE).exists() && !other.path(PURSE).exists());
}

#[test]
fn what_holds_with_other_values_is_rewritten_and_the_rest_removed_but_for_what_people_have_edited() {
    let fixture = day_after();
    let document = generate(&fixture, 8, &["--refresh", "--prune"]);
    check_all(&document);
    assert_eq!(with_action(&document, "refreshed"), those(&["refreshable"]));
    assert_eq!(with_action(&document, "removed"), those(&["prunable"]));
    assert_eq!(with_action(&document, "kept"), those(&["edited"]));
    let jar = fixture.read(JAR);
    assert!(
        jar.contains("fn a_jar_can_be_shown()") && jar.contains("fn sum_of_one_coin_returns_4()"),
        "{jar}"
    );
    assert!(!jar.contains("fn sum_of_new_jar_returns_0()") && !jar.contains("jar.token(), 7"), "{jar}");

    // A person mends theirs, and the day after that all is well.
    fixture.replace(JAR, "assert_eq!(jar.sum(), 4);", "assert_eq!(jar.total(), 4);");
    let mended = fixture.read(JAR).replacen(
        "assert_eq!(jar.after_fee(), 3);\n}\n\n",
        "assert_eq!(jar.after_fee(), 2);\n}\n\n",
        2,
    );
    fixture.write(JAR, mended);
    let score = fixture.score(&[]);
    assert_eq!(stale(&score.0), Vec::<Value>::new());
    let third = generate(&fixture, 0, &[]);
    assert_eq!(stale(&third), Vec::<Value>::new());
}
