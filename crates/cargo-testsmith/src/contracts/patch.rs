//! Docs and assertions that the contracts suggest, as a patch that nobody applies: [`propose`].
//!
//! A function that panics exactly under a condition which its docs do not name gets a section `# Panics`. Where the condition can be
//! written inside of it, it also gets a `debug_assert!` at its entry. The patched copy is compiled; what does not compile
//! there is not proposed.

use std::collections::{BTreeMap, BTreeSet};

use testsmith_contracts::{Contract, Formula, Kind, Table, Tables};
use testsmith_instrument::Plan;
use testsmith_model::api::{Model, Origin};
use testsmith_model::{Package, SourceFile};

use super::claims::{Findings, gap};
use crate::build::Builder;
use crate::copy::write_if_changed;
use crate::failure::Failure;
use crate::generate::unified;

/// Rounds of taking out assertions that do not compile.
const MOST_ROUNDS: usize = 4;

/// Lines that go behind a line of a file.
struct Insertion {
    /// By its number among the plan's files.
    file: usize,
    /// They come before this line, from 1.
    before: usize,
    lines: Vec<String>,
    /// It is code, which may not compile.
    is_code: bool,
}

/// The diff of all that is proposed; empty if nothing is.
pub(super) fn propose(
    builder: &Builder,
    package: &Package,
    model: &Model,
    plan: &Plan,
    findings: &Findings,
    tables: &Tables,
) -> Result<String, Failure> {
    let mut all: Vec<Insertion> = Vec::new();
    for (at, (callable, contracts)) in &findings.functions {
        let origin = &model.origins[*at];
        let table = &tables.callables[callable];
        if gap(origin, tables, *callable, contracts).is_none() {
            continue;
        }
        let Some(panics) = contracts.iter().find(|contract| contract.kind == Kind::Panics) else { continue };
        all.extend(insertions(origin, plan, panics, table));
    }
    let copy = builder.copies.plain();
    for _ in 0..MOST_ROUNDS {
        if !all.iter().any(|it| it.is_code) {
            break;
        }
        let texts = patched(plan, &all);
        let path = |file: &SourceFile| builder.copies.place(&file.path, &copy);
        for (file, (text, _)) in &texts {
            write_if_changed(&path(&plan.tree.files[*file]), text)?;
        }
        let built = builder.build_test(&copy, package, &["--lib"])?;
        for file in texts.keys() {
            write_if_changed(&path(&plan.tree.files[*file]), &plan.tree.files[*file].text)?;
        }
        if built.success {
            break;
        }
        let guilty: BTreeSet<(String, usize)> = built
            .errors
            .iter()
            .flat_map(|error| &error.spans)
            .map(|span| (span.file_name.replace('\\', "/"), span.line_start))
            .collect();
        let is_guilty = |at: usize| {
            let insertion = &all[at];
            let name = &plan.tree.files[insertion.file].name;
            let (_, places) = &texts[&insertion.file];
            guilty.iter().any(|(file, line)| {
                file.ends_with(name.as_str()) && places.get(&at).is_some_and(|place| place.contains(line))
            })
        };
        let bad: BTreeSet<usize> = (0..all.len()).filter(|at| all[*at].is_code && is_guilty(*at)).collect();
        // Where nobody can be blamed, the docs alone are proposed.
        let mut number = 0;
        all.retain(|it| {
            number += 1;
            if bad.is_empty() { !it.is_code } else { !bad.contains(&(number - 1)) }
        });
    }
    let texts = patched(plan, &all);
    let diff = |(file, (text, _)): (&usize, &(String, _))| {
        let file = &plan.tree.files[*file];
        unified(&file.name, Some(&file.text), Some(text))
    };
    Ok(texts.iter().map(diff).collect())
}

/// What is proposed for one function.
fn insertions(origin: &Origin, plan: &Plan, panics: &Contract, table: &Table) -> Vec<Insertion> {
    let Formula::Panics { any, exactly: true } = &panics.formula else { return Vec::new() };
    let Some(place) = &origin.place else { return Vec::new() };
    let Some(number) = plan.tree.files.iter().position(|file| file.name == place.file) else {
        return Vec::new();
    };
    let file = &plan.tree.files[number];
    let name = origin.path.rsplit("::").next().unwrap_or_default();
    let signature = (place.first..=place.last).find(|line| file.line(*line).contains(&format!("fn {name}")));
    // What a macro has written has no place of its own.
    let Some(signature) = signature else { return Vec::new() };
    let indent: String = file.line(place.first).chars().take_while(|c| c.is_whitespace()).collect();
    let condition = panics.text(table);
    let condition =
        condition.strip_prefix("panics exactly if ").map(|condition| format!(" if `{condition}`"));
    let has_docs = place.first > 1 && file.line(place.first - 1).trim_start().starts_with("///");
    let head = if has_docs { vec![format!("{indent}///")] } else { Vec::new() };
    let docs = [
        "/// # Panics".to_owned(),
        "///".to_owned(),
        format!("/// Panics{}.", condition.unwrap_or_default()),
    ];
    let docs = docs.into_iter().map(|line| format!("{indent}{line}"));
    let mut all = vec![Insertion {
        file: number,
        before: place.first,
        lines: head.into_iter().chain(docs).collect(),
        is_code: false,
    }];
    // At its entry, where all that the condition names can be named.
    let opens = |line: &usize| file.line(*line).trim_end().ends_with('{');
    if let Some(body) = (signature..place.last).find(opens)
        && let Some(required) = required(any, table)
    {
        all.push(Insertion {
            file: number,
            before: body + 1,
            lines: vec![format!("{indent}    debug_assert!({required});")],
            is_code: true,
        });
    }
    all
}

/// What has to hold for a call not to panic.
fn required(any: &[Vec<testsmith_contracts::Atom>], table: &Table) -> Option<String> {
    let each = any.iter().map(|all| match all.as_slice() {
        [] => None,
        [atom] => Some(match atom.negated() {
            Some(not) => not.text(table, false),
            None => format!("!({})", atom.text(table, false)),
        }),
        several => {
            let texts: Vec<String> = several.iter().map(|atom| atom.text(table, false)).collect();
            Some(format!("!({})", texts.join(" && ")))
        }
    });
    let all: Option<Vec<String>> = each.collect();
    all.filter(|all| !all.is_empty()).map(|all| all.join(" && "))
}

/// The lines of each insertion in a patched file, by its number.
type Places = BTreeMap<usize, std::ops::Range<usize>>;

/// The texts of files with insertions, and where these are.
fn patched(plan: &Plan, all: &[Insertion]) -> BTreeMap<usize, (String, Places)> {
    let files: BTreeSet<usize> = all.iter().map(|it| it.file).collect();
    let patch = |file: usize| {
        let mut text = String::new();
        let mut places = Places::new();
        let mut line = 0;
        for (at, old) in plan.tree.files[file].text.split_inclusive('\n').enumerate() {
            for (number, insertion) in all.iter().enumerate() {
                if insertion.file == file && insertion.before == at + 1 {
                    places.insert(number, line + 1..line + 1 + insertion.lines.len());
                    insertion.lines.iter().for_each(|new| text += &format!("{new}\n"));
                    line += insertion.lines.len();
                }
            }
            text += old;
            line += 1;
        }
        (text, places)
    };
    files.into_iter().map(|file| (file, patch(file))).collect()
}
