//! Changes files, where it may and where it may not.

use std::fs::{self, OpenOptions, Permissions};
use std::io::Write;
use std::os::unix::fs::{symlink, PermissionsExt};

use crate::told;

pub fn write(path: &str) -> String {
    told(fs::write(path, "spoilt"))
}

pub fn append(path: &str) -> String {
    told(OpenOptions::new().append(true).open(path).and_then(|mut file| file.write_all(b"spoilt")))
}

pub fn truncate(path: &str) -> String {
    told(OpenOptions::new().write(true).truncate(true).open(path))
}

pub fn rename(from: &str, to: &str) -> String {
    told(fs::rename(from, to))
}

pub fn remove(path: &str) -> String {
    told(fs::remove_file(path))
}

pub fn remove_all(path: &str) -> String {
    told(fs::remove_dir_all(path))
}

pub fn make_folder(path: &str) -> String {
    told(fs::create_dir(path))
}

pub fn link(from: &str, to: &str) -> String {
    told(fs::hard_link(from, to))
}

pub fn point(from: &str, to: &str) -> String {
    told(symlink(from, to))
}

pub fn permit(path: &str) -> String {
    told(fs::set_permissions(path, Permissions::from_mode(0o777)))
}

/// Writes, renames and removes in the folder that is there for it.
pub fn use_scratch() -> String {
    let folder = std::env::temp_dir();
    let [first, second] = ["first", "second"].map(|name| folder.join(name));
    let work = || {
        fs::write(&first, "x")?;
        fs::rename(&first, &second)?;
        fs::remove_file(&second)
    };
    told(work())
}

/// Removes all that is in the folder that is there for it, whosever it is.
pub fn wipe_scratch() -> String {
    let wipe = || {
        for entry in fs::read_dir(std::env::temp_dir())? {
            fs::remove_file(entry?.path())?;
        }
        Ok(())
    };
    told(wipe())
}
