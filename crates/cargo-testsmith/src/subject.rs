//! A crate as the search sees it.

use std::collections::{BTreeSet, HashMap};

use testsmith_contracts::{Definers, Queries};
use testsmith_instrument::Plan;
use testsmith_ir::{Api, CallableId};
use testsmith_model::Package;
use testsmith_model::api::Model;
use testsmith_model::effects::{Effects, Field, Purity};
use testsmith_model::graph::Graph;
use testsmith_search::{Fields, Subject};

use crate::constants::constants;
use crate::symbolic::Symbolic;
use crate::targets::targets;

/// What can be called, and what is known of the mutants.
pub(crate) fn subject<'a>(
    package: &Package,
    model: &'a Model,
    plan: &Plan,
    graph: &Graph,
    effects: &Effects,
    symbolic: &'a Symbolic,
) -> Subject<'a> {
    #[cfg(not(feature = "symbolic"))]
    let _ = symbolic;
    let literals = testsmith_model::literals(&plan.tree, package);
    let changes = |id| graph.purity(id).iter().map(|purity| *purity == Purity::ReadWrite).collect();
    Subject {
        api: &model.api,
        roots: model.roots(),
        inspectors: model.inspectors.iter().copied().map(id).collect(),
        constants: constants(literals, &model.api),
        mutants: targets(plan, graph, effects),
        regions: plan.regions(),
        #[cfg(feature = "symbolic")]
        module: symbolic.module.as_ref(),
        #[cfg(feature = "symbolic")]
        solver: symbolic.solver.as_ref().map(|solver| solver as _),
        changes: model.api.callables().map(|(id, _)| changes(id)).collect(),
        fields: fields(&model.api, graph),
    }
}

/// The fields that each callable defines and uses: the define/use edges of the dependence graph.
fn fields(api: &Api, graph: &Graph) -> Vec<Fields> {
    let mut numbers: HashMap<Field, u32> = HashMap::new();
    let mut number = |field: &Field| {
        let next = u32::try_from(numbers.len()).expect("fields are few");
        *numbers.entry(field.clone()).or_insert(next)
    };
    let mut all = |fields: &BTreeSet<Field>| fields.iter().map(&mut number).collect::<BTreeSet<u32>>();
    api.callables()
        .map(|(id, _)| Fields { defines: all(graph.defines(id)), uses: all(graph.uses(id)) })
        .collect()
}

/// By query: the callables that define a field which it uses.
pub(crate) fn definers(api: &Api, graph: &Graph, queries: &Queries) -> Definers {
    let defines = |callable: CallableId, query: CallableId| {
        !graph.defines(callable).is_disjoint(graph.uses(query)) && callable != query
    };
    let of_query = |(_, query): (_, CallableId)| {
        let all = api.callables().map(|(id, _)| id).filter(|callable| defines(*callable, query));
        (query, all.collect())
    };
    queries.about_one().map(of_query).collect()
}

/// The callable at a place of the model's table.
pub(crate) fn id(callable: usize) -> CallableId {
    CallableId(u32::try_from(callable).expect("callables are few"))
}
