//! The templates of callables: `$0.len()`, `$0 + $1`, `vec![$*]`.

/// A part of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece<'t> {
    Text(&'t str),
    /// `$0`
    Arg {
        param: usize,
        position: Position<'t>,
    },
    /// `$*`
    List,
}

/// Where an argument stands: what it may look like depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Position<'t> {
    /// Between parentheses, commas, braces, behind `=`, or alone.
    Argument,
    /// A dot, a bracket or a question mark follows.
    Receiver,
    /// Behind a `*`, as in `&*$0`: the operator that the value itself has, so the place alone is meant.
    Deref,
    /// Behind another prefix operator.
    Prefixed,
    /// Before an operator.
    Left(&'t str),
    /// Behind an operator.
    Right(&'t str),
}

/// Operators that stand between operands, the longer ones first.
const OPERATORS: &[&str] = &[
    "<<=", ">>=", "..=", "==", "!=", "<=", ">=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
    "<<", ">>", "..", "+", "-", "*", "/", "%", "&", "|", "^", "<", ">", "=",
];

pub(super) fn is_comparison(operator: &str) -> bool {
    matches!(operator, "==" | "!=" | "<" | "<=" | ">" | ">=")
}

pub(super) fn is_assignment(operator: &str) -> bool {
    operator.ends_with('=') && !is_comparison(operator) && operator != "..="
}

pub(super) fn is_arithmetic(operator: &str) -> bool {
    !is_comparison(operator) && !is_assignment(operator) && !operator.starts_with("..")
}

/// Whether a template is a macro that takes a reference to each argument by itself.
pub(super) fn is_formatting(template: &str) -> bool {
    template.starts_with("format!(") || template.starts_with("write!(")
}

/// Takes a template apart.
pub(super) fn pieces(template: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut done = 0;
    let mut at = 0;
    while let Some(found) = template[at..].find('$') {
        let start = at + found;
        let Some((piece, end)) = hole(template, start) else {
            at = start + 1;
            continue;
        };
        if done < start {
            pieces.push(Piece::Text(&template[done..start]));
        }
        pieces.push(piece);
        (done, at) = (end, end);
    }
    if done < template.len() {
        pieces.push(Piece::Text(&template[done..]));
    }
    pieces
}

/// What stands for an argument at this place, and where it ends.
fn hole(template: &str, start: usize) -> Option<(Piece<'_>, usize)> {
    let rest = &template[start + 1..];
    if rest.starts_with('*') {
        return Some((Piece::List, start + 2));
    }
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let end = start + 1 + digits;
    let param = rest[..digits].parse().ok()?;
    Some((Piece::Arg { param, position: position(&template[..start], &template[end..]) }, end))
}

fn position<'t>(before: &'t str, after: &'t str) -> Position<'t> {
    let is_dot = after.starts_with('.') && !after.starts_with("..");
    if is_dot || after.starts_with(['[', '?']) {
        return Position::Receiver;
    }
    if before.ends_with('*') {
        return Position::Deref;
    }
    if let Some(operator) = operator(after.trim_start(), str::starts_with) {
        return Position::Left(operator);
    }
    match operator(before.trim_end(), str::ends_with) {
        Some("=") => Position::Argument,
        // Between operands there are spaces, except around ranges.
        Some(operator @ (".." | "..=")) => Position::Right(operator),
        Some(operator) if before.ends_with(' ') => Position::Right(operator),
        Some("-") => Position::Prefixed,
        _ if before.ends_with('!') => Position::Prefixed,
        _ => Position::Argument,
    }
}

fn operator(text: &str, has: fn(&str, &'static str) -> bool) -> Option<&'static str> {
    // A match arm or the type of a result.
    let is_arrow = has(text, "=>") || has(text, "->");
    OPERATORS.iter().copied().find(|operator| !is_arrow && has(text, operator))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(template: &str, expected: &[Position<'_>]) {
        let positions: Vec<_> = pieces(template)
            .into_iter()
            .filter_map(|piece| match piece {
                Piece::Arg { position, .. } => Some(position),
                Piece::Text(_) | Piece::List => None,
            })
            .collect();
        assert_eq!(positions, expected, "{template}");
    }

    #[test]
    fn positions_are_told_by_what_stands_around() {
        use Position::{Argument, Deref, Left, Prefixed, Receiver, Right};
        check("Version::new($0, $1)", &[Argument, Argument]);
        check("$0.insert($1)", &[Receiver, Argument]);
        check("&$0[$1]", &[Receiver, Argument]);
        check("$0.field = $1", &[Receiver, Argument]);
        check("Point { x: $0 }", &[Argument]);
        check("$0 + $1", &[Left("+"), Right("+")]);
        check("$0 <<= $1", &[Left("<<="), Right("<<=")]);
        check("-$0", &[Prefixed]);
        check("!$0", &[Prefixed]);
        check("&*$0", &[Deref]);
        check("$0..=$1", &[Left("..="), Right("..=")]);
        check("..$0", &[Right("..")]);
        check("$0..", &[Left("..")]);
        check("*$0 = $1", &[Deref, Argument]);
        check("format!(\"{}\", $0)", &[Argument]);
        check("$0", &[Argument]);
    }

    #[test]
    fn a_dollar_that_stands_for_nothing_is_text() {
        assert_eq!(pieces("cost($*, \"$\")"), [Piece::Text("cost("), Piece::List, Piece::Text(", \"$\")")]);
    }
}
