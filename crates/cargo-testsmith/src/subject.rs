//! A crate as the search sees it.

use std::collections::BTreeMap;

use testsmith_instrument::Plan;
use testsmith_ir::CallableId;
use testsmith_model::api::Model;
use testsmith_model::effects::{Effects, Purity};
use testsmith_model::graph::Graph;
use testsmith_search::{Subject, Unit};

use crate::targets::targets;
use crate::unit;

/// What can be called, and what is known of the mutants.
pub(crate) fn subject<'a>(model: &'a Model, plan: &Plan, graph: &Graph, effects: &Effects) -> Subject<'a> {
    let literals = testsmith_model::literals(&plan.tree);
    let mut units: BTreeMap<&str, Unit> = BTreeMap::new();
    for origin in &model.origins {
        let name = origin.unit.clone();
        let unit = units.entry(&origin.unit).or_insert_with(|| Unit { name, ..Unit::default() });
        unit.callables.extend(origin.callables.iter().map(|at| id(*at)));
    }
    for mutant in &plan.mutants {
        if let Some(unit) = unit::of(plan, model, mutant).and_then(|unit| units.get_mut(unit)) {
            unit.mutants.push(mutant.number);
        }
    }
    let changes = |id| graph.purity(id).iter().map(|purity| *purity == Purity::ReadWrite).collect();
    Subject {
        api: &model.api,
        // Others only make arguments.
        roots: model.origins.iter().flat_map(|origin| &origin.callables).copied().map(id).collect(),
        strings: literals.strings.into_iter().collect(),
        ints: literals.ints.into_iter().collect(),
        units: units.into_values().collect(),
        mutants: targets(plan, graph, effects),
        regions: plan.regions(),
        changes: model.api.callables().map(|(id, _)| changes(id)).collect(),
    }
}

fn id(callable: usize) -> CallableId {
    CallableId(u32::try_from(callable).expect("callables are few"))
}
