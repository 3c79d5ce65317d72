//! Reads what libtest prints.

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
}
