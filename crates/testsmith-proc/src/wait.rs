//! Waiting for a child's end without reaping it. [`Watch`] is a pidfd where there is one, else it asks
//! at growing intervals; the child's output is moved meanwhile, by `streams`.
//!
//! The child stays unreaped so that its number, which names its group, cannot be reused before the
//! group has been killed.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use crate::streams::Streams;

/// The first and the longest interval between two questions, where a child has to be asked.
pub(crate) const SHORTEST: Duration = Duration::from_micros(100);
const LONGEST: Duration = Duration::from_millis(5);

/// A way to see that a child has ended.
pub(crate) enum Watch {
    /// Becomes readable at the end.
    Pidfd(OwnedFd),
    /// Has to be asked.
    Asking(Pid),
}

impl Watch {
    /// The best way that this system has.
    pub(crate) fn new(pid: Pid) -> Self {
        #[cfg(target_os = "linux")]
        if let Ok(fd) = rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty()) {
            return Self::Pidfd(fd);
        }
        Self::Asking(pid)
    }

    /// Waits until the child has ended (`true`) or the deadline has passed (`false`).
    pub(crate) fn until_ended(&self, streams: &mut Streams<'_>, deadline: Option<Instant>) -> bool {
        let mut pause = SHORTEST;
        loop {
            let left = deadline.map(|end| end.saturating_duration_since(Instant::now()));
            let readable = streams.pump(self.fd(), self.patience(left, pause));
            if self.has_ended(readable) {
                return true;
            }
            if left.is_some_and(|left| left.is_zero()) {
                return false;
            }
            pause = (pause * 2).min(LONGEST);
        }
    }

    /// What becomes readable at the end, if there is such a thing.
    pub(crate) fn fd(&self) -> Option<BorrowedFd<'_>> {
        match self {
            Self::Pidfd(fd) => Some(fd.as_fd()),
            Self::Asking(_) => None,
        }
    }

    /// How long to wait before asking whether it has ended: as long as there is time `left`, or for a `pause` only.
    pub(crate) fn patience(&self, left: Option<Duration>, pause: Duration) -> Option<Duration> {
        match self {
            Self::Pidfd(_) => left,
            Self::Asking(_) => Some(left.map_or(pause, |left| left.min(pause))),
        }
    }

    /// Whether it has ended; `readable` is what is known of [`Watch::fd`].
    pub(crate) fn has_ended(&self, readable: bool) -> bool {
        match self {
            Self::Pidfd(_) => readable,
            Self::Asking(pid) => ended(*pid, WaitIdOptions::NOHANG).unwrap_or(true),
        }
    }
}

/// Waits without limit for a child that has been killed.
pub(crate) fn block_until_ended(pid: Pid) {
    while ended(pid, WaitIdOptions::empty()) == Err(Errno::INTR) {}
}

/// Whether the child has ended. An error other than `INTR` means that it is no longer there.
fn ended(pid: Pid, how: WaitIdOptions) -> Result<bool, Errno> {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | how;
    waitid(WaitId::Pid(pid), options).map(|status| status.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::{Job, Pipes};
    use crate::spec::Spec;

    #[track_caller]
    fn check(watch: fn(Pid) -> Watch) {
        let job = Job::start(&Spec::new("sleep").arg("1000"), None, Pipes::None).unwrap();
        let watch = watch(job.pid());
        let mut streams = Streams::default();
        let soon = Instant::now() + Duration::from_millis(20);
        assert!(!watch.until_ended(&mut streams, Some(soon)));
        assert!(Instant::now() >= soon, "the deadline came too early");
        job.kill();
        assert!(watch.until_ended(&mut streams, Some(soon + Duration::from_secs(10))));
        job.reap().unwrap();
    }

    #[test]
    fn a_watch_sees_the_deadline_and_the_end() {
        check(Watch::new);
    }

    #[test]
    fn asking_does_the_same_where_there_is_no_pidfd() {
        check(Watch::Asking);
    }
}
