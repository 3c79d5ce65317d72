//! Files with tests that the tool has written: those of the test target, and those inside of the crate.

use std::path::{Path, PathBuf};

use testsmith_model::{Package, Target, TargetKind};
use testsmith_suite::text::Existing;

use crate::generate::{NAME, folder_of_root};

/// A file with tests that the tool has written.
#[derive(Clone)]
pub(crate) struct OurFile {
    /// In the user's tree.
    pub(crate) path: PathBuf,
    /// The file that stands for it in a copy, named as if that were the user's tree.
    pub(crate) place: PathBuf,
    /// The path of its module, as libtest names it.
    pub(crate) module: String,
    pub(crate) is_inner: bool,
    pub(crate) existing: Existing,
}

impl OurFile {
    /// What cannot be read is somebody else's, or will be complained about elsewhere.
    fn read(path: PathBuf, place: PathBuf, module: String, is_inner: bool) -> Option<OurFile> {
        let text = std::fs::read_to_string(&path).ok()?;
        let existing = Existing::read(&text).ok()?;
        Some(OurFile { path, place, module, is_inner, existing })
    }
}

/// Those of a package, as cargo would test them.
pub(crate) fn of_package(package: &Package) -> Vec<OurFile> {
    let dir = package.dir.join("tests").join(NAME);
    let outer = if is_usual(package, &dir) { in_folder(package, &dir) } else { Vec::new() };
    outer.into_iter().chain(inside(package)).collect()
}

/// Whether a folder is the one of a test target that cargo knows.
pub(crate) fn is_usual(package: &Package, dir: &Path) -> bool {
    let is_ours = |target: &Target| target.kind == TargetKind::Test && target.name == NAME;
    package.targets.iter().any(is_ours) && *dir == package.dir.join("tests").join(NAME)
}

/// Those of a folder, which would be that of the test target.
pub(crate) fn in_folder(package: &Package, dir: &Path) -> Vec<OurFile> {
    let target = package.dir.join("tests").join(NAME);
    let read = |path: PathBuf| {
        let module = path.file_stem()?.to_str()?.to_owned();
        let place = target.join(path.file_name()?);
        OurFile::read(path, place, module, false)
    };
    let names =
        rust_files(dir).into_iter().filter(|path| path.file_stem().is_some_and(|stem| stem != "main"));
    names.filter_map(read).collect()
}

/// Those beside the modules that they test.
pub(crate) fn inside(package: &Package) -> Vec<OurFile> {
    let Some(subject) = package.subject() else { return Vec::new() };
    let Some(root) = subject.src.parent() else { return Vec::new() };
    // Folders that roots have for their tests are no modules.
    let of_root = |target: &Target| Some(target.src.parent()?.join(folder_of_root(&target.src)?));
    let own = Some(subject).filter(|_| package.is_program()).and_then(of_root);
    let of_roots: Vec<PathBuf> = package.programs().filter_map(of_root).collect();
    let mut found = Vec::new();
    let mut open: Vec<_> =
        [Some(root.to_owned()), own.clone()].into_iter().flatten().map(|dir| (dir, Vec::new())).collect();
    while let Some((dir, modules)) = open.pop() {
        // The other programs' tests are not compiled with these.
        if modules.len() == 1 && of_roots.contains(&dir) {
            continue;
        }
        let path = dir.join(format!("{NAME}.rs"));
        let names: Vec<&str> = modules.iter().map(String::as_str).chain([NAME]).collect();
        found.extend(OurFile::read(path.clone(), path, names.join("::"), true));
        for entry in std::fs::read_dir(&dir).into_iter().flatten().flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                let name = entry.file_name().to_string_lossy().into_owned();
                open.push((entry.path(), modules.iter().cloned().chain([name]).collect()));
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

fn rust_files(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    paths.sort();
    paths
}
