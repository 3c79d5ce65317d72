//! Which jobs are under way. A [`Ticket`] stands for one job from before its process starts until after
//! it is reaped; the tickets tell a job's own processes from strays, and let an interruption kill them
//! all.
//!
//! Invariant: a process number in the registry is never reaped, hence never reused, while the registry
//! is locked.

use std::collections::BTreeMap;
use std::process::ExitStatus;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::{env, io, process};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

/// The variable that every child carries, and hands down to what it starts.
pub(crate) const TOKEN_VARIABLE: &str = "TESTSMITH_JOB";

/// The job numbers under way, with their process once it has been started.
static JOBS: Mutex<BTreeMap<u64, Option<Pid>>> = Mutex::new(BTreeMap::new());

/// Held for reading while a process is started and not yet recorded.
static SPAWNING: RwLock<()> = RwLock::new(());

static NEXT: AtomicU64 = AtomicU64::new(1);

/// What all tokens of this tool begin with. When testsmith runs inside a job of another testsmith, the
/// outer token comes first, so that the outer one knows our children as its own.
static PREFIX: LazyLock<String> = LazyLock::new(|| match env::var(TOKEN_VARIABLE) {
    Ok(outer) => format!("{outer}/{}-", process::id()),
    Err(_) => format!("{}-", process::id()),
});

/// One job under way.
pub(crate) struct Ticket {
    number: u64,
}

impl Ticket {
    /// Announces a job. This comes before the start, so that a child is never seen with the token of
    /// a job that nobody knows.
    pub(crate) fn issue() -> Self {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        jobs().insert(number, None);
        Self { number }
    }

    /// The value of [`TOKEN_VARIABLE`] for this job.
    pub(crate) fn token(&self) -> String {
        format!("{}{}", *PREFIX, self.number)
    }

    /// The job's number, as [`number_of`] finds it in a token.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// Records the job's process.
    pub(crate) fn record(&self, pid: Pid) {
        jobs().insert(self.number, Some(pid));
    }

    /// Reaps a process that has ended and forgets it in one step. `reap` must not block.
    pub(crate) fn retire(&self, reap: impl FnOnce() -> io::Result<ExitStatus>) -> io::Result<ExitStatus> {
        let mut jobs = jobs();
        let status = reap();
        jobs.insert(self.number, None);
        status
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        jobs().remove(&self.number);
    }
}

/// The number in a token of this tool; `None` for the tokens of others.
#[cfg(target_os = "linux")]
pub(crate) fn number_of(token: &str) -> Option<u64> {
    let ours = token.strip_prefix(PREFIX.as_str())?;
    // Whatever follows a slash was added by a testsmith inside the job.
    ours.split('/').next()?.parse().ok()
}

/// Whether the job of this number is still under way.
#[cfg(target_os = "linux")]
pub(crate) fn is_under_way(number: u64) -> bool {
    jobs().contains_key(&number)
}

/// The processes of all jobs under way, and what `look` sees while none of them is reaped.
#[cfg(target_os = "linux")]
pub(crate) fn pids_and<T>(look: impl FnOnce() -> T) -> (Vec<Pid>, T) {
    let jobs = jobs();
    let seen = look();
    (jobs.values().copied().flatten().collect(), seen)
}

/// Whether this process belongs to a job under way.
#[cfg(target_os = "linux")]
pub(crate) fn has(pid: Pid) -> bool {
    jobs().values().flatten().any(|known| *known == pid)
}

/// To be held from before a process is started until it is recorded.
pub(crate) fn spawning() -> RwLockReadGuard<'static, ()> {
    SPAWNING.read().unwrap_or_else(PoisonError::into_inner)
}

/// While this is held, every process that this crate has started is on record.
#[cfg(target_os = "linux")]
pub(crate) fn all_recorded() -> RwLockWriteGuard<'static, ()> {
    SPAWNING.write().unwrap_or_else(PoisonError::into_inner)
}

/// Kills the processes of all jobs under way, with their groups.
pub(crate) fn kill_all() {
    for pid in jobs().values().flatten() {
        kill(*pid);
    }
}

/// Kills a child that leads a group, with its group.
pub(crate) fn kill(pid: Pid) {
    // Both may fail, which means that there is nobody left to kill. The second is for a child that has
    // moved to another group.
    let _ = kill_process_group(pid, Signal::KILL);
    let _ = kill_process(pid, Signal::KILL);
}

fn jobs() -> MutexGuard<'static, BTreeMap<u64, Option<Pid>>> {
    // The map is whole after every single operation, so a panic elsewhere cannot have broken it.
    JOBS.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_token_leads_back_to_its_job_even_from_inside_a_nested_tool() {
        let ticket = Ticket::issue();
        let token = ticket.token();
        assert_eq!(number_of(&token), Some(ticket.number()));
        assert_eq!(number_of(&format!("{token}/77-1")), Some(ticket.number()));
    }

    #[test]
    fn the_tokens_of_others_name_no_job() {
        let ours = Ticket::issue().token();
        for foreign in ["", "1", "0-1", &format!("9{ours}"), &format!("{ours}x")] {
            assert_eq!(number_of(foreign), None, "{foreign}");
        }
    }

    #[test]
    fn a_job_is_under_way_until_its_ticket_is_dropped() {
        let ticket = Ticket::issue();
        let number = ticket.number();
        assert!(is_under_way(number));
        drop(ticket);
        assert!(!is_under_way(number));
    }
}
