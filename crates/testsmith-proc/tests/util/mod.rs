//! What the tests share: shell children, and a look at the machine's processes to see whether they are
//! really gone. Each test binary uses a part of it.
#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant, UNIX_EPOCH};

use testsmith_proc::{Capture, Limits, Ran, Spec, run};

/// Longer than any child that works as it should needs, even on a loaded machine.
pub(crate) const LONG: Duration = Duration::from_secs(60);

/// Enough for small outputs.
pub(crate) const TAIL: Capture = Capture::Tail { bytes: 4096 };

/// A shell that runs a script.
pub(crate) fn sh(script: &str) -> Spec {
    Spec::new("/bin/sh").arg("-c").arg(script)
}

/// Runs a script, keeping its output, under a limit that it should not reach.
#[track_caller]
pub(crate) fn run_sh(script: &str) -> Ran {
    run(&sh(script), &Limits::wall(LONG), TAIL).expect("there is a shell")
}

/// A number of seconds for `sleep` that no other process sleeps for, not even one that an earlier
/// failure of these tests has left behind.
pub(crate) fn unique_sleep() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let next = NEXT.fetch_add(1, Ordering::Relaxed);
    let now = UNIX_EPOCH.elapsed().unwrap_or_default().as_nanos();
    format!("1000.{now}{:07}{next:04}", process::id())
}

/// A file in the target directory that no other test uses; it does not exist yet.
pub(crate) fn unique_file() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(unique_sleep())
}

/// A script that starts a background process and goes on only when that has become `sleep <seconds>`.
/// `launcher` is put in front, such as `setsid`.
pub(crate) fn start_sleeper(launcher: &str, seconds: &str) -> String {
    // Before it has become `sleep`, its command line begins with the shell or the launcher.
    format!(
        "{launcher} sleep {seconds} & p=$!; c=; while case \"$c\" in sleep*) false;; esac; \
         do c=$(tr '\\0' ' ' < /proc/$p/cmdline); done;"
    )
}

/// The live processes of the machine that have this argument.
pub(crate) fn processes_with(argument: &str) -> Vec<String> {
    let entries = fs::read_dir("/proc").expect("/proc is mounted").flatten();
    entries
        .filter(|entry| {
            let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
            line.split(|byte| *byte == 0).any(|word| word == argument.as_bytes())
        })
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}

/// Waits for a process that has this argument.
#[track_caller]
pub(crate) fn wait_for(argument: &str) {
    let start = Instant::now();
    while processes_with(argument).is_empty() {
        assert!(start.elapsed() < LONG, "no process with {argument}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// A script that waits until a file has appeared.
pub(crate) fn until_exists(file: &Path) -> String {
    format!("while [ ! -e {} ]; do sleep 0.01; done;", file.display())
}

/// The children of this process, ended or not.
pub(crate) fn own_children() -> Vec<String> {
    let threads = fs::read_dir("/proc/self/task").expect("/proc is mounted").flatten();
    threads
        .filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok())
        .flat_map(|list| list.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
        .collect()
}
