//! What docs say of a function's panics ([`PanicDocs`]): in a section "Panics", or in a sentence.
//!
//! A sentence counts if the function itself is what panics. One about panics of others (`if the closure panics`, `` `push`
//! panics``), or about there being none, does not. What is declared is only what its words are about.

mod kind;

use std::collections::BTreeSet;

pub use kind::PanicKind;

/// The sentences of docs that declare a panic.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PanicDocs {
    sentences: Vec<BTreeSet<String>>,
}

impl PanicDocs {
    /// Reads docs.
    pub(crate) fn read(docs: &str) -> PanicDocs {
        let declaring =
            sentences(docs).into_iter().filter(|it| it.is_in_section || it.clauses.iter().any(declares));
        PanicDocs { sentences: declaring.map(|sentence| sentence.words).collect() }
    }

    /// Whether they declare any panic.
    pub fn declare_any(&self) -> bool {
        !self.sentences.is_empty()
    }

    /// Whether they declare a panic of this kind: they speak of it, or name no condition at all.
    pub fn declare(&self, kind: PanicKind) -> bool {
        let is_unconditional = |words: &BTreeSet<String>| {
            !CONDITIONS.iter().chain(&["on", "for", "in"]).any(|word| words.contains(*word))
        };
        self.sentences
            .iter()
            .any(|words| is_unconditional(words) || words.iter().any(|word| kind.is_meant_by(word)))
    }
}

/// A part of a sentence: its words in lower case; code is a word of its own.
type Clause = Vec<String>;

/// A sentence outside of code blocks.
#[derive(Default)]
struct Sentence {
    clauses: Vec<Clause>,
    /// All words in lower case, those of code as well; `<` for a comparison in code.
    words: BTreeSet<String>,
    /// It stands in a section "Panics".
    is_in_section: bool,
}

/// What is code, or a link to an item, whatever it is.
const CODE: &str = "`";

fn sentences(docs: &str) -> Vec<Sentence> {
    let mut is_code = false;
    let mut is_in_section = false;
    let mut sentences: Vec<Sentence> = Vec::new();
    let mut is_new = true;
    for line in docs.lines().map(str::trim) {
        if line.starts_with("```") {
            is_code = !is_code;
            continue;
        }
        if is_code {
            continue;
        }
        if let Some(heading) = line.strip_prefix('#') {
            is_in_section = heading.trim_start_matches('#').trim().eq_ignore_ascii_case("panics");
            is_new = true;
            continue;
        }
        is_new |= line.is_empty() || line.starts_with(['-', '*', '+']);
        for (word, code) in words(line) {
            if is_new {
                sentences.push(Sentence {
                    is_in_section,
                    clauses: vec![Clause::new()],
                    ..Sentence::default()
                });
            }
            let sentence = sentences.last_mut().expect("one was begun");
            let plain: String =
                word.chars().filter(|c| c.is_alphanumeric() || matches!(c, '\'' | '`' | '-')).collect();
            sentence.words.extend(split(&word).chain(split(&code)));
            if code.contains(['<', '>']) {
                sentence.words.insert("<".to_owned());
            }
            sentence.clauses.last_mut().expect("it starts with one").push(plain.to_lowercase());
            let bare = word.trim_end_matches(['*', '_', ')']);
            if bare.ends_with(['.', ',', ';', ':', '!']) {
                sentence.clauses.push(Clause::new());
            }
            is_new = bare.ends_with(['.', '!']);
        }
    }
    sentences
}

/// The words of a line, each with the code that it stands for.
fn words(line: &str) -> Vec<(String, String)> {
    let mut codes = line.split('`').skip(1).step_by(2);
    let mut code = |word: &str| {
        let code: Vec<&str> = word.matches(CODE).filter_map(|_| codes.next()).collect();
        code.join(" ")
    };
    without_code(line).split_whitespace().map(|word| (word.to_owned(), code(word))).collect()
}

/// Words in lower case, without what stands between them.
fn split(text: &str) -> impl Iterator<Item = String> {
    let is_between = |c: char| !c.is_alphanumeric();
    text.split(is_between).filter(|word| !word.is_empty()).map(str::to_lowercase)
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
            (" ## panics\nAlways.", true),
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
            assert_eq!(PanicDocs::read(docs).declare_any(), expected, "{docs}");
        }
    }

    #[test]
    fn docs_declare_only_what_their_words_are_about() {
        let table = [
            (
                "# Panics\n\nThis function will panic if `key1` and `key2` are the same.",
                PanicKind::Bounds,
                false,
            ),
            ("# Panics\n\nPanics if the index is out of bounds.", PanicKind::Bounds, true),
            ("# Panics\n\nPanics if the index is out of bounds.", PanicKind::Overflow, false),
            ("# Panics\n\nPanics if `at > self.len()`.", PanicKind::Bounds, true),
            ("# Panics\n\nAlways.", PanicKind::Unwrap, true),
            ("# Panics\n\n* if `by` is zero\n* when the sum overflows\n", PanicKind::Overflow, true),
            ("# Panics\n\n* if `by` is zero\n* when the sum overflows\n", PanicKind::Borrow, false),
            ("Gets the other endpoint, if any, otherwise panics.", PanicKind::Unwrap, true),
            ("The index counts from the end. Panics if `by` is zero.", PanicKind::Bounds, false),
            ("Panics if `by` is zero.\n# Examples\nThe index is out of bounds.", PanicKind::Bounds, false),
        ];
        for (docs, kind, expected) in table {
            assert_eq!(PanicDocs::read(docs).declare(kind), expected, "{docs}: {kind:?}");
        }
    }
}
