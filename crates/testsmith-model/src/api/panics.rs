//! Whether docs say that a function panics: in a section "Panics", or in a sentence.
//!
//! A sentence counts if the function itself is what panics. One about panics of others (`if the closure panics`, `` `push`
//! panics``), or about there being none, does not.

use super::facts::headings;

/// Whether the docs say that the function panics.
pub(crate) fn declares_panics(docs: &str) -> bool {
    headings(docs).any(|heading| heading.eq_ignore_ascii_case("panics")) || clauses(docs).iter().any(declares)
}

/// A part of a sentence: its words in lower case; code is a word of its own.
type Clause = Vec<String>;

/// What is code, or a link to an item, whatever it is.
const CODE: &str = "`";

/// The parts of all sentences outside of code blocks.
fn clauses(docs: &str) -> Vec<Clause> {
    let mut is_code = false;
    let mut clauses = vec![Clause::new()];
    for line in docs.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
            continue;
        }
        if is_code {
            continue;
        }
        if line.trim().is_empty() {
            clauses.push(Clause::new());
        }
        for word in without_code(line).split_whitespace() {
            let plain: String =
                word.chars().filter(|c| c.is_alphanumeric() || matches!(c, '\'' | '`' | '-')).collect();
            let is_end = word.trim_end_matches(['*', '_', ')']).ends_with(['.', ',', ';', ':', '!']);
            clauses.last_mut().expect("it starts with one").push(plain.to_lowercase());
            if is_end {
                clauses.push(Clause::new());
            }
        }
    }
    clauses
}

/// A line in which code in backticks, and what is linked, is one word each.
fn without_code(line: &str) -> String {
    let mut text = String::new();
    for (at, part) in line.split('`').enumerate() {
        text += if at % 2 == 0 { part } else { CODE };
    }
    let linked = format!("[{CODE}]");
    text.replace(&linked, CODE)
}

const CONDITIONS: [&str; 8] = ["if", "when", "whenever", "unless", "where", "while", "until", "because"];
const NEGATIONS: [&str; 11] =
    ["not", "never", "cannot", "can't", "won't", "doesn't", "don't", "without", "no", "instead", "rather"];
const AUXILIARIES: [&str; 8] = ["will", "may", "might", "can", "could", "would", "must", "shall"];
const ALTERNATIVES: [&str; 5] = ["else", "then", "otherwise", "or", "and"];
const CAUSES: [&str; 8] = ["cause", "causes", "in", "to", "trigger", "triggers", "raise", "raises"];

fn declares(clause: &Clause) -> bool {
    let word = |at: Option<usize>| at.and_then(|at| clause.get(at)).map_or("", String::as_str);
    clause.iter().enumerate().any(|(at, found)| {
        let before = |count: usize| word(at.checked_sub(count));
        let (last, subject) = match found.as_str() {
            "panics" => (before(1), before(1)),
            "panic" if AUXILIARIES.contains(&before(1)) => (before(1), before(2)),
            "panic" if ALTERNATIVES.contains(&before(1)) => (before(1), ""),
            "panic" if before(1) == "a" && CAUSES.contains(&before(2)) => (before(2), ""),
            _ => return false,
        };
        let is_other = subject.starts_with(CODE) || matches!(last, "that" | "which" | "who");
        let earlier = clause[..at].iter().map(String::as_str);
        !is_other && !earlier.into_iter().any(|it| CONDITIONS.contains(&it) || NEGATIONS.contains(&it))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn docs_declare_panics_of_the_function_itself() {
        let table = [
            ("Does it.\n\n# Panics\n\nIf it is empty.", true),
            (" ## panics", true),
            ("It never # Panics", false),
            ("***Panics*** if the index is out of bounds.", true),
            ("**Panics** if **bit** is out of bounds.", true),
            ("This function will panic if `key` is gone.", true),
            ("This function **may** panic if `cnt > self.remaining()`.", true),
            ("If `nbytes > 8`, this method panics.", true),
            ("Gets the other endpoint, if any, otherwise panics.", true),
            ("Return the *element* if the index\nis in bounds, else panic.", true),
            ("Zips two iterators but **panics** if they are not of the same length.", true),
            ("Making a larger one will result in a panic:", true),
            ("Note that this panics on overflow", true),
            ("This function should never panic.", false),
            ("Unlike `insert`, this cannot panic, but may allocate.", false),
            ("It does not cause a panic.", false),
            ("Indexing will not panic.", false),
            ("Returns an error instead of panicking.", false),
            ("For a non-panicking alternative see [`get`].", false),
            ("See [`get`] for a version that panics instead of returning an error.", false),
            ("If the closure panics, the elements leak.", false),
            ("Unlike `push`, which panics.", false),
            ("[`push`] panics if it is full.", false),
            ("If they are used, `tests` will panic.", false),
            ("```\nmap[10]; // panics!\n```", false),
        ];
        for (docs, expected) in table {
            assert_eq!(declares_panics(docs), expected, "{docs}");
        }
    }
}
