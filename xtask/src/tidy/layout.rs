//! How a file is laid out: it opens with its duty, and it is short.

use super::Problem;

/// More lines than this need a reason.
const MOST_LINES: usize = 1_000;

/// Files that may be longer, with the reason (a table, an interpreter loop).
const LONG_FILES: &[(&str, &str)] = &[];

/// Every file says in `//!` what it is for, before any code.
pub(super) fn opens_with_docs(path: &str, text: &str) -> Vec<Problem> {
    let opening = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with("#!"));
    if opening.is_some_and(|line| line.starts_with("//!")) {
        return Vec::new();
    }
    vec![Problem::at_line(path, 0, "does not start with `//!`: say in 2 to 5 lines what the file is for")]
}

pub(super) fn is_short(path: &str, text: &str) -> Vec<Problem> {
    let lines = text.lines().count();
    if lines <= MOST_LINES || LONG_FILES.iter().any(|(long, _reason)| *long == path) {
        return Vec::new();
    }
    let advice = "split it, or name it with a reason in xtask's tidy/layout.rs";
    vec![Problem::new(path, format!("{lines} lines are more than {MOST_LINES}: {advice}"))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_opens_with_docs() {
        assert_eq!(opens_with_docs("a.rs", "//! Duty.\nfn f() {}\n"), []);
        assert_eq!(opens_with_docs("a.rs", "#![no_std]\n\n//! Duty.\n"), []);
    }

    #[test]
    fn code_or_item_docs_first_are_a_problem() {
        for text in ["fn f() {}\n//! Late.\n", "/// An item.\nfn f() {}\n", "// Plain.\n", ""] {
            assert_eq!(opens_with_docs("a.rs", text).len(), 1, "{text:?}");
        }
    }

    #[test]
    fn a_thousand_lines_are_the_most() {
        assert_eq!(is_short("a.rs", &"x\n".repeat(1_000)), []);
        assert_eq!(is_short("a.rs", &"x\n".repeat(1_001)).len(), 1);
    }
}
