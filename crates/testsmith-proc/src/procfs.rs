//! What Linux tells about processes in `/proc`: the tool's children, the group and session of a
//! process, and the job token in its environment. Whatever cannot be read is left out: processes come
//! and go while one looks.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use rustix::process::{Pid, getpid};

use crate::registry::TOKEN_VARIABLE;

/// A process as `/proc/<pid>/stat` shows it.
#[derive(Debug)]
pub(crate) struct Process {
    pub(crate) pid: Pid,
    /// `None` if the group's leader is outside of our container and has no number here.
    pub(crate) group: Option<Pid>,
    /// It has ended and waits to be reaped.
    pub(crate) ended: bool,
    /// Again `None` if it is led from outside.
    session: Option<Pid>,
    parent: Option<Pid>,
}

impl Process {
    pub(crate) fn is_in_our_session(&self) -> bool {
        self.session == *OUR_SESSION
    }
}

/// Fixed from the start on: the tool never moves to another session or group.
static OUR_SESSION: LazyLock<Option<Pid>> = LazyLock::new(|| process(getpid())?.session);
static OUR_GROUP: LazyLock<Option<Pid>> = LazyLock::new(|| process(getpid())?.group);

/// The group of this process.
pub(crate) fn our_group() -> Option<Pid> {
    *OUR_GROUP
}

/// The children that this process has adopted, and those that its main thread has started: the kernel
/// gives orphans to the first thread that lives, and a Rust program lives as long as its main thread.
/// This leaves out what other threads are just starting, and costs one file instead of one a thread.
pub(crate) fn adopted() -> Vec<Pid> {
    children_of_thread(&file_of(getpid(), "task").join(getpid().to_string()))
        .unwrap_or_else(children_by_search)
}

/// All children of this process, whichever thread they belong to.
pub(crate) fn children() -> Vec<Pid> {
    let Ok(threads) = fs::read_dir("/proc/self/task") else {
        return Vec::new();
    };
    let lists: Option<Vec<Vec<Pid>>> =
        threads.flatten().map(|thread| children_of_thread(&thread.path())).collect();
    lists.map_or_else(children_by_search, |lists| lists.concat())
}

/// The kernel's list; `None` if it was built without such lists, or the thread has just ended.
fn children_of_thread(thread: &Path) -> Option<Vec<Pid>> {
    let list = fs::read_to_string(thread.join("children")).ok()?;
    Some(list.split_ascii_whitespace().filter_map(parse_pid).collect())
}

/// All children the slow way, by asking every process for its parent.
fn children_by_search() -> Vec<Pid> {
    all()
        .filter_map(process)
        .filter(|process| process.parent == Some(getpid()))
        .map(|process| process.pid)
        .collect()
}

/// All processes.
fn all() -> impl Iterator<Item = Pid> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| parse_pid(entry.file_name().to_str()?))
}

/// Processes that the tool which had this number has started.
pub(crate) fn of_tool(tool: u32) -> Vec<Pid> {
    let start = format!("{tool}-");
    all().filter(|pid| matches!(token(*pid), Token::Value(value) if value.starts_with(&start))).collect()
}

/// What is known of a process, if there is one of this number.
pub(crate) fn process(pid: Pid) -> Option<Process> {
    let stat = fs::read_to_string(file_of(pid, "stat")).ok()?;
    parse_stat(pid, &stat)
}

/// What the environment of a process says about its job.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// This value, which any testsmith may have set.
    Value(String),
    /// There is an environment without a token.
    None,
    /// There is no environment: the process is just becoming another program, or it is ending, or it
    /// was started with none.
    Unreadable,
}

/// Reads the job token in the environment that a process was started with.
pub(crate) fn token(pid: Pid) -> Token {
    match fs::read(file_of(pid, "environ")) {
        Ok(environ) if !environ.is_empty() => parse_environ(&environ).map_or(Token::None, Token::Value),
        _ => Token::Unreadable,
    }
}

fn parse_environ(environ: &[u8]) -> Option<String> {
    let mut entries = environ.split(|byte| *byte == 0);
    let value = entries.find_map(|entry| {
        let rest = entry.strip_prefix(TOKEN_VARIABLE.as_bytes())?;
        rest.strip_prefix(b"=")
    })?;
    String::from_utf8(value.to_vec()).ok()
}

/// The most memory in bytes that a process has had in use; `None` once it has ended.
pub(crate) fn peak_memory(pid: Pid) -> Option<u64> {
    let status = fs::read_to_string(file_of(pid, "status")).ok()?;
    parse_peak(&status)
}

fn parse_peak(status: &str) -> Option<u64> {
    let kib = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.strip_suffix("kB"))?;
    Some(kib.trim().parse::<u64>().ok()? * 1024)
}

/// The processor time that a process and so many generations of its descendants have used so far, those that have ended
/// not counted; `None` once it is gone.
pub(crate) fn processor_time(pid: Pid, generations: u32) -> Option<Duration> {
    let own = parse_time(&fs::read_to_string(file_of(pid, "stat")).ok()?)?;
    let Some(younger) = generations.checked_sub(1) else { return Some(own) };
    let threads = fs::read_dir(file_of(pid, "task")).into_iter().flatten().flatten();
    let children = threads.filter_map(|thread| children_of_thread(&thread.path())).flatten();
    Some(children.filter_map(|child| processor_time(child, younger)).fold(own, Duration::saturating_add))
}

/// What `/proc` counts time in; the same on every Linux, whatever the kernel itself counts in.
const TICK: Duration = Duration::from_millis(10);

/// Time of its own is the twelfth field after the name, time of the system for it the next one.
fn parse_time(stat: &str) -> Option<Duration> {
    let (_, rest) = stat.rsplit_once(')')?;
    let ticks = |field: &str| field.parse::<u32>().ok();
    let mut fields = rest.split_ascii_whitespace().skip(11);
    Some(TICK * ticks(fields.next()?)?.saturating_add(ticks(fields.next()?)?))
}

fn file_of(pid: Pid, name: &str) -> PathBuf {
    PathBuf::from(format!("/proc/{pid}/{name}"))
}

/// A process number; `None` for the 0 that stands for a process outside of our container, and for the -1
/// that stands for none.
fn parse_pid(text: &str) -> Option<Pid> {
    let number = text.parse().ok().filter(|number| *number > 0)?;
    Pid::from_raw(number)
}

/// The line reads `pid (name) state parent group session …`, and the name may contain anything.
fn parse_stat(pid: Pid, stat: &str) -> Option<Process> {
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_ascii_whitespace();
    let state = fields.next()?;
    let parent = parse_pid(fields.next()?);
    let (group, session) = (fields.next()?, fields.next()?);
    // A process that is just being reaped by another thread has none any more.
    let is_there = group != "-1" && session != "-1";
    let [group, session] = [group, session].map(parse_pid);
    is_there.then_some(Process { pid, group, session, ended: state == "Z", parent })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pid(number: i32) -> Pid {
        Pid::from_raw(number).unwrap()
    }

    #[test]
    fn a_process_name_with_spaces_and_parentheses_does_not_confuse() {
        let line = "7 (a) R 1 (b) Z 3 4 5 0 -1 4194304";
        let process = parse_stat(pid(7), line).unwrap();
        assert_eq!([process.parent, process.group, process.session], [3, 4, 5].map(|n| Some(pid(n))));
        assert!(process.ended);
    }

    #[test]
    fn a_process_that_is_just_being_reaped_is_gone() {
        assert!(parse_stat(pid(7), "7 (a) Z 3 -1 -1").is_none());
        assert!(parse_stat(pid(7), "7 (a) Z 3 4 4").is_some());
    }

    #[test]
    fn groups_and_sessions_led_from_outside_of_a_container_have_no_number() {
        let process = parse_stat(pid(7), "7 (a) S 3 0 0").unwrap();
        assert_eq!((process.group, process.session), (None, None));
    }

    #[test]
    fn the_peak_of_memory_is_told_in_kib() {
        assert_eq!(parse_peak("Name:\tx\nVmHWM:\t    1600 kB\nVmRSS:\t 7 kB\n"), Some(1600 << 10));
        assert_eq!(parse_peak("Name:\tx\nState:\tZ (zombie)\n"), None);
        assert!(peak_memory(getpid()).is_some_and(|bytes| bytes > 100_000));
    }

    #[test]
    fn processor_time_is_told_in_hundredths() {
        let line = "7 (a b) R 1 7 7 0 -1 4194304 90 0 0 0 12 3 99 99 20 0 1 0";
        assert_eq!(parse_time(line), Some(Duration::from_millis(150)));
        assert_eq!(parse_time("7 (a b) R 1"), None);
        assert!(processor_time(getpid(), 0).is_some());
        assert!(processor_time(getpid(), 1) >= processor_time(getpid(), 0));
    }

    #[test]
    fn the_search_finds_the_children_that_the_lists_name() {
        let spec = crate::Spec::new("sleep").arg("1000");
        let job = crate::job::Job::start(&spec, None, crate::job::Pipes::None).unwrap();
        assert!(children().contains(&job.pid()));
        assert!(children_by_search().contains(&job.pid()));
        assert!(!children_by_search().contains(&getpid()));
    }

    #[test]
    fn the_token_is_found_among_variables_that_look_like_it() {
        let environ = b"A=TESTSMITH_JOB=1\0TESTSMITH_JOBS=2\0TESTSMITH_JOB=3-4\0";
        assert_eq!(parse_environ(environ).as_deref(), Some("3-4"));
        assert_eq!(parse_environ(b""), None);
    }

    #[test]
    fn a_process_that_is_gone_has_no_environment_to_read() {
        // Above the highest number that Linux can be told to use.
        assert_eq!(token(pid(4_194_305)), Token::Unreadable);
    }

    #[test]
    fn our_own_entry_can_be_read() {
        let own = process(getpid()).unwrap();
        assert_eq!(own.parent, rustix::process::getppid());
        assert!(own.is_in_our_session() && !own.ended);
        assert_eq!(own.group, our_group());
    }
}
