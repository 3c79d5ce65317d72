//! The names that a test's text can use without a path.

use std::collections::BTreeSet;

use testsmith_ir::{Api, Home, Program};

/// What is imported so far, and where the test stands.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    pub(super) imports: BTreeSet<String>,
    /// What cannot be used there is not written.
    pub(super) home: Home,
}

impl Scope {
    /// Of a test with a program, before anything is imported.
    pub(super) fn of(api: &Api, program: &Program) -> Scope {
        Scope { imports: BTreeSet::new(), home: api.home(program).unwrap_or_default() }
    }

    /// How an item is called here: it is imported, unless another one of its name is.
    pub(super) fn name(&mut self, path: &'static str) -> String {
        if self.add(path) { last(path).to_owned() } else { format!("::{path}") }
    }

    /// Imports an item; `false` if another one of its name is.
    pub(super) fn add(&mut self, path: &str) -> bool {
        let is_free = self.imports.iter().all(|other| other == path || last(other) != last(path));
        if is_free {
            self.imports.insert(path.to_owned());
        }
        is_free
    }
}

/// The name that an import brings.
pub(super) fn last(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}
