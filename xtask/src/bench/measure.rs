//! One measured child process: wall time from outside, peak memory, a time limit.
//!
//! Memory is sampled: `VmHWM` of the tool and the highest of any process below it, read from
//! `/proc` every 100 ms. The kernel keeps the high-water mark itself, so that only the growth in the
//! last 100 ms of a process can be missed; elsewhere than on Linux memory is not measured.

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::fail::{Context, Result};
use crate::{files, shell};

const SAMPLE_EVERY: Duration = Duration::from_millis(100);

/// How long a tool may take to clean up after it was told to stop.
const GRACE: Duration = Duration::from_secs(15);

/// What a run came to.
pub(super) struct Measured {
    pub(super) seconds: f64,
    /// `None` where a signal ended the run.
    pub(super) exit: Option<i32>,
    /// Whether the limit ended the run.
    pub(super) stopped: bool,
    pub(super) stdout: String,
    pub(super) stderr: String,
    pub(super) memory: Memory,
    /// Load average over the minute before the run.
    pub(super) load_before: Option<f64>,
}

/// Peak resident memory in KiB, sampled.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(super) struct Memory {
    pub(super) tool_kib: Option<u64>,
    /// The largest single process that the tool started, compilers included.
    pub(super) child_kib: Option<u64>,
}

/// Runs `command`; what it prints goes to `<logs>.stdout` and `<logs>.stderr`.
pub(super) fn measure(command: &mut Command, logs: &Path, limit: Duration) -> Result<Measured> {
    let (out, err) = (logs.with_extension("stdout"), logs.with_extension("stderr"));
    command.stdin(Stdio::null()).stdout(create(&out)?).stderr(create(&err)?);
    without_our_cargo(command);
    let load_before = load();
    let started = Instant::now();
    let mut child = command.spawn().context(format!("start `{}`", shell::line(command)))?;
    let pid = child.id();
    let (finished, watched) = mpsc::channel::<()>();
    let watcher = thread::spawn(move || watch(pid, limit, &watched));
    let status = child.wait().context("wait for the measured process")?;
    let seconds = started.elapsed().as_secs_f64();
    drop(finished);
    let (memory, stopped) = watcher.join().ok().context("watch the measured process")?;
    let (stdout, stderr) = (lossy(&out)?, lossy(&err)?);
    Ok(Measured { seconds, exit: status.code(), stopped, stdout, stderr, memory, load_before })
}

/// `cargo xtask` puts its own package and target folder into the environment; a measured tool has
/// to see what it would see when started from a shell.
fn without_our_cargo(command: &mut Command) {
    let ours = |name: &str| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_");
    for (name, _) in env::vars_os() {
        if name.to_str().is_some_and(ours) {
            command.env_remove(name);
        }
    }
    for name in ["CARGO_TARGET_DIR", "CARGO_BUILD_TARGET_DIR", "CARGO_TERM_COLOR", "LD_LIBRARY_PATH"] {
        command.env_remove(name);
    }
}

/// Samples until `finished` is dropped; past the limit the tool is asked to stop, then made to.
fn watch(pid: u32, limit: Duration, finished: &Receiver<()>) -> (Memory, bool) {
    let started = Instant::now();
    let mut memory = Memory::default();
    let mut asked = false;
    let mut forced = false;
    loop {
        sample(pid, &mut memory);
        if started.elapsed() > limit && !asked {
            asked = true;
            signal("-TERM", pid);
        }
        if started.elapsed() > limit + GRACE && !forced {
            forced = true;
            signal("-KILL", pid);
        }
        match finished.recv_timeout(SAMPLE_EVERY) {
            Err(RecvTimeoutError::Timeout) => {}
            _ => return (memory, asked),
        }
    }
}

/// A tool that is gone already needs no signal, so that a failure is no news.
fn signal(signal: &str, pid: u32) {
    let _ = Command::new("kill").arg(signal).arg(pid.to_string()).stderr(Stdio::null()).status();
}

fn sample(tool: u32, memory: &mut Memory) {
    memory.tool_kib = memory.tool_kib.max(high_water(tool));
    let mut open = children(tool);
    while let Some(pid) = open.pop() {
        memory.child_kib = memory.child_kib.max(high_water(pid));
        open.extend(children(pid));
    }
}

fn high_water(pid: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    high_water_in(&status)
}

fn high_water_in(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The processes that any thread of `pid` started.
fn children(pid: u32) -> Vec<u32> {
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else {
        return Vec::new();
    };
    let lists =
        threads.flatten().filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists
        .flat_map(|list| list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<_>>())
        .collect()
}

fn load() -> Option<f64> {
    fs::read_to_string("/proc/loadavg").ok()?.split_whitespace().next()?.parse().ok()
}

fn create(path: &PathBuf) -> Result<File> {
    files::write(path, "")?;
    File::create(path).context(format!("create {}", path.display()))
}

fn lossy(path: &Path) -> Result<String> {
    let bytes = fs::read(path).context(format!("read {}", path.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration) -> Measured {
        let logs = env::temp_dir().join(format!("xtask-measure-{}-{}", std::process::id(), script.len()));
        let measured = measure(Command::new("sh").args(["-c", script]), &logs, limit).unwrap();
        for kind in ["stdout", "stderr"] {
            fs::remove_file(logs.with_extension(kind)).unwrap();
        }
        measured
    }

    #[test]
    fn time_output_and_exit_code_are_seen_from_outside() {
        let measured = shell("sleep 0.3; echo out; echo err >&2; exit 3", Duration::from_secs(30));
        assert_eq!((measured.exit, measured.stopped), (Some(3), false));
        assert_eq!((measured.stdout.as_str(), measured.stderr.as_str()), ("out\n", "err\n"));
        assert!(measured.seconds >= 0.3, "{}", measured.seconds);
    }

    #[test]
    fn the_limit_stops_a_run() {
        let measured = shell("exec sleep 600", Duration::from_millis(100));
        assert_eq!((measured.exit, measured.stopped), (None, true));
        assert!(measured.seconds < 60.0);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn memory_is_read_of_the_tool_and_of_what_it_starts() {
        let measured = shell("sleep 0.4; true", Duration::from_secs(30));
        assert!(measured.memory.tool_kib.is_some_and(|kib| kib > 0));
        assert!(measured.memory.child_kib.is_some_and(|kib| kib > 0));
    }

    #[test]
    fn the_high_water_mark_is_found_in_a_status() {
        assert_eq!(high_water_in("Name:\tx\nVmHWM:\t    1234 kB\nVmRSS:\t 99 kB\n"), Some(1234));
        assert_eq!(high_water_in("Name:\tx\n"), None);
    }
}
