//! The files of the tests: one module for each unit, and a `main.rs` that names them; and those inside of the crate. What is
//! there already stays.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use testsmith_ir::Visibility;
use testsmith_suite::case::Case;
use testsmith_suite::text::{self, Existing, TestText};

use super::place::Present;
use super::test_modules::{TestModule, TestModuleTexts, TestModules};
use crate::build::Span;

/// Name of the test target, and of its folder.
pub(crate) const NAME: &str = "testsmith";

/// The module of findings.
const FINDINGS: &str = "findings";

/// A test as text.
pub(crate) struct Written {
    /// The type or module that it is about.
    pub(crate) unit: String,
    /// Where it has to stand.
    pub(crate) home: Visibility,
    pub(crate) case: Case,
    pub(crate) text: TestText,
}

/// How the crate wants its tests written.
pub(crate) struct Naming {
    /// The name of the library.
    library: String,
    edition: u16,
    /// By unit, the name of its module.
    modules: BTreeMap<String, String>,
}

impl Naming {
    /// For a library of these units. What has tests in this run makes no difference: later runs find the same files.
    pub(crate) fn new(library: &str, edition: u16, units: BTreeSet<&str>) -> Naming {
        let units: Vec<String> = units.into_iter().map(str::to_owned).collect();
        let names = text::module_names(&units, &[FINDINGS], library, edition);
        Naming { library: library.to_owned(), edition, modules: units.into_iter().zip(names).collect() }
    }
}

/// All tests, as long as they are not verified.
pub(crate) struct Draft {
    naming: Naming,
    tests: BTreeMap<usize, Written>,
    /// Ignored tests that show findings, by the number of the finding.
    findings: BTreeMap<usize, TestText>,
    /// By module, what is there already.
    existing: BTreeMap<String, Existing>,
    main: Option<String>,
    /// Where tests inside of the crate stand.
    test_modules: TestModules,
    layout: Layout,
}

/// The tests as files.
#[derive(Default)]
struct Layout {
    /// Name and text.
    files: Vec<(String, String)>,
    /// What new tests are in inside of the crate.
    test_module_texts: TestModuleTexts,
    /// For each new test the path of its module and its own name.
    names: BTreeMap<usize, (String, String)>,
    /// For each new finding its name.
    findings: BTreeMap<usize, String>,
    /// Names of files in which nothing is left.
    emptied: Vec<String>,
}

/// Something in the files that may have to be taken out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Entry {
    Test(usize),
    Finding(usize),
}

impl Draft {
    pub(crate) fn new(
        naming: Naming,
        tests: Vec<Written>,
        findings: BTreeMap<usize, TestText>,
        present: Present,
        test_modules: TestModules,
    ) -> Draft {
        let tests = tests.into_iter().enumerate().collect();
        let Present { modules: existing, main } = present;
        let layout = Layout::default();
        let mut draft = Draft { naming, tests, findings, existing, main, test_modules, layout };
        draft.lay_out();
        draft
    }

    /// Lays the tests out beside other files than those that they were verified with: what the user gets. Their names stay, because
    /// they avoid those of both.
    pub(crate) fn deliver(&mut self, delivered: impl Fn(&Path) -> Option<Existing>, dir: &Path) {
        for (module, existing) in &mut self.existing {
            if let Some(file) = delivered(&dir.join(format!("{module}.rs"))) {
                *existing = file;
            }
        }
        self.test_modules.replace(delivered);
        self.lay_out();
    }

    /// Whether nothing is new.
    pub(crate) fn is_empty(&self) -> bool {
        self.tests.is_empty() && self.findings.is_empty()
    }

    /// New tests, by a number that they keep.
    pub(crate) fn tests(&self) -> impl Iterator<Item = (usize, &Written)> {
        self.tests.iter().map(|(index, written)| (*index, written))
    }

    /// Name and text of all files of the test target; none, if it is not there and nothing is new in it.
    pub(crate) fn files(&self) -> &[(String, String)] {
        &self.layout.files
    }

    /// Names of files in which nothing is left, and that go away.
    pub(crate) fn emptied(&self) -> &[String] {
        &self.layout.emptied
    }

    /// What is new or changed inside of the crate.
    pub(crate) fn test_module_texts(&self) -> &TestModuleTexts {
        &self.layout.test_module_texts
    }

    /// Where tests inside of the crate stand.
    pub(crate) fn test_modules(&self) -> &TestModules {
        &self.test_modules
    }

    /// What new tests of a file are added to.
    pub(crate) fn before(&self, file: &str) -> Option<&Existing> {
        self.existing.get(file.trim_end_matches(".rs"))
    }

    /// What new tests of a module of the crate are added to.
    pub(crate) fn before_inside(&self, module: &[String]) -> Option<&Existing> {
        self.test_modules.all.get(module)?.existing.as_ref()
    }

    /// Names of all that is new in a file.
    pub(crate) fn new_in(&self, file: &str) -> BTreeSet<String> {
        self.new_in_module(file.trim_end_matches(".rs"))
    }

    /// The same for the tests of a module of the crate.
    pub(crate) fn new_inside(&self, module: &[String]) -> BTreeSet<String> {
        self.new_in_module(&inner_path(module))
    }

    fn new_in_module(&self, wanted: &str) -> BTreeSet<String> {
        let tests = self.layout.names.values().filter(|(module, _)| module == wanted).map(|(_, name)| name);
        let findings = self.layout.findings.values().filter(|_| wanted == FINDINGS);
        tests.chain(findings).cloned().collect()
    }

    /// Whether new tests are compiled together with others: older ones, or those that the crate has inside.
    pub(crate) fn is_addition(&self) -> bool {
        !self.existing.is_empty() || !self.layout.test_module_texts.is_empty()
    }

    /// A new test as libtest names it.
    pub(crate) fn path(&self, index: usize) -> Option<String> {
        self.layout.names.get(&index).map(|(module, name)| format!("{module}::{name}"))
    }

    /// The new test of a finding as libtest names it.
    pub(crate) fn path_of_finding(&self, number: usize) -> Option<String> {
        self.layout.findings.get(&number).map(|name| format!("{FINDINGS}::{name}"))
    }

    /// Writes tests in another way where `spell` knows one, and removes everything else that is named; what was removed.
    pub(crate) fn respell_or_remove(
        &mut self,
        guilty: &BTreeSet<Entry>,
        spell: impl Fn(&Written) -> Option<TestText>,
    ) -> BTreeSet<Entry> {
        let mut hopeless = guilty.clone();
        for (index, written) in &mut self.tests {
            let entry = Entry::Test(*index);
            if guilty.contains(&entry)
                && let Some(text) = spell(written)
            {
                written.text = text;
                hopeless.remove(&entry);
            }
        }
        self.remove(&hopeless);
        hopeless
    }

    pub(crate) fn remove(&mut self, guilty: &BTreeSet<Entry>) {
        self.tests.retain(|index, _| !guilty.contains(&Entry::Test(*index)));
        self.findings.retain(|number, _| !guilty.contains(&Entry::Finding(*number)));
        self.lay_out();
    }

    /// Tests kill mutants that they do not name yet.
    pub(crate) fn add_kills(&mut self, kills: &[(usize, u32)]) {
        for (index, mutant) in kills {
            if let Some(written) = self.tests.get_mut(index) {
                written.case.kills.push(*mutant);
            }
        }
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

    /// What stands at places that the compiler complains about.
    pub(crate) fn blamed(&self, places: &[&Span]) -> BTreeSet<Entry> {
        places.iter().flat_map(|span| self.blamed_at(span)).collect()
    }

    /// The path of the module that a file holds, and its text.
    fn module_at(&self, path: &Path) -> Option<(String, &str)> {
        let is_outer = |name: &str| path.ends_with(Path::new("tests").join(NAME).join(name));
        if let Some((name, text)) = self.layout.files.iter().find(|(name, _)| is_outer(name)) {
            return Some((name.trim_end_matches(".rs").to_owned(), text));
        }
        // The compiler names it from the workspace on.
        let is_inner =
            |test_module: &TestModule| test_module.file.ends_with(path) || path.ends_with(&test_module.file);
        let (module, text) = self
            .layout
            .test_module_texts
            .iter()
            .find(|(module, _)| is_inner(&self.test_modules.all[*module]))?;
        Some((inner_path(module), text))
    }

    fn blamed_at(&self, span: &Span) -> Vec<Entry> {
        let Some((module, text)) = self.module_at(Path::new(&span.file_name)) else { return Vec::new() };
        let lines: Vec<&str> = text.lines().take(span.line_start).collect();
        let words = text.get(span.byte_start..span.byte_end).unwrap_or_default();
        let function = lines.iter().rev().find_map(|line| line.strip_prefix("fn ")?.split('(').next());
        let is_meant = |(_, own, name, test): &(Entry, &str, &str, &TestText)| {
            // Before the first function there are imports: all tests that need one are to blame.
            let needs = |words: &str| test.imports.iter().any(|path| is_named(words, path));
            *own == module.as_str() && function.map_or_else(|| needs(words), |function| *name == function)
        };
        self.entries().filter(is_meant).map(|(entry, ..)| entry).collect()
    }

    /// All that is new: its module, its name, its text.
    fn entries(&self) -> impl Iterator<Item = (Entry, &str, &str, &TestText)> {
        let tests = self.tests.iter().filter_map(|(index, written)| {
            let (module, name) = self.layout.names.get(index)?;
            Some((Entry::Test(*index), module.as_str(), name.as_str(), &written.text))
        });
        let findings = self.findings.iter().filter_map(|(number, text)| {
            let name = self.layout.findings.get(number)?;
            Some((Entry::Finding(*number), FINDINGS, name.as_str(), text))
        });
        tests.chain(findings)
    }

    /// Writes all files anew. A test that is there already, in whichever file, is not written once more.
    fn lay_out(&mut self) {
        let Naming { library, edition, modules } = &self.naming;
        let is_new = |text: &TestText| {
            let body = text.body();
            let inside =
                self.test_modules.all.values().filter_map(|test_module| test_module.existing.as_ref());
            !self.existing.values().chain(inside).any(|file| file.has_body(&body))
        };
        self.tests.retain(|_, written| is_new(&written.text));
        self.findings.retain(|_, text| is_new(text));
        let mut layout = Layout::default();
        let mut used: Vec<String> = Vec::new();
        for (unit, module) in modules {
            let (indices, tests): (Vec<usize>, Vec<TestText>) = self
                .tests
                .iter()
                .filter(|(_, written)| written.unit == *unit && written.home == Visibility::Anywhere)
                .map(|(index, written)| (*index, written.text.clone()))
                .unzip();
            if tests.is_empty() {
                continue;
            }
            let names = layout.add(module, self.existing.get(module), &tests, *edition);
            let named = indices.into_iter().zip(names);
            layout.names.extend(named.filter_map(|(index, name)| Some((index, (module.clone(), name?)))));
            used.push(module.clone());
        }
        if !self.findings.is_empty() {
            let texts: Vec<TestText> = self.findings.values().cloned().collect();
            let names = layout.add(FINDINGS, self.existing.get(FINDINGS), &texts, *edition);
            let named = self.findings.keys().zip(names);
            layout.findings.extend(named.filter_map(|(number, name)| Some((*number, name?))));
            used.push(FINDINGS.to_owned());
        }
        let old = self.existing.iter().filter(|(module, _)| !used.contains(module));
        let (empty, old): (Vec<_>, Vec<_>) = old.partition(|(_, file)| file.is_bare() && !file.is_as_read());
        let mut main = self.main.clone();
        for (module, _) in empty {
            layout.emptied.push(format!("{module}.rs"));
            main = main.map(|text| text.replace(&format!("mod {module};\n"), ""));
        }
        layout
            .files
            .extend(old.into_iter().map(|(module, file)| (format!("{module}.rs"), file.text().to_owned())));
        if !used.is_empty() || self.main.is_some() {
            let texts: Vec<&str> = layout.files.iter().map(|(_, text)| text.as_str()).collect();
            let main = text::main_file(main.as_deref(), &used, texts, library, *edition);
            layout.files.push(("main.rs".to_owned(), main));
        }
        self.lay_out_inside(&mut layout);
        self.tests.retain(|index, _| layout.names.contains_key(index));
        self.findings.retain(|number, _| layout.findings.contains_key(number));
        self.layout = layout;
    }

    /// The same for the tests inside of the crate.
    fn lay_out_inside(&self, layout: &mut Layout) {
        for (module, test_module) in &self.test_modules.all {
            let is_here = |home: &Visibility| matches!(home, Visibility::Inside(path) if path == module);
            let here = self.tests.iter().filter(|(_, written)| is_here(&written.home));
            let (indices, tests): (Vec<usize>, Vec<TestText>) =
                here.map(|(index, written)| (*index, written.text.clone())).unzip();
            if tests.is_empty() {
                if let Some(existing) = test_module.existing.as_ref().filter(|it| !it.is_as_read()) {
                    layout.test_module_texts.insert(module.clone(), existing.text().to_owned());
                }
                continue;
            }
            let start =
                || Existing::read(&self.test_modules.start).expect("what a new file begins with is Rust");
            let existing = test_module.existing.clone().unwrap_or_else(start);
            let written = text::module(Some(&existing), &tests, self.naming.edition);
            let named = indices.into_iter().zip(written.names);
            let path = inner_path(module);
            layout.names.extend(named.filter_map(|(index, name)| Some((index, (path.clone(), name?)))));
            layout.test_module_texts.insert(module.clone(), written.text);
        }
    }
}

/// The path of the tests of a module of the crate.
fn inner_path(module: &[String]) -> String {
    let parts: Vec<&str> = module.iter().map(String::as_str).chain([NAME]).collect();
    parts.join("::")
}

impl Layout {
    /// Adds the file of a module with new tests; the name of each, if it does not do what another one does.
    fn add(
        &mut self,
        module: &str,
        existing: Option<&Existing>,
        tests: &[TestText],
        edition: u16,
    ) -> Vec<Option<String>> {
        let written = text::module(existing, tests, edition);
        self.files.push((format!("{module}.rs"), written.text));
        written.names
    }
}

/// Whether a part of an import names the item of a path, perhaps in a list.
fn is_named(words: &str, path: &str) -> bool {
    let last = path.rsplit("::").next().unwrap_or(path);
    // `Duration as TimeDuration`
    let last = last.split(' ').next().unwrap_or(last);
    words.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == last)
}
