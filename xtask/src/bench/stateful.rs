//! `cargo xtask bench stateful`: contracts, reduction and the store, each part by itself.
//!
//! * `faults`: mutants drawn by seed, before any strategy has run; random to its plateau, then stateful, and as control random for
//!   the same measured time.
//! * `reduction`: unsound contracts that reduction refutes, against random in the same time.
//! * `soundness`: claims that a longer run contradicts.
//! * `panics`: panicking functions whose condition is complete.
//! * `store`: one million objects; two-object searches.
//! * `second`: a second `generate` that starts from the store.
//! * `kill`: kill -9 at random moments.

mod faults;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use serde_json::{Value, json};

use crate::fail::{Context, Fail, Result};
use crate::repo::Repo;
use crate::{files, shell, tool};

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    Faults,
    Reduction,
    Soundness,
    Panics,
    Store,
    Second,
    Kill,
}

#[derive(clap::Args)]
pub(crate) struct Args {
    /// What to measure
    #[arg(long, value_delimiter = ',', default_value = "reduction,soundness,panics,store,second,kill")]
    part: Vec<Part>,
    /// Folders of packages to measure on: copies of them are used
    #[arg(long, value_delimiter = ',', required = true)]
    packages: Vec<PathBuf>,
    /// Programs that contracts are inferred from
    #[arg(long, default_value_t = 2_000)]
    programs: u64,
    /// So many times longer is the run that judges claims
    #[arg(long, default_value_t = 10)]
    longer: u64,
    /// Seeds, from 1
    #[arg(long, default_value_t = 3)]
    seeds: u64,
    /// Faults of each package
    #[arg(long, default_value_t = 12)]
    faults: usize,
    /// Seconds of a search
    #[arg(long, default_value_t = 10.0)]
    seconds: f64,
    /// A cargo-testsmith to measure instead of building one from this checkout
    #[arg(long)]
    testsmith: Option<PathBuf>,
    /// Where the figures go as JSON, target/bench/stateful.json by default
    #[arg(long)]
    out: Option<PathBuf>,
}

pub(crate) fn run(repo: &Repo, args: &Args) -> Result<()> {
    let tool = tool::measured(repo, args.testsmith.as_deref())?;
    let out = args.out.clone().unwrap_or_else(|| repo.target().join("bench/stateful.json"));
    let mut figures = serde_json::Map::new();
    for part in &args.part {
        let name = part.to_possible_value().map(|it| it.get_name().to_owned()).unwrap_or_default();
        let mut rows = Vec::new();
        if *part == Part::Store {
            rows.push(store(repo)?);
        } else {
            for package in &args.packages {
                let copy = copy(repo, package)?;
                let bench = Bench { tool: &tool, package: &copy, args };
                let row = bench.part(*part);
                // What one package cannot show the others may.
                let mut row = row.unwrap_or_else(|fail| json!({ "failed": fail.to_string() }));
                row["package"] = json!(package.file_name().map(|it| it.to_string_lossy().into_owned()));
                println!("{name} {row}");
                rows.push(row);
            }
        }
        println!("{name} {}", sum(&rows));
        figures.insert(name, Value::Array(rows));
        files::write(&out, &serde_json::to_string_pretty(&figures).context("write the figures")?)?;
    }
    Ok(())
}

fn copy(repo: &Repo, package: &Path) -> Result<PathBuf> {
    let name = package.file_name().context("a package has a name")?;
    let copy = repo.target().join("bench/stateful").join(name);
    if !copy.exists() {
        files::copy_package(package, &copy)?;
    }
    Ok(copy)
}

/// The sums of all numbers that rows have in common.
fn sum(rows: &[Value]) -> Value {
    fn add(sum: &mut Value, row: &Value) {
        match (sum, row) {
            (Value::Object(sum), Value::Object(row)) => {
                // Names and lists have no sum.
                let summed = row.iter().filter(|(_, value)| value.is_number() || value.is_object());
                for (key, value) in summed {
                    add(sum.entry(key.clone()).or_insert(Value::Null), value);
                }
            }
            (sum @ Value::Null, Value::Object(_)) => {
                *sum = json!({});
                add(sum, row);
            }
            (sum, Value::Number(row)) => {
                let before = sum.as_f64().unwrap_or(0.0);
                *sum = json!(before + row.as_f64().unwrap_or(0.0));
            }
            _ => {}
        }
    }
    let mut all = json!({});
    rows.iter().for_each(|row| add(&mut all, row));
    json!({ "rows": rows.len(), "sum": all })
}

/// One package.
struct Bench<'a> {
    tool: &'a Path,
    package: &'a Path,
    args: &'a Args,
}

impl Bench<'_> {
    fn part(&self, part: Part) -> Result<Value> {
        match part {
            Part::Faults => faults::measure(self),
            Part::Reduction => self.reduction(),
            Part::Soundness => self.soundness(),
            Part::Panics => self.panics(),
            Part::Second => self.second(),
            Part::Kill => self.kill(),
            Part::Store => Err(Fail::new("the store is measured without a package")),
        }
    }

    fn json(&self, arguments: &[&str]) -> Result<Value> {
        let mut process = self.command(arguments);
        serde_json::from_str(&shell::stdout(&mut process)?).context("read what the tool says")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut process = Command::new(self.tool);
        process.arg("testsmith").args(arguments).args(["--json", "--quiet"]).current_dir(self.package);
        process
    }

    fn reduction(&self) -> Result<Value> {
        let (programs, judges) =
            (self.args.programs.to_string(), (self.args.programs * self.args.longer).to_string());
        self.json(&["contracts", "--no-store", "--executions", &programs, "--measure", &judges])
    }

    fn soundness(&self) -> Result<Value> {
        let (programs, judges) =
            (self.args.programs.to_string(), (self.args.programs * self.args.longer).to_string());
        let said = self.json(&["contracts", "--no-store", "--executions", &programs, "--check", &judges])?;
        let functions = || said["functions"].as_array().into_iter().flatten();
        let claims =
            || functions().flat_map(|function| function["contracts"].as_array().into_iter().flatten());
        let examples =
            || said["checked"]["examples"].as_array().into_iter().flatten().filter_map(Value::as_str);
        Ok(json!({
            "claims": said["checked"]["claims"],
            "contradicted": said["checked"]["contradicted"],
            "shown": claims().filter(|claim| claim["is_shown"] == true).count(),
            "shown_contradicted": examples().filter(|example| example.starts_with("shown: ")).count(),
            "refuted_before": said["refuted"].as_array().map_or(0, Vec::len),
            "seconds": said["seconds"],
        }))
    }

    fn panics(&self) -> Result<Value> {
        let programs = self.args.programs.to_string();
        let said = self.json(&["contracts", "--no-store", "--executions", &programs])?;
        let functions = || said["functions"].as_array().into_iter().flatten();
        let panicking = || functions().filter(|function| function["panics"].as_u64() > Some(2));
        let is_exact = |function: &&Value| {
            let all = function["contracts"].as_array().into_iter().flatten();
            let mut texts = all.filter_map(|claim| claim["text"].as_str());
            texts.any(|text| text.starts_with("panics exactly if") || text == "always panics")
        };
        let open =
            panicking().filter(|function| !is_exact(function)).map(|function| function["path"].clone());
        Ok(json!({
            "panicking": panicking().count(),
            "exact": panicking().filter(is_exact).count(),
            "gaps": functions().filter(|function| function["gap"].is_string()).count(),
            "open": open.collect::<Vec<Value>>(),
            "laws_tried": said["laws"]["tried"],
            "laws_broken": said["laws"]["broken"].as_array().map_or(0, Vec::len),
        }))
    }

    /// The first run, the second in a fifth of its time, and as control one without the store in a fifth of its time.
    fn second(&self) -> Result<Value> {
        let whole = format!("{}s", self.args.seconds.ceil());
        let fifth = format!("{}s", (self.args.seconds / 5.0).ceil());
        let run = |budget: &str, more: &[&str]| {
            let arguments = [&["generate", "--all-mutants", "--dry-run", "--budget", budget], more].concat();
            let began = Instant::now();
            let said = self.json(&arguments)?;
            let found = &said["yield"]["found"];
            Ok(json!({
                "found": found,
                "search_seconds": said["seconds"]["search"],
                "seconds": began.elapsed().as_secs_f64(),
                "from_store": said["from_store"],
                "killed_by_store": said["strategies"]["store"],
            }))
        };
        let _ = std::fs::remove_file(self.package.join("target/testsmith/store.sqlite"));
        let first: Result<Value> = run(&whole, &[]);
        let second: Result<Value> = run(&fifth, &[]);
        let control: Result<Value> = run(&fifth, &["--no-store", "--seed", "2"]);
        Ok(json!({ "first": first?, "second": second?, "control": control? }))
    }

    /// The store opens after each kill, and the last run goes on.
    fn kill(&self) -> Result<Value> {
        const MOMENTS: u64 = 20;
        let arguments = ["contracts", "--executions", "1500"];
        self.json(&arguments)?;
        let began = Instant::now();
        self.json(&arguments)?;
        let usual = began.elapsed();
        let (mut opened, mut least) = (0, u64::MAX);
        let mut before = self.objects()?;
        for moment in 0..MOMENTS {
            let mut child =
                self.command(&arguments).stdout(std::process::Stdio::null()).spawn().context("start it")?;
            // Most moments are near the end, where the store is written.
            let part = 0.2 + 0.9 * ((moment * 7) % MOMENTS) as f64 / MOMENTS as f64;
            std::thread::sleep(Duration::from_secs_f64(usual.as_secs_f64() * part));
            let _ = child.kill();
            child.wait().context("wait for it")?;
            let objects = self.objects()?;
            opened += 1;
            least = least.min(objects);
            if objects < before {
                return Err(Fail::new(format!("{before} objects before a kill, {objects} after it")));
            }
            before = objects;
        }
        let last = self.json(&arguments)?;
        Ok(
            json!({ "kills": MOMENTS, "opened": opened, "objects": before, "loaded_afterwards": last["kept"]["loaded"] }),
        )
    }

    fn objects(&self) -> Result<u64> {
        let said = self.json(&["store", "stats"])?;
        let all = said["objects"].as_object().into_iter().flatten();
        Ok(all.filter_map(|(_, count)| count.as_u64()).sum())
    }
}

fn store(repo: &Repo) -> Result<Value> {
    let mut process = Command::new("cargo");
    process.args(["run", "--quiet", "--release", "-p", "testsmith-store", "--example", "million"]);
    process.current_dir(repo.root());
    serde_json::from_str(&shell::stdout(&mut process)?).context("read what the example says")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_rows_are_added() {
        let rows = [json!({ "a": 1, "b": { "c": 2 }, "name": "x" }), json!({ "a": 4, "b": { "c": 3 } })];
        assert_eq!(sum(&rows), json!({ "rows": 2, "sum": { "a": 5.0, "b": { "c": 5.0 } } }));
    }
}
