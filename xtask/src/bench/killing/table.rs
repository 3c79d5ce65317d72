//! PexMutator's Table IV on five subjects of the same categories: what is executed, weakly and strongly killed after parts of a
//! budget, with new paths as the only goals (Pex), with weak goals (PexMutator), with strong goals, and without a solver.

use std::path::Path;

use serde_json::{Value, json};

use super::super::rank_sum::RankSum;
use super::{Args, Search};
use crate::fail::{Context, Result};
use crate::files;
use crate::repo::Repo;

/// The five sufficient operators, which are the paper's.
const OPERATORS: &str = "abs,aor,lcr,ror,uoi";

/// The paper's seconds; the last is the whole budget.
const SECONDS: [f64; 5] = [1.0, 5.0, 10.0, 20.0, 40.0];

/// Random programs that the solver begins with.
const FIRST: f64 = 32.0;

/// What is counted at a moment.
const COUNTS: [&str; 5] = ["programs", "branches", "reached", "infected", "killed"];

pub(super) fn run(repo: &Repo, args: &Args, tool: &Path, out: &Path) -> Result<()> {
    let mut rows = Vec::new();
    for (name, source) in subjects(repo, &args.subjects)? {
        let package = package(repo, &name, &source)?;
        let mut row = json!({ "subject": name });
        println!("{}", HEAD);
        for goals in &args.goals {
            let mut seeds = Vec::new();
            for seed in 1..=args.seeds {
                let search = Search { tool, package: &package, executions: args.executions, seed };
                let said = of_paper(&search, goals)?;
                row["mutants"] = said["mutants"].clone();
                seeds.push(said["moments"].clone());
            }
            row[goals] = Value::Array(seeds);
            print!("{}", lines(&row, goals));
        }
        rows.push(row);
        let figures = json!({ "executions": args.executions, "seeds": args.seeds, "subjects": rows });
        files::write(out, &serde_json::to_string_pretty(&figures).context("write the figures")?)?;
    }
    print!("{}", headline(&rows));
    Ok(())
}

fn of_paper(search: &Search<'_>, goals: &str) -> Result<Value> {
    let parts: Vec<String> = SECONDS.map(|seconds| (seconds / 40.0).to_string()).to_vec();
    let more = ["--operators", OPERATORS, "--moments", &parts.join(",")];
    match goals {
        "nothing" => search.run("hybrid", goals, 0.0, &more),
        goals => search.run("symbolic", goals, FIRST / search.executions as f64, &more),
    }
}

/// Names and sources of the subjects.
fn subjects(repo: &Repo, names: &[String]) -> Result<Vec<(String, String)>> {
    let folder = repo.root().join("testdata/pexmutator");
    let mut subjects = Vec::new();
    for path in files::walk(&folder)? {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if names.is_empty() || names.contains(&name) {
            subjects.push((name, files::read(&path)?));
        }
    }
    Ok(subjects)
}

fn package(repo: &Repo, name: &str, source: &str) -> Result<std::path::PathBuf> {
    let package = repo.target().join("bench/killing").join(name);
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\npublish = false\n\n[workspace]\n"
    );
    files::write(&package.join("Cargo.toml"), &manifest)?;
    files::write(&package.join("src/lib.rs"), source)?;
    Ok(package)
}

const HEAD: &str = "subject     mutants  goals   time  programs  branches  executed  weakly  strongly killed";

/// A line for each moment: means over the seeds.
fn lines(row: &Value, goals: &str) -> String {
    let mutants = row["mutants"].as_f64().unwrap_or_default();
    let mut text = String::new();
    for (at, seconds) in SECONDS.iter().enumerate() {
        let [programs, branches, reached, infected, killed] =
            COUNTS.map(|count| mean(&of_seeds(row, goals, at, count)));
        let name = row["subject"].as_str().unwrap_or_default();
        text += &format!(
            "{name:12} {mutants:6}  {goals:6} {seconds:5}  {programs:8.0}  {branches:8.1}  {reached:8.1}  {infected:6.1}  \
             {killed:8.1} ({:.1} %)\n",
            100.0 * killed / mutants
        );
    }
    text
}

/// A count at a moment, by seed.
fn of_seeds(row: &Value, goals: &str, moment: usize, count: &str) -> Vec<f64> {
    let seeds = row[goals].as_array().into_iter().flatten();
    seeds.filter_map(|moments| moments[moment][count].as_f64()).collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// The paper's headline: points of strong kills that weak goals have over new paths alone, beyond the first second; and the
/// averages of each kind of goals.
fn headline(rows: &[Value]) -> String {
    let shares = |goals: &str, count: &str| -> Vec<f64> {
        let of_row = |row: &Value| {
            let mutants = row["mutants"].as_f64().unwrap_or(1.0);
            let moments = (1..SECONDS.len()).map(|at| mean(&of_seeds(row, goals, at, count)));
            moments.map(|killed| 100.0 * killed / mutants).collect::<Vec<f64>>()
        };
        rows.iter().filter(|row| !row[goals].is_null()).flat_map(of_row).collect()
    };
    let mut text =
        String::from("beyond 1 s, means of all subjects and moments, in percent of all mutants:\n");
    for goals in ["paths", "weak", "strong", "all", "nothing"] {
        let [reached, infected, killed] = ["reached", "infected", "killed"].map(|count| shares(goals, count));
        if !killed.is_empty() {
            text += &format!(
                "  {goals:7} executed {:.1}, weakly {:.1}, strongly killed {:.1}\n",
                mean(&reached),
                mean(&infected),
                mean(&killed)
            );
        }
    }
    for goals in ["weak", "strong"] {
        let (one, other) = (shares(goals, "killed"), shares("paths", "killed"));
        if !one.is_empty() && one.len() == other.len() {
            let points = mean(&one) - mean(&other);
            text += &format!(
                "  {goals} over paths: {points:+.2} points, p = {:.4}\n",
                RankSum::of(&one, &other).p
            );
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moments(killed: [u32; 5]) -> Value {
        let moment = |killed: u32| json!({ "programs": 9, "branches": 4, "reached": 10, "infected": 8, "killed": killed });
        json!(killed.map(moment))
    }

    #[test]
    fn means_are_those_of_the_seeds_and_the_first_second_does_not_count() {
        let row = json!({
            "subject": "sets", "mutants": 10,
            "paths": [moments([1, 5, 5, 5, 5]), moments([3, 7, 7, 7, 7])],
            "weak": [moments([0, 8, 8, 8, 8])],
        });
        let text = lines(&row, "paths");
        assert!(
            text.starts_with(
                "sets             10  paths      1         9       4.0      10.0     8.0       2.0 (20.0 %)"
            ),
            "{text}"
        );
        let text = headline(&[row]);
        assert!(text.contains("weak    executed 100.0, weakly 80.0, strongly killed 80.0"), "{text}");
        assert!(text.contains("weak over paths: +20.00 points"), "{text}");
    }
}
