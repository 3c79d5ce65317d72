//! `cargo xtask bench programs`: do the borrow rules of test programs say what rustc says, on the API of real crates?
//!
//! Random programs become two test files of the crate: of those that the rules accept all should compile, of those that
//! they reject hardly any.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::fail::{Context, Fail, Result};
use crate::repo::Repo;
use crate::subjects::Subject;
use crate::{files, shell};

const CRATES: &str = "strsim,semver,fixedbitset,humantime,heck,slab,smallvec,arrayvec,textwrap,hex";

/// What the borrow checker says.
const BORROW_ERRORS: [&str; 11] =
    ["E0381", "E0382", "E0499", "E0502", "E0503", "E0505", "E0506", "E0521", "E0597", "E0713", "E0716"];

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Subjects to run on
    #[arg(long, value_delimiter = ',', default_value = CRATES)]
    crates: Vec<String>,
    /// Programs of each kind for each crate
    #[arg(long, default_value_t = 500)]
    programs: usize,
    /// A cargo-testsmith to use instead of building one from this checkout
    #[arg(long)]
    testsmith: Option<PathBuf>,
}

pub(crate) fn run(repo: &Repo, args: &Args) -> Result<()> {
    let (wanted, tool) = super::ready(repo, &args.crates, args.testsmith.as_deref())?;
    let mut sum = Rates::default();
    println!("{:24} accepted  compile  rejected  do not compile", "crate");
    for subject in &wanted {
        let rates = measure(repo, args, subject, &tool)?;
        println!("{}", rates.line(&subject.folder()));
        rates.examples.iter().for_each(|example| println!("    {example}"));
        sum.add(&rates);
    }
    println!("{}", sum.line("all"));
    Ok(())
}

/// What came of the programs of a crate.
#[derive(Default)]
struct Rates {
    accepted: usize,
    compiled: usize,
    rejected: usize,
    refused: usize,
    /// Of accepted programs that do not compile.
    examples: Vec<String>,
}

impl Rates {
    fn line(&self, name: &str) -> String {
        let Rates { accepted, compiled, rejected, refused, .. } = self;
        format!("{name:24} {accepted:8}  {compiled:7}  {rejected:8}  {refused:14}")
    }

    fn add(&mut self, other: &Rates) {
        self.accepted += other.accepted;
        self.compiled += other.compiled;
        self.rejected += other.rejected;
        self.refused += other.refused;
    }
}

fn measure(repo: &Repo, args: &Args, subject: &Subject, tool: &Path) -> Result<Rates> {
    let home = repo.target().join("bench/programs").join(subject.folder());
    files::fresh_dir(&home)?;
    let package = home.join("package");
    files::copy_package(&subject.path(repo), &package)?;
    let tests = home.join("tests");
    let mut write = Command::new(tool);
    write.args(["testsmith", "execute", "--quiet", "--count", &args.programs.to_string(), "--write"]);
    shell::run(write.arg(&tests).current_dir(&package))?;
    let manifest = package.join("Cargo.toml");
    let targets = ["accepted", "rejected"].map(|name| {
        format!(
            "\n[[test]]\nname = \"{name}\"\npath = \"{}\"\n",
            tests.join(name).with_extension("rs").display()
        )
    });
    files::write(&manifest, &(files::read(&manifest)? + &targets.concat()))?;
    let (accepted, wrong) = judged(repo, &package, &tests, "accepted")?;
    let (rejected, refused) = judged(repo, &package, &tests, "rejected")?;
    let is_borrow = |error: &&String| BORROW_ERRORS.iter().any(|code| error.contains(code));
    Ok(Rates {
        accepted,
        compiled: accepted - wrong.len(),
        rejected,
        refused: refused.values().filter(is_borrow).count(),
        examples: wrong.iter().take(5).map(|(program, error)| format!("p{program}: {error}")).collect(),
    })
}

/// How many programs a file has, and which of them do not compile, each with its first error.
fn judged(repo: &Repo, package: &Path, tests: &Path, name: &str) -> Result<(usize, BTreeMap<usize, String>)> {
    let text = files::read(&tests.join(name).with_extension("rs"))?;
    let mut cargo = repo.cargo();
    cargo.args(["check", "--quiet", "--message-format=short", "--test", name]).current_dir(package);
    let output = cargo.output().context("start cargo")?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let errors = errors(&said, &format!("{name}.rs"), &text);
    if output.status.success() != errors.is_empty() {
        return Err(Fail::new(format!("{name}.rs does not compile for another reason\n{said}")));
    }
    Ok((text.matches("\nmod p").count(), errors))
}

/// `tests/accepted.rs:12:5: error[E0505]: …` is about the program around line 12.
fn errors(said: &str, file: &str, text: &str) -> BTreeMap<usize, String> {
    let mut program = 0;
    let mut by_line = Vec::new();
    for line in text.lines() {
        let number = line.strip_prefix("mod p").and_then(|rest| rest.split(' ').next()?.parse().ok());
        program = number.unwrap_or(program);
        by_line.push(program);
    }
    let mut errors = BTreeMap::new();
    for message in said.lines() {
        let Some((place, error)) = message.split_once(": error") else { continue };
        let line =
            place.split_once(&format!("{file}:")).and_then(|(_, rest)| rest.split(':').next()?.parse().ok());
        let Some(line) = line.map(|line: usize| line - 1).filter(|line| *line < by_line.len()) else {
            continue;
        };
        errors.entry(by_line[line]).or_insert_with(|| format!("line {}: error{error}", line + 1));
    }
    errors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_leads_to_its_program() {
        let text = "#![allow(warnings)]\nmod p0 {\n    x\n}\nmod p1 {\n    y\n}\n";
        let said = "tests/accepted.rs:6:5: error[E0505]: cannot move\n/a/accepted.rs:6:9: error[E0382]: again\n\
                    error: could not compile `x` (test \"accepted\") due to 1 previous error\n";
        let found = errors(said, "accepted.rs", text);
        assert_eq!(found, BTreeMap::from([(1, "line 6: error[E0505]: cannot move".to_owned())]));
    }
}
