//! What can go wrong while a package is loaded, each with advice.

use std::fmt;
use std::path::PathBuf;

/// Why a package could not be loaded.
#[derive(Debug)]
pub enum LoadError {
    /// There is no manifest where one was expected.
    NoManifest(PathBuf),
    /// `cargo metadata` failed; its own words.
    Metadata(String),
    /// The cfg options of a crate with a build script could not be asked for: it does not compile, say. Cargo's words.
    Cfg(String),
    /// No member of that name; the names that there are.
    NoSuchPackage(String, Vec<String>),
    /// No chosen package has that feature; the features that there are.
    NoSuchFeature(String, Vec<String>),
    /// Cargo could not be started.
    Start(testsmith_proc::StartError),
    /// The user asked to stop.
    Interrupted,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::NoManifest(path) => write!(
                f,
                "there is no Cargo.toml at {} or above it\n  \
                 run the command inside a cargo package, or name one with --manifest-path",
                path.display()
            ),
            LoadError::Metadata(words) => {
                write!(f, "cargo cannot read this package\n{}", indented(words))
            }
            LoadError::Cfg(words) => {
                write!(
                    f,
                    "cargo cannot tell the cfg options of this package, whose build script has to run\n{}",
                    indented(words)
                )
            }
            LoadError::NoSuchPackage(name, members) => {
                write!(f, "the workspace has no package `{name}`\n  its packages are: {}", members.join(", "))
            }
            LoadError::NoSuchFeature(name, known) if known.is_empty() => {
                write!(f, "there is no feature `{name}`\n  the package has no features")
            }
            LoadError::NoSuchFeature(name, known) => {
                write!(f, "there is no feature `{name}`\n  the features are: {}", known.join(", "))
            }
            LoadError::Start(error) => error.fmt(f),
            LoadError::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for LoadError {}

impl From<testsmith_proc::StartError> for LoadError {
    fn from(error: testsmith_proc::StartError) -> Self {
        LoadError::Start(error)
    }
}

/// Somebody else's words, set off from ours.
pub fn indented(words: &str) -> String {
    words.lines().map(|line| format!("  {line}\n")).collect::<String>().trim_end().to_owned()
}
