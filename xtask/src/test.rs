//! `cargo xtask test`: set-up, then every test of the workspace on this terminal.

use crate::fail::Result;
use crate::repo::Repo;
use crate::{setup, shell};

pub(crate) fn run(repo: &Repo) -> Result<()> {
    setup::run(repo)?;
    shell::run(repo.cargo().args(["test", "--workspace"]))
}
