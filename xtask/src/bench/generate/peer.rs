//! What cargo-mutants says of the written tests alone.
//!
//! It also seeds defects into functions that a cfg option switches off, as those of features that are not on, and no test
//! can miss or catch these. The compiler says which functions those are: each that has a missed mutant is given a
//! `compile_error!`, and those that the compiler then complains of are compiled.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::bench::peers::MUTANTS;
use crate::fail::{Context, Fail, Result};
use crate::repo::Repo;
use crate::{files, shell};

/// What stands in the message of a function that is compiled, before its number.
const MARK: &str = "testsmith-bench-";

/// How many mutants the written tests catch (also by time-outs), how many there are that compile, and how many of these
/// are in functions that are not compiled; of one mutant in N, if a part K/N is named.
pub(super) fn judge(repo: &Repo, peer: &Path, package: &Path, shard: Option<&str>) -> Result<Value> {
    let out = package.with_file_name("mutants");
    files::fresh_dir(&out)?;
    let mut command = MUTANTS.command(peer);
    command.args(["--no-shuffle", "--jobs", "2", "--cargo-test-arg=--test=testsmith", "--output"]);
    command.arg(&out).current_dir(package).env_remove("CARGO_TARGET_DIR");
    if let Some(shard) = shard {
        command.args(["--sharding=round-robin", "--shard", shard]);
    }
    command.stdout(Stdio::null()).stderr(Stdio::null());
    shell::status(&mut command)?;
    let out = out.join("mutants.out");
    let names = |file: &str| -> Result<Vec<String>> {
        Ok(files::read(&out.join(file))?.lines().map(str::to_owned).collect())
    };
    let (caught, missed) = (names("caught.txt")?.len() + names("timeout.txt")?.len(), names("missed.txt")?);
    let mutants: Vec<Value> =
        serde_json::from_str(&files::read(&out.join("mutants.json"))?).context("read the peer's mutants")?;
    let is_missed =
        |mutant: &&Value| mutant["name"].as_str().is_some_and(|name| missed.iter().any(|it| it == name));
    let ends: Vec<End> = mutants.iter().filter(is_missed).filter_map(End::of).collect();
    let compiled = compiled(repo, package, &ends.iter().cloned().collect())?;
    let not_compiled = ends.iter().filter(|end| !compiled.contains(end)).count();
    Ok(
        json!({ "caught": caught, "judged": caught + missed.len(), "not_compiled": not_compiled, "shard": shard }),
    )
}

/// Where the body of a function ends, after its brace.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct End {
    file: String,
    line: usize,
    column: usize,
}

impl End {
    /// Of the function that a mutant is in.
    fn of(mutant: &Value) -> Option<End> {
        let end = &mutant["function"]["span"]["end"];
        let number = |name: &str| usize::try_from(end[name].as_u64()?).ok();
        Some(End {
            file: mutant["file"].as_str()?.to_owned(),
            line: number("line")?,
            column: number("column")?,
        })
    }
}

/// Those of some functions that are compiled, in the library and in programs.
fn compiled(repo: &Repo, package: &Path, functions: &BTreeSet<End>) -> Result<BTreeSet<End>> {
    let copy = package.with_file_name("compiled");
    files::fresh_dir(&copy)?;
    files::copy_package(package, &copy)?;
    let mut open = functions.clone();
    loop {
        mark(package, &copy, functions, &open)?;
        let mut cargo = repo.cargo();
        cargo.args(["check", "--quiet", "--message-format=short"]).current_dir(&copy);
        let checked = cargo.env_remove("CARGO_TARGET_DIR").output().context("start cargo check")?;
        if checked.status.success() {
            return Ok(functions.difference(&open).cloned().collect());
        }
        let said = String::from_utf8_lossy(&checked.stderr).into_owned();
        let seen: BTreeSet<usize> = marks(&said).collect();
        if seen.is_empty() {
            return Err(Fail::new(format!(
                "a marked copy of {} does not compile: {said}",
                package.display()
            )));
        }
        // Programs are looked at only when the library compiles.
        let numbers: BTreeMap<usize, &End> = functions.iter().enumerate().collect();
        seen.iter().filter_map(|number| numbers.get(number)).for_each(|end| {
            open.remove(*end);
        });
    }
}

/// Writes the sources to the copy, with a mark of its number at the end of each function that is open.
fn mark(package: &Path, copy: &Path, functions: &BTreeSet<End>, open: &BTreeSet<End>) -> Result<()> {
    let names: BTreeSet<&String> = functions.iter().map(|end| &end.file).collect();
    for name in names {
        let text = files::read(&package.join(name))?;
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let here = functions.iter().enumerate().filter(|(_, end)| end.file == *name && open.contains(end));
        // From the last on, so that places before it stay as they are.
        for (number, end) in here.rev() {
            if let Some(line) = lines.get_mut(end.line - 1) {
                *line = marked(line, end.column, number);
            }
        }
        files::write(&copy.join(name), &(lines.join("\n") + "\n"))?;
    }
    Ok(())
}

/// A line in which a function ends before a column, with a mark before its brace: whatever stands there becomes a statement.
fn marked(line: &str, column: usize, number: usize) -> String {
    let brace = line.char_indices().map(|(at, _)| at).nth(column.saturating_sub(2)).unwrap_or(line.len());
    format!("{}; compile_error!(\"{MARK}{number}.\") {}", &line[..brace], &line[brace..])
}

/// The numbers in what the compiler says.
fn marks(said: &str) -> impl Iterator<Item = usize> {
    said.split(MARK).skip(1).filter_map(|rest| rest.split('.').next()?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_stands_before_the_brace_that_ends_a_function() {
        assert_eq!(marked("    }", 6, 3), "    ; compile_error!(\"testsmith-bench-3.\") }");
        let line = "fn ä() { 1 } fn b() {}";
        assert_eq!(marked(line, 13, 0), "fn ä() { 1 ; compile_error!(\"testsmith-bench-0.\") } fn b() {}");
    }

    #[test]
    fn marks_are_found_in_what_the_compiler_says() {
        let said = "src/lib.rs:1:2: error: testsmith-bench-7.\nsrc/lib.rs:9:2: error: testsmith-bench-12.\nerror: could not";
        assert_eq!(marks(said).collect::<Vec<_>>(), [7, 12]);
    }
}
