//! Watches a child from outside: [`run_observed`] is told every system call of it, and of all that it starts, that reaches outside of
//! its process, before it is made, and decides.
//!
//! The child is this executable in the role of the [`sandbox`], which installs a filter with a listener, sends the listener
//! through its standard input, and becomes the program. `calls` says which calls are told, `listener` speaks with the kernel. Linux
//! only.

mod calls;
mod listener;

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::Duration;

pub use calls::Part;
pub(crate) use calls::is_told;
pub(crate) use listener::hand_over;

use crate::ending::Ran;
use crate::error::StartError;
use crate::sandbox::{self, Policy};
use crate::spec::{Capture, Limits, Spec};

/// A system call that reaches outside and has not been made yet.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Call {
    /// The part of the world that it reaches.
    pub part: Part,
    /// Its name.
    pub name: &'static str,
    /// The path that it is about, as a whole, if it is about one that can be read.
    pub path: Option<PathBuf>,
    /// Its first argument, where that says what it is about: a signal, an open file.
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

/// How long the child may take before it is the program: it only restricts itself.
const PATIENCE: Duration = Duration::from_secs(20);

/// Runs a child in the sandbox to its end, as [`run`](crate::run()) does, and asks about every call that reaches outside. Whatever is
/// answered, the sandbox stays as it is. The error of the second kind is that this system cannot do it.
pub fn run_observed(
    policy: &Policy,
    spec: Spec,
    limits: &Limits,
    capture: Capture,
    on_call: &mut (dyn FnMut(&Call) -> Answer + Send),
) -> Result<Result<Ran, io::Error>, StartError> {
    let (ours, theirs) = match UnixStream::pair() {
        Ok(pair) => pair,
        Err(error) => return Ok(Err(error)),
    };
    let policy = Policy { observed: true, ..policy.clone() };
    let spec = sandbox::spec(&policy, spec);
    std::thread::scope(|scope| {
        let asking = scope.spawn(move || {
            let listener = listener::take(&ours, PATIENCE)?;
            drop(ours);
            listener::serve(listener.as_fd(), on_call)
        });
        let ran = crate::run::run_with_input(&spec, limits, capture, OwnedFd::from(theirs));
        let asked = asking.join().unwrap_or_else(|_| Err(io::Error::other("the listener panicked")));
        Ok(match asked {
            Ok(()) => Ok(ran?),
            Err(error) => {
                let ran = ran?;
                let said = String::from_utf8_lossy(&ran.stderr).trim().to_owned();
                Err(if said.is_empty() { error } else { io::Error::new(error.kind(), said) })
            }
        })
    })
}
