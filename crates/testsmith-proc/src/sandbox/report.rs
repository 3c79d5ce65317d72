//! What the sandbox protects on this system ([`Report`]): one [`State`] for each [`Guard`], with a reason
//! that fits in a line. The text form goes from the sandboxed process to the tool.

use std::collections::BTreeMap;
use std::fmt;

/// Something that the sandbox protects or limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Guard {
    /// The view of the system that namespaces give, where it is asked for.
    Namespaces,
    /// Files outside of the writable folders.
    Files,
    /// Permissions, owners, times and attributes of files.
    Attributes,
    /// The network, and the sockets of other processes.
    Network,
    /// Other processes, against signals.
    Signals,
    /// Other processes, against being looked at and changed.
    Tracing,
    /// The system: mounts, namespaces, keys, kernel interfaces.
    System,
    /// The process group, which nobody leaves.
    Group,
    /// The privileges of root.
    Privileges,
    /// Files that the tool has open.
    Handles,
    /// Address space.
    Memory,
    /// Processor time.
    Cpu,
    /// The number of processes.
    Processes,
    /// The number of open files.
    OpenFiles,
    /// The size of files.
    FileSize,
}

/// Name in the text form, and the words of a report.
const NAMES: [(Guard, &str, &str); 15] = [
    (Guard::Namespaces, "namespaces", "a view of the system of its own"),
    (Guard::Files, "files", "files outside of the scratch folders"),
    (Guard::Attributes, "attributes", "permissions, owners and times of files"),
    (Guard::Network, "network", "network and sockets"),
    (Guard::Signals, "signals", "signals to other processes"),
    (Guard::Tracing, "tracing", "memory of other processes"),
    (Guard::System, "system", "mounts, namespaces, keys, kernel interfaces"),
    (Guard::Group, "group", "hiding from the process group"),
    (Guard::Privileges, "privileges", "privileges of root"),
    (Guard::Handles, "handles", "files that the tool has open"),
    (Guard::Memory, "memory", "memory"),
    (Guard::Cpu, "cpu", "processor time"),
    (Guard::Processes, "processes", "number of processes"),
    (Guard::OpenFiles, "open-files", "number of open files"),
    (Guard::FileSize, "file-size", "size of files"),
];

impl Guard {
    /// Every guard, in the order of a report.
    pub const ALL: [Self; NAMES.len()] = {
        let mut all = [Self::Namespaces; NAMES.len()];
        let mut at = 0;
        while at < all.len() {
            all[at] = NAMES[at].0;
            at += 1;
        }
        all
    };

    /// Whether it is more than a resource limit, which every unix has.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn needs_linux(&self) -> bool {
        *self < Self::Handles
    }

    fn name(self) -> &'static str {
        NAMES[self as usize].1
    }
}

impl fmt::Display for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(NAMES[*self as usize].2)
    }
}

/// Whether a guard holds, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// It holds, by this means.
    Held(String),
    /// It holds but for this.
    Partly(String),
    /// It does not hold, for this reason.
    Open(String),
}

impl State {
    /// Held by what the kernel did, or open with what it said.
    pub(super) fn of<E: fmt::Display>(outcome: Result<(), E>, means: &str) -> Self {
        match outcome {
            Ok(()) => Self::Held(means.to_owned()),
            Err(error) => Self::Open(format!("{means}: {error}")),
        }
    }

    /// By what means, but for what, or why not.
    pub fn reason(&self) -> &str {
        self.parts().1
    }

    fn parts(&self) -> (char, &str) {
        match self {
            Self::Held(means) => ('+', means),
            Self::Partly(gap) => ('~', gap),
            Self::Open(reason) => ('-', reason),
        }
    }
}

/// What the sandbox protects on this system.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    states: BTreeMap<Guard, State>,
}

impl Report {
    /// How a guard stands.
    pub fn state(&self, guard: Guard) -> Option<&State> {
        self.states.get(&guard)
    }

    /// Whether a guard holds without exception.
    pub fn holds(&self, guard: Guard) -> bool {
        matches!(self.state(guard), Some(State::Held(_)))
    }

    /// All guards with their states.
    pub fn iter(&self) -> impl Iterator<Item = (Guard, &State)> {
        self.states.iter().map(|(guard, state)| (*guard, state))
    }

    /// What does not hold, or not without exception.
    pub fn gaps(&self) -> impl Iterator<Item = (Guard, &State)> {
        self.iter().filter(|(_, state)| !matches!(state, State::Held(_)))
    }

    pub(super) fn note(&mut self, guard: Guard, state: State) {
        self.states.insert(guard, state);
    }

    /// One line for each guard, for [`Report::decode`].
    pub(super) fn encode(&self) -> String {
        let line = |(guard, state): (Guard, &State)| {
            let (sign, reason) = state.parts();
            // A reason comes from the system's error messages as well.
            format!("{} {sign} {}\n", guard.name(), reason.replace('\n', " "))
        };
        self.iter().map(line).collect()
    }

    /// Reads a report back; lines that are not part of one are left out.
    pub(super) fn decode(text: &str) -> Self {
        let entry = |line: &str| {
            let mut parts = line.splitn(3, ' ');
            let (name, sign, reason) = (parts.next()?, parts.next()?, parts.next()?.to_owned());
            let guard = Guard::ALL.into_iter().find(|guard| guard.name() == name)?;
            let state = match sign {
                "+" => State::Held(reason),
                "~" => State::Partly(reason),
                "-" => State::Open(reason),
                _ => return None,
            };
            Some((guard, state))
        };
        Self { states: text.lines().filter_map(entry).collect() }
    }
}

impl FromIterator<(Guard, State)> for Report {
    fn from_iter<I: IntoIterator<Item = (Guard, State)>>(states: I) -> Self {
        Self { states: states.into_iter().collect() }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (guard, state) in self.iter() {
            let (verdict, (_, reason)) = match state {
                State::Held(_) => ("protected", state.parts()),
                State::Partly(_) => ("partly protected", state.parts()),
                State::Open(_) => ("not protected", state.parts()),
            };
            writeln!(f, "{guard}: {verdict} ({reason})")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_every_guard_at_its_place() {
        for (at, guard) in Guard::ALL.into_iter().enumerate() {
            assert_eq!(guard as usize, at, "{guard}");
        }
    }

    #[test]
    fn a_report_survives_the_way_to_the_tool_and_noise_around_it() {
        let mut report = Report::default();
        report.note(Guard::Files, State::Held("landlock ABI 7".to_owned()));
        report.note(Guard::Signals, State::Partly("threads".to_owned()));
        report.note(Guard::Cpu, State::Open("an error - in several words".to_owned()));
        let text = format!("warning: noise\n{}\nfiles ? x\n", report.encode());
        assert_eq!(Report::decode(&text), report);
        assert!(report.holds(Guard::Files));
        assert!(!report.holds(Guard::Signals) && !report.holds(Guard::Memory));
    }

    #[test]
    fn a_report_is_one_line_for_each_guard() {
        let mut report = Report::default();
        report.note(Guard::Memory, State::of(Ok::<(), &str>(()), "resource limit"));
        report.note(Guard::Network, State::of(Err("refused"), "seccomp"));
        let expected = "network and sockets: not protected (seccomp: refused)\n\
                        memory: protected (resource limit)\n";
        assert_eq!(report.to_string(), expected);
        let gaps: Vec<_> = report.gaps().map(|(guard, state)| (guard, state.reason())).collect();
        assert_eq!(gaps, [(Guard::Network, "seccomp: refused")]);
    }
}
