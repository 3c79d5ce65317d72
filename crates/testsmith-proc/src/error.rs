//! Why there is no result of a child ([`StartError`]), with advice. How a child ended is never an
//! error: that is an `Ending`.

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::spec::Spec;

/// Why a child could not be started.
#[derive(Debug)]
#[non_exhaustive]
pub enum StartError {
    /// There is no such program.
    NotFound {
        /// The program as it was asked for.
        program: PathBuf,
    },
    /// The program is there but may not be executed, or is not a program.
    NotExecutable {
        /// The program as it was asked for.
        program: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// There is no such working directory.
    NoDirectory {
        /// The directory as it was asked for.
        dir: PathBuf,
    },
    /// The system refused for another reason.
    Io {
        /// The program as it was asked for.
        program: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The child ran, but the system gave its result to someone else.
    Lost {
        /// The program as it was asked for.
        program: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The sandbox could not be entered, or asked what it protects.
    NotSandboxed {
        /// What went wrong.
        reason: String,
    },
}

impl StartError {
    /// Finds out what went wrong: a missing directory and a missing program look alike to the system.
    pub(crate) fn of(spec: &Spec, source: io::Error) -> Self {
        let program = spec.program.clone();
        if !spec.dir.as_os_str().is_empty() && !spec.dir.is_dir() {
            let dir = spec.dir.clone();
            return Self::NoDirectory { dir };
        }
        let no_program = source.raw_os_error() == Some(rustix::io::Errno::NOEXEC.raw_os_error());
        match source.kind() {
            io::ErrorKind::NotFound => Self::NotFound { program },
            io::ErrorKind::PermissionDenied => Self::NotExecutable { program, source },
            _ if no_program => Self::NotExecutable { program, source },
            _ => Self::Io { program, source },
        }
    }
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound { program } if program.components().count() > 1 => write!(
                f,
                "cannot start `{}`: there is no such file, or the interpreter in its first line is \
                 missing; check the path, or build it again",
                program.display()
            ),
            Self::NotFound { program } => write!(
                f,
                "cannot start `{}`: no program of this name is on the PATH; install it, or add its \
                 folder to PATH",
                program.display()
            ),
            Self::NotExecutable { program, source } => write!(
                f,
                "cannot start `{}`: {source}; check that it is a program for this machine, that it \
                 has the executable bit, and that its file system is not mounted `noexec`",
                program.display()
            ),
            Self::NoDirectory { dir } => write!(
                f,
                "cannot start a program in `{}`: there is no such directory; check whether it was \
                 removed while testsmith was running",
                dir.display()
            ),
            Self::Io { program, source } => write!(
                f,
                "cannot start `{}`: {source}; if the machine is out of processes, files or memory, \
                 try fewer jobs",
                program.display()
            ),
            Self::Lost { program, source } => write!(
                f,
                "`{}` ran, but its result cannot be read: {source}; the program that started \
                 testsmith may ignore SIGCHLD, so start testsmith from a plain shell",
                program.display()
            ),
            Self::NotSandboxed { reason } => write!(
                f,
                "cannot enter the sandbox: {reason}; if testsmith was updated while it was running, start it again"
            ),
        }
    }
}

impl std::error::Error for StartError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::NotFound { .. } | Self::NoDirectory { .. } | Self::NotSandboxed { .. } => None,
            Self::NotExecutable { source, .. } | Self::Io { source, .. } | Self::Lost { source, .. } => {
                Some(source)
            }
        }
    }
}
