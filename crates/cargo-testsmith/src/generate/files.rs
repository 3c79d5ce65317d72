//! The files of the tests: one module for each unit, and a `main.rs` that names them; and those inside of the crate. What is
//! there already stays.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use testsmith_ir::Visibility;
use testsmith_suite::case::Case;
use testsmith_suite::text::{self, Condition, Existing, KillWords, LintLevels, TestText};

use super::fresh_folder;
use super::place::Present;
use super::test_modules::{TestModule, TestModuleTexts, TestModules};
use crate::build::Span;

/// Name of the test target and of its folder, unless the user wants another folder; and of the files inside of the crate.
pub(crate) const NAME: &str = "testsmith";

/// The root module of the test target.
const MAIN: &str = "main";

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
    /// What has to be on for it.
    pub(crate) condition: Condition,
    /// The tests that are its rows, if it is a table; its case is that of the first, with the kills of all.
    pub(crate) rows: Vec<Written>,
}

impl Written {
    /// A table of these; `None` if they are better apart.
    fn table(rows: Vec<Written>) -> Result<Written, Vec<Written>> {
        let texts: Vec<&TestText> = rows.iter().map(|row| &row.text).collect();
        let (Some(text), Some(first)) = (text::table(&texts), rows.first()) else { return Err(rows) };
        let kills = rows.iter().flat_map(|row| row.case.kills.iter().copied()).collect();
        let case = Case { kills, ..first.case.clone() };
        let (unit, home, condition) = (first.unit.clone(), first.home.clone(), first.condition.clone());
        Ok(Written { unit, home, case, text, condition, rows })
    }

    /// Leaves only kills for which this holds, and rows that have some.
    fn keep_kills(&mut self, holds: impl Fn(u32) -> bool) {
        self.case.kills.retain(|mutant| holds(*mutant));
        let before = self.rows.len();
        self.rows.iter_mut().for_each(|row| row.case.kills.retain(|mutant| holds(*mutant)));
        self.rows.retain(|row| !row.case.kills.is_empty());
        if self.rows.len() == before {
            return;
        }
        let names = self.text.names.clone();
        match Written::table(std::mem::take(&mut self.rows)) {
            // It was compiled under these names.
            Ok(table) => *self = Written { text: TestText { names, ..table.text.clone() }, ..table },
            Err(mut rows) if rows.len() == 1 => *self = rows.swap_remove(0),
            Err(rows) => self.rows = rows,
        }
    }
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
        let names = text::module_names(&units, &[FINDINGS, fresh_folder::MODULE], library, edition);
        Naming { library: library.to_owned(), edition, modules: units.into_iter().zip(names).collect() }
    }

    /// The module of a unit's tests that need something; no other unit's.
    fn module_under(&self, module: &str, condition: &Condition) -> String {
        let name = condition.module(module);
        let is_taken = |name: &String| self.modules.values().any(|other| other == name);
        let names = [name.clone()].into_iter().chain((2..).map(|number| format!("{name}_{number}")));
        let is_free = |name: &String| name == module || !is_taken(name);
        names.into_iter().find(is_free).expect("numbers do not end")
    }
}

/// All tests, as long as they are not verified.
pub(crate) struct Draft {
    naming: Naming,
    tests: BTreeMap<usize, Written>,
    /// Those of them that are there already: as libtest names them, and what they would have killed as new ones.
    present: BTreeMap<usize, (String, Case)>,
    /// Ignored tests that show findings, by the number of the finding.
    findings: BTreeMap<usize, TestText>,
    /// By module, what is there already.
    existing: BTreeMap<String, Existing>,
    main: Option<String>,
    /// The name of the test target, and of its folder.
    target: String,
    /// Where tests inside of the crate stand.
    test_modules: TestModules,
    /// What the lints of the crate ask, by the module whose file says it.
    lints: BTreeMap<String, LintLevels>,
    /// New tests that are not in the files for the time being.
    hidden: BTreeSet<usize>,
    /// The number of the next test.
    next: usize,
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
        let Present { modules: existing, main, target } = present;
        let mut draft = Draft {
            naming,
            tests,
            present: BTreeMap::new(),
            findings,
            existing,
            main,
            target,
            test_modules,
            lints: BTreeMap::new(),
            hidden: BTreeSet::new(),
            next: 0,
            layout: Layout::default(),
        };
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

    /// Whether a new test is still there.
    pub(crate) fn has(&self, index: usize) -> bool {
        self.tests.contains_key(&index)
    }

    /// New tests, by a number that they keep.
    pub(crate) fn tests(&self) -> impl Iterator<Item = (usize, &Written)> {
        self.tests.iter().map(|(index, written)| (*index, written))
    }

    /// The name of the test target.
    pub(crate) fn target(&self) -> &str {
        &self.target
    }

    /// A new test.
    pub(crate) fn written(&self, entry: Entry) -> Option<&Written> {
        match entry {
            Entry::Test(index) => self.tests.get(&index),
            Entry::Finding(_) => None,
        }
    }

    /// Tests that are there already and were found once more: by number their name, as libtest has it, and the case.
    pub(crate) fn present(&self) -> impl Iterator<Item = (usize, &str, &Case)> {
        self.present.iter().map(|(index, (path, case))| (*index, path.as_str(), case))
    }

    /// Adds tests.
    pub(crate) fn add(&mut self, tests: Vec<Written>) {
        let known = self.tests.keys().chain(self.present.keys()).max();
        let first = known.map_or(0, |last| last + 1).max(self.next);
        self.next = first + tests.len();
        self.tests.extend((first..).zip(tests));
        self.lay_out();
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
        spell: impl Fn(Entry, &Written) -> Option<TestText>,
    ) -> BTreeSet<Entry> {
        // What is wrong with a table may not be wrong with its rows.
        let indices = guilty.iter().filter_map(|entry| match entry {
            Entry::Test(index) => Some(*index),
            Entry::Finding(_) => None,
        });
        let others: BTreeSet<Entry> =
            self.untabulate(&indices.collect()).into_iter().map(Entry::Test).collect();
        let findings = guilty.iter().filter(|entry| matches!(entry, Entry::Finding(_))).copied();
        let guilty: BTreeSet<Entry> = others.into_iter().chain(findings).collect();
        let mut hopeless = guilty.clone();
        for (index, written) in &mut self.tests {
            let entry = Entry::Test(*index);
            if guilty.contains(&entry)
                && let Some(text) = spell(entry, written)
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

    /// Takes tests out of the files until others are taken out, or none.
    pub(crate) fn hide(&mut self, hidden: BTreeSet<usize>) {
        if self.hidden != hidden {
            self.hidden = hidden;
            self.lay_out();
        }
    }

    /// New tests that are not in the files for the time being.
    pub(crate) fn hidden(&self) -> &BTreeSet<usize> {
        &self.hidden
    }

    /// Has tests compiled only where what they need is on; the others, for which that cannot be said.
    pub(crate) fn require(&mut self, tests: &BTreeSet<usize>, needed: &Condition) -> BTreeSet<usize> {
        let mut left = BTreeSet::new();
        for index in tests {
            match self.tests.get_mut(index).filter(|written| written.home == Visibility::Anywhere) {
                Some(written) => {
                    written.condition.features.extend(needed.features.iter().cloned());
                    written.condition.debug_assertions |= needed.debug_assertions;
                }
                None => {
                    left.insert(*index);
                }
            }
        }
        self.lay_out();
        left
    }

    /// Allows a lint in the file that a message is about; `false` if it allows it already, or must not.
    pub(crate) fn allow(&mut self, module: &str, lint: &str) -> bool {
        let levels = self.lints.entry(self.root_of(module)).or_default();
        let is_new = !levels.forbidden.contains(lint) && levels.allowed.insert(lint.to_owned());
        if is_new {
            self.lay_out();
        }
        is_new
    }

    /// No longer allows a lint that the crate forbids to allow.
    pub(crate) fn forbid(&mut self, module: &str, lint: &str) -> bool {
        let levels = self.lints.entry(self.root_of(module)).or_default();
        let is_new = levels.forbidden.insert(lint.to_owned());
        if is_new {
            self.lay_out();
        }
        is_new
    }

    /// The module whose file says what is allowed in a module.
    fn root_of(&self, module: &str) -> String {
        let is_inner = self.test_modules.all.keys().any(|path| inner_path(path) == module);
        if is_inner { module.to_owned() } else { MAIN.to_owned() }
    }

    /// The module whose new or changed file a message is about.
    pub(crate) fn module_of(&self, places: &[&Span]) -> Option<String> {
        places.iter().find_map(|span| Some(self.module_at(Path::new(&span.file_name))?.0))
    }

    /// Takes imports away that the compiler finds unused; whether there were some of new tests.
    pub(crate) fn unimport(&mut self, places: &[&Span]) -> bool {
        let mut is_changed = false;
        for span in places {
            let guilty = self.blamed(&[span]);
            let words = self.module_at(Path::new(&span.file_name));
            let words = words.and_then(|(_, text)| text.get(span.byte_start..span.byte_end));
            let words = words.unwrap_or_default().to_owned();
            for entry in guilty {
                let text = match entry {
                    Entry::Test(index) => self.tests.get_mut(&index).map(|written| &mut written.text),
                    Entry::Finding(number) => self.findings.get_mut(&number),
                };
                let Some(text) = text else { continue };
                let before = text.imports.len();
                text.imports.retain(|path| !is_named(&words, path));
                is_changed |= text.imports.len() < before;
            }
        }
        if is_changed {
            self.lay_out();
        }
        is_changed
    }

    /// Makes tables of tests that differ in literals only; whether there are some. What is not compiled in every build stays as it is.
    pub(crate) fn tabulate(&mut self) -> bool {
        let is_plain = |written: &Written| {
            let text = &written.text;
            written.condition == Condition::default() && !text.imports.contains(fresh_folder::IMPORT)
        };
        let candidates: Vec<(usize, &Written)> =
            self.tests().filter(|(_, written)| is_plain(written)).collect();
        let kind = |written: &Written| format!("{} {:?}", written.unit, written.home);
        let listed: Vec<(&TestText, String)> =
            candidates.iter().map(|(_, written)| (&written.text, kind(written))).collect();
        let indices: Vec<usize> = candidates.iter().map(|(index, _)| *index).collect();
        let groups = text::alike(&listed);
        for group in &groups {
            let members: Vec<usize> = group.iter().map(|at| indices[*at]).collect();
            let rows: Vec<Written> = members.iter().filter_map(|index| self.tests.remove(index)).collect();
            match Written::table(rows) {
                Ok(table) => {
                    self.tests.insert(members[0], table);
                }
                Err(rows) => self.tests.extend(members.into_iter().zip(rows)),
            }
        }
        self.lay_out();
        !groups.is_empty()
    }

    /// Makes tests of the rows of some tables again; those that are no tables are left.
    pub(crate) fn untabulate(&mut self, tables: &BTreeSet<usize>) -> BTreeSet<usize> {
        let is_table = |index: &usize| self.tests.get(index).is_some_and(|written| !written.rows.is_empty());
        let (tables, others): (BTreeSet<usize>, BTreeSet<usize>) = tables.iter().copied().partition(is_table);
        let known = self.tests.keys().chain(self.present.keys()).max();
        self.next = known.map_or(0, |last| last + 1).max(self.next);
        for index in tables {
            let rows = self.tests.remove(&index).map(|table| table.rows).unwrap_or_default();
            for (at, row) in rows.into_iter().enumerate() {
                let new = if at == 0 { index } else { self.next };
                self.next += usize::from(at > 0);
                self.tests.insert(new, row);
            }
        }
        self.lay_out();
        others
    }

    /// Tests kill mutants that they do not name yet.
    pub(crate) fn add_kills(&mut self, kills: &[(usize, u32)]) {
        for (index, mutant) in kills {
            if let Some(written) = self.tests.get_mut(index) {
                written.case.kills.push(*mutant);
                written.rows.iter_mut().take(1).for_each(|row| row.case.kills.push(*mutant));
            }
        }
    }

    /// Leaves only kills that were confirmed, and tests that have some; the others.
    pub(crate) fn keep_kills(
        &mut self,
        confirmed: &BTreeSet<(usize, u32)>,
        describe: impl Fn(&Case) -> KillWords,
    ) -> BTreeSet<usize> {
        let before: BTreeSet<usize> = self.tests.keys().copied().collect();
        self.tests.retain(|index, written| {
            written.keep_kills(|mutant| confirmed.contains(&(*index, mutant)));
            !written.case.kills.is_empty()
        });
        self.present.retain(|index, (_, case)| {
            case.kills.retain(|mutant| confirmed.contains(&(*index, *mutant)));
            !case.kills.is_empty()
        });
        self.tests.values_mut().for_each(|written| written.text.set_kills(&describe(&written.case)));
        self.lay_out();
        before.into_iter().filter(|index| !self.tests.contains_key(index)).collect()
    }

    /// What stands at places that the compiler complains about.
    pub(crate) fn blamed(&self, places: &[&Span]) -> BTreeSet<Entry> {
        places.iter().flat_map(|span| self.blamed_at(span)).collect()
    }

    /// The lines of a new file that spans are about, without the spaces around them.
    pub(crate) fn lines_at(&self, places: &[&Span]) -> BTreeSet<String> {
        let of_span = |span: &&Span| {
            let (_, text) = self.module_at(Path::new(&span.file_name))?;
            Some(text.lines().nth(span.line_start.checked_sub(1)?)?.trim().to_owned())
        };
        places.iter().filter_map(of_span).collect()
    }

    /// The path of the module that a file holds, and its text.
    fn module_at(&self, path: &Path) -> Option<(String, &str)> {
        let is_outer = |name: &str| path.ends_with(Path::new("tests").join(&self.target).join(name));
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
        let own = || self.entries().filter(|(_, own, ..)| *own == module.as_str());
        if let Some(function) = function {
            return own().filter(|(_, _, name, _)| *name == function).map(|(entry, ..)| entry).collect();
        }
        // Before the first function there are imports: all tests that need one are to blame, be it only a module on the way.
        let needing = |is_it: fn(&str, &str) -> bool| -> Vec<Entry> {
            let is_needed = |test: &TestText| test.imports.iter().any(|path| is_it(words, path));
            own().filter(|(_, _, _, test)| is_needed(test)).map(|(entry, ..)| entry).collect()
        };
        let guilty = needing(is_named);
        if guilty.is_empty() { needing(is_passed) } else { guilty }
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
        let Draft { existing, test_modules, .. } = self;
        let inside = || {
            let all = test_modules.all.iter();
            all.filter_map(|(module, it)| Some((inner_path(module), it.existing.as_ref()?)))
        };
        let is_new = |text: &TestText| {
            let body = text.body();
            !existing.values().chain(inside().map(|(_, file)| file)).any(|file| file.has_body(&body))
        };
        let there = |written: &Written| {
            let body = written.text.body();
            let outer = existing.iter().map(|(module, file)| (module.clone(), file));
            let mut files = outer.chain(inside());
            files.find_map(|(module, file)| Some(format!("{module}::{}", file.test_with_body(&body)?)))
        };
        for (index, written) in &self.tests {
            if let Some(path) = there(written) {
                self.present.insert(*index, (path, written.case.clone()));
            }
        }
        self.tests.retain(|_, written| is_new(&written.text));
        self.findings.retain(|_, text| is_new(text));
        let Naming { library, edition, modules } = &self.naming;
        let mut layout = Layout::default();
        let mut used: Vec<String> = Vec::new();
        for (unit, module) in modules {
            let mut by_condition: BTreeMap<&Condition, (Vec<usize>, Vec<TestText>)> = BTreeMap::new();
            let is_there = |(index, written): &(&usize, &Written)| {
                written.unit == *unit && written.home == Visibility::Anywhere && !self.hidden.contains(*index)
            };
            for (index, written) in self.tests.iter().filter(is_there) {
                let (indices, tests) = by_condition.entry(&written.condition).or_default();
                indices.push(*index);
                tests.push(written.text.clone());
            }
            for (condition, (indices, tests)) in by_condition {
                let module = self.naming.module_under(module, condition);
                let start = condition.file().and_then(|text| Existing::read(&text).ok());
                let before = self.existing.get(&module).or(start.as_ref());
                let names = layout.add(&module, before, &tests, *edition);
                let named = indices.into_iter().zip(names);
                layout.names.extend(named.filter_map(|(index, name)| Some((index, (module.clone(), name?)))));
                used.push(module);
            }
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
        let needs_folder = |text: &TestText| text.imports.contains(fresh_folder::IMPORT);
        if self.tests.values().map(|written| &written.text).any(needs_folder) {
            if !self.existing.contains_key(fresh_folder::MODULE) {
                layout.files.push((format!("{}.rs", fresh_folder::MODULE), fresh_folder::TEXT.to_owned()));
            }
            used.push(fresh_folder::MODULE.to_owned());
        }
        if !used.is_empty() || self.main.is_some() {
            let texts: Vec<&str> = layout.files.iter().map(|(_, text)| text.as_str()).collect();
            let main = text::main_file(main.as_deref(), &used, texts, library, *edition);
            layout.files.push(("main.rs".to_owned(), self.leveled(MAIN, main)));
        }
        self.lay_out_inside(&mut layout);
        self.tests.retain(|index, _| self.hidden.contains(index) || layout.names.contains_key(index));
        self.findings.retain(|number, _| layout.findings.contains_key(number));
        self.layout = layout;
    }

    /// The text of a file with what the lints of the crate ask.
    fn leveled(&self, module: &str, text: String) -> String {
        self.lints.get(module).map_or(text.clone(), |levels| levels.apply(&text))
    }

    /// The same for the tests inside of the crate.
    fn lay_out_inside(&self, layout: &mut Layout) {
        for (module, test_module) in &self.test_modules.all {
            let is_here = |home: &Visibility| matches!(home, Visibility::Inside(path) if path == module);
            let here = self
                .tests
                .iter()
                .filter(|(index, written)| is_here(&written.home) && !self.hidden.contains(*index));
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
            let text = self.leveled(&path, written.text);
            layout.test_module_texts.insert(module.clone(), text);
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

/// Whether a part of an import names a module on the way to the item of a path.
fn is_passed(words: &str, path: &str) -> bool {
    let mut named = words.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    named.any(|word| path.split("::").any(|part| part == word))
}

/// Whether a part of an import names the item of a path, perhaps in a list.
fn is_named(words: &str, path: &str) -> bool {
    let last = path.rsplit("::").next().unwrap_or(path);
    // `Duration as TimeDuration`
    let last = last.split(' ').next().unwrap_or(last);
    words.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == last)
}
