//! A crate as the search sees it.

use testsmith_instrument::Plan;
use testsmith_ir::CallableId;
use testsmith_model::Package;
use testsmith_model::api::Model;
use testsmith_model::effects::{Effects, Purity};
use testsmith_model::graph::Graph;
use testsmith_search::Subject;

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
    }
}

/// The callable at a place of the model's table.
pub(crate) fn id(callable: usize) -> CallableId {
    CallableId(u32::try_from(callable).expect("callables are few"))
}
