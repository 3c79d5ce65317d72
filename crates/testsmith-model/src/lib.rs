//! What testsmith knows of a crate under test: its packages and targets from `cargo metadata`, the cfg options
//! that the compiler sets for it, and the module tree of its sources, parsed, with byte ranges.
//!
//! Knows nothing of mutants. Whatever cannot be read is a [`Skipped`] value with a reason, not a failure.

pub mod api;
mod attrs;
mod cfg;
mod conditions;
pub mod effects;
mod error;
pub mod graph;
mod linked;
pub mod literals;
mod modules;
mod names;
mod package;
mod source;

pub use attrs::{Attrs, Audience};
pub use cfg::{CfgSet, Predicate};
pub use conditions::{ConditionConstants, constants_of_conditions};
pub use error::{LoadError, indented};
pub use linked::{Linked, linked};
pub use literals::{Literals, literals};
pub use modules::{SourceTree, load_sources};
pub use names::{Missing, Names};
pub use package::{Dependency, FeatureFlags, Package, PackageChoice, Target, TargetKind, Workspace};
pub use source::{LineColumn, Module, SourceFile};

/// A piece of source that testsmith leaves alone, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// File, relative to the workspace.
    pub file: String,
    /// Line, from 1; 0 for a whole file.
    pub line: usize,
    /// What is left alone, such as the name of an item.
    pub what: String,
    /// Why.
    pub reason: String,
}
