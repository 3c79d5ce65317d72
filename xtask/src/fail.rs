//! The one error of xtask: a sentence for the person at the terminal.
//!
//! Nothing here is recovered from by kind, so a text with its context is enough.

use std::fmt;

/// Why a task could not be done, innermost cause last.
#[derive(Debug)]
pub(crate) struct Fail(String);

pub(crate) type Result<T> = std::result::Result<T, Fail>;

impl Fail {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

impl fmt::Display for Fail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Says what was being done when something failed.
pub(crate) trait Context<T> {
    /// `what` completes the sentence "could not …".
    fn context(self, what: impl fmt::Display) -> Result<T>;
}

impl<T, E: fmt::Display> Context<T> for std::result::Result<T, E> {
    fn context(self, what: impl fmt::Display) -> Result<T> {
        self.map_err(|cause| Fail(format!("could not {what}: {cause}")))
    }
}

impl<T> Context<T> for Option<T> {
    fn context(self, what: impl fmt::Display) -> Result<T> {
        self.ok_or_else(|| Fail(format!("could not {what}")))
    }
}
