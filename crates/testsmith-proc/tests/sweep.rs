//! Daemons that got rid of the job's token: they do not hold up the job, and `sweep` ends them. A test
//! binary of its own with a single test, because a sweep ends the orphans of all tests around it.
#![cfg(target_os = "linux")]

mod util;

use std::time::Duration;

use testsmith_proc::{Ending, sweep};
use util::{own_children, processes_with, run_sh, start_sleeper, unique_sleep};

#[test]
fn a_daemon_without_token_holds_nothing_up_and_is_swept_away() {
    let seconds = unique_sleep();
    let inner = format!("sleep {seconds} & wait");
    let hide = "env -u TESTSMITH_JOB setsid";
    let script = format!("{} {hide} sh -c '{inner}' & echo said; exit 4", start_sleeper(hide, &seconds));
    let ran = run_sh(&script);
    assert_eq!(ran.ending, Ending::Exited(4));
    assert_eq!(ran.stdout, b"said\n");
    assert!(ran.truncated, "the daemon still holds the pipes");
    assert!(ran.duration < Duration::from_secs(30));
    assert!(!processes_with(&seconds).is_empty(), "nobody knows it yet");

    sweep();
    assert_eq!(processes_with(&seconds), Vec::<String>::new());
    assert_eq!(own_children(), Vec::<String>::new());

    // After a sweep, work may go on.
    assert_eq!(run_sh("exit 6").ending, Ending::Exited(6));
}
