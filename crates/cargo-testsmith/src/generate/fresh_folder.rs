//! An empty folder for tests that use files: the module that makes it stands beside the tests, and needs the standard library alone.

use testsmith_suite::text::TestText;

/// The name of the module.
pub(crate) const MODULE: &str = "fresh_folder";

/// What a test imports.
pub(crate) const IMPORT: &str = "crate::fresh_folder::FreshFolder";

/// What it begins with.
const ENTER: &str = "let _folder = FreshFolder::enter();";

/// The module.
pub(crate) const TEXT: &str = include_str!("fresh_folder.txt");

/// The test, in a fresh folder.
pub(crate) fn enter(mut text: TestText) -> TestText {
    text.imports.insert(IMPORT.to_owned());
    text.lines.insert(0, ENTER.to_owned());
    text
}

#[cfg(test)]
mod tests {
    use testsmith_suite::text::Existing;

    use super::*;

    #[test]
    fn a_later_run_finds_the_module_as_its_own() {
        let module = Existing::read(TEXT).expect("it is ours, and Rust");
        assert!(!module.is_bare(), "it would be removed");
    }
}
