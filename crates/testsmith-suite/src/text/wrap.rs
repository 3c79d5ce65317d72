//! Assertions that are too wide, broken as rustfmt breaks them.

use super::subject::top_level;

/// Arguments of a call that are wider than this have lines of their own.
const WIDEST_ARGUMENTS: usize = 60;

/// A statement of a test's body.
pub(super) fn wrap(statement: &str) -> String {
    let macros = ["assert_eq!(", "assert_ne!(", "assert!("];
    let Some(opening) = macros.into_iter().find(|opening| statement.starts_with(opening)) else {
        return statement.to_owned();
    };
    let Some(inside) = statement[opening.len()..].strip_suffix(");") else { return statement.to_owned() };
    let commas = top_level(inside).filter(|(_, c)| *c == ',').map(|(at, _)| at);
    let ends: Vec<usize> = commas.chain([inside.len()]).collect();
    if inside.chars().count() <= WIDEST_ARGUMENTS || inside.contains('\n') || ends.len() < 2 {
        return statement.to_owned();
    }
    let mut start = 0;
    let arguments: Vec<&str> = ends
        .into_iter()
        .map(|end| {
            let argument = inside[start..end].trim();
            start = end + 1;
            argument
        })
        .collect();
    format!("{opening}\n    {}\n);", arguments.join(",\n    "))
}
