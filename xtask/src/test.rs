//! `cargo xtask test`: set-up, then every test of the workspace on this terminal.

use crate::fail::Result;
use crate::repo::Repo;
use crate::{setup, shell};

pub(crate) fn run(repo: &Repo) -> Result<()> {
    setup::run(repo)?;
    // Of a test that fails, its words tell more than the frames of the harness.
    shell::run(repo.cargo().args(["test", "--workspace"]).env("RUST_BACKTRACE", "0"))
}
