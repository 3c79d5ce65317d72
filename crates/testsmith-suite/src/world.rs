//! Other worlds: the same test process with other clocks, another environment, other random numbers, another machine. A test that
//! passes in some of them only is not worth having. [`WORLDS`] is the table; `preload/world.rs` makes what is no variable.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use testsmith_proc::Spec;

/// The source of the library that test processes load: it has to be compiled as a `cdylib` of edition 2021 that aborts on panic.
pub const PRELOAD: &str = include_str!("../preload/world.rs");

/// The variable that tells the library what the world is like.
const WORLD_VAR: &str = "TESTSMITH_WORLD";

/// A world that is not the one of this machine at this time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct World {
    /// For people: `in another world (…)`.
    pub name: &'static str,
    /// Seconds that the wall clock is ahead.
    pub wall: i64,
    /// Seconds that the monotonic clock is ahead.
    pub monotonic: i64,
    /// Of random numbers; 0 for those of the system.
    pub seed: u32,
    /// 0 for as many as there are.
    pub processors: u32,
    /// Number of the user and of the group; 0 for those of this process.
    pub user: u32,
    /// How many files may be open; 0 for as many as here.
    pub open_files: u32,
    /// The name of the machine; empty for that of this one.
    pub host: &'static str,
    /// Whether variables of this environment are there at all.
    pub has_environment: bool,
    /// Variables that have another value.
    pub variables: &'static [(&'static str, &'static str)],
}

/// Seconds of a day.
pub const DAY: i64 = 24 * 60 * 60;

/// Worlds that every written test has to pass in. Two and four days of the week later one of them is at a weekend or no longer at one,
/// whatever day it is today, but for Mondays.
pub const WORLDS: &[World] = &[
    World {
        name: "two days later, in another time zone, for another user, on a large machine",
        wall: 2 * DAY + 7 * 60 * 60 + 13 * 60,
        monotonic: 11 * DAY,
        seed: 1,
        processors: 64,
        user: 54_321,
        open_files: 1_000_003,
        host: "elsewhere",
        has_environment: true,
        variables: &[
            ("HOME", "/srv/somebody"),
            ("USER", "somebody"),
            ("LOGNAME", "somebody"),
            ("LANG", "tr_TR.UTF-8"),
            ("LC_ALL", "tr_TR.UTF-8"),
            ("TZ", "<+1345>-13:45"),
            ("TERM", "dumb"),
            ("NO_COLOR", "1"),
            ("SHELL", "/bin/other"),
            ("EDITOR", "other"),
        ],
    },
    // Never before 1970, nor beyond what 32 bits and files can hold.
    World {
        name: "in 28 years, with an empty environment, on a small machine",
        wall: (28 * 365 + 4) * DAY + 5 * 60 * 60 + 1,
        monotonic: 60 * 60,
        seed: 2,
        processors: 1,
        user: 12_345,
        open_files: 77,
        host: "a",
        has_environment: false,
        variables: &[("TZ", "<-0930>9:30")],
    },
];

impl World {
    /// This machine at this time: other worlds say what is different.
    pub const HERE: World = World {
        name: "here",
        wall: 0,
        monotonic: 0,
        seed: 0,
        processors: 0,
        user: 0,
        open_files: 0,
        host: "",
        has_environment: true,
        variables: &[],
    };

    /// The program in this world. Without the library, only variables are other ones.
    pub(crate) fn spec(&self, mut spec: Spec, library: Option<&Path>) -> Spec {
        spec.env_remove.extend(self.missing());
        for (name, value) in self.variables() {
            spec = spec.env(name, value);
        }
        match library {
            Some(library) => spec.preload(library),
            None => spec,
        }
    }

    /// Variables of this environment that are not there.
    pub fn missing(&self) -> Vec<OsString> {
        let all = std::env::vars_os().map(|(name, _)| name);
        all.filter(|name| !self.has_environment && is_of_the_day(name)).collect()
    }

    /// Variables that have another value; one of them tells the library what the world is like.
    pub fn variables(&self) -> Vec<(&'static str, String)> {
        let World { wall, monotonic, seed, processors, user, open_files, host, .. } = self;
        let settings = format!("{wall},{monotonic},{seed},{processors},{user},{open_files},{host}");
        let own = self.variables.iter().map(|(name, value)| (*name, (*value).to_owned()));
        own.chain([(WORLD_VAR, settings)]).collect()
    }
}

/// Where the system looks for libraries is no matter of the world; what was set for the tests comes on top anyway.
fn is_of_the_day(name: &OsString) -> bool {
    name != "LD_LIBRARY_PATH"
}

/// How runs differ from those on this machine at this time.
#[derive(Clone, Debug)]
pub struct InWorld {
    /// The world.
    pub world: World,
    /// The library that makes it, if there is one.
    pub library: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worlds_differ_in_everything_that_can_be_told() {
        let [first, second] = WORLDS else { panic!("there are two") };
        assert_ne!(first.wall / DAY, second.wall / DAY);
        assert_ne!(first.wall.rem_euclid(DAY) / 3600, second.wall.rem_euclid(DAY) / 3600);
        assert_ne!(first.seed, second.seed);
        assert_ne!(first.processors, second.processors);
        assert_ne!(first.host, second.host);
        assert_ne!(first.user, second.user);
        assert_ne!(first.open_files, second.open_files);
    }

    #[test]
    fn an_empty_environment_keeps_what_was_set_for_the_test() {
        let spec = WORLDS[1].spec(Spec::new("test").env("OF_CARGO", "1"), Some(Path::new("/world.so")));
        assert!(spec.env_remove.contains(&"PATH".into()));
        assert!(spec.env.contains(&("OF_CARGO".into(), "1".into())));
        assert!(spec.env.iter().any(|(name, _)| name == WORLD_VAR));
    }
}
