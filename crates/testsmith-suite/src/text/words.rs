//! Words of names: snake case, no keyword, no word that is too long.

/// A piece of text as part of a name; `None` if nothing of it can be, or too much.
pub(super) fn slug(text: &str) -> Option<String> {
    let mut words = String::new();
    let mut is_lower = false;
    for c in text.chars().take(2 * LONGEST) {
        // The humps of a name are words.
        if c.is_ascii_uppercase() && is_lower {
            words.push('_');
        }
        is_lower = c.is_ascii_lowercase();
        match c {
            c if c.is_ascii_alphanumeric() => words.push(c.to_ascii_lowercase()),
            _ if words.ends_with('_') || words.is_empty() => {}
            _ => words.push('_'),
        }
    }
    let words = words.trim_end_matches('_');
    (!words.is_empty() && words.len() <= LONGEST).then(|| words.to_owned())
}

/// The first words of a text, as many as a name has room for; `None` if there are none.
pub(super) fn opening(text: &str) -> Option<String> {
    let cuts = text.char_indices().filter(|(_, c)| !c.is_ascii_alphanumeric()).map(|(at, _)| at);
    let ends: Vec<usize> = cuts.take_while(|at| *at <= 2 * LONGEST).collect();
    ends.into_iter().rev().find_map(|end| slug(&text[..end]))
}

/// Longer pieces tell nothing at a glance.
const LONGEST: usize = 24;

/// A short text without letters or digits, its characters by their names: `>=` is `greater_equal`.
pub(super) fn spelled(text: &str) -> Option<String> {
    let name = |c: char| match PUNCTUATION.iter().find(|(mark, _)| *mark == c) {
        Some((_, name)) => Some((*name).to_owned()),
        None if !c.is_ascii_alphanumeric() => Some(format!("u{:x}", u32::from(c))),
        None => None,
    };
    let names = text.chars().map(name).collect::<Option<Vec<_>>>()?;
    let is_short = (1..=MOST_SPELLED).contains(&names.len());
    is_short.then(|| names.join("_"))
}

/// Characters that are spelled one by one.
const MOST_SPELLED: usize = 3;

const PUNCTUATION: [(char, &str); 32] = [
    (' ', "space"),
    ('\t', "tab"),
    ('\n', "newline"),
    ('\0', "nul"),
    ('.', "dot"),
    (',', "comma"),
    (':', "colon"),
    (';', "semicolon"),
    ('-', "minus"),
    ('_', "underscore"),
    ('+', "plus"),
    ('*', "star"),
    ('/', "slash"),
    ('\\', "backslash"),
    ('=', "equal"),
    ('<', "less"),
    ('>', "greater"),
    ('!', "bang"),
    ('?', "question"),
    ('&', "and"),
    ('|', "pipe"),
    ('^', "caret"),
    ('~', "tilde"),
    ('%', "percent"),
    ('#', "hash"),
    ('@', "at"),
    ('$', "dollar"),
    ('\'', "quote"),
    ('"', "quotes"),
    ('(', "paren"),
    ('[', "bracket"),
    ('{', "brace"),
];

/// Puts words together, without those that are empty, and none twice in a row: `key_of` and `of_slab` is `key_of_slab`.
pub(super) fn join<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let mut name = String::new();
    for words in words.into_iter().map(|words| words.trim_matches('_')).filter(|words| !words.is_empty()) {
        let last = name.rsplit('_').next().unwrap_or_default();
        let rest = match words.split_once('_') {
            Some((first, rest)) if first == last && !first.starts_with(|c: char| c.is_ascii_digit()) => rest,
            _ => words,
        };
        if !name.is_empty() {
            name.push('_');
        }
        name.push_str(rest);
    }
    name
}

/// `HTTPVersion` becomes `http_version`; nothing becomes of what is no name.
pub fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    let chars: Vec<char> = name.chars().collect();
    if !chars.iter().all(|c| c.is_ascii_alphanumeric() || *c == '_') {
        return snake;
    }
    for (at, c) in chars.iter().enumerate() {
        let ends_word = at > 0 && !chars[at - 1].is_uppercase() && chars[at - 1] != '_';
        let begins_word =
            at > 0 && chars[at - 1] != '_' && chars.get(at + 1).is_some_and(|next| next.is_lowercase());
        if c.is_uppercase() && (ends_word || begins_word) {
            snake.push('_');
        }
        snake.extend(c.to_lowercase());
    }
    snake
}

/// A path without what stands in `<…>`, whose own name is in front of it: `<::slab::Slab<i32> as Trait>::f` is `::f`.
pub(super) fn without_brackets(path: &str) -> String {
    let mut depth = 0;
    let mut before = ' ';
    let mut kept = String::new();
    for c in path.chars() {
        match c {
            '<' => depth += 1,
            '>' if before != '-' => depth -= 1,
            c if depth == 0 => kept.push(c),
            _ => {}
        }
        before = c;
    }
    kept
}

/// Words that no function and no module can have as a name.
pub fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}

const KEYWORDS: [&str; 53] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop",
    "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static",
    "struct", "super", "trait", "true", "try", "type", "typeof", "union", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield", "main",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_known_by_its_first_words() {
        let table = [
            ("numeric component is out of range", Some("numeric_component_is_out")),
            ("1976-05-03T19:33:20.200000000Z", Some("1976_05_03t19_33_20")),
            ("\"a\" is not é", Some("a_is_not")),
            ("antidisestablishmentarianism", None),
            ("…, …", None),
        ];
        for (text, expected) in table {
            assert_eq!(opening(text).as_deref(), expected, "{text}");
        }
    }
}
