//! Files that this process has open, and the program must not have: whoever started the tool may have
//! left some open for all descendants.

use std::fs;
use std::io;
use std::os::fd::{BorrowedFd, RawFd};

use rustix::io::{FdFlags, fcntl_setfd};

use super::State;

/// The standard streams stay.
const FIRST: RawFd = 3;

/// Lets every file but the standard streams be closed when this process becomes the program.
pub(super) fn close_on_exec() -> State {
    State::of(mark_all(), "close-on-exec")
}

/// Lists the open files of this process; a small container may lack the second on Linux.
const LIST: &str = if cfg!(target_os = "linux") { "/proc/self/fd" } else { "/dev/fd" };

fn mark_all() -> io::Result<()> {
    for entry in fs::read_dir(LIST)? {
        let name = entry?.file_name();
        let number = name.to_str().and_then(|name| name.parse().ok());
        if let Some(fd) = number.filter(|fd| *fd >= FIRST) {
            mark(fd)?;
        }
    }
    Ok(())
}

fn mark(fd: RawFd) -> io::Result<()> {
    // SAFETY: the number was just listed as open, by a directory that is itself still open, and there is
    // no other thread that could close it. It is only borrowed for this one call, which touches a flag.
    #[expect(unsafe_code, reason = "there is no other way to name a file that nobody here owns")]
    let fd = unsafe { BorrowedFd::borrow_raw(fd) };
    Ok(fcntl_setfd(fd, FdFlags::CLOEXEC)?)
}
