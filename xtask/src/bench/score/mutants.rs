//! cargo-mutants: `cargo mutants --no-shuffle -o <out>`, read from `mutants.out/outcomes.json`.

use std::collections::BTreeMap;
use std::process::Command;

use serde::Deserialize;
use serde_json::json;

use super::mutant::{Mutant, Site, Verdict};
use super::record::Reading;
use super::tools::{Place, Read, last_words};
use crate::bench::measure::Measured;
use crate::files;

/// What may differ from its defaults.
#[derive(Debug, Clone, Copy)]
pub(super) struct Settings {
    /// Mutants at a time.
    pub(super) jobs: Option<usize>,
    /// Its default is all of `cargo test`, doctests included.
    pub(super) doctests: bool,
}

impl Settings {
    /// The tool's name with what was changed, as in the table of figures.
    pub(super) fn name(self) -> String {
        let jobs = self.jobs.map_or_else(String::new, |jobs| format!(" -j{jobs}"));
        format!("cargo-mutants{jobs}{}", if self.doctests { "" } else { " --tests" })
    }
}

/// In the order of the source, with its defaults otherwise.
pub(super) fn command(mut mutants: Command, place: &Place, settings: Settings) -> Command {
    mutants.args(["--no-shuffle", "--colors", "never", "--dir"]).arg(&place.package);
    mutants.arg("--output").arg(&place.out);
    if let Some(jobs) = settings.jobs {
        mutants.args(["--jobs", &jobs.to_string()]);
    }
    if !settings.doctests {
        mutants.args(["--", "--tests"]);
    }
    mutants
}

/// 2 says that mutants were missed and 3 that some timed out.
pub(super) fn read(place: &Place, measured: &Measured) -> Read {
    match measured.exit {
        Some(0 | 2 | 3) => {
            let outcomes = files::read(&place.out.join("mutants.out/outcomes.json"));
            parse(&outcomes.map_err(|fail| fail.to_string())?)
        }
        _ => Err(last_words(measured)),
    }
}

#[derive(Deserialize)]
struct Lab {
    outcomes: Vec<Outcome>,
}

#[derive(Deserialize)]
struct Outcome {
    scenario: Scenario,
    summary: String,
    #[serde(default)]
    phase_results: Vec<Phase>,
}

#[derive(Deserialize)]
enum Scenario {
    Baseline,
    Mutant(Entry),
}

#[derive(Deserialize)]
struct Phase {
    phase: String,
    duration: f64,
}

#[derive(Deserialize)]
struct Entry {
    name: String,
    file: String,
    function: Option<Function>,
    span: Span,
    replacement: String,
    genre: String,
}

#[derive(Deserialize)]
struct Function {
    function_name: String,
    span: Span,
}

#[derive(Deserialize)]
struct Span {
    start: Position,
    end: Position,
}

#[derive(Deserialize)]
struct Position {
    line: usize,
    column: usize,
}

fn parse(outcomes: &str) -> Read {
    let lab: Lab = serde_json::from_str(outcomes)
        .map_err(|error| format!("outcomes.json could not be read: {error}"))?;
    let mut reading = Reading::default();
    let mut seconds: BTreeMap<String, f64> = BTreeMap::new();
    for outcome in lab.outcomes {
        for phase in outcome.phase_results {
            *seconds.entry(phase.phase.to_lowercase()).or_default() += phase.duration;
        }
        if let Scenario::Mutant(entry) = outcome.scenario {
            let verdict = verdict(&outcome.summary)?;
            reading.tally.count(verdict);
            reading.mutants.push(entry.into_mutant(verdict));
        }
    }
    reading.own_account = json!({ "seconds": seconds });
    Ok(reading)
}

fn verdict(summary: &str) -> Result<Verdict, String> {
    match summary {
        "CaughtMutant" => Ok(Verdict::Killed),
        "MissedMutant" => Ok(Verdict::Survived),
        "Timeout" => Ok(Verdict::Timeout),
        "Unviable" => Ok(Verdict::Unviable),
        other => Err(format!("unknown outcome `{other}` in outcomes.json")),
    }
}

impl Entry {
    fn into_mutant(self, verdict: Verdict) -> Mutant {
        let Span { start, end } = self.span;
        let site = match self.function {
            Some(Function { function_name, span }) if self.genre == "FnValue" => {
                Site::Value { function: function_name, first_line: span.start.line, last_line: span.end.line }
            }
            _ => Site::Text {
                line: start.line,
                column: start.column,
                width: (start.line == end.line).then(|| end.column - start.column),
            },
        };
        Mutant {
            name: self.name,
            genre: self.genre,
            file: self.file,
            site,
            replacement: self.replacement,
            verdict,
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use serde_json::Value;

    use super::super::mutant::Tally;
    use super::*;

    /// One entry of `outcomes`, as cargo-mutants 27.1 writes it.
    pub(crate) fn outcome(
        genre: &str,
        place: [usize; 2],
        width: usize,
        replacement: &str,
        summary: &str,
    ) -> Value {
        let [line, column] = place;
        json!({
            "scenario": {"Mutant": {
                "name": format!("src/a.rs:{line}:{column}: {genre} with {replacement}"),
                "package": "a",
                "file": "src/a.rs",
                "function": {
                    "function_name": "T::f",
                    "return_type": "-> i32",
                    "span": {"start": {"line": 2, "column": 1}, "end": {"line": 9, "column": 2}}
                },
                "span": {"start": {"line": line, "column": column}, "end": {"line": line, "column": column + width}},
                "replacement": replacement,
                "genre": genre
            }},
            "summary": summary,
            "log_path": "log/x.log",
            "phase_results": [
                {"phase": "Build", "duration": 0.5, "process_status": "Success", "argv": []},
                {"phase": "Test", "duration": 0.25, "process_status": {"Failure": 101}, "argv": []}
            ]
        })
    }

    fn lab(outcomes: &[Value]) -> String {
        let baseline = json!({"scenario": "Baseline", "summary": "Success", "phase_results": []});
        let all: Vec<&Value> = std::iter::once(&baseline).chain(outcomes).collect();
        json!({ "outcomes": all, "total_mutants": outcomes.len() }).to_string()
    }

    pub(crate) fn mutants(outcomes: &[Value]) -> Vec<Mutant> {
        parse(&lab(outcomes)).expect("the outcomes are well formed").mutants
    }

    #[test]
    fn the_name_tells_what_was_changed() {
        assert_eq!(Settings { jobs: None, doctests: true }.name(), "cargo-mutants");
        assert_eq!(Settings { jobs: Some(2), doctests: false }.name(), "cargo-mutants -j2 --tests");
    }

    #[test]
    fn the_baseline_is_no_mutant() {
        let reading = parse(&lab(&[])).unwrap();
        assert_eq!(reading.tally, Tally::default());
    }

    #[test]
    fn verdicts_and_phases_are_summed_up() {
        let summaries = ["CaughtMutant", "MissedMutant", "Timeout", "Unviable"];
        let outcomes: Vec<_> =
            summaries.iter().map(|summary| outcome("BinaryOperator", [3, 7], 1, "-", summary)).collect();
        let reading = parse(&lab(&outcomes)).unwrap();
        let expected = Tally { generated: 4, unviable: 1, unreached: 0, killed: 1, timeout: 1, survived: 1 };
        assert_eq!(reading.tally, expected);
        assert_eq!(reading.own_account["seconds"]["build"], 2.0);
    }

    #[test]
    fn function_values_carry_the_lines_of_their_function() {
        let mutants = mutants(&[outcome("FnValue", [3, 5], 5, "0", "CaughtMutant")]);
        assert_eq!(mutants[0].site, Site::Value { function: "T::f".to_owned(), first_line: 2, last_line: 9 });
    }

    #[test]
    fn an_outcome_of_a_newer_version_is_not_guessed() {
        let outcomes = [outcome("FnValue", [3, 5], 5, "0", "Exploded")];
        assert_eq!(parse(&lab(&outcomes)).unwrap_err(), "unknown outcome `Exploded` in outcomes.json");
    }
}
