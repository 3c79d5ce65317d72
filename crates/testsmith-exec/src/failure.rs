//! Why there are no answers at all ([`Failure`]). What a program does to its worker is never a failure: that is an
//! `Outcome`.

use std::fmt;
use std::io;
use std::path::PathBuf;

use testsmith_proc::StartError;

/// Why runs have no answers.
#[derive(Debug)]
#[non_exhaustive]
pub enum Failure {
    /// The worker cannot be started.
    Start(StartError),
    /// The worker did not introduce itself.
    NoHello {
        /// What it did instead.
        reason: String,
        /// The end of what it printed.
        said: String,
    },
    /// The worker does not take the batch: a bug.
    Refused(String),
    /// The folder of the executor cannot be written.
    Scratch {
        /// The folder, or the file in it.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The user interrupted the tool.
    Interrupted,
}

impl Failure {
    pub(crate) fn scratch(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Scratch { path, source }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(error) => error.fmt(f),
            Self::NoHello { reason, said } if said.is_empty() => {
                write!(f, "the harness does not introduce itself: {reason}; build it again")
            }
            Self::NoHello { reason, said } => {
                write!(
                    f,
                    "the harness does not introduce itself: {reason}; its last words were: {}",
                    said.trim()
                )
            }
            Self::Refused(reason) => write!(f, "the harness does not take a batch: {reason}"),
            Self::Scratch { path, source } => {
                write!(f, "cannot write `{}`: {source}; check space and permissions", path.display())
            }
            Self::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for Failure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Start(error) => Some(error),
            Self::Scratch { source, .. } => Some(source),
            Self::NoHello { .. } | Self::Refused(_) | Self::Interrupted => None,
        }
    }
}

impl From<StartError> for Failure {
    fn from(error: StartError) -> Self {
        Self::Start(error)
    }
}
