//! What is told of stale tests: JSON, and text for people.

use std::fmt::Write;

use serde::Serialize;

/// What is wrong with a test that was right when it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    /// An assertion has another value.
    ValueChanged,
    /// Something that it calls or names is not there any more.
    CallableGone,
    /// The compiler rejects it for another reason.
    DoesNotCompile,
    /// It fails otherwise.
    Fails,
    /// It is in a file that does not compile, and not to blame.
    FileDoesNotCompile,
}

/// What becomes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Action {
    Kept,
    Refreshed,
    Removed,
}

/// A test that no longer holds, wherever it is listed.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct StaleTest {
    /// As libtest names it.
    pub(crate) test: String,
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) kind: Kind,
    /// What has another value, or is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) what: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) old: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) new: Option<String>,
    /// What may have taken the place of what is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) likely: Option<String>,
    /// The words of the compiler, or of the test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) message: Option<String>,
    /// Whether somebody has changed it since it was written: then it is left alone.
    pub(crate) edited: bool,
    /// Whether `--refresh` rewrites it.
    pub(crate) refreshable: bool,
    pub(crate) action: Action,
}

impl StaleTest {
    /// Whether `--prune` removes it.
    fn is_prunable(&self) -> bool {
        !self.edited && !self.refreshable && self.kind != Kind::FileDoesNotCompile
    }

    fn line(&self) -> String {
        let StaleTest { test, file, line, what, old, new, likely, message, .. } = self;
        let what = what.as_deref().unwrap_or_default();
        let why = match self.kind {
            Kind::ValueChanged => format!(
                "`{what}` was {}, is {}",
                old.as_deref().unwrap_or_default(),
                new.as_deref().unwrap_or_default()
            ),
            Kind::CallableGone => match likely {
                Some(likely) => format!("`{what}` is gone, perhaps it is `{likely}` now"),
                None => format!("`{what}` is gone"),
            },
            Kind::DoesNotCompile => {
                format!("does not compile: {}", message.as_deref().unwrap_or_default())
            }
            Kind::Fails => message.clone().unwrap_or_else(|| "fails".to_owned()),
            Kind::FileDoesNotCompile => {
                format!("its file does not compile: {}", message.as_deref().unwrap_or_default())
            }
        };
        let mark = match (self.action, self.edited) {
            (Action::Refreshed, _) => " (rewritten)",
            (Action::Removed, _) => " (removed)",
            (Action::Kept, true) => " (edited since it was written, so it is left as it is)",
            (Action::Kept, false) => "",
        };
        format!("{file}:{line}: {test}: {why}{mark}")
    }
}

/// Whether some are still in the user's files as they were.
pub(crate) fn is_left(stale: &[StaleTest]) -> bool {
    stale.iter().any(|test| test.action == Action::Kept)
}

/// Tests that are printed.
const MOST: usize = 10;

/// All of them for people; nothing if there are none.
pub(crate) fn text(stale: &[StaleTest], verbose: bool) -> String {
    let mut text = String::new();
    if stale.is_empty() {
        return text;
    }
    let hold = if stale.len() == 1 {
        "test that is there no longer holds"
    } else {
        "tests that are there no longer hold"
    };
    let _ = writeln!(text, "\n{} {hold}:", stale.len());
    let most = if verbose { usize::MAX } else { MOST };
    stale.iter().take(most).for_each(|test| {
        let _ = writeln!(text, "  {}", test.line());
    });
    if stale.len() > most {
        let _ = writeln!(text, "  and {} more: -v lists all", stale.len() - most);
    }
    text + &advice(stale)
}

/// What can be done about those that are still as they were.
fn advice(stale: &[StaleTest]) -> String {
    let kept = || stale.iter().filter(|test| test.action == Action::Kept);
    let refreshable = kept().filter(|test| test.refreshable).count();
    let prunable = kept().filter(|test| test.is_prunable()).count();
    let others = kept().count() - refreshable - prunable;
    let parts = [
        (
            refreshable,
            format!("`cargo testsmith generate --refresh` rewrites {refreshable} with the new values"),
        ),
        (prunable, format!("`cargo testsmith generate --prune` removes {prunable} that cannot be rewritten")),
        (others, format!("{others} are yours to mend or to delete")),
    ];
    let said = parts.into_iter().filter(|(count, _)| *count > 0);
    said.map(|(_, what)| format!("  {what}\n")).collect()
}
