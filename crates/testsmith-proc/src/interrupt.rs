//! The user's wish to stop. The first Ctrl-C (or SIGTERM, or SIGHUP) raises a flag and kills every
//! child, so that each `run` under way returns; the second one ends the tool at once.

use std::fmt;
use std::process;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use crate::{orphan, registry};

/// The exit code of a program that Ctrl-C ended: 128 and the number of SIGINT.
const EXIT_CODE: i32 = 130;

/// The time for daemons to come to light after their parents were killed; too short to be noticed.
const LAST_LOOK: Duration = Duration::from_millis(100);

static REQUESTED: AtomicBool = AtomicBool::new(false);
static SIGNALS: AtomicU32 = AtomicU32::new(0);

/// Why Ctrl-C cannot be handled.
#[derive(Debug)]
pub struct InstallError(ctrlc::Error);

impl fmt::Display for InstallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot listen to Ctrl-C: {}", self.0)
    }
}

impl std::error::Error for InstallError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

/// Listens to Ctrl-C, SIGTERM and SIGHUP from now on; to be called once, at the start of the program.
/// A second call is an error and changes nothing.
pub fn install() -> Result<(), InstallError> {
    ctrlc::set_handler(exit_now_on_second).map_err(InstallError)
}

/// Whether the user wants to stop.
pub fn requested() -> bool {
    REQUESTED.load(Ordering::SeqCst)
}

/// Asks for a stop: kills every child, and lets no further one start. Does not wait for anything.
pub fn request() {
    // The flag comes first: a job that is recorded too late to be killed here sees it afterwards.
    REQUESTED.store(true, Ordering::SeqCst);
    registry::kill_all();
}

/// Goes on after a stop, because there is something to bring to an end. The next signal ends the tool all the same.
pub fn resume() {
    REQUESTED.store(false, Ordering::SeqCst);
}

/// What one signal does: the first one asks for a stop, a later one kills every child and ends the tool
/// with exit code 130. Stops that [`request`] asked for do not count.
pub fn exit_now_on_second() {
    let earlier = SIGNALS.fetch_add(1, Ordering::SeqCst);
    request();
    if earlier > 0 {
        orphan::sweep_for(LAST_LOOK);
        process::exit(EXIT_CODE);
    }
}

/// Forgets all requests and signals, for tests that need a fresh start within one process.
#[doc(hidden)]
pub fn reset_for_tests() {
    REQUESTED.store(false, Ordering::SeqCst);
    SIGNALS.store(0, Ordering::SeqCst);
}
