//! Two things of one name, `humantime::Duration` and `std::time::Duration`, cannot both be imported: all but one get
//! another name, the same in every program.

use std::collections::{BTreeMap, BTreeSet};

use testsmith_ir::api::Api;

/// Renames what has the name of something else; things of `krate` keep theirs.
pub(crate) fn rename(api: &mut Api, krate: &str) {
    let aliases = aliases(api, krate);
    if aliases.is_empty() {
        return;
    }
    for ty in &mut api.types {
        apply(&aliases, &mut ty.shown, &mut ty.imports);
    }
    for callable in &mut api.callables {
        apply(&aliases, &mut callable.shown, &mut callable.imports);
    }
}

/// For each path that cannot have its own name the name that it gets.
fn aliases(api: &Api, krate: &str) -> BTreeMap<String, String> {
    let of_types = api.types.iter().flat_map(|ty| &ty.imports);
    let paths: BTreeSet<&String> =
        of_types.chain(api.callables.iter().flat_map(|callable| &callable.imports)).collect();
    let mut by_name: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for path in paths {
        by_name.entry(name(path)).or_default().push(path);
    }
    let mut taken: BTreeSet<String> = by_name.keys().map(|name| (*name).to_owned()).collect();
    let mut aliases = BTreeMap::new();
    for paths in by_name.values_mut() {
        let is_foreign = |path: &str| path.split("::").next() != Some(krate);
        paths.sort_by_key(|path| (is_foreign(path), path.len(), *path));
        for path in &paths[1..] {
            let alias = alias(path, &taken);
            taken.insert(alias.clone());
            aliases.insert((*path).to_owned(), alias);
        }
    }
    aliases
}

/// `TimeDuration` for `std::time::Duration`, `parse_decode` for `a::parse::decode`.
fn alias(path: &str, taken: &BTreeSet<String>) -> String {
    let mut segments = path.rsplit("::");
    let mut alias = segments.next().unwrap_or_default().to_owned();
    let is_type = alias.starts_with(char::is_uppercase);
    while taken.contains(&alias) {
        let Some(outer) = segments.next() else { return format!("{alias}_") };
        alias = if is_type { capitalized(outer) + &alias } else { format!("{outer}_{alias}") };
    }
    alias
}

fn capitalized(segment: &str) -> String {
    let words = segment.split('_').map(|word| {
        let (first, rest) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
        first.to_uppercase() + rest
    });
    words.collect()
}

/// Renames in one text. Where it is about both things of a name nobody can tell which is meant, and it stays as it is.
fn apply(aliases: &BTreeMap<String, String>, shown: &mut String, imports: &mut [String]) {
    for at in 0..imports.len() {
        let Some(alias) = aliases.get(&imports[at]) else { continue };
        let own = name(&imports[at]).to_owned();
        if imports.iter().filter(|path| name(path) == own).count() > 1 {
            continue;
        }
        *shown = replaced(shown, &own, alias);
        imports[at] = format!("{} as {alias}", imports[at]);
    }
}

fn name(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}

/// Replaces a name where it stands by itself: not as a part of another, a path or a method.
fn replaced(text: &str, name: &str, by: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut result = String::new();
    let mut done = 0;
    for (at, _) in text.match_indices(name) {
        let before = text[..at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        let is_own =
            !before.is_some_and(|c| is_part(c) || c == '.' || c == ':') && !after.is_some_and(is_part);
        if is_own && at >= done {
            result.push_str(&text[done..at]);
            result.push_str(by);
            done = at + name.len();
        }
    }
    result + &text[done..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_replaced_as_a_whole() {
        for (text, expected) in [
            ("Duration::from_secs($0)", "TimeDuration::from_secs($0)"),
            ("Vec<Duration>", "Vec<TimeDuration>"),
            ("DurationError::Duration($0)", "DurationError::Duration($0)"),
            ("$0.Duration(Duration)", "$0.Duration(TimeDuration)"),
        ] {
            assert_eq!(replaced(text, "Duration", "TimeDuration"), expected);
        }
    }

    #[test]
    fn names_come_from_the_modules_around() {
        let taken = BTreeSet::from(["Duration".to_owned(), "decode".to_owned(), "TimeDuration".to_owned()]);
        assert_eq!(alias("std::time::Duration", &taken), "StdTimeDuration");
        assert_eq!(alias("a::parse::decode", &taken), "parse_decode");
        assert_eq!(alias("a::hash_map::Duration", &taken), "HashMapDuration");
    }

    #[test]
    fn the_crate_keeps_its_names() {
        let mut imports = ["std::time::Duration", "humantime::Duration"].map(str::to_owned);
        let aliases = BTreeMap::from([("std::time::Duration".to_owned(), "TimeDuration".to_owned())]);
        let mut shown = "Duration::from($0)".to_owned();
        apply(&aliases, &mut shown, &mut imports);
        assert_eq!(shown, "Duration::from($0)");
        apply(&aliases, &mut shown, &mut imports[..1]);
        assert_eq!(
            (shown.as_str(), imports[0].as_str()),
            ("TimeDuration::from($0)", "std::time::Duration as TimeDuration")
        );
    }
}
