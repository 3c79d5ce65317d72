//! Strongly typed trees: a [`Node`] is a call, or a literal, and its children make the arguments.

use testsmith_ir::{Literal, TypeId};

/// A tree.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    /// What it provides.
    pub(super) ty: TypeId,
    pub(super) what: What,
    /// One for each argument.
    pub(super) children: Vec<Node>,
}

/// What a node stands for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum What {
    /// An entry of the function set, by number.
    Entry(usize),
    Literal(Literal),
}

impl Node {
    pub(super) fn literal(ty: TypeId, value: Literal) -> Node {
        Node { ty, what: What::Literal(value), children: Vec::new() }
    }

    /// How many nodes there are, this one among them.
    pub(super) fn size(&self) -> usize {
        1 + self.children.iter().map(Node::size).sum::<usize>()
    }

    /// All nodes, depth first: a node comes before its children.
    pub(super) fn nodes(&self) -> Vec<&Node> {
        let mut all = vec![self];
        self.children.iter().for_each(|child| all.extend(child.nodes()));
        all
    }

    /// The node of a number, in the order of [`nodes`](Node::nodes).
    pub(super) fn node_mut(&mut self, number: usize) -> Option<&mut Node> {
        if number == 0 {
            return Some(self);
        }
        let mut left = number - 1;
        for child in &mut self.children {
            let size = child.size();
            if left < size {
                return child.node_mut(left);
            }
            left -= size;
        }
        None
    }
}
