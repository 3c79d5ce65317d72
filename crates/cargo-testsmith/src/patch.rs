//! Reads a unified diff: which lines of which files it adds or changes, and whether it fits the tree.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::failure::{Code, Failure};

/// New and changed lines, by file (relative to the root of the diff).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Patch {
    pub(crate) lines: BTreeMap<String, BTreeSet<usize>>,
}

/// A line of the new version, as the diff shows it.
struct Shown {
    number: usize,
    text: String,
    is_added: bool,
}

impl Patch {
    /// Reads a diff file and holds it against the tree below `root`.
    pub(crate) fn load(path: &Path, root: &Path) -> Result<Patch, Failure> {
        let bytes = std::fs::read(path)
            .map_err(|e| Failure::usage(format!("cannot read the diff {}: {e}", path.display())))?;
        let text = String::from_utf8_lossy(&bytes);
        let files = parse(&text).map_err(|why| unfit(path, &why))?;
        let mut patch = Patch::default();
        let base = base(&files, root);
        for (name, shown) in files {
            check(&name, &shown, &base).map_err(|why| unfit(path, &why))?;
            // A file outside of the workspace cannot hold mutants.
            let Ok(name) =
                base.join(&name).strip_prefix(root).map(|path| path.to_string_lossy().into_owned())
            else {
                continue;
            };
            let added = shown.iter().filter(|line| line.is_added).map(|line| line.number);
            patch.lines.entry(name).or_default().extend(added);
        }
        Ok(patch)
    }
}

/// The folder that the names of a diff start from: the workspace, or one above it, as in a repository of several.
fn base(files: &[(String, Vec<Shown>)], root: &Path) -> PathBuf {
    let named = files.iter().find(|(_, shown)| !shown.is_empty());
    let holds = |dir: &&Path| named.is_none_or(|(name, _)| dir.join(name).exists());
    root.ancestors().find(holds).unwrap_or(root).to_owned()
}

fn unfit(path: &Path, why: &str) -> Failure {
    Failure::new(
        Code::Diff,
        format!(
            "the diff {} does not fit the tree: {why}\n  \
             it has to lead to the sources as they are now: `git diff main.. > {}` makes one for a branch",
            path.display(),
            path.display()
        ),
    )
}

fn parse(text: &str) -> Result<Vec<(String, Vec<Shown>)>, String> {
    let mut files: Vec<(String, Vec<Shown>)> = Vec::new();
    // How many lines of the old and new version the current hunk still has.
    let (mut old, mut new, mut number) = (0usize, 0usize, 0usize);
    let mut is_deleted = false;
    for line in text.lines() {
        if old == 0 && new == 0 {
            if let Some(name) = line.strip_prefix("+++ ") {
                is_deleted = file_name(name).is_none();
                files.extend(file_name(name).map(|name| (name, Vec::new())));
            } else if let Some(header) = line.strip_prefix("@@ -") {
                (old, new, number) = hunk(header).ok_or_else(|| format!("no hunk header: `{line}`"))?;
            }
            continue;
        }
        // Some tools leave out the blank of an empty line.
        let (kind, rest) = line.split_at_checked(1).unwrap_or((" ", ""));
        match kind {
            " " => (old, new) = (old.saturating_sub(1), new.saturating_sub(1)),
            "+" => new = new.saturating_sub(1),
            "-" => old = old.saturating_sub(1),
            "\\" => continue,
            _ => return Err(format!("not a line of a diff: `{line}`")),
        }
        if kind != "-" {
            if let Some((_, shown)) = files.last_mut().filter(|_| !is_deleted) {
                shown.push(Shown {
                    number,
                    text: rest.trim_end_matches('\r').to_owned(),
                    is_added: kind == "+",
                });
            }
            number += 1;
        }
    }
    if old + new > 0 {
        return Err("it ends in the middle of a hunk".to_owned());
    }
    if files.is_empty() && !text.trim().is_empty() && !text.contains("--- ") {
        return Err("it is not a unified diff".to_owned());
    }
    Ok(files)
}

/// The name without git's prefix; `None` for a deleted file.
fn file_name(name: &str) -> Option<String> {
    let name = name.split('\t').next().unwrap_or(name).trim().trim_matches('"');
    if name == "/dev/null" {
        return None;
    }
    let plain = ["b/", "w/", "i/", "./"].iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name);
    Some(plain.to_owned())
}

/// `12,3 +14,4 @@ …`: lines of the old and new version, and the first new one.
fn hunk(header: &str) -> Option<(usize, usize, usize)> {
    let (old, rest) = header.split_once(" +")?;
    let (new, _) = rest.split_once(" @@")?;
    let count = |part: &str| match part.split_once(',') {
        Some((_, count)) => count.parse().ok(),
        None => Some(1),
    };
    let start = new.split(',').next()?.parse().ok()?;
    Some((count(old)?, count(new)?, start))
}

/// Whether the file says what the diff shows.
fn check(name: &str, shown: &[Shown], root: &Path) -> Result<(), String> {
    if shown.is_empty() {
        return Ok(());
    }
    let Ok(text) = std::fs::read_to_string(root.join(name)) else {
        // What is not text cannot hold mutants; what is not there is a diff of something else.
        return if root.join(name).exists() { Ok(()) } else { Err(format!("there is no {name}")) };
    };
    let lines: Vec<_> = text.lines().collect();
    for line in shown {
        let actual =
            line.number.checked_sub(1).and_then(|at| lines.get(at)).map(|l| l.trim_start_matches('\u{feff}'));
        let is_same =
            actual.is_some_and(|l| l.trim_end() == line.text.trim_start_matches('\u{feff}').trim_end());
        if !is_same {
            return Err(format!("line {} of {name} is not `{}`", line.number, line.text.trim()));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIFF: &str = "diff --git a/src/a.rs b/src/a.rs\n--- a/src/a.rs\n+++ b/src/a.rs\n@@ -1,3 +1,4 @@ fn f\n one\n-two\n+zwei\n+drei\n three\n--- a/gone.rs\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n";

    /// Loads a diff for a workspace in the folder `rust` of a repository.
    fn load(diff: &str, file: &str) -> Result<Patch, Failure> {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("rust");
        std::fs::create_dir_all(root.join("src")).unwrap();
        std::fs::write(root.join("src/a.rs"), file).unwrap();
        std::fs::write(dir.path().join("x.diff"), diff).unwrap();
        Patch::load(&dir.path().join("x.diff"), &root)
    }

    #[test]
    fn added_lines_are_found_where_the_diff_fits() {
        let patch = load(DIFF, "one\nzwei\ndrei\nthree\n").unwrap();
        assert_eq!(patch.lines, BTreeMap::from([("src/a.rs".to_owned(), BTreeSet::from([2, 3]))]));
        let from_above = load(&DIFF.replace("src/", "rust/src/"), "one\nzwei\ndrei\nthree\n").unwrap();
        assert_eq!(from_above, patch);
    }

    #[test]
    fn a_diff_of_another_tree_is_refused_with_the_line() {
        let failure = load(DIFF, "one\ntwo\nthree\n").unwrap_err();
        assert_eq!(failure.code, Code::Diff);
        assert!(failure.message.contains("line 2 of src/a.rs is not `zwei`"), "{}", failure.message);
        assert!(load("what is this?", "").is_err());
        assert!(
            load(&DIFF.replace("a.rs", "b.rs"), "").unwrap_err().message.contains("there is no src/b.rs")
        );
        assert!(load("", "").unwrap().lines.is_empty());
    }
}
