//! Assertions that are too wide, broken as rustfmt breaks them.

use super::subject::top_level;

/// Arguments of a call that are wider than this have lines of their own.
const WIDEST_ARGUMENTS: usize = 60;

/// A statement of a test's body.
pub(super) fn wrap(statement: &str) -> String {
    let macros = [("assert_eq!(", ");"), ("assert_ne!(", ");"), ("assert!(matches!(", "));")];
    let inside = macros.into_iter().find_map(|(opening, closing)| {
        let inside = statement.strip_prefix(opening)?.strip_suffix(closing)?;
        Some((opening, inside, closing))
    });
    let Some((opening, inside, closing)) = inside else { return statement.to_owned() };
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
    format!("{opening}\n    {}\n{closing}", arguments.join(",\n    "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wider_than_rustfmt_allows_is_broken() {
        let wide = "a".repeat(60);
        let table = [
            ("assert_eq!(len, 1);".to_owned(), "assert_eq!(len, 1);".to_owned()),
            (format!("assert_eq!({wide}, 1);"), format!("assert_eq!(\n    {wide},\n    1\n);")),
            (format!("assert!(matches!({wide}, A));"), format!("assert!(matches!(\n    {wide},\n    A\n));")),
            (
                format!("assert_eq!(f({wide}, 1), \"a, b\");"),
                format!("assert_eq!(\n    f({wide}, 1),\n    \"a, b\"\n);"),
            ),
            (format!("assert!({wide});"), format!("assert!({wide});")),
        ];
        for (statement, expected) in table {
            assert_eq!(wrap(&statement), expected);
        }
    }
}
