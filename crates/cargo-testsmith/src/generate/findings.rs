//! Panics that nobody declared: for each place the shortest program that shows it.

use serde::Serialize;
use testsmith_ir::{Program, check, render};
use testsmith_rt::harness::wire::Outcome;
use testsmith_search::Found;
use testsmith_suite::lab::Lab;
use testsmith_suite::oracle::Writer;
use testsmith_suite::reduce;

use super::judgement::Expert;
use crate::failure::Failure;
use crate::workers::failure;

/// A panic that the docs do not declare.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Finding {
    /// `overflow`, `index`, `unwrap`, `explicit` or `other`.
    pub(crate) kind: &'static str,
    pub(crate) message: String,
    pub(crate) file: String,
    pub(crate) line: u32,
    /// What is called.
    pub(crate) callable: String,
    /// The statements that lead to it.
    pub(crate) program: Vec<String>,
    /// The paths that they need imported.
    pub(crate) imports: Vec<String>,
}

/// The panics of a search that nobody declared, by place.
pub(crate) fn findings(lab: &Lab<'_>, expert: &Expert<'_>, found: &Found) -> Result<Vec<Finding>, Failure> {
    let mut undeclared = Vec::new();
    for ((file, line), panic) in &found.panics {
        let mut program = panic.program.as_ref().clone();
        program.statements.truncate(usize::from(panic.statement) + 1);
        let outcome = Outcome::Panic { message: panic.message.clone(), file: file.clone(), line: *line };
        // Places of the standard library and of dependencies say nothing to whoever reads this.
        if expert.is_own(file) && !expert.is_declared(&program, &outcome) {
            undeclared.push(((file.clone(), *line), program));
        }
    }
    let reduced = reduce::panics(lab, undeclared).map_err(failure)?;
    let finding = |((file, line), program): ((String, u32), Program)| {
        let message = found.panics[&(file.clone(), line)].message.clone();
        let callable = expert.last_of(&program).map_or(String::new(), |origin| origin.path.clone());
        let (program, imports) = shown(lab, &program);
        Finding { kind: kind(&message, expert, &file, line), message, file, line, callable, program, imports }
    };
    Ok(reduced.into_iter().map(finding).collect())
}

/// A program as text, with what it needs imported.
pub(crate) fn shown(lab: &Lab<'_>, program: &Program) -> (Vec<String>, Vec<String>) {
    let Ok(liveness) = check(lab.api, program) else { return (Vec::new(), Vec::new()) };
    let rendered = render(lab.api, program, &liveness, &render::Options::default());
    let lines = rendered.body.lines().map(str::to_owned).collect();
    (lines, rendered.imports.into_iter().collect())
}

fn kind(message: &str, expert: &Expert<'_>, file: &str, line: u32) -> &'static str {
    let table = [
        ("overflow", "overflow"),
        ("divide by zero", "overflow"),
        ("divisor of zero", "overflow"),
        ("index out of bounds", "index"),
        ("out of range", "index"),
        ("char boundary", "index"),
        ("called `Option::unwrap()`", "unwrap"),
        ("called `Result::unwrap()`", "unwrap"),
    ];
    let known = table.iter().find(|(part, _)| message.contains(part)).map(|(_, kind)| *kind);
    known.unwrap_or(if expert.is_explicit(file, line) { "explicit" } else { "other" })
}
