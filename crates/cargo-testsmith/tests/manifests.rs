//! Odd manifests (`testdata/manifests.toml`): what `generate` delivers is green when the user runs it, under the user's own lints and without
//! a warning, or there is a clear refusal. A sample is tried here; `cargo xtask bench manifests` tries them all.

mod util;

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use serde::Deserialize;
use util::{Fixture, REPOSITORY};

const LIBRARY: &str = "//! Sample.\n\n/// At most forty.\npub fn limit(value: u32) -> u32 {\n    if value > 40 { 40 } else { value }\n}\n";

/// What the user's own build may take.
const LIMIT: Duration = Duration::from_secs(150);

#[derive(Deserialize)]
struct Manifests {
    case: Vec<Case>,
}

/// A row of the table; its keys are explained there.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    #[serde(default)]
    sample: bool,
    manifest: Option<String>,
    package: Option<String>,
    #[serde(default)]
    tables: String,
    #[serde(default)]
    files: BTreeMap<String, String>,
    #[serde(default)]
    folder: String,
    #[serde(default)]
    arguments: Vec<String>,
    #[serde(default)]
    exit: i32,
    #[serde(default)]
    words: String,
    target: Option<String>,
    #[serde(default)]
    builds: Vec<String>,
}

impl Case {
    /// The manifest with everything that a package needs, unless the case says it.
    fn manifest(&self) -> String {
        if let Some(manifest) = &self.manifest {
            return manifest.clone();
        }
        let package = self.package.clone().unwrap_or_else(|| "edition = \"2021\"".to_owned());
        let mut lines = vec!["[package]".to_owned()];
        for (key, value) in [("name", "sample"), ("version", "0.1.0")] {
            if !package.contains(&format!("{key} =")) && !package.contains(&format!("{key}.")) {
                lines.push(format!("{key} = \"{value}\""));
            }
        }
        lines.extend([package, String::new(), self.tables.clone()]);
        if !self.tables.contains("[workspace") {
            lines.push("\n[workspace]".to_owned());
        }
        lines.join("\n") + "\n"
    }

    fn fixture(&self) -> Fixture {
        let fixture = Fixture::empty();
        fixture.write("Cargo.toml", self.manifest());
        if !self.files.contains_key("src/lib.rs") && self.manifest.is_none() {
            fixture.write("src/lib.rs", LIBRARY);
        }
        for (path, text) in &self.files {
            fixture.write(path, text.replace("HOST", &host()));
        }
        let target = if self.name == "target-folder" { "out" } else { "target" };
        let fixture = fixture.with_target(target).within(&self.folder);
        fs::create_dir_all(fixture.path("tests")).expect("the folder can be made");
        fixture.with_tests_in(&format!("tests/{}", self.target()))
    }

    fn target(&self) -> &str {
        self.target.as_deref().unwrap_or("testsmith")
    }

    /// What is wrong; nothing if all is as it should be.
    fn wrong(&self) -> Option<String> {
        let fixture = self.fixture();
        let mut arguments =
            vec!["generate", "--offline", "--all-mutants", "--executions", "400", "--seed", "1"];
        arguments.extend(self.arguments.iter().map(String::as_str));
        let run = fixture.run(&arguments);
        let said = format!("{}\n{}", run.stdout, run.stderr);
        if run.code != Some(self.exit) || !said.contains(&self.words) {
            return Some(format!("exit {:?} rather than {} ({})\n{said}", run.code, self.exit, self.words));
        }
        if self.exit != 0 {
            return None;
        }
        let usual = vec![String::new()];
        let builds = if self.builds.is_empty() { &usual } else { &self.builds };
        builds.iter().find_map(|build| self.not_green(&fixture, build))
    }

    /// What the user sees that should not be there when the tests are run.
    fn not_green(&self, fixture: &Fixture, build: &str) -> Option<String> {
        let mut cargo = fixture.command("cargo");
        cargo.args(["test", "--offline", "--test", self.target()]).args(build.split_whitespace());
        cargo.env("CARGO_TARGET_DIR", fixture.beside("of-the-user"));
        let run = fixture.start(&mut cargo).wait_for_anything(LIMIT);
        // What is said of the crate itself was said before as well.
        let about_tests = |line: &&str| line.contains("tests/") && line.trim_start().starts_with("-->");
        let warned = run.stderr.lines().find(about_tests);
        let passed = run.stdout.contains("test result: ok.") && !run.stdout.contains("running 0 tests");
        let is_green = run.code == Some(0) && passed && warned.is_none();
        (!is_green).then(|| format!("`cargo test {build}`:\n{}\n{}", run.stdout, run.stderr))
    }
}

/// The triple of the machine.
fn host() -> String {
    let output = Command::new("rustc").arg("-vV").output().expect("there is a compiler");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().find_map(|line| line.strip_prefix("host: ")).expect("it says so").to_owned()
}

fn cases() -> Vec<Case> {
    let path = format!("{REPOSITORY}/testdata/manifests.toml");
    let text = fs::read_to_string(path).expect("the table is there");
    toml::from_str::<Manifests>(&text).expect("the table can be read").case
}

/// Tries some of the cases, and tells of each.
fn check(is_wanted: impl Fn(&Case) -> bool) {
    let cases: Vec<Case> = cases().into_iter().filter(is_wanted).collect();
    assert!(!cases.is_empty());
    let mut wrong = Vec::new();
    for case in &cases {
        let started = Instant::now();
        let result = case.wrong();
        let word = if result.is_some() { "WRONG" } else { "ok" };
        println!("{:<45} {word:<6} {:>5.1} s", case.name, started.elapsed().as_secs_f64());
        wrong.extend(result.map(|result| format!("{}: {result}", case.name)));
    }
    println!("{} of {} manifests as declared", cases.len() - wrong.len(), cases.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn a_sample_of_odd_manifests_is_delivered_green_or_refused() {
    check(|case| case.sample);
}

#[test]
#[ignore = "takes minutes: cargo xtask bench manifests"]
fn all_odd_manifests_are_delivered_green_or_refused() {
    let only = std::env::var("MANIFESTS").unwrap_or_default();
    check(|case| case.name.contains(&only));
}
