//! Where the tests go: what is there already, whether it may be added to, and how files get there.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use testsmith_model::{Package, Target, TargetKind};
use testsmith_proc::{Capture, Limits, Spec};
use testsmith_suite::text::{Existing, Unreadable, is_ours};

use super::diff;
use super::files::{Draft, NAME};
use super::test_modules::TestModuleTexts;
use crate::build::Builder;
use crate::cli::PlaceArgs;
use crate::failure::{Code, Failure, IoContext, write_atomically};
use crate::score::shorten;

/// The folder of the tests.
pub(crate) struct Destination {
    pub(crate) dir: PathBuf,
    /// The name of the test target.
    target: String,
    /// Whether cargo finds the tests there by itself.
    pub(crate) is_found: bool,
}

impl Present {
    /// Goes on with other files where there are some.
    pub(crate) fn replace(&mut self, dir: &Path, other: impl Fn(&Path) -> Option<Existing>) {
        for (module, existing) in &mut self.modules {
            if let Some(other) = other(&dir.join(format!("{module}.rs"))) {
                *existing = other;
            }
        }
    }
}

/// What is there already.
#[derive(Default)]
pub(crate) struct Present {
    /// By the name of the module.
    pub(crate) modules: BTreeMap<String, Existing>,
    pub(crate) main: Option<String>,
    /// The name of the test target.
    pub(crate) target: String,
}

impl Destination {
    pub(crate) fn new(package: &Package, args: &PlaceArgs) -> Result<Destination, Failure> {
        let tests = package.dir.join("tests");
        let dir = match &args.out {
            Some(dir) => std::path::absolute(dir).doing("find", dir)?,
            None => tests.join(NAME),
        };
        // Of a folder directly in `tests` cargo makes a target of its name.
        let own = dir.strip_prefix(&tests).ok().filter(|path| path.components().count() == 1);
        let target = own.and_then(Path::to_str).unwrap_or(NAME).to_owned();
        refuse_taken(package, &dir, &target)?;
        let is_found = own.is_some() && finds_tests(package)? || is_declared(package, &dir);
        Ok(Destination { is_found, dir, target })
    }

    /// Reads what is there. A file that someone else has written stops everything, unless it may be written over.
    pub(crate) fn present(&self, force: bool) -> Result<Present, Failure> {
        is_writable(&self.dir, "choose another folder with --out")?;
        let mut present = Present { target: self.target.clone(), ..Present::default() };
        for path in rust_files(&self.dir)? {
            let text = std::fs::read_to_string(&path).doing("read", &path)?;
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            if name == "main" {
                match is_ours(&text) {
                    true => present.main = Some(text),
                    false if force => {}
                    false => return Err(foreign(&path)),
                }
                continue;
            }
            if let Some(existing) = existing(&path, force)? {
                present.modules.insert(name, existing);
            }
        }
        Ok(present)
    }

    /// The files that are new or changed, or go away.
    pub(crate) fn changes(&self, files: &[(String, String)], emptied: &[String]) -> Vec<Change> {
        let written = files.iter().map(|(name, text)| Change::new(self.dir.join(name), Some(text.clone())));
        let removed = emptied.iter().map(|name| Change::new(self.dir.join(name), None));
        written.chain(removed).filter(|change| change.before != change.after).collect()
    }

    /// What cargo has to be told, if it does not find the tests by itself.
    pub(crate) fn advice(&self, package: &Package) -> Option<String> {
        let main = self.dir.join("main.rs");
        let path = main.strip_prefix(&package.dir).unwrap_or(&main);
        let lines = format!("[[test]]\nname = \"{}\"\npath = \"{}\"", self.target, path.display());
        (!self.is_found).then_some(lines)
    }
}

/// A file that is to be written or removed.
pub(crate) struct Change {
    pub(crate) path: PathBuf,
    pub(crate) before: Option<String>,
    pub(crate) after: Option<String>,
}

impl Change {
    pub(crate) fn new(path: PathBuf, after: Option<String>) -> Change {
        Change { before: std::fs::read_to_string(&path).ok(), path, after }
    }

    /// Each file is written at once or not at all.
    pub(crate) fn make(&self) -> Result<(), Failure> {
        match &self.after {
            // What a link leads to is written, and the link stays.
            Some(text) => {
                let real = self.path.canonicalize();
                write_atomically(real.as_deref().unwrap_or(&self.path), text)
            }
            None => std::fs::remove_file(&self.path).doing("remove", &self.path),
        }
    }

    /// As a diff.
    pub(crate) fn diff(&self) -> String {
        let name = shorten(&self.path).display().to_string();
        diff::unified(&name, self.before.as_deref(), self.after.as_deref())
    }
}

/// Whether files can be made in a folder: better known now than after a minute of work.
pub(super) fn is_writable(dir: &Path, advice: &str) -> Result<(), Failure> {
    let there = dir.ancestors().find(|dir| dir.exists()).unwrap_or(dir);
    let probe = tempfile::NamedTempFile::new_in(there);
    probe.map(drop).map_err(|error| {
        Failure::new(
            Code::Environment,
            format!(
                "cannot write to {}: {error}\n  the tests would go there; {advice}",
                shorten(there).display()
            ),
        )
    })
}

/// The tests of a file that is there; `None` if it is somebody else's and may be written over.
pub(super) fn existing(path: &Path, force: bool) -> Result<Option<Existing>, Failure> {
    let text = std::fs::read_to_string(path).doing("read", path)?;
    match Existing::read(&text) {
        Ok(existing) => Ok(Some(existing)),
        Err(Unreadable::Foreign) if force => Ok(None),
        Err(Unreadable::Foreign) => Err(foreign(path)),
        Err(Unreadable::Syntax { line, message }) => Err(Failure::new(
            Code::Baseline,
            format!(
                "{}:{line} is no Rust: {message}\n  mend it, or remove the file; then run this again",
                shorten(path).display()
            ),
        )),
    }
}

/// All that is new, as it is written: the files of the test target, and those inside of the crate.
pub(crate) struct Fair {
    pub(crate) outer: Vec<(String, String)>,
    pub(crate) inner: TestModuleTexts,
}

impl Fair {
    /// The text of every file.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        self.outer.iter().map(|(_, text)| text.as_str()).chain(self.inner.values().map(String::as_str))
    }
}

/// The files as rustfmt would have them, where that changes nothing that was there before. Without rustfmt as they are.
pub(crate) fn formatted(builder: &Builder, package: &Package, draft: &Draft) -> Fair {
    // In the copy, so that the crate's own settings hold.
    let dir = builder.copies.place(&package.dir, &builder.copies.plain());
    let format = |text: &str| {
        let file = tempfile::Builder::new().prefix("testsmith-").suffix(".rs").tempfile_in(&dir).ok()?;
        std::fs::write(file.path(), text).ok()?;
        let edition = package.edition.to_string();
        let spec = Spec::new("rustfmt").args(["--quiet", "--edition", &edition]).arg(file.path()).dir(&dir);
        let ran = testsmith_proc::run(&spec, &Limits::default(), Capture::Nothing).ok()?;
        ran.ending.success().then(|| std::fs::read_to_string(file.path()).ok()).flatten()
    };
    let fair = |before: Option<&Existing>, text: &str, new: &BTreeSet<String>| {
        if let Some(before) = before.filter(|before| before.is_as_read() && before.text() == text) {
            return before.raw().to_owned();
        }
        let is_fair = |before: &Existing| format(before.text()).is_some_and(|after| after == before.text());
        let formatted = before.is_none_or(is_fair).then(|| format(text)).flatten();
        sealed(before, &formatted.unwrap_or_else(|| text.to_owned()), new)
    };
    let outer = |(name, text): &(String, String)| match name.as_str() {
        "main.rs" => (name.clone(), text.clone()),
        _ => (name.clone(), fair(draft.before(name), text, &draft.new_in(name))),
    };
    let inner = |(module, text): (&Vec<String>, &String)| {
        (module.clone(), fair(draft.before_inside(module), text, &draft.new_inside(module)))
    };
    Fair {
        outer: draft.files().iter().map(outer).collect(),
        inner: draft.test_module_texts().iter().map(inner).collect(),
    }
}

/// A file with the fingerprints of all tests that are as they were written, now or earlier.
fn sealed(before: Option<&Existing>, text: &str, new: &BTreeSet<String>) -> String {
    let older = before.map(Existing::unedited).unwrap_or_default();
    Existing::read(text)
        .map_or_else(|_| text.to_owned(), |file| file.sealed(&older.union(new).cloned().collect()))
}

fn foreign(path: &Path) -> Failure {
    Failure::new(
        Code::Usage,
        format!(
            "{} was not written by testsmith, so it is left alone\n  \
             choose another folder with --out, or write over it with --force",
            shorten(path).display()
        ),
    )
}

/// Rust files directly in a folder, by name.
fn rust_files(dir: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = match std::fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Failure::io("read", dir, &error)),
    };
    let paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<std::io::Result<Vec<_>>>();
    let mut paths = paths.doing("read", dir)?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    paths.sort();
    Ok(paths)
}

/// Stops where another test target has the name of ours: with two of them no cargo command would work any more.
fn refuse_taken(package: &Package, dir: &Path, target: &str) -> Result<(), Failure> {
    let is_other = |other: &&Target| {
        other.kind == TargetKind::Test && other.name == target && other.src.parent() != Some(dir)
    };
    let Some(other) = package.targets.iter().find(is_other) else { return Ok(()) };
    Err(Failure::usage(format!(
        "there is a test target called `{target}` already: {}\n  \
         cargo allows no second one of that name; choose another folder with --out tests/{target}_generated, or rename yours",
        shorten(&other.src).display()
    )))
}

/// Whether the manifest names our tests as a target.
fn is_declared(package: &Package, dir: &Path) -> bool {
    package.targets.iter().any(|target| target.kind == TargetKind::Test && target.src == dir.join("main.rs"))
}

/// Whether cargo looks for tests of a package by itself.
fn finds_tests(package: &Package) -> Result<bool, Failure> {
    let text = std::fs::read_to_string(&package.manifest).doing("read", &package.manifest)?;
    let manifest: toml::Table = text.parse().map_err(Failure::bug)?;
    let has_tests =
        manifest.get("test").and_then(toml::Value::as_array).is_some_and(|tests| !tests.is_empty());
    let of_edition = package.edition > 2015 || !has_tests;
    let table = manifest.get("package").or_else(|| manifest.get("project"));
    let said = table.and_then(|table| table.get("autotests")).and_then(toml::Value::as_bool);
    Ok(said.unwrap_or(of_edition))
}
