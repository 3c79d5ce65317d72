//! What tests may reach outside of their process because the user allows it ([`Allow`]): everywhere, or of a callable or a module.

use std::collections::{BTreeMap, BTreeSet};

use testsmith_rt::harness::outside::Outside;
use toml::Value;

/// What the user allows: `allow` of the configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Allow {
    /// Of all that can be called.
    pub(crate) everywhere: BTreeSet<Outside>,
    /// By the path of a callable, a type or a module.
    pub(crate) below: BTreeMap<String, BTreeSet<Outside>>,
}

impl Allow {
    /// As it is configured: a list of names, or such lists by path.
    pub(crate) fn read(value: &Value) -> Option<Allow> {
        if let Value::Array(_) = value {
            return Some(Allow { everywhere: classes(value)?, ..Allow::default() });
        }
        let below = value.as_table()?.iter().map(|(path, value)| Some((path.clone(), classes(value)?)));
        Some(Allow { below: below.collect::<Option<_>>()?, ..Allow::default() })
    }

    /// What a callable of this path may reach.
    pub(crate) fn of(&self, path: &str) -> BTreeSet<Outside> {
        let path = plain(path);
        let is_below = |above: &str| {
            let above = plain(above);
            path.strip_prefix(&above).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
        };
        let below = self.below.iter().filter(|(above, _)| is_below(above)).flat_map(|(_, classes)| classes);
        self.everywhere.iter().chain(below).copied().collect()
    }

    /// What a program may reach whatever it calls. Files have to be seen in a call, so that it has a folder for them.
    pub(crate) fn without_a_call(&self) -> BTreeSet<Outside> {
        self.everywhere.iter().copied().filter(|outside| *outside != Outside::Files).collect()
    }
}

fn classes(value: &Value) -> Option<BTreeSet<Outside>> {
    value.as_array()?.iter().map(|name| Outside::named(name.as_str()?)).collect()
}

/// A path as people write it: `<a::B<T> as C>::d` is `a::B::d`.
fn plain(path: &str) -> String {
    crate::api_config::plain(path).trim_start_matches("::").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(allow: &Allow, path: &str) -> Vec<&'static str> {
        allow.of(path).into_iter().map(Outside::name).collect()
    }

    fn read(text: &str) -> Option<Allow> {
        let table: toml::Table = format!("allow = {text}").parse().expect("it is TOML");
        Allow::read(&table["allow"])
    }

    #[test]
    fn a_list_is_for_all_and_a_table_for_what_lies_below_a_path() {
        let all = read(r#"["files", "environment"]"#).expect("it is right");
        assert_eq!(names(&all, "a::b"), ["files", "environment"]);
        let some = read(r#"{ "a::fs" = ["files"], "a::B::c" = ["network"] }"#).expect("it is right");
        let table: [(&str, &[&str]); 6] = [
            ("a::fs", &["files"]),
            ("a::fs::copy", &["files"]),
            ("<a::fs::Dir as Read>::read", &["files"]),
            ("a::fsx::copy", &[]),
            ("a::B<T>::c", &["network"]),
            ("a::B::d", &[]),
        ];
        for (path, expected) in table {
            assert_eq!(names(&some, path), expected, "{path}");
        }
        assert_eq!(all.without_a_call(), BTreeSet::from([Outside::Environment]));
    }

    #[test]
    fn a_name_of_nothing_is_no_permission() {
        assert_eq!(read(r#"["file"]"#), None);
        assert_eq!(read("true"), None);
        assert_eq!(read(r#"{ "a" = "files" }"#), None);
    }
}
