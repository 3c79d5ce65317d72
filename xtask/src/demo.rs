//! `cargo xtask demo`: the tool on the bundled example crate, on a copy below the target folder.

use std::process::Command;

use crate::fail::{Fail, Result};
use crate::repo::Repo;
use crate::tool::{self, Profile};
use crate::{files, setup, shell};

pub(crate) fn run(repo: &Repo) -> Result<()> {
    setup::run(repo)?;
    let testsmith = tool::build(repo, Profile::Dev)?;
    let copy = repo.target().join("demo");
    files::fresh_dir(&copy)?;
    files::copy_package(&repo.root().join("testdata/demo"), &copy)?;
    let mut score = Command::new(testsmith);
    score.args(["testsmith", "score", "--manifest-path"]).arg(copy.join("Cargo.toml"));
    println!("\n$ cargo testsmith score --manifest-path testdata/demo/Cargo.toml\n");
    let status = shell::status(&mut score)?;
    // Survivors are what the demo has to show.
    if tool::did_its_work(status) { Ok(()) } else { Err(Fail::new(format!("the demo ended with {status}"))) }
}
