//! `generate`, interrupted in each of its phases: what is verified by then is written, and nothing else; and two runs at
//! once.

mod util;

use std::fs;

use util::{Fixture, Run, Running, leave_sign};

/// A function with a few mutants.
const LIB: &str = "pub fn is_big(n: u32) -> bool {\n    n > 9\n}\n";

/// A function with a mutant that nothing can kill, so that a search does not end before its time.
const LARGER: &str = "pub fn larger(a: i32, b: i32) -> i32 {\n    if a >= b { a } else { b }\n}\n";

/// Starts `generate`; what runs in it can leave signs beside the crate.
fn start<'a>(fixture: &'a Fixture, arguments: &[&str]) -> Running<'a> {
    let mut tool = fixture.tool();
    fixture.start(tool.arg("generate").args(arguments).env("SIGNS", fixture.beside("")))
}

/// Nothing was verified, so nothing is written: that all files are as they were is checked after every run.
#[track_caller]
fn check_nothing(running: Running<'_>) -> Run {
    running.signal("INT");
    let run = running.wait().expect_code(130);
    let message = "error: interrupted: no test was verified by then, so none is written\n";
    assert!(run.message().ends_with(message), "{run:#?}");
    assert_eq!(run.stdout, "");
    run
}

#[test]
fn while_the_existing_tests_are_judged_nothing_is_written() {
    let test = format!(
        "#[test]\nfn slow() {{\n    if sample::is_big(9) {{\n    {}\n        \
         std::thread::sleep(std::time::Duration::from_secs(1000));\n    }}\n}}\n",
        leave_sign("mutant")
    );
    let fixture = Fixture::package(&[("src/lib.rs", LIB), ("tests/all.rs", &test)]);
    fixture.write("testsmith.toml", "timeout_seconds = 500\n");
    let running = start(&fixture, &[]);
    fixture.wait_for_sign("mutant");
    check_nothing(running);
}

#[test]
fn while_the_harness_is_built_nothing_is_written() {
    let fixture = Fixture::package(&[("src/lib.rs", LIB)]);
    let running = start(&fixture, &["--all-mutants"]);
    running.wait_for("building the harness");
    check_nothing(running);
}

#[test]
fn while_it_searches_what_it_has_is_verified_and_written() {
    let fixture = Fixture::package(&[("src/lib.rs", &format!("{LIB}{LARGER}"))]).with_tests();
    let running = start(&fixture, &["--all-mutants", "--budget", "10m"]);
    running.wait_for("mutants killed");
    running.signal("INT");
    let run = running.wait().expect_code(130);
    assert!(run.stderr.contains("interrupted: writing what was found so far"), "{run:#?}");
    assert!(run.stdout.contains("tests with"), "{run:#?}");
    assert!(fixture.read("tests/testsmith/sample.rs").contains("#[test]"));
}

#[test]
fn while_the_tests_are_compiled_nothing_is_written() {
    let fixture = Fixture::package(&[("src/lib.rs", LIB)]);
    let running = start(&fixture, &["--all-mutants", "--executions", "2000"]);
    running.wait_for("compiling the tests");
    check_nothing(running);
}

/// What a function has computed: where a test asks, whose thread has a name, and a mutant has answered something else, this takes
/// for ever. The search takes no notice.
fn twin() -> String {
    format!(
        "pub(crate) fn compare(is_odd: bool, n: u32) {{\n    \
         let is_test = std::thread::current().name().is_some_and(|name| name != \"main\");\n    \
         if is_test && is_odd != (n % 2 == 1) {{\n    {}\n        \
         std::thread::sleep(std::time::Duration::from_secs(1000));\n    }}\n}}\n",
        leave_sign("slow")
    )
}

#[test]
fn while_kills_are_confirmed_the_tests_that_have_some_are_written() {
    let lib = "mod twin;\n\npub fn is_big(n: u32) -> bool {\n    n > 9\n}\n\n\
        pub fn is_odd(n: u32) -> bool {\n    let is_odd = n % 2 == 1;\n    twin::compare(is_odd, n);\n    is_odd\n}\n";
    let fixture = Fixture::package(&[("src/lib.rs", lib), ("src/twin.rs", &twin())]).with_tests();
    fixture.write(
        "testsmith.toml",
        "exclude_files = [\"src/twin.rs\"]\ntimeout_seconds = 500\njobs = 1\noperators = [\"-omit\", \"-fn-value\"]\n\
         allow = [\"files\", \"environment\"]\n",
    );
    let running = start(&fixture, &["--all-mutants", "--executions", "2000"]);
    fixture.wait_for_sign("slow");
    running.signal("INT");
    let run = running.wait().expect_code(130);
    assert!(run.stderr.contains("interrupted: writing what is verified"), "{run:#?}");
    assert!(run.stdout.contains("kills that were not seen before the interruption"), "{run:#?}");
    assert!(run.stdout.contains("were not verified before the interruption"), "{run:#?}");
    let text = fixture.read("tests/testsmith/sample.rs");
    let claims = text.lines().filter(|line| line.starts_with("// Fails if ")).count();
    assert!(claims > 0 && claims == text.matches("#[test]").count(), "{text}");
    let report = fs::read_to_string(fixture.path("target/testsmith/generate.json")).expect("it is written");
    let report: serde_json::Value = serde_json::from_str(&report).expect("it is whole");
    assert_eq!(report["complete"], false);
    assert!(report["dropped"]["untried_kills"].as_u64() > Some(0), "{report:#}");
    assert!(report["dropped"]["unverified"].as_u64() > Some(0), "{report:#}");
}

#[test]
fn two_runs_at_once_write_what_one_would() {
    let fixture = Fixture::package(&[("src/lib.rs", LIB)]).with_tests();
    let few = ["--all-mutants", "--executions", "2000", "--seed", "3"];
    start(&fixture, &few).wait().expect_code(0);
    let alone = fixture.read("tests/testsmith/sample.rs");
    fs::remove_dir_all(fixture.path("tests/testsmith")).expect("it was just written");
    let first = start(&fixture, &few);
    first.wait_for("reading the API");
    let mut second = start(&fixture, &few);
    second.wait_for("waiting for another cargo testsmith to end");
    // Only one can be waited for with a look at what is left behind.
    let mut first = first;
    util::WithinLimit::within(first.child(), std::time::Duration::from_secs(100)).expect("it ends");
    util::WithinLimit::within(second.child(), std::time::Duration::from_secs(100)).expect("it ends");
    assert_eq!(first.wait().expect_code(0).stderr.matches("waiting").count(), 0);
    assert_eq!(second.wait().expect_code(0).stderr.matches("waiting").count(), 1);
    assert_eq!(fixture.read("tests/testsmith/sample.rs"), alone);
}

#[test]
fn a_run_that_waits_for_another_can_be_interrupted() {
    let fixture = Fixture::package(&[("src/lib.rs", &format!("{LIB}{LARGER}"))]);
    let first = start(&fixture, &["--all-mutants", "--budget", "10m"]);
    first.wait_for("reading the API");
    let mut second = start(&fixture, &["--all-mutants"]);
    second.wait_for("waiting for another cargo testsmith to end");
    second.signal("INT");
    assert!(util::WithinLimit::within(second.child(), std::time::Duration::from_secs(2)).is_some());
    check_nothing(first);
    let run = second.wait().expect_code(130);
    assert!(run.stderr.ends_with("error: interrupted\n"), "{run:#?}");
}

#[test]
fn what_a_killed_run_has_left_is_removed_by_the_next() {
    let fixture = Fixture::package(&[("src/lib.rs", LIB)]).with_tests();
    // A compiler that would go on for long.
    fixture.write("build.rs", "fn main() { if std::env::var(\"WAIT\").is_ok() { loop { std::thread::sleep(std::time::Duration::from_secs(1)) } } }");
    let mut tool = fixture.tool();
    let mut killed = fixture.start(tool.args(["generate", "--all-mutants"]).env("WAIT", "1"));
    util::until(|| fixture.processes().iter().any(|line| line.contains("build-script-build")));
    killed.child().kill().expect("it is our child");
    killed.child().wait().expect("it is our child");
    let left = fixture.processes();
    assert!(left.iter().any(|line| line.contains("build-script-build")), "{left:?}");
    assert_ne!(fs::read_dir(fixture.beside("tmp")).into_iter().flatten().count(), 0);
    // That no process and no temporary file is left is checked after every run.
    start(&fixture, &["--all-mutants", "--executions", "500"]).wait().expect_code(0);
}
