//! Which callables lead to a function: those that are instances of it, and those of whatever calls it, directly or through
//! others. Private functions are reached in this way only.

use std::collections::HashMap;

use testsmith_ir::api::CallableId;

use super::{Evidence, Graph};
use crate::effects::Effects;

/// Callables by the functions that they lead to.
pub struct Callers<'a> {
    effects: &'a Effects,
    /// The instances of each function.
    instances: HashMap<usize, Vec<CallableId>>,
}

impl<'a> Callers<'a> {
    /// The callables of a graph that was made from these effects.
    pub fn new(graph: &Graph, effects: &'a Effects) -> Callers<'a> {
        let mut instances: HashMap<usize, Vec<CallableId>> = HashMap::new();
        for member in graph.members.iter().filter(|member| member.evidence == Evidence::Source) {
            let name = member.effects.path.rsplit("::").next().unwrap_or_default();
            let function = effects.number_at(&member.effects.file, member.effects.line, name);
            if let Some(function) = function {
                instances.entry(function).or_default().extend(&member.callables);
            }
        }
        Callers { effects, instances }
    }

    /// Callables that may lead to the function of a name on a line of a file, and how many calls are between: none if it
    /// is the function itself. Nearest first; empty where nothing is known.
    pub fn of(&self, file: &str, line: usize, name: &str) -> Vec<(CallableId, usize)> {
        let Some(function) = self.effects.number_at(file, line, name) else { return Vec::new() };
        let on_the_way = self.effects.callers(function).into_iter();
        on_the_way
            .flat_map(|(caller, calls)| {
                self.instances.get(&caller).into_iter().flatten().map(move |id| (*id, calls))
            })
            .collect()
    }
}
