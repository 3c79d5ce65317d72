//! Mutants and verdicts in one vocabulary for all tools.

use serde::{Deserialize, Serialize};

/// What a tool found out about a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Verdict {
    Killed,
    Timeout,
    Survived,
    Unreached,
    Unviable,
}

/// One mutant with the place and text that another tool's twin would have too.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Mutant {
    /// How a person would name it.
    pub(super) name: String,
    /// The tool's own name for the kind of mutation.
    pub(super) genre: String,
    /// From the package's root.
    pub(super) file: String,
    pub(super) site: Site,
    pub(super) replacement: String,
    pub(super) verdict: Verdict,
}

/// Where the replaced text is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Site {
    /// A token or expression, by the place where it starts, both counted from one.
    Text {
        line: usize,
        column: usize,
        /// Characters that are replaced, where they are on one line.
        width: Option<usize>,
    },
    /// The value of a function: tools disagree where a body starts, so the lines that it spans.
    Value { function: String, first_line: usize, last_line: usize },
}

/// How many mutants got which verdict.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Tally {
    pub(super) generated: usize,
    pub(super) unviable: usize,
    pub(super) unreached: usize,
    pub(super) killed: usize,
    pub(super) timeout: usize,
    pub(super) survived: usize,
}

impl Tally {
    /// Mutants that were decided; those that do not compile say nothing about the tests.
    pub(super) fn judged(&self) -> usize {
        self.unreached + self.killed + self.timeout + self.survived
    }

    pub(super) fn count(&mut self, verdict: Verdict) {
        self.generated += 1;
        *match verdict {
            Verdict::Killed => &mut self.killed,
            Verdict::Timeout => &mut self.timeout,
            Verdict::Survived => &mut self.survived,
            Verdict::Unreached => &mut self.unreached,
            Verdict::Unviable => &mut self.unviable,
        } += 1;
    }
}
