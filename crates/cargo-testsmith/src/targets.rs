//! What the sources say of mutants, for the search: [`targets`].

use std::collections::HashMap;

use testsmith_instrument::{Mutant, Plan};
use testsmith_ir::CallableId;
use testsmith_model::effects::Effects;
use testsmith_model::graph::{Callers, Graph};
use testsmith_search::Target;

/// Callables of a function that is called from everywhere are more than anyone looks at.
const MOST_CALLABLES: usize = 16;

/// Mutant `n` at `n - 1`.
pub(crate) fn targets(plan: &Plan, graph: &Graph, effects: &Effects) -> Vec<Target> {
    let callers = Callers::new(graph, effects);
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
