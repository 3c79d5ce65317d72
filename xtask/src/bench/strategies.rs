//! `cargo xtask bench strategies`: which way to come by programs kills more, at equal numbers of executions.
//!
//! Every strategy runs with the same seeds; pairs of them are compared by the Mann-Whitney test ([`RankSum`]), because
//! kills are not normally distributed, and by how often one is ahead of the other.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::median::median;
use super::rank_sum::RankSum;
use crate::fail::{Context, Result};
use crate::repo::Repo;
use crate::subjects::Subject;
use crate::{files, shell};

/// What is compared with what.
const PAIRS: [[&str; 2]; 4] =
    [["evolve", "random"], ["tree", "tree-impure"], ["tree", "random"], ["hybrid", "random"]];

/// Differences that are less likely than this by chance count.
const SIGNIFICANT: f64 = 0.05;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Subjects to run on
    #[arg(long, value_delimiter = ',', default_value = "slab,fixedbitset,semver,strsim,heck,hex,arrayvec")]
    crates: Vec<String>,
    /// Strategies to run
    #[arg(long, value_delimiter = ',', default_value = "random,evolve,tree,tree-impure,hybrid")]
    strategies: Vec<String>,
    /// Programs of each search
    #[arg(long, default_value_t = 5_000)]
    executions: u64,
    /// Searches of each strategy, with seeds from 1
    #[arg(long, default_value_t = 10)]
    seeds: u64,
    /// A cargo-testsmith to measure instead of building one from this checkout
    #[arg(long)]
    testsmith: Option<PathBuf>,
    /// Where the figures go as JSON, target/bench/strategies.json by default
    #[arg(long)]
    out: Option<PathBuf>,
}

pub(crate) fn run(repo: &Repo, args: &Args) -> Result<()> {
    let (wanted, tool) = super::ready(repo, &args.crates, args.testsmith.as_deref())?;
    let out = args.out.clone().unwrap_or_else(|| repo.target().join("bench/strategies.json"));
    let mut rows = Vec::new();
    for subject in &wanted {
        let row = measure(repo, args, subject, &tool)?;
        print!("{}", lines(&row, &args.strategies));
        rows.push(row);
        let figures = json!({ "executions": args.executions, "seeds": args.seeds, "crates": rows });
        files::write(&out, &serde_json::to_string_pretty(&figures).context("write the figures")?)?;
    }
    Ok(())
}

/// One crate: what each strategy killed, seed by seed.
fn measure(repo: &Repo, args: &Args, subject: &Subject, tool: &Path) -> Result<Value> {
    let home = repo.target().join("bench/strategies").join(subject.folder());
    files::fresh_dir(&home)?;
    let package = home.join("package");
    files::copy_package(&subject.path(repo), &package)?;
    let mut mutants = Value::Null;
    let mut killed = serde_json::Map::new();
    for strategy in &args.strategies {
        let mut of_seeds = Vec::new();
        for seed in 1..=args.seeds {
            let said = search(tool, &package, strategy, args.executions, seed)?;
            mutants = said["mutants"].clone();
            of_seeds.push(said["killed"].clone());
        }
        killed.insert(strategy.clone(), Value::Array(of_seeds));
    }
    Ok(json!({ "crate": subject.folder(), "mutants": mutants, "killed": killed }))
}

fn search(tool: &Path, package: &Path, strategy: &str, executions: u64, seed: u64) -> Result<Value> {
    let mut process = Command::new(tool);
    process.args(["testsmith", "execute", "--json", "--quiet", "--strategy", strategy]);
    process.args(["--executions", &executions.to_string(), "--seed", &seed.to_string()]).current_dir(package);
    serde_json::from_str(&shell::stdout(&mut process)?).context("read what `execute` says")
}

/// Medians of all strategies, then the pairs.
fn lines(row: &Value, strategies: &[String]) -> String {
    let of = |strategy: &str| -> Option<Vec<f64>> {
        row["killed"][strategy].as_array().map(|all| all.iter().filter_map(Value::as_f64).collect())
    };
    let medians = strategies.iter().filter_map(|name| Some(format!("{name} {:.1}", median(of(name)?)?)));
    let mut text = format!(
        "{} ({} mutants), median killed: {}\n",
        row["crate"].as_str().unwrap_or_default(),
        row["mutants"],
        medians.collect::<Vec<_>>().join(", ")
    );
    for [one, other] in PAIRS {
        let (Some(a), Some(b)) = (of(one), of(other)) else { continue };
        let RankSum { p, ahead } = RankSum::of(&a, &b);
        let verdict = if p < SIGNIFICANT { "significant" } else { "not significant" };
        text += &format!(
            "  {one} against {other}: ahead in {:.0} % of all pairs of seeds, p = {p:.4}, {verdict}\n",
            100.0 * ahead
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_says_who_is_ahead() {
        let row = json!({ "crate": "slab-0.4.12", "mutants": 573,
            "killed": { "random": [1, 2, 3, 4, 5], "evolve": [6, 7, 8, 9, 10] } });
        let strategies = ["random", "evolve"].map(str::to_owned);
        let expected = "slab-0.4.12 (573 mutants), median killed: random 3.0, evolve 8.0\n  evolve against random: ahead in 100 % of \
                        all pairs of seeds, p = 0.0122, significant\n";
        assert_eq!(lines(&row, &strategies), expected);
    }
}
