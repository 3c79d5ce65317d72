//! What the whole-tool tests share: a [`Fixture`] is a crate in a folder of its own, [`Fixture::run`] the tool on it,
//! under a time limit. After every run, whatever it was about, the crate must be as it was and no process may be
//! left. `run` is the process, `tree` what a folder holds, `score` what the JSON says.
#![allow(dead_code, unused_imports, reason = "each test binary uses a part of it")]

mod run;
mod score;
mod tree;

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

pub(crate) use self::run::{Run, Running, WithinLimit, leave_sign, until};
pub(crate) use self::score::{Score, mutant_line};
pub(crate) use self::tree::Tree;

/// The root of the repository.
pub(crate) const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// A manifest for crates that a test writes itself.
pub(crate) const MANIFEST: &str =
    "[package]\nname = \"sample\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[workspace]\n";

/// A crate in a temporary folder, which goes away with the value.
pub(crate) struct Fixture {
    scratch: TempDir,
    /// Where commands are run.
    home: PathBuf,
    /// The one folder that the tool may write to.
    target: PathBuf,
    /// Where it may put tests.
    tests: Option<PathBuf>,
    /// Sources that it may change.
    sources: Option<PathBuf>,
}

impl Fixture {
    /// A copy of `testdata/<name>`. A folder further down is copied with everything beside it.
    #[track_caller]
    pub(crate) fn copy(name: &str) -> Fixture {
        let top = name.split('/').next().unwrap_or(name);
        let fixture = Fixture::empty();
        copy_folder(&Path::new(REPOSITORY).join("testdata").join(top), &fixture.home.join(top));
        fixture.below(name)
    }

    /// A package of these files. Without a manifest among them, it gets [`MANIFEST`].
    pub(crate) fn package(files: &[(&str, &str)]) -> Fixture {
        Fixture::package_at("", files)
    }

    /// The same in a folder of this name.
    pub(crate) fn package_at(folder: &str, files: &[(&str, &str)]) -> Fixture {
        let fixture = Fixture::empty().below(folder);
        fixture.write("Cargo.toml", MANIFEST);
        files.iter().for_each(|(name, text)| fixture.write(name, text));
        fixture
    }

    /// An empty folder.
    pub(crate) fn empty() -> Fixture {
        let scratch = TempDir::with_prefix("testsmith-").expect("there is a temporary folder");
        // Cargo names folders without links, and so does the tool.
        let home = scratch.path().canonicalize().expect("it was just made").join("tree");
        fs::create_dir(&home).expect("the folder is new");
        Fixture { scratch, target: home.join("target"), tests: None, sources: None, home }
    }

    /// The same tree, with commands run in a folder further down.
    pub(crate) fn below(self, folder: &str) -> Fixture {
        let home = if folder.is_empty() { self.home } else { self.home.join(folder) };
        Fixture { target: home.join("target"), home, ..self }
    }

    /// The same, for runs that put tests into a folder of the package.
    pub(crate) fn with_tests(self) -> Fixture {
        fs::create_dir_all(self.home.join("tests")).expect("the folder can be made");
        Fixture { tests: Some(self.home.join("tests/testsmith")), ..self }
    }

    /// The same, for runs that put tests into this folder.
    pub(crate) fn with_tests_in(self, folder: &str) -> Fixture {
        Fixture { tests: Some(self.home.join(folder)), ..self }
    }

    /// The same, with commands run in a folder further down, and the target folder where it was.
    pub(crate) fn within(self, folder: &str) -> Fixture {
        Fixture { home: if folder.is_empty() { self.home } else { self.home.join(folder) }, ..self }
    }

    /// The same, for runs that put tests into the crate.
    pub(crate) fn with_inner_tests(self) -> Fixture {
        let sources = Some(self.home.join("src"));
        Fixture { sources, ..self.with_tests() }
    }

    /// The same, with another folder that the tool may write to.
    pub(crate) fn with_target(self, folder: &str) -> Fixture {
        Fixture { target: self.home.join(folder), ..self }
    }

    /// A path below the folder where commands are run.
    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.home.join(relative)
    }

    /// A path beside the crate, for what is not part of it.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.scratch.path().join(name)
    }

    #[track_caller]
    pub(crate) fn read(&self, relative: &str) -> String {
        fs::read_to_string(self.path(relative)).expect("the file is there")
    }

    pub(crate) fn write(&self, relative: &str, text: impl AsRef<[u8]>) {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().expect("it is below the fixture")).expect("the folder can be made");
        fs::write(path, text).expect("the file can be written");
    }

    /// Changes a file; what is replaced has to be there.
    #[track_caller]
    pub(crate) fn replace(&self, relative: &str, from: &str, to: &str) {
        let text = self.read(relative);
        assert!(text.contains(from), "{relative} has no `{from}`:\n{text}");
        self.write(relative, text.replace(from, to));
    }

    /// Everything but what the tool may write: one folder, and those where it writes tests.
    pub(crate) fn tree(&self) -> Tree {
        let root = self.scratch.path().canonicalize().expect("it is there until the end");
        let except: Vec<&Path> = [Some(&self.target), self.tests.as_ref(), self.sources.as_ref()]
            .into_iter()
            .flatten()
            .map(PathBuf::as_path)
            .collect();
        Tree::read(&root.join("tree"), &except)
    }

    /// Where the tool writes its report.
    pub(crate) fn report(&self) -> PathBuf {
        self.target.join("testsmith/score.json")
    }
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("the folder can be made");
    let entries = fs::read_dir(from).unwrap_or_else(|error| panic!("{}: {error}", from.display()));
    for entry in entries.flatten() {
        let (name, path) = (entry.file_name(), entry.path());
        // Somebody may have tried the fixture where it is.
        if name == "target" || name == "Cargo.lock" {
            continue;
        }
        if path.is_dir() {
            copy_folder(&path, &to.join(name));
        } else {
            fs::copy(&path, to.join(name)).expect("the file can be copied");
        }
    }
}
