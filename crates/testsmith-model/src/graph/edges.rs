//! Edges between members and types.
//!
//! A member *needs* the type of every parameter. It *provides* the type of its result, and that of every parameter that
//! it borrows: the caller has the object afterwards, perhaps in another state. What is moved in is gone. The purified
//! graph has no edge "provides" for a parameter that is safe or read-only, because its state is the same as before.

use std::collections::{BTreeMap, BTreeSet};

use testsmith_ir::api::{Accepts, Api, Callable, TypeId};

use super::{Direction, Edge, Graph, Item, Node, borrowed, names};
use crate::effects::Purity;

/// An edge to a type that has no number yet.
type Loose = (Direction, Item, Node, bool);

/// Fills in the nodes and edges.
pub(super) fn connect(graph: &mut Graph, api: &Api, root: &str) {
    let loose: Vec<BTreeSet<_>> =
        (0..graph.members.len()).map(|at| edges_of(graph, &Names { api, root }, at)).collect();
    let by_name: BTreeMap<&str, &Node> =
        loose.iter().flatten().map(|(_, _, node, _)| (node.name.as_str(), node)).collect();
    let numbers: BTreeMap<&str, usize> = by_name.keys().enumerate().map(|(at, name)| (*name, at)).collect();
    let edges = loose.iter().enumerate().flat_map(|(member, edges)| {
        edges.iter().map(move |edge| (member, edge)).map(|(member, (direction, item, node, in_purified))| {
            Edge {
                member,
                direction: *direction,
                item: *item,
                node: numbers[node.name.as_str()],
                in_purified: *in_purified,
            }
        })
    });
    let mut edges: Vec<Edge> = edges.collect();
    // Of the instances of one member, the one that changes something counts.
    edges.sort_by_key(|edge| (edge.member, edge.direction, edge.item, edge.node, !edge.in_purified));
    edges.dedup_by_key(|edge| (edge.member, edge.direction, edge.item, edge.node));
    graph.nodes = by_name.into_values().cloned().collect();
    graph.edges = edges;
}

fn edges_of(graph: &Graph, names: &Names<'_>, member: usize) -> BTreeSet<Loose> {
    let mut found = BTreeSet::new();
    for id in &graph.members[member].callables {
        let (callable, purity) = (&names.api[*id], graph.purity(*id));
        let items = graph.members[member].items(callable);
        for ((param, purity), item) in callable.params.iter().zip(purity).zip(items) {
            let is_borrowed = borrowed(param.accepts).is_some() || names.is_reference(param.accepts);
            for node in names.accepted(param.accepts) {
                if is_borrowed {
                    found.insert((Direction::Provides, item, node.clone(), *purity == Purity::ReadWrite));
                }
                found.insert((Direction::Needs, item, node, true));
            }
        }
        for node in names.of(callable.output) {
            found.insert((Direction::Provides, Item::Result, node, true));
        }
    }
    found
}

impl super::Member {
    /// Which item each parameter of an instance is.
    pub(super) fn items(&self, callable: &Callable) -> Vec<Item> {
        let names: Vec<&str> = self.params.iter().map(|param| param.name.as_str()).collect();
        let places = super::align::align(callable, &names);
        let item = |(at, place): (usize, Option<usize>)| match place {
            Some(place) => self.params[place].item,
            None => Item::Parameter(at + 1),
        };
        places.into_iter().enumerate().map(item).collect()
    }
}

/// The nodes of types, in a crate of some name.
struct Names<'a> {
    api: &'a Api,
    root: &'a str,
}

impl Names<'_> {
    fn of(&self, ty: TypeId) -> Vec<Node> {
        names::nodes(&self.api[ty].text, self.root)
    }

    fn accepted(&self, accepts: Accepts) -> Vec<Node> {
        let plain = |name: &str| vec![Node { name: name.to_owned(), is_plain: true }];
        match accepts {
            Accepts::Value(ty)
            | Accepts::Shared(ty)
            | Accepts::Exclusive(ty)
            | Accepts::Slice(ty)
            | Accepts::SliceMut(ty)
            | Accepts::List(ty) => self.of(ty),
            Accepts::Text => plain("str"),
            Accepts::Path => plain("Path"),
            Accepts::OsText => plain("OsStr"),
            Accepts::CText => plain("CStr"),
        }
    }

    /// Whether the caller keeps what the argument refers to.
    fn is_reference(&self, accepts: Accepts) -> bool {
        match accepts {
            Accepts::Value(ty) => self.api[ty].text.starts_with('&'),
            Accepts::Text | Accepts::Path | Accepts::OsText | Accepts::CText => true,
            _ => false,
        }
    }
}
