//! The purity table: what a call does to each argument, which fields it defines and uses, and why that is said.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use testsmith_model::effects::{Cause, Purity};
use testsmith_model::graph::{Evidence, Graph, Member, Parameter};

use crate::drawing::is_own;

/// The word for a verdict.
pub(super) fn word(purity: Purity) -> &'static str {
    match purity {
        Purity::Safe => "safe",
        Purity::ReadOnly => "read-only",
        Purity::ReadWrite => "read/write",
    }
}

/// The table of all members, or of those of a unit.
pub(super) fn table(graph: &Graph, unit: Option<&str>) -> String {
    let mut units: BTreeMap<&str, Vec<&Member>> = BTreeMap::new();
    for member in graph.members.iter().filter(|member| is_own(member)) {
        if unit.is_none_or(|unit| unit == member.unit) {
            units.entry(&member.unit).or_default().push(member);
        }
    }
    let mut text = String::new();
    for (unit, members) in units {
        let _ = writeln!(text, "{}{unit}", if text.is_empty() { "" } else { "\n" });
        let width = members.iter().map(|member| member.name().chars().count()).max().unwrap_or(0);
        members.iter().for_each(|member| write_member(&mut text, member, width));
    }
    text
}

fn write_member(text: &mut String, member: &Member, width: usize) {
    let params: Vec<String> = member.params.iter().map(describe).collect();
    let line = format!("  {:width$}  {}", member.name(), params.join(", "));
    let _ = writeln!(text, "{}", line.trim_end());
    let mut list = |word: &str, items: Vec<String>| {
        if !items.is_empty() {
            let _ = writeln!(text, "  {:width$}    {word} {}", "", items.join(", "));
        }
    };
    list("defines", member.effects.defines.iter().map(ToString::to_string).collect());
    list("uses", member.effects.uses.iter().map(ToString::to_string).collect());
    list("also", beyond(member));
}

/// `self read/write (interior mutability)`.
fn describe(param: &Parameter) -> String {
    let reasons = reasons(param);
    let why = if reasons.is_empty() { String::new() } else { format!(" ({})", reasons.join(", ")) };
    format!("{} {}{why}", param.name, word(param.purity))
}

/// Why a verdict is not what the type of the parameter tells.
pub(super) fn reasons(param: &Parameter) -> Vec<String> {
    let cause = match param.cause {
        Cause::Signature if param.is_consumed => Some("moved"),
        Cause::Signature => None,
        Cause::Unchanged => Some("never changed"),
        Cause::Lent => Some("through the result"),
        Cause::Interior => Some("interior mutability"),
        Cause::Unsafe => Some("unsafe code"),
        Cause::Unseen => Some("body not seen"),
    };
    let callee = param.callee.as_ref().map(|callee| format!("by {callee}"));
    cause.map(str::to_owned).into_iter().chain(callee).collect()
}

/// What a call does beyond its arguments.
pub(super) fn beyond(member: &Member) -> Vec<String> {
    let effects = &member.effects;
    let mut found = Vec::new();
    found.extend(effects.statics_written.iter().map(|path| format!("writes static {path}")));
    found.extend(effects.statics_read.iter().map(|path| format!("reads static {path}")));
    found.extend(effects.io.iter().map(|kind| format!("IO: {}", format!("{kind:?}").to_lowercase())));
    if member.evidence == Evidence::Signature {
        found.push("body not seen".to_owned());
        return found;
    }
    if effects.uses_unsafe {
        found.push("unsafe code".to_owned());
    }
    if effects.uses_interior {
        found.push("interior mutability".to_owned());
    }
    if !effects.unknown_calls.is_empty() {
        let names: BTreeSet<&str> = effects.unknown_calls.iter().map(String::as_str).collect();
        let names: Vec<&str> = names.into_iter().collect();
        found.push(format!("calls what is not known: {}", names.join(" ")));
    } else if effects.calls_unknown {
        found.push("a callee calls what is not known".to_owned());
    }
    found
}

/// A few lines on all of it.
pub(super) fn summary(graph: &Graph) -> String {
    let own = || graph.members.iter().filter(|member| is_own(member));
    let params = || own().flat_map(|member| &member.params);
    let count = |purity: Purity| params().filter(|param| param.purity == purity).count();
    let mut text = format!(
        "\npurity: {} parameters, {} safe, {} read-only, {} read/write; {} of {} members change something\n",
        params().count(),
        count(Purity::Safe),
        count(Purity::ReadOnly),
        count(Purity::ReadWrite),
        own().filter(|member| member.changes_something()).count(),
        own().count(),
    );
    let notes = [
        (own().filter(|m| !m.effects.statics_written.is_empty()).count(), "writing statics"),
        (own().filter(|m| !m.effects.io.is_empty()).count(), "reaching outside of the process"),
        (
            own().filter(|m| m.effects.uses_interior && m.evidence == Evidence::Source).count(),
            "using interior mutability",
        ),
        (
            own().filter(|m| m.evidence == Evidence::Signature).count(),
            "judged by their signature, as no body was found",
        ),
    ];
    for (count, what) in notes.iter().filter(|(count, _)| *count > 0) {
        let _ = writeln!(text, "  {what}: {count}");
    }
    let edges =
        |purified: bool| graph.edges(purified).filter(|edge| is_own(&graph.members[edge.member])).count();
    let (all, kept) = (edges(false), edges(true));
    let _ = writeln!(
        text,
        "graph: {} types, {all} edges, {kept} when purified\n  --purity and --graph show them",
        graph.nodes.len()
    );
    text
}
