//! System calls that a sandboxed program gets no answer to but an error, and what is protected by that.
//! `seccomp` is how; it knows the processors whose system calls are known.

#[cfg_attr(
    not(all(
        any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64"),
        target_pointer_width = "64"
    )),
    path = "calls/unknown.rs"
)]
mod seccomp;

use super::files::Landlock;
use super::{Guard, Policy, Report, State};

const GUARDS: [Guard; 5] = [Guard::Attributes, Guard::Network, Guard::Tracing, Guard::System, Guard::Group];

/// What namespaces protect.
const BY_NAMESPACES: [Guard; 4] = [Guard::Namespaces, Guard::Files, Guard::Attributes, Guard::Network];

/// The same for a thread in namespaces of its own, which may do more.
pub(super) fn refuse_in_namespaces(policy: &Policy, landlock: Landlock, report: &mut Report) {
    for guard in BY_NAMESPACES {
        report.note(guard, State::Held("namespaces".to_owned()));
    }
    let state = State::of(seccomp::install_in_namespaces(policy, landlock), "seccomp");
    for guard in [Guard::Tracing, Guard::System] {
        report.note(guard, state.clone());
    }
    if matches!(state, State::Held(_)) {
        note_held(&state, policy, landlock, report);
    } else if !landlock.has_signals() {
        report.note(Guard::Signals, state);
    }
}

/// Refuses system calls to this thread, and notes what is protected by that.
pub(super) fn refuse(policy: &Policy, landlock: Landlock, report: &mut Report) {
    note(State::of(seccomp::install(policy, landlock), "seccomp"), policy, landlock, report);
}

fn note(state: State, policy: &Policy, landlock: Landlock, report: &mut Report) {
    for guard in GUARDS {
        report.note(guard, state.clone());
    }
    if matches!(state, State::Held(_)) {
        note_held(&state, policy, landlock, report);
    } else {
        note_open(&state, landlock, report);
    }
}

/// What seccomp does more than its own part.
fn note_held(state: &State, policy: &Policy, landlock: Landlock, report: &mut Report) {
    if policy.processes == Some(0) {
        report.note(Guard::Processes, state.clone());
    }
    if !landlock.has_signals() {
        let gap = "seccomp refuses kill; before Linux 6.12 single threads can be signalled";
        report.note(Guard::Signals, State::Partly(gap.to_owned()));
    }
}

/// What landlock does alone, and what it does not.
fn note_open(state: &State, landlock: Landlock, report: &mut Report) {
    if !landlock.has_signals() {
        report.note(Guard::Signals, state.clone());
    }
    if landlock.is_there() {
        report.note(Guard::Tracing, State::Held("landlock".to_owned()));
    }
    if landlock.has_tcp() {
        let gap = "landlock refuses TCP only, and there is no seccomp";
        report.note(Guard::Network, State::Partly(gap.to_owned()));
    }
    if !landlock.has_truncate() && report.holds(Guard::Files) {
        let gap = "before Linux 6.2 they can be emptied, and there is no seccomp";
        report.note(Guard::Files, State::Partly(gap.to_owned()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(seccomp: bool, abi: u32, expected: &[(Guard, char)]) {
        let state = State::of(if seccomp { Ok(()) } else { Err("refused") }, "seccomp");
        let mut report = Report::default();
        if abi > 0 {
            report.note(Guard::Files, State::Held("landlock".to_owned()));
        }
        note(state, &Policy::default(), Landlock::of_abi(abi), &mut report);
        let sign = |guard| match report.state(guard) {
            Some(State::Held(_)) => '+',
            Some(State::Partly(_)) => '~',
            Some(State::Open(_)) => '-',
            None => ' ',
        };
        for (guard, expected) in expected {
            assert_eq!(sign(*guard), *expected, "{guard} with seccomp {seccomp} and ABI {abi}");
        }
    }

    #[test]
    fn what_an_older_landlock_lacks_is_made_up_for_or_told() {
        use Guard::{Files, Network, Signals, Tracing};
        check(true, 7, &[(Files, '+'), (Signals, ' '), (Network, '+'), (Tracing, '+')]);
        check(true, 5, &[(Files, '+'), (Signals, '~'), (Network, '+')]);
        check(true, 2, &[(Files, '+'), (Signals, '~')]);
        check(true, 0, &[(Files, ' '), (Signals, '~'), (Network, '+'), (Tracing, '+')]);
        check(false, 7, &[(Files, '+'), (Signals, ' '), (Network, '~'), (Tracing, '+')]);
        check(false, 5, &[(Files, '+'), (Signals, '-'), (Network, '~')]);
        check(false, 2, &[(Files, '~'), (Signals, '-'), (Network, '-'), (Tracing, '+')]);
        check(false, 0, &[(Files, ' '), (Signals, '-'), (Network, '-'), (Tracing, '-')]);
    }
}
