//! The constraint tree: what all runs of a program have decided, and what no run has tried.
//!
//! Main type: [`Tree`]. An inner node is a computation that ends in a decision; each outcome of it leads to another node, to the
//! end of a run (terminal), or to what is not known yet. A path is never explored twice: only unexplored outcomes are
//! [candidates](Candidate). The tree also checks the engine: the same beginning must lead to the same decision, and an
//! outcome that a solver called infeasible must never be seen.

#[cfg(test)]
mod tests;

use crate::expr::{Expr, Exprs};
use crate::machine::{Decision, Outcomes, Subject};
use crate::wasm::Module;

/// What an outcome of a decision leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// A computation that ends in another decision.
    Computation(NodeId),
    /// No run has had it, and nobody has asked a solver.
    Unexplored,
    /// The run ends without a further decision.
    Terminal,
    /// No input leads there.
    Infeasible,
    /// A solver did not answer, a cap was reached, or a run was cut off there: nobody knows what is behind it.
    Unknown,
}

/// A node of a tree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct NodeId(u32);

/// An outcome that no run has had.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Candidate {
    /// The decision.
    pub node: NodeId,
    /// The outcome, or any that the node does not know.
    pub outcome: Option<u64>,
}

struct Node {
    place: u32,
    subject: Subject,
    inverted: bool,
    /// Where it hangs: the node above and the place among its children.
    parent: Option<(NodeId, usize)>,
    depth: u32,
    children: Vec<(u64, State)>,
    /// What is known of outcomes that are not among the children, where any value is possible.
    rest: Option<State>,
}

/// How many outcomes are in each state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Decisions.
    pub computation: usize,
    /// Outcomes that wait.
    pub unexplored: usize,
    /// Paths that were run to their end.
    pub terminal: usize,
    /// Outcomes that cannot be.
    pub infeasible: usize,
    /// Outcomes of which nothing is known.
    pub unknown: usize,
}

/// What a run has shown that must not be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Violation {
    /// The same beginning of a path led to another decision than before.
    Nondeterministic(NodeId),
    /// A run took an outcome that was called infeasible.
    NotInfeasible(NodeId),
}

/// What a run brought.
#[derive(Debug, Default)]
pub struct Growth {
    /// The outcomes beside the path that nobody has tried, from the root on.
    pub candidates: Vec<Candidate>,
    /// The nodes along the path.
    pub nodes: Vec<NodeId>,
    /// No run had this path before.
    pub new: bool,
}

/// All runs of a program.
pub struct Tree {
    nodes: Vec<Node>,
    root: State,
    counts: Counts,
}

impl Default for Tree {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            root: State::Unexplored,
            counts: Counts { unexplored: 1, ..Counts::default() },
        }
    }
}

impl Tree {
    /// A tree that no run has entered.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many outcomes are in each state.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Whether every path has been run or is known to be impossible. One unknown outcome is enough for a no.
    #[must_use]
    pub fn completely_explored(&self) -> bool {
        self.counts.unexplored == 0 && self.counts.unknown == 0
    }

    /// Adds the path of a run. `cut` says that the run did not come to its end.
    ///
    /// # Errors
    /// When the run contradicts what the tree holds. It has then been added as far as it agrees.
    pub fn insert(&mut self, path: &[Decision], cut: bool, module: &Module) -> Result<Growth, Violation> {
        let mut growth = Growth::default();
        let mut at: Option<(NodeId, usize)> = None;
        for decision in path {
            let state = self.state(at);
            let node = match state {
                State::Computation(node) => node,
                State::Infeasible => {
                    return Err(Violation::NotInfeasible(at.map_or(NodeId(0), |(node, _)| node)));
                }
                State::Terminal => {
                    return Err(Violation::Nondeterministic(at.map_or(NodeId(0), |(node, _)| node)));
                }
                State::Unexplored | State::Unknown => {
                    let node = self.add(decision, at, module);
                    self.set(at, State::Computation(node));
                    node
                }
            };
            growth.nodes.push(node);
            at = Some((node, self.enter(node, decision, &mut growth)?));
        }
        let end = if cut { State::Unknown } else { State::Terminal };
        match self.state(at) {
            State::Unexplored | State::Unknown => {
                growth.new = true;
                self.set(at, end);
            }
            State::Terminal => {}
            State::Infeasible => {
                return Err(Violation::NotInfeasible(at.map_or(NodeId(0), |(node, _)| node)));
            }
            State::Computation(_) if cut => {}
            State::Computation(node) => return Err(Violation::Nondeterministic(node)),
        }
        Ok(growth)
    }

    /// The child of a node that a decision leads to; every outcome beside it that waits is a candidate.
    fn enter(&mut self, id: NodeId, decision: &Decision, growth: &mut Growth) -> Result<usize, Violation> {
        let node = &self.nodes[id.0 as usize];
        if node.place != decision.place || node.subject != decision.subject {
            return Err(Violation::Nondeterministic(id));
        }
        let found = node.children.iter().position(|(outcome, _)| *outcome == decision.outcome);
        let child = match (found, node.rest) {
            (Some(child), _) => child,
            (None, Some(State::Infeasible)) => return Err(Violation::NotInfeasible(id)),
            (None, _) => {
                let node = &mut self.nodes[id.0 as usize];
                node.children.push((decision.outcome, State::Unexplored));
                self.counts.unexplored += 1;
                node.children.len() - 1
            }
        };
        let node = &self.nodes[id.0 as usize];
        let waiting = node.children.iter().enumerate();
        let waiting = waiting.filter(|(at, (_, state))| *at != child && *state == State::Unexplored);
        growth
            .candidates
            .extend(waiting.map(|(_, (outcome, _))| Candidate { node: id, outcome: Some(*outcome) }));
        if node.rest == Some(State::Unexplored) {
            growth.candidates.push(Candidate { node: id, outcome: None });
        }
        Ok(child)
    }

    fn add(&mut self, decision: &Decision, parent: Option<(NodeId, usize)>, module: &Module) -> NodeId {
        let (known, rest) = match decision.outcomes(module) {
            Outcomes::Known(known) => (known, None),
            Outcomes::Open => (Vec::new(), Some(State::Unexplored)),
        };
        self.counts.unexplored += known.len() + usize::from(rest.is_some());
        let depth = parent.map_or(0, |(node, _)| self.nodes[node.0 as usize].depth + 1);
        let children = known.into_iter().map(|outcome| (outcome, State::Unexplored)).collect();
        let Decision { place, subject, inverted, .. } = *decision;
        self.nodes.push(Node { place, subject, inverted, parent, depth, children, rest });
        NodeId(self.nodes.len() as u32 - 1)
    }

    fn state(&self, at: Option<(NodeId, usize)>) -> State {
        at.map_or(self.root, |(node, child)| self.nodes[node.0 as usize].children[child].1)
    }

    fn set(&mut self, at: Option<(NodeId, usize)>, state: State) {
        let place = match at {
            None => &mut self.root,
            Some((node, child)) => &mut self.nodes[node.0 as usize].children[child].1,
        };
        let before = std::mem::replace(place, state);
        *self.counts.of(before) -= 1;
        *self.counts.of(state) += 1;
    }

    /// What is known of an outcome that nobody has tried, or that somebody has tried since.
    #[must_use]
    pub fn candidate_state(&self, candidate: Candidate) -> State {
        let node = &self.nodes[candidate.node.0 as usize];
        match candidate.outcome {
            None => node.rest.unwrap_or(State::Infeasible),
            Some(wanted) => {
                let child = node.children.iter().find(|(outcome, _)| *outcome == wanted);
                child.map_or(State::Infeasible, |(_, state)| *state)
            }
        }
    }

    /// Notes what a solver said of a candidate: that it is infeasible, or that it does not know.
    pub fn settle(&mut self, candidate: Candidate, state: State) {
        let node = &mut self.nodes[candidate.node.0 as usize];
        let place = match candidate.outcome {
            None => node.rest.as_mut(),
            Some(wanted) => {
                node.children.iter_mut().find(|(outcome, _)| *outcome == wanted).map(|(_, state)| state)
            }
        };
        if let Some(place) = place.filter(|place| **place == State::Unexplored) {
            *place = state;
            self.counts.unexplored -= 1;
            *self.counts.of(state) += 1;
        }
    }

    /// The decision of a candidate as it would be with its outcome; the outcome of "any other" means nothing.
    #[must_use]
    pub fn decision(&self, candidate: Candidate) -> Decision {
        let node = &self.nodes[candidate.node.0 as usize];
        node.decision(candidate.outcome.unwrap_or(0))
    }

    /// How many decisions stand before a node.
    #[must_use]
    pub fn depth(&self, node: NodeId) -> usize {
        self.nodes[node.0 as usize].depth as usize
    }

    /// How many values a node with any number of outcomes has had.
    #[must_use]
    pub fn values(&self, node: NodeId) -> usize {
        self.nodes[node.0 as usize].children.len()
    }

    /// The decisions before a node, from the root on.
    #[must_use]
    pub fn prefix(&self, node: NodeId) -> Vec<Decision> {
        let mut prefix = Vec::with_capacity(self.depth(node));
        let mut at = self.nodes[node.0 as usize].parent;
        while let Some((id, child)) = at {
            let node = &self.nodes[id.0 as usize];
            prefix.push(node.decision(node.children[child].0));
            at = node.parent;
        }
        prefix.reverse();
        prefix
    }

    /// The condition on the inputs under which a candidate's decision, once reached, has its outcome.
    pub fn condition(&self, candidate: Candidate, exprs: &mut Exprs, module: &Module) -> Expr {
        if candidate.outcome.is_some() {
            return self.decision(candidate).condition(exprs, module);
        }
        let node = &self.nodes[candidate.node.0 as usize];
        let others: Vec<Expr> = node
            .children
            .iter()
            .map(|(outcome, _)| {
                let known = node.decision(*outcome).condition(exprs, module);
                exprs.not(known)
            })
            .collect();
        exprs.all(others)
    }
}

impl Node {
    fn decision(&self, outcome: u64) -> Decision {
        let Self { place, subject, inverted, .. } = *self;
        Decision { place, subject, outcome, inverted }
    }
}

impl Counts {
    fn of(&mut self, state: State) -> &mut usize {
        match state {
            State::Computation(_) => &mut self.computation,
            State::Unexplored => &mut self.unexplored,
            State::Terminal => &mut self.terminal,
            State::Infeasible => &mut self.infeasible,
            State::Unknown => &mut self.unknown,
        }
    }
}
