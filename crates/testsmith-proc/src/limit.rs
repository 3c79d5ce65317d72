//! The limits that the kernel enforces on a child, set from outside right after its start. Setting them
//! inside the child would need `pre_exec`, which is unsafe code and gives up the fast `posix_spawn`.

#[cfg(target_os = "linux")]
use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit};

/// Limits the address space and forbids core dumps.
///
/// The child runs already, so for some microseconds it is free. The call may fail for a child that has
/// ended or changed its user; such a child stays under the time limit alone.
#[cfg(target_os = "linux")]
pub(crate) fn apply(pid: Pid, memory: Option<u64>) {
    // Aborting mutants are many, and nobody looks at their core files.
    let _ = prlimit(Some(pid), Resource::Core, both(0));
    if let Some(bytes) = memory {
        // A limit above the tool's own hard limit would be refused as a whole.
        let most = getrlimit(Resource::As).maximum.unwrap_or(u64::MAX);
        let _ = prlimit(Some(pid), Resource::As, both(bytes.min(most)));
    }
}

#[cfg(target_os = "linux")]
fn both(value: u64) -> Rlimit {
    Rlimit { current: Some(value), maximum: Some(value) }
}

/// Elsewhere there is no `prlimit`, and the time limit stands alone.
#[cfg(not(target_os = "linux"))]
pub(crate) fn apply(_pid: rustix::process::Pid, _memory: Option<u64>) {}
