//! Which lints of a crate the files with tests have to allow, and which they must not.

use std::collections::BTreeSet;

use super::existing::is_ours;

/// What the lints of a crate ask of a file with tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LintLevels {
    /// Rules that a crate has for its own code, and that tests do not keep.
    pub allowed: BTreeSet<String>,
    /// Lints that nobody may allow.
    pub forbidden: BTreeSet<String>,
}

const ALLOW: &str = "#![allow(";

/// Why the new attribute is there.
const WHY: &str = "// Rules that the crate has for its own code.";

impl LintLevels {
    /// The text of a file with the attributes that are needed, and without those that are not possible.
    pub fn apply(&self, text: &str) -> String {
        if self.allowed.is_empty() && self.forbidden.is_empty() {
            return text.to_owned();
        }
        let mut present = BTreeSet::new();
        let mut lines: Vec<String> = Vec::new();
        for line in text.lines() {
            let Some(names) = line.strip_prefix(ALLOW).and_then(|rest| rest.strip_suffix(")]")) else {
                lines.push(line.to_owned());
                continue;
            };
            let names: Vec<&str> = names.split(',').map(str::trim).collect();
            let kept: Vec<&str> =
                names.iter().copied().filter(|name| !self.forbidden.contains(*name)).collect();
            present.extend(kept.iter().map(|name| (*name).to_owned()));
            match kept.len() {
                0 => {}
                count if count == names.len() => lines.push(line.to_owned()),
                _ => lines.push(format!("{ALLOW}{})]", kept.join(", "))),
            }
        }
        let missing: Vec<String> = self
            .allowed
            .difference(&present)
            .filter(|name| !self.forbidden.contains(*name))
            .cloned()
            .collect();
        if !missing.is_empty() {
            let at = lines.iter().rposition(|line| line.starts_with(ALLOW)).map_or_else(
                // Behind the header and nothing else.
                || usize::from(is_ours(text)),
                |at| at + 1,
            );
            let is_first = at <= 1;
            let new = [WHY.to_owned(), format!("{ALLOW}{})]", missing.join(", "))];
            lines.splice(at..at, is_first.then(String::new).into_iter().chain(new));
        }
        lines.join("\n") + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::HEADER;

    fn check(allowed: &[&str], forbidden: &[&str], before: &str, after: &str) {
        let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let levels = LintLevels { allowed: set(allowed), forbidden: set(forbidden) };
        let (before, after) = (format!("{HEADER}\n{before}"), format!("{HEADER}\n{after}"));
        assert_eq!(levels.apply(&before), after);
        assert_eq!(levels.apply(&after), after, "once is enough");
    }

    #[test]
    fn a_file_allows_what_it_has_to() {
        let why = "// Rules that the crate has for its own code.\n";
        check(&[], &[], "\nmod a;\n", "\nmod a;\n");
        check(
            &["x"],
            &[],
            "\n#![allow(a, b)]\n\nmod a;\n",
            &format!("\n#![allow(a, b)]\n{why}#![allow(x)]\n\nmod a;\n"),
        );
        check(&["x"], &[], "\nmod a;\n", &format!("\n{why}#![allow(x)]\n\nmod a;\n"));
        check(&["b"], &[], "\n#![allow(a, b)]\n\nmod a;\n", "\n#![allow(a, b)]\n\nmod a;\n");
        check(&["x"], &["x", "a"], "\n#![allow(a, b)]\n#![allow(a)]\nmod a;\n", "\n#![allow(b)]\nmod a;\n");
    }
}
