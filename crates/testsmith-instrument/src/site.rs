//! A site: a place in the source that the meta-program rewrites, and the parts that it is rewritten to.
//!
//! A part is new text, a stretch of the source that stays (and may hold further sites), or a choice between the
//! original and the site's mutants. No stretch of the source appears twice, and newlines are kept, so that no line
//! moves.

use std::ops::Range;

/// A place that is rewritten.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    /// The bytes that are rewritten; empty where something is only inserted.
    pub(crate) range: Range<usize>,
    /// Number of its first mutant.
    pub(crate) base: u32,
    /// How many mutants it has; none for ticks and opened `const fn`s.
    pub(crate) count: u32,
    /// Index of its function in the plan.
    pub(crate) function: usize,
    /// The number under which it reports whether its condition holds, if it does.
    pub(crate) probe: Option<u32>,
    /// What is written.
    pub(crate) parts: Vec<Part>,
}

/// A part of what is written at a site.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    /// New text.
    Text(String),
    /// A stretch of the source, with the sites in it.
    Source(Range<usize>),
    /// A stretch of the source of which only the newlines stay.
    Newlines(Range<usize>),
    /// `match call { 0 => original, 1 => first mutant, … }`.
    Choice(Choice),
}

/// A choice between the original and the site's mutants.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    /// The expression that says which arm.
    pub(crate) call: String,
    /// The arm of the original.
    pub(crate) original: Vec<Part>,
    /// The arm of each mutant.
    pub(crate) mutants: Vec<String>,
}

pub(crate) fn text(text: impl Into<String>) -> Part {
    Part::Text(text.into())
}

pub(crate) fn source(range: &Range<usize>) -> Part {
    Part::Source(range.clone())
}

/// The newlines between two stretches.
pub(crate) fn between(a: &Range<usize>, b: &Range<usize>) -> Part {
    Part::Newlines(a.end..b.start.max(a.end))
}

pub(crate) fn choice(call: String, original: Vec<Part>, mutants: Vec<String>) -> Part {
    Part::Choice(Choice { call, original, mutants })
}
