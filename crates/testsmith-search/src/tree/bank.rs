//! Subtrees that have proven themselves: [`Bank`].
//!
//! A value that only few arguments make (a text that parses, say) would have to be found anew by every population. Here
//! all of them share what made such values.

use std::collections::BTreeMap;

use testsmith_ir::TypeId;
use testsmith_ir::random::Rng;

use super::node::{Node, What};

/// Trees of one type, at most.
const MOST: usize = 24;

/// Larger ones are not kept.
const MOST_NODES: usize = 16;

/// Subtrees by what they provide.
#[derive(Clone, Debug, Default)]
pub(super) struct Bank {
    by_type: BTreeMap<TypeId, Vec<Node>>,
}

impl Bank {
    /// Keeps the calls below the top of a tree. One that is full loses another.
    pub(super) fn keep(&mut self, tree: &Node, rng: &mut Rng) {
        for node in tree.children.iter().flat_map(Node::nodes) {
            if !matches!(node.what, What::Entry(_)) || node.size() > MOST_NODES {
                continue;
            }
            let kept = self.by_type.entry(node.ty).or_default();
            if kept.contains(node) {
                continue;
            }
            if kept.len() < MOST {
                kept.push(node.clone());
            } else {
                kept[rng.below(MOST)] = node.clone();
            }
        }
    }

    /// One that provides one of these types.
    pub(super) fn one_of(&self, types: &[TypeId], rng: &mut Rng) -> Option<&Node> {
        rng.one_of(types.iter().filter_map(|ty| self.by_type.get(ty)).flatten())
    }
}
