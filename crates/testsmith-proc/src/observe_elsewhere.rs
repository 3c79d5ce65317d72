//! Where the kernel does not ask about system calls: nothing can be watched from outside.

use std::io;
use std::path::PathBuf;

use crate::ending::Ran;
use crate::error::StartError;
use crate::sandbox::Policy;
use crate::spec::{Capture, Limits, Spec};

/// A part of the world outside of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {}

impl Part {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {}
    }
}

/// A system call that reaches outside and has not been made yet.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Call {
    /// The part of the world that it reaches.
    pub part: Part,
    /// Its name.
    pub name: &'static str,
    /// The path that it is about.
    pub path: Option<PathBuf>,
    /// Its first argument.
    pub detail: u64,
}

/// What becomes of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It is made.
    Go,
    /// It fails.
    Refuse,
}

/// Cannot be done.
pub fn run_observed(
    _policy: &Policy,
    _spec: Spec,
    _limits: &Limits,
    _capture: Capture,
    _on_call: &mut (dyn FnMut(&Call) -> Answer + Send),
) -> Result<Result<Ran, io::Error>, StartError> {
    Ok(Err(unsupported()))
}

/// Cannot be done.
pub(crate) fn hand_over() -> io::Result<()> {
    Err(unsupported())
}

fn unsupported() -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, "only Linux asks about system calls")
}
