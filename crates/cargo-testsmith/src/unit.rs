//! Units: a type with its impls, or the free functions of a module.

use std::collections::{BTreeMap, BTreeSet};

use testsmith_instrument::{Mutant, Plan};
use testsmith_model::api::{Model, Origin};

use crate::chosen::nothing;
use crate::config::nearest;
use crate::failure::Failure;

/// The unit that a mutant is in: that of the smallest item around it that can be called.
pub(crate) fn of<'a>(plan: &Plan, model: &'a Model, mutant: &Mutant) -> Option<&'a str> {
    let file = &plan.file_of(mutant).name;
    let around = model.origins.iter().filter_map(|origin| Some((origin, origin.place.as_ref()?)));
    let around =
        around.filter(|(_, place)| place.file == *file && (place.first..=place.last).contains(&mutant.line));
    around
        .min_by_key(|(_, place)| place.last - place.first)
        .map(|(origin, _): (&Origin, _)| origin.unit.as_str())
}

/// The unit that a name means: its path, with or without the crate, or the last name of only one.
pub(crate) fn find<'a>(units: &BTreeSet<&'a str>, name: &str) -> Result<&'a str, Failure> {
    let is_end = |unit: &&&str| unit.strip_suffix(name).is_some_and(|before| before.ends_with("::"));
    let ending: Vec<&str> = units.iter().filter(is_end).copied().collect();
    match (units.get(name), ending.as_slice()) {
        (Some(exact), _) => Ok(exact),
        (None, [one]) => Ok(one),
        (None, [first, second, ..]) => Err(Failure::usage(format!(
            "there are several units `{name}`\n  such as `{first}` and `{second}`: give the whole name"
        ))),
        (None, []) => Err(unknown(name, units)),
    }
}

/// Whether the sources have a word that could be the name of a unit: the API itself is known only when it is built.
pub(crate) fn check(names: &[String], plan: &Plan, library: &str) -> Result<(), Failure> {
    let is_word = |text: &str, word: &str| text.split(|c: char| !is_of_word(c)).any(|part| part == word);
    let is_mentioned = |name: &str| {
        let last = name.rsplit("::").next().unwrap_or(name).split('<').next().unwrap_or_default().trim();
        last == library || plan.tree.files.iter().any(|file| is_word(&file.text, last))
    };
    let Some(name) = names.iter().find(|name| !is_mentioned(name)) else { return Ok(()) };
    let owners = plan.functions.iter().filter_map(|function| function.path.rsplit_once("::"));
    let owners: Vec<String> = owners.map(|(owner, _)| format!("{library}::{owner}")).collect();
    let units = owners.iter().map(String::as_str).chain([library]).collect();
    Err(unknown(name, &units))
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn unknown(name: &str, units: &BTreeSet<&str>) -> Failure {
    let last = |unit: &'_ str| unit.rsplit("::").next().unwrap_or_default().to_owned();
    let names: BTreeMap<String, &str> = units.iter().map(|unit| (last(unit), *unit)).collect();
    let known = units.iter().copied().chain(names.keys().map(String::as_str));
    let like = nearest(name, known);
    let meant = names.get(like).copied().unwrap_or(like);
    nothing(&format!(
        "there is no unit `{name}`\n  did you mean `{meant}`? `cargo testsmith inspect` prints all of them"
    ))
}
