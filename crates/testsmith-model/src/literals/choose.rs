//! Which of many texts are tried: of each length some, those first that hold what no other one holds.
//!
//! The shortest alone would leave out whatever takes a few words to say: a template with a block, an address with a port.

use std::collections::{BTreeMap, BTreeSet};

/// A text is put beside those that have at most twice its length.
fn stratum(text: &str) -> u32 {
    text.chars().count().max(1).ilog2()
}

/// At most so many of the texts: in turn one of each [`stratum`], and of a stratum the one with the most tokens that are not there
/// yet, the shortest of these.
pub(super) fn varied(texts: Vec<&str>, most: usize) -> Vec<String> {
    let mut strata: BTreeMap<u32, Vec<Candidate<'_>>> = BTreeMap::new();
    texts.into_iter().for_each(|text| strata.entry(stratum(text)).or_default().push(Candidate::new(text)));
    let mut strata: Vec<Vec<Candidate<'_>>> = strata.into_values().collect();
    let mut known = BTreeSet::new();
    let mut chosen = Vec::new();
    while chosen.len() < most && !strata.is_empty() {
        for candidates in strata.iter_mut().take(most - chosen.len()) {
            if let Some(best) = take_best(candidates, &mut known) {
                chosen.push(best.to_owned());
            }
        }
        strata.retain(|candidates| !candidates.is_empty());
    }
    chosen
}

struct Candidate<'t> {
    text: &'t str,
    length: usize,
    tokens: BTreeSet<&'t str>,
}

impl<'t> Candidate<'t> {
    fn new(text: &'t str) -> Candidate<'t> {
        Candidate { text, length: text.chars().count(), tokens: tokens(text) }
    }
}

fn take_best<'t>(candidates: &mut Vec<Candidate<'t>>, known: &mut BTreeSet<&'t str>) -> Option<&'t str> {
    let news = |candidate: &Candidate<'_>| candidate.tokens.difference(known).count();
    let best = (0..candidates.len()).min_by_key(|at| {
        let candidate = &candidates[*at];
        (std::cmp::Reverse(news(candidate)), candidate.length, candidate.text)
    })?;
    let best = candidates.swap_remove(best);
    known.extend(best.tokens);
    Some(best.text)
}

/// Words, numbers, and what stands between them: `{{#`, `: `. All numbers are one token.
fn tokens(text: &str) -> BTreeSet<&str> {
    let mut tokens = BTreeSet::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c: char| kind(c) != kind(first)).unwrap_or(rest.len());
        let (token, after) = rest.split_at(end);
        tokens.insert(if first.is_numeric() { "0" } else { token });
        rest = after;
    }
    tokens
}

fn kind(c: char) -> u8 {
    match c {
        _ if c.is_numeric() => 0,
        _ if c.is_alphabetic() || c == '_' => 1,
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_words_and_what_stands_between_them() {
        let check = |text: &str, expected: &[&str]| {
            assert_eq!(tokens(text).into_iter().collect::<Vec<_>>(), expected, "{text}");
        };
        check("{{#each 12}} 7", &[" ", "0", "each", "{{#", "}} "]);
        check("", &[]);
    }

    #[test]
    fn of_each_length_the_text_with_the_most_news_comes_first() {
        let texts = vec!["a", "b", "ab", "a-b", "a+b", "abcde", "{{#if}}", "{{a}}"];
        assert_eq!(
            varied(texts.clone(), 6),
            // A stratum in turn; `a+b` has two new tokens beside `a`, `{{#if}}` three.
            ["a", "a+b", "{{#if}}", "b", "ab", "abcde"]
        );
        assert_eq!(varied(texts, 100).len(), 8);
        assert_eq!(varied(Vec::new(), 3), [""; 0]);
    }

    #[test]
    fn of_many_short_ones_and_few_long_ones_all_long_ones_are_kept() {
        let short: Vec<String> = (0..500).map(|n| n.to_string()).collect();
        let long: Vec<String> = (0..20).map(|n| format!("a rather long text with number {n}")).collect();
        let kept = varied(short.iter().chain(&long).map(String::as_str).collect(), 100);
        assert_eq!(kept.len(), 100);
        assert!(long.iter().all(|text| kept.contains(text)));
    }
}
