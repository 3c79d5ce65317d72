//! The mutants that the user has chosen: [`plan`] is that of `list`, held against every choice before anything is built.
//!
//! A choice that matches nothing would end in "100 %" or "nothing is missing". It is an error that names what comes close.

use std::collections::BTreeSet;

use testsmith_instrument::{Plan, State};
use testsmith_model::Skipped;

use crate::build::Builder;
use crate::config::nearest;
use crate::failure::{Code, Failure};
use crate::filter::Filter;
use crate::list;
use crate::options::PackageOptions;

/// Mutants that can be judged; none only where a diff touches none.
pub(crate) fn plan(options: &PackageOptions, filter: &Filter, builder: &Builder) -> Result<Plan, Failure> {
    let plan = list::plan(options, filter, builder)?;
    readable(&plan, filter)?;
    every_choice_matches(&plan, filter)?;
    match is_empty(&plan) && !filter.is_emptied_by_diff(&plan) {
        true => Err(nothing(&why_empty(&plan, filter, &options.title()))),
        false => Ok(plan),
    }
}

/// Whether nothing is to be judged.
pub(crate) fn is_empty(plan: &Plan) -> bool {
    !plan.states.contains(&State::Alive)
}

/// What is said where a diff touches no mutant.
pub(crate) const NOTHING_IN_DIFF: &str = "the diff changes no line with a mutant: there is nothing to judge";

/// That nothing can be judged, for this reason.
pub(crate) fn nothing(why: &str) -> Failure {
    Failure::new(Code::Nothing, why)
}

/// Every file that the user wants has to be read: what is not read has no mutants, and would seem to be tested.
fn readable(plan: &Plan, filter: &Filter) -> Result<(), Failure> {
    let is_unread = |skipped: &&Skipped| {
        skipped.line == 0 && skipped.reason != "generated" && filter.wants_file(&skipped.file)
    };
    let Some(Skipped { file, reason, .. }) = plan.skipped.iter().find(is_unread) else { return Ok(()) };
    Err(nothing(&format!(
        "{file} cannot be read: {reason}\n  it would have no mutants, and so would seem to be tested; `cargo check` says whether it \
         is right. If it is, leave it out with `exclude_files = [\"{file}\"]` in testsmith.toml"
    )))
}

fn every_choice_matches(plan: &Plan, filter: &Filter) -> Result<(), Failure> {
    if plan.mutants.is_empty() {
        return Ok(());
    }
    let names = || plan.tree.files.iter().map(|file| file.name.as_str());
    if let Some(glob) = filter.globs().find(|glob| !names().any(|name| glob.matches(name))) {
        let like = nearest(&glob.pattern, names());
        return Err(nothing(&format!(
            "no source file matches `{}`\n  did you mean `{like}`? `cargo testsmith list` names the files",
            glob.pattern
        )));
    }
    let is_matched = |re: &&regex::Regex| plan.mutants.iter().any(|it| filter.is_line_matched(re, plan, it));
    if let Some(re) = filter.regexes().find(|re| !is_matched(re)) {
        let functions: BTreeSet<&str> = plan.functions.iter().map(|it| it.path.as_str()).collect();
        let like = nearest(re.as_str(), functions.into_iter());
        return Err(nothing(&format!(
            "no mutant matches the regular expression `{}`\n  did you mean `in {like}`? `cargo testsmith list` prints the lines that \
             it is held against",
            re.as_str()
        )));
    }
    filter.only().iter().try_for_each(|selector| selector.find(plan).map(drop))
}

/// Why no mutant is left of those that there are.
fn why_empty(plan: &Plan, filter: &Filter, title: &str) -> String {
    let is = |wanted: fn(&State) -> bool| plan.states.iter().any(wanted);
    if plan.mutants.is_empty() {
        return format!(
            "{title} has no code that a mutant could be made of\n  there is nothing that a test could miss; \
             `cargo testsmith list --skipped` prints what is left alone, and why"
        );
    }
    if is(|state| matches!(state, State::Accepted(_))) {
        return "all mutants that are chosen are accepted by the configuration\n  \
                see `accepted` in testsmith.toml"
            .to_owned();
    }
    if !is(|state| *state == State::Deselected) {
        return format!(
            "all mutants of {title} are in code that has to stay as it is\n  \
             `cargo testsmith list --skipped` says why"
        );
    }
    match filter.operators_without_mutants(plan) {
        Some(operators) => {
            let there: BTreeSet<&str> = plan.mutants.iter().map(|mutant| mutant.operator.id).collect();
            let there: Vec<&str> = there.into_iter().collect();
            format!(
                "no code of {title} is such that `{operators}` could change it\n  operators that have mutants here: {}",
                there.join(", ")
            )
        }
        None => "no mutant is left that passes every filter\n  \
                 `--file`, `--re`, `--operators` and `--only` narrow each other, and `exclude_files` and `exclude_re` of \
                 testsmith.toml count too"
            .to_owned(),
    }
}
