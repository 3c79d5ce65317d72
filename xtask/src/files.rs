//! Files and folders: fresh folders, copies without build output, a sorted walk.

use std::fs;
use std::path::{Path, PathBuf};

use crate::fail::{Context, Result};

/// Makes `dir` an empty folder.
pub(crate) fn fresh_dir(dir: &Path) -> Result<()> {
    if dir.exists() {
        fs::remove_dir_all(dir).context(format!("remove {}", dir.display()))?;
    }
    fs::create_dir_all(dir).context(format!("create {}", dir.display()))
}

/// Copies a package; its `target` folder stays behind, so that the copy is cold.
pub(crate) fn copy_package(from: &Path, to: &Path) -> Result<()> {
    copy_entries(entries(from)?.into_iter().filter(|entry| *entry != from.join("target")), to)
}

fn copy_entries(entries_of: impl Iterator<Item = PathBuf>, to: &Path) -> Result<()> {
    fs::create_dir_all(to).context(format!("create {}", to.display()))?;
    for entry in entries_of {
        let name = entry.file_name().context(format!("name {}", entry.display()))?;
        let copy = to.join(name);
        if entry.is_dir() {
            copy_entries(entries(&entry)?.into_iter(), &copy)?;
        } else {
            fs::copy(&entry, &copy).context(format!("copy {}", entry.display()))?;
        }
    }
    Ok(())
}

/// Every file below `dir`, in order of path; nothing where `dir` is missing.
pub(crate) fn walk(dir: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    if !dir.is_dir() {
        return Ok(files);
    }
    for entry in entries(dir)? {
        if entry.is_dir() {
            files.extend(walk(&entry)?);
        } else {
            files.push(entry);
        }
    }
    Ok(files)
}

pub(crate) fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).context(format!("read {}", path.display()))
}

pub(crate) fn write(path: &Path, text: &str) -> Result<()> {
    if let Some(dir) = path.parent() {
        fs::create_dir_all(dir).context(format!("create {}", dir.display()))?;
    }
    fs::write(path, text).context(format!("write {}", path.display()))
}

fn entries(dir: &Path) -> Result<Vec<PathBuf>> {
    let reading = || format!("list {}", dir.display());
    let mut paths = Vec::new();
    for entry in fs::read_dir(dir).context(reading())? {
        paths.push(entry.context(reading())?.path());
    }
    paths.sort();
    Ok(paths)
}
