//! Configuration files: `testsmith.toml` beside the workspace's manifest, and `[package.metadata.testsmith]`.
//!
//! One table of keys: parsing, the error for an unknown key, and the commented default all follow it.

use std::collections::BTreeMap;
use std::path::Path;

use toml::{Table, Value};

use crate::allow::Allow;
use crate::failure::{Failure, IoContext};

/// What can be configured; flags win over it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Config {
    pub(crate) operators: Vec<String>,
    pub(crate) files: Vec<String>,
    pub(crate) exclude_files: Vec<String>,
    pub(crate) exclude_re: Vec<String>,
    pub(crate) doctests: bool,
    pub(crate) skip_tests: Vec<String>,
    pub(crate) min_score: Option<f64>,
    pub(crate) jobs: Option<usize>,
    pub(crate) baseline_seconds: u64,
    pub(crate) timeout_seconds: u64,
    pub(crate) timeout_factor: u32,
    pub(crate) memory_mib: u64,
    pub(crate) sandbox: bool,
    pub(crate) opt_level: u8,
    /// A program and its arguments.
    pub(crate) solver: Vec<String>,
    pub(crate) allow: Allow,
    pub(crate) never_call: Vec<String>,
    pub(crate) helpers: Vec<String>,
    /// By path of a callable and name of a parameter.
    pub(crate) ranges: BTreeMap<String, BTreeMap<String, String>>,
    pub(crate) ignored_panics: Vec<String>,
    pub(crate) tables: bool,
    /// By the name of a mutant, why no test has to kill it.
    pub(crate) accepted: BTreeMap<String, String>,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            operators: vec!["all".to_owned()],
            files: Vec::new(),
            exclude_files: Vec::new(),
            exclude_re: Vec::new(),
            doctests: false,
            skip_tests: Vec::new(),
            min_score: None,
            jobs: None,
            baseline_seconds: 300,
            timeout_seconds: 5,
            timeout_factor: 10,
            memory_mib: 4096,
            sandbox: true,
            opt_level: 1,
            solver: Vec::new(),
            allow: Allow::default(),
            never_call: Vec::new(),
            helpers: Vec::new(),
            ranges: BTreeMap::new(),
            ignored_panics: Vec::new(),
            tables: true,
            accepted: BTreeMap::new(),
        }
    }
}

/// A key: its name, its default as it would be written, and what it means.
struct Key {
    name: &'static str,
    default: &'static str,
    help: &'static str,
    set: fn(&mut Config, &Value) -> Option<()>,
}

const KEYS: &[Key] = &[
    Key {
        name: "operators",
        default: "[\"all\"]",
        help: "Operators or sets of operators (see `cargo testsmith operators`); a `-` in front takes one away.",
        set: |c, v| strings(v).map(|v| c.operators = v),
    },
    Key {
        name: "files",
        default: "[]",
        help: "Only files that match one of these globs; all if empty.",
        set: |c, v| strings(v).map(|v| c.files = v),
    },
    Key {
        name: "exclude_files",
        default: "[]",
        help: "No files that match one of these globs.",
        set: |c, v| strings(v).map(|v| c.exclude_files = v),
    },
    Key {
        name: "exclude_re",
        default: "[]",
        help: "No mutants whose line in `cargo testsmith list` matches one of these regular expressions.",
        set: |c, v| strings(v).map(|v| c.exclude_re = v),
    },
    Key {
        name: "doctests",
        default: "false",
        help: "Run the doctests too.",
        set: |c, v| v.as_bool().map(|v| c.doctests = v),
    },
    Key {
        name: "skip_tests",
        default: "[]",
        help: "Leave out tests whose name contains one of these.",
        set: |c, v| strings(v).map(|v| c.skip_tests = v),
    },
    Key {
        name: "min_score",
        default: "100.0",
        help: "Succeed at this score (percent) or above, whatever survives.",
        set: |c, v| number(v).filter(|v| (0.0..=100.0).contains(v)).map(|v| c.min_score = Some(v)),
    },
    Key {
        name: "jobs",
        default: "2",
        help: "Processes at a time; all cores if not set.",
        set: |c, v| positive(v).map(|v| c.jobs = usize::try_from(v).ok()),
    },
    Key {
        name: "baseline_seconds",
        default: "300",
        help: "Time for each test binary before any mutant.",
        set: |c, v| positive(v).map(|v| c.baseline_seconds = v),
    },
    Key {
        name: "timeout_seconds",
        default: "5",
        help: "Time that the tests of a mutant always get. Loops that never end are mostly found sooner, by counting.",
        set: |c, v| positive(v).map(|v| c.timeout_seconds = v),
    },
    Key {
        name: "timeout_factor",
        default: "10",
        help: "On top of that, so many times what the tests take without a mutant.",
        set: |c, v| positive(v).map(|v| c.timeout_factor = u32::try_from(v).unwrap_or(u32::MAX)),
    },
    Key {
        name: "memory_mib",
        default: "4096",
        help: "Address space of each test process, in MiB; 0 for no limit.",
        set: |c, v| v.as_integer().and_then(|v| u64::try_from(v).ok()).map(|v| c.memory_mib = v),
    },
    Key {
        name: "sandbox",
        default: "true",
        help: "Run tests in a sandbox; those that do not pass there run without, and are named.",
        set: |c, v| v.as_bool().map(|v| c.sandbox = v),
    },
    Key {
        name: "opt_level",
        default: "1",
        help: "Optimisation of the copy that is run: 0 builds faster, 1 pays as soon as the tests take some time.",
        set: |c, v| {
            v.as_integer().and_then(|v| u8::try_from(v).ok()).filter(|v| *v <= 3).map(|v| c.opt_level = v)
        },
    },
    Key {
        name: "solver",
        default: "[]",
        help: "A solver for what the embedded one gives up on: [\"z3\"], [\"bitwuzla\"], [\"cvc5\"], or any other program that reads \
               SMT-LIB 2, with its arguments.",
        set: |c, v| strings(v).map(|v| c.solver = v),
    },
    Key {
        name: "allow",
        default: "[]",
        help: "What tests may reach outside of their process: files, network, processes, environment, directory, input, signals, \
               exit. For all of the crate, or for a callable or a module: { \"my_crate::fs\" = [\"files\"] }.",
        set: |c, v| Allow::read(v).map(|v| c.allow = v),
    },
    Key {
        name: "never_call",
        default: "[]",
        help: "Functions and methods that are not called, by their path: `my_crate::Server::run`.",
        set: |c, v| strings(v).map(|v| c.never_call = v),
    },
    Key {
        name: "helpers",
        default: "[]",
        help: "Public functions that make good values of a type: tests use them rather than its constructors.",
        set: |c, v| strings(v).map(|v| c.helpers = v),
    },
    Key {
        name: "ranges",
        default: "{ \"my_crate::Buffer::new\".capacity = \"0..=1024\" }",
        help: "Numbers that are written for an integer parameter, by the path of its function.",
        set: |c, v| ranges(v).map(|v| c.ranges = v),
    },
    Key {
        name: "ignored_panics",
        default: "[]",
        help: "Panics of which `file:line: message` matches one of these regular expressions are neither findings nor expected.",
        set: |c, v| strings(v).map(|v| c.ignored_panics = v),
    },
    Key {
        name: "tables",
        default: "true",
        help: "Written tests that differ in literals only become one test with a table of cases.",
        set: |c, v| v.as_bool().map(|v| c.tables = v),
    },
    Key {
        name: "accepted",
        default: "{ \"src/lib.rs:12:7\" = \"the order of equal keys is not promised\" }",
        help: "Mutants that no test has to kill, by id or file:line[:column], each with the reason: reports show it.",
        set: |c, v| reasons(v).map(|v| c.accepted = v),
    },
];

impl Config {
    /// Reads `testsmith.toml` and the metadata of a manifest; what the latter says wins.
    pub(crate) fn load(root: &Path, manifest: Option<&Path>) -> Result<Config, Failure> {
        let mut config = Config::default();
        let file = root.join("testsmith.toml");
        if file.exists() {
            let bytes = std::fs::read(&file).doing("read", &file)?;
            let text = String::from_utf8(bytes).map_err(|error| {
                let at = error.utf8_error().valid_up_to();
                Failure::usage(format!(
                    "{} is not UTF-8, from byte {at} on\n  save it as UTF-8",
                    file.display()
                ))
            })?;
            let table = text.parse().map_err(|e: toml::de::Error| {
                Failure::usage(format!(
                    "{} cannot be read\n{}",
                    file.display(),
                    testsmith_model::indented(&e.to_string())
                ))
            })?;
            config.apply(&table, &file.display().to_string())?;
        }
        let Some(manifest) = manifest else { return Ok(config) };
        let text = std::fs::read_to_string(manifest).doing("read", manifest)?;
        let table: Table = text.parse().unwrap_or_default();
        let metadata = table.get("package").and_then(|p| p.get("metadata")).and_then(|m| m.get("testsmith"));
        match metadata {
            Some(Value::Table(table)) => {
                config.apply(table, &format!("[package.metadata.testsmith] of {}", manifest.display()))?;
            }
            Some(_) => return Err(Failure::usage("package.metadata.testsmith is not a table")),
            None => {}
        }
        Ok(config)
    }

    fn apply(&mut self, table: &Table, place: &str) -> Result<(), Failure> {
        for (name, value) in table {
            let Some(key) = KEYS.iter().find(|key| key.name == name) else {
                let nearest = nearest(name, KEYS.iter().map(|key| key.name));
                return Err(Failure::usage(format!(
                    "{place}: there is no key `{name}`\n  did you mean `{nearest}`? `cargo testsmith config` prints all keys"
                )));
            };
            (key.set)(self, value).ok_or_else(|| {
                let default = key.default;
                Failure::usage(format!(
                    "{place}: `{name} = {value}` is not possible\n  a value looks like `{default}`"
                ))
            })?;
        }
        Ok(())
    }
}

/// A commented file with all keys and their defaults.
pub(crate) fn commented_default() -> String {
    let mut text = String::from(
        "# testsmith.toml, beside the Cargo.toml of the workspace. The same keys can stand in\n\
         # [package.metadata.testsmith] of a package, which wins. Flags win over both.\n",
    );
    for key in KEYS {
        text.push_str(&format!("\n# {}\n#{} = {}\n", key.help, key.name, key.default));
    }
    text
}

/// The known name that looks most like the given one.
pub(crate) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> &'a str {
    let likeness = |other: &str| strsim::jaro_winkler(name, other);
    known.max_by(|a, b| likeness(a).total_cmp(&likeness(b))).unwrap_or_default()
}

fn strings(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|v| v.as_str().map(str::to_owned)).collect()
}

fn ranges(value: &Value) -> Option<BTreeMap<String, BTreeMap<String, String>>> {
    let of_callable = |params: &Value| {
        let params = params.as_table()?.iter();
        let ranges = params.map(|(param, range)| Some((param.clone(), range.as_str()?.to_owned())));
        ranges.collect::<Option<BTreeMap<String, String>>>()
    };
    value.as_table()?.iter().map(|(path, params)| Some((path.clone(), of_callable(params)?))).collect()
}

/// A reason that says nothing is none.
fn reasons(value: &Value) -> Option<BTreeMap<String, String>> {
    let reason = |reason: &Value| Some(reason.as_str()?.trim().to_owned()).filter(|it| !it.is_empty());
    value.as_table()?.iter().map(|(mutant, why)| Some((mutant.clone(), reason(why)?))).collect()
}

fn positive(value: &Value) -> Option<u64> {
    value.as_integer().and_then(|v| u64::try_from(v).ok()).filter(|v| *v > 0)
}

#[allow(clippy::cast_precision_loss, reason = "percents are small")]
fn number(value: &Value) -> Option<f64> {
    value.as_float().or_else(|| value.as_integer().map(|v| v as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apply(text: &str) -> Result<Config, String> {
        let mut config = Config::default();
        config.apply(&text.parse().unwrap(), "here").map(|()| config).map_err(|f| f.message)
    }

    #[test]
    fn the_commented_default_is_the_default() {
        let uncommented: String = commented_default()
            .lines()
            .map(|line| match line.strip_prefix('#') {
                // These have no default value, only an example.
                Some(rest)
                    if !["min_score", "jobs", "ranges", "accepted", " "]
                        .iter()
                        .any(|start| rest.starts_with(start)) =>
                {
                    format!("{rest}\n")
                }
                _ => format!("{}\n", if line.starts_with('#') { "" } else { line }),
            })
            .collect();
        assert_eq!(apply(&uncommented).unwrap(), Config::default());
        let keys = KEYS.iter().filter(|key| commented_default().contains(&format!("\n#{} = ", key.name)));
        assert_eq!(keys.count(), KEYS.len());
    }

    #[test]
    fn unknown_keys_name_the_nearest_and_wrong_values_show_a_right_one() {
        let message = apply("timeout_second = 3").unwrap_err();
        assert!(message.contains("`timeout_seconds`"), "{message}");
        let message = apply("jobs = \"many\"").unwrap_err();
        assert!(message.contains("here: `jobs = \"many\"` is not possible"), "{message}");
        assert!(apply("min_score = 120").is_err());
        assert!(apply("ranges = [3]").unwrap_err().contains("capacity = \"0..=1024\""));
        let ranges = apply("[ranges]\n\"a::B::new\".size = \"1..\"").unwrap().ranges;
        assert_eq!(ranges["a::B::new"]["size"], "1..");
        assert!(apply("accepted = { \"src/lib.rs:1\" = \" \" }").is_err(), "a reason has to be given");
        assert_eq!(apply("min_score = 80").unwrap().min_score, Some(80.0));
    }
}
