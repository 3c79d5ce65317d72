//! Modules of the crate that tests can stand in ([`TestModules`]): each has a file of its own, beside whose modules the file with
//! the tests lies, and which has to declare it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use testsmith_ir::{CallableId, Visibility};
use testsmith_model::api::{Model, OriginKind};
use testsmith_model::{Package, SourceFile, SourceTree, Target};
use testsmith_suite::text::{self, Existing};

use super::files::NAME;
use super::place::{self, Change};
use crate::copy::{Copies, write_if_changed};
use crate::failure::{Failure, IoContext};
use crate::subject::id;

/// A module of the crate that tests can stand in.
pub(crate) struct TestModule {
    /// The file of the module.
    source: PathBuf,
    /// That of its tests.
    pub(crate) file: PathBuf,
    /// The same for the compiler, if it would look elsewhere.
    path: Option<String>,
    /// The tests that are there.
    pub(crate) existing: Option<Existing>,
}

/// All modules that tests can stand in.
#[derive(Default)]
pub(crate) struct TestModules {
    /// By the names that lead to the module.
    pub(crate) all: BTreeMap<Vec<String>, TestModule>,
    /// What a new file begins with.
    pub(crate) start: String,
    /// Whether the crate has unsafe code.
    has_unsafe: bool,
    /// Cargo's options for other programs that have some of these modules as well: they have the tests, too.
    pub(crate) sharing: Vec<String>,
}

/// Which module a file is.
pub(crate) struct ModulesByFile {
    all: Vec<(PathBuf, Vec<String>)>,
}

impl ModulesByFile {
    /// Where tests of what stands in a file, which needs `home`, are expected: in the module of that file, if it sees as much.
    pub(crate) fn nearest(&self, file: &str, home: Visibility) -> Visibility {
        let module = self.all.iter().find(|(source, _)| source.ends_with(file));
        let nearer = module.map(|(_, module)| Visibility::Inside(module.clone()));
        match nearer {
            Some(nearer) if home != Visibility::Anywhere && nearer.sees(&home) => nearer,
            _ => home,
        }
    }
}

/// What `--private` writes into the crate: by module the text of the tests.
pub(crate) type TestModuleTexts = BTreeMap<Vec<String>, String>;

impl TestModules {
    /// The test modules of a library or a program with these sources, beside other programs. A file that someone else has written stops everything, unless it may be
    /// written over.
    pub(crate) fn find(
        package: &Package,
        sources: &SourceTree,
        programs: &[(Target, SourceTree)],
        force: bool,
    ) -> Result<TestModules, Failure> {
        let subject = package.subject();
        if subject.is_some_and(|subject| !subject.test || !subject.harness) {
            let (what, way_out) = match package.is_program() {
                true => ("program", "take that out"),
                false => ("library", "leave out --private, or take that out"),
            };
            return Err(Failure::usage(format!(
                "cargo runs no tests inside of the {what} of {}\n  \
                 its manifest says `test = false` or `harness = false`; {way_out}",
                package.name
            )));
        }
        let mut all = BTreeMap::new();
        let mut taken = BTreeSet::new();
        let is_of =
            |other: &SourceTree, source: &SourceFile| other.files.iter().any(|file| file.path == source.path);
        let is_shared = |source: &SourceFile| programs.iter().any(|(_, other)| is_of(other, source));
        // What a program has as a module of its own would have the tests there, too. Where that is not the library's, other
        // items are missing; programs share whole modules.
        for source in sources.files.iter().filter(|source| package.is_program() || !is_shared(source)) {
            let path = Some(source).filter(|_| package.is_program()).and_then(path_from_root);
            let file = match &path {
                Some(path) => source.module.dir.join(path),
                None => source.module.dir.join(format!("{NAME}.rs")),
            };
            // With `#[path]` two modules may look for theirs in one folder.
            if !taken.insert(file.clone()) {
                continue;
            }
            let existing = if file.exists() { place::existing(&file, force)? } else { None };
            all.insert(
                source.module.path.clone(),
                TestModule { source: source.path.clone(), file, path, existing },
            );
        }
        if let Some(root) = all.get(&Vec::new()) {
            place::is_writable(root.file.parent().unwrap_or(&package.dir), "leave out --private")?;
        }
        let lacks_std = sources.files.first().is_some_and(lacks_std);
        // Before 2018 only the root could bring it.
        if lacks_std && package.edition < 2018 {
            all.clear();
        }
        let has_unsafe = sources.files.iter().any(|file| has_unsafe(&file.text));
        let shares = |other: &SourceTree| sources.files.iter().any(|source| is_of(other, source));
        let sharing = programs.iter().filter(|(_, other)| package.is_program() && shares(other));
        let sharing = sharing.map(|(program, _)| program.option()).collect();
        Ok(TestModules { all, start: text::inner_file(lacks_std), has_unsafe, sharing })
    }

    /// From the files of the modules to their names.
    pub(crate) fn by_file(&self) -> ModulesByFile {
        let all = self.all.iter();
        ModulesByFile { all: all.map(|(module, it)| (it.source.clone(), module.clone())).collect() }
    }

    /// Goes on with other files of tests where there are some.
    pub(crate) fn replace(&mut self, other: impl Fn(&Path) -> Option<Existing>) {
        for test_module in self.all.values_mut() {
            if let Some(other) = other(&test_module.file) {
                test_module.existing = Some(other);
            }
        }
    }

    /// Callables that no test can use, because what they need is private to a module without a file of its own, or should
    /// use.
    pub(crate) fn unfit(&self, model: &Model) -> BTreeMap<CallableId, String> {
        let api = &model.api;
        let reason = |id: CallableId| match api.visibility_of(id) {
            Visibility::Inside(module) if !self.all.contains_key(module) => Some(format!(
                "it can be used in `{}` alone, which has no file that tests could be added to",
                module.join("::")
            )),
            _ => None,
        };
        let mut unfit: BTreeMap<CallableId, String> =
            api.callables().filter_map(|(id, _)| Some((id, reason(id)?))).collect();
        if self.has_unsafe {
            let why = "unsafe code may rely on what private fields hold";
            unfit.extend(assembling(model).map(|id| (id, why.to_owned())));
        }
        unfit
    }

    /// Puts tests into the modules of a copy, and takes out those of an earlier try.
    pub(crate) fn furnish(
        &self,
        copies: &Copies,
        copy: &Path,
        test_module_texts: &TestModuleTexts,
    ) -> Result<(), Failure> {
        for (module, test_module) in &self.all {
            let (source, file) =
                (copies.place(&test_module.source, copy), copies.place(&test_module.file, copy));
            let before = std::fs::read_to_string(&source).doing("read", &source)?;
            if let Some(text) = test_module_texts.get(module) {
                write_if_changed(&file, text)?;
                let declared = text::declared(&before, test_module.path.as_deref());
                write_if_changed(&source, &declared.unwrap_or(before))?;
                continue;
            }
            match &test_module.existing {
                Some(existing) => write_if_changed(&file, existing.text())?,
                None => {
                    let text = text::undeclared(&before, test_module.path.as_deref());
                    write_if_changed(&source, &text)?;
                }
            }
        }
        Ok(())
    }

    /// The files of the tests in the user's modules, and those of the modules that have to declare them.
    pub(crate) fn changes(
        &self,
        test_module_texts: &TestModuleTexts,
    ) -> Result<(Vec<Change>, Vec<Change>), Failure> {
        let (mut written, mut declared) = (Vec::new(), Vec::new());
        for (module, text) in test_module_texts {
            let TestModule { source, file, path, .. } = &self.all[module];
            written.push(Change::new(file.clone(), Some(text.clone())));
            let before = std::fs::read_to_string(source).doing("read", source)?;
            let after = text::declared(&before, path.as_deref());
            declared.extend(after.map(|after| Change::new(source.clone(), Some(after))));
        }
        written.retain(|change| change.before != change.after);
        Ok((written, declared))
    }
}

/// Where the tests of a program's root are from there on, if it has not the folder for itself: cargo makes a program of each file in
/// src/bin, and two programs may lie in one folder.
fn path_from_root(source: &SourceFile) -> Option<String> {
    folder_of_root(&source.path)
        .filter(|_| source.module.path.is_empty())
        .map(|stem| format!("{stem}/{NAME}.rs"))
}

/// The name of the folder that a program's root has for its tests, unless it is the one that it is in.
pub(crate) fn folder_of_root(root: &Path) -> Option<&str> {
    let stem = root.file_stem()?.to_str()?;
    (stem != "main").then_some(stem)
}

/// Callables that put values together of private parts, or change these.
fn assembling(model: &Model) -> impl Iterator<Item = CallableId> {
    let kinds = [OriginKind::Constructor, OriginKind::FieldWrite];
    let assembling = model.origins.iter().filter(move |origin| kinds.contains(&origin.kind));
    let callables = assembling.flat_map(|origin| &origin.callables).map(|at| id(*at));
    callables.filter(|id| {
        *model.api.visibility_of(*id) != Visibility::Anywhere && !model.api[*id].params.is_empty()
    })
}

/// Whether a source has unsafe code, as far as its words tell; one in a text counts, which does no harm.
fn has_unsafe(source: &str) -> bool {
    let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_')).any(|word| word == "unsafe")
}

/// Whether a crate may be without the standard library, which its tests need.
fn lacks_std(root: &SourceFile) -> bool {
    root.text.lines().any(|line| line.trim_start().starts_with("#![") && line.contains("no_std"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsafe_code_is_known_by_its_word() {
        let table = [
            ("fn f() { unsafe { g() } }", true),
            ("    unsafe impl Send for S {}", true),
            ("// unsafe", false),
            ("/// This is `unsafe`.\nfn f() {}", false),
            ("#![forbid(unsafe_code)]\nfn unsafely() {}", false),
        ];
        for (source, expected) in table {
            assert_eq!(has_unsafe(source), expected, "{source}");
        }
    }
}
