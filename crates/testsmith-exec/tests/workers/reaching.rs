//! Programs and mutants that reach outside of their process: they are ended before they have done anything, and what a mutant shows
//! then is not told. Where nothing watches the system calls, nothing of this holds.

use testsmith_exec::Trust;
use testsmith_rt::harness::outside::Outside;
use testsmith_rt::harness::wire::Outcome;

use crate::programs::{bump, call, fixture, text};
use crate::subject::{DIFFERS, REACH, REACHES};

const IS_WATCHED: bool = cfg!(all(target_os = "linux", target_arch = "x86_64"));

/// What is tried, and where it reaches.
const TABLE: [(&str, Option<Outside>); 14] = [
    ("look up", Some(Outside::Files)),
    ("delete", Some(Outside::Files)),
    ("bind", Some(Outside::Network)),
    ("start", Some(Outside::Processes)),
    ("variable", Some(Outside::Environment)),
    ("folder", Some(Outside::Directory)),
    ("input", Some(Outside::Input)),
    ("terminal", Some(Outside::Input)),
    ("thread that looks up", Some(Outside::Files)),
    // What the machine is like, and what goes nowhere.
    ("random", None),
    ("processors", None),
    ("backtrace", None),
    ("thread", None),
    ("output", None),
];

pub(crate) fn a_program_that_reaches_outside_is_ended_before_it_does() {
    for trust in [Trust::InProcess, Trust::Mutants, Trust::Fork] {
        let mut fixture = fixture(|setup| setup.trust = trust);
        for (what, outside) in TABLE.into_iter().filter(|_| IS_WATCHED) {
            let execution = fixture.run([call(REACH, text(what))]).remove(0);
            let expected = outside.map_or(Outcome::Ok, Outcome::Outside);
            assert_eq!(
                (execution.outcome, execution.statement),
                (expected, if outside.is_some() { 1 } else { 2 }),
                "{what}"
            );
        }
    }
}

pub(crate) fn what_is_allowed_is_done() {
    let mut fixture = fixture(|setup| setup.allow = [Outside::Files, Outside::Directory].into());
    let outcomes = fixture.outcomes(["look up", "folder", "bind"].map(|what| call(REACH, text(what))));
    if IS_WATCHED {
        assert_eq!(outcomes, [Outcome::Ok, Outcome::Ok, Outcome::Outside(Outside::Network)]);
    }
}

pub(crate) fn nothing_is_told_of_a_mutant_that_reaches_outside() {
    for trust in [Trust::InProcess, Trust::Mutants, Trust::Fork] {
        let mut fixture = fixture(|setup| setup.trust = trust);
        let execution = fixture.run([bump(1, &[REACHES, DIFFERS])]).remove(0);
        let told: Vec<u32> = execution.differences.iter().map(|(mutant, _)| *mutant).collect();
        assert_eq!((execution.outcome, told), (Outcome::Ok, vec![DIFFERS]), "{trust:?}");
    }
}
