//! What a solver kills of the mutants that all other strategies leave alive after half of a budget, in the other half; and
//! whether mutants that the engine calls equivalent are so.
//!
//! Mutants that somebody has judged beyond every test (`xtask/equivalents`) do not count as left; where there is no list, all do.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use super::super::judged::Judged;
use super::{Args, Search};
use crate::fail::{Context, Result};
use crate::files;
use crate::repo::Repo;
use crate::subjects;

const HEAD: &str = "crate                    mutants  alive  judged out  left   killed of them by";

pub(super) fn run(repo: &Repo, args: &Args, tool: &Path, out: &Path) -> Result<()> {
    let wanted = subjects::named(&args.crates)?;
    subjects::ensure(repo, &wanted)?;
    println!("{HEAD}");
    let mut rows = Vec::new();
    for subject in &wanted {
        let home = repo.target().join("bench/killing").join(subject.folder());
        files::fresh_dir(&home)?;
        let package = home.join("package");
        files::copy_package(&subject.path(repo), &package)?;
        let judged = Judged::load(repo, &subject.folder())?;
        let mut row = json!({ "crate": subject.folder(), "has_list": !judged.is_empty() });
        for goals in &args.goals {
            let search = Search { tool, package: &package, executions: args.executions, seed: 1 };
            let said = search.run("hybrid", goals, 0.5, &[])?;
            row["mutants"] = said["mutants"].clone();
            row[goals] = said["unsolved"].clone();
        }
        println!("{}", line(&row, &judged, &args.goals));
        rows.push((row, judged));
        let figures: Vec<&Value> = rows.iter().map(|(row, _)| row).collect();
        let figures = json!({ "executions": args.executions, "crates": figures });
        files::write(out, &serde_json::to_string_pretty(&figures).context("write the figures")?)?;
    }
    print!("{}", labels(&rows, &args.goals));
    Ok(())
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn id(mutant: &Value) -> &str {
    mutant["id"].as_str().unwrap_or_default()
}

fn line(row: &Value, judged: &Judged, goals: &[String]) -> String {
    let of = |goals: &str| {
        let all: Vec<&Value> = items(&row[goals]).collect();
        let out = all.iter().filter(|mutant| judged.is_out(id(mutant)) && mutant["killed"] == false).count();
        let killed = all.iter().filter(|mutant| mutant["killed"] == true).count();
        (all.len(), out, killed)
    };
    let (alive, out, _) = goals.first().map(|goals| of(goals)).unwrap_or_default();
    let left = alive - out;
    let killed: Vec<String> = goals
        .iter()
        .map(|goals| {
            let (.., killed) = of(goals);
            format!("{goals} {killed} ({:.0} %)", 100.0 * killed as f64 / left.max(1) as f64)
        })
        .collect();
    format!(
        "{:24} {:7}  {alive:5}  {out:10}  {left:4}   {}",
        row["crate"].as_str().unwrap_or_default(),
        row["mutants"],
        killed.join(", ")
    )
}

/// Precision and recall of "it computes the same whatever the inputs are" against the lists.
fn labels(rows: &[(Value, Judged)], goals: &[String]) -> String {
    let mut text = String::new();
    for goals in goals.iter().filter(|goals| *goals != "nothing") {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        let mut doubtful = Vec::new();
        for (row, judged) in rows.iter().filter(|(_, judged)| !judged.is_empty()) {
            for mutant in items(&row[goals]).filter(|mutant| mutant["reached"] == true) {
                let (is_labelled, is_same) =
                    (mutant["never_differs"] == true, judged.is_equivalent(id(mutant)));
                *counts.entry("labelled").or_default() += usize::from(is_labelled);
                *counts.entry("right").or_default() += usize::from(is_labelled && is_same);
                *counts.entry("equivalent").or_default() += usize::from(is_same);
                if is_labelled && !is_same {
                    doubtful.push(format!("{} {}", row["crate"].as_str().unwrap_or_default(), id(mutant)));
                }
            }
        }
        let count = |name: &str| counts.get(name).copied().unwrap_or_default();
        let share = |part: &str, of: &str| 100.0 * count(part) as f64 / count(of).max(1) as f64;
        text += &format!(
            "labels with {goals}: {} mutants, {} of them are judged equivalent ({:.1} %), which are {:.1} % of {} that were reached\n",
            count("labelled"),
            count("right"),
            share("right", "labelled"),
            share("right", "equivalent"),
            count("equivalent")
        );
        doubtful.iter().for_each(|mutant| text += &format!("    not judged so: {mutant}\n"));
    }
    text
}
