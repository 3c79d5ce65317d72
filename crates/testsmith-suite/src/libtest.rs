//! Reads what libtest prints.

use std::collections::BTreeMap;

use crate::text::AssertionFailure;

/// Names of the tests in the output of `--list --format terse`.
pub(crate) fn listed(output: &str) -> Vec<String> {
    output.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect()
}

/// `(name, passed)` of each test line in the output of a run. A name may end in a remark of libtest or rustdoc.
pub fn results(output: &str) -> Vec<(String, bool)> {
    let line = |line: &str| {
        let (name, word) = line.strip_prefix("test ")?.rsplit_once(" ... ")?;
        // Output of the test itself may stand before the word.
        let passed = if word.ends_with("ok") {
            true
        } else if word.ends_with("FAILED") {
            false
        } else {
            return None;
        };
        Some((name.to_owned(), passed))
    };
    output.lines().filter_map(line).collect()
}

/// By test that failed, what it printed.
pub fn printed(output: &str) -> BTreeMap<String, String> {
    let mut printed = BTreeMap::new();
    let mut current: Option<String> = None;
    for line in output.lines() {
        if let Some(name) = line.strip_prefix("---- ").and_then(|line| line.strip_suffix(" stdout ----")) {
            current = Some(plain_name(name).to_owned());
        } else if line == "failures:" {
            // The list of names, behind all that was printed.
            current = None;
        } else if let Some(name) = &current {
            let text: &mut String = printed.entry(name.clone()).or_default();
            text.push_str(line);
            text.push('\n');
        }
    }
    printed
}

/// What a test that failed has printed, as far as the messages of the standard library tell; `is_own` says whether a panic in a
/// file was one of the test itself.
pub fn failure(printed: &str, is_own: impl Fn(&str) -> bool) -> AssertionFailure {
    let other = |message: &str| AssertionFailure::Other { message: message.to_owned() };
    if let Some(message) = between(printed, "\n      panic message: ", "\n expected substring: ") {
        // As `{:?}` prints it; older versions put signs around.
        let literal = message.trim().trim_end_matches(',').trim_matches('`');
        let message = syn::parse_str::<syn::LitStr>(literal).map_or(literal.to_owned(), |text| text.value());
        return AssertionFailure::Message { message };
    }
    let Some((place, words)) =
        printed.split_once(" panicked at ").and_then(|(_, rest)| rest.split_once('\n'))
    else {
        let note = printed.lines().find_map(|line| line.strip_prefix("note: "));
        return other(note.or_else(|| printed.lines().find(|line| !line.is_empty())).unwrap_or("it fails"));
    };
    let mut parts = place.trim_end_matches(':').rsplitn(3, ':');
    let (_, line, file) = (parts.next(), parts.next(), parts.next());
    let first = words.lines().next().unwrap_or_default();
    let line = line.and_then(|line| line.parse().ok()).filter(|_| file.is_some_and(is_own));
    let Some(line) = line else { return other(&format!("it panics: {first}")) };
    let values = || {
        let left = between(words, "\n  left: ", "\n right: ")?;
        let right = between(words, "\n right: ", "\n")?;
        Some(AssertionFailure::Values { line, left: left.to_owned(), right: right.to_owned() })
    };
    match first {
        _ if first.starts_with("assertion `left ") => values().unwrap_or_else(|| other(first)),
        _ if first.starts_with("assertion failed: ") => AssertionFailure::Untrue { line },
        _ => other(&format!("it panics: {first}")),
    }
}

fn between<'t>(text: &'t str, start: &str, end: &str) -> Option<&'t str> {
    let rest = text.split_once(start)?.1;
    Some(rest.split_once(end).map_or(rest, |(inner, _)| inner))
}

/// The first test that failed.
pub(crate) fn first_failure(output: &str) -> Option<String> {
    let (name, _) = results(output).into_iter().find(|(_, passed)| !passed)?;
    Some(plain_name(&name).to_owned())
}

/// A test's name without the remark that libtest adds.
pub(crate) fn plain_name(name: &str) -> &str {
    name.trim_end_matches(" - should panic")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_results_are_read() {
        assert_eq!(listed("a::b: test\nc: benchmark\nd: test\n\n2 tests, 1 benchmark\n"), ["a::b", "d"]);
        let output =
            "\nrunning 3 tests\ntest a ... ok\ntest b - should panic ... FAILED\ntest c ... ignored\n";
        assert_eq!(results(output), [("a".to_owned(), true), ("b - should panic".to_owned(), false)]);
        assert_eq!(first_failure(output).as_deref(), Some("b"));
    }

    #[test]
    fn what_a_test_printed_says_how_it_failed() {
        let output = "
failures:

---- room::a stdout ----

thread 'room::a' (7) panicked at tests/testsmith/room.rs:12:5:
assertion `left == right` failed
  left: Some(3)
 right: None
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace

---- room::b - should panic stdout ----

thread 'room::b' (8) panicked at src/lib.rs:3:5:
too \"long\"
note: panic did not contain expected string
      panic message: \"too \\\"long\\\"\"
 expected substring: \"too short\"
---- room::c stdout ----

thread 'room::c' (9) panicked at src/lib.rs:7:1:
index out of bounds

---- room::d - should panic stdout ----
note: test did not panic as expected at tests/testsmith/room.rs:20:4
---- room::e stdout ----

thread 'room::e' (10) panicked at tests/testsmith/room.rs:30:5:
assertion failed: room.is_free()


failures:
    room::a
";
        let other = |message: &str| AssertionFailure::Other { message: message.to_owned() };
        let expected = [
            AssertionFailure::Values { line: 12, left: "Some(3)".to_owned(), right: "None".to_owned() },
            AssertionFailure::Message { message: "too \"long\"".to_owned() },
            other("it panics: index out of bounds"),
            other("test did not panic as expected at tests/testsmith/room.rs:20:4"),
            AssertionFailure::Untrue { line: 30 },
        ];
        let found = printed(output);
        let names: Vec<&str> = found.keys().map(String::as_str).collect();
        assert_eq!(names, ["room::a", "room::b", "room::c", "room::d", "room::e"]);
        let is_own = |file: &str| file.starts_with("tests/");
        let found: Vec<AssertionFailure> = found.values().map(|text| failure(text, is_own)).collect();
        assert_eq!(found, expected);
    }
}
