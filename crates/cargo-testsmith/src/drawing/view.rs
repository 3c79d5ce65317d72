//! What of a graph is drawn: a row for each member, or for each unit where that would be too many.

use std::collections::{BTreeMap, BTreeSet};

use testsmith_model::api::OriginKind;
use testsmith_model::graph::{Direction, Edge, Graph, Item, Member};

/// With more members than this, a drawing shows units.
const MOST_MEMBERS: usize = 80;

/// A part of a graph, or of its purified form.
pub(crate) struct View<'g> {
    pub(crate) graph: &'g Graph,
    /// Package and unit.
    pub(crate) title: String,
    pub(crate) purified: bool,
    /// Whose members are drawn; all, if none.
    pub(crate) unit: Option<&'g str>,
}

/// A member, or all members of a unit.
pub(super) struct Row {
    pub(super) unit: String,
    pub(super) label: String,
    /// A call changes something that was there before.
    pub(super) changes: bool,
    pub(super) hint: String,
    pub(super) ties: Vec<Tie>,
}

/// A row's dependence on a type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Tie {
    pub(super) direction: Direction,
    pub(super) kind: Kind,
    pub(super) node: usize,
    /// Which parameters, or how many members.
    pub(super) label: String,
    /// It is in the purified graph.
    pub(super) is_kept: bool,
}

/// Edges that look alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Receiver,
    Parameter,
    Result,
}

impl Kind {
    pub(super) fn of(item: Item) -> Kind {
        match item {
            Item::Receiver => Kind::Receiver,
            Item::Parameter(_) => Kind::Parameter,
            Item::Result => Kind::Result,
        }
    }

    pub(super) fn word(self) -> &'static str {
        match self {
            Kind::Receiver => "receiver",
            Kind::Parameter => "parameter",
            Kind::Result => "result",
        }
    }
}

/// Methods that only the standard library's traits add are not the crate's own.
pub(crate) fn is_own(member: &Member) -> bool {
    member.kind != OriginKind::Provided
}

impl View<'_> {
    /// Indices of the members that are shown, by unit.
    pub(super) fn members(&self) -> Vec<usize> {
        let chosen: BTreeSet<usize> = match self.unit {
            Some(unit) => self.graph.neighbourhood(unit),
            None => (0..self.graph.members.len()).collect(),
        };
        let own = chosen.into_iter().filter(|at| is_own(&self.graph.members[*at]));
        let mut own: Vec<usize> = own.collect();
        // The unit itself comes first.
        own.sort_by_key(|at| {
            let unit = self.graph.members[*at].unit.as_str();
            (Some(unit) != self.unit, unit)
        });
        own
    }

    /// Edges of a member.
    pub(super) fn edges_of(&self, member: usize) -> impl Iterator<Item = &Edge> {
        let first = self.graph.edges.partition_point(|edge| edge.member < member);
        let edges = self.graph.edges[first..].iter().take_while(move |edge| edge.member == member);
        edges.filter(|edge| edge.in_purified || !self.purified)
    }

    /// A row for each member. Types whose values are written down are left out.
    pub(super) fn rows(&self) -> Vec<Row> {
        self.members().iter().map(|at| self.row(*at)).collect()
    }

    /// The same, or a row for each unit where there are too many members to look at.
    pub(super) fn few_rows(&self) -> Vec<Row> {
        if self.is_folded() { self.folded(&self.members()) } else { self.rows() }
    }

    pub(super) fn is_folded(&self) -> bool {
        self.unit.is_none() && self.members().len() > MOST_MEMBERS
    }

    fn drawn(&self, member: usize) -> impl Iterator<Item = &Edge> {
        self.edges_of(member).filter(|edge| !self.graph.nodes[edge.node].is_plain)
    }

    fn row(&self, at: usize) -> Row {
        let member = &self.graph.members[at];
        let mut labels: BTreeMap<(Direction, Kind, usize, bool), Vec<String>> = BTreeMap::new();
        for edge in self.drawn(at) {
            let key = (edge.direction, Kind::of(edge.item), edge.node, edge.in_purified);
            labels.entry(key).or_default().push(item_name(member, edge.item));
        }
        Row {
            unit: member.unit.clone(),
            label: member.name(),
            changes: member.changes_something(),
            hint: member.path.clone(),
            ties: ties(labels, |names| names.join(", ")),
        }
    }

    /// One row for each unit.
    fn folded(&self, members: &[usize]) -> Vec<Row> {
        let mut units: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for at in members {
            units.entry(&self.graph.members[*at].unit).or_default().push(*at);
        }
        units.into_iter().map(|(unit, members)| self.unit_row(unit, &members)).collect()
    }

    fn unit_row(&self, unit: &str, members: &[usize]) -> Row {
        let mut labels: BTreeMap<(Direction, Kind, usize, bool), Vec<String>> = BTreeMap::new();
        for edge in members.iter().flat_map(|at| self.drawn(*at)) {
            let key = (edge.direction, Kind::of(edge.item), edge.node, edge.in_purified);
            labels.entry(key).or_default().push(String::new());
        }
        let changing = members.iter().filter(|at| self.graph.members[**at].changes_something()).count();
        let count = members.len();
        Row {
            unit: String::new(),
            label: format!("{unit} ×{count}"),
            changes: changing > 0,
            hint: format!("{unit}: {count} members, {changing} of them change something"),
            ties: ties(labels, |each| format!("×{}", each.len())),
        }
    }
}

fn ties(
    labels: BTreeMap<(Direction, Kind, usize, bool), Vec<String>>,
    label: impl Fn(&[String]) -> String,
) -> Vec<Tie> {
    let tie = |((direction, kind, node, is_kept), names): (_, Vec<String>)| Tie {
        direction,
        kind,
        node,
        label: label(&names),
        is_kept,
    };
    labels.into_iter().map(tie).collect()
}

/// The name of a parameter, or what stands for it.
pub(super) fn item_name(member: &Member, item: Item) -> String {
    let named = member.params.iter().find(|param| param.item == item).map(|param| param.name.as_str());
    match (item, named) {
        (Item::Result, _) => "result".to_owned(),
        (Item::Receiver, _) => "self".to_owned(),
        (Item::Parameter(_), Some(name)) if name != "_" => name.to_owned(),
        (Item::Parameter(number), _) => number.to_string(),
    }
}
