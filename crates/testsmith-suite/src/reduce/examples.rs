//! Texts as the crate itself uses them. A long text that a search has found is pulled towards the nearest of them, so that what is left of
//! noise is what the test is about: a date with one thing wrong, not sixteen letters that no date begins with.

use std::ops::Range;

/// Texts from docs, tests and constants.
#[derive(Clone, Debug, Default)]
pub struct Examples {
    texts: Vec<Vec<char>>,
}

/// Shorter texts are simple as they are, longer ones are no inputs of a test.
const LENGTHS: std::ops::RangeInclusive<usize> = 6..=80;
/// Texts that are compared with.
const MOST: usize = 96;
/// How hard it is to read what the reader may know, and each difference from it.
const KNOWN: usize = 12;
const DIFFERENCE: usize = 4;
/// Parts of a difference that are looked at one by one.
const MOST_PIECES: usize = 12;

/// A part of a text, and what stands there in an example.
type Piece = (Range<usize>, Range<usize>);

impl Examples {
    /// Of all texts that a crate mentions.
    pub fn new(texts: &[String]) -> Examples {
        let chars = texts.iter().map(|text| text.chars().collect::<Vec<char>>());
        // What is one word names something, and is no example of a format.
        let is_example = |text: &Vec<char>| {
            LENGTHS.contains(&text.len()) && text.iter().any(|c| !c.is_alphanumeric() && *c != '_')
        };
        Examples { texts: chars.filter(is_example).take(MOST).collect() }
    }

    /// How hard a text is to read that would weigh so much without any example.
    pub(super) fn weight(&self, text: &str, plain: usize) -> usize {
        let chars: Vec<char> = text.chars().collect();
        let known = self.nearest(&chars).map(|(distance, _)| KNOWN + DIFFERENCE * distance);
        known.unwrap_or(plain).min(plain)
    }

    /// Texts on the way from one to the nearest example: with one difference less, and with one alone.
    pub(super) fn towards(&self, text: &str) -> Vec<String> {
        let chars: Vec<char> = text.chars().collect();
        let Some((distance, example)) = self.nearest(&chars) else { return Vec::new() };
        if distance == 0 {
            return Vec::new();
        }
        let pieces: Vec<Piece> =
            differences(&chars, example).into_iter().flat_map(halves).take(MOST_PIECES).collect();
        let with = |takes: &dyn Fn(usize) -> bool| -> String {
            let mut changed = chars.clone();
            for (_, (from, to)) in pieces.iter().enumerate().filter(|(at, _)| takes(*at)).rev() {
                changed.splice(from.clone(), example[to.clone()].iter().copied());
            }
            changed.into_iter().collect()
        };
        let mut all = vec![example.iter().collect()];
        all.extend((0..pieces.len()).map(|kept| with(&|at| at != kept)));
        all.extend((0..pieces.len()).map(|taken| with(&|at| at == taken)));
        all
    }

    /// The example that is most like a text, and how far it is, if it is like it at all.
    fn nearest(&self, text: &[char]) -> Option<(usize, &Vec<char>)> {
        if !LENGTHS.contains(&text.len()) {
            return None;
        }
        let distances =
            self.texts.iter().map(|example| (distances(text, example)[text.len()][example.len()], example));
        let (distance, example) = distances.min_by_key(|(distance, _)| *distance)?;
        (2 * distance <= text.len().max(example.len()) + text.len() / 2).then_some((distance, example))
    }
}

/// The Levenshtein distances of all starts of two texts.
fn distances(a: &[char], b: &[char]) -> Vec<Vec<usize>> {
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for (at, x) in a.iter().enumerate() {
        let before = &rows[at];
        let mut row = vec![at + 1];
        for (to, y) in b.iter().enumerate() {
            row.push((before[to] + usize::from(x != y)).min(before[to + 1] + 1).min(row[to] + 1));
        }
        rows.push(row);
    }
    rows
}

/// Where two texts differ, in order.
fn differences(a: &[char], b: &[char]) -> Vec<Piece> {
    let table = distances(a, b);
    let (mut at, mut to) = (a.len(), b.len());
    let mut pieces: Vec<Piece> = Vec::new();
    while at > 0 || to > 0 {
        let end = (at, to);
        if at > 0 && to > 0 && a[at - 1] == b[to - 1] && table[at][to] == table[at - 1][to - 1] {
            (at, to) = (at - 1, to - 1);
            continue;
        }
        match table[at][to] {
            cost if at > 0 && to > 0 && cost == table[at - 1][to - 1] + 1 => (at, to) = (at - 1, to - 1),
            cost if at > 0 && cost == table[at - 1][to] + 1 => at -= 1,
            _ => to -= 1,
        }
        match pieces.last_mut() {
            Some((from, into)) if (from.start, into.start) == end => (from.start, into.start) = (at, to),
            _ => pieces.push((at..end.0, to..end.1)),
        }
    }
    pieces.reverse();
    pieces
}

/// A long difference in two.
fn halves((from, to): Piece) -> Vec<Piece> {
    if from.len() < 2 || to.len() < 2 {
        return vec![(from, to)];
    }
    let (middle, half) = (from.start + from.len() / 2, to.start + to.len() / 2);
    [(from.start..middle, to.start..half), (middle..from.end, half..to.end)]
        .into_iter()
        .flat_map(halves)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn examples() -> Examples {
        Examples::new(&["Sun, 06 Nov 1994".to_owned(), "GMT".to_owned(), "abcdefgh".to_owned()])
    }

    #[test]
    fn differences_are_found_in_order() {
        let of = |a: &str, b: &str| {
            let chars = |text: &str| text.chars().collect::<Vec<char>>();
            differences(&chars(a), &chars(b))
        };
        assert_eq!(of("abc", "abc"), []);
        assert_eq!(of("axc", "abc"), [(1..2, 1..2)]);
        assert_eq!(of("ac", "abcd"), [(1..1, 1..2), (2..2, 3..4)]);
    }

    #[test]
    fn what_is_like_an_example_is_lighter() {
        let examples = examples();
        assert_eq!(examples.weight("Sun, 06 Nov 1994", 50), KNOWN);
        assert_eq!(examples.weight("Sun, 06 Nov 19:4", 50), KNOWN + DIFFERENCE);
        assert_eq!(examples.weight("Sun, 06 Nov 1994", 3), 3);
        assert_eq!(examples.weight("something else 12", 50), 50);
        assert_eq!(examples.weight("a", 2), 2);
    }

    #[test]
    fn a_text_goes_towards_an_example_by_one_difference() {
        let found = examples().towards("aaa, 06 Nov 19:4");
        assert!(found.contains(&"Sun, 06 Nov 1994".to_owned()), "{found:?}");
        assert!(
            found.contains(&"Sun, 06 Nov 19:4".to_owned()) || found.contains(&"aaa, 06 Nov 1994".to_owned()),
            "{found:?}"
        );
        assert_eq!(examples().towards("Sun, 06 Nov 1994"), Vec::<String>::new());
    }
}
