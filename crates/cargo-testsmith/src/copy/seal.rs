//! What was left in `target/testsmith` at the end of a run: the [`Seal`]. What is not as it was left, because a disk was full, a cleaner came by
//! or somebody has looked for space, is made anew: cargo would go on with it, and so would every run after that.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// Where it is kept.
const FILE: &str = "seal";

/// Folders that can be made anew.
const FOLDERS: [&str; 5] = ["build", "meta", "notes", "plain", "world"];

/// How files begin that can be forgotten: what the compiler has rejected.
const MEMORY: &str = "rejected";

/// Sealed when it is dropped. Whoever is killed leaves no seal, and cargo knows what to make of that.
#[derive(Debug)]
pub(super) struct Seal {
    home: PathBuf,
}

impl Seal {
    /// Breaks the seal of the run before; whether everything had to be removed, because it did not hold.
    pub(super) fn open(home: &Path) -> io::Result<(Seal, bool)> {
        let seal = Seal { home: home.to_owned() };
        let file = home.join(FILE);
        let Ok(left) = fs::read(&file) else { return Ok((seal, false)) };
        fs::remove_file(&file)?;
        let is_damaged = left != seal.survey().into_bytes();
        if is_damaged {
            seal.parts().iter().try_for_each(|part| remove(part))?;
        }
        Ok((seal, is_damaged))
    }

    /// What can be made anew, of that which is there.
    fn parts(&self) -> Vec<PathBuf> {
        let is_part = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            FOLDERS.contains(&&*name) || name.starts_with(MEMORY)
        };
        entries(&self.home).into_iter().filter(is_part).collect()
    }

    /// A line for each file: its size and the second it was written in, which archives of caches keep as well.
    fn survey(&self) -> String {
        let mut lines = String::new();
        let mut open = self.parts();
        while let Some(path) = open.pop() {
            match fs::symlink_metadata(&path) {
                Ok(metadata) if metadata.is_dir() => open.extend(entries(&path)),
                Ok(metadata) => {
                    let name = path.strip_prefix(&self.home).unwrap_or(&path).display();
                    lines += &format!("{} {} {name}\n", metadata.len(), seconds(&metadata));
                }
                Err(_) => lines += &format!("- {}\n", path.display()),
            }
        }
        lines
    }
}

impl Drop for Seal {
    fn drop(&mut self) {
        // Without a seal, nobody looks.
        let _ = fs::write(self.home.join(FILE), self.survey());
    }
}

/// In the order of their names.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn seconds(metadata: &Metadata) -> u64 {
    let modified = metadata.modified().ok();
    modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok()).map_or(0, |since| since.as_secs())
}

fn remove(path: &Path) -> io::Result<()> {
    if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left of the folder after it was sealed, changed and opened.
    #[track_caller]
    fn check(change: impl Fn(&Path), is_damage: bool) {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let home = folder.path();
        for file in ["build/deps/a.rlib", "plain/src/lib.rs", "rejected.json", "score.json"] {
            let path = home.join(file);
            fs::create_dir_all(path.parent().expect("it is in a folder")).expect("the folder is ours");
            fs::write(path, "whole").expect("the folder is ours");
        }
        drop(Seal::open(home).expect("there is none"));
        change(home);
        let (seal, was_damaged) = Seal::open(home).expect("the folder is ours");
        assert_eq!(was_damaged, is_damage);
        assert_eq!(home.join("build").exists() && home.join("rejected.json").exists(), !is_damage);
        assert!(home.join("score.json").exists(), "a report stays");
        drop(seal);
        assert!(!Seal::open(home).expect("the folder is ours").1, "it is as it was left");
    }

    #[test]
    fn what_is_not_as_it_was_left_is_removed() {
        check(|_| (), false);
        check(|home| fs::write(home.join("score.json"), "another").expect("it is ours"), false);
        check(|home| fs::write(home.join("build/deps/a.rlib"), "who").expect("it is ours"), true);
        check(|home| fs::remove_file(home.join("plain/src/lib.rs")).expect("it is ours"), true);
        check(|home| fs::write(home.join("build/more"), "").expect("it is ours"), true);
        check(|home| fs::write(home.join(FILE), "\0").expect("it is ours"), true);
        check(|home| fs::remove_file(home.join(FILE)).expect("it is ours"), false);
    }
}
