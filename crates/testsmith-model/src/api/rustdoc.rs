//! Asks cargo for a crate's documentation as JSON.

use std::fmt;
use std::path::{Path, PathBuf};

use super::FormatError;
use testsmith_proc::{Capture, Ending, Limits, Spec, StartError};

/// Why there is no document.
#[derive(Debug)]
pub enum DocError {
    /// Cargo could not be started.
    Start(StartError),
    /// Cargo or rustdoc failed; their words.
    Failed(String),
    /// The user asked to stop.
    Interrupted,
    /// The document is not where it should be, or cannot be read.
    Unreadable(PathBuf),
    /// It is of a form that is not known.
    Format(FormatError),
}

impl fmt::Display for DocError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DocError::Start(error) => error.fmt(f),
            DocError::Failed(words) => {
                write!(f, "rustdoc cannot document the crate\n{}", crate::indented(words))
            }
            DocError::Interrupted => f.write_str("interrupted"),
            DocError::Unreadable(path) => {
                write!(f, "rustdoc has written no JSON that could be read to {}", path.display())
            }
            DocError::Format(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for DocError {}

/// The JSON of a library. `spec` is a `cargo rustdoc` in the right folder with all but rustdoc's own arguments; the
/// document lands below `target`.
pub fn document(spec: Spec, docs: &Path, library: &str) -> Result<String, DocError> {
    let spec = spec
        .args([
            "--",
            "-Zunstable-options",
            "--output-format=json",
            "--document-private-items",
            // A module that is hidden may hold what the crate offers elsewhere.
            "--document-hidden-items",
            "--cap-lints=allow",
        ])
        .env("RUSTC_BOOTSTRAP", "1");
    let ran = testsmith_proc::run(&spec, &Limits::default(), Capture::Tail { bytes: 1 << 20 })
        .map_err(DocError::Start)?;
    if ran.ending == Ending::Interrupted {
        return Err(DocError::Interrupted);
    }
    if !ran.ending.success() {
        return Err(DocError::Failed(String::from_utf8_lossy(&ran.stderr).into_owned()));
    }
    let path = docs.join(format!("{}.json", library.replace('-', "_")));
    std::fs::read_to_string(&path).map_err(|_| DocError::Unreadable(path))
}
