//! The names that a test's text can use without a path.

use std::collections::BTreeSet;

use testsmith_ir::{Api, Program, Statement, Visibility};

/// What is imported so far, and where the test stands.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    pub(super) imports: BTreeSet<String>,
    /// What cannot be used there is not written.
    pub(super) visibility: Visibility,
    /// Whether the program asks an `eq` whose crate has written a `ne` beside it, which need not be its contrary in a mutant.
    pub(super) has_own_ne: bool,
}

impl Scope {
    /// Of a test with a program, before anything is imported.
    pub(super) fn of(api: &Api, program: &Program) -> Scope {
        Scope {
            imports: BTreeSet::new(),
            visibility: api.visibility(program).unwrap_or_default(),
            has_own_ne: program.statements.iter().any(|statement| has_own_ne(api, statement)),
        }
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

fn has_own_ne(api: &Api, statement: &Statement) -> bool {
    let Statement::Call { callable, .. } = statement else { return false };
    let Some(owner) = api[*callable].path.strip_suffix("::eq") else { return false };
    let is_ne = |path: &str| path.strip_suffix("::ne") == Some(owner);
    api.callables.iter().any(|other| is_ne(&other.path))
}

/// The name that an import brings, which may be one of its own: `a::Error as OtherError`.
pub(super) fn last(path: &str) -> &str {
    let name = path.rsplit("::").next().unwrap_or(path);
    name.rsplit(" as ").next().unwrap_or(name)
}
