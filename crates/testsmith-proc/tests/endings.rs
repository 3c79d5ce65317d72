//! How children end, what they are given and what they may take: exit codes, signals, limits, input,
//! environment, directory, and programs that cannot be started.
#![cfg(unix)]

mod util;

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::thread;
use std::time::Duration;

use testsmith_proc::{Capture, Ending, Limits, Spec, StartError, run};
use util::{LONG, TAIL, run_sh, sh, unique_file};

#[test]
fn an_exit_code_is_reported() {
    assert_eq!(run_sh("exit 0").ending, Ending::Exited(0));
    assert_eq!(run_sh("exit 101").ending, Ending::Exited(101));
}

#[test]
fn a_signal_is_reported() {
    assert_eq!(run_sh("kill -SEGV $$").ending, Ending::Signalled(11));
    assert_eq!(run_sh("kill -KILL $$").ending, Ending::Signalled(9));
}

#[test]
fn the_time_limit_ends_a_child_that_ignores_polite_signals() {
    let spec = sh("trap '' INT TERM HUP; while :; do :; done");
    let ran = run(&spec, &Limits::wall(Duration::from_millis(100)), Capture::Nothing).unwrap();
    assert_eq!(ran.ending, Ending::TimedOut);
    assert!(ran.duration >= Duration::from_millis(100));
    assert!(ran.duration < Duration::from_secs(10), "{:?}", ran.duration);
}

#[test]
fn a_time_limit_beyond_the_end_of_the_clock_is_none() {
    let ran = run(&sh("exit 3"), &Limits::wall(Duration::MAX), TAIL).unwrap();
    assert_eq!(ran.ending, Ending::Exited(3));
}

#[test]
fn a_child_that_reads_its_input_sees_the_end_of_it() {
    // The tool's own input has something to read, and no end.
    let exe = std::env::current_exe().unwrap();
    let spec = sh("yes | \"$0\" --exact tool_with_input --ignored").arg(exe);
    let ran = run(&spec, &Limits::wall(LONG), TAIL).unwrap();
    let said = String::from_utf8_lossy(&ran.stdout);
    assert!(said.contains("1 passed"), "{said}");
}

#[test]
#[ignore = "the tool of the test above, which starts it as a process of its own"]
fn tool_with_input() {
    let ran = run_sh("cat; read line || echo nothing");
    assert_eq!(ran.ending, Ending::Exited(0));
    assert_eq!(ran.stdout, b"nothing\n");
}

#[test]
fn the_memory_limit_makes_an_allocation_fail() {
    let spec = sh("x=$(head -c 100000000 /dev/zero | tr '\\0' a); echo ${#x}");
    let free = run(&spec, &Limits::wall(LONG), TAIL).unwrap();
    assert_eq!(free.stdout, b"100000000\n");

    let limits = Limits { wall: Some(LONG), memory: Some(64 << 20) };
    let limited = run(&spec, &limits, TAIL).unwrap();
    assert!(!limited.ending.success(), "{}", limited.ending);
    assert_ne!(limited.ending, Ending::TimedOut);
    assert!(limited.stdout.is_empty());
}

#[cfg(target_os = "linux")]
#[test]
fn a_child_cannot_leave_a_core_file() {
    // The limits come right after the start, not before it.
    let ran = run_sh("sleep 0.2; ulimit -Hc; ulimit -Hv");
    assert_eq!(ran.stdout, b"0\nunlimited\n");
}

#[test]
fn variables_are_removed_set_and_marked_with_the_job() {
    let spec = sh("echo ${HOME-gone} $A ${TESTSMITH_JOB%-*}")
        .env_remove("HOME")
        .env_remove("A")
        .env("A", "set")
        .env("TESTSMITH_JOB", "forged");
    let ran = run(&spec, &Limits::wall(LONG), TAIL).unwrap();
    let expected = format!("gone set {}\n", std::process::id());
    assert_eq!(String::from_utf8_lossy(&ran.stdout), expected);
}

#[test]
fn a_child_works_in_its_directory_and_leads_its_own_group() {
    let ran =
        run(&sh("pwd; echo $$; cut -d' ' -f5 /proc/$$/stat").dir("/usr"), &Limits::wall(LONG), TAIL).unwrap();
    let text = String::from_utf8(ran.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "/usr");
    assert_eq!(lines[1], lines[2]);
}

#[track_caller]
fn check_error(spec: &Spec, is_expected: fn(&StartError) -> bool, said: &str) {
    let error = run(spec, &Limits::default(), TAIL).expect_err("it cannot start");
    assert!(is_expected(&error), "{error:?}");
    assert!(error.to_string().contains(said), "{error}");
}

#[test]
fn a_missing_program_is_named_with_advice() {
    let is = |error: &StartError| matches!(error, StartError::NotFound { .. });
    let bare = Spec::new("no-such-program-7");
    check_error(&bare, is, "`no-such-program-7`: no program of this name is on the PATH");
    let path = Spec::new("/no/such/program");
    check_error(&path, is, "`/no/such/program`: there is no such file");
}

#[test]
fn a_file_that_is_not_a_program_is_told_apart() {
    let is = |error: &StartError| matches!(error, StartError::NotExecutable { .. });
    let file = unique_file();
    fs::write(&file, "plain text").unwrap();
    check_error(&Spec::new(&file), is, "executable bit");
    fs::remove_file(&file).unwrap();
}

#[test]
fn a_missing_directory_is_not_taken_for_a_missing_program() {
    let is = |error: &StartError| matches!(error, StartError::NoDirectory { .. });
    check_error(&sh("true").dir("/no/such/dir"), is, "`/no/such/dir`");
}

#[test]
fn a_program_that_is_still_being_written_is_waited_for() {
    let program = unique_file();
    fs::copy("/bin/sh", &program).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let writer = File::options().write(true).open(&program).unwrap();
    let release = thread::spawn(move || {
        thread::sleep(Duration::from_millis(30));
        drop(writer);
    });
    let spec = Spec::new(&program).args(["-c", "exit 7"]);
    let ran = run(&spec, &Limits::wall(LONG), Capture::Nothing).unwrap();
    release.join().unwrap();
    fs::remove_file(&program).unwrap();
    assert_eq!(ran.ending, Ending::Exited(7));
}

#[test]
fn cargo_can_be_started() {
    let spec = Spec::new(testsmith_proc::cargo()).arg("--version");
    let ran = run(&spec, &Limits::wall(LONG), TAIL).unwrap();
    assert!(ran.stdout.starts_with(b"cargo "), "{ran:?}");
}
