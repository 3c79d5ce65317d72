//! What would change in a file, as a unified diff.

use std::fmt::Write;

/// Lines around a change.
const CONTEXT: usize = 3;

/// A line of both texts, or of one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edit<'t> {
    Same(&'t str),
    Out(&'t str),
    In(&'t str),
}

/// The diff of a file; `None` stands for a file that is not there. Empty, if nothing is different.
pub(crate) fn unified(name: &str, before: Option<&str>, after: Option<&str>) -> String {
    let (old, new) = (before.unwrap_or_default(), after.unwrap_or_default());
    let edits = edits(&lines(old), &lines(new));
    let side = |prefix: &str, text: Option<&str>| {
        text.map_or("/dev/null".to_owned(), |_| format!("{prefix}/{name}"))
    };
    let mut text = String::new();
    for hunk in hunks(&edits) {
        if text.is_empty() {
            let _ = write!(text, "--- {}\n+++ {}\n", side("a", before), side("b", after));
        }
        let count = |range: &[Edit<'_>]| {
            let old = range.iter().filter(|edit| !matches!(edit, Edit::In(_))).count();
            (old, range.iter().filter(|edit| !matches!(edit, Edit::Out(_))).count())
        };
        let ((old_before, new_before), (old, new)) =
            (count(&edits[..hunk.start]), count(&edits[hunk.clone()]));
        let start = |before: usize, length: usize| if length == 0 { before } else { before + 1 };
        let (old_start, new_start) = (start(old_before, old), start(new_before, new));
        let _ = writeln!(text, "@@ -{old_start},{old} +{new_start},{new} @@");
        for edit in &edits[hunk] {
            let (sign, line) = match edit {
                Edit::Same(line) => (' ', line),
                Edit::Out(line) => ('-', line),
                Edit::In(line) => ('+', line),
            };
            let end = if line.ends_with('\n') { "" } else { "\n\\ No newline at end of file\n" };
            let _ = write!(text, "{sign}{line}{end}");
        }
    }
    text
}

/// With the ends of the lines.
fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// The shortest way from one text to the other, by Myers' greedy algorithm.
fn edits<'t>(old: &[&'t str], new: &[&'t str]) -> Vec<Edit<'t>> {
    let most = old.len() + new.len();
    let at = |k: isize| usize::try_from(k + most as isize + 1).expect("k is at least -(most + 1)");
    // For each diagonal k = x - y, how far in `old` a way of so many edits comes.
    let mut far = vec![0_usize; 2 * most + 3];
    let mut trace = Vec::new();
    'search: for d in 0..=most as isize {
        trace.push(far.clone());
        for k in (-d..=d).step_by(2) {
            let is_down = k == -d || k != d && far[at(k - 1)] < far[at(k + 1)];
            let mut x = if is_down { far[at(k + 1)] } else { far[at(k - 1)] + 1 };
            let mut y = (x as isize - k) as usize;
            while x < old.len() && y < new.len() && old[x] == new[y] {
                (x, y) = (x + 1, y + 1);
            }
            far[at(k)] = x;
            if x >= old.len() && y >= new.len() {
                break 'search;
            }
        }
    }
    let (mut x, mut y) = (old.len(), new.len());
    let mut edits = Vec::new();
    for (d, far) in trace.iter().enumerate().rev() {
        let (d, k) = (d as isize, x as isize - y as isize);
        let is_down = k == -d || k != d && far[at(k - 1)] < far[at(k + 1)];
        let from = if is_down { k + 1 } else { k - 1 };
        let before = if d == 0 { (0, 0) } else { (far[at(from)], (far[at(from)] as isize - from) as usize) };
        while x > before.0 && y > before.1 {
            (x, y) = (x - 1, y - 1);
            edits.push(Edit::Same(old[x]));
        }
        if d > 0 {
            edits.push(if is_down { Edit::In(new[before.1]) } else { Edit::Out(old[before.0]) });
            (x, y) = before;
        }
    }
    edits.reverse();
    edits
}

/// Changes that are near each other, with the lines around them.
fn hunks(edits: &[Edit<'_>]) -> Vec<std::ops::Range<usize>> {
    let mut hunks: Vec<std::ops::Range<usize>> = Vec::new();
    let changed = edits.iter().enumerate().filter(|(_, edit)| !matches!(edit, Edit::Same(_)));
    for (at, _) in changed {
        let range = at.saturating_sub(CONTEXT)..(at + 1 + CONTEXT).min(edits.len());
        match hunks.last_mut() {
            Some(last) if range.start <= last.end => last.end = range.end,
            _ => hunks.push(range),
        }
    }
    hunks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_has_the_changes_and_the_lines_around_them() {
        let before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";
        let after = "1\n2\nthree\n4\n5\n6\n7\n8\n9\n10\n11";
        let expected = "--- a/f.rs\n+++ b/f.rs\n@@ -1,6 +1,6 @@\n 1\n 2\n-3\n+three\n 4\n 5\n 6\n\
                        @@ -8,3 +8,4 @@\n 8\n 9\n 10\n+11\n\\ No newline at end of file\n";
        assert_eq!(unified("f.rs", Some(before), Some(after)), expected);
        assert_eq!(unified("f.rs", Some(before), Some(before)), "");
        assert_eq!(unified("f.rs", None, Some("a\n")), "--- /dev/null\n+++ b/f.rs\n@@ -0,0 +1,1 @@\n+a\n");
        assert_eq!(unified("f.rs", Some("a\n"), None), "--- a/f.rs\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n");
    }

    #[test]
    fn what_a_diff_says_leads_from_one_text_to_the_other() {
        let texts = ["", "a\n", "a\nb\n", "b\na\n", "a\nb\nc\na\nb\nb\na\n", "c\nb\na\nb\na\nc\n", "x\ny"];
        for old in texts {
            for new in texts {
                let edits = edits(&lines(old), &lines(new));
                let side = |skip: fn(&Edit<'_>) -> bool| {
                    let kept = edits.iter().filter(|edit| !skip(edit));
                    let text = |edit: &Edit<'_>| match edit {
                        Edit::Same(line) | Edit::Out(line) | Edit::In(line) => (*line).to_owned(),
                    };
                    kept.map(text).collect::<String>()
                };
                assert_eq!(side(|edit| matches!(edit, Edit::In(_))), old);
                assert_eq!(side(|edit| matches!(edit, Edit::Out(_))), new);
            }
        }
    }
}
