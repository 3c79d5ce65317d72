//! A long-lived child that is asked and answers in frames: [`Worker`]. It is a job like any other, so
//! that an interruption reaches it, and nothing of it is left when it ends or is dropped.
//!
//! Nothing here blocks but `poll`: a worker that does not read while the tool writes, or the other way
//! round, cannot make both wait for each other.

use std::fmt;
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags};

use crate::capture::{Sink, Tail};
use crate::ending::Ending;
use crate::error::StartError;
use crate::frames::{Incoming, Outgoing};
use crate::job::{Job, Pipes};
use crate::spec::{Limits, Spec};
use crate::streams::{CHUNK, ready};
use crate::wait::{self, Watch};
use crate::{interrupt, orphan};

/// What is kept of stderr: enough for the last words of a program that cannot start.
const LAST_WORDS: usize = 8 * 1024;

/// How long a worker that has closed its output may take to end.
const GRACE: Duration = Duration::from_secs(1);

/// More than a pipe can hold: what a dead worker has left in it, and not what a daemon adds.
const MOST_LEFT: usize = 2 << 20;

/// Why there is no worker any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Gone {
    /// It ended by itself.
    Exited(Ending),
    /// It did not answer in time, and was killed.
    TimedOut,
    /// It sent something that is not a frame, or closed its output, and was killed.
    Protocol(String),
    /// The user interrupted the tool.
    Interrupted,
}

impl fmt::Display for Gone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exited(ending) => write!(f, "the worker ended: {ending}"),
            Self::TimedOut => f.write_str("the worker did not answer in time"),
            Self::Protocol(what) => write!(f, "the worker sent {what}"),
            Self::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for Gone {}

/// A child that answers. Dropping it kills it.
pub struct Worker {
    state: State,
    outgoing: Outgoing,
    incoming: Incoming,
    last_words: Tail,
    peak_memory: Option<u64>,
    /// The end of its time as a whole.
    end_of_life: Option<Instant>,
}

enum State {
    Running(Box<Running>),
    Gone(Gone),
}

/// The process and the tool's ends of its pipes, as long as they are open.
struct Running {
    job: Job,
    watch: Watch,
    input: Option<File>,
    output: Option<File>,
    errors: Option<File>,
    /// When it closed its output.
    closed: Option<Instant>,
    chunk: Vec<u8>,
}

impl Worker {
    /// Starts a worker. The time limit holds for its whole life.
    ///
    /// After an interruption nothing is started, and the worker is gone from the beginning.
    pub fn start(spec: &Spec, limits: &Limits) -> Result<Self, StartError> {
        let state = match interrupt::requested() {
            true => State::Gone(Gone::Interrupted),
            false => State::Running(Box::new(Running::start(spec, limits)?)),
        };
        Ok(Self {
            state,
            outgoing: Outgoing::default(),
            incoming: Incoming::default(),
            last_words: Tail::new(LAST_WORDS),
            peak_memory: None,
            end_of_life: limits.wall.and_then(|wall| Instant::now().checked_add(wall)),
        })
    }

    /// Sends a frame. What the pipe does not take at once is sent while waiting for an answer.
    pub fn send(&mut self, frame: &[u8]) -> Result<(), Gone> {
        if let Err(why) = self.outgoing.push(frame) {
            return Err(self.end(Gone::Protocol(why)));
        }
        match &mut self.state {
            State::Running(running) => {
                running.write(&mut self.outgoing);
                Ok(())
            }
            State::Gone(gone) => Err(gone.clone()),
        }
    }

    /// The next frame. The worker is killed if there is none until the deadline.
    pub fn receive(&mut self, deadline: Instant) -> Result<Vec<u8>, Gone> {
        self.poll(deadline)?.ok_or_else(|| self.end(Gone::TimedOut))
    }

    /// The next frame, or `None` if there is none until then; the worker goes on.
    pub fn poll(&mut self, until: Instant) -> Result<Option<Vec<u8>>, Gone> {
        let mut is_late = false;
        loop {
            match self.incoming.next() {
                Ok(Some(frame)) => return Ok(Some(frame)),
                Ok(None) if is_late => return Ok(None),
                Ok(None) => {}
                Err(why) => return Err(self.disown(why)),
            }
            if let Some(gone) = self.gone() {
                return Err(gone);
            }
            let now = Instant::now();
            // What has arrived by the deadline counts, so there is one last look after it.
            is_late = now >= until;
            self.pump(until.saturating_duration_since(now));
        }
    }

    /// The most memory in bytes that the process has had in use, as far as that is known: after its end,
    /// what was known when it was last asked for.
    pub fn peak_memory(&mut self) -> Option<u64> {
        if let State::Running(running) = &self.state {
            self.peak_memory = orphan::peak_memory(running.job.pid()).or(self.peak_memory);
        }
        self.peak_memory
    }

    /// The processor time that the process and so many generations of its descendants have used so far, as far as that is
    /// known; those that have ended do not count.
    pub fn processor_time(&self, generations: u32) -> Option<Duration> {
        match &self.state {
            State::Running(running) => orphan::processor_time(running.job.pid(), generations),
            State::Gone(_) => None,
        }
    }

    /// The end of what it has printed to stderr so far.
    pub fn last_words(&self) -> String {
        String::from_utf8_lossy(self.last_words.bytes()).into_owned()
    }

    /// Why it is gone, if it is. What it sent before may still be received.
    pub fn gone(&mut self) -> Option<Gone> {
        if let State::Gone(gone) = &self.state {
            return Some(gone.clone());
        }
        if interrupt::requested() {
            return Some(self.end(Gone::Interrupted));
        }
        if self.end_of_life.is_some_and(|end| end <= Instant::now()) {
            return Some(self.end(Gone::TimedOut));
        }
        if let State::Running(running) = &self.state
            && running.closed.is_some_and(|closed| closed.elapsed() >= GRACE)
        {
            return Some(self.end(Gone::Protocol("the end of its output".to_owned())));
        }
        None
    }

    /// Kills the worker for this reason, unless it is gone for another one.
    pub fn end(&mut self, why: Gone) -> Gone {
        self.peak_memory();
        let State::Running(running) = &self.state else {
            return self.gone().unwrap_or(why);
        };
        running.job.kill();
        wait::block_until_ended(running.job.pid());
        self.bury(Some(why))
    }

    /// What is no frame is the reason, even if the worker was quick enough to end by itself.
    fn disown(&mut self, why: String) -> Gone {
        let reason = Gone::Protocol(why);
        let gone = match self.end(reason.clone()) {
            Gone::Interrupted => Gone::Interrupted,
            _ => reason,
        };
        self.state = State::Gone(gone.clone());
        gone
    }

    /// Moves bytes in all directions until there is news or the time is over.
    fn pump(&mut self, time: Duration) {
        let State::Running(running) = &mut self.state else {
            return;
        };
        let left = |until: Instant| until.saturating_duration_since(Instant::now());
        let time = self.end_of_life.map_or(time, |end| time.min(left(end)));
        let time = running.closed.map_or(time, |closed| time.min(left(closed + GRACE)));
        let has_ended = running.wait(!self.outgoing.unsent().is_empty(), time);
        running.write(&mut self.outgoing);
        running.read_errors(&mut self.last_words);
        if has_ended {
            self.bury(None);
        } else {
            running.read(&mut self.incoming, CHUNK);
        }
    }

    /// Clears up after a process that has ended: by itself, or for this reason.
    fn bury(&mut self, killed: Option<Gone>) -> Gone {
        let placeholder = State::Gone(Gone::Interrupted);
        let gone = match std::mem::replace(&mut self.state, placeholder) {
            State::Gone(gone) => gone,
            State::Running(mut running) => {
                // Nobody writes any more after this.
                running.job.clear();
                running.read(&mut self.incoming, MOST_LEFT);
                running.read_errors(&mut self.last_words);
                let status = running.job.reap();
                match (killed, status) {
                    _ if interrupt::requested() => Gone::Interrupted,
                    (Some(killed), _) => killed,
                    (None, Ok(status)) => Gone::Exited(Ending::of(status)),
                    (None, Err(error)) => Gone::Protocol(format!("a result that cannot be read: {error}")),
                }
            }
        };
        self.outgoing.clear();
        self.state = State::Gone(gone.clone());
        gone
    }
}

impl Running {
    fn start(spec: &Spec, limits: &Limits) -> Result<Self, StartError> {
        let mut job = Job::start(spec, limits.memory, Pipes::All)?;
        if interrupt::requested() {
            // The request may have killed all jobs just before this one was recorded.
            job.kill();
        }
        let (output, errors) = job.take_pipes().unzip();
        let open = |fd: OwnedFd| {
            rustix::io::ioctl_fionbio(&fd, true).map_err(|error| StartError::of(spec, error.into()))?;
            Ok(File::from(fd))
        };
        let input = job.take_input().map(|pipe| open(pipe.into())).transpose()?;
        let output = output.map(|pipe| open(pipe.into())).transpose()?;
        let errors = errors.map(|pipe| open(pipe.into())).transpose()?;
        let watch = Watch::new(job.pid());
        Ok(Self { job, watch, input, output, errors, closed: None, chunk: vec![0; CHUNK] })
    }

    /// Waits until something can be read, or be written if it `wants` to, or the process has ended, which
    /// is returned.
    fn wait(&self, wants: bool, time: Duration) -> bool {
        let reads = self.output.iter().chain(&self.errors).map(|pipe| (pipe.as_fd(), PollFlags::IN));
        let writes = self.input.iter().filter(|_| wants).map(|pipe| (pipe.as_fd(), PollFlags::OUT));
        let end = self.watch.fd().map(|fd| (fd, PollFlags::IN));
        let fds = end.into_iter().chain(reads).chain(writes);
        let fds = fds.map(|(fd, flags)| PollFd::from_borrowed_fd(fd, flags)).collect();
        let ready = ready(fds, self.watch.patience(Some(time), wait::SHORTEST));
        self.watch.has_ended(ready.first().copied().unwrap_or(false))
    }

    fn write(&mut self, outgoing: &mut Outgoing) {
        let Some(pipe) = &mut self.input else {
            return outgoing.clear();
        };
        while !outgoing.unsent().is_empty() {
            match pipe.write(outgoing.unsent()) {
                Ok(written) => outgoing.advance(written),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                // It does not read any more; why, its end or its answers will tell.
                Err(_) => {
                    self.input = None;
                    return outgoing.clear();
                }
            }
        }
    }

    /// Reads what is there, but not much more than `most`, which a fast worker could fill for ever.
    fn read(&mut self, incoming: &mut Incoming, most: usize) {
        read(&mut self.output, &mut self.chunk, most, &mut |piece| incoming.extend(piece));
        if self.output.is_none() {
            self.closed.get_or_insert_with(Instant::now);
        }
    }

    fn read_errors(&mut self, last_words: &mut Tail) {
        read(&mut self.errors, &mut self.chunk, CHUNK, &mut |piece| last_words.take(piece));
    }
}

/// Reads without waiting, and closes the pipe at its end.
fn read(pipe: &mut Option<File>, chunk: &mut [u8], most: usize, take: &mut dyn FnMut(&[u8])) {
    let mut left = most;
    while let Some(open) = pipe
        && left > 0
    {
        match open.read(chunk) {
            Ok(0) => *pipe = None,
            Ok(length) => {
                take(&chunk[..length]);
                left = left.saturating_sub(length);
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => return,
            Err(_) => *pipe = None,
        }
    }
}
