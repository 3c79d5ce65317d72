//! How the program ends: exit codes, and the failures that lead to them.
//!
//! What the user or their crate caused is a [`Failure`] with advice and a documented code; anything else is a bug.

use std::fmt;
use std::path::{Path, PathBuf};

use testsmith_model::LoadError;
use testsmith_proc::StartError;
use testsmith_suite::TestError;

/// Exit codes, as documented in docs/exit-codes.md. Where cargo-mutants has the same case, it has the same number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Code {
    /// Everything was detected, or the score is high enough.
    Success = 0,
    /// Wrong arguments or configuration, or no such package.
    Usage = 1,
    /// Mutants survived or were never reached.
    Survivors = 2,
    /// No mutant survived, but some were only stopped by a limit.
    Timeouts = 3,
    /// The crate does not compile, or its tests do not pass, before any mutant.
    Baseline = 4,
    /// The diff does not fit the tree.
    Diff = 5,
    /// The machine is in the way: no space, no permission, no cargo.
    Environment = 6,
    /// There is nothing to judge: a choice that matches nothing, no mutant at all, or a source file that cannot be read.
    Nothing = 7,
    /// All went well, but tests that testsmith has written earlier no longer hold, and are still there.
    Stale = 8,
    /// Tests were written, and cargo does not run them until its manifest names them.
    NotFound = 9,
    /// A bug in testsmith.
    Bug = 70,
    /// Ctrl-C.
    Interrupted = 130,
}

/// Why a command could not do its job.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) code: Code,
    /// What happened, why, and what to do; the first line stands alone.
    pub(crate) message: String,
}

impl Failure {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Failure {
        Failure { code, message: message.into() }
    }

    pub(crate) fn usage(message: impl Into<String>) -> Failure {
        Failure::new(Code::Usage, message)
    }

    pub(crate) fn bug(message: impl fmt::Display) -> Failure {
        Failure::new(
            Code::Bug,
            format!(
                "internal error: {message}\n  this is a bug in testsmith; please report it with the command that you ran"
            ),
        )
    }

    pub(crate) fn interrupted() -> Failure {
        Failure::new(Code::Interrupted, "interrupted")
    }

    /// A file operation failed.
    pub(crate) fn io(what: &str, path: &Path, error: &std::io::Error) -> Failure {
        use std::io::ErrorKind;
        let advice = match error.kind() {
            ErrorKind::StorageFull => {
                "the disk is full: free some space, or use --target-dir on another disk"
            }
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
                "you may not write there: change its permissions, or use --target-dir to work elsewhere"
            }
            _ => "is the path right, and does the disk work?",
        };
        Failure::new(Code::Environment, format!("cannot {what} {}: {error}\n  {advice}", path.display()))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Self {
        let code = match &error {
            LoadError::NoManifest(_)
            | LoadError::Metadata(_)
            | LoadError::NoSuchPackage(..)
            | LoadError::NoSuchFeature(..) => Code::Usage,
            LoadError::Cfg(_) => Code::Baseline,
            LoadError::Start(_) => Code::Environment,
            LoadError::Interrupted => Code::Interrupted,
        };
        Failure::new(code, error.to_string())
    }
}

impl From<StartError> for Failure {
    fn from(error: StartError) -> Self {
        Failure::new(Code::Environment, error.to_string())
    }
}

impl From<TestError> for Failure {
    fn from(error: TestError) -> Self {
        Failure::new(Code::Environment, error.to_string())
    }
}

/// Adds what was being done to an I/O error.
pub(crate) trait IoContext<T> {
    fn doing(self, what: &str, path: &Path) -> Result<T, Failure>;
}

impl<T> IoContext<T> for std::io::Result<T> {
    fn doing(self, what: &str, path: &Path) -> Result<T, Failure> {
        self.map_err(|error| Failure::io(what, path, &error))
    }
}

/// Writes a file so that it is either the old or the new one, never half of one. Whoever may use the old one may use the new
/// one.
pub(crate) fn write_atomically(path: &Path, text: &str) -> Result<(), Failure> {
    use std::io::Write;
    let dir: PathBuf = path.parent().map(Path::to_owned).unwrap_or_default();
    std::fs::create_dir_all(&dir).doing("create", &dir)?;
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        // As any program would make it: others may read it if the user's mask lets them.
        let usual = std::os::unix::fs::PermissionsExt::from_mode(0o666);
        builder.permissions(usual);
    }
    let mut file = builder.tempfile_in(&dir).doing("write below", &dir)?;
    file.write_all(text.as_bytes()).doing("write", path)?;
    if let Ok(old) = std::fs::metadata(path) {
        file.as_file().set_permissions(old.permissions()).doing("write", path)?;
    }
    file.persist(path).map_err(|error| Failure::io("write", path, &error.error))?;
    Ok(())
}
