//! Tests of the same shape as one test with a table of cases.
//!
//! Two tests have the same shape if their bodies differ in literals only. [`alike`] finds those that do, [`table`] writes one test with a
//! row for each: what differs becomes a column, and the row is in the message of every assertion.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use testsmith_ir::render::Spelling;

use super::test::TestText;

/// Rows of a table.
const MOST_ROWS: usize = 20;

/// What differs in more places is easier to read as tests of its own.
const MOST_COLUMNS: usize = 3;

/// A row that is longer does not stand on a line.
const LONGEST_ROW: usize = 88;

/// Groups of tests that could be a table, each with two or more; the numbers are places in the list. What is of another unit, or about
/// another call, is never in one group: it is known by the first word of `kinds`.
pub fn alike(tests: &[(&TestText, String)]) -> Vec<Vec<usize>> {
    let mut groups: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
    for (at, (test, kind)) in tests.iter().enumerate() {
        if let Some(shape) = shape(test) {
            groups.entry((kind.clone(), shape)).or_default().push(at);
        }
    }
    let mut parts: Vec<Vec<usize>> = groups.into_values().flat_map(|group| parted(tests, group)).collect();
    parts.retain(|part| part.len() > 1);
    parts.sort();
    parts
}

/// Groups that are no longer than a table may be: by the place of the mutants that they kill, then by number.
fn parted(tests: &[(&TestText, String)], group: Vec<usize>) -> Vec<Vec<usize>> {
    if group.len() <= MOST_ROWS {
        return vec![group];
    }
    let mut by_place: BTreeMap<Option<&String>, Vec<usize>> = BTreeMap::new();
    group.into_iter().for_each(|at| by_place.entry(tests[at].0.places.first()).or_default().push(at));
    // A table of one place is named for it; the few of other places share one.
    let (large, small): (Vec<_>, Vec<_>) = by_place.into_values().partition(|part| part.len() > 2);
    let parts = large.into_iter().chain([small.concat()]);
    parts
        .flat_map(|part| {
            let size = part.len().div_ceil(part.len().div_ceil(MOST_ROWS).max(1)).max(1);
            part.chunks(size).map(<[usize]>::to_vec).collect::<Vec<_>>()
        })
        .collect()
}

/// One test for several of the same shape; `None` if that would read worse.
pub fn table(tests: &[&TestText]) -> Option<TestText> {
    let (first, others) = tests.split_first()?;
    let parsed: Vec<Vec<Vec<Unit>>> = tests
        .iter()
        .map(|test| test.lines.iter().map(|line| units(line)).collect())
        .collect::<Option<_>>()?;
    let columns = columns(&parsed, &first.lines)?;
    let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    let rows: Vec<String> = (0..tests.len())
        .map(|row| {
            let cells: Vec<&str> = columns.iter().map(|column| column.cells[row].as_str()).collect();
            in_brackets(&cells)
        })
        .collect();
    let is_distinct = rows.iter().collect::<BTreeSet<_>>().len() == rows.len();
    if !is_distinct || rows.iter().any(|row| row.chars().count() > LONGEST_ROW) {
        return None;
    }
    let shown = columns
        .iter()
        .filter(|column| column.name != EXPECTED)
        .map(|column| format!("{{{}:?}}", column.name));
    let shown = shown.collect::<Vec<_>>().join(", ");
    let mut lines = vec![format!("for {} in [", in_brackets(&names))];
    lines.extend(rows.iter().map(|row| format!("    {row},")));
    lines.push("] {".to_owned());
    for (at, line) in first.lines.iter().enumerate() {
        let mut line = line.clone();
        let mut places: Vec<(&Range<usize>, &str)> = columns
            .iter()
            .flat_map(|column| {
                column.places.iter().map(move |(at, range)| (*at, range, column.name.as_str()))
            })
            .filter_map(|(of, range, name)| (of == at).then_some((range, name)))
            .collect();
        places.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
        for (range, name) in places {
            line.replace_range(range.clone(), name);
        }
        lines.extend(with_row(&line, &shown).lines().map(|line| format!("    {line}")));
    }
    lines.push("}".to_owned());
    let imports =
        others.iter().flat_map(|test| test.imports.iter().cloned()).chain(first.imports.iter().cloned());
    Some(TestText {
        names: names_of(tests),
        places: first.places.clone(),
        imports: imports.collect(),
        comment: first.comment.clone(),
        panics: None,
        ignored: None,
        lines: vec![lines.join("\n")],
        slots: vec![BTreeSet::new()],
        spelling: Spelling::Natural,
    })
}

/// The column of what is expected.
const EXPECTED: &str = "expected";

/// What differs between the rows.
struct Column {
    name: String,
    /// The literal of each row.
    cells: Vec<String>,
    /// Where it stands in the first test: line and bytes.
    places: Vec<(usize, Range<usize>)>,
}

fn columns(parsed: &[Vec<Vec<Unit>>], lines: &[String]) -> Option<Vec<Column>> {
    let mut columns: Vec<Column> = Vec::new();
    for (at, line) in parsed[0].iter().enumerate() {
        for (number, unit) in line.iter().enumerate() {
            let cells: Vec<String> = parsed
                .iter()
                .map(|test| Some(test.get(at)?.get(number)?.text.clone()))
                .collect::<Option<_>>()?;
            if cells.iter().all(|cell| *cell == cells[0]) {
                continue;
            }
            if unit.is_fixed {
                return None;
            }
            let cells: Vec<String> = cells.into_iter().map(|cell| unit.kind.in_row(cell)).collect();
            let place = (at, unit.range.clone());
            let is_same = |column: &&mut Column| unit.kind.can_be_shared() && column.cells == cells;
            if let Some(column) = columns.iter_mut().find(is_same) {
                column.places.push(place);
                continue;
            }
            let name = if unit.is_expected { EXPECTED } else { unit.kind.name() };
            columns.push(Column { name: name.to_owned(), cells, places: vec![place] });
        }
    }
    name_apart(&mut columns, lines);
    (1..=MOST_COLUMNS).contains(&columns.len()).then_some(columns)
}

/// A single input is the input; several are called what they are. No name is one of the bodies'.
fn name_apart(columns: &mut [Column], lines: &[String]) {
    let inputs = columns.iter().filter(|column| column.name != EXPECTED).count();
    if inputs == 1 {
        columns
            .iter_mut()
            .filter(|column| column.name != EXPECTED)
            .for_each(|column| "input".clone_into(&mut column.name));
    }
    let text = lines.join("\n");
    let is_named =
        |name: &str| text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name);
    let mut taken: BTreeSet<String> = BTreeSet::new();
    for column in columns {
        let numbered = (2..).map(|number| format!("{}{number}", column.name));
        let mut names = [column.name.clone()].into_iter().chain(numbered);
        let name = names.find(|name| !is_named(name) && !taken.contains(name)).expect("numbers do not end");
        taken.insert(name.clone());
        column.name = name;
    }
}

fn in_brackets(parts: &[&str]) -> String {
    match parts {
        [one] => (*one).to_owned(),
        parts => format!("({})", parts.join(", ")),
    }
}

/// An assertion that says which row it is about.
fn with_row(line: &str, shown: &str) -> String {
    let is_assertion = ["assert_eq!(", "assert_ne!(", "assert!("].iter().any(|start| line.starts_with(start));
    match line.strip_suffix(");").filter(|_| is_assertion && !shown.is_empty()) {
        Some(rest) => format!("{}, \"{shown}\");", rest.trim_end().trim_end_matches(',')),
        None => line.to_owned(),
    }
}

/// Names of a table: what its tests have in common, and what comes of all of them.
fn names_of(tests: &[&TestText]) -> Vec<String> {
    let words: Vec<Vec<&str>> =
        tests.iter().filter_map(|test| Some(test.names.first()?.split('_').collect())).collect();
    let Some((first, others)) = words.split_first() else { return vec!["cases".to_owned()] };
    let common =
        (0..first.len()).take_while(|at| others.iter().all(|other| other.get(*at) == first.get(*at))).count();
    let mut kept = &first[..common];
    // What is cut in the middle of a phrase ends before it.
    while let Some((last, rest)) = kept.split_last() {
        if !["of", "with", "in", "on", "after", "returns", "and", "some", "a", "is"].contains(last) {
            break;
        }
        kept = rest;
    }
    // What all of them come to stands at the end: `fails_with_overflow`.
    let is_same = |back: &usize| {
        let last = |words: &[&str]| words.len().checked_sub(*back).map(|at| words[at].to_owned());
        others.iter().all(|other| other.len() > common + back && last(other) == last(first))
            && first.len() > common + back
    };
    let ending = (1..=first.len()).take_while(is_same).last().unwrap_or(0);
    let ending = &first[first.len() - ending..];
    let start = ending.iter().position(|word| ["fails", "rejects", "returns"].contains(word));
    let outcome_words = start.map_or(&[][..], |start| &ending[start..]);
    let base = [kept, outcome_words].concat().join("_");
    let place =
        tests[0].places.first().filter(|place| tests.iter().all(|test| test.places.first() == Some(*place)));
    let outcome =
        |name: &&str| tests.iter().all(|test| test.names.first().is_some_and(|it| it.contains(name)));
    let base = match ["fails", "rejects"].iter().find(|name| outcome(name) && !base.contains(**name)) {
        Some(outcome) => format!("{base}_{outcome}"),
        None if base.is_empty() => "cases".to_owned(),
        None => base,
    };
    let is_outcome = base.contains("rejects") || base.contains("fails") || !outcome_words.is_empty();
    let of_values = if is_outcome { base.clone() } else { format!("{base}_for_each_case") };
    let mut names = vec![of_values.clone()];
    names.extend(place.map(|place| format!("{of_values}_in_{place}")));
    let states = ["after", "on"].iter().filter_map(|word| {
        let at = first.iter().position(|it| it == word)?;
        Some(format!("{of_values}_{}", first[at..first.len().min(at + 3)].join("_")))
    });
    names.extend(states);
    names.extend(tests.iter().filter_map(|test| Some(format!("{of_values}_in_{}", test.places.first()?))));
    names.extend(tests.iter().filter_map(|test| Some(format!("{of_values}_like_{}", test.names.first()?))));
    names.retain(|name| name.len() <= LONGEST_NAME);
    names
}

const LONGEST_NAME: usize = 70;

/// A literal of a line.
#[derive(Clone, Debug)]
struct Unit {
    text: String,
    kind: Kind,
    range: Range<usize>,
    /// It stands where no variable can.
    is_fixed: bool,
    /// It is what a value is compared with.
    is_expected: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Text,
    Bytes,
    Letter,
    Number,
}

impl Kind {
    fn of(literal: &str) -> Kind {
        match literal.as_bytes() {
            [b'"', ..] | [b'r', b'"' | b'#', ..] => Kind::Text,
            [b'b', b'"', ..] => Kind::Bytes,
            [b'\'', ..] => Kind::Letter,
            _ => Kind::Number,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Kind::Text => "text",
            Kind::Bytes => "bytes",
            Kind::Letter => "letter",
            Kind::Number => "number",
        }
    }

    /// As one of several that have the same type.
    fn in_row(self, cell: String) -> String {
        if self == Kind::Bytes { format!("&{cell}[..]") } else { cell }
    }

    /// Two numbers of the same digits may be of two types.
    fn can_be_shared(self) -> bool {
        matches!(self, Kind::Text | Kind::Letter)
    }
}

/// The literals of a line; `None` if it is no Rust.
fn units(line: &str) -> Option<Vec<Unit>> {
    let tokens: TokenStream = line.parse().ok()?;
    let mut units = Vec::new();
    collect(line, tokens, Place { is_fixed: false, is_expected: false }, &mut units);
    Some(units)
}

#[derive(Clone, Copy)]
struct Place {
    is_fixed: bool,
    is_expected: bool,
}

/// Macros in which a literal may be a pattern or a format.
const WITH_PATTERNS: [&str; 4] = ["matches", "format", "write", "panic"];

fn collect(line: &str, tokens: TokenStream, place: Place, units: &mut Vec<Unit>) {
    let mut before: Vec<TokenTree> = Vec::new();
    let mut minus = None;
    let in_comparison = |before: &[TokenTree]| matches!(before, [.., TokenTree::Ident(name), TokenTree::Punct(_)] if name == "assert_eq" || name == "assert_ne");
    for token in tokens {
        let mut is_minus = None;
        match &token {
            TokenTree::Group(group) => {
                let name = match before.as_slice() {
                    [.., TokenTree::Ident(name), TokenTree::Punct(mark)] if mark.as_char() == '!' => {
                        name.to_string()
                    }
                    _ => String::new(),
                };
                let is_fixed = place.is_fixed || WITH_PATTERNS.contains(&name.as_str());
                let inner = Place { is_fixed, ..place };
                match in_comparison(&before) && group.delimiter() == Delimiter::Parenthesis {
                    true => collect_compared(line, group.stream(), inner, units),
                    false => collect(line, group.stream(), inner, units),
                }
            }
            TokenTree::Literal(literal) => {
                let range = literal.span().byte_range();
                let start = minus.take().unwrap_or(range.start);
                let Some(text) = line.get(start..range.end) else { return };
                let kind = Kind::of(&literal.to_string());
                let Place { is_fixed, is_expected } = place;
                // The row has the whole slice.
                let is_slice = kind == Kind::Bytes
                    && line[..start].ends_with('&')
                    && line[range.end..].starts_with("[..]");
                let range = if is_slice { start - 1..range.end + "[..]".len() } else { start..range.end };
                units.push(Unit { text: text.to_owned(), kind, range, is_fixed, is_expected });
            }
            TokenTree::Punct(punct) if punct.as_char() == '-' => {
                let is_operand = matches!(
                    before.last(),
                    Some(TokenTree::Ident(_) | TokenTree::Literal(_) | TokenTree::Group(_))
                );
                is_minus = (!is_operand).then(|| punct.span().byte_range().start);
            }
            _ => {}
        }
        minus = is_minus;
        before.push(token);
    }
}

/// What stands behind the comma of a comparison is expected.
fn collect_compared(line: &str, tokens: TokenStream, place: Place, units: &mut Vec<Unit>) {
    let is_comma = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ',');
    let all: Vec<TokenTree> = tokens.into_iter().collect();
    let comma = all.iter().position(is_comma).unwrap_or(all.len());
    collect(line, all[..comma].iter().cloned().collect(), place, units);
    let expected = Place { is_expected: true, ..place };
    collect(line, all[comma..].iter().cloned().collect(), expected, units);
}

/// The body without what may differ; `None` if it cannot be a row of a table.
fn shape(test: &TestText) -> Option<String> {
    if test.panics.is_some() || test.ignored.is_some() || test.lines.len() > MOST_LINES {
        return None;
    }
    let mut shape = String::new();
    for line in &test.lines {
        let units = units(line)?;
        let mut rest = 0;
        for unit in &units {
            shape += &line[rest..unit.range.start];
            match unit.is_fixed {
                true => shape += &unit.text,
                false => shape += &format!("\0{:?}{}", unit.kind, suffix(unit)),
            }
            rest = unit.range.end;
        }
        shape += &line[rest..];
        shape.push('\n');
    }
    Some(shape)
}

/// The type that is written behind a number.
fn suffix(unit: &Unit) -> String {
    if unit.kind != Kind::Number {
        return String::new();
    }
    let start = unit.text.find(['u', 'i', 'f']).unwrap_or(unit.text.len());
    let dot = if unit.text.contains('.') { "." } else { "" };
    format!("{dot}{}", &unit.text[start..])
}

/// Longer bodies are stories of their own.
const MOST_LINES: usize = 6;

#[cfg(test)]
mod tests {
    use super::*;

    fn test(name: &str, lines: &[&str]) -> TestText {
        TestText {
            names: vec![name.to_owned()],
            places: vec!["read".to_owned()],
            imports: BTreeSet::new(),
            comment: String::new(),
            panics: None,
            ignored: None,
            lines: lines.iter().map(|line| (*line).to_owned()).collect(),
            slots: Vec::new(),
            spelling: Spelling::Natural,
        }
    }

    #[track_caller]
    fn check(tests: &[TestText], expected: &[&str]) {
        let written = table(&tests.iter().collect::<Vec<_>>()).map(|table| table.lines.join("\n"));
        assert_eq!(written.unwrap_or_default(), expected.join("\n"));
    }

    #[test]
    fn what_differs_becomes_a_column() {
        check(
            &[
                test("a", &["assert_eq!(parse(\"1\"), Ok(1));"]),
                test("b", &["assert_eq!(parse(\"-2\"), Ok(-2));"]),
            ],
            &[
                "for (input, expected) in [",
                "    (\"1\", 1),",
                "    (\"-2\", -2),",
                "] {",
                "    assert_eq!(parse(input), Ok(expected), \"{input:?}\");",
                "}",
            ],
        );
        check(
            &[
                test("a", &["let list = List::of([1]);", "assert!(list.has(\"a\", 0));"]),
                test("b", &["let list = List::of([2]);", "assert!(list.has(\"b\", 0));"]),
            ],
            &[
                "for (number, text) in [",
                "    (1, \"a\"),",
                "    (2, \"b\"),",
                "] {",
                "    let list = List::of([number]);",
                "    assert!(list.has(text, 0), \"{number:?}, {text:?}\");",
                "}",
            ],
        );
    }

    #[test]
    fn a_text_that_comes_back_is_one_column() {
        check(
            &[
                test("a", &["assert_eq!(same(\"a\"), \"a\");"]),
                test("b", &["assert_eq!(same(\"b\"), \"b\");"]),
            ],
            &[
                "for input in [",
                "    \"a\",",
                "    \"b\",",
                "] {",
                "    assert_eq!(same(input), input, \"{input:?}\");",
                "}",
            ],
        );
        check(
            &[test("a", &["f(&b\"a\"[..]);"]), test("b", &["f(&b\"bc\"[..]);"])],
            &["for input in [", "    &b\"a\"[..],", "    &b\"bc\"[..],", "] {", "    f(input);", "}"],
        );
    }

    #[test]
    fn what_no_variable_can_stand_for_stays_as_it_is() {
        let pattern =
            |number: u8| test("a", &[&format!("assert!(matches!(f(), Err(E {{ have: {number} }})));")]);
        check(&[pattern(1), pattern(2)], &[]);
        let same = test("a", &["assert!(f(1));"]);
        check(&[same.clone(), same], &[]);
    }

    #[test]
    fn tests_of_one_shape_find_each_other() {
        let panics = TestText { panics: Some(None), ..test("f", &["f(9);"]) };
        let tests = [
            test("a", &["assert_eq!(f(1), 2);"]),
            test("b", &["assert_eq!(g(1), 2);"]),
            test("c", &["assert_eq!(f(-3), 4);"]),
            test("d", &["assert_eq!(f(5u8), 6);"]),
            test("e", &["f(9);"]),
            panics,
        ];
        let groups = |kind: fn(usize) -> String| {
            let listed: Vec<(&TestText, String)> =
                tests.iter().enumerate().map(|(at, test)| (test, kind(at))).collect();
            alike(&listed)
        };
        assert_eq!(groups(|_| String::new()), [vec![0, 2]]);
        assert_eq!(groups(|at| at.to_string()), Vec::<Vec<usize>>::new(), "of other units");
    }

    #[test]
    fn a_long_table_is_parted_by_what_it_is_about() {
        let of = |number: usize| {
            let place = if number < 19 { "day" } else { "month" };
            TestText { places: vec![place.to_owned()], ..test("a", &[&format!("assert!(f({number}));")]) }
        };
        let tests: Vec<TestText> = (0..24).map(of).collect();
        let listed: Vec<(&TestText, String)> = tests.iter().map(|test| (test, String::new())).collect();
        let sizes: Vec<usize> = alike(&listed).iter().map(Vec::len).collect();
        assert_eq!(sizes, [19, 5]);
    }

    #[test]
    fn a_table_is_named_for_what_its_rows_share() {
        let named = |names: &[&str]| {
            let tests: Vec<TestText> = names.iter().map(|name| test(name, &[])).collect();
            names_of(&tests.iter().collect::<Vec<_>>()).swap_remove(0)
        };
        assert_eq!(named(&["parse_rejects_a", "parse_rejects_b"]), "parse_rejects");
        assert_eq!(named(&["parse_of_1_fails", "parse_of_2_fails"]), "parse_fails");
        assert_eq!(
            named(&["parse_1_fails_with_overflow", "parse_22_fails_with_overflow"]),
            "parse_fails_with_overflow"
        );
        assert_eq!(named(&["len_of_1_returns_none", "len_of_2_returns_none"]), "len_returns_none");
        assert_eq!(named(&["parse_of_1_returns_1", "parse_of_2_returns_2"]), "parse_for_each_case");
        assert_eq!(
            named(&["pop_after_push_returns_some_1", "pop_after_push_returns_some_2"]),
            "pop_after_push_for_each_case"
        );
    }
}
