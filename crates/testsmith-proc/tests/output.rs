//! What is kept of a child's output, and that keeping it costs no memory and no patience.
#![cfg(unix)]

mod util;

use std::fs;
use std::time::Duration;

use testsmith_proc::{Capture, Ending, Limits, run, run_lines};
use util::{LONG, TAIL, run_sh, sh, until_exists};

/// The most memory that this process has ever used.
fn peak_kib() -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("/proc is mounted");
    let mut lines = status.lines();
    let peak = lines.find_map(|line| line.strip_prefix("VmHWM:")?.strip_suffix(" kB"));
    peak.and_then(|kib| kib.trim().parse().ok()).expect("the kernel tells the peak")
}

#[test]
fn stdout_and_stderr_are_kept_apart() {
    let ran = run_sh("echo out; echo err >&2");
    assert_eq!(ran.stdout, b"out\n");
    assert_eq!(ran.stderr, b"err\n");
    assert!(!ran.truncated);
}

#[test]
fn nothing_is_captured_through_no_pipe_at_all() {
    let spec = sh("[ /proc/self/fd/1 -ef /dev/null ] && [ /proc/self/fd/2 -ef /dev/null ]");
    let ran = run(&spec, &Limits::wall(LONG), Capture::Nothing).unwrap();
    assert!(ran.ending.success());
    assert!(ran.stdout.is_empty() && ran.stderr.is_empty() && !ran.truncated);
}

#[cfg(target_os = "linux")]
#[test]
fn of_fifty_megabytes_the_tail_is_kept_and_memory_stays_bounded() {
    let before = peak_kib();
    let spec = sh("for n in 1 2; do
        head -c 50000000 /dev/zero | tr '\\0' a; printf end; exec >&2
    done");
    let ran = run(&spec, &Limits::wall(LONG), Capture::Tail { bytes: 1000 }).unwrap();
    assert!(ran.ending.success());
    assert!(ran.truncated);
    let expected = [&[b'a'; 997][..], b"end"].concat();
    assert_eq!(ran.stdout, expected);
    assert_eq!(ran.stderr, expected);
    let grown = peak_kib() - before;
    assert!(grown < 8 * 1024, "grew by {grown} KiB");
}

#[test]
fn a_child_that_prints_for_ever_still_meets_its_time_limit() {
    let limits = Limits::wall(Duration::from_millis(100));
    let ran = run(&sh("while :; do echo noise; done"), &limits, TAIL).unwrap();
    assert_eq!(ran.ending, Ending::TimedOut);
    assert!(ran.truncated);
    assert!(ran.stdout.ends_with(b"noise\n"));
    assert!(ran.duration < Duration::from_secs(10), "{:?}", ran.duration);
}

#[test]
fn lines_arrive_while_the_child_runs() {
    // The child goes on only when the first line has been seen.
    let sign = util::unique_file();
    let script = format!("echo one; {} echo oops >&2; printf 'two\\nthree'", until_exists(&sign));
    let mut seen = Vec::new();
    let ran = run_lines(&sh(&script), &Limits::wall(LONG), &mut |line| {
        seen.push(line.to_owned());
        fs::write(&sign, "").unwrap();
    })
    .unwrap();
    fs::remove_file(&sign).unwrap();
    assert_eq!(ran.ending, Ending::Exited(0));
    assert_eq!(seen, ["one", "two", "three"]);
    assert_eq!(ran.stderr, b"oops\n");
    assert!(ran.stdout.is_empty() && !ran.truncated);
}
