//! Processes that outlive the child that started them. The tool is a child subreaper, so they become
//! its own children; [`collect`] finds those of one job, [`sweep`] all of them. `procfs` reads what the
//! kernel knows, `registry` what this crate has started.

use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{io, thread};

use rustix::io::Errno;
use rustix::process::{
    Pid, Signal, WaitOptions, getpid, kill_process, kill_process_group, set_child_subreaper, waitpid,
};

use crate::procfs::{self, Process, Token};
pub(crate) use crate::procfs::{peak_memory, processor_time};
use crate::registry;

/// How long a job waits for its killed orphans to be gone. They need processor time to die, of which a
/// loaded machine has little, and freeing much memory takes a while.
const PATIENCE: Duration = Duration::from_secs(1);

/// How long the end of the program waits for the same.
const SWEEP: Duration = Duration::from_secs(2);

/// How often it is looked whether what somebody else has to reap is gone.
const BETWEEN_LOOKS: Duration = Duration::from_millis(10);

const PAUSE: Duration = Duration::from_micros(200);

/// What earlier rounds could not finish. The lock also makes this the work of one thread at a time, so
/// that no one else reaps what this one is about to kill.
static LEFT: Mutex<Left> = Mutex::new(Left { unreaped: Vec::new(), undecided: Vec::new() });

struct Left {
    /// Killed, but not gone when patience ended.
    unreaped: Vec<Pid>,
    /// Without an environment for so long that it has none; only a sweep ends these.
    undecided: Vec<Pid>,
}

/// What to do with a child that the registry does not know.
#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    /// End it and its group.
    Kill,
    /// It has ended: take note of it.
    Reap,
    /// It is not ours.
    Leave,
    /// It cannot be decided now, but in a moment.
    Wait,
}

/// Makes orphans come to the tool instead of to init, from the first child on.
pub(crate) fn adopt() {
    static ADOPTED: LazyLock<io::Result<()>> = LazyLock::new(|| Ok(set_child_subreaper(Some(getpid()))?));
    // Where the kernel refuses, daemons go to init as they always did.
    let _ = LazyLock::force(&ADOPTED);
}

/// Kills and reaps what a job whose leader has ended, but is not reaped, has left behind.
pub(crate) fn collect(job: u64, group: Pid) {
    // Mostly there is nothing. An empty list is certain; a longer one may lack some, see `strays`.
    if procfs::adopted().is_empty() {
        return;
    }
    clear(PATIENCE, procfs::adopted, |process| classify(process, job, group));
}

/// Kills and reaps every process that some child has left behind, whatever it did to hide. To be called
/// at the end of the program.
pub fn sweep() {
    sweep_for(SWEEP);
}

/// Kills what a tool has left behind that was killed itself: everything that it has started, a compiler say. `tool` is the number
/// that its process had; as long as there is a process of that number, nothing is done.
pub fn end_leftovers(tool: u32) {
    let is_alive =
        i32::try_from(tool).ok().and_then(Pid::from_raw).is_none_or(|pid| procfs::process(pid).is_some());
    if is_alive {
        return;
    }
    let end = Instant::now() + SWEEP;
    loop {
        let left = procfs::of_tool(tool);
        for pid in &left {
            let _ = kill_process(*pid, Signal::KILL);
        }
        if left.is_empty() || Instant::now() > end {
            return;
        }
        thread::sleep(BETWEEN_LOOKS);
    }
}

/// As [`sweep`], within this time.
pub(crate) fn sweep_for(time: Duration) {
    // From here on, a child that is not on record is not one that is just being started.
    let _all_recorded = registry::all_recorded();
    clear(time, procfs::children, |_| Verdict::Kill);
}

/// Applies verdicts until nothing is left that needs one: the children of what is killed turn up as
/// ours in the next round.
fn clear(time: Duration, children: fn() -> Vec<Pid>, verdict: impl Fn(&Process) -> Verdict) {
    let mut left = LEFT.lock().unwrap_or_else(PoisonError::into_inner);
    let end = Instant::now() + time;
    left.unreaped.retain(|pid| !reap(*pid));
    let mut doomed = Vec::new();
    loop {
        let strays = strays(children);
        let is_settled = |pid| doomed.contains(&pid) || left.unreaped.contains(&pid);
        let open = strays.iter().filter(|process| !is_settled(process.pid));
        let (killed, undecided) = carry_out(open, &verdict);
        doomed.extend(killed);
        left.undecided.retain(|pid| undecided.contains(pid));
        let waiting = undecided.iter().any(|pid| !left.undecided.contains(pid));
        if doomed.is_empty() && !waiting {
            return;
        }
        doomed.retain(|pid| !reap(*pid));
        if Instant::now() >= end {
            left.unreaped.append(&mut doomed);
            left.undecided = undecided;
            return;
        }
        thread::sleep(PAUSE);
    }
}

/// Carries out the verdicts up to the reaping. Returns what is to be reaped, and what is to be decided
/// again.
fn carry_out<'a>(
    processes: impl Iterator<Item = &'a Process>,
    verdict: impl Fn(&Process) -> Verdict,
) -> (Vec<Pid>, Vec<Pid>) {
    let (mut doomed, mut undecided) = (Vec::new(), Vec::new());
    for process in processes {
        match verdict(process) {
            Verdict::Leave => {}
            Verdict::Wait => undecided.push(process.pid),
            Verdict::Reap => doomed.push(process.pid),
            Verdict::Kill => {
                kill(process);
                doomed.push(process.pid);
            }
        }
    }
    (doomed, undecided)
}

/// The children that no job under way has started.
fn strays(children: fn() -> Vec<Pid>) -> Vec<Process> {
    // The kernel's list can leave out children while another one is reaped. Jobs are not reaped here,
    // because the registry is locked, and orphans are not, because `clear` is.
    let (known, children) = registry::pids_and(children);
    let unknown = |pid: &Pid| !known.contains(pid);
    children.into_iter().filter(unknown).filter_map(procfs::process).collect()
}

/// Whose is it? A child that another thread has just started must never be mistaken for an orphan: it
/// carries the token of a job under way or, before it has become its program, none of ours. Between the
/// two, it has no environment at all.
fn classify(process: &Process, job: u64, group: Pid) -> Verdict {
    if process.group == Some(group) {
        return Verdict::Kill;
    }
    if process.ended {
        // What has ended has no token any more. Whoever is in another session is no direct child.
        return match process.is_in_our_session() {
            true => Verdict::Leave,
            false => Verdict::Reap,
        };
    }
    match procfs::token(process.pid) {
        Token::Value(token) => classify_token(&token, job),
        Token::None => Verdict::Leave,
        Token::Unreadable => Verdict::Wait,
    }
}

fn classify_token(token: &str, job: u64) -> Verdict {
    match registry::number_of(token) {
        Some(number) if number == job || !registry::is_under_way(number) => Verdict::Kill,
        _ => Verdict::Leave,
    }
}

fn kill(process: &Process) {
    // An orphan can have joined our own group, or that of a job under way.
    if let Some(group) = process.group
        && process.group != procfs::our_group()
        && !registry::has(group)
    {
        let _ = kill_process_group(group, Signal::KILL);
    }
    let _ = kill_process(process.pid, Signal::KILL);
}

/// Reaps a child if it has ended. Returns whether it is gone.
fn reap(pid: Pid) -> bool {
    match waitpid(Some(pid), WaitOptions::NOHANG) {
        Ok(ended) => ended.is_some(),
        Err(error) => error != Errno::INTR,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::{Job, Pipes};
    use crate::spec::Spec;

    /// Starts `sleep` through `env` with these options, and asks for the verdict of a job that has no
    /// part in it.
    #[track_caller]
    fn check(options: &[&str], expected: Verdict) {
        let spec = Spec::new("env").args(options).args(["sleep", "1000"]);
        let job = Job::start(&spec, None, Pipes::None).expect("there is `env`");
        let command_line = format!("/proc/{}/cmdline", job.pid());
        while !std::fs::read(&command_line).is_ok_and(|line| line.starts_with(b"sleep")) {
            thread::sleep(Duration::from_millis(1));
        }
        let process = procfs::process(job.pid()).expect("it runs until it is killed");
        assert_eq!(classify(&process, 0, getpid()), expected);
    }

    #[test]
    fn the_child_of_a_job_under_way_is_left_alone() {
        check(&[], Verdict::Leave);
    }

    #[test]
    fn the_child_of_a_job_that_has_ended_is_killed() {
        let ended = registry::Ticket::issue().token();
        check(&[&format!("TESTSMITH_JOB={ended}")], Verdict::Kill);
    }

    #[test]
    fn a_process_with_the_token_of_another_tool_is_left_alone() {
        check(&["TESTSMITH_JOB=1-1"], Verdict::Leave);
    }

    #[test]
    fn without_an_environment_there_is_no_verdict_yet() {
        check(&["-i"], Verdict::Wait);
    }
}
