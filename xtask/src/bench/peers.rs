//! The tools that testsmith is measured against, pinned, below the target folder.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::fail::Result;
use crate::repo::Repo;
use crate::shell;

/// A released tool that cargo can install.
#[derive(Debug, Clone, Copy)]
pub(super) struct Peer {
    pub(super) package: &'static str,
    pub(super) version: &'static str,
    /// The word after `cargo` that the binary expects as its first argument.
    subcommand: &'static str,
}

pub(super) const MUTANTS: Peer = Peer { package: "cargo-mutants", version: "27.1.0", subcommand: "mutants" };
pub(super) const GAMMA: Peer = Peer { package: "cargo-gamma", version: "0.4.0", subcommand: "gamma" };

impl Peer {
    /// The path of the binary, installed first where it is missing or of another version.
    pub(super) fn ensure(&self, repo: &Repo) -> Result<PathBuf> {
        let root = repo.target().join("peers");
        let binary = root.join("bin").join(format!("{}{}", self.package, env::consts::EXE_SUFFIX));
        if !self.is_at(&binary) {
            println!("installing {} {}", self.package, self.version);
            let mut install = repo.cargo();
            install.args([
                "install",
                self.package,
                "--version",
                self.version,
                "--locked",
                "--force",
                "--root",
            ]);
            shell::run(install.arg(&root))?;
        }
        Ok(binary)
    }

    /// A command that runs the peer as `cargo <subcommand>` would.
    pub(super) fn command(&self, binary: &Path) -> Command {
        let mut command = Command::new(binary);
        command.arg(self.subcommand);
        command
    }

    fn is_at(&self, binary: &Path) -> bool {
        let said = shell::stdout(self.command(binary).arg("--version"));
        said.is_ok_and(|said| said.split_whitespace().any(|word| word == self.version))
    }
}
