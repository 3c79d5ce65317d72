//! The few calls of the system that std does not have.

use std::fs::File;

#[cfg(unix)]
mod unix {
    //! Without a dependency: the constants are the same everywhere, or written down for each system.
    use std::fs::{File, OpenOptions};
    use std::io::{self, Read};
    use std::os::fd::{AsRawFd, FromRawFd};
    use std::time::{Duration, Instant};

    #[cfg(any(target_os = "linux", target_os = "android"))]
    const DUPLICATE_ABOVE: i32 = 1030;
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    const DUPLICATE_ABOVE: i32 = if cfg!(target_vendor = "apple") { 67 } else { 17 };
    const SET_FLAGS: i32 = 2;
    const CLOSE_ON_EXEC: i32 = 1;
    const READABLE: i16 = 1;
    const KILL: i32 = 9;

    #[repr(C)]
    struct PollFd {
        fd: i32,
        events: i16,
        revents: i16,
    }

    #[cfg(any(target_os = "linux", target_os = "android"))]
    type Count = std::os::raw::c_ulong;
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    type Count = std::os::raw::c_uint;

    extern "C" {
        fn fcntl(fd: i32, command: i32, ...) -> i32;
        fn dup2(from: i32, to: i32) -> i32;
        fn pipe(ends: *mut i32) -> i32;
        fn fork() -> i32;
        fn waitpid(child: i32, status: *mut i32, options: i32) -> i32;
        fn kill(process: i32, signal: i32) -> i32;
        fn poll(fds: *mut PollFd, count: Count, milliseconds: i32) -> i32;
        fn _exit(code: i32) -> !;
    }

    /// Moves the ends of the protocol away from the standard streams, which lead nowhere afterwards.
    pub(crate) fn take_streams() -> io::Result<(File, File)> {
        let away = |fd: i32| {
            // SAFETY: makes a new descriptor, which is nobody else's.
            match unsafe { fcntl(fd, DUPLICATE_ABOVE, 100i32) } {
                -1 => Err(io::Error::last_os_error()),
                fd => Ok(unsafe { File::from_raw_fd(fd) }),
            }
        };
        let ends = (away(0)?, away(1)?);
        let nowhere = OpenOptions::new().read(true).write(true).open("/dev/null")?;
        for fd in 0..3 {
            // SAFETY: nothing in this process relies on the standard streams yet.
            if unsafe { dup2(nowhere.as_raw_fd(), fd) } == -1 {
                return Err(io::Error::last_os_error());
            }
        }
        Ok(ends)
    }

    /// Ends the process at once: no handlers, no destructors.
    pub(crate) fn exit(code: i32) -> ! {
        // SAFETY: always possible.
        unsafe { _exit(code) }
    }

    /// A child, or this process as one.
    pub(crate) enum Forked {
        Child(File),
        Parent(Child),
    }

    /// Forks; the child has the writing end of a pipe to its parent.
    pub(crate) fn fork_with_pipe() -> io::Result<Forked> {
        let mut ends = [0; 2];
        // SAFETY: room for two descriptors, which then belong to the files alone.
        let (from, to) = unsafe {
            if pipe(ends.as_mut_ptr()) == -1 {
                return Err(io::Error::last_os_error());
            }
            (File::from_raw_fd(ends[0]), File::from_raw_fd(ends[1]))
        };
        for end in [&from, &to] {
            // SAFETY: a descriptor of our own.
            unsafe { fcntl(end.as_raw_fd(), SET_FLAGS, CLOSE_ON_EXEC) };
        }
        // SAFETY: the child goes on with this thread alone; the other one of a worker only waits for it.
        match unsafe { fork() } {
            -1 => Err(io::Error::last_os_error()),
            0 => {
                die_with_parent();
                Ok(Forked::Child(to))
            }
            process => Ok(Forked::Parent(Child { process, from })),
        }
    }

    /// A worker that is killed takes its child along.
    fn die_with_parent() {
        #[cfg(any(target_os = "linux", target_os = "android"))]
        {
            const SET_PARENT_DEATH_SIGNAL: i32 = 1;
            extern "C" {
                fn prctl(option: i32, ...) -> i32;
            }
            // SAFETY: concerns this process alone.
            unsafe { prctl(SET_PARENT_DEATH_SIGNAL, KILL as std::os::raw::c_ulong) };
        }
    }

    /// A running child.
    pub(crate) struct Child {
        process: i32,
        from: File,
    }

    /// How a child ended.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum Death {
        Exit(i32),
        Signal(i32),
        /// It took too long, and was killed.
        Hang,
    }

    impl Child {
        /// All that the child has written, and how it ended; so many milliseconds are enough, unless there are none.
        pub(crate) fn wait(mut self, milliseconds: u32) -> (Vec<u8>, Death) {
            let end = Instant::now() + Duration::from_millis(milliseconds.into());
            let mut bytes = Vec::new();
            let mut buffer = [0; 4096];
            let mut hangs = false;
            loop {
                let wait = match milliseconds {
                    0 => -1,
                    // One more: what is left is rounded down.
                    _ => end.saturating_duration_since(Instant::now()).as_millis().min(1 << 30) as i32 + 1,
                };
                let mut poll_fd = PollFd { fd: self.from.as_raw_fd(), events: READABLE, revents: 0 };
                // SAFETY: one descriptor of our own.
                match unsafe { poll(&mut poll_fd, 1, wait) } {
                    0 => {
                        hangs = true;
                        break;
                    }
                    -1 if io::Error::last_os_error().kind() == io::ErrorKind::Interrupted => continue,
                    _ => {}
                }
                match self.from.read(&mut buffer) {
                    Ok(0) => break,
                    Ok(n) => bytes.extend_from_slice(&buffer[..n]),
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(_) => break,
                }
            }
            if hangs {
                // SAFETY: our own child, not yet waited for.
                unsafe { kill(self.process, KILL) };
            }
            let death = self.reap();
            (bytes, if hangs { Death::Hang } else { death })
        }

        fn reap(&self) -> Death {
            let mut status = 0;
            loop {
                // SAFETY: our own child, and room for its status.
                match unsafe { waitpid(self.process, &mut status, 0) } {
                    -1 if io::Error::last_os_error().kind() == io::ErrorKind::Interrupted => {}
                    -1 => return Death::Exit(-1),
                    _ => break,
                }
            }
            match status & 0x7f {
                0 => Death::Exit(status >> 8 & 0xff),
                signal => Death::Signal(signal),
            }
        }
    }
}

#[cfg(not(unix))]
mod other {
    //! Without `fork` every program runs in the worker, and the streams stay where they are.
    use std::fs::File;
    use std::io;

    pub(crate) fn take_streams() -> io::Result<(File, File)> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(crate) fn exit(code: i32) -> ! {
        std::process::exit(code)
    }

    #[allow(dead_code)] // As on Unix.
    pub(crate) enum Forked {
        Child(File),
        Parent(Child),
    }

    pub(crate) fn fork_with_pipe() -> io::Result<Forked> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(crate) struct Child;

    #[allow(dead_code)] // As on Unix.
    pub(crate) enum Death {
        Exit(i32),
        Signal(i32),
        Hang,
    }

    impl Child {
        pub(crate) fn wait(self, _milliseconds: u32) -> (Vec<u8>, Death) {
            (Vec::new(), Death::Exit(-1))
        }
    }
}

#[cfg(not(unix))]
use other as system;
#[cfg(unix)]
use unix as system;

pub(super) use system::{exit, fork_with_pipe, Death, Forked};

/// The ends of the protocol: from the tool and to it.
pub(super) fn take_streams() -> std::io::Result<(File, File)> {
    system::take_streams()
}

/// Threads of this process, where the system tells.
pub(super) fn threads() -> u32 {
    std::fs::read_dir("/proc/self/task").map_or(0, |tasks| tasks.count() as u32)
}
