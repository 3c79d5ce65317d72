//! What children leave behind is gone when `run` returns: in their group, outside of it, and whatever
//! holds their output open.
#![cfg(target_os = "linux")]

mod util;

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use testsmith_proc::{Capture, Ending, Limits, run, run_lines};
use util::{
    LONG, TAIL, processes_with, run_sh, sh, start_sleeper, unique_file, unique_sleep, until_exists, wait_for,
};

/// Runs a script after `sleep` was started by `launcher` in the background.
#[track_caller]
fn check_gone(launcher: &str, then: &str, wall: Duration, expected: Ending) {
    let seconds = unique_sleep();
    let script = format!("{} {then}", start_sleeper(launcher, &seconds));
    let start = Instant::now();
    for capture in [Capture::Nothing, TAIL] {
        let ran = run(&sh(&script), &Limits::wall(wall), capture).expect("there is a shell");
        assert_eq!(ran.ending, expected);
        assert!(!ran.truncated, "the pipes should have been closed");
    }
    assert!(start.elapsed() < Duration::from_secs(30));
    assert_eq!(processes_with(&seconds), Vec::<String>::new());
}

#[test]
fn the_sleeper_of_these_tests_does_start_and_is_found() {
    for launcher in ["", "setsid", "set -m;"] {
        let seconds = unique_sleep();
        let seen = unique_file();
        let start = start_sleeper(launcher, &seconds);
        let script = format!("{start} echo $c; {}", until_exists(&seen));
        let ran = thread::scope(|scope| {
            let running = scope.spawn(|| run_sh(&script));
            wait_for(&seconds);
            fs::write(&seen, "").unwrap();
            running.join().unwrap()
        });
        fs::remove_file(&seen).unwrap();
        assert_eq!(ran.stdout, format!("sleep {seconds}\n").into_bytes());
    }
}

#[test]
fn a_background_process_is_gone_after_the_end() {
    check_gone("", "exit 5", LONG, Ending::Exited(5));
}

#[test]
fn a_background_process_is_gone_after_the_time_limit() {
    let wall = Duration::from_millis(500);
    check_gone("", "sleep 1000", wall, Ending::TimedOut);
}

#[test]
fn a_daemon_in_its_own_session_is_gone_after_the_end() {
    check_gone("setsid", "exit 5", LONG, Ending::Exited(5));
}

#[test]
fn a_daemon_in_its_own_session_is_gone_after_the_time_limit() {
    let wall = Duration::from_millis(500);
    check_gone("setsid", "sleep 1000", wall, Ending::TimedOut);
}

#[test]
fn a_background_process_in_its_own_group_is_gone_after_the_end() {
    // Job control gives every background process a group, in the same session.
    check_gone("set -m;", "exit 5", LONG, Ending::Exited(5));
}

#[test]
fn the_descendants_of_a_daemon_are_gone_too() {
    // Each one hides from the group, and the deepest comes to light only when those above are dead.
    let seconds = unique_sleep();
    let sign = unique_file();
    let script = format!(
        "setsid sh -c 'setsid sh -c \"setsid sleep {seconds} & echo > {}; wait\" & wait' & {}",
        sign.display(),
        until_exists(&sign)
    );
    let ran = run_sh(&script);
    fs::remove_file(&sign).unwrap();
    assert!(ran.ending.success());
    assert_eq!(processes_with(&seconds), Vec::<String>::new());
}

#[test]
fn a_daemon_of_a_job_under_way_is_left_alone_by_the_others() {
    let seconds = unique_sleep();
    let done = unique_file();
    // The subshell is gone at once, so that the daemon is a child of ours while its job goes on.
    let script = format!("(setsid sleep {seconds} &); {}", until_exists(&done));
    thread::scope(|scope| {
        let other = scope.spawn(|| run_sh(&script));
        wait_for(&seconds);
        for _ in 0..10 {
            assert!(run_sh("setsid sleep 1000 & exit 0").ending.success());
        }
        let alive = processes_with(&seconds).len();
        fs::write(&done, "").unwrap();
        assert!(other.join().unwrap().ending.success());
        assert_eq!(alive, 1);
    });
    fs::remove_file(&done).unwrap();
    assert_eq!(processes_with(&seconds), Vec::<String>::new());
}

#[test]
fn a_panic_while_reading_lines_leaves_no_child_behind() {
    let seconds = unique_sleep();
    let spec = sh(&format!("echo line; exec sleep {seconds}"));
    let panicked = std::panic::catch_unwind(|| {
        run_lines(&spec, &Limits::wall(LONG), &mut |_| {
            wait_for(&seconds);
            panic!("on purpose")
        })
    });
    assert!(panicked.is_err());
    assert!(processes_with(&seconds).is_empty());
}
