//! Makes a folder like another one, touching only what differs.

use std::collections::BTreeSet;
use std::fs::{self, FileType, Metadata};
use std::path::{Path, PathBuf};

use crate::failure::{Failure, IoContext};

/// Makes `to` like `from`, without what cargo builds, version control, and `home`. `kept` are files (relative) that
/// the caller writes itself.
pub(crate) fn update(from: &Path, to: &Path, home: &Path, kept: &BTreeSet<PathBuf>) -> Result<(), Failure> {
    let is_nested = to.starts_with(from);
    let mirror = Mirror { from, to, home, kept, is_nested };
    mirror.folder(Path::new(""))
}

struct Mirror<'a> {
    from: &'a Path,
    to: &'a Path,
    home: &'a Path,
    kept: &'a BTreeSet<PathBuf>,
    /// Whether the copy lies in the original: cargo then finds `.cargo/config.toml` by looking upwards.
    is_nested: bool,
}

impl Mirror<'_> {
    fn folder(&self, relative: &Path) -> Result<(), Failure> {
        let (from, to) = (self.from.join(relative), self.to.join(relative));
        super::make_folder(&to)?;
        let mut names = BTreeSet::new();
        for entry in fs::read_dir(&from).doing("read", &from)? {
            let entry = entry.doing("read", &from)?;
            let kind = entry.file_type().doing("read", &entry.path())?;
            let relative = relative.join(entry.file_name());
            if self.is_left_out(&relative, kind) {
                continue;
            }
            names.insert(entry.file_name());
            self.entry(&relative, kind)?;
        }
        self.remove_others(relative, &names)
    }

    fn entry(&self, relative: &Path, kind: FileType) -> Result<(), Failure> {
        let (from, to) = (self.from.join(relative), self.to.join(relative));
        if kind.is_dir() {
            return self.folder(relative);
        }
        if self.kept.contains(relative) {
            return Ok(());
        }
        // A link to a folder stays a link; one to a file becomes the file, so that nothing is written through it.
        let Ok(metadata) = fs::metadata(&from) else { return Ok(()) };
        if metadata.is_dir() {
            return link(&from, &to);
        }
        if !metadata.is_file() {
            return Ok(());
        }
        copy_if_changed(&from, &to, &metadata)
    }

    fn is_left_out(&self, relative: &Path, kind: FileType) -> bool {
        let path = self.from.join(relative);
        let name = relative.file_name().unwrap_or_default();
        if !kind.is_dir() {
            return false;
        }
        name == ".git"
            || name == ".hg"
            || name == ".jj"
            || is_target(&path)
            // The target folder, whatever its name.
            || path.canonicalize().is_ok_and(|path| self.home.starts_with(path))
            || relative == Path::new(".cargo") && self.is_nested
    }

    /// Removes what the original does not have (any more), except for what cargo writes.
    fn remove_others(&self, relative: &Path, names: &BTreeSet<std::ffi::OsString>) -> Result<(), Failure> {
        let to = self.to.join(relative);
        for entry in fs::read_dir(&to).doing("read", &to)? {
            let entry = entry.doing("read", &to)?;
            let name = entry.file_name();
            let is_kept = self.kept.contains(&relative.join(&name))
                || relative == Path::new("") && name == "Cargo.lock";
            if names.contains(&name) || is_kept {
                continue;
            }
            let path = entry.path();
            if entry.file_type().doing("read", &path)?.is_dir() {
                fs::remove_dir_all(&path).doing("remove", &path)?;
            } else {
                fs::remove_file(&path).doing("remove", &path)?;
            }
        }
        Ok(())
    }
}

/// A folder that cargo builds in: it says so.
fn is_target(path: &Path) -> bool {
    path.join("CACHEDIR.TAG").is_file()
}

fn copy_if_changed(from: &Path, to: &Path, metadata: &Metadata) -> Result<(), Failure> {
    let modified = metadata.modified().doing("read", from)?;
    let is_same = fs::symlink_metadata(to).is_ok_and(|old| {
        old.is_file() && old.len() == metadata.len() && old.modified().is_ok_and(|time| time == modified)
    });
    if is_same {
        return Ok(());
    }
    match fs::symlink_metadata(to) {
        Ok(old) if old.is_dir() => fs::remove_dir_all(to).doing("replace", to)?,
        // It may be read-only, or a link.
        Ok(_) => fs::remove_file(to).doing("replace", to)?,
        Err(_) => {}
    }
    fs::copy(from, to).doing("write", to)?;
    // The same time, so that cargo sees that nothing has changed. A read-only file cannot be opened for it.
    if let Ok(file) = fs::OpenOptions::new().write(true).open(to) {
        file.set_modified(modified).doing("write", to)?;
    }
    Ok(())
}

#[cfg(unix)]
fn link(from: &Path, to: &Path) -> Result<(), Failure> {
    let target = from.canonicalize().doing("read", from)?;
    if fs::read_link(to).is_ok_and(|old| old == target) {
        return Ok(());
    }
    let _ = fs::remove_file(to);
    std::os::unix::fs::symlink(target, to).doing("link", to)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(root: &Path, name: &str, text: &str) {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn files(root: &Path) -> Vec<String> {
        let mut found = Vec::new();
        let mut open = vec![root.to_owned()];
        while let Some(dir) = open.pop() {
            for entry in fs::read_dir(dir).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    open.push(path);
                } else {
                    found.push(path.strip_prefix(root).unwrap().display().to_string());
                }
            }
        }
        found.sort();
        found
    }

    #[test]
    fn a_copy_follows_its_original_and_leaves_out_what_is_built() {
        let dir = tempfile::tempdir().unwrap();
        let (from, to) = (dir.path().join("from"), dir.path().join("to"));
        write(&from, "Cargo.toml", "[package]");
        write(&from, "src/lib.rs", "one");
        write(&from, "src/old.rs", "old");
        write(&from, "target/CACHEDIR.TAG", "");
        write(&from, "target/debug/x", "");
        write(&from, ".git/HEAD", "");
        let kept = BTreeSet::from([PathBuf::from("Cargo.toml")]);
        update(&from, &to, &dir.path().join("home"), &kept).unwrap();
        assert_eq!(files(&to), ["src/lib.rs", "src/old.rs"]);
        write(&to, "Cargo.toml", "written by the caller");
        write(&to, "Cargo.lock", "written by cargo");
        write(&to, "src/stray.rs", "written by a test");
        write(&from, "src/lib.rs", "two, and longer");
        fs::remove_file(from.join("src/old.rs")).unwrap();
        update(&from, &to, &dir.path().join("home"), &kept).unwrap();
        assert_eq!(files(&to), ["Cargo.lock", "Cargo.toml", "src/lib.rs"]);
        assert_eq!(fs::read_to_string(to.join("src/lib.rs")).unwrap(), "two, and longer");
        let time = |path: PathBuf| fs::metadata(path).unwrap().modified().unwrap();
        assert_eq!(time(from.join("src/lib.rs")), time(to.join("src/lib.rs")));
    }
}
