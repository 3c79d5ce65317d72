//! Processor time of this thread: a machine that is busy with something else does not change it.

use std::time::{Duration, Instant};

/// A moment to measure from.
pub(super) struct Moment {
    wall: Instant,
    processor: Option<Duration>,
}

impl Moment {
    pub(super) fn now() -> Self {
        Self { wall: Instant::now(), processor: spent() }
    }

    /// Processor time since then; time on the clock where the system does not tell.
    pub(super) fn elapsed(&self) -> Duration {
        match (self.processor, spent()) {
            (Some(before), Some(now)) => now.saturating_sub(before),
            _ => self.wall.elapsed(),
        }
    }
}

/// What Linux has counted for this thread, in nanoseconds.
fn spent() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// The highest resident memory of this process since [`forget_peak`], in MB.
pub(super) fn peak() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: f64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kib / 1024.0)
}

/// Measures the peak from here on, where the system can.
pub(super) fn forget_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}
