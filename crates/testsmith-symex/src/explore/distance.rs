//! How far a place of the code is from others: the fewest jumps and calls that lie between.
//!
//! Main type: [`Distances`]. The graph has an edge from every instruction to those that may follow it, into the functions that
//! it calls, and from their ends behind every call of them. A step costs one where control may go elsewhere, else
//! nothing, so that the distance is the number of decisions still to be made: the approach level of a goal.

use std::collections::VecDeque;

use crate::wasm::{Body, FuncId, Instr, Module};

/// Distances of all places of a module to the nearest of some places.
pub struct Distances {
    of: Vec<u32>,
}

/// No way leads there.
pub const UNREACHABLE: u32 = u32::MAX;

impl Distances {
    /// The distances to these places.
    #[must_use]
    pub fn to(graph: &Graph, goals: impl IntoIterator<Item = u32>) -> Self {
        let mut of = vec![UNREACHABLE; graph.before.len()];
        let mut waiting = VecDeque::new();
        for goal in goals {
            of[goal as usize] = 0;
            waiting.push_back(goal);
        }
        while let Some(place) = waiting.pop_front() {
            let here = of[place as usize];
            for &(before, cost) in &graph.before[place as usize] {
                let there = here + u32::from(cost);
                if there < of[before as usize] {
                    of[before as usize] = there;
                    if cost { waiting.push_back(before) } else { waiting.push_front(before) }
                }
            }
        }
        Self { of }
    }

    /// The distance of a place.
    #[must_use]
    pub fn from(&self, place: u32) -> u32 {
        self.of.get(place as usize).copied().unwrap_or(UNREACHABLE)
    }
}

/// The steps of a module's code, backwards.
pub struct Graph {
    /// For each place the ones before it, and whether the step costs.
    before: Vec<Vec<(u32, bool)>>,
}

impl Graph {
    /// The graph of a module.
    #[must_use]
    pub fn of(module: &Module) -> Self {
        let mut graph = Self { before: vec![Vec::new(); module.code.len()] };
        let (callers, ends) = (callers(module), ends(module));
        for (place, instr) in module.code.iter().enumerate() {
            graph.steps(module, place as u32, *instr);
        }
        for (function, calls) in callers.iter().enumerate() {
            let Body::Code { start, .. } = module.functions[function].body else { continue };
            for &call in calls {
                graph.add(call, start, true);
                for &end in &ends[function] {
                    graph.add(end, call + 1, true);
                }
            }
        }
        graph
    }

    fn add(&mut self, from: u32, to: u32, costs: bool) {
        if let Some(before) = self.before.get_mut(to as usize) {
            before.push((from, costs));
        }
    }

    /// The steps inside of a function.
    fn steps(&mut self, module: &Module, place: u32, mut instr: Instr) {
        match instr {
            Instr::Jump { target } => self.add(place, target, false),
            Instr::JumpTable { count, first, .. } => {
                for target in &module.jump_targets[first as usize..(first + count) as usize] {
                    self.add(place, *target, true);
                }
            }
            Instr::Return { .. } | Instr::Unreachable | Instr::Unsupported { .. } => {}
            // A call that does not come back is found by the ends of what it calls; of imports nothing is known.
            _ => {
                let target = instr.target_mut().copied();
                if let Some(target) = target {
                    self.add(place, target, true);
                }
                self.add(place, place + 1, target.is_some());
            }
        }
    }
}

/// The places that call each function; for indirect calls every function of that type whose reference is in a table.
fn callers(module: &Module) -> Vec<Vec<u32>> {
    let mut callers = vec![Vec::new(); module.functions.len()];
    let referred: Vec<FuncId> = module
        .elements
        .iter()
        .flat_map(|segment| &segment.references)
        .filter_map(|reference| FuncId::try_from(*reference).ok())
        .collect();
    for (place, instr) in module.code.iter().enumerate() {
        match *instr {
            Instr::Call { function, .. } => callers[function as usize].push(place as u32),
            Instr::CallIndirect { signature, .. } => {
                let fits = |function: &&FuncId| module.functions[**function as usize].signature == signature;
                for function in referred.iter().filter(fits) {
                    callers[*function as usize].push(place as u32);
                }
            }
            _ => {}
        }
    }
    callers
}

/// The places where each function returns.
fn ends(module: &Module) -> Vec<Vec<u32>> {
    let mut ends = vec![Vec::new(); module.functions.len()];
    for (place, instr) in module.code.iter().enumerate() {
        if let (Instr::Return { .. }, Some(function)) = (instr, module.function_at(place as u32)) {
            ends[function as usize].push(place as u32);
        }
    }
    ends
}
