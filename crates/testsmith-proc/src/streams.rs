//! Moving a child's output from its pipes to the sinks of `capture`, in the thread that waits for the
//! child. A thread for each pipe would cost more than many a child, and would hang on a pipe that a
//! daemon keeps open.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::process::{ChildStderr, ChildStdout};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use crate::capture::Sink;

/// As much as a pipe holds.
pub(crate) const CHUNK: usize = 64 * 1024;

/// The pipes of one child that are still open.
#[derive(Default)]
pub(crate) struct Streams<'a> {
    open: Vec<Stream<'a>>,
    chunk: Vec<u8>,
}

struct Stream<'a> {
    pipe: File,
    sink: &'a mut dyn Sink,
}

impl<'a> Streams<'a> {
    /// The pipes of a child, each with the sink that takes what comes out of it.
    pub(crate) fn new(pipes: (ChildStdout, ChildStderr), sinks: [&'a mut dyn Sink; 2]) -> Self {
        let fds = [OwnedFd::from(pipes.0), OwnedFd::from(pipes.1)];
        let streams = fds.into_iter().zip(sinks).map(|(fd, sink)| Stream { pipe: File::from(fd), sink });
        Self { open: streams.collect(), chunk: vec![0; CHUNK] }
    }

    /// Waits until output has arrived, or `watched` is readable, or the time is over; moves what has
    /// arrived. Returns whether `watched` is readable.
    pub(crate) fn pump(&mut self, watched: Option<BorrowedFd<'_>>, time: Option<Duration>) -> bool {
        let ready = self.wait(watched, time);
        let (of_streams, of_watched) = ready.split_at(self.open.len().min(ready.len()));
        let mut flags = of_streams.iter();
        let chunk = &mut self.chunk;
        self.open.retain_mut(|stream| !flags.next().copied().unwrap_or(false) || stream.read(chunk));
        of_watched.first().copied().unwrap_or(false)
    }

    /// Moves what is left until every pipe is closed (`true`) or the time is over (`false`).
    pub(crate) fn drain(&mut self, time: Duration) -> bool {
        let end = Instant::now() + time;
        while !self.open.is_empty() {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            self.pump(None, Some(left));
        }
        true
    }

    /// Which of the open streams, and last `watched`, can be read without waiting.
    fn wait(&self, watched: Option<BorrowedFd<'_>>, time: Option<Duration>) -> Vec<bool> {
        let fds = self.open.iter().map(|stream| stream.pipe.as_fd());
        ready(fds.chain(watched).map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)).collect(), time)
    }
}

/// Waits until one of these is ready or the time is over. Returns which ones are; none also if a signal
/// came in between.
pub(crate) fn ready(mut fds: Vec<PollFd<'_>>, time: Option<Duration>) -> Vec<bool> {
    // A time too long for the system's clock is as good as none.
    let time = time.and_then(|time| Timespec::try_from(time).ok());
    match poll(&mut fds, time.as_ref()) {
        Ok(_) => fds.iter().map(|fd| !fd.revents().is_empty()).collect(),
        Err(Errno::INTR) => Vec::new(),
        Err(_) => {
            // The kernel is short of memory: a breath, rather than a busy loop.
            thread::sleep(Duration::from_millis(1));
            Vec::new()
        }
    }
}

impl Stream<'_> {
    /// Reads once, which does not block after `poll` has said so. Returns whether more may come.
    fn read(&mut self, chunk: &mut [u8]) -> bool {
        match self.pipe.read(chunk) {
            Ok(0) => false,
            Ok(length) => {
                self.sink.take(&chunk[..length]);
                true
            }
            Err(error) => error.kind() == ErrorKind::Interrupted,
        }
    }
}
