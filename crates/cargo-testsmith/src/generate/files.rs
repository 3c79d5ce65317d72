//! The files of the tests: one module for each unit, and a `main.rs` that names them.

use std::collections::{BTreeMap, BTreeSet};

use testsmith_suite::case::Case;
use testsmith_suite::text::TestText;

/// Name of the test target, and of its folder.
pub(crate) const NAME: &str = "testsmith";

/// A test that has been written.
pub(crate) struct Written {
    /// Name of its module.
    pub(crate) module: String,
    pub(crate) name: String,
    pub(crate) case: Case,
    pub(crate) text: TestText,
}

impl Written {
    /// As libtest names it.
    pub(crate) fn path(&self) -> String {
        format!("{}::{}", self.module, self.name)
    }
}

/// All tests, as long as they are not verified.
pub(crate) struct Draft {
    tests: BTreeMap<usize, Written>,
}

impl Draft {
    pub(crate) fn new(tests: Vec<Written>) -> Draft {
        Draft { tests: tests.into_iter().enumerate().collect() }
    }

    pub(crate) fn tests(&self) -> impl Iterator<Item = (usize, &Written)> {
        self.tests.iter().map(|(index, written)| (*index, written))
    }

    pub(crate) fn remove(&mut self, guilty: &BTreeSet<usize>) {
        self.tests.retain(|index, _| !guilty.contains(index));
    }

    /// Leaves only kills that were confirmed, and tests that have some; how many have none.
    pub(crate) fn keep_kills(&mut self, confirmed: &BTreeSet<(usize, u32)>) -> usize {
        let before = self.tests.len();
        self.tests.retain(|index, written| {
            written.case.kills.retain(|mutant| confirmed.contains(&(*index, *mutant)));
            !written.case.kills.is_empty()
        });
        before - self.tests.len()
    }

    /// Names and text of the files.
    pub(crate) fn files(&self) -> Vec<(String, String)> {
        let mut modules: BTreeMap<&str, Vec<&Written>> = BTreeMap::new();
        self.tests.values().for_each(|test| modules.entry(&test.module).or_default().push(test));
        let names: String = modules.keys().map(|name| format!("mod {name};\n")).collect();
        let file = |(name, tests): (&&str, &Vec<&Written>)| {
            let imports: BTreeSet<&String> = tests.iter().flat_map(|test| &test.text.imports).collect();
            let imports: String = imports.iter().map(|path| format!("use {path};\n")).collect();
            let items: Vec<String> = tests.iter().map(|test| test.text.item(&test.name, &[])).collect();
            (format!("{name}.rs"), format!("{imports}\n{}", items.join("\n")))
        };
        let mut files: Vec<(String, String)> = modules.iter().map(file).collect();
        files.push(("main.rs".to_owned(), names));
        files
    }

    /// Tests at places that the compiler complains about: name of the file and line.
    pub(crate) fn blamed(&self, places: &[(String, usize)]) -> BTreeSet<usize> {
        let files = self.files();
        let mut guilty = BTreeSet::new();
        for (name, line) in places {
            let Some((_, text)) = files.iter().find(|(file, _)| file == name) else { continue };
            let module = name.trim_end_matches(".rs");
            let lines: Vec<&str> = text.lines().take(*line).collect();
            let head = lines.iter().rev().find_map(|line| line.strip_prefix("fn ")?.split('(').next());
            let is_meant = |written: &Written| {
                written.module == module
                    && match head {
                        Some(head) => written.name == head,
                        // An import: all that need it.
                        None => lines.last().is_some_and(|line| {
                            written.text.imports.iter().any(|path| line.contains(path.as_str()))
                        }),
                    }
            };
            guilty.extend(self.tests.iter().filter(|(_, written)| is_meant(written)).map(|(index, _)| *index));
        }
        guilty
    }
}
