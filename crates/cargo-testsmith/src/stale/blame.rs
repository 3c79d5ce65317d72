//! Which tests a compiler error is about.

use std::collections::BTreeSet;
use std::path::Path;

use testsmith_model::{Missing, Names};
use testsmith_suite::text::{At, Existing, imported_name};

use super::likely;
use super::report::Kind;
use super::{Finding, State};
use crate::build::{CompilerMessage, Span};

/// Codes of errors that say that something named is not there, or not for everybody.
const MISSING: [&str; 16] = [
    "E0405", "E0412", "E0422", "E0423", "E0424", "E0425", "E0432", "E0433", "E0531", "E0532", "E0574",
    "E0599", "E0603", "E0609", "E0616", "E0624",
];

/// Takes out of the files what errors are about; whether there was anything. `copy` is the root that places start at.
pub(super) fn blame(states: &mut [State], errors: &[CompilerMessage], copy: &Path, names: &Names) -> bool {
    // Places are those of the files as they were compiled.
    let compiled: Vec<Existing> = states.iter().map(|state| state.current.clone()).collect();
    let mut is_progress = false;
    for error in errors {
        let Some((index, span)) = place(states, error, copy) else { continue };
        let words = compiled[index].text().get(span.byte_start..span.byte_end).unwrap_or_default().to_owned();
        let is_named = |name: &str| compiled.iter().any(|file| file.mentions(name));
        let state = &mut states[index];
        is_progress |= match compiled[index].at_byte(span.byte_start) {
            At::Test(name) => {
                let finding = of_test(&compiled[index], &name, error, &words, names, is_named);
                state.take_out(&name, finding)
            }
            At::Use(paths) => of_import(state, &paths, error, &words, names, is_named),
            At::Other => {
                let tests: Vec<String> = state.current.tests().map(|(name, _)| name.to_owned()).collect();
                for test in tests {
                    state.take_out(&test, Finding::new(Kind::FileDoesNotCompile, error.in_short()));
                }
                !std::mem::replace(&mut state.is_left_out, true)
            }
        };
    }
    is_progress
}

/// The file of ours that an error is about, and the place in it: where it shows first.
fn place<'e>(states: &[State], error: &'e CompilerMessage, copy: &Path) -> Option<(usize, &'e Span)> {
    let mut spans: Vec<&Span> = error.spans.iter().collect();
    spans.sort_by_key(|span| !span.is_primary);
    let mut all = Vec::new();
    for span in spans {
        let mut next = Some(span);
        while let Some(span) = next {
            all.push(span);
            next = span.expansion.as_ref().map(|expansion| &expansion.span);
        }
    }
    all.into_iter().find_map(|span| {
        let path = copy.join(&span.file_name);
        let index = states.iter().position(|state| state.compiled_at == path)?;
        Some((index, span))
    })
}

fn of_test(
    file: &Existing,
    test: &str,
    error: &CompilerMessage,
    words: &str,
    names: &Names,
    is_named: impl Fn(&str) -> bool,
) -> Finding {
    let code = error.code.as_ref().map_or("", |code| code.code.as_str());
    if !MISSING.contains(&code) || !is_word(words) {
        return Finding::new(Kind::DoesNotCompile, error.in_short());
    }
    let text = file.tests().find(|(name, _)| *name == test).map_or("", |(_, text)| text);
    let owner = likely::owner(&error.message);
    let missing = Missing { arity: likely::arity(text, words), name: words.to_owned(), owner };
    Finding {
        what: Some(missing.path()),
        likely: likely::proposed(error).or_else(|| names.likely(&missing, is_named)),
        ..Finding::new(Kind::CallableGone, error.in_short())
    }
}

/// What an import names is not there: tests that use the name cannot stay, nor can the import.
fn of_import(
    state: &mut State,
    paths: &[String],
    error: &CompilerMessage,
    words: &str,
    names: &Names,
    is_named: impl Fn(&str) -> bool,
) -> bool {
    let is_part =
        |path: &str, word: &str| path.split("::").flat_map(|part| part.split(" as ")).any(|it| it == word);
    let wrong =
        |path: &&String| words.split(|c: char| !c.is_alphanumeric() && c != '_').any(|it| is_part(path, it));
    let mut bad: BTreeSet<String> = paths.iter().filter(wrong).cloned().collect();
    if bad.is_empty() {
        bad = paths.iter().cloned().collect();
    }
    let before = state.bad_imports.len();
    for path in &bad {
        let name = imported_name(path);
        let missing = Missing { name: name.to_owned(), ..Missing::default() };
        let finding = Finding {
            what: Some(path.clone()),
            likely: likely::proposed(error).or_else(|| names.likely(&missing, &is_named)),
            ..Finding::new(Kind::CallableGone, error.in_short())
        };
        for test in state.current.tests_with(name) {
            state.take_out(&test, finding.clone());
        }
    }
    state.current = state.current.without_imports(&bad, state.edition);
    state.bad_imports.extend(bad);
    state.bad_imports.len() > before
}

fn is_word(words: &str) -> bool {
    !words.is_empty() && words.chars().all(|c| c.is_alphanumeric() || c == '_')
}
