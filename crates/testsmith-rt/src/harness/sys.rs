//! The few calls of the system that std does not have.

use std::fs::File;

#[cfg(unix)]
mod unix {
    //! Without a dependency: the constants are the same everywhere, or written down for each system.
    use std::fs::{File, OpenOptions};
    use std::io::{self, Read, Write};
    use std::os::fd::{AsRawFd, FromRawFd};
    use std::sync::atomic::{AtomicI32, Ordering::Relaxed};
    use std::time::{Duration, Instant};

    #[cfg(any(target_os = "linux", target_os = "android"))]
    const DUPLICATE_ABOVE: i32 = 1030;
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    const DUPLICATE_ABOVE: i32 = if cfg!(target_vendor = "apple") { 67 } else { 17 };
    const SET_FLAGS: i32 = 2;
    const CLOSE_ON_EXEC: i32 = 1;
    const READABLE: i16 = 1;
    const KILL: i32 = 9;
    const DO_NOT_WAIT: i32 = 1;

    /// The process that programs are run in.
    static OWN: AtomicI32 = AtomicI32::new(0);

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
        fn getpid() -> i32;
        fn waitpid(child: i32, status: *mut i32, options: i32) -> i32;
        fn kill(process: i32, signal: i32) -> i32;
        fn signal(number: i32, handler: usize) -> usize;
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

    /// From now on this process is the one that programs are run in. What their children leave behind becomes its own.
    pub(crate) fn settle() {
        // SAFETY: always possible.
        OWN.store(unsafe { getpid() }, Relaxed);
        control(ADOPT_ORPHANS, 1);
    }

    /// Ends a process that a program has forked from its own, and that came back from the program.
    pub(crate) fn end_if_forked() {
        // SAFETY: always possible.
        if OWN.load(Relaxed) != unsafe { getpid() } {
            exit(0);
        }
    }

    /// Ends all children that programs have left.
    pub(crate) fn end_children() {
        // Each round ends one of them at least; a program that makes them faster than that has to be stopped otherwise.
        for _ in 0..MOST_ROUNDS {
            let mut status = 0;
            // SAFETY: room for a status.
            match unsafe { waitpid(-1, &mut status, DO_NOT_WAIT) } {
                // There are none.
                -1 => return,
                0 => {
                    let children = children();
                    if children.is_empty() {
                        return;
                    }
                    for child in children {
                        // SAFETY: a child of our own, not yet waited for.
                        unsafe {
                            kill(child, KILL);
                            waitpid(child, &mut status, 0);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    const MOST_ROUNDS: usize = 4096;

    /// Children of this process, where the system tells.
    fn children() -> Vec<i32> {
        let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
        let lists = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
        lists
            .flat_map(|list| {
                list.split_whitespace().filter_map(|child| child.parse().ok()).collect::<Vec<_>>()
            })
            .collect()
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
                settle();
                // A worker that is killed takes its child along.
                control(PARENT_DEATH_SIGNAL, KILL);
                Ok(Forked::Child(to))
            }
            process => Ok(Forked::Parent(Child { process, from })),
        }
    }

    /// Goes on in a child, which is `None`; its parent waits, and is told how it ended.
    pub(crate) fn fork_and_wait() -> io::Result<Option<Death>> {
        // SAFETY: as above.
        match unsafe { fork() } {
            -1 => Err(io::Error::last_os_error()),
            0 => {
                settle();
                control(PARENT_DEATH_SIGNAL, KILL);
                Ok(None)
            }
            process => Ok(reap(process, 0)),
        }
    }

    /// Ends this process in the way in which a child has ended.
    pub(crate) fn end_like(death: Death) -> ! {
        match death {
            Death::Exit(code) => exit(code),
            Death::Signal(number) => {
                // SAFETY: as nobody else is to handle the signal, it ends this process.
                unsafe {
                    signal(number, DEFAULT);
                    kill(getpid(), number);
                }
                exit(UNKNOWN)
            }
            Death::Hang => exit(UNKNOWN),
        }
    }

    const DEFAULT: usize = 0;
    /// What ends nobody is not what ended a child.
    const UNKNOWN: i32 = 70;

    /// Waits until there is something to read; false at the end.
    pub(crate) fn has_more(from: &File) -> bool {
        loop {
            let mut poll_fd = PollFd { fd: from.as_raw_fd(), events: READABLE, revents: 0 };
            // SAFETY: one descriptor of our own.
            match unsafe { poll(&mut poll_fd, 1, -1) } {
                -1 if io::Error::last_os_error().kind() == io::ErrorKind::Interrupted => {}
                -1 => return false,
                _ => return poll_fd.revents & READABLE != 0,
            }
        }
    }

    const PARENT_DEATH_SIGNAL: i32 = 1;
    const ADOPT_ORPHANS: i32 = 36;

    /// Changes how the system treats this process, where there is a way.
    fn control(option: i32, value: i32) {
        #[cfg(any(target_os = "linux", target_os = "android"))]
        {
            extern "C" {
                fn prctl(option: i32, ...) -> i32;
            }
            // SAFETY: concerns this process alone.
            unsafe { prctl(option, value as std::os::raw::c_ulong) };
        }
        #[cfg(not(any(target_os = "linux", target_os = "android")))]
        let _ = (option, value);
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
        /// So many frames that the child writes, or all that it has written when it ends, and how it ended. So many
        /// milliseconds are enough for each part of it, unless there are none.
        pub(crate) fn wait(mut self, frames: usize, milliseconds: u32) -> (Vec<u8>, Death) {
            let patience = Duration::from_millis(milliseconds.into());
            let mut pace = None;
            let mut bytes = Vec::with_capacity(ROOM);
            let mut buffer = [0; 4096];
            let mut hangs = false;
            // A child of the child may hold the pipe open.
            while super::super::wire::frames(&bytes).count() < frames {
                let wait = match milliseconds {
                    0 => -1,
                    _ => (milliseconds / LOOKS).clamp(1, 1 << 30) as i32,
                };
                let mut poll_fd = PollFd { fd: self.from.as_raw_fd(), events: READABLE, revents: 0 };
                // SAFETY: one descriptor of our own.
                match unsafe { poll(&mut poll_fd, 1, wait) } {
                    // Most are quick: how much time it takes is asked for when there was nothing to read for a while.
                    0 if pace.get_or_insert_with(|| Pace::new(self.process)).is_over(patience) => {
                        hangs = true;
                        break;
                    }
                    0 => continue,
                    -1 if io::Error::last_os_error().kind() == io::ErrorKind::Interrupted => continue,
                    _ => {}
                }
                match self.from.read(&mut buffer) {
                    Ok(0) => break,
                    Ok(n) => bytes.extend_from_slice(&buffer[..n]),
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(_) => break,
                }
                pace = None;
            }
            if hangs {
                if let Some(death) = reap(self.process, DO_NOT_WAIT) {
                    return (bytes, death);
                }
                // SAFETY: our own child, not yet waited for.
                unsafe { kill(self.process, KILL) };
            }
            let death = reap(self.process, 0).unwrap_or(Death::Hang);
            (bytes, if hangs { Death::Hang } else { death })
        }
    }

    /// Room for what a child writes. How it comes in is a matter of time, and must not show in the heap that the next child
    /// starts with: a piece as large as this is the system's own business, and leaves nothing behind.
    const ROOM: usize = 33 << 20;

    /// How often a child is looked at that does not answer, in the time that it has.
    const LOOKS: u32 = 8;
    /// One that uses the processor has so many times as long: others may leave it little.
    const STARVING: u32 = 8;

    /// How long a child has been at the same part of its work.
    struct Pace {
        process: i32,
        since: Instant,
        idle_since: Instant,
        /// Processor time at first, and when it was last seen to use some.
        used: [Option<Duration>; 2],
    }

    impl Pace {
        fn new(process: i32) -> Pace {
            let now = Instant::now();
            Pace { process, since: now, idle_since: now, used: [processor_time(process); 2] }
        }

        /// Whether that is too long: what it has used of the processor counts, since others may keep that busy.
        fn is_over(&mut self, patience: Duration) -> bool {
            let now = processor_time(self.process);
            if now > self.used[1] {
                self.used[1] = now;
                self.idle_since = Instant::now();
            }
            let used = now.zip(self.used[0]).map_or(Duration::ZERO, |(now, first)| now.saturating_sub(first));
            // The first look came late by one part of it.
            let patience = patience - patience / LOOKS;
            used >= patience
                || self.idle_since.elapsed() >= patience
                || self.since.elapsed() >= patience * STARVING
        }
    }

    /// Processor time of a process, where the system tells: in hundredths of a second, of its own and of the system for it.
    fn processor_time(process: i32) -> Option<Duration> {
        // Nothing is allocated, for the same reason as above.
        let (mut path, mut stat) = ([0; 32], [0; 512]);
        let mut rest = &mut path[..];
        write!(rest, "/proc/{process}/stat").ok()?;
        let left = rest.len();
        let path = std::str::from_utf8(&path[..path.len() - left]).ok()?;
        let length = File::open(path).ok()?.read(&mut stat).ok()?;
        let (_, fields) = std::str::from_utf8(&stat[..length]).ok()?.rsplit_once(')')?;
        let ticks = fields.split_ascii_whitespace().skip(11).take(2);
        Some(
            ticks
                .filter_map(|ticks| ticks.parse().ok())
                .map(|ticks: u64| Duration::from_millis(10 * ticks))
                .sum(),
        )
    }

    /// How a child of ours ended; `None` if it did not, and is not to be waited for.
    fn reap(process: i32, options: i32) -> Option<Death> {
        let mut status = 0;
        loop {
            // SAFETY: our own child, and room for its status.
            match unsafe { waitpid(process, &mut status, options) } {
                -1 if io::Error::last_os_error().kind() == io::ErrorKind::Interrupted => {}
                -1 => return Some(Death::Exit(-1)),
                0 => return None,
                _ => break,
            }
        }
        Some(match status & 0x7f {
            0 => Death::Exit(status >> 8 & 0xff),
            signal => Death::Signal(signal),
        })
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

    pub(crate) fn settle() {}

    pub(crate) fn end_if_forked() {}

    pub(crate) fn end_children() {}

    #[allow(dead_code)] // As on Unix.
    pub(crate) enum Forked {
        Child(File),
        Parent(Child),
    }

    pub(crate) fn fork_with_pipe() -> io::Result<Forked> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(crate) fn fork_and_wait() -> io::Result<Option<Death>> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(crate) fn end_like(_death: Death) -> ! {
        exit(1)
    }

    pub(crate) fn has_more(_from: &File) -> bool {
        true
    }

    pub(crate) struct Child;

    #[allow(dead_code)] // As on Unix.
    pub(crate) enum Death {
        Exit(i32),
        Signal(i32),
        Hang,
    }

    impl Child {
        pub(crate) fn wait(self, _frames: usize, _milliseconds: u32) -> (Vec<u8>, Death) {
            (Vec::new(), Death::Exit(-1))
        }
    }
}

#[cfg(not(unix))]
use other as system;
#[cfg(unix)]
use unix as system;

pub(super) use system::{
    end_children, end_if_forked, end_like, exit, fork_and_wait, fork_with_pipe, has_more, settle, Death,
    Forked,
};

/// The ends of the protocol: from the tool and to it.
pub(super) fn take_streams() -> std::io::Result<(File, File)> {
    system::take_streams()
}

/// Threads of this process, where the system tells.
pub(super) fn threads() -> u32 {
    std::fs::read_dir("/proc/self/task").map_or(0, |tasks| tasks.count() as u32)
}
