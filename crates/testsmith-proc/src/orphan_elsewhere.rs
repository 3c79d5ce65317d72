//! Daemons on systems without `/proc` and subreapers: nothing can be known about them. The `orphan` of
//! Linux has the same functions.

use std::time::Duration;

use rustix::process::Pid;

/// Cannot be had on this system.
pub(crate) fn adopt() {}

/// Cannot find anything on this system.
pub(crate) fn collect(_job: u64, _group: Pid) {}

/// Cannot be known on this system.
pub(crate) fn peak_memory(_pid: Pid) -> Option<u64> {
    None
}

/// Cannot be known on this system.
pub(crate) fn processor_time(_pid: Pid, _generations: u32) -> Option<Duration> {
    None
}

/// Cannot find anything on this system.
pub(crate) fn sweep_for(_time: Duration) {}

/// Kills what a tool has left behind that was killed itself; on this system it cannot be found.
pub fn end_leftovers(_tool: u32) {}

/// Kills every process that some child has left behind; on this system none can be found.
pub fn sweep() {}
