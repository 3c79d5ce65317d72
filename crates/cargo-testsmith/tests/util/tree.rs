//! What a folder holds: enough to notice any change that a user could notice.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Every file and folder below a folder, except for those that are left out.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Tree(BTreeMap<PathBuf, Entry>);

#[derive(Debug, PartialEq, Eq)]
enum Entry {
    /// The time of a folder changes when `target` is made in it, so it does not count.
    Folder,
    /// A file that was written again with the same bytes is noticed too: cargo would build it anew.
    File {
        bytes: Vec<u8>,
        mode: u32,
        modified: SystemTime,
    },
    Link(PathBuf),
}

impl Tree {
    pub(crate) fn read(root: &Path, except: &[&Path]) -> Tree {
        let mut entries = BTreeMap::new();
        let mut open = vec![root.to_owned()];
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(&folder).expect("the folder can be read").flatten() {
                let path = entry.path();
                if except.contains(&path.as_path()) {
                    continue;
                }
                let found = Entry::read(&path);
                if found == Entry::Folder {
                    open.push(path.clone());
                }
                entries.insert(path, found);
            }
        }
        Tree(entries)
    }

    /// Panics with the names of what differs, not with all the bytes.
    #[track_caller]
    pub(crate) fn assert_same(&self, now: &Tree) {
        let all = self.0.keys().chain(now.0.keys());
        let mut changed: Vec<_> = all.filter(|path| self.0.get(*path) != now.0.get(*path)).collect();
        changed.dedup();
        assert!(changed.is_empty(), "the user's tree was touched: {changed:?}");
    }

    /// Names of files, to look for some.
    pub(crate) fn names(&self) -> impl Iterator<Item = String> {
        self.0.keys().filter_map(|path| path.file_name()).map(|name| name.to_string_lossy().into_owned())
    }
}

impl Entry {
    fn read(path: &Path) -> Entry {
        let metadata = fs::symlink_metadata(path).expect("it was just listed");
        if metadata.is_dir() {
            Entry::Folder
        } else if metadata.is_symlink() {
            Entry::Link(fs::read_link(path).expect("it is a link"))
        } else {
            Entry::File {
                bytes: fs::read(path).expect("the file can be read"),
                mode: metadata.permissions().mode(),
                modified: metadata.modified().expect("files have a time"),
            }
        }
    }
}
