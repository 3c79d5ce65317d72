//! [`CallGraph`]: from every function the shortest way to each part of the world that it may reach, and to a clock.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use testsmith_rt::harness::outside::Outside;

use crate::elf::{Program, Unreadable};
use crate::{leaves, names};

/// So many functions of a chain are shown.
const MOST_STEPS: usize = 4;

/// The functions of a program, and where they may lead.
pub struct CallGraph {
    program: Program,
    /// For each part of the world, by the number of a function, the next one on the way there.
    ways: BTreeMap<Outside, Vec<Way>>,
    /// The same for what tells the time.
    to_clock: Vec<Way>,
}

/// How a function gets to a part of the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// Not at all.
    None,
    /// It is there.
    Here,
    /// By way of this one.
    By(u32),
}

/// Why a function may reach a part of the world.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Chain {
    /// What it reaches.
    pub outside: Outside,
    /// The functions on the way, shortened: the last one leaves the process.
    pub steps: Vec<String>,
}

impl CallGraph {
    /// Reads a program that was linked with [`LINK_ARGUMENT`](crate::LINK_ARGUMENT). What functions of the crate `runtime` call is
    /// of no matter.
    pub fn read(bytes: &[u8], runtime: &str) -> Result<CallGraph, Unreadable> {
        let program = Program::read(bytes)?;
        let callers = callers(&program, runtime);
        let mut targets: BTreeMap<Outside, BTreeSet<u32>> = BTreeMap::new();
        let mut clocks = BTreeSet::new();
        for (number, node) in (0..).zip(&program.nodes) {
            if leaves::is_clock(&node.name) {
                clocks.insert(number);
            }
            let known =
                leaves::class_of(&node.name).or_else(|| leaves::class_of_path(&known_path(&node.name)));
            for outside in known.into_iter().chain(node.calls.iter().copied()) {
                targets.entry(outside).or_default().insert(number);
            }
        }
        let ways =
            targets.into_iter().map(|(outside, targets)| (outside, ways(&callers, &targets))).collect();
        let to_clock = self::ways(&callers, &clocks);
        Ok(CallGraph { program, ways, to_clock })
    }

    /// Where a function begins, by the name that the linker knows.
    pub fn address(&self, name: &str) -> Option<u64> {
        self.program.address(name)
    }

    /// What the function at an address may reach, and how; `None` if there is none.
    pub fn reached(&self, address: u64) -> Option<Vec<Chain>> {
        let start = self.program.at(address)?;
        let chain = |(outside, ways): (&Outside, &Vec<Way>)| {
            let steps = self.steps(start, ways)?;
            Some(Chain { outside: *outside, steps })
        };
        Some(self.ways.iter().filter_map(chain).collect())
    }

    /// How the function at an address comes to read a clock; `None` if it does not.
    pub fn to_clock(&self, address: u64) -> Option<Vec<String>> {
        self.steps(self.program.at(address)?, &self.to_clock)
    }

    fn steps(&self, start: u32, ways: &[Way]) -> Option<Vec<String>> {
        let mut steps: Vec<String> = Vec::new();
        let mut at = start;
        loop {
            steps.push(names::path(&self.program.nodes[at as usize].name));
            match ways[at as usize] {
                Way::None => return None,
                Way::Here => break,
                Way::By(next) => at = next,
            }
        }
        Some(shortened(steps))
    }
}

/// Demangling is slow, and few functions have such a name.
fn known_path(name: &str) -> String {
    if name.contains("stdin") { names::path(name) } else { String::new() }
}

/// Who refers to each function or piece of data, where that is followed.
fn callers(program: &Program, runtime: &str) -> Vec<Vec<u32>> {
    let mut callers: Vec<Vec<u32>> = vec![Vec::new(); program.nodes.len()];
    let paths: Vec<String> = program.nodes.iter().map(|node| names::path(&node.name)).collect();
    for ((from, node), path) in (0..).zip(&program.nodes).zip(&paths) {
        let root = names::root(path.strip_prefix("drop of ").unwrap_or(path));
        if root == runtime || leaves::is_cut(path, root) {
            continue;
        }
        let followed =
            node.refers_to.iter().filter(|to| !leaves::is_cut_between(path, &paths[**to as usize]));
        followed.for_each(|to| callers[*to as usize].push(from));
    }
    callers
}

/// The shortest ways to some functions.
fn ways(callers: &[Vec<u32>], targets: &BTreeSet<u32>) -> Vec<Way> {
    let mut ways = vec![Way::None; callers.len()];
    let mut open: VecDeque<u32> = targets.iter().copied().collect();
    targets.iter().for_each(|target| ways[*target as usize] = Way::Here);
    while let Some(at) = open.pop_front() {
        for caller in &callers[at as usize] {
            if ways[*caller as usize] == Way::None {
                ways[*caller as usize] = Way::By(at);
                open.push_back(*caller);
            }
        }
    }
    ways
}

/// What a reader wants to know: which functions of crates, which of the standard library they call, and where that leaves.
fn shortened(steps: Vec<String>) -> Vec<String> {
    let last = steps.len() - 1;
    let is_standard = |step: &str| ["core", "alloc", "std"].contains(&names::root(step));
    let mut kept: Vec<String> = Vec::new();
    let mut in_standard = false;
    for (at, step) in steps.into_iter().enumerate() {
        let was_in_standard = in_standard;
        in_standard = is_standard(&step);
        let is_glue = step.is_empty() || step.contains("call_once") || step.contains("__testsmith");
        // Of a run of the standard library's functions, the one that was called.
        let is_inner = in_standard && was_in_standard;
        if at == last || !(is_glue || is_inner || kept.last() == Some(&step)) {
            kept.push(step);
        }
    }
    if kept.len() > MOST_STEPS {
        let end = kept.split_off(kept.len() - 2);
        kept.truncate(MOST_STEPS - 2);
        kept.push("…".to_owned());
        kept.extend(end);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_shows_who_calls_what_and_leaves_out_the_rest() {
        let steps = |names: &[&str]| shortened(names.iter().map(|name| (*name).to_owned()).collect());
        assert_eq!(
            steps(&[
                "core::ops::function::FnOnce::call_once",
                "a::f",
                "",
                "std::fs::read",
                "std::sys::fs::open",
                "open64"
            ]),
            ["a::f", "std::fs::read", "open64"]
        );
        assert_eq!(steps(&["a", "b", "c", "d", "e", "f"]), ["a", "b", "…", "e", "f"]);
        assert_eq!(steps(&["getenv"]), ["getenv"]);
    }

    #[test]
    fn ways_are_the_shortest_and_end() {
        // 0 and 3 call each other, 1 calls 0, 0 calls 2; 4 is alone.
        let callers = vec![vec![1, 3], vec![], vec![0], vec![0], vec![]];
        let found = ways(&callers, &BTreeSet::from([2]));
        assert_eq!(found, [Way::By(2), Way::By(0), Way::Here, Way::By(0), Way::None]);
    }
}
