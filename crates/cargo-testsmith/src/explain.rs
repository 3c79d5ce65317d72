//! `cargo testsmith explain`: the story of one mutant, from the sources and from what the last runs have left; or of a written test all
//! mutants that it was seen to fail on.
//!
//! A [`Story`] is what is known; it is printed as JSON or as text.

use std::fmt::Write;
use std::path::Path;

use serde::Serialize;
use serde_json::Value;
use testsmith_instrument::{Mutant, Plan, State};

use crate::build::Builder;
use crate::failure::Failure;
use crate::filter::Filter;
use crate::list;
use crate::options::{Output, PackageOptions};
use crate::report::json::{MutantEntry, SCHEMA};
use crate::report::lines::{excerpt, shown_line};
use crate::selector::Selector;

/// `explain --json`.
#[derive(Serialize)]
struct Document {
    schema: &'static str,
    mutants: Vec<Story>,
}

/// What is known of one mutant.
#[derive(Serialize)]
struct Story {
    #[serde(flatten)]
    mutant: MutantEntry,
    /// Its line in `list`.
    #[serde(skip)]
    line: String,
    diff: Diff,
    /// Why the compiler rejects it.
    #[serde(skip_serializing_if = "Option::is_none")]
    rejected: Option<String>,
    /// Why the user accepts it.
    #[serde(skip_serializing_if = "Option::is_none")]
    accepted: Option<String>,
    existing: ByExisting,
    generated: ByGenerated,
}

/// The lines that it changes.
#[derive(Serialize)]
struct Diff {
    before: Vec<String>,
    after: Vec<String>,
}

/// What the existing tests do, as the last `score` has found; without a verdict it was not part of it.
#[derive(Default, Serialize)]
struct ByExisting {
    /// Whether there was a score.
    judged: bool,
    verdict: Option<String>,
    by: Option<String>,
    reason: Option<String>,
}

/// What became of it in the last `generate`.
#[derive(Default, Serialize)]
struct ByGenerated {
    /// Whether there was one.
    searched: bool,
    /// The test that kills it.
    killed_by: Option<String>,
    /// Why it is alive.
    reason: Option<String>,
    /// The program that came closest.
    closest: Vec<String>,
    /// What was seen then.
    observed: Option<String>,
    /// What held in all calls that were seen, and not with it.
    breaks: Vec<String>,
    /// How much it changes in the program that came closest: statements and values.
    #[serde(skip_serializing_if = "Option::is_none")]
    impact: Option<Value>,
    /// What a solver has found out of it, as in the survivors of `generate`.
    #[serde(skip_serializing_if = "Option::is_none")]
    solved: Option<Value>,
}

/// Prints the story.
pub(crate) fn run(
    options: &PackageOptions,
    filter: &Filter,
    builder: &Builder,
    name: &str,
    output: Output,
) -> Result<(), Failure> {
    let plan = list::plan(options, filter, builder)?;
    let home = &builder.copies.home;
    let [score, generate] = ["score.json", "generate.json"].map(|name| read(&home.join(name)));
    let names = options.names();
    let test = generate.as_ref().and_then(|generate| test(generate, name));
    let mutants = match &test {
        Some(test) => plan.mutants.iter().filter(|mutant| test.kills.contains(&mutant.id.0)).collect(),
        None => Selector::new(name).find(&plan)?,
    };
    if let Some(test) = test.filter(|_| !output.json) {
        let lines: String =
            mutants.iter().map(|mutant| format!("  {}\n", shown_line(&plan, mutant))).collect();
        crate::print_text(&format!("`{}` was seen to fail on these defects:\n{lines}", test.name));
        return Ok(());
    }
    let story = |mutant: &Mutant| Story::new(&plan, mutant, &names, score.as_ref(), generate.as_ref());
    let stories: Vec<Story> = mutants.into_iter().map(story).collect();
    match output.json {
        true => crate::print_json(&Document { schema: SCHEMA, mutants: stories }),
        false => {
            let texts: Vec<String> = stories.iter().map(Story::text).collect();
            crate::print_text(&texts.join("\n"));
        }
    }
    Ok(())
}

/// A test of the last run.
struct WrittenTest {
    name: String,
    /// Ids of mutants.
    kills: Vec<String>,
}

/// The test of this name, with or without its module.
fn test(generate: &Value, name: &str) -> Option<WrittenTest> {
    let is_it = |test: &&Value| {
        let full = test["name"].as_str().unwrap_or_default();
        full == name || full.rsplit("::").next() == Some(name) && !name.is_empty()
    };
    let test = generate["written"].as_array()?.iter().find(is_it)?;
    let kills = test["kills"].as_array()?.iter().filter_map(|id| id.as_str().map(str::to_owned)).collect();
    Some(WrittenTest { name: test["name"].as_str()?.to_owned(), kills })
}

/// A document of an earlier run.
fn read(path: &Path) -> Option<Value> {
    serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok()
}

/// The entry of a list that is about a mutant.
fn entry<'a>(document: &'a Value, list: &str, id: &str) -> Option<&'a Value> {
    document.get(list)?.as_array()?.iter().find(|entry| entry["id"] == id)
}

fn text_of(entry: &Value, key: &str) -> Option<String> {
    entry[key].as_str().map(str::to_owned)
}

impl Story {
    fn new(
        plan: &Plan,
        mutant: &Mutant,
        packages: &[String],
        score: Option<&Value>,
        generate: Option<&Value>,
    ) -> Story {
        let excerpt = excerpt(plan, mutant);
        let (rejected, accepted) = match &plan.states[mutant.number as usize - 1] {
            State::Unviable(reason) | State::Fixed(reason) => (Some(reason.clone()), None),
            State::Accepted(reason) => (None, Some(reason.clone())),
            State::Alive | State::Deselected => (None, None),
        };
        Story {
            line: shown_line(plan, mutant),
            diff: Diff { before: excerpt.before, after: excerpt.after },
            rejected,
            accepted,
            existing: score.map(|score| ByExisting::new(score, &mutant.id.0)).unwrap_or_default(),
            generated: generate.map(|generate| ByGenerated::new(generate, &mutant.id.0)).unwrap_or_default(),
            mutant: MutantEntry::new(plan, mutant, packages),
        }
    }

    fn text(&self) -> String {
        let mut text = format!("{}\n", self.line);
        for line in &self.diff.before {
            let _ = writeln!(text, "  {:>5} | - {}", self.mutant.line, line.trim_end());
        }
        for line in &self.diff.after {
            let _ = writeln!(text, "        | + {}", line.trim_end());
        }
        if let Some(reason) = &self.rejected {
            let _ = writeln!(text, "it cannot be judged: {reason}");
        }
        if let Some(reason) = &self.accepted {
            let _ = writeln!(text, "accepted by the configuration: {reason}");
        }
        text + &self.existing.text() + &self.generated.text()
    }
}

impl ByExisting {
    fn new(score: &Value, id: &str) -> ByExisting {
        let of = |verdict: &Value| ByExisting {
            judged: true,
            verdict: text_of(verdict, "verdict"),
            by: text_of(verdict, "by"),
            reason: text_of(verdict, "reason"),
        };
        let unknown = || ByExisting { judged: true, ..ByExisting::default() };
        entry(score, "verdicts", id).map_or_else(unknown, of)
    }

    fn text(&self) -> String {
        let told = match (self.judged, self.verdict.as_deref(), &self.by, &self.reason) {
            (false, ..) => "not judged; `cargo testsmith score` does it".to_owned(),
            (_, None, ..) => "it was not part of the last score".to_owned(),
            (_, Some("unviable"), _, Some(reason)) => format!("the compiler rejects it: {reason}"),
            (_, Some(verdict), Some(test), _) => format!("{verdict} by `{test}`"),
            (_, Some(verdict), ..) => verdict.to_owned(),
        };
        format!("existing tests: {told}\n")
    }
}

impl ByGenerated {
    fn new(generate: &Value, id: &str) -> ByGenerated {
        let broken = generate["broken_contracts"][id].as_array().into_iter().flatten();
        let breaks = broken.filter_map(|it| it.as_str().map(str::to_owned)).collect();
        let searched = ByGenerated { searched: true, breaks, ..ByGenerated::default() };
        let kills =
            |test: &&Value| test["kills"].as_array().is_some_and(|kills| kills.iter().any(|kill| kill == id));
        let mut tests = generate["written"].as_array().into_iter().flatten();
        if let Some(test) = tests.find(kills) {
            return ByGenerated { killed_by: text_of(test, "name"), ..searched };
        }
        let Some(survivor) = entry(generate, "survivors", id) else { return searched };
        let lines = survivor["closest"].as_array().into_iter().flatten();
        ByGenerated {
            reason: text_of(survivor, "reason"),
            closest: lines.filter_map(|line| line.as_str().map(str::to_owned)).collect(),
            observed: text_of(survivor, "observed"),
            solved: survivor.get("solved").cloned(),
            impact: survivor.get("impact").cloned(),
            ..searched
        }
    }

    fn text(&self) -> String {
        let mut text = match (self.searched, &self.killed_by, &self.reason) {
            (false, ..) => "generated tests: none yet; `cargo testsmith generate` writes them\n".to_owned(),
            (_, Some(test), _) => {
                format!("generated tests: killed by `{test}`, which was seen to fail on it\n")
            }
            (_, None, Some(reason)) => format!("generated tests: alive: {reason}\n"),
            (_, None, None) => "generated tests: it was not a goal of the last run\n".to_owned(),
        };
        if !self.closest.is_empty() {
            text += "the program that came closest:\n";
            self.closest.iter().for_each(|line| {
                let _ = writeln!(text, "    {line}");
            });
        }
        if let Some(observed) = &self.observed {
            let _ = writeln!(text, "what was observed: {observed}");
        }
        for contract in &self.breaks {
            let _ = writeln!(text, "it breaks what held in all calls that were seen: {contract}");
        }
        if let Some(impact) = &self.impact {
            let _ = writeln!(
                text,
                "in that program it changes {} statements and {} values",
                impact["statements"], impact["values"]
            );
        }
        text + &self.solved.as_ref().map(solved_text).unwrap_or_default()
    }
}

/// What a solver was asked, in the terms of the program whose literals were its inputs.
fn solved_text(solved: &Value) -> String {
    let mut text = String::new();
    let list = |key: &str| solved[key].as_array().into_iter().flatten();
    let inputs: Vec<String> = list("inputs")
        .filter_map(|input| Some(format!("{} for {}", input["name"].as_str()?, input["literal"].as_str()?)))
        .collect();
    let _ = writeln!(text, "a solver chose {} in this program:", inputs.join(", "));
    list("program").filter_map(Value::as_str).for_each(|line| {
        let _ = writeln!(text, "    {line}");
    });
    list("path").filter_map(Value::as_str).for_each(|condition| {
        let _ = writeln!(text, "on the path to the mutant: {condition}");
    });
    match solved["condition"].as_str() {
        Some(condition) => {
            let _ = writeln!(text, "it computes another value where: {condition}");
        }
        None => text += "what it computes there does not depend on these literals, or is not known\n",
    }
    let model: Vec<String> = list("inputs")
        .filter_map(|input| Some(format!("{} = {}", input["name"].as_str()?, input["solved"].as_str()?)))
        .collect();
    if !model.is_empty() {
        let told = match solved["shows_in_engine_alone"].as_bool() {
            Some(true) => {
                ": it shows in the engine, where addresses have 32 bits, and not in the crate's own build"
            }
            _ => "",
        };
        let _ = writeln!(text, "what it found: {}{told}", model.join(", "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_is_known_by_its_name() {
        let generate =
            serde_json::json!({ "written": [{ "name": "jar::add_fails", "kills": ["1a", "2b"] }] });
        for name in ["jar::add_fails", "add_fails"] {
            assert_eq!(
                test(&generate, name).map(|test| test.kills),
                Some(vec!["1a".to_owned(), "2b".to_owned()])
            );
        }
        assert!(test(&generate, "fails").is_none());
        assert!(test(&generate, "").is_none());
    }
}
