//! `cargo testsmith explain`: the story of one mutant, from the sources and from what the last runs have left.

use std::fmt::Write;
use std::path::Path;

use serde_json::Value;
use testsmith_instrument::{Mutant, Plan, State};

use crate::build::Builder;
use crate::config::nearest;
use crate::failure::Failure;
use crate::filter::Filter;
use crate::list;
use crate::options::PackageOptions;
use crate::report::lines::{excerpt, list_line};

/// What the last runs of `score` and `generate` have left; each may be missing.
struct Records {
    score: Option<Value>,
    generate: Option<Value>,
}

/// Prints the story.
pub(crate) fn run(
    options: &PackageOptions,
    filter: &Filter,
    builder: &Builder,
    id: &str,
) -> Result<(), Failure> {
    let plan = list::plan(options, filter, builder)?;
    let Some((mutant, state)) = plan.iter().find(|(mutant, _)| mutant.id.0 == id) else {
        let like = nearest(id, plan.mutants.iter().map(|mutant| mutant.id.0.as_str()));
        return Err(Failure::usage(format!(
            "there is no mutant `{id}`\n  did you mean `{like}`? `cargo testsmith list --json` prints all of them; an id changes \
             with the function that the mutant is in"
        )));
    };
    let home = &builder.copies.home;
    let records =
        Records { score: read(&home.join("score.json")), generate: read(&home.join("generate.json")) };
    let mut text = source(&plan, mutant);
    text += &rejected(state);
    text += &records.by_existing(id);
    text += &records.by_generated(id);
    crate::print_text(&text);
    Ok(())
}

/// Where it is, and what it changes.
fn source(plan: &Plan, mutant: &Mutant) -> String {
    let excerpt = excerpt(plan, mutant);
    let mut text = format!("{}\n", list_line(plan, mutant));
    for line in &excerpt.before {
        let _ = writeln!(text, "  {:>5} | - {}", excerpt.line, line.trim_end());
    }
    for line in &excerpt.after {
        let _ = writeln!(text, "        | + {}", line.trim_end());
    }
    text
}

fn rejected(state: &State) -> String {
    match state {
        State::Unviable(reason) => format!("the compiler rejects it: {reason}\n"),
        State::Alive | State::Deselected | State::Fixed(_) => String::new(),
    }
}

/// A document of an earlier run.
fn read(path: &Path) -> Option<Value> {
    serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok()
}

/// The entry of a list that is about a mutant.
fn entry<'a>(document: &'a Value, list: &str, id: &str) -> Option<&'a Value> {
    document.get(list)?.as_array()?.iter().find(|entry| entry["id"] == id)
}

impl Records {
    fn by_existing(&self, id: &str) -> String {
        let Some(score) = &self.score else {
            return "existing tests: not judged; `cargo testsmith score` does it\n".to_owned();
        };
        let Some(verdict) = entry(score, "verdicts", id) else {
            return "existing tests: it was not part of the last score\n".to_owned();
        };
        let word = verdict["verdict"].as_str().unwrap_or_default();
        match (word, verdict["by"].as_str()) {
            ("killed" | "timeout", Some(test)) => format!("existing tests: {word} by `{test}`\n"),
            ("unviable", _) => {
                format!(
                    "existing tests: the compiler rejects it: {}\n",
                    verdict["reason"].as_str().unwrap_or_default()
                )
            }
            _ => format!("existing tests: {word}\n"),
        }
    }

    fn by_generated(&self, id: &str) -> String {
        let Some(generate) = &self.generate else {
            return "generated tests: none yet; `cargo testsmith generate` writes them\n".to_owned();
        };
        let tests = generate["written"].as_array().map(Vec::as_slice).unwrap_or_default();
        let kills =
            |test: &&Value| test["kills"].as_array().is_some_and(|kills| kills.iter().any(|kill| kill == id));
        if let Some(test) = tests.iter().find(kills) {
            return format!(
                "generated tests: killed by `{}`, which was seen to fail on it\n",
                test["name"].as_str().unwrap_or_default()
            );
        }
        let Some(survivor) = entry(generate, "survivors", id) else {
            return "generated tests: it was not a goal of the last run\n".to_owned();
        };
        let mut text =
            format!("generated tests: alive: {}\n", survivor["reason"].as_str().unwrap_or_default());
        let closest = survivor["closest"].as_array().map(Vec::as_slice).unwrap_or_default();
        if !closest.is_empty() {
            text += "the program that came closest:\n";
            for line in closest.iter().filter_map(Value::as_str) {
                let _ = writeln!(text, "    {line}");
            }
        }
        text
    }
}
