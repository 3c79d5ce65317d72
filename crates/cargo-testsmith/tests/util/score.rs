//! What a report says, in the words of the tests.

use std::collections::BTreeMap;

use serde_json::Value;

/// The document of `score --json`.
#[derive(Debug, PartialEq)]
pub(crate) struct Score(pub(crate) Value);

impl Score {
    /// One of the counts of mutants.
    #[track_caller]
    pub(crate) fn count(&self, name: &str) -> u64 {
        self.0["mutants"][name]
            .as_u64()
            .unwrap_or_else(|| panic!("no count `{name}`: {:#}", self.0["mutants"]))
    }

    /// `file:line change` of each survivor, in the order of the sources.
    pub(crate) fn survivors(&self) -> Vec<String> {
        self.entries("survivors").iter().map(mutant_line).collect()
    }

    /// The verdict of each mutant, by its id.
    pub(crate) fn verdicts(&self) -> BTreeMap<String, String> {
        let text = |value: &Value| value.as_str().expect("ids and verdicts are strings").to_owned();
        self.entries("verdicts").iter().map(|entry| (text(&entry["id"]), text(&entry["verdict"]))).collect()
    }

    /// The mutants of a list.
    #[track_caller]
    pub(crate) fn entries(&self, key: &str) -> &[Value] {
        self.0[key].as_array().unwrap_or_else(|| panic!("`{key}` is not a list"))
    }
}

/// A mutant as the tables of the tests write it: `src/lib.rs:13 < → <=`.
pub(crate) fn mutant_line(mutant: &Value) -> String {
    let text = |key: &str| mutant[key].as_str().unwrap_or_else(|| panic!("no `{key}`: {mutant:#}"));
    format!("{}:{} {}", text("file"), mutant["line"], text("change"))
}
