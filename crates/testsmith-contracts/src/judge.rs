//! Contracts judge mutants: what a mutant shows becomes rows, and a contract that they contradict is one that it breaks.

use std::collections::BTreeMap;
use std::sync::Arc;

use testsmith_ir::{Api, CallableId, Program};
use testsmith_rt::harness::wire::{Difference, Execution, Observations, Outcome, What};

use crate::contract::Contract;
use crate::probe::Probed;
use crate::record::Tables;
use crate::table::Table;

/// A callable's contracts, with the table that their columns are of.
pub type Known<'a> = BTreeMap<CallableId, (&'a Table, &'a [Contract])>;

/// An execution as a mutant went through it; `None` if nothing differs. All differences of the mutant have to be there
/// (`Observing::All`).
pub fn on_mutant(execution: &Execution, mutant: u32) -> Option<Execution> {
    let own = execution.differences.iter().filter(|(number, _)| *number == mutant);
    let differences: Vec<&Difference> = own.map(|(_, difference)| difference).collect();
    let Observations::Full(original) = &execution.observations else { return None };
    if differences.is_empty() {
        return None;
    }
    let mut seen = original.iter().cloned().map(Some).collect::<Vec<_>>();
    let mut mutated = Execution { differences: Vec::new(), ..execution.clone() };
    for difference in differences {
        match difference {
            Difference::Observation(at, what) => {
                let Some(slot) = seen.get_mut(*at as usize) else { continue };
                match (slot.as_mut(), what) {
                    (Some(observation), Some(what)) if *what != What::Absent => {
                        observation.what = what.clone();
                    }
                    _ => *slot = None,
                }
            }
            // It has passed what ended the original; what would have come behind that nobody has seen.
            Difference::Outcome(Outcome::Ok, _) => {
                (mutated.outcome, mutated.statement) = (Outcome::Ok, u16::MAX);
            }
            Difference::Outcome(outcome, statement) => {
                (mutated.outcome, mutated.statement) = (outcome.clone(), *statement);
            }
        }
    }
    mutated.observations = Observations::Full(seen.into_iter().flatten().collect());
    Some(mutated)
}

/// The contracts that an execution contradicts, each by its callable and number.
pub fn broken(
    api: &Api,
    program: &Arc<Program>,
    probed: &Probed,
    execution: &Execution,
    known: &Known<'_>,
) -> Vec<(CallableId, usize)> {
    let mut tables = Tables::default();
    tables.record(api, program, probed, execution);
    let mut all = Vec::new();
    for (callable, rows) in &tables.callables {
        let Some((table, contracts)) = known.get(callable) else { continue };
        let is_broken = |contract: &Contract| {
            contract.in_table(table, rows).is_some_and(|there| there.broken_by(rows, 0).is_some())
        };
        let broken = contracts.iter().enumerate().filter(|(_, contract)| is_broken(contract));
        all.extend(broken.map(|(at, _)| (*callable, at)));
    }
    all
}
