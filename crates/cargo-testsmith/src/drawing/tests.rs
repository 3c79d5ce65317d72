//! A tiny graph in, drawings out. `BLESS=1` writes what is found to `snapshots`.

use testsmith_ir::CallableId;
use testsmith_model::api::OriginKind;
use testsmith_model::effects::{Cause, FunctionEffects, Purity};
use testsmith_model::graph::{Direction, Edge, Evidence, Graph, Item, Member, Node, Parameter};

use super::View;
use crate::cli::GraphFormat;

fn member(path: &str, unit: &str, params: &[(&str, Purity)]) -> Member {
    let params = params.iter().enumerate().map(|(at, (name, purity))| Parameter {
        name: (*name).to_owned(),
        item: if *name == "self" { Item::Receiver } else { Item::Parameter(at) },
        purity: *purity,
        cause: Cause::Signature,
        is_deep: false,
        callee: None,
        is_consumed: false,
    });
    Member {
        path: path.to_owned(),
        unit: unit.to_owned(),
        kind: OriginKind::Method,
        place: None,
        callables: vec![CallableId(0)],
        params: params.collect(),
        effects: FunctionEffects::default(),
        evidence: Evidence::Source,
    }
}

fn edge(member: usize, direction: Direction, item: Item, node: usize, in_purified: bool) -> Edge {
    Edge { member, direction, item, node, in_purified }
}

/// A stack with a comparison, and a name that XML and Graphviz have to be told about.
fn stack() -> Graph {
    let mut graph = Graph::default();
    graph.members = vec![
        member("c::S::new", "c::S", &[]),
        member("c::S::push", "c::S", &[("self", Purity::ReadWrite), ("item", Purity::ReadOnly)]),
        member("<c::S as PartialEq>::eq", "c::S", &[("self", Purity::Safe), ("other", Purity::Safe)]),
        member("c::call", "c", &[("_", Purity::Safe)]),
    ];
    let node = |name: &str, is_plain: bool| Node { name: name.to_owned(), is_plain };
    graph.nodes = vec![node("S", false), node("dyn \"<&>\"", false), node("u8", true)];
    graph.edges = vec![
        edge(0, Direction::Provides, Item::Result, 0, true),
        edge(1, Direction::Needs, Item::Receiver, 0, true),
        edge(1, Direction::Needs, Item::Parameter(1), 2, true),
        edge(1, Direction::Provides, Item::Receiver, 0, true),
        edge(2, Direction::Needs, Item::Receiver, 0, true),
        edge(2, Direction::Needs, Item::Parameter(1), 0, true),
        edge(2, Direction::Provides, Item::Receiver, 0, false),
        edge(2, Direction::Provides, Item::Parameter(1), 0, false),
        edge(3, Direction::Needs, Item::Parameter(0), 1, true),
    ];
    graph
}

#[track_caller]
fn check(name: &str, format: GraphFormat, purified: bool) {
    let graph = stack();
    let view = View { graph: &graph, title: "c".to_owned(), purified, unit: None };
    let found = view.draw(format);
    let path = format!("{}/src/drawing/snapshots/{name}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &found).expect("the snapshot can be written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == expected, "{name} is not as it was; BLESS=1 accepts this:\n{found}");
}

#[test]
fn text_names_members_with_what_they_need_and_provide() {
    check("stack.txt", GraphFormat::Text, false);
    check("stack-purified.txt", GraphFormat::Text, true);
}

#[test]
fn graphviz_gets_both_kinds_of_nodes() {
    check("stack.dot", GraphFormat::Dot, false);
}

#[test]
fn the_picture_has_everything_in_its_place() {
    check("stack.svg", GraphFormat::Svg, false);
    check("stack-purified.svg", GraphFormat::Svg, true);
}

#[test]
fn many_members_are_folded_into_units_but_only_in_the_picture() {
    let mut graph = stack();
    graph.members.extend((0..100).map(|at| member(&format!("c::T::f{at}"), "c::T", &[])));
    let draw =
        |unit, format| View { graph: &graph, title: "c".to_owned(), purified: false, unit }.draw(format);
    let folded = draw(None, GraphFormat::Svg);
    assert!(
        folded.contains("c::T ×100") && folded.contains("--unit") && !folded.contains(">f7<"),
        "{folded}"
    );
    assert!(draw(Some("c::T"), GraphFormat::Svg).contains(">f7<"));
    assert!(draw(None, GraphFormat::Dot).contains("\"f7\""));
    assert!(draw(None, GraphFormat::Text).contains("  f7\n"));
}
