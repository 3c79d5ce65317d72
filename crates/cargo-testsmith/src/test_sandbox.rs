//! The sandbox that existing and written tests run in, and what the user is told of it.

use std::path::Path;

use serde::Serialize;
use testsmith_proc::sandbox::{self, Guard, Policy, Report};
use testsmith_suite::{Access, Exceptions, Sandbox};

use crate::failure::{Code, Failure};
use crate::isolation::{Gap, gaps_of};

/// How tests were kept from the system.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct SandboxReport {
    /// `namespaces`, `landlock and seccomp`, or `none`.
    pub(crate) means: &'static str,
    /// What it does not protect.
    pub(crate) unprotected: Vec<Gap>,
    /// Tests that pass only where they can write to the copy of the tree.
    pub(crate) writing_to_tree: Vec<String>,
    /// Tests that do not pass in it, and run without.
    pub(crate) outside: Vec<String>,
}

/// The sandbox for the tests of a copy; none where the user wants none.
pub(crate) fn of_copy(copy: &Path, is_wanted: bool, exceptions: &Exceptions) -> Option<Sandbox> {
    is_wanted.then(|| Sandbox { tree: copy.to_owned(), exceptions: exceptions.clone() })
}

/// What the sandbox holds on this system, before anything runs in it; `temp` is a folder that it may see as `/tmp`.
pub(crate) fn ask(is_wanted: bool, temp: &Path) -> Result<SandboxReport, Failure> {
    if !is_wanted {
        return Ok(SandboxReport { means: "none", ..SandboxReport::default() });
    }
    let policy = Policy { namespaces: Some(temp.to_owned()), ..Policy::default() };
    let report = sandbox::ask(&policy).map_err(|error| Failure::new(Code::Environment, error.to_string()))?;
    Ok(SandboxReport { means: means(&report), unprotected: gaps_of(&report), ..SandboxReport::default() })
}

fn means(report: &Report) -> &'static str {
    if report.holds(Guard::Namespaces) {
        "namespaces"
    } else if report.holds(Guard::Files) || report.holds(Guard::Network) {
        "landlock and seccomp"
    } else {
        "none"
    }
}

impl SandboxReport {
    /// Adds what tests turned out to need.
    pub(crate) fn note(&mut self, exceptions: &Exceptions) {
        let with = |wanted: Access| {
            let these = exceptions.iter().filter(|(_, access)| **access == wanted);
            these.map(|((binary, test), _)| name(binary, test)).collect()
        };
        self.writing_to_tree = with(Access::Tree);
        self.outside = with(Access::All);
    }

    /// What the user has to know before mutants run: what is not contained.
    pub(crate) fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if !self.unprotected.is_empty() {
            let all: Vec<String> = self.unprotected.iter().map(Gap::line).collect();
            notes.push(format!("warning: tests run without protection of: {}", all.join("; ")));
        }
        if !self.outside.is_empty() {
            notes.push(format!(
                "note: these tests do not pass in the sandbox and run without it, on mutants as well: {}",
                self.outside.join(", ")
            ));
        }
        notes
    }
}

/// A test as people name it; a binary that is run whole has no names for its tests.
fn name(binary: &str, test: &str) -> String {
    if test.is_empty() { binary.to_owned() } else { format!("{binary}: {test}") }
}

#[cfg(test)]
mod tests {
    use testsmith_proc::sandbox::State;

    use super::*;

    #[test]
    fn the_means_is_what_holds_the_files() {
        let held = || State::Held(String::new());
        let report = |guards: &[Guard]| guards.iter().map(|guard| (*guard, held())).collect::<Report>();
        assert_eq!(means(&report(&[Guard::Namespaces, Guard::Files])), "namespaces");
        assert_eq!(means(&report(&[Guard::Files])), "landlock and seccomp");
        assert_eq!(means(&report(&[Guard::Memory])), "none");
    }

    #[test]
    fn exceptions_are_named_by_what_they_need() {
        let key = |binary: &str, test: &str| (binary.to_owned(), test.to_owned());
        let exceptions = Exceptions::from([
            (key("lib", "writes"), Access::Tree),
            (key("lib", "calls_cargo"), Access::All),
            (key("test ui", ""), Access::All),
        ]);
        let mut report = SandboxReport::default();
        report.note(&exceptions);
        assert_eq!(report.writing_to_tree, ["lib: writes"]);
        assert_eq!(report.outside, ["lib: calls_cargo", "test ui"]);
    }
}
