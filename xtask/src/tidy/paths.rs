//! No file names the machine that it was written on.

use std::path::Path;

use super::Problem;

/// The folders that must not be named: home folders, and the one that holds this checkout.
///
/// The first two are put together here because this file is checked too.
pub(super) fn folders(root: &Path) -> Vec<String> {
    let mut folders: Vec<String> = ["root", "home"].iter().map(|name| format!("/{name}/")).collect();
    let workplace = root.parent().map(|parent| parent.to_string_lossy().into_owned());
    // A checkout directly below `/` has no workplace that a path could give away.
    folders.extend(workplace.filter(|parent| parent.len() > 1).map(|parent| format!("{parent}/")));
    folders
}

/// No absolute path of a home or workplace.
pub(super) fn names_no_machine(path: &str, text: &str, folders: &[String]) -> Vec<Problem> {
    let named = |line: &str| folders.iter().any(|folder| has_path(line, folder));
    let lines = text.lines().enumerate().filter(|(_, line)| named(line));
    lines
        .map(|(at, _)| Problem::at_line(path, at, "names a folder of one machine: use a relative path"))
        .collect()
}

/// Whether an absolute path starts with `folder`; a longer path or an address that only contains it
/// does not.
fn has_path(line: &str, folder: &str) -> bool {
    line.match_indices(folder).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || "._-/}~".contains(c))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_with_a_problem(text: &str) -> Vec<String> {
        let folders = folders(Path::new("/place/of-work/checkout"));
        names_no_machine("a.md", text, &folders).into_iter().map(|problem| problem.place).collect()
    }

    #[test]
    fn homes_and_the_workplace_are_found() {
        let home = format!("see /{}/me/x", "home");
        let text = format!("fine\n`/{}/.cargo`\n{home}\nin /place/of-work/other\n", "root");
        assert_eq!(lines_with_a_problem(&text), ["a.md:2", "a.md:3", "a.md:4"]);
    }

    #[test]
    fn other_paths_are_fine() {
        let text = format!("/usr/bin\nhttps://x.org/{}/y\n$X/place/of-work/z\n/place/of-works/\n", "home");
        assert_eq!(lines_with_a_problem(&text), [""; 0]);
    }

    #[test]
    fn a_checkout_below_the_root_has_no_workplace() {
        assert_eq!(folders(Path::new("/checkout")).len(), 2);
    }
}
