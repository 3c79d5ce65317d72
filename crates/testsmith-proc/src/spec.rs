//! What a caller asks for: the program to start ([`Spec`]), how far it may go ([`Limits`]) and what to
//! keep of its output ([`Capture`]). Plain values; `job` turns them into a process.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// What to start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spec {
    /// A name to look up in `PATH`, or a path; a relative path starts at the tool's own directory,
    /// not at `dir`.
    pub program: PathBuf,
    /// The arguments, without the program itself.
    pub args: Vec<OsString>,
    /// The working directory; empty means the tool's own.
    pub dir: PathBuf,
    /// Variables to set, on top of the tool's environment.
    pub env: Vec<(OsString, OsString)>,
    /// Variables to take away from the tool's environment before `env` is set.
    pub env_remove: Vec<OsString>,
    /// Whether everything is at the same address in every process of the program, where the system lets us choose.
    pub fixed_addresses: bool,
    /// A library that the program loads before its own, where the system can.
    pub preload: Option<PathBuf>,
}

impl Spec {
    /// The program without arguments, in the tool's directory and environment.
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
            args: Vec::new(),
            dir: PathBuf::new(),
            env: Vec::new(),
            env_remove: Vec::new(),
            fixed_addresses: false,
            preload: None,
        }
    }

    /// Adds one argument.
    #[must_use]
    pub fn arg(mut self, arg: impl Into<OsString>) -> Self {
        self.args.push(arg.into());
        self
    }

    /// Adds several arguments.
    #[must_use]
    pub fn args<A: Into<OsString>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// Sets the working directory.
    #[must_use]
    pub fn dir(mut self, dir: impl Into<PathBuf>) -> Self {
        self.dir = dir.into();
        self
    }

    /// Sets a variable.
    #[must_use]
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.env.push((name.into(), value.into()));
        self
    }

    /// Says whether everything is at the same address in every process of the program.
    #[must_use]
    pub fn fixed_addresses(mut self, is_wanted: bool) -> Self {
        self.fixed_addresses = is_wanted;
        self
    }

    /// Names a library that the program loads before its own.
    #[must_use]
    pub fn preload(mut self, library: impl Into<PathBuf>) -> Self {
        self.preload = Some(library.into());
        self
    }

    /// Takes a variable away.
    #[must_use]
    pub fn env_remove(mut self, name: impl Into<OsString>) -> Self {
        self.env_remove.push(name.into());
        self
    }
}

/// How far a child may go; `Limits::default()` sets no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// The wall-clock time after which the child and its group are killed.
    pub wall: Option<Duration>,
    /// The bytes of address space (`RLIMIT_AS`) of the child and of each process it starts. Address
    /// space is more than memory in use: every thread reserves some. Linux only.
    pub memory: Option<u64>,
}

impl Limits {
    /// No limit but this much wall-clock time.
    pub fn wall(time: Duration) -> Self {
        Self { wall: Some(time), memory: None }
    }
}

/// What to keep of a child's output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Capture {
    /// Nothing: the output goes to `/dev/null`, without a pipe.
    Nothing,
    /// The end of stdout and the end of stderr.
    Tail {
        /// The most bytes to keep of each of the two.
        bytes: usize,
    },
}
