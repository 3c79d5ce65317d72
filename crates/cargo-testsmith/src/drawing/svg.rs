//! The graph as an SVG: what is needed on the left, members in the middle, what is provided on the right.

use std::fmt::Write;

use testsmith_model::graph::Direction;

use super::layout::{Area, Layout, lay_out};
use super::view::{Kind, Row, Tie, View};

/// Colours for light and dark surroundings; programs that know only one use the first.
const STYLE: &str = "\
text { font-family: ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; font-size: 12px; fill: #24292f; }
.ground { fill: #ffffff; }
.title { font-size: 15px; font-weight: bold; }
.heading { font-weight: bold; fill: #57606a; }
.port { font-size: 10px; }
.type { fill: #ddf4ff; stroke: #54aeff; }
.member { fill: #f6f8fa; stroke: #8c959f; }
.changer { fill: #fff1e5; stroke: #bc4c00; stroke-width: 2; }
.edge { fill: none; stroke-width: 1.3; }
.edge:hover { stroke-width: 3.5; }
.receiver { stroke: #0969da; }
.parameter { stroke: #bf6a02; stroke-dasharray: 6 3; }
.result { stroke: #1a7f37; stroke-dasharray: 2 3; }
.same { opacity: 0.3; }
.in-receiver { fill: #0969da; }
.in-parameter { fill: #bf6a02; }
.in-result { fill: #1a7f37; }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; }
.ground { fill: #0d1117; }
.heading { fill: #9198a1; }
.type { fill: #0c2d6b; stroke: #388bfd; }
.member { fill: #161b22; stroke: #6e7681; }
.changer { fill: #3d1300; stroke: #f0883e; }
.receiver { stroke: #4493f8; }
.parameter { stroke: #e3922c; }
.result { stroke: #3fb950; }
.in-receiver { fill: #4493f8; }
.in-parameter { fill: #e3922c; }
.in-result { fill: #3fb950; }
}
";

const KINDS: [Kind; 3] = [Kind::Receiver, Kind::Parameter, Kind::Result];

pub(super) fn write(view: &View<'_>) -> String {
    let rows = view.few_rows();
    let layout = lay_out(view, &rows);
    let (width, height) = (layout.width, layout.height);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\">\n<style>\n{STYLE}</style>\n"
    );
    write_markers(&mut svg);
    let _ = writeln!(svg, "<rect class=\"ground\" width=\"100%\" height=\"100%\"/>");
    write_legend(&mut svg, view);
    for (row, at) in rows.iter().zip(0..) {
        for (tie, y) in row.ties.iter().zip(&layout.ports[at]) {
            write_edge(&mut svg, view, row, tie, &layout.members[at], *y, &layout);
        }
    }
    for ((_, node), area) in &layout.types {
        write_box(&mut svg, "type", 12.0, area, &view.graph.nodes[*node].name, None);
    }
    for (x, y, name) in &layout.headings {
        let _ = writeln!(svg, "<text class=\"heading\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", escaped(name));
    }
    for (row, area) in rows.iter().zip(&layout.members) {
        let class = if row.changes { "changer" } else { "member" };
        write_box(&mut svg, class, 3.0, area, &row.label, Some(&row.hint));
    }
    svg.push_str("</svg>\n");
    svg
}

/// Arrow heads, one for each colour.
fn write_markers(svg: &mut String) {
    svg.push_str("<defs>\n");
    for kind in KINDS {
        let word = kind.word();
        let _ = writeln!(
            svg,
            "<marker id=\"to-{word}\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" \
             markerHeight=\"7\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">\
             <path class=\"in-{word}\" d=\"M0 0 L8 4 L0 8 z\"/></marker>"
        );
    }
    svg.push_str("</defs>\n");
}

fn write_legend(svg: &mut String, view: &View<'_>) {
    let form = if view.purified { "purified dependence graph" } else { "dependence graph" };
    let title = escaped(&format!("{}: {form}", view.title));
    let _ = writeln!(svg, "<text class=\"title\" x=\"24\" y=\"30\">{title}</text>");
    let fold = if view.is_folded() { "; a box is a unit (--unit shows its members)" } else { "" };
    let _ = writeln!(
        svg,
        "<text class=\"port\" x=\"24\" y=\"48\">left: types that a call needs; right: types that it provides; \
         types with literals (numbers, texts) are left out{fold}</text>"
    );
    let mut x = 24.0;
    for kind in KINDS {
        let word = kind.word();
        let _ = writeln!(
            svg,
            "<path class=\"edge {word}\" marker-end=\"url(#to-{word})\" d=\"M{x} 68 h40\"/>\
             <text class=\"port\" x=\"{}\" y=\"71\">{word}</text>",
            x + 46.0
        );
        x += 118.0;
    }
    if !view.purified {
        let _ = writeln!(
            svg,
            "<path class=\"edge receiver same\" marker-end=\"url(#to-receiver)\" d=\"M{x} 68 h40\"/>\
             <text class=\"port\" x=\"{}\" y=\"71\">unchanged</text>",
            x + 46.0
        );
        x += 118.0;
    }
    let _ = writeln!(
        svg,
        "<rect class=\"changer\" x=\"{x}\" y=\"60\" width=\"26\" height=\"16\" rx=\"3\"/>\
         <text class=\"port\" x=\"{}\" y=\"71\">changes something</text>",
        x + 32.0
    );
}

fn write_edge(
    svg: &mut String,
    view: &View<'_>,
    row: &Row,
    tie: &Tie,
    member: &Area,
    y: f64,
    layout: &Layout,
) {
    let word = tie.kind.word();
    let ground = layout.types[&(tie.direction, tie.node)];
    let (from, to, label_x, anchor) = match tie.direction {
        Direction::Needs => {
            let from = (ground.x + ground.width, ground.middle());
            (from, (member.x, y), member.x - layout.label_room[0] + 4.0, "start")
        }
        Direction::Provides => {
            let edge = member.x + member.width;
            ((edge, y), (ground.x, ground.middle()), edge + layout.label_room[1] - 4.0, "end")
        }
    };
    let same = if tie.is_kept { "" } else { " same" };
    // Straight past the label, then a curve.
    let path = match tie.direction {
        Direction::Needs => {
            let turn = member.x - layout.label_room[0];
            let half = (from.0 + turn) / 2.0;
            format!(
                "M{:.1} {:.1} C{half:.1} {:.1} {half:.1} {:.1} {turn:.1} {:.1} H{:.1}",
                from.0, from.1, from.1, to.1, to.1, to.0
            )
        }
        Direction::Provides => {
            let turn = from.0 + layout.label_room[1];
            let half = (turn + to.0) / 2.0;
            format!(
                "M{:.1} {:.1} H{turn:.1} C{half:.1} {:.1} {half:.1} {:.1} {:.1} {:.1}",
                from.0, from.1, from.1, to.1, to.0, to.1
            )
        }
    };
    let node = &view.graph.nodes[tie.node].name;
    let verb = if tie.direction == Direction::Needs { "needs" } else { "provides" };
    let hint = escaped(&format!("{} {verb} {node} ({word}: {})", row.hint, tie.label));
    let _ = writeln!(
        svg,
        "<path class=\"edge {word}{same}\" marker-end=\"url(#to-{word})\" d=\"{path}\"><title>{hint}</title></path>"
    );
    let _ = writeln!(
        svg,
        "<text class=\"port in-{word}\" x=\"{label_x:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{}</text>",
        y - 2.5,
        escaped(&tie.label)
    );
}

fn write_box(svg: &mut String, class: &str, round: f64, area: &Area, label: &str, hint: Option<&str>) {
    let Area { x, y, width, height } = area;
    let title = hint.map(|hint| format!("<title>{}</title>", escaped(hint))).unwrap_or_default();
    let _ = writeln!(
        svg,
        "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" \
         rx=\"{round}\">{title}</rect>"
    );
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
        x + width / 2.0,
        area.middle() + 4.0,
        escaped(label)
    );
}

/// Text as XML wants it.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}
