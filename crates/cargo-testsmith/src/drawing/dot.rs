//! The graph in the language of Graphviz. Arrows go the way of the values: from a type to the member that needs it,
//! from a member to the type that it provides.

use std::collections::BTreeSet;
use std::fmt::Write;

use testsmith_model::graph::Direction;

use super::view::{Kind, Row, View};

pub(super) fn write(view: &View<'_>) -> String {
    let rows = view.rows();
    let mut text =
        format!("digraph {} {{\n  rankdir=LR;\n  node [fontname=monospace];\n", quoted(&view.title));
    let nodes: BTreeSet<usize> = rows.iter().flat_map(|row| &row.ties).map(|tie| tie.node).collect();
    for node in nodes {
        let name = quoted(&view.graph.nodes[node].name);
        let _ = writeln!(text, "  t{node} [shape=ellipse, style=bold, label={name}];");
    }
    for (at, row) in rows.iter().enumerate() {
        write_row(&mut text, at, row);
    }
    text.push_str("}\n");
    text
}

fn write_row(text: &mut String, at: usize, row: &Row) {
    let style = if row.changes { ", penwidth=2" } else { "" };
    let (label, hint) = (quoted(&row.label), quoted(&row.hint));
    let _ = writeln!(text, "  m{at} [shape=box, label={label}, tooltip={hint}{style}];");
    for tie in &row.ties {
        let ends = match tie.direction {
            Direction::Needs => format!("t{} -> m{at}", tie.node),
            Direction::Provides => format!("m{at} -> t{}", tie.node),
        };
        let (color, style) = match tie.kind {
            Kind::Receiver => ("royalblue", "solid"),
            Kind::Parameter => ("darkorange", "dashed"),
            Kind::Result => ("seagreen", "dotted"),
        };
        let label = match tie.kind {
            Kind::Parameter => quoted(&format!("parameter: {}", tie.label)),
            kind => quoted(kind.word()),
        };
        let faint = if tie.is_kept { "" } else { ", arrowhead=empty, penwidth=0.5" };
        let _ = writeln!(text, "  {ends} [label={label}, color={color}, style={style}{faint}];");
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
