//! What the user knows of a crate's API ([`ApiConfig`]): callables that are not to be called, helpers that make values, ranges
//! of numbers, panics that do not count. Names are looked up in the API; one that is not there is an error.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use regex::RegexSet;
use testsmith_ir::{Accepts, Api, CallableId, LiteralKind};
use testsmith_model::api::{Model, Origin};

use crate::allow::Allow;
use crate::config::Config;
use crate::failure::Failure;
use crate::filter::regexes;
use crate::subject::id;

/// Why a callable is left out that the user does not want to be called.
const UNWANTED: &str = "`never_call` of the configuration names it";

/// So many names that look alike are shown.
const MOST_NAMES: usize = 3;

/// What is configured about the API of a package.
#[derive(Default)]
pub(crate) struct ApiConfig {
    never_call: Vec<String>,
    helpers: Vec<String>,
    ranges: Vec<Range>,
    ignored_panics: RegexSet,
    /// What tests may reach outside of their process.
    pub(crate) allow: Allow,
    /// Whether tests that are alike become one with a table.
    pub(crate) tables: bool,
    /// Names that begin with another crate's may be meant for another package of the workspace.
    is_shared: bool,
}

/// The numbers that may be written for a parameter.
struct Range {
    callable: String,
    param: String,
    text: String,
    first: Option<i128>,
    last: Option<i128>,
}

/// The range of a parameter of an instance.
type Resolved = ((CallableId, usize), RangeInclusive<i128>);

impl ApiConfig {
    /// Of a configuration that is for several packages, or for one.
    pub(crate) fn new(config: &Config, is_shared: bool) -> Result<ApiConfig, Failure> {
        let mut ranges = Vec::new();
        for (callable, params) in &config.ranges {
            for (param, text) in params {
                let (first, last) = ends(text).ok_or_else(|| {
                    Failure::usage(format!(
                        "`{text}` is no range for `{param}` of `{callable}`\n  write one as Rust does: `0..=1024`, `1..`"
                    ))
                })?;
                let (callable, param, text) = (callable.clone(), param.clone(), text.clone());
                ranges.push(Range { callable, param, text, first, last });
            }
        }
        Ok(ApiConfig {
            never_call: config.never_call.clone(),
            helpers: config.helpers.clone(),
            ranges,
            ignored_panics: regexes(&config.ignored_panics)?,
            allow: config.allow.clone(),
            tables: config.tables,
            is_shared,
        })
    }

    /// Whether a panic is none that anybody wants to know of.
    pub(crate) fn ignores(&self, file: &str, line: u32, message: &str) -> bool {
        !self.ignored_panics.is_empty() && self.ignored_panics.is_match(&format!("{file}:{line}: {message}"))
    }

    /// Tells them to the model of a library.
    pub(crate) fn apply(&self, model: &mut Model, library: &str) -> Result<(), Failure> {
        let mut guidance = std::mem::take(&mut model.api.guidance);
        for name in &self.helpers {
            guidance.helpers.extend(self.named(model, library, "helpers", name)?);
        }
        for range in &self.ranges {
            let callables = self.named(model, library, "ranges", &range.callable)?;
            guidance.ranges.extend(range.resolve(&model.api, &callables)?);
        }
        let mut unwanted = BTreeMap::new();
        for name in &self.never_call {
            let callables = self.named(model, library, "never_call", name)?;
            unwanted.extend(callables.into_iter().map(|callable| (callable, UNWANTED.to_owned())));
        }
        model.api.guidance = guidance;
        model.remove(&unwanted);
        Ok(())
    }

    /// All instances of the callables that a path means; none if it is one of another package.
    fn named(&self, model: &Model, library: &str, key: &str, name: &str) -> Result<Vec<CallableId>, Failure> {
        let (own, inside) =
            (plain(name), format!("{library}::{}", plain(name.trim_start_matches("crate::"))));
        let is_it = |known: &str| [&own, &inside].contains(&&plain(known));
        let all = || model.origins.iter();
        // Several traits may give a type a method of the same name.
        let mut origins: Vec<&Origin> = all().filter(|origin| origin.path == name).collect();
        if origins.is_empty() {
            origins = all().filter(|origin| is_it(&origin.path)).collect();
        }
        if !origins.is_empty() {
            return Ok(origins.iter().flat_map(|origin| &origin.callables).copied().map(id).collect());
        }
        let is_elsewhere =
            self.is_shared && !["crate", library].contains(&name.split("::").next().unwrap_or(name));
        if let Some(skipped) = model.skipped.iter().find(|skipped| is_it(&skipped.path)) {
            return match key {
                "never_call" => Ok(Vec::new()),
                _ => Err(Failure::usage(format!(
                    "`{key}` names `{name}`, which cannot be called: {}\n  `cargo testsmith inspect` prints what can",
                    skipped.reason
                ))),
            };
        }
        if is_elsewhere {
            return Ok(Vec::new());
        }
        let path = if own.starts_with(&format!("{library}::")) { own } else { inside };
        let known = all().map(|origin| plain(&origin.path));
        Err(Failure::usage(format!(
            "`{key}` names `{name}`, which {library} does not have\n  did you mean {}? `cargo testsmith inspect --purity` prints all callables",
            alike(&path, known)
        )))
    }
}

impl Range {
    /// For each instance of a callable that takes an integer there.
    fn resolve(&self, api: &Api, callables: &[CallableId]) -> Result<Vec<Resolved>, Failure> {
        let Range { callable, param, text, .. } = self;
        let mut found = Vec::new();
        let mut names: Vec<&str> = Vec::new();
        for id in callables {
            for (at, candidate) in api[*id].params.iter().enumerate() {
                names.push(&candidate.name);
                if let Some(limits) = integers(api, candidate.accepts).filter(|_| candidate.name == *param) {
                    let first = self.first.unwrap_or(*limits.start()).max(*limits.start());
                    let last = self.last.unwrap_or(*limits.end()).min(*limits.end());
                    found.push(((*id, at), first..=last));
                }
            }
        }
        if callables.is_empty() {
            return Ok(found);
        }
        if !names.contains(&param.as_str()) {
            let names = names.iter().map(|name| (*name).to_owned());
            return Err(Failure::usage(format!(
                "`ranges` names the parameter `{param}`, which `{callable}` does not have\n  did you mean {}?",
                alike(param, names)
            )));
        }
        if found.iter().any(|(_, range)| range.is_empty()) {
            return Err(Failure::usage(format!(
                "no number of `{param}` of `{callable}` is in the range `{text}`"
            )));
        }
        match found.is_empty() {
            true => Err(Failure::usage(format!(
                "`ranges` names the parameter `{param}` of `{callable}`, which takes no integer\n  only integers have ranges"
            ))),
            false => Ok(found),
        }
    }
}

/// The integers that a parameter takes; `None` for one that takes something else.
fn integers(api: &Api, accepts: Accepts) -> Option<RangeInclusive<i128>> {
    let (Accepts::Value(ty) | Accepts::Shared(ty) | Accepts::Exclusive(ty) | Accepts::List(ty)) = accepts
    else {
        return None;
    };
    let Some(LiteralKind::Int { signed, bits }) = api[ty].literal else { return None };
    // Sizes have 64 bits; of the largest type only half are of use.
    let bits = u32::from(if bits == 0 { 64 } else { bits });
    let last = i128::MAX >> (127 - (if signed { bits - 1 } else { bits }).min(127));
    Some(if signed { -last - 1..=last } else { 0..=last })
}

/// The ends of a range as Rust writes it.
fn ends(text: &str) -> Option<(Option<i128>, Option<i128>)> {
    let end = |text: &str| match text.trim().replace('_', "") {
        text if text.is_empty() => Some(None),
        text => text.parse::<i128>().ok().map(Some),
    };
    let (first, last) = text.split_once("..")?;
    let (first, last) = match last.strip_prefix('=') {
        Some(last) => (end(first)?, Some(end(last)??)),
        None => (
            end(first)?,
            match end(last)? {
                Some(last) => Some(last.checked_sub(1)?),
                None => None,
            },
        ),
    };
    let is_empty = matches!((first, last), (Some(first), Some(last)) if first > last);
    (!is_empty).then_some((first, last))
}

/// A path without type arguments, and for a method of a trait as if it were the type's own: `<a::T<X> as Tr>::f` is `a::T::f`.
pub(crate) fn plain(path: &str) -> String {
    let path = match path.strip_prefix('<').and_then(|rest| rest.split_once(" as ")) {
        Some((ty, rest)) => format!("{ty}{}", rest.rfind(">::").map_or("", |at| &rest[at + 1..])),
        None => path.to_owned(),
    };
    let mut depth = 0;
    let mut text = String::new();
    for c in path.chars() {
        match c {
            '<' => depth += 1,
            '>' => depth -= 1,
            _ if depth == 0 => text.push(c),
            _ => {}
        }
    }
    text.replace("::::", "::")
}

/// The names that look most like one, for a question.
fn alike(name: &str, known: impl Iterator<Item = String>) -> String {
    let mut known: Vec<String> = known.collect();
    known.sort();
    known.dedup();
    known.sort_by(|a, b| strsim::jaro_winkler(name, b).total_cmp(&strsim::jaro_winkler(name, a)));
    let shown: Vec<String> = known.iter().take(MOST_NAMES).map(|name| format!("`{name}`")).collect();
    match shown.as_slice() {
        [] => "something else (there are none)".to_owned(),
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        names => names.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_as_rust_writes_them() {
        let table = [
            ("0..=1024", Some((Some(0), Some(1024)))),
            ("-3..4", Some((Some(-3), Some(3)))),
            ("1_000..", Some((Some(1000), None))),
            ("..=5", Some((None, Some(5)))),
            ("..", Some((None, None))),
            ("5", None),
            ("5..=", None),
            ("5..=4", None),
            ("4..4", None),
            ("a..b", None),
        ];
        for (text, expected) in table {
            assert_eq!(ends(text), expected, "{text}");
        }
    }

    #[test]
    fn paths_go_without_type_arguments_and_traits() {
        let table = [
            ("slab::Slab::get", "slab::Slab::get"),
            ("slab::Slab<T>::get", "slab::Slab::get"),
            ("slab::Slab::<T>::get", "slab::Slab::get"),
            ("<semver::Version as FromStr>::from_str", "semver::Version::from_str"),
            ("<a::B<T> as Index<usize>>::index", "a::B::index"),
        ];
        for (path, expected) in table {
            assert_eq!(plain(path), expected, "{path}");
        }
    }

    #[test]
    fn the_names_that_look_most_alike_are_shown() {
        let known = ["with_capacity", "capacity", "len", "with_copy"].map(str::to_owned);
        assert_eq!(alike("with_capacty", known.into_iter()), "`with_capacity`, `with_copy` or `capacity`");
        assert_eq!(alike("x", ["len".to_owned()].into_iter()), "`len`");
    }

    #[test]
    fn integers_have_the_limits_of_their_type() {
        let api = testsmith_ir::sketch::api(
            "type u8: copy\ntype i128: copy\ntype String\nfn f(a: u8; b: i128; c: String) => f($0, $1, $2)",
        );
        let api = api.expect("it is well written");
        let limits: Vec<_> =
            api.callables[0].params.iter().map(|param| integers(&api, param.accepts)).collect();
        assert_eq!(limits, [Some(0..=255), Some(i128::MIN..=i128::MAX), None]);
    }
}
