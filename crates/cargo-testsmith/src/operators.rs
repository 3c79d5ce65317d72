//! `cargo testsmith operators`: the table, for people and for the docs.

use std::fmt::Write;

use testsmith_instrument::OPERATORS;

/// One line each.
pub(crate) fn text() -> String {
    let mut out = String::new();
    for operator in OPERATORS {
        let sets: Vec<_> = operator.sets.iter().map(|set| set.name()).collect();
        let (before, after) = operator.example;
        let after = if after.is_empty() { "nothing" } else { after };
        let _ = writeln!(
            out,
            "{:9} {:44} {before} → {after}  [{}]",
            operator.id,
            operator.title,
            sets.join(", ")
        );
    }
    out
}

/// A table, and a section each.
pub(crate) fn markdown() -> String {
    let mut out = String::from("| operator | changes | sets |\n|---|---|---|\n");
    for operator in OPERATORS {
        let sets: Vec<_> = operator.sets.iter().map(|set| set.name()).collect();
        let _ = writeln!(out, "| [`{0}`](#{0}) | {1} | {2} |", operator.id, operator.title, sets.join(", "));
    }
    for operator in OPERATORS {
        let (before, after) = operator.example;
        let after = if after.is_empty() { "left out".to_owned() } else { format!("`{after}`") };
        let _ = write!(out, "\n## {}\n\n{}\n\n`{before}` → {after}\n", operator.id, operator.scope);
    }
    out
}
