//! A mutant on one line, and as a diff.

use testsmith_instrument::{Mutant, Plan, operators};

/// `src/lib.rs:12:7: ror: replace < with <= in parse`.
pub(crate) fn list_line(plan: &Plan, mutant: &Mutant) -> String {
    let file = plan.file_of(mutant);
    let function = &plan.function_of(mutant).path;
    let (line, column) = (mutant.line, mutant.column);
    format!("{}:{line}:{column}: {}: {} in {function}", file.name, mutant.operator.id, change(mutant))
}

/// The same with the id that the mutant is named by elsewhere.
pub(crate) fn shown_line(plan: &Plan, mutant: &Mutant) -> String {
    format!("{}  {}", list_line(plan, mutant), mutant.id)
}

/// `before → after`, cut to what fits on a line.
pub(crate) fn change(mutant: &Mutant) -> String {
    let after = if mutant.after.is_empty() { "nothing" } else { &mutant.after };
    format!("{} → {}", cut(&mutant.before, 40), cut(after, 60))
}

/// What a mutant changes as a clause: ``"`<` in `Date::is_valid` becomes `<=`"``.
pub(crate) fn in_words(plan: &Plan, mutant: &Mutant) -> String {
    let function = function_name(&plan.function_of(mutant).path);
    let quoted = |text: &str| format!("`{}`", cut(text, 40));
    if mutant.operator == operators::FN_VALUE {
        return match mutant.after.as_str() {
            "()" => format!("`{function}` does nothing"),
            after => format!("`{function}` only returns {}", quoted(after)),
        };
    }
    match mutant.after.as_str() {
        "" => format!("{} in `{function}` is left out", quoted(mutant.before.trim_end_matches(';'))),
        after => format!("{} in `{function}` becomes {}", quoted(&mutant.before), quoted(after)),
    }
}

/// A function without the modules that it is in: `Date::is_valid` of `date::Date::is_valid`.
fn function_name(path: &str) -> &str {
    let brackets = path.find('<').unwrap_or(path.len());
    let is_module = |name: &str| name.starts_with(|c: char| c.is_ascii_lowercase() || c == '_');
    let mut start = 0;
    while let Some((name, _)) = path[start..brackets].split_once("::").filter(|(name, _)| is_module(name)) {
        start += name.len() + "::".len();
    }
    &path[start..]
}

fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let head: String = text.chars().take(most - 1).collect();
    format!("{}…", head.trim_end())
}

/// The lines of the source that a mutant changes, and what they would be: at most a few of each.
pub(crate) struct Excerpt {
    pub(crate) line: usize,
    pub(crate) before: Vec<String>,
    pub(crate) after: Vec<String>,
}

const MOST_LINES: usize = 4;

/// The change as a diff.
pub(crate) fn excerpt(plan: &Plan, mutant: &Mutant) -> Excerpt {
    let file = plan.file_of(mutant);
    if mutant.operator == operators::FN_VALUE {
        return body_excerpt(plan, mutant);
    }
    let first = mutant.line;
    let last = file.place(mutant.span.end.max(mutant.span.start + 1) - 1).line;
    let before: Vec<String> = (first..=last).map(|line| file.line(line).to_owned()).collect();
    let start = mutant.span.start - line_start(&file.text, mutant.span.start);
    let tail = file.text[mutant.span.end..].lines().next().unwrap_or_default();
    let changed = format!("{}{}{}", &before[0][..start], mutant.after, tail);
    let after = if changed.trim().is_empty() { Vec::new() } else { vec![changed.trim_end().to_owned()] };
    Excerpt { line: first, before: shorten(before), after }
}

/// A function whose body is replaced: its head, with the body on the same line.
fn body_excerpt(plan: &Plan, mutant: &Mutant) -> Excerpt {
    let file = plan.file_of(mutant);
    let head = file.line(mutant.line);
    let start = mutant.span.start - line_start(&file.text, mutant.span.start);
    let head = &head[..start];
    let value = if mutant.after == "()" { "{}".to_owned() } else { format!("{{ {} }}", mutant.after) };
    Excerpt {
        line: mutant.line,
        before: vec![format!("{head}{{ … }}")],
        after: vec![format!("{head}{value}")],
    }
}

fn line_start(text: &str, offset: usize) -> usize {
    text[..offset].rfind('\n').map_or(0, |at| at + 1)
}

fn shorten(mut lines: Vec<String>) -> Vec<String> {
    if lines.len() > MOST_LINES {
        let left = lines.len() - (MOST_LINES - 1);
        lines.truncate(MOST_LINES - 1);
        lines.push(format!("… ({left} more lines)"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_known_by_its_type() {
        let table = [
            ("is_valid", "is_valid"),
            ("Date::is_valid", "Date::is_valid"),
            ("a::date::Date::is_valid", "Date::is_valid"),
            ("date::<Date as Display>::fmt", "<Date as Display>::fmt"),
            ("date::digits", "digits"),
        ];
        for (path, expected) in table {
            assert_eq!(function_name(path), expected);
        }
    }
}
