//! `cargo xtask demo`: writes the tests that the bundled example crate is missing, in a copy below the target folder.

use std::process::Command;

use crate::fail::{Context, Fail, Result};
use crate::repo::Repo;
use crate::tool::{self, Profile};
use crate::{files, setup, shell};

pub(crate) fn run(repo: &Repo) -> Result<()> {
    setup::run(repo)?;
    let testsmith = tool::build(repo, Profile::Dev)?;
    let copy = repo.target().join("demo");
    files::fresh_dir(&copy)?;
    files::copy_package(&repo.root().join("testdata/demo"), &copy)?;
    let mut generate = Command::new(testsmith);
    // With a number of programs instead of a time, it is the same on every machine.
    generate.args(["testsmith", "generate", "--executions", "100000", "--seed", "2"]).current_dir(&copy);
    println!("\n$ cargo testsmith generate --executions 100000 --seed 2\n");
    let status = shell::status(&mut generate)?;
    if !status.success() {
        return Err(Fail::new(format!("the demo ended with {status}")));
    }
    println!("\n$ cat tests/testsmith/booking.rs\n");
    let written = copy.join("tests/testsmith/booking.rs");
    print!("{}", std::fs::read_to_string(&written).context(format!("read {}", written.display()))?);
    println!("\n$ cargo test --test testsmith\n");
    shell::run(
        repo.cargo()
            .args(["test", "--quiet", "--test", "testsmith"])
            .current_dir(&copy)
            .env_remove("CARGO_TARGET_DIR"),
    )
}
