//! Rust text without comments and literals: [`code_only`] keeps every line where it is.
//!
//! Enough of Rust's lexing to look for a macro or a call by name without being fooled by a string,
//! a doc example or generated code in a raw string.

/// Blanks comments and the contents of string and char literals; newlines stay.
pub(super) fn code_only(text: &str) -> String {
    let mut rest = text;
    let mut code = String::with_capacity(text.len());
    let mut before = ' ';
    while let Some(first) = rest.chars().next() {
        let skipped = skipped_length(rest, before);
        if skipped == 0 {
            code.push(first);
            before = first;
            rest = &rest[first.len_utf8()..];
        } else {
            code.extend(rest[..skipped].chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
            before = ' ';
            rest = &rest[skipped..];
        }
    }
    code
}

/// The length of the comment or literal that `rest` starts with, or zero. `before` is the character
/// in front: an `r` that ends an identifier does not open a raw string.
fn skipped_length(rest: &str, before: char) -> usize {
    let within_word = before.is_alphanumeric() || before == '_';
    if rest.starts_with("//") {
        rest.find('\n').unwrap_or(rest.len())
    } else if rest.starts_with("/*") {
        block_comment(rest)
    } else if rest.starts_with('"') {
        quoted(rest, '"')
    } else if rest.starts_with('\'') {
        char_literal(rest)
    } else if !within_word && (rest.starts_with('r') || rest.starts_with("br") || rest.starts_with("cr")) {
        raw_string(rest)
    } else {
        0
    }
}

/// Block comments nest.
fn block_comment(rest: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < rest.len() {
        if rest[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += rest[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    rest.len()
}

fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + quote.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}

/// `'a'` and `'\n'` are literals, `'a` is a lifetime.
fn char_literal(rest: &str) -> usize {
    let mut inner = rest.chars().skip(1);
    let first = inner.next();
    if first == Some('\\') || inner.next() == Some('\'') { quoted(rest, '\'') } else { 0 }
}

fn raw_string(rest: &str) -> usize {
    let prefix = rest.find('r').unwrap_or(0) + 1;
    let hashes = rest[prefix..].chars().take_while(|c| *c == '#').count();
    let opening = prefix + hashes;
    if !rest[opening..].starts_with('"') {
        return 0;
    }
    let closing = format!("\"{}", "#".repeat(hashes));
    let contents = opening + 1;
    rest[contents..].find(&closing).map_or(rest.len(), |at| contents + at + closing.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let code = code_only(text);
        assert_eq!(code.split_whitespace().collect::<Vec<_>>().join(" "), expected);
        assert_eq!(code.lines().count(), text.lines().count(), "no line moves");
    }

    #[test]
    fn code_stays() {
        check("let r = a / b;", "let r = a / b;");
    }

    #[test]
    fn comments_go() {
        check("a(); // b()\n/// c()\nd();", "a(); d();");
        check("a /* b /* c */ d */ e", "a e");
        check("a /* never closed", "a");
    }

    #[test]
    fn literals_go() {
        check(r#"a("b \" c", 'd', '\'', e)"#, "a( , , , e)");
        check("a(r#\"b \" c\nd\"#, br\"e\")", "a( , )");
    }

    #[test]
    fn lifetimes_and_words_that_end_in_r_stay() {
        check("fn f<'a>(x: &'a str, y: &'b T) {}", "fn f<'a>(x: &'a str, y: &'b T) {}");
        check("bar\"x\" r#type", "bar r#type");
    }
}
