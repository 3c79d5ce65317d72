//! The names that a test's text can use without a path.

use std::collections::BTreeSet;

/// What is imported so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    pub(super) imports: BTreeSet<String>,
}

impl Scope {
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
