//! What can be wrong with a store: [`StoreError`].

use std::fmt;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

/// Why a store cannot be used.
#[derive(Debug)]
pub enum StoreError {
    /// Another version of testsmith has written it.
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: i64,
        /// The one that is understood.
        known: i64,
    },
    /// It is no store, or it is damaged.
    Damaged {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        reason: String,
    },
    /// Somebody else is writing to it.
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// The disk is full.
    Full {
        /// The file.
        path: PathBuf,
    },
    /// Anything else: permissions, a folder that is not there.
    Other {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
}

impl StoreError {
    pub(crate) fn of(path: &Path, error: rusqlite::Error) -> StoreError {
        let path = path.to_path_buf();
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                StoreError::Damaged { path, reason: error.to_string() }
            }
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Busy { path },
            Some(ErrorCode::DiskFull) => StoreError::Full { path },
            // A table or a column that should be there is not.
            Some(ErrorCode::Unknown) => StoreError::Damaged { path, reason: error.to_string() },
            _ => StoreError::Other { path, reason: error.to_string() },
        }
    }

    /// Whether the file itself is the reason, so that another one can take its place.
    pub fn is_about_content(&self) -> bool {
        matches!(self, StoreError::Version { .. } | StoreError::Damaged { .. })
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Version { path, found, known } => write!(
                f,
                "{} was written by another version of testsmith (format {found}, this one knows {known})",
                path.display()
            ),
            StoreError::Damaged { path, reason } => write!(f, "{} is damaged: {reason}", path.display()),
            StoreError::Busy { path } => {
                write!(
                    f,
                    "{} is in use by another cargo testsmith\n  wait until it has ended",
                    path.display()
                )
            }
            StoreError::Full { path } => {
                write!(f, "{} cannot be written: the disk is full\n  free some space", path.display())
            }
            StoreError::Other { path, reason } => write!(f, "cannot use {}: {reason}", path.display()),
        }
    }
}

impl std::error::Error for StoreError {}
