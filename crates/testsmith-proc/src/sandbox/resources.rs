//! Resource limits, which every unix has. They hold for each process on its own, except for the number
//! of processes, which the kernel counts for a user.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::{Guard, Policy, Report, State};

/// Sets the limits that the policy asks for, and forbids core files.
pub(super) fn limit(policy: &Policy, report: &mut Report) {
    let simple = [
        (Guard::Memory, Resource::As, policy.memory),
        (Guard::OpenFiles, Resource::Nofile, policy.open_files),
        (Guard::FileSize, Resource::Fsize, policy.file_size),
    ];
    for (guard, resource, value) in simple {
        note(report, guard, value, |value| set(resource, value, value));
    }
    // SIGXCPU at the first limit tells the reason; the second one, a second later, cannot be ignored.
    let cpu = |seconds: u64| set(Resource::Cpu, seconds, seconds.saturating_add(1));
    note(report, Guard::Cpu, policy.cpu_seconds, cpu);
    // "No other process" is not a matter of counting: `calls` has refused it.
    if policy.processes != Some(0) || report.state(Guard::Processes).is_none() {
        note(report, Guard::Processes, policy.processes, processes);
    }
    // Crashes are many, and nobody looks at their core files.
    let _ = set(Resource::Core, 0, 0);
}

/// What nobody asked for is not part of the report.
fn note(report: &mut Report, guard: Guard, value: Option<u64>, set: impl FnOnce(u64) -> State) {
    if let Some(value) = value {
        report.note(guard, set(value));
    }
}

fn set(resource: Resource, current: u64, maximum: u64) -> State {
    // A limit above the hard one would be refused as a whole.
    let most = getrlimit(resource).maximum.unwrap_or(u64::MAX);
    let limit = Rlimit { current: Some(current.min(most)), maximum: Some(maximum.min(most)) };
    State::of(setrlimit(resource, limit), "resource limit")
}

/// The kernel compares with all processes and threads of the user.
fn processes(more: u64) -> State {
    let Some(running) = running() else {
        return State::Open("nobody can tell how many processes there are already".to_owned());
    };
    let most = running.saturating_add(more);
    match set(Resource::Nproc, most, most) {
        State::Held(_) if rustix::process::getuid().is_root() => {
            State::Open("root is exempt from the limit; run testsmith as another user".to_owned())
        }
        state => state,
    }
}

/// At least as many processes and threads as the user has: all of the machine. Counting those of the
/// user would read a file for each process, at every start of a worker.
fn running() -> Option<u64> {
    let load = std::fs::read_to_string("/proc/loadavg").ok()?;
    parse_load(&load)
}

/// `0.20 0.18 0.12 1/80 11206`: of 80, one is running.
fn parse_load(load: &str) -> Option<u64> {
    let (_, all) = load.split_ascii_whitespace().nth(3)?.split_once('/')?;
    all.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_processes_is_the_second_half_of_the_fourth_word() {
        assert_eq!(parse_load("0.20 0.18 0.12 1/80 11206\n"), Some(80));
        for wrong in ["", "0.20 0.18 0.12", "0.20 0.18 0.12 80 11206", "0.20 0.18 0.12 1/x 11206"] {
            assert_eq!(parse_load(wrong), None, "{wrong}");
        }
    }
}
