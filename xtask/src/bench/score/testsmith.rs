//! testsmith: `cargo-testsmith testsmith score --json`, read from stdout.

use std::path::Path;
use std::process::Command;

use serde::Deserialize;
use serde_json::{Value, json};

use super::mutant::{Mutant, Site, Tally, Verdict};
use super::record::Reading;
use super::tools::{Place, Read, last_words};
use crate::bench::measure::Measured;

/// The operator that replaces the value of a function.
const VALUE_OPERATOR: &str = "fn-value";

pub(super) fn command(binary: &Path, place: &Place) -> Command {
    let mut command = Command::new(binary);
    command.args(["testsmith", "score", "--json", "--manifest-path"]).arg(place.package.join("Cargo.toml"));
    command
}

pub(super) fn read(_place: &Place, measured: &Measured) -> Read {
    match measured.exit {
        Some(0 | 2 | 3) => parse(&measured.stdout),
        _ => Err(last_words(measured)),
    }
}

#[derive(Deserialize)]
struct Report {
    mutants: Tally,
    #[serde(default)]
    score: Value,
    #[serde(default)]
    tests: Value,
    #[serde(default)]
    seconds: Value,
    #[serde(default)]
    memory: Value,
    verdicts: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    file: String,
    line: usize,
    column: usize,
    operator: String,
    #[serde(default)]
    function: Option<String>,
    before: String,
    after: String,
    verdict: String,
}

fn parse(stdout: &str) -> Read {
    let report: Report =
        serde_json::from_str(stdout).map_err(|error| format!("its JSON could not be read: {error}"))?;
    Ok(Reading {
        tally: report.mutants,
        own_account: json!({
            "score": report.score,
            "tests": report.tests,
            "seconds": report.seconds,
            "memory": report.memory,
        }),
        mutants: report.verdicts.into_iter().map(Entry::into_mutant).collect::<Result<_, _>>()?,
    })
}

fn verdict(word: &str) -> Result<Verdict, String> {
    match word {
        "killed" => Ok(Verdict::Killed),
        "timeout" => Ok(Verdict::Timeout),
        "survived" => Ok(Verdict::Survived),
        "unreached" => Ok(Verdict::Unreached),
        "unviable" => Ok(Verdict::Unviable),
        // Figures of a run that was cut short would flatter it.
        "not_run" => Err("the run ended before all mutants were judged".to_owned()),
        other => Err(format!("unknown verdict `{other}` in its JSON")),
    }
}

impl Entry {
    fn into_mutant(self) -> Result<Mutant, String> {
        let function = self.function.unwrap_or_default();
        let site = if self.operator == VALUE_OPERATOR {
            Site::Value { function: function.clone(), first_line: self.line, last_line: self.line }
        } else {
            let width = (!self.before.contains('\n')).then(|| self.before.chars().count());
            Site::Text { line: self.line, column: self.column, width }
        };
        Ok(Mutant {
            name: format!(
                "{}:{}:{}: {} `{}` -> `{}` in {function}",
                self.file, self.line, self.column, self.operator, self.before, self.after
            ),
            genre: self.operator,
            file: self.file,
            site,
            replacement: replacement(&self.before, self.after),
            verdict: verdict(&self.verdict)?,
        })
    }
}

/// `!a` that becomes `a` is the deletion of `!` to cargo-mutants.
fn replacement(before: &str, after: String) -> String {
    let operand = before.strip_prefix(['!', '-']).map(str::trim_start);
    if operand.is_some_and(|operand| operand == after.trim()) { String::new() } else { after }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A report with the given `verdicts`, as the tool would print it.
    pub(crate) fn report(verdicts: &Value) -> String {
        json!({
            "mutants": {"generated": 4, "unviable": 1, "unreached": 0, "killed": 2, "timeout": 0, "survived": 1},
            "score": 66.7,
            "seconds": {"build": 1.5, "run": 0.5, "total": 2.0},
            "verdicts": verdicts,
        })
        .to_string()
    }

    pub(crate) fn mutants(verdicts: &Value) -> Vec<Mutant> {
        parse(&report(verdicts)).expect("the report is well formed").mutants
    }

    #[test]
    fn the_tool_is_told_the_manifest_and_asked_for_json() {
        let place = Place { package: "a".into(), out: "b".into() };
        let line = crate::shell::line(&command(Path::new("cargo-testsmith"), &place));
        assert_eq!(line, "cargo-testsmith testsmith score --json --manifest-path a/Cargo.toml");
    }

    #[test]
    fn the_tally_and_the_times_are_taken_over() {
        let reading = parse(&report(&json!([]))).unwrap();
        assert_eq!((reading.tally.generated, reading.tally.judged()), (4, 3));
        assert_eq!(reading.own_account["seconds"]["build"], 1.5);
        assert_eq!(reading.own_account["memory"], Value::Null);
    }

    #[test]
    fn operators_are_told_from_function_values() {
        let mutants = mutants(&json!([
            {"id": 1, "file": "src/a.rs", "line": 3, "column": 7, "operator": "arithmetic", "function": "f",
             "before": "+", "after": "-", "verdict": "killed"},
            {"id": 2, "file": "src/a.rs", "line": 2, "column": 1, "operator": "fn-value", "function": "T::f",
             "before": "{ a + b }", "after": "0", "verdict": "survived"},
        ]));
        assert_eq!(mutants[0].site, Site::Text { line: 3, column: 7, width: Some(1) });
        assert_eq!(mutants[1].site, Site::Value { function: "T::f".to_owned(), first_line: 2, last_line: 2 });
    }

    #[test]
    fn dropping_a_prefix_is_a_deletion() {
        assert_eq!(replacement("!(a > b)", "(a > b)".to_owned()), "");
        assert_eq!(replacement("!", String::new()), "");
        assert_eq!(replacement("-1", "0".to_owned()), "0");
    }

    #[test]
    fn a_run_that_was_cut_short_has_no_figures() {
        let entry = json!({"file": "a.rs", "line": 1, "column": 1, "operator": "aor", "before": "+",
                           "after": "-", "verdict": "not_run"});
        let why = parse(&report(&json!([entry]))).unwrap_err();
        assert_eq!(why, "the run ended before all mutants were judged");
    }

    #[test]
    fn garbage_is_a_reason_and_not_a_crash() {
        assert!(parse("not json").unwrap_err().starts_with("its JSON could not be read"));
    }
}
