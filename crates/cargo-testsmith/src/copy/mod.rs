//! The copies that everything happens in, below `target/testsmith`.
//!
//! `plain` is the workspace as it is, `meta` the meta-program with the run-time library, `build` where cargo builds
//! both. They stay there between runs, and a file is written only when it changes, so that a second run builds
//! nothing anew. The user's tree is only read.

mod manifest;
mod mirror;
mod seal;
mod unused;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use testsmith_model::{Package, Workspace};

use self::manifest::{Changes, HarnessChange};
pub(crate) use self::manifest::{HARNESS, RUNTIME_PACKAGE};
use self::seal::Seal;
use crate::failure::{Failure, IoContext};

/// The folder belongs to this run.
#[derive(Debug)]
struct Claimed {
    /// Dropped before the lock is given back.
    _seal: Seal,
    _lock: File,
}

/// Who has to be told of what, while a folder is claimed.
pub(crate) struct Claiming {
    /// Another run has to end first.
    pub(crate) waiting: fn(),
    /// What the last run has left was damaged, and is made anew.
    pub(crate) damaged: fn(),
}

/// Where the copies of a workspace are.
#[derive(Clone, Debug)]
pub(crate) struct Copies {
    /// `target/testsmith`.
    pub(crate) home: PathBuf,
    /// Folder of the workspace that was copied.
    pub(crate) origin: PathBuf,
    /// Held as long as this value lives: two runs in one folder would write over each other.
    claimed: Option<Arc<Claimed>>,
    /// Whether dev-dependencies that only benches and examples use are left out of the copies.
    pub(crate) prunes: bool,
    /// Files of the workspace that have another text in the copies.
    pub(crate) instead: BTreeMap<PathBuf, String>,
}

impl Copies {
    /// Says where the copies would be, and does nothing yet.
    pub(crate) fn new(workspace: &Workspace, target_dir: Option<&Path>) -> Copies {
        let home = target_dir.unwrap_or(&workspace.target_dir).join("testsmith");
        Copies { home, origin: workspace.root.clone(), claimed: None, prunes: true, instead: BTreeMap::new() }
    }

    /// Prepares the folder for this run alone. `temp` is the run's folder for temporary files.
    pub(crate) fn claim(&mut self, temp: Option<&Path>, claiming: &Claiming) -> Result<(), Failure> {
        std::fs::create_dir_all(&self.home).doing("create", &self.home)?;
        self.home = self.home.canonicalize().doing("find", &self.home)?;
        let path = self.home.join("lock");
        let mut file = lock(&path, claiming.waiting)?;
        let run = Run { tool: std::process::id(), temp: temp.map(Path::to_owned) };
        run.begin(&mut file).doing("write", &path)?;
        let (seal, was_damaged) = Seal::open(&self.home).doing("make anew", &self.home)?;
        if was_damaged {
            (claiming.damaged)();
        }
        self.claimed = Some(Arc::new(Claimed { _seal: seal, _lock: file }));
        Ok(())
    }

    pub(crate) fn plain(&self) -> PathBuf {
        self.home.join("plain")
    }

    pub(crate) fn meta(&self) -> PathBuf {
        self.home.join("meta")
    }

    /// The run-time library, inside of the workspace that it is used in: cargo names a package by its path in the workspace, so
    /// the compiler lays out the same program wherever the crate lies.
    pub(crate) fn runtime(&self) -> PathBuf {
        self.meta().join(manifest::RUNTIME_PACKAGE)
    }

    pub(crate) fn build(&self) -> PathBuf {
        self.home.join("build")
    }

    /// What cargo gives each test binary.
    pub(crate) fn notes(&self) -> PathBuf {
        self.home.join("notes")
    }

    /// A folder for what runs need; emptied at the start of each.
    pub(crate) fn scratch(&self) -> Result<PathBuf, Failure> {
        let dir = self.home.join("scratch");
        if dir.exists() {
            std::fs::remove_dir_all(&dir).doing("empty", &dir)?;
        }
        std::fs::create_dir_all(&dir).doing("create", &dir)?;
        Ok(dir)
    }

    /// Whether a build failed for want of space: the compiler may say so, the linker dies of it, and what they had
    /// written may be gone by now.
    pub(crate) fn full_disk(&self, words: &str) -> Option<Failure> {
        use std::io::{Error, ErrorKind};
        let space = vec![0; 256 << 10];
        let written = tempfile::NamedTempFile::new_in(&self.home).and_then(|mut file| {
            file.write_all(&space)?;
            file.as_file().sync_all()
        });
        let is_told = ["No space left on device", "os error 28", "Bus error", "SIGBUS"];
        let told =
            is_told.iter().any(|told| words.contains(told)).then(|| Error::from(ErrorKind::StorageFull));
        written.err().or(told).map(|error| Failure::io("write below", &self.home, &error))
    }

    /// Where a path of the workspace is in a copy.
    pub(crate) fn place(&self, path: &Path, copy: &Path) -> PathBuf {
        match path.strip_prefix(&self.origin) {
            // Joining nothing would add a slash.
            Ok(relative) if relative.as_os_str().is_empty() => copy.to_owned(),
            Ok(relative) => copy.join(relative),
            Err(_) => path.to_owned(),
        }
    }

    /// Brings the plain copy up to date.
    pub(crate) fn update_plain(&self, workspace: &Workspace) -> Result<(), Failure> {
        let manifests = self.manifests(workspace);
        let kept: BTreeSet<_> = manifests.iter().cloned().chain(self.replaced()).collect();
        mirror::update(&self.origin, &self.plain(), &self.home, &kept)?;
        self.replace(&self.plain())?;
        for relative in manifests {
            let changes = Changes { without: self.unused(workspace, &relative), ..Changes::default() };
            let text = manifest::changed(&self.origin, &relative, &changes)?;
            write_if_changed(&self.plain().join(relative), &text)?;
        }
        Ok(())
    }

    /// Brings the meta-program's copy up to date, except for the files that are rewritten; the lock file is that
    /// of the plain copy, so that both are built with the same dependencies. With the harness, if it is wanted.
    pub(crate) fn update_meta(
        &self,
        workspace: &Workspace,
        rewritten: &BTreeSet<PathBuf>,
        harness: bool,
    ) -> Result<(), Failure> {
        self.write_runtime(harness)?;
        let manifests = self.manifests(workspace);
        // Written anew, the harness would be built anew.
        let packages = workspace.packages.iter().filter(|_| harness);
        let harnesses = packages.filter_map(|package| Some(self.relative(&package.dir)?.join(HARNESS)));
        let written = harnesses.chain([manifest::RUNTIME_PACKAGE.into()]);
        let lock = PathBuf::from("Cargo.lock");
        let written = written.chain(self.replaced());
        let kept: BTreeSet<_> = manifests.union(rewritten).cloned().chain(written).chain([lock]).collect();
        mirror::update(&self.origin, &self.meta(), &self.home, &kept)?;
        self.replace(&self.meta())?;
        self.write_meta_manifests(workspace, harness)?;
        self.take_over_lock()
    }

    /// Makes the meta-program's copy one of tests alone: with the harness, a program is a library as well.
    pub(crate) fn close_meta(&self, workspace: &Workspace) -> Result<(), Failure> {
        self.write_meta_manifests(workspace, false)
    }

    fn write_meta_manifests(&self, workspace: &Workspace, harness: bool) -> Result<(), Failure> {
        for relative in self.manifests(workspace) {
            let is_it = |package: &&Package| self.relative(&package.manifest).as_ref() == Some(&relative);
            let package = workspace.packages.iter().find(is_it);
            let runtime = package.map(|_| self.runtime());
            let harness = package.filter(|_| harness).map(HarnessChange::of);
            let changes = Changes { without: self.unused(workspace, &relative), runtime, harness };
            let text = manifest::changed(&self.origin, &relative, &changes)?;
            write_if_changed(&self.meta().join(relative), &text)?;
        }
        Ok(())
    }

    /// Files that have another text than in the user's tree, from the root on.
    fn replaced(&self) -> impl Iterator<Item = PathBuf> {
        self.instead.keys().filter_map(|path| self.relative(path))
    }

    fn replace(&self, copy: &Path) -> Result<(), Failure> {
        self.instead.iter().try_for_each(|(path, text)| write_if_changed(&self.place(path, copy), text))
    }

    /// Gives the meta-program the lock file of the plain copy, to which cargo adds the run-time library, whenever that has changed.
    fn take_over_lock(&self) -> Result<(), Failure> {
        let Ok(lock) = std::fs::read_to_string(self.plain().join("Cargo.lock")) else { return Ok(()) };
        let (taken, to) = (self.home.join("taken.lock"), self.meta().join("Cargo.lock"));
        if to.is_file() && std::fs::read_to_string(&taken).is_ok_and(|taken| taken == lock) {
            return Ok(());
        }
        write_if_changed(&to, &lock)?;
        write_if_changed(&taken, &lock)
    }

    /// Writes a test target of a package into a copy, and takes away what it had before: name and text of its files. A lean one goes
    /// without dev-dependencies that it does not name.
    pub(crate) fn write_test(
        &self,
        copy: &Path,
        package: &Package,
        name: &str,
        files: &[(String, String)],
        is_lean: bool,
    ) -> Result<(), Failure> {
        let dir = self.place(&package.dir, copy).join("tests").join(name);
        for entry in std::fs::read_dir(&dir).into_iter().flatten().flatten() {
            let is_wanted = files.iter().any(|(file, _)| entry.file_name() == file.as_str());
            if !is_wanted && entry.path().is_file() {
                std::fs::remove_file(entry.path()).doing("remove", &entry.path())?;
            }
        }
        for (file, text) in files {
            write_if_changed(&dir.join(file), text)?;
        }
        if files.is_empty() {
            return Ok(());
        }
        let path = self.place(&package.manifest, copy);
        let without = if is_lean { unused::in_texts(&path, files) } else { Vec::new() };
        write_if_changed(&path, &manifest::with_test(&path, name, &without)?)
    }

    /// Dev-dependencies of a chosen package that its tests do not use.
    fn unused(&self, workspace: &Workspace, manifest: &Path) -> Vec<String> {
        let is_it = |p: &&testsmith_model::Package| self.relative(&p.manifest).as_deref() == Some(manifest);
        match workspace.packages.iter().find(is_it) {
            Some(package) if self.prunes => unused::dev_dependencies(&package.manifest),
            _ => Vec::new(),
        }
    }

    /// Manifests that are changed in the copies: the root's and those of all members.
    fn manifests(&self, workspace: &Workspace) -> BTreeSet<PathBuf> {
        let members = workspace.member_dirs.iter().map(|dir| dir.join("Cargo.toml"));
        let root = std::iter::once(workspace.root.join("Cargo.toml"));
        members.chain(root).filter_map(|path| self.relative(&path)).collect()
    }

    fn relative(&self, path: &Path) -> Option<PathBuf> {
        path.strip_prefix(&self.origin).ok().map(Path::to_owned)
    }

    /// Without the harness, the run-time library is compiled much faster.
    fn write_runtime(&self, harness: bool) -> Result<(), Failure> {
        let dir = self.runtime();
        write_if_changed(&dir.join("Cargo.toml"), manifest::RUNTIME)?;
        for (name, text) in testsmith_rt::sources(harness) {
            write_if_changed(&dir.join("src").join(name), text)?;
        }
        Ok(())
    }
}

/// How folders for temporary files are called.
pub(crate) const TEMP: &str = "testsmith-";

/// What stands in the lock file: the run that holds it, or has held it last.
struct Run {
    tool: u32,
    temp: Option<PathBuf>,
}

impl Run {
    /// Removes what the run before has left behind, if it was killed, and takes its place.
    fn begin(&self, file: &mut File) -> std::io::Result<()> {
        let mut text = String::new();
        // What cannot be read tells nothing.
        let _ = file.read_to_string(&mut text);
        if let Some(last) = Run::parse(&text) {
            last.remove();
        }
        file.set_len(0)?;
        file.seek(SeekFrom::Start(0))?;
        writeln!(file, "{}", self.tool)?;
        self.temp.iter().try_for_each(|temp| writeln!(file, "{}", temp.display()))
    }

    fn parse(text: &str) -> Option<Run> {
        let mut lines = text.lines();
        let tool = lines.next()?.parse().ok()?;
        Some(Run { tool, temp: lines.next().map(PathBuf::from) })
    }

    fn remove(&self) {
        if self.tool == std::process::id() {
            return;
        }
        testsmith_proc::end_leftovers(self.tool);
        // Only what is called like ours and lies where ours does, whatever somebody has made of the file.
        let is_ours = |temp: &&PathBuf| {
            let name = temp.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with(TEMP) && temp.parent() == Some(&std::env::temp_dir())
        };
        if let Some(temp) = self.temp.as_ref().filter(is_ours) {
            let _ = std::fs::remove_dir_all(temp);
        }
    }
}

/// The lock file of a copy: what cargo takes out of it when dev-dependencies are left out is put back.
pub(crate) struct Lock {
    path: PathBuf,
    text: Option<String>,
}

impl Lock {
    pub(crate) fn keep(copy: &Path) -> Result<Lock, Failure> {
        let path = copy.join("Cargo.lock");
        let text = std::fs::read_to_string(&path).ok();
        Ok(Lock { path, text })
    }

    pub(crate) fn put_back(&self) -> Result<(), Failure> {
        self.text.as_ref().map_or(Ok(()), |text| write_if_changed(&self.path, text))
    }
}

/// How often a lock is tried that another run holds.
const BETWEEN_TRIES: Duration = Duration::from_millis(50);

/// Takes the lock on a folder. A file system without locks has to do without.
fn lock(path: &Path, waiting: impl FnOnce()) -> Result<File, Failure> {
    if path.is_dir() {
        std::fs::remove_dir_all(path).doing("remove", path)?;
    }
    // It says who holds it.
    let mut options = File::options();
    let file = options.read(true).write(true).create(true).truncate(false).open(path).doing("write", path)?;
    if let Err(TryLockError::WouldBlock) = file.try_lock() {
        waiting();
        // Not `lock`, in which Ctrl-C would go unheard.
        while let Err(TryLockError::WouldBlock) = file.try_lock() {
            if testsmith_proc::interrupt::requested() {
                return Err(Failure::interrupted());
            }
            std::thread::sleep(BETWEEN_TRIES);
        }
    }
    Ok(file)
}

/// Writes a file unless it has this text already: what is unchanged is not built anew.
pub(crate) fn write_if_changed(path: &Path, text: &str) -> Result<(), Failure> {
    if std::fs::read(path).is_ok_and(|old| old == text.as_bytes()) {
        return Ok(());
    }
    if let Some(dir) = path.parent() {
        make_folder(dir)?;
    }
    if path.is_dir() {
        std::fs::remove_dir_all(path).doing("remove", path)?;
    }
    std::fs::write(path, text).doing("write", path)
}

/// Makes a folder, also where something else has taken its place: what lies below `target/testsmith` is ours.
fn make_folder(dir: &Path) -> Result<(), Failure> {
    if std::fs::create_dir_all(dir).is_err() {
        let is_file = |path: &&Path| std::fs::symlink_metadata(path).is_ok_and(|it| it.is_file());
        if let Some(file) = dir.ancestors().find(is_file) {
            std::fs::remove_file(file).doing("remove", file)?;
        }
    }
    std::fs::create_dir_all(dir).doing("create", dir)
}
