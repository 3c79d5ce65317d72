//! Members and edges in `inspect --json`, as docs/json.md describes them.

use serde::Serialize;
use testsmith_model::graph::{Direction, Evidence, Graph, Member};

use super::purity::{reasons, word};
use crate::drawing::is_own;

/// A callable of the crate.
#[derive(Serialize)]
pub(super) struct MemberEntry {
    path: String,
    unit: String,
    file: Option<String>,
    line: Option<usize>,
    /// Concrete instances.
    entries: usize,
    purity: Vec<ParamEntry>,
    defines: Vec<String>,
    uses: Vec<String>,
    statics_read: Vec<String>,
    statics_written: Vec<String>,
    io: Vec<String>,
    r#unsafe: bool,
    unknown_calls: Vec<String>,
    /// `source`, `declaration` or `signature`.
    evidence: &'static str,
}

#[derive(Serialize)]
struct ParamEntry {
    name: String,
    item: String,
    purity: &'static str,
    moved: bool,
    /// Where the type does not tell.
    why: Option<String>,
}

/// Types and edges; members are those of the document.
#[derive(Serialize)]
pub(super) struct GraphEntry {
    types: Vec<TypeEntry>,
    edges: Vec<EdgeEntry>,
}

#[derive(Serialize)]
struct TypeEntry {
    name: String,
    plain: bool,
}

#[derive(Serialize)]
struct EdgeEntry {
    member: usize,
    way: &'static str,
    r#type: usize,
    item: String,
    purified: bool,
}

pub(super) fn members(graph: &Graph) -> Vec<MemberEntry> {
    graph.members.iter().filter(|member| is_own(member)).map(MemberEntry::new).collect()
}

impl MemberEntry {
    fn new(member: &Member) -> MemberEntry {
        let effects = &member.effects;
        let params = member.params.iter().map(|param| ParamEntry {
            name: param.name.clone(),
            item: param.item.to_string(),
            purity: word(param.purity),
            moved: param.is_consumed,
            why: Some(reasons(param).join(", ")).filter(|why| !why.is_empty() && why != "moved"),
        });
        MemberEntry {
            path: member.path.clone(),
            unit: member.unit.clone(),
            file: member.place.as_ref().map(|place| place.file.clone()),
            line: member.place.as_ref().map(|place| place.first),
            entries: member.callables.len(),
            purity: params.collect(),
            defines: effects.defines.iter().map(ToString::to_string).collect(),
            uses: effects.uses.iter().map(ToString::to_string).collect(),
            statics_read: effects.statics_read.iter().cloned().collect(),
            statics_written: effects.statics_written.iter().cloned().collect(),
            io: effects.io.iter().map(|kind| format!("{kind:?}").to_lowercase()).collect(),
            r#unsafe: effects.uses_unsafe && member.evidence == Evidence::Source,
            unknown_calls: effects.unknown_calls.iter().cloned().collect(),
            evidence: match member.evidence {
                Evidence::Source => "source",
                Evidence::Declaration => "declaration",
                Evidence::Signature => "signature",
            },
        }
    }
}

pub(super) fn graph(graph: &Graph) -> GraphEntry {
    // The number of each member among those of the document.
    let mut shown = 0;
    let numbers: Vec<Option<usize>> = graph
        .members
        .iter()
        .map(|member| {
            let number = is_own(member).then_some(shown);
            shown += usize::from(number.is_some());
            number
        })
        .collect();
    let edges = graph.edges(false).filter_map(|edge| {
        Some(EdgeEntry {
            member: numbers[edge.member]?,
            way: match edge.direction {
                Direction::Needs => "needs",
                Direction::Provides => "provides",
            },
            r#type: edge.node,
            item: edge.item.to_string(),
            purified: edge.in_purified,
        })
    });
    let types = graph.nodes.iter().map(|node| TypeEntry { name: node.name.clone(), plain: node.is_plain });
    GraphEntry { types: types.collect(), edges: edges.collect() }
}
