//! What the tests are to be written for: the mutants that the existing tests leave alive.

use std::collections::{BTreeSet, HashMap};

use testsmith_instrument::{Mutant, Plan, State};
use testsmith_model::api::Model;

use crate::cli::SearchArgs;
use crate::config::nearest;
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
}

impl Goals {
    /// What is left to do after the existing tests, of which there may be none.
    pub(crate) fn new(
        plan: &Plan,
        model: &Model,
        score: Option<&Score>,
        args: &SearchArgs,
    ) -> Result<Goals, Failure> {
        let verdicts: HashMap<&str, &str> = score
            .iter()
            .flat_map(|score| &score.verdicts)
            .map(|entry| (entry.mutant.id.as_str(), entry.verdict))
            .collect();
        let wanted = wanted(plan, model, args)?;
        let mut goals = Goals::default();
        for (mutant, state) in plan.iter().filter(|(mutant, _)| wanted.contains(&mutant.number)) {
            match state {
                State::Alive => {
                    goals.viable.insert(mutant.number);
                }
                State::Unviable(_) => {
                    goals.unviable.insert(mutant.number);
                    continue;
                }
                State::Deselected | State::Fixed(_) => continue,
            }
            if matches!(verdicts.get(mutant.id.0.as_str()), Some(&("killed" | "timeout"))) {
                goals.killed.insert(mutant.number);
            }
        }
        goals.open = match args.all_mutants {
            true => goals.viable.clone(),
            false => goals.viable.difference(&goals.killed).copied().collect(),
        };
        Ok(goals)
    }
}

/// The mutants of the units and by the names that the user has given; without any, all.
fn wanted(plan: &Plan, model: &Model, args: &SearchArgs) -> Result<BTreeSet<u32>, Failure> {
    for id in &args.only {
        if !plan.mutants.iter().any(|mutant| mutant.id.0 == *id) {
            let like = nearest(id, plan.mutants.iter().map(|mutant| mutant.id.0.as_str()));
            return Err(Failure::usage(format!(
                "there is no mutant `{id}`\n  did you mean `{like}`? `cargo testsmith list --json` prints all of them"
            )));
        }
    }
    let known: BTreeSet<&str> = model.origins.iter().map(|origin| origin.unit.as_str()).collect();
    let units: Vec<&str> = args.unit.iter().map(|name| unit::find(&known, name)).collect::<Result<_, _>>()?;
    let is_named = |mutant: &Mutant| args.only.is_empty() || args.only.contains(&mutant.id.0);
    let is_in_unit = |mutant: &Mutant| {
        units.is_empty() || unit::of(plan, model, mutant).is_some_and(|unit| units.contains(&unit))
    };
    let all = plan.mutants.iter().filter(|mutant| is_named(mutant) && is_in_unit(mutant));
    Ok(all.map(|mutant| mutant.number).collect())
}
