//! Daemons that got rid of the job's token: they do not hold up the job, and `sweep` ends them. A test
//! binary of its own with a single test, because a sweep ends the orphans of all tests around it.
#![cfg(target_os = "linux")]

mod util;

use std::time::{Duration, Instant};

use testsmith_proc::{Ending, sweep};
use util::{own_children, processes_with, run_sh, start_sleeper, unique_sleep};

/// Starts a daemon and one with a child, both hidden by `launcher`.
#[track_caller]
fn check_swept(launcher: &str) {
    let seconds = unique_sleep();
    let script = format!(
        "{} {launcher} sh -c 'sleep {seconds} & wait' & echo said; exit 4",
        start_sleeper(launcher, &seconds)
    );
    let start = Instant::now();
    let ran = run_sh(&script);
    assert!(start.elapsed() < Duration::from_secs(30));
    assert_eq!(ran.ending, Ending::Exited(4));
    assert_eq!(ran.stdout, b"said\n");
    assert!(ran.truncated, "the daemon still holds the pipes");

    // Whoever could not be decided once does not make the next ones wait.
    let start = Instant::now();
    assert_eq!(run_sh("exit 5").ending, Ending::Exited(5));
    assert!(start.elapsed() < Duration::from_millis(900));
    assert!(!processes_with(&seconds).is_empty(), "nobody knows it yet");

    sweep();
    assert_eq!(processes_with(&seconds), Vec::<String>::new());
    assert_eq!(own_children(), Vec::<String>::new());
}

#[test]
fn a_daemon_without_token_holds_nothing_up_and_is_swept_away() {
    check_swept("env -u TESTSMITH_JOB setsid");
    check_swept("env -i \"$(command -v setsid)\"");
    // After a sweep, work may go on.
    assert_eq!(run_sh("exit 6").ending, Ending::Exited(6));
}
