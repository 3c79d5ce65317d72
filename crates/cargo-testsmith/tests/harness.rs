//! The checks that every run of the other tests goes through are able to fail.

mod util;

use std::time::Duration;

use util::{Fixture, Run};

/// Runs a shell script in the place of the tool.
#[track_caller]
fn run(script: &str) -> Run {
    run_within(Duration::from_secs(60), script)
}

#[track_caller]
fn run_within(limit: Duration, script: &str) -> Run {
    let fixture = Fixture::package(&[("src/lib.rs", "// Nothing.\n")]);
    let mut shell = fixture.command("sh");
    fixture.start(shell.args(["-c", script])).wait_within(limit)
}

#[test]
fn what_stays_below_the_target_folder_is_fine() {
    let run = run("mkdir target; echo x > target/x; echo said; echo told >&2; exit 7").expect_code(7);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("said\n", "told\n"));
}

#[test]
#[should_panic(expected = "the user's tree was touched: [\"")]
fn a_new_file_is_noticed() {
    run("echo > Cargo.lock");
}

#[test]
#[should_panic(expected = "src/lib.rs")]
fn a_file_that_is_gone_is_noticed() {
    run("rm src/lib.rs");
}

#[test]
#[should_panic(expected = "src/lib.rs")]
fn another_byte_of_a_file_is_noticed_whatever_its_time() {
    run("touch -r src/lib.rs old; echo '// Nothing?' > src/lib.rs; touch -r old src/lib.rs; rm old");
}

#[test]
#[should_panic(expected = "src/lib.rs")]
fn a_file_that_is_written_again_is_noticed() {
    run("sleep 0.02; cp src/lib.rs copy; cat copy > src/lib.rs; rm copy");
}

#[test]
#[should_panic(expected = "other/target")]
fn another_target_folder_is_noticed() {
    run("mkdir -p other/target");
}

#[test]
#[should_panic(expected = "processes are left: [\n    \"sleep 3 \",")]
fn a_daemon_is_noticed() {
    // It has to have become `sleep` by the end of the script.
    run("setsid sleep 3 & sleep 0.2");
}

#[test]
#[should_panic(expected = "temporary files are left: [\"x\"]")]
fn a_temporary_file_is_noticed() {
    run("echo > $TMPDIR/x");
}

#[test]
#[should_panic(expected = "not done after 1s")]
fn a_run_that_takes_too_long_is_ended() {
    run_within(Duration::from_secs(1), "exec sleep 100");
}

#[test]
#[should_panic(expected = "another exit code")]
fn another_exit_code_is_noticed() {
    run("exit 3").expect_code(2);
}

#[test]
#[should_panic(expected = "stderr lacks [\"space\"]")]
fn a_missing_word_is_noticed() {
    run("echo the disk is full >&2").expect_words(&["full", "space"]);
}
