//! Mutants that somebody read with the source and judged beyond every test, and what is left when they are not counted.
//!
//! [`Judged`] is a crate's list in `xtask/equivalents/`; [`Judged::of`] holds it against a run of the tool. A judgement
//! that the written tests refute is told, and its mutant counted as any other.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::{Value, json};

use crate::fail::{Context, Fail, Result};
use crate::files;
use crate::repo::Repo;

/// Why no test can kill a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    /// No program can see a difference
    Equivalent,
    /// In code that cannot be executed on this target or with these features
    Dead,
    /// Undefined behaviour or a leak that a plain test cannot see
    Memory,
}

impl Kind {
    const ALL: [Self; 3] = [Self::Equivalent, Self::Dead, Self::Memory];

    fn name(self) -> &'static str {
        match self {
            Self::Equivalent => "equivalent",
            Self::Dead => "dead",
            Self::Memory => "memory",
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    group: Vec<Group>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    kind: Kind,
    why: String,
    mutants: Vec<String>,
}

/// The judged mutants of a crate, by id.
#[derive(Debug, Default)]
pub(super) struct Judged(BTreeMap<String, Kind>);

impl Judged {
    /// The list of a subject's folder; an empty one where nobody has read its mutants.
    pub(super) fn load(repo: &Repo, folder: &str) -> Result<Self> {
        let path = repo.root().join("xtask/equivalents").join(format!("{folder}.toml"));
        match path.exists() {
            true => Self::parse(&files::read(&path)?).context(format!("understand {}", path.display())),
            false => Ok(Self::default()),
        }
    }

    fn parse(text: &str) -> Result<Self> {
        let file: File = toml::from_str(text).context("read the groups")?;
        let mut kinds = BTreeMap::new();
        for group in file.group {
            if group.why.trim().is_empty() {
                return Err(Fail::new(format!("no reason is given for {}", group.mutants.join(", "))));
            }
            for id in group.mutants {
                if kinds.insert(id.clone(), group.kind).is_some() {
                    return Err(Fail::new(format!("{id} is judged twice")));
                }
            }
        }
        Ok(Self(kinds))
    }

    /// Whether somebody has said that no test can kill it.
    pub(super) fn is_out(&self, id: &str) -> bool {
        self.0.contains_key(id)
    }

    /// Whether somebody has said that no program can see a difference.
    pub(super) fn is_equivalent(&self, id: &str) -> bool {
        self.0.get(id) == Some(&Kind::Equivalent)
    }

    /// Whether there is no list.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What the list means for what `generate` says of a run.
    pub(super) fn of(&self, run: &Value) -> LeftOut {
        let items = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let alive: BTreeSet<String> =
            items(&run["survivors"]).iter().map(|mutant| text(&mutant["id"])).collect();
        let killed: BTreeSet<String> = items(&run["written"])
            .iter()
            .flat_map(|test| items(&test["kills"]))
            .map(|id| text(&id))
            .collect();
        let mut left = LeftOut::default();
        for (id, kind) in &self.0 {
            if killed.contains(id) {
                left.refuted.entry(*kind).or_default().push(id.clone());
            } else if alive.contains(id) {
                *left.by_kind.entry(*kind).or_default() += 1;
            }
        }
        left
    }
}

/// What is not counted in a run, and what the written tests show to be judged wrongly.
#[derive(Debug, Default)]
pub(super) struct LeftOut {
    by_kind: BTreeMap<Kind, usize>,
    refuted: BTreeMap<Kind, Vec<String>>,
}

impl LeftOut {
    pub(super) fn document(&self) -> Value {
        let count = |kind: Kind| self.by_kind.get(&kind).copied().unwrap_or_default();
        let kinds = Kind::ALL.map(|kind| (kind.name().to_owned(), json!(count(kind))));
        let refuted: Vec<&String> = self.refuted.values().flatten().collect();
        let mut document: serde_json::Map<String, Value> = kinds.into_iter().collect();
        document.insert("all".to_owned(), json!(self.by_kind.values().sum::<usize>()));
        document.insert("refuted".to_owned(), json!(refuted));
        Value::Object(document)
    }

    /// One line a kind of wrong judgement.
    pub(super) fn complaints(&self) -> Vec<String> {
        let line = |(kind, ids): (&Kind, &Vec<String>)| {
            format!("judged {}, and killed: {}", kind.name(), ids.join(", "))
        };
        self.refuted.iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subjects;

    const LIST: &str = r#"
        [[group]]
        kind = "equivalent"
        why = "Both are the same."
        mutants = ["aa", "bb"]
        [[group]]
        kind = "memory"
        why = "Only a leak."
        mutants = ["cc"]
    "#;

    fn run(alive: &[&str], killed: &[&str]) -> Value {
        let alive: Vec<Value> = alive.iter().map(|id| json!({ "id": id })).collect();
        json!({ "survivors": alive, "written": [{ "kills": killed }] })
    }

    #[test]
    fn survivors_that_are_judged_are_left_out_by_kind() {
        let left = Judged::parse(LIST).unwrap().of(&run(&["aa", "cc", "dd"], &["ee"]));
        assert_eq!(
            left.document(),
            json!({ "equivalent": 1, "dead": 0, "memory": 1, "all": 2, "refuted": [] })
        );
        assert_eq!(left.complaints(), [""; 0]);
    }

    #[test]
    fn a_judged_mutant_that_a_written_test_kills_is_told_and_counts() {
        let left = Judged::parse(LIST).unwrap().of(&run(&["cc"], &["aa", "bb"]));
        assert_eq!(left.complaints(), ["judged equivalent, and killed: aa, bb"]);
        assert_eq!(
            left.document(),
            json!({ "equivalent": 0, "dead": 0, "memory": 1, "all": 1, "refuted": ["aa", "bb"] })
        );
    }

    #[test]
    fn a_list_with_a_mistake_says_which() {
        let check = |text: &str, part: &str| {
            let fail = Judged::parse(text).unwrap_err().to_string();
            assert!(fail.contains(part), "{fail}");
        };
        check(&format!("{LIST}{LIST}"), "aa is judged twice");
        check(&LIST.replace("Only a leak.", " "), "no reason is given for cc");
        check(&LIST.replace("memory", "hard"), "unknown variant `hard`");
        check(&LIST.replace("why", "because"), "unknown field `because`");
    }

    #[test]
    fn every_list_can_be_read_and_is_of_a_subject() {
        let repo = Repo::find().unwrap();
        for path in files::walk(&repo.root().join("xtask/equivalents")).unwrap() {
            let folder = path.file_stem().unwrap().to_str().unwrap().to_owned();
            subjects::named(std::slice::from_ref(&folder)).unwrap();
            Judged::load(&repo, &folder).unwrap();
        }
    }
}
