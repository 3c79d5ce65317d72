//! cargo-gamma: `cargo gamma run`, read from its report in the mutation-testing-elements format.
//!
//! It gives up (exit code 3) on crates where it cannot tell which mutant does not compile.

use std::collections::BTreeMap;
use std::process::Command;

use serde::Deserialize;
use serde_json::Value;

use super::mutant::Verdict;
use super::record::Reading;
use super::tools::{Place, Read, last_words};
use crate::bench::measure::Measured;
use crate::files;

/// Its default settings, but without memory control: that needs a systemd user session, which the
/// machine of a bench may not have, and the other tools have none of it either.
pub(super) fn command(mut gamma: Command, place: &Place) -> Command {
    gamma.args([
        "run",
        "--no-relaunch",
        "--memory",
        "off",
        "--color",
        "never",
        "--progress",
        "never",
        "--dir",
    ]);
    gamma.arg(&place.package).arg("--artifact-dir").arg(&place.out);
    gamma
}

pub(super) fn read(place: &Place, measured: &Measured) -> Read {
    match measured.exit {
        Some(0) => {
            let report = files::read(&place.out.join("gamma-report.json"));
            parse(&report.map_err(|fail| fail.to_string())?)
        }
        _ => Err(last_words(measured)),
    }
}

#[derive(Deserialize)]
struct Report {
    files: BTreeMap<String, File>,
    #[serde(default)]
    config: Value,
}

#[derive(Deserialize)]
struct File {
    mutants: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    status: String,
    #[serde(default)]
    status_reason: Option<String>,
}

fn parse(report: &str) -> Read {
    let report: Report =
        serde_json::from_str(report).map_err(|error| format!("its report could not be read: {error}"))?;
    let mut reading = Reading { own_account: report.config, ..Reading::default() };
    for entry in report.files.values().flat_map(|file| &file.mutants) {
        match verdict(entry)? {
            Some(verdict) => reading.tally.count(verdict),
            None => reading.tally.generated += 1,
        }
    }
    Ok(reading)
}

/// The format counts a time-out as detected and cargo-gamma does not, so that it writes those as
/// survivors with a reason. What it ignored or did not get to has no verdict.
fn verdict(entry: &Entry) -> Result<Option<Verdict>, String> {
    let timed_out = entry.status_reason.as_deref().is_some_and(|reason| reason.starts_with("timed out: "));
    match entry.status.as_str() {
        "Killed" => Ok(Some(Verdict::Killed)),
        "Survived" if timed_out => Ok(Some(Verdict::Timeout)),
        "Survived" => Ok(Some(Verdict::Survived)),
        "Timeout" => Ok(Some(Verdict::Timeout)),
        "NoCoverage" => Ok(Some(Verdict::Unreached)),
        "CompileError" => Ok(Some(Verdict::Unviable)),
        "Ignored" | "Pending" => Ok(None),
        other => Err(format!("unknown status `{other}` in its report")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::mutant::Tally;
    use super::*;

    fn parse_entries(entries: &[Value]) -> Read {
        parse(&json!({"schemaVersion": "2", "files": {"src/a.rs": {"mutants": entries}}}).to_string())
    }

    #[test]
    fn statuses_become_verdicts() {
        let mut entries: Vec<_> = ["Killed", "Survived", "NoCoverage", "CompileError", "Ignored"]
            .iter()
            .map(|status| json!({"id": "0", "status": status}))
            .collect();
        entries.push(json!({"id": "0", "status": "Survived", "statusReason": "timed out: no progress"}));
        let expected = Tally { generated: 6, unviable: 1, unreached: 1, killed: 1, timeout: 1, survived: 1 };
        assert_eq!(parse_entries(&entries).unwrap().tally, expected);
    }

    #[test]
    fn a_status_of_a_newer_version_is_not_guessed() {
        assert!(parse_entries(&[json!({"status": "Exploded"})]).is_err());
    }
}
