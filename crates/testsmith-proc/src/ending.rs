//! How a child ended ([`Ending`]) and everything that is known of it afterwards ([`Ran`]).

use std::fmt;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

use crate::signal;

/// How a child ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ending {
    /// It exited by itself with this code.
    Exited(i32),
    /// This signal ended it, and the tool did not send it.
    Signalled(i32),
    /// The tool killed it at the time limit.
    TimedOut,
    /// The user interrupted the tool before the child's result was known, or before it was started.
    Interrupted,
}

impl Ending {
    /// Whether the child exited by itself with code 0.
    pub fn success(&self) -> bool {
        *self == Self::Exited(0)
    }

    /// The ending of a child that the tool did not kill.
    pub(crate) fn of(status: ExitStatus) -> Self {
        match (status.code(), status.signal()) {
            (Some(code), _) => Self::Exited(code),
            (None, Some(signal)) => Self::Signalled(signal),
            // Neither happens only for a stopped process, which `wait` does not report.
            (None, None) => Self::Exited(-1),
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Exited(code) => write!(f, "exit code {code}"),
            Self::Signalled(number) => match signal::name(number) {
                Some(name) => write!(f, "signal {number} ({name})"),
                None => write!(f, "signal {number}"),
            },
            Self::TimedOut => f.write_str("time limit"),
            Self::Interrupted => f.write_str("interrupted"),
        }
    }
}

/// A child that has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ran {
    /// How it ended.
    pub ending: Ending,
    /// What was kept of its standard output.
    pub stdout: Vec<u8>,
    /// What was kept of its standard error.
    pub stderr: Vec<u8>,
    /// The time from its start to its end.
    pub duration: Duration,
    /// Whether some output was not kept: too much of it, or a pipe that a daemon would not close.
    pub truncated: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_read_as_a_person_would_say_them() {
        let said = [
            (Ending::Exited(101), "exit code 101"),
            (Ending::Signalled(11), "signal 11 (SIGSEGV)"),
            (Ending::Signalled(6), "signal 6 (SIGABRT)"),
            (Ending::Signalled(60), "signal 60"),
            (Ending::TimedOut, "time limit"),
            (Ending::Interrupted, "interrupted"),
        ];
        for (ending, text) in said {
            assert_eq!(ending.to_string(), text);
        }
    }

    #[test]
    fn only_exit_code_zero_is_success() {
        assert!(Ending::Exited(0).success());
        for ending in [Ending::Exited(1), Ending::Signalled(9), Ending::TimedOut, Ending::Interrupted] {
            assert!(!ending.success(), "{ending}");
        }
    }
}
