//! What the tests are to be written for: the mutants that the existing tests leave alive.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use testsmith_instrument::{Mutant, Plan, State};
use testsmith_model::SourceTree;
use testsmith_model::api::Model;

use crate::chosen::nothing;
use crate::cli::SearchArgs;
use crate::failure::Failure;
use crate::report::json::Score;
use crate::unit;

/// Mutants, by what the existing tests do to them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Goals {
    /// To be killed.
    pub(crate) open: BTreeSet<u32>,
    /// Killed by existing tests; with `--all-mutants` they are open as well.
    pub(crate) killed: BTreeSet<u32>,
    /// All that the user wants and the compiler accepts.
    pub(crate) viable: BTreeSet<u32>,
    /// All that the compiler rejects.
    pub(crate) unviable: BTreeSet<u32>,
    /// By file, how many are in code that the tests cannot call, because only other programs have it.
    pub(crate) elsewhere: BTreeMap<String, usize>,
}

impl Goals {
    /// What is left to do after the existing tests, of which there may be none, in what tests are written for.
    pub(crate) fn new(
        plan: &Plan,
        model: &Model,
        subject: &SourceTree,
        score: Option<&Score>,
        args: &SearchArgs,
    ) -> Result<Goals, Failure> {
        let own: BTreeSet<&Path> = subject.files.iter().map(|file| file.path.as_path()).collect();
        let verdicts: HashMap<&str, &str> = score
            .iter()
            .flat_map(|score| &score.verdicts)
            .map(|entry| (entry.mutant.id.as_str(), entry.verdict))
            .collect();
        let wanted = wanted(plan, model, args)?;
        let mut goals = Goals::default();
        for (mutant, state) in plan.iter().filter(|(mutant, _)| wanted.contains(&mutant.number)) {
            let file = plan.file_of(mutant);
            if !own.contains(file.path.as_path()) {
                if *state == State::Alive {
                    *goals.elsewhere.entry(file.name.clone()).or_default() += 1;
                }
                continue;
            }
            match state {
                State::Alive => {
                    goals.viable.insert(mutant.number);
                }
                State::Unviable(_) => {
                    goals.unviable.insert(mutant.number);
                    continue;
                }
                State::Deselected | State::Accepted(_) | State::Fixed(_) => continue,
            }
            if matches!(verdicts.get(mutant.id.0.as_str()), Some(&("killed" | "timeout"))) {
                goals.killed.insert(mutant.number);
            }
        }
        goals.open = match args.all_mutants {
            true => goals.viable.clone(),
            false => goals.viable.difference(&goals.killed).copied().collect(),
        };
        if goals.viable.is_empty() {
            return Err(nothing(&why_none(&goals, args)));
        }
        Ok(goals)
    }
}

fn why_none(goals: &Goals, args: &SearchArgs) -> String {
    match (goals.unviable.len(), args.unit.as_slice()) {
        (0, []) if !goals.elsewhere.is_empty() => format!(
            "all mutants are in code that only other programs have: {}\n  \
             tests are written for the library; what stands there can be tested where the library has it",
            goals.elsewhere.keys().cloned().collect::<Vec<_>>().join(", ")
        ),
        (0, units) => format!(
            "there is no mutant in `{}`\n  `cargo testsmith inspect` says which units have some",
            units.join("`, `")
        ),
        (count, _) => format!(
            "the compiler rejects all {count} mutants\n  `cargo testsmith score -v` prints its reasons"
        ),
    }
}

/// The mutants of the units that the user has given; without any, all.
fn wanted(plan: &Plan, model: &Model, args: &SearchArgs) -> Result<BTreeSet<u32>, Failure> {
    let known: BTreeSet<&str> = model.origins.iter().map(|origin| origin.unit.as_str()).collect();
    let units: Vec<&str> = args.unit.iter().map(|name| unit::find(&known, name)).collect::<Result<_, _>>()?;
    let is_in_unit = |mutant: &Mutant| {
        units.is_empty() || unit::of(plan, model, mutant).is_some_and(|unit| units.contains(&unit))
    };
    let all = plan.mutants.iter().filter(|mutant| is_in_unit(mutant));
    Ok(all.map(|mutant| mutant.number).collect())
}
