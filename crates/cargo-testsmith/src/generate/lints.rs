//! What the user's lints say of the written files: a rule that the crate has for its own code is allowed there, and what shows that the text
//! is worse than it could be is changed or taken out.

use std::collections::BTreeSet;

use super::files::{Draft, Entry};
use super::verify::places;
use crate::build::{Built, CompilerMessage};

/// Lints about a text that a person would have written otherwise. They are not allowed away.
const OF_THE_TEXT: &[&str] = &[
    "dead_code",
    "path_statements",
    "redundant_semicolons",
    "unconditional_panic",
    "arithmetic_overflow",
    "overflowing_literals",
    "unreachable_code",
    "unused_allocation",
    "unused_assignments",
    "unused_braces",
    "unused_mut",
    "unused_parens",
    "unused_variables",
];

const UNUSED_IMPORTS: &str = "unused_imports";

/// `allow(…)` of what a `forbid(…)` of the crate is about.
const FORBIDDEN: &str = "E0453";

/// What came of the messages about a build.
#[derive(Default)]
pub(super) struct Settled {
    /// Something was changed, so that it has to be built again.
    pub(super) is_changed: bool,
    /// What has to be written otherwise or taken out.
    pub(super) guilty: BTreeSet<Entry>,
}

/// Does what can be done about lints in the files of the draft. Other errors are none of its business.
pub(super) fn settle(draft: &mut Draft, built: &Built) -> Settled {
    let mut settled = Settled::default();
    for message in built.errors.iter().chain(&built.warnings) {
        let places = places(message);
        let Some(module) = draft.module_of(&places) else { continue };
        match message.lint() {
            None if is_forbidden(message) => {
                let lint = allowed_in(&message.message);
                settled.is_changed |= lint.is_some_and(|lint| draft.forbid(&module, lint));
            }
            None => {}
            Some(UNUSED_IMPORTS) => settled.is_changed |= draft.unimport(&places),
            Some(lint) => {
                if OF_THE_TEXT.contains(&lint) || !draft.allow(&module, lint) {
                    settled.guilty.extend(draft.blamed(&places));
                } else {
                    settled.is_changed = true;
                }
            }
        }
    }
    settled
}

fn is_forbidden(message: &CompilerMessage) -> bool {
    message.code.as_ref().is_some_and(|code| code.code == FORBIDDEN)
}

/// The lint of ``allow(name) incompatible with previous forbid``.
fn allowed_in(words: &str) -> Option<&str> {
    Some(words.strip_prefix("allow(")?.split(')').next()?.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forbidden_lint_is_named_in_the_message() {
        assert_eq!(allowed_in("allow(deprecated) incompatible with previous forbid"), Some("deprecated"));
        assert_eq!(allowed_in("something else"), None);
    }
}
