//! What an error says of something that is not there: its type, its arguments, and what the compiler thinks was meant.

use crate::build::CompilerMessage;

/// The name in the compiler's own proposal.
pub(crate) fn proposed(error: &CompilerMessage) -> Option<String> {
    let spans = error.children.iter().flat_map(|child| &child.spans);
    let names = spans.filter_map(|span| span.suggested_replacement.as_deref());
    let is_name = |name: &&str| {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':');
        !name.is_empty() && name.chars().all(is_part)
    };
    names.map(str::trim).find(is_name).map(str::to_owned)
}

/// The type that an error says should have something: `… for struct `Room` in the current scope`, or `` `Room` is not an iterator ``,
/// where another thing of that name is known.
pub(crate) fn owner(message: &str) -> Option<String> {
    let kinds = ["struct", "enum", "union", "type", "trait"];
    let mut named = kinds.iter().flat_map(|kind| [format!("for {kind} `"), format!("in {kind} `")]);
    let path = named.find_map(|before| message.split_once(&before)).map(|(_, rest)| rest);
    let path = path.or_else(|| message.strip_prefix('`').filter(|rest| rest.contains("` is not an ")))?;
    let path = path.split(['`', '<']).next()?.trim_start_matches('&');
    Some(path.rsplit("::").next().unwrap_or(path).to_owned())
}

/// How many arguments a call of this name has in a text.
pub(crate) fn arity(text: &str, name: &str) -> Option<usize> {
    let calls = text.match_indices(name).map(|(at, _)| &text[at + name.len()..]);
    let inner = calls.filter_map(|rest| rest.strip_prefix('(')).next()?;
    let (mut depth, mut commas, mut is_empty) = (0_usize, 0, true);
    for c in inner.chars() {
        match c {
            ')' if depth == 0 => return Some(if is_empty { 0 } else { commas + 1 }),
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => commas += 1,
            _ => {}
        }
        is_empty &= c.is_whitespace();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_read_from_the_error_and_the_call() {
        let message = "no method named `first_gap` found for struct `Room` in the current scope";
        assert_eq!(owner(message).as_deref(), Some("Room"));
        let message = "no method named `first` found for struct `rooms::Room<'a>` in the current scope";
        assert_eq!(owner(message).as_deref(), Some("Room"));
        assert_eq!(owner("`Room` is not an iterator").as_deref(), Some("Room"));
        let message = "no variant named `Closed` found for enum `Refusal`";
        assert_eq!(owner(message).as_deref(), Some("Refusal"));
        assert_eq!(owner("cannot find function `book` in this scope"), None);
        assert_eq!(arity("room.first_gap(f(1, 2), [3, 4]);", "first_gap"), Some(2));
        assert_eq!(arity("room.first_gap( ) ", "first_gap"), Some(0));
        assert_eq!(arity("room.first_gap", "first_gap"), None);
    }
}
