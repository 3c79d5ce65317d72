//! What the sources say of mutants and callables, for the search: [`SourceFacts`].

use std::collections::HashMap;

use testsmith_instrument::{Mutant, Plan};
use testsmith_ir::{Callable, CallableId};
use testsmith_model::api::Model;
use testsmith_model::effects::{self, Effects, Purity};
use testsmith_model::graph::{Callers, Graph};
use testsmith_search::Target;

/// Callables of a function that is called from everywhere are more than anyone looks at.
const MOST_CALLABLES: usize = 16;

/// What the sources of a package say.
pub(crate) struct SourceFacts<'a> {
    plan: &'a Plan,
    effects: Effects,
    graph: Graph,
}

impl<'a> SourceFacts<'a> {
    /// Reads them; `package` is the index of the package in the plan.
    pub(crate) fn read(model: &Model, plan: &'a Plan, package: usize) -> SourceFacts<'a> {
        let effects = effects::analyse(&plan.tree, package, &plan.cfgs[package]);
        let graph = Graph::new(model, &effects);
        SourceFacts { plan, effects, graph }
    }

    /// Mutant `n` at `n - 1`.
    pub(crate) fn targets(&self) -> Vec<Target> {
        let plan = self.plan;
        let callers = Callers::new(&self.graph, &self.effects);
        let mut of_functions: HashMap<usize, Vec<CallableId>> = HashMap::new();
        let target = |(mutant, probe): (&Mutant, Option<u32>)| {
            let callables = of_functions.entry(mutant.function).or_insert_with(|| {
                let function = plan.function_of(mutant);
                let name = function.path.rsplit("::").next().unwrap_or_default();
                let file = &plan.tree.files[function.file].name;
                let all = callers.of(file, function.line, name).into_iter();
                all.map(|(callable, _)| callable).take(MOST_CALLABLES).collect()
            });
            Target { function: mutant.function, probe, callables: callables.clone() }
        };
        plan.mutants.iter().zip(plan.probes()).map(target).collect()
    }

    /// By callable and parameter: whether a call may change what the argument refers to.
    pub(crate) fn changes(&self, model: &Model) -> Vec<Vec<bool>> {
        let of = |(callable, _): (CallableId, &Callable)| {
            self.graph.purity(callable).iter().map(|purity| *purity == Purity::ReadWrite).collect()
        };
        model.api.callables().map(of).collect()
    }
}
