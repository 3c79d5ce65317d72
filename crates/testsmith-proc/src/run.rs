//! The way of one child: start, wait, clear, drain, reap. [`run`] and [`run_lines`] differ only in the
//! sinks that take the output.

use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use crate::capture::{Lines, Sink, Tail};
use crate::ending::{Ending, Ran};
use crate::error::StartError;
use crate::interrupt;
use crate::job::{Job, Pipes};
use crate::spec::{Capture, Limits, Spec};
use crate::streams::Streams;
use crate::wait::Watch;

/// How long to wait for a pipe to close after everyone who could hold it has been killed.
const GRACE: Duration = Duration::from_millis(200);

/// What [`run_lines`] keeps of stderr: enough for cargo's last error with its context.
const STDERR_TAIL: usize = 64 * 1024;

/// Runs a child to its end, and leaves nothing of it behind.
///
/// May be called from several threads at once. After [`interrupt::request`], the ending of every child
/// is [`Ending::Interrupted`], whatever it was about to become, and no further child is started.
pub fn run(spec: &Spec, limits: &Limits, capture: Capture) -> Result<Ran, StartError> {
    run_child(spec, limits, capture, None)
}

/// The same for a child that has something at its standard input.
#[cfg(target_os = "linux")]
pub(crate) fn run_with_input(
    spec: &Spec,
    limits: &Limits,
    capture: Capture,
    input: OwnedFd,
) -> Result<Ran, StartError> {
    run_child(spec, limits, capture, Some(input))
}

fn run_child(
    spec: &Spec,
    limits: &Limits,
    capture: Capture,
    input: Option<OwnedFd>,
) -> Result<Ran, StartError> {
    let Capture::Tail { bytes } = capture else {
        let end = supervise(spec, limits, None, input)?;
        return Ok(end.ran(Vec::new(), Vec::new(), false));
    };
    let mut stdout = Tail::new(bytes);
    let mut stderr = Tail::new(bytes);
    let end = supervise(spec, limits, Some([&mut stdout, &mut stderr]), input)?;
    let lost = stdout.lost() || stderr.lost();
    Ok(end.ran(stdout.into_bytes(), stderr.into_bytes(), lost))
}

/// Runs a child that reports line by line, such as cargo with `--message-format=json`.
///
/// Calls back for each line of stdout as it arrives, in the calling thread; the time limit is looked at
/// between two calls. A last line may be cut off when the child was killed, and a line of more than
/// 16 MiB is left out. Keeps the last 64 KiB of stderr; [`Ran::stdout`] is empty.
pub fn run_lines(spec: &Spec, limits: &Limits, on_line: &mut dyn FnMut(&str)) -> Result<Ran, StartError> {
    let mut stdout = Lines::new(on_line);
    let mut stderr = Tail::new(STDERR_TAIL);
    let end = supervise(spec, limits, Some([&mut stdout, &mut stderr]), None)?;
    let lost = stdout.finish() | stderr.lost();
    Ok(end.ran(Vec::new(), stderr.into_bytes(), lost))
}

/// What is known of a child that has ended, without its output.
struct End {
    ending: Ending,
    duration: Duration,
    /// A pipe was still open when we gave up on it.
    gave_up: bool,
}

impl End {
    fn not_started() -> Self {
        Self { ending: Ending::Interrupted, duration: Duration::ZERO, gave_up: false }
    }

    fn ran(self, stdout: Vec<u8>, stderr: Vec<u8>, lost: bool) -> Ran {
        Ran { ending: self.ending, stdout, stderr, duration: self.duration, truncated: lost || self.gave_up }
    }
}

fn supervise(
    spec: &Spec,
    limits: &Limits,
    sinks: Option<[&mut dyn Sink; 2]>,
    input: Option<OwnedFd>,
) -> Result<End, StartError> {
    if interrupt::requested() {
        return Ok(End::not_started());
    }
    let started = Instant::now();
    let pipes = if sinks.is_some() { Pipes::Output } else { Pipes::None };
    let mut job = Job::start_with_input(spec, limits.memory, pipes, input)?;
    if interrupt::requested() {
        // The request may have killed all jobs just before this one was recorded.
        job.kill();
    }
    let mut streams = match (job.take_pipes(), sinks) {
        (Some(pipes), Some(sinks)) => Streams::new(pipes, sinks),
        _ => Streams::default(),
    };
    // A time limit beyond the end of the clock is none.
    let deadline = limits.wall.and_then(|wall| started.checked_add(wall));
    let in_time = wait_or_kill(&job, &mut streams, deadline);
    let duration = started.elapsed();
    job.clear();
    let gave_up = !streams.drain(GRACE);
    let status = job.reap().map_err(|source| StartError::Lost { program: spec.program.clone(), source })?;
    // An interruption kills children, so nothing that a child seems to say after it counts.
    let ending = if interrupt::requested() {
        Ending::Interrupted
    } else if in_time {
        Ending::of(status)
    } else {
        Ending::TimedOut
    };
    Ok(End { ending, duration, gave_up })
}

/// Waits for the child's end, and brings it about at the deadline. Returns whether it came by itself.
fn wait_or_kill(job: &Job, streams: &mut Streams<'_>, deadline: Option<Instant>) -> bool {
    let watch = Watch::new(job.pid());
    let in_time = watch.until_ended(streams, deadline);
    if !in_time {
        job.kill();
        watch.until_ended(streams, None);
    }
    in_time
}
