//! Every child process of testsmith: cargo and the test binaries.
//!
//! [`run()`] starts a [`Spec`] under [`Limits`], waits for its [`Ending`] and leaves nothing behind;
//! [`run_lines`] does the same for a cargo that reports line by line; a [`Worker`] lives on and answers
//! in frames, and in a [`Dialogue`] in lines. Children are not trusted: they may loop, abort, eat memory, print without end, read their
//! input or start daemons, and what else they may do a [`sandbox`] decides. This crate does not know what a
//! child is for, and it prints nothing.
//!
//! # What happens to a child
//!
//! 1. It starts as the leader of a process group of its own, with nothing to read, and with
//!    `TESTSMITH_JOB=<pid of the tool>-<number>` in its environment. Its limits follow at once.
//! 2. The calling thread waits for its end, moving its output meanwhile. No thread is started.
//! 3. At its end, or at the time limit, the whole group is killed. Processes that left the group come
//!    back as children of the tool, which is a child subreaper (Linux), and are known by the token.
//! 4. The child itself is reaped last, so that its number names the group until nobody needs it.
//!
//! # What it costs
//!
//! Starting, watching and reaping `/bin/true` takes 0.75 ms, of which a bare `Command::status` takes
//! 0.72 ms; with the tail of its output 0.79 ms; from four threads on two cores 0.55 ms a child (median
//! of 500, Linux 6.18, two shared cores). `tests/cost.rs` measures it again and holds it to a bound.

// A few calls in `sandbox`, `addresses` and `observe` have no safe form.
#![deny(unsafe_code)]

#[cfg(not(unix))]
compile_error!("testsmith needs process groups and signals: build it on Linux or another unix");

mod addresses;
mod capture;
mod dialogue;
mod ending;
mod error;
mod exec;
mod frames;
pub mod interrupt;
mod job;
mod limit;
#[cfg(target_os = "linux")]
mod observe;
#[cfg(not(target_os = "linux"))]
#[path = "observe_elsewhere.rs"]
mod observe;
#[cfg_attr(not(target_os = "linux"), path = "orphan_elsewhere.rs")]
mod orphan;
#[cfg(target_os = "linux")]
mod procfs;
mod registry;
mod run;
pub mod sandbox;
mod signal;
mod spec;
mod streams;
mod wait;
mod worker;

use std::ffi::OsString;
use std::path::PathBuf;

pub use dialogue::{Dialogue, NoLine};
pub use ending::{Ending, Ran};
pub use error::StartError;
pub use exec::become_program;
pub use observe::{Answer, Call, Part, run_observed};
pub use orphan::{end_leftovers, sweep};
pub use run::{run, run_lines};
pub use spec::{Capture, Limits, Spec};
pub use worker::{Gone, Worker};

/// The cargo to start: the one that started the tool (`$CARGO`), else the one on the path.
pub fn cargo() -> PathBuf {
    cargo_or_default(std::env::var_os("CARGO"))
}

fn cargo_or_default(told: Option<OsString>) -> PathBuf {
    let told = told.filter(|path| !path.is_empty());
    told.map_or_else(|| PathBuf::from("cargo"), PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cargo_is_the_one_that_started_the_tool_or_the_one_on_the_path() {
        let told = |path: &str| cargo_or_default(Some(path.into()));
        assert_eq!(told("/opt/cargo"), PathBuf::from("/opt/cargo"));
        assert_eq!(told(""), PathBuf::from("cargo"));
        assert_eq!(cargo_or_default(None), PathBuf::from("cargo"));
    }
}
