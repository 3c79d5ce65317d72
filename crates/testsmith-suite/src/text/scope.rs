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
        let name = last(path);
        let is_taken = self.imports.iter().any(|other| other != path && last(other) == name);
        if is_taken {
            return format!("::{path}");
        }
        self.imports.insert(path.to_owned());
        name.to_owned()
    }
}

/// The name that an import brings.
pub(super) fn last(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}
