//! The files of the tests: one module for each unit, and a `main.rs` that names them. What is there already stays.

use std::collections::{BTreeMap, BTreeSet};

use testsmith_suite::case::Case;
use testsmith_suite::text::{self, Existing, TestText};

use super::place::Present;

/// Name of the test target, and of its folder.
pub(crate) const NAME: &str = "testsmith";

/// A test as text.
pub(crate) struct Written {
    /// The type or module that it is about.
    pub(crate) unit: String,
    pub(crate) case: Case,
    pub(crate) text: TestText,
}

/// How the crate wants its tests written.
pub(crate) struct Manner {
    /// The name of the library.
    pub(crate) library: String,
    pub(crate) edition: u16,
}

/// All tests, as long as they are not verified.
pub(crate) struct Draft {
    manner: Manner,
    tests: BTreeMap<usize, Written>,
    /// By module, what is there already.
    existing: BTreeMap<String, Existing>,
    main: Option<String>,
    layout: Layout,
}

/// The tests as files.
#[derive(Default)]
struct Layout {
    /// Name and text.
    files: Vec<(String, String)>,
    /// For each new test the name of its module and its own.
    names: BTreeMap<usize, (String, String)>,
}

impl Draft {
    pub(crate) fn new(manner: Manner, tests: Vec<Written>, present: Present) -> Draft {
        let tests = tests.into_iter().enumerate().collect();
        let Present { modules: existing, main } = present;
        let mut draft = Draft { manner, tests, existing, main, layout: Layout::default() };
        draft.lay_out();
        draft
    }

    /// New tests, by a number that they keep.
    pub(crate) fn tests(&self) -> impl Iterator<Item = (usize, &Written)> {
        self.tests.iter().map(|(index, written)| (*index, written))
    }

    /// Name and text of all files.
    pub(crate) fn files(&self) -> &[(String, String)] {
        &self.layout.files
    }

    /// The text of a file as it was found.
    pub(crate) fn before(&self, file: &str) -> Option<&str> {
        self.existing.get(file.trim_end_matches(".rs")).map(Existing::text)
    }

    /// Whether there were tests before.
    pub(crate) fn is_addition(&self) -> bool {
        !self.existing.is_empty()
    }

    /// A new test as libtest names it.
    pub(crate) fn path(&self, index: usize) -> Option<String> {
        self.layout.names.get(&index).map(|(module, name)| format!("{module}::{name}"))
    }

    pub(crate) fn remove(&mut self, guilty: &BTreeSet<usize>) {
        self.tests.retain(|index, _| !guilty.contains(index));
        self.lay_out();
    }

    /// Leaves only kills that were confirmed, and tests that have some; the others.
    pub(crate) fn keep_kills(
        &mut self,
        confirmed: &BTreeSet<(usize, u32)>,
        describe: impl Fn(&Case) -> Vec<String>,
    ) -> BTreeSet<usize> {
        let before: BTreeSet<usize> = self.tests.keys().copied().collect();
        self.tests.retain(|index, written| {
            written.case.kills.retain(|mutant| confirmed.contains(&(*index, *mutant)));
            !written.case.kills.is_empty()
        });
        self.tests.values_mut().for_each(|written| written.text.set_kills(&describe(&written.case)));
        self.lay_out();
        before.into_iter().filter(|index| !self.tests.contains_key(index)).collect()
    }

    /// Tests at places that the compiler complains about: name of the file and line.
    pub(crate) fn blamed(&self, places: &[(String, usize)]) -> BTreeSet<usize> {
        places.iter().flat_map(|(file, line)| self.blamed_at(file, *line)).collect()
    }

    fn blamed_at(&self, file: &str, line: usize) -> Vec<usize> {
        let Some((_, text)) = self.layout.files.iter().find(|(name, _)| name == file) else {
            return Vec::new();
        };
        let lines: Vec<&str> = text.lines().take(line).collect();
        let function = lines.iter().rev().find_map(|line| line.strip_prefix("fn ")?.split('(').next());
        let module = file.trim_end_matches(".rs");
        let is_meant = |(index, written): &(usize, &Written)| {
            let Some((own, name)) = self.layout.names.get(index) else { return false };
            let needs = |line: &&str| written.text.imports.iter().any(|path| is_named(line, path));
            // Before the first function there are imports: all tests that need one are to blame.
            own == module
                && function.map_or_else(|| lines.last().is_some_and(needs), |function| name == function)
        };
        self.tests().filter(is_meant).map(|(index, _)| index).collect()
    }

    /// Writes all files anew. A test that is there already is not written once more.
    fn lay_out(&mut self) {
        let Manner { library, edition } = &self.manner;
        let units: BTreeSet<&String> = self.tests.values().map(|written| &written.unit).collect();
        let units: Vec<String> = units.into_iter().cloned().collect();
        let modules = text::module_names(&units, library, *edition);
        let mut layout = Layout::default();
        for (unit, module) in units.iter().zip(&modules) {
            let (indices, tests): (Vec<usize>, Vec<TestText>) = self
                .tests
                .iter()
                .filter(|(_, written)| written.unit == *unit)
                .map(|(index, written)| (*index, written.text.clone()))
                .unzip();
            let written = text::module(self.existing.get(module), &tests, *edition);
            layout.files.push((format!("{module}.rs"), written.text));
            let named = indices.into_iter().zip(written.names);
            layout.names.extend(named.filter_map(|(index, name)| Some((index, (module.clone(), name?)))));
        }
        let old = self.existing.iter().filter(|(module, _)| !modules.contains(module));
        layout.files.extend(old.map(|(module, file)| (format!("{module}.rs"), file.text().to_owned())));
        let main = text::main_file(self.main.as_deref(), &modules, library, *edition);
        layout.files.push(("main.rs".to_owned(), main));
        self.tests.retain(|index, _| layout.names.contains_key(index));
        self.layout = layout;
    }
}

/// Whether an import names a path, perhaps in a list.
fn is_named(line: &str, path: &str) -> bool {
    let last = path.rsplit("::").next().unwrap_or(path);
    line.contains(last)
}
