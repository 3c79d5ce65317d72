//! Files of a package that use its code: tests, examples, benches, and modules that only tests compile.

use std::path::{Path, PathBuf};

use crate::SourceTree;

/// More files say nothing new.
const MOST_FILES: usize = 200;
/// Larger ones are tables of data.
const LARGEST: usize = 1 << 18;
/// Where the tool's own tests lie: what they say came from here.
const OURS: &str = "testsmith";

/// The text of all files that are not part of the code itself, in the order of their names.
pub(super) fn uses(dir: &Path, tree: &SourceTree) -> Vec<String> {
    let mut paths = Vec::new();
    ["tests", "src", "examples", "benches"].iter().for_each(|name| gather(&dir.join(name), &mut paths));
    paths.retain(|path| tree.files.iter().all(|file| file.path != *path));
    let read = |path: &PathBuf| std::fs::read_to_string(path).ok().filter(|text| text.len() <= LARGEST);
    paths.iter().take(MOST_FILES).filter_map(read).collect()
}

fn gather(dir: &Path, paths: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    let mut entries: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    entries.sort();
    for path in entries {
        let is_link = path.symlink_metadata().is_ok_and(|data| data.is_symlink());
        if path.is_dir() && !is_link && !path.ends_with(OURS) {
            gather(&path, paths);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            paths.push(path);
        }
    }
}
