//! The tools that `bench score` runs: how each is started and how its findings are read.
//!
//! [`ready`] builds or installs them and lists them in the order in which they run; a tool more is
//! an entry there and a module that reads its output.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use super::record::{Reading, Run};
use super::{Args, gamma, mutants, testsmith};
use crate::bench::measure::Measured;
use crate::bench::peers;
use crate::fail::Result;
use crate::repo::Repo;
use crate::tool;

/// Where a tool runs.
pub(super) struct Place {
    /// The tool's own copy of the crate.
    pub(super) package: PathBuf,
    /// A folder for what it writes.
    pub(super) out: PathBuf,
}

/// Why a tool has no findings, in its own words.
pub(super) type Read = std::result::Result<Reading, String>;

/// A tool that is ready to run.
pub(super) struct Tool {
    pub(super) name: String,
    pub(super) version: String,
    runs: &'static [Run],
    command: Box<dyn Fn(&Place) -> Command>,
    read: fn(&Place, &Measured) -> Read,
}

/// The name that the others are compared with.
pub(super) const OURS: &str = "testsmith";

impl Tool {
    pub(super) fn is_peer(&self) -> bool {
        self.name != OURS
    }

    /// Whether it is one of those; no name stands for all.
    fn is_among(&self, names: &[String]) -> bool {
        let folder = self.folder();
        let own = folder.trim_end_matches("--tests");
        names.is_empty() || names.iter().any(|name| name == own)
    }

    pub(super) fn has(&self, run: Run) -> bool {
        self.runs.contains(&run)
    }

    pub(super) fn command(&self, place: &Place) -> Command {
        let mut command = (self.command)(place);
        command.current_dir(&place.package);
        command
    }

    pub(super) fn read(&self, place: &Place, measured: &Measured) -> Read {
        (self.read)(place, measured)
    }

    /// A testsmith that is a shell script.
    #[cfg(test)]
    pub(super) fn scripted(script: &str) -> Self {
        let script = script.to_owned();
        let command = move |_: &Place| {
            let mut shell = Command::new("sh");
            shell.args(["-c", &script]);
            shell
        };
        let (name, version) = (OURS.to_owned(), String::new());
        Self { name, version, runs: Run::ALL, command: Box::new(command), read: testsmith::read }
    }

    /// The name as that of a folder.
    pub(super) fn folder(&self) -> String {
        self.name.replace(' ', "")
    }
}

/// Builds testsmith and installs the peers.
pub(super) fn ready(repo: &Repo, args: &Args) -> Result<Vec<Tool>> {
    let binary = tool::measured(repo, args.testsmith.as_deref())?;
    let mut tools = vec![Tool {
        name: OURS.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        runs: Run::ALL,
        command: Box::new(move |place| testsmith::command(&binary, place)),
        read: testsmith::read,
    }];
    if !args.skip_peers {
        let doctests = !args.no_doctests;
        tools.push(mutants_ready(repo, mutants::Settings { jobs: None, doctests }, Run::ALL)?);
        // Its default is one mutant at a time, while testsmith uses every core: the fairer figure.
        tools.push(mutants_ready(repo, mutants::Settings { jobs: Some(2), doctests }, &[Run::Cold])?);
        tools.push(gamma_ready(repo)?);
    }
    tools.retain(|tool| !tool.is_peer() || tool.is_among(&args.peers));
    Ok(tools)
}

fn mutants_ready(repo: &Repo, settings: mutants::Settings, runs: &'static [Run]) -> Result<Tool> {
    let binary = peers::MUTANTS.ensure(repo)?;
    Ok(Tool {
        name: settings.name(),
        version: peers::MUTANTS.version.to_owned(),
        runs,
        command: Box::new(move |place| mutants::command(peers::MUTANTS.command(&binary), place, settings)),
        read: mutants::read,
    })
}

fn gamma_ready(repo: &Repo) -> Result<Tool> {
    let binary = peers::GAMMA.ensure(repo)?;
    Ok(Tool {
        name: peers::GAMMA.package.to_owned(),
        version: peers::GAMMA.version.to_owned(),
        runs: Run::ALL,
        command: Box::new(move |place| gamma::command(peers::GAMMA.command(&binary), place)),
        read: gamma::read,
    })
}

/// The last line that a tool printed, which is where a tool says why it gave up.
pub(super) fn last_words(measured: &Measured) -> String {
    let mut lines = measured.stderr.lines().rev().chain(measured.stdout.lines().rev());
    let line = lines.find(|line| !line.trim().is_empty()).unwrap_or("it said nothing").trim();
    let code = measured.exit.map_or_else(|| "a signal".to_owned(), |code| format!("exit code {code}"));
    format!("{code}: {line}")
}
