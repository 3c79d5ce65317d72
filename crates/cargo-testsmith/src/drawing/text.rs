//! The graph as lines: for each member what it needs and what it provides.

use std::fmt::Write;

use testsmith_model::graph::{Direction, Edge, Item};

use super::view::{View, item_name};

pub(super) fn write(view: &View<'_>) -> String {
    let mut text = String::new();
    let form = if view.purified { "purified dependence graph" } else { "dependence graph" };
    let _ = writeln!(text, "{}: {form}", view.title);
    let mut unit = None;
    for at in view.members() {
        let member = &view.graph.members[at];
        if unit != Some(&member.unit) {
            let _ = writeln!(text, "\n{}", member.unit);
            unit = Some(&member.unit);
        }
        let _ = writeln!(text, "  {}", member.name());
        for (direction, word) in [(Direction::Needs, "needs   "), (Direction::Provides, "provides")] {
            let edges = view.edges_of(at).filter(|edge| edge.direction == direction);
            let list: Vec<String> = edges.map(|edge| describe(view, edge)).collect();
            if !list.is_empty() {
                let _ = writeln!(text, "    {word} {}", list.join(", "));
            }
        }
    }
    text
}

/// `Slab [receiver]`, `usize [parameter 2: key]`.
fn describe(view: &View<'_>, edge: &Edge) -> String {
    let mut label = edge.item.to_string();
    if matches!(edge.item, Item::Parameter(_)) {
        label += &format!(": {}", item_name(&view.graph.members[edge.member], edge.item));
    }
    if !edge.in_purified {
        label += ", unchanged";
    }
    format!("{} [{label}]", view.graph.nodes[edge.node].name)
}
