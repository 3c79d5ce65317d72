//! `cargo xtask bench manifests`: every manifest of `testdata/manifests.toml`, and what became of each. The table is read and tried by
//! a test of the tool, which is told here to try all of it.

use crate::fail::Result;
use crate::repo::Repo;
use crate::shell;

/// The test that tries them.
const TEST: &str = "all_odd_manifests_are_delivered_green_or_refused";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only manifests whose name contains this
    #[arg(default_value = "")]
    only: String,
}

pub(crate) fn run(repo: &Repo, args: &Args) -> Result<()> {
    let mut cargo = repo.cargo();
    cargo.args(["test", "--quiet", "--package", "cargo-testsmith", "--test", "manifests", "--"]);
    cargo.args(["--ignored", "--exact", TEST, "--nocapture"]).env("MANIFESTS", &args.only);
    shell::run(&mut cargo)
}
