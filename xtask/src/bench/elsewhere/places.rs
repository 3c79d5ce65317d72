//! Where tests run: each of [`PLACES`] differs from here in one thing, so that it says what a test rests on that fails there.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use testsmith_suite::world::{DAY, World};

use super::super::test_binary::{self, TestBinary, enter};
use crate::fail::{Context, Result};
use crate::shell;

/// A place, in which everything is as here but for one thing.
pub(super) struct Place {
    /// Also says what it is called.
    pub(super) world: World,
    pub(super) build: Build,
    input: Input,
    /// Of the test harness.
    arguments: &'static [&'static str],
}

/// How the tests are built.
#[derive(Clone, Copy)]
pub(super) enum Build {
    Usual,
    /// Without debug assertions and overflow checks, in another folder.
    Release,
}

/// What tests could read and write to.
#[derive(Clone, Copy)]
enum Input {
    Nothing,
    Line,
    Terminal,
}

const fn place(world: World) -> Place {
    Place { world, build: Build::Usual, input: Input::Nothing, arguments: &[] }
}

const fn named(name: &'static str) -> World {
    World { name, ..World::HERE }
}

/// The names do not say that everything else is as here.
pub(super) const PLACES: &[Place] = &[
    place(World::HERE),
    place(World { wall: 7 * 3600 + 780, ..named("seven hours later") }),
    place(World { wall: 3 * DAY, ..named("three days later") }),
    place(World { wall: 4 * DAY, ..named("four days later") }),
    place(World { wall: 183 * DAY, ..named("in half a year") }),
    place(World { wall: (28 * 365 + 7) * DAY, ..named("in 28 years") }),
    place(World { monotonic: 11 * DAY, ..named("on a machine that has long been up") }),
    place(World { variables: &[("TZ", "<+1345>-13:45")], ..named("far in the east") }),
    place(World { variables: &[("TZ", "<-0930>9:30")], ..named("far in the west") }),
    place(World { seed: 77, ..named("with other random numbers") }),
    place(World { seed: 78, ..named("with still other random numbers") }),
    place(World {
        variables: &[
            ("HOME", "/srv/somebody"),
            ("USER", "somebody"),
            ("LANG", "tr_TR.UTF-8"),
            ("LC_ALL", "tr_TR.UTF-8"),
            ("TERM", "dumb"),
            ("NO_COLOR", "1"),
            ("CI", "true"),
            ("RUST_LOG", "trace"),
        ],
        ..named("in another environment")
    }),
    place(World { has_environment: false, ..named("in an empty environment") }),
    place(World { user: 1234, ..named("for another user") }),
    place(World { host: "elsewhere", ..named("on another host") }),
    place(World { processors: 1, ..named("on one processor") }),
    place(World { processors: 96, ..named("on 96 processors") }),
    place(World { open_files: 64, ..named("with few open files") }),
    Place { input: Input::Line, ..place(named("with a line to read")) },
    Place { input: Input::Terminal, ..place(named("on a terminal")) },
    Place { arguments: &["--test-threads=1"], ..place(named("one after the other")) },
    Place { arguments: &["--test-threads=16"], ..place(named("sixteen at a time")) },
    Place {
        arguments: &["-Zunstable-options", "--shuffle-seed=5", "--test-threads=1"],
        ..place(named("in another order"))
    },
    Place { build: Build::Release, ..place(named("with --release, in another folder")) },
];

impl Place {
    /// What starts the tests there.
    pub(super) fn command(&self, binary: &TestBinary) -> Command {
        let mut command = match self.input {
            Input::Terminal => {
                // The names of colours would stand between the words.
                let line = format!("{} --color=never {}", quoted(binary.path()), self.arguments.join(" "));
                let mut script = Command::new("script");
                script.args(["--quiet", "--return", "--command", &line, "/dev/null"]);
                binary.command_of(script)
            }
            Input::Nothing | Input::Line => {
                let mut command = binary.command();
                command.args(self.arguments);
                command
            }
        };
        if self.arguments.contains(&"-Zunstable-options") {
            command.env("RUSTC_BOOTSTRAP", "1");
        }
        command
    }

    /// Moves the command there, so many seconds later.
    pub(super) fn enter(&self, command: &mut Command, later: i64, library: &Path) {
        enter(command, &World { wall: self.world.wall + later, ..self.world }, library);
    }

    /// Which tests pass there.
    pub(super) fn results(&self, command: &mut Command) -> Result<BTreeMap<String, bool>> {
        match self.input {
            Input::Nothing | Input::Terminal => test_binary::results(command),
            Input::Line => {
                let mut child = command
                    .stdin(Stdio::piped())
                    .stdout(Stdio::piped())
                    .spawn()
                    .context(format!("start `{}`", shell::line(command)))?;
                // Nobody has to read it.
                let _ = child.stdin.take().map(|mut input| input.write_all(b"y\n"));
                let output = child.wait_with_output().context("wait for the tests")?;
                Ok(test_binary::results_of(&output.stdout))
            }
        }
    }
}

/// A path for a shell.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_have_names_of_their_own() {
        let mut names: Vec<&str> = PLACES.iter().map(|place| place.world.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), PLACES.len());
    }
}
