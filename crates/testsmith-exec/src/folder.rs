//! The folder of one executor: the one place where its workers may write, and where they leave the status page.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

use testsmith_rt::harness::status::Status;

use crate::failure::Failure;

/// Longer than a status page, whose own length is the runtime's business.
const MOST_BYTES: usize = 256;

/// A folder that is removed when it is dropped, with a folder in it for each worker.
pub(crate) struct Folder {
    path: PathBuf,
    workers: u32,
}

impl Folder {
    /// A new folder below `scratch`.
    pub(crate) fn new(scratch: &Path) -> Result<Self, Failure> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let next = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = scratch.join(format!("worker-{}-{next}", process::id()));
        fs::create_dir_all(&path).map_err(Failure::scratch(&path))?;
        // The worker may have another directory.
        let path = path.canonicalize().map_err(Failure::scratch(&path))?;
        Ok(Self { path, workers: 0 })
    }

    /// Removes what the last worker has left, and makes room for the next one, with a status page.
    pub(crate) fn renew(&mut self) -> Result<Page, Failure> {
        // A program may have left what cannot be removed, so each worker has a new name.
        let _ = fs::remove_dir_all(self.path.join(self.workers.to_string()));
        self.workers += 1;
        let folder = self.path.join(self.workers.to_string());
        fs::create_dir_all(&folder).map_err(Failure::scratch(&folder))?;
        let path = folder.join("status");
        fs::write(&path, Status::fresh()).map_err(Failure::scratch(&path))?;
        let file = File::open(&path).map_err(Failure::scratch(&path))?;
        Ok(Page { folder, path, file })
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Whatever stays is in a folder that the tool removes as a whole.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// The status page of one worker. The worker maps it; a file that is mapped can be read as well.
pub(crate) struct Page {
    folder: PathBuf,
    path: PathBuf,
    file: File,
}

impl Page {
    /// Where the worker may write.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// What the worker is doing, or was doing when it died; `None` if it has spoilt the page.
    pub(crate) fn read(&self) -> Option<Status> {
        let mut bytes = [0; MOST_BYTES];
        let length = self.file.read_at(&mut bytes, 0).ok()?;
        Status::decode(&bytes[..length])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_worker_finds_an_empty_folder_and_a_fresh_page() {
        let scratch = tempfile::tempdir().expect("there is a folder for temporary files");
        let mut folder = Folder::new(scratch.path()).expect("it can be written");
        let other = Folder::new(scratch.path()).expect("it can be written");
        assert_ne!(folder.path, other.path);

        let first = folder.renew().expect("it can be written");
        let fresh = first.read().expect("it is a page");
        fs::write(first.folder().join("left"), "x").unwrap();
        fs::write(first.path(), "spoilt").unwrap();
        assert_eq!(first.read(), None);

        let second = folder.renew().expect("it can be written");
        assert_eq!(second.read(), Some(fresh));
        assert_eq!(fs::read_dir(second.folder()).unwrap().count(), 1);
        assert!(!first.folder().exists());

        fs::remove_dir_all(second.folder()).unwrap();
        assert!(folder.renew().is_ok(), "a worker may have removed all of it");
        let path = folder.path.clone();
        drop(folder);
        assert!(!path.exists());
    }
}
