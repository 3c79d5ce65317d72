//! What the written tests alone cover, as LLVM counts it: lines, regions (blocks of the source) and branch sides.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::fail::{Context, Fail, Result};
use crate::repo::Repo;
use crate::{files, shell};

/// Branches are counted by an option that stable compilers have, and only take when they are told to act as nightly ones.
const FLAGS: &str = "-Cinstrument-coverage -Zcoverage-options=branch";

/// Percent of the lines, regions and branch sides of a package's sources that its written tests execute.
pub(super) fn coverage(repo: &Repo, package: &Path) -> Result<Value> {
    let home = package.with_file_name("coverage");
    files::fresh_dir(&home)?;
    let binary = build(repo, package, &home)?;
    let raw = home.join("tests.profraw");
    shell::stdout(Command::new(&binary).current_dir(package).env("LLVM_PROFILE_FILE", &raw))?;
    let (merged, tools) = (home.join("tests.profdata"), tools()?);
    shell::run(
        Command::new(tools.join("llvm-profdata"))
            .args(["merge", "--sparse"])
            .arg(&raw)
            .arg("-o")
            .arg(&merged),
    )?;
    let mut export = Command::new(tools.join("llvm-cov"));
    export
        .args(["export", "--summary-only", "--instr-profile"])
        .arg(&merged)
        .arg(&binary)
        .arg(package.join("src"));
    let exported: Value =
        serde_json::from_str(&shell::stdout(&mut export)?).context("read what llvm-cov says")?;
    let totals = &exported["data"][0]["totals"];
    let percent = |what: &str| totals[what]["percent"].clone();
    Ok(json!({
        "lines": percent("lines"), "regions": percent("regions"), "branches": percent("branches"),
        "branch_sides": totals["branches"]["count"],
    }))
}

/// The test program, with counters in it.
fn build(repo: &Repo, package: &Path, home: &Path) -> Result<PathBuf> {
    let mut cargo = repo.cargo();
    cargo
        .args(["test", "--quiet", "--test", "testsmith", "--no-run", "--message-format=json"])
        .current_dir(package);
    cargo.env("RUSTFLAGS", FLAGS).env("RUSTC_BOOTSTRAP", "1").env("CARGO_TARGET_DIR", home.join("target"));
    let messages = shell::stdout(&mut cargo)?;
    let documents = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let of_tests = documents.filter(|message| message["target"]["name"] == "testsmith");
    let binary = of_tests.filter_map(|message| message["executable"].as_str().map(PathBuf::from)).next_back();
    binary.context("find the test program in what cargo says")
}

/// Where rustup puts LLVM's programs.
pub(super) fn tools() -> Result<PathBuf> {
    let sysroot = shell::stdout(Command::new("rustc").args(["--print", "sysroot"]))?;
    let host = shell::stdout(Command::new("rustc").args(["--print", "host-tuple"]))?;
    let tools = Path::new(sysroot.trim()).join("lib/rustlib").join(host.trim()).join("bin");
    match tools.join(format!("llvm-cov{}", env::consts::EXE_SUFFIX)).exists() {
        true => Ok(tools),
        false => Err(Fail::new("llvm-cov is missing; `rustup component add llvm-tools` adds it")),
    }
}
