//! What has to be on for a test to be compiled ([`Condition`]): tests with one stand in a file of their own, which begins with it,
//! so that nothing is imported in vain where it is off.

use std::collections::BTreeSet;

use super::existing::HEADER;
use super::words::snake_case;

/// What a test needs that not every build has.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Condition {
    /// Features of the crate.
    pub features: BTreeSet<String>,
    /// Debug assertions, and the overflow checks that go with them.
    pub debug_assertions: bool,
}

impl Condition {
    /// Whether a build with these features, with or without debug assertions, has all that is needed.
    pub fn holds(&self, features: &BTreeSet<String>, debug_assertions: bool) -> bool {
        self.features.is_subset(features) && (debug_assertions || !self.debug_assertions)
    }

    /// As `cfg` takes it; `None` if nothing is needed.
    pub fn predicate(&self) -> Option<String> {
        let features = self.features.iter().map(|name| format!("feature = {name:?}"));
        let debug = self.debug_assertions.then(|| "debug_assertions".to_owned());
        let mut all: Vec<String> = features.chain(debug).collect();
        match all.len() {
            0 => None,
            1 => all.pop(),
            _ => Some(format!("all({})", all.join(", "))),
        }
    }

    /// What a new file of tests that need this begins with.
    pub fn file(&self) -> Option<String> {
        Some(format!("{HEADER}\n\n#![cfg({})]\n", self.predicate()?))
    }

    /// The name of the file of a module's tests that need this.
    pub fn module(&self, module: &str) -> String {
        let features = self.features.iter().map(|name| snake_case(&name.replace('-', "_")));
        let debug = self.debug_assertions.then(|| "debug".to_owned());
        [module.to_owned()].into_iter().chain(features).chain(debug).collect::<Vec<_>>().join("_")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_says_what_is_needed() {
        let table: [(&[&str], bool, &str, &str); 4] = [
            (&[], false, "", "list"),
            (&["std"], false, "feature = \"std\"", "list_std"),
            (&[], true, "debug_assertions", "list_debug"),
            (
                &["a-b", "c"],
                true,
                "all(feature = \"a-b\", feature = \"c\", debug_assertions)",
                "list_a_b_c_debug",
            ),
        ];
        for (features, debug_assertions, predicate, module) in table {
            let features = features.iter().map(|name| (*name).to_owned()).collect();
            let condition = Condition { features, debug_assertions };
            assert_eq!(condition.predicate().unwrap_or_default(), predicate);
            assert_eq!(condition.module("list"), module);
            assert!(condition.holds(&condition.features, true));
            assert_eq!(condition.holds(&BTreeSet::new(), false), predicate.is_empty());
        }
    }
}
