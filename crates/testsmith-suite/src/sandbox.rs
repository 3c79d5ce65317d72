//! How test binaries are kept from the system: [`Sandbox`]. Tests run in namespaces where the system grants them, and see a home and a
//! temporary folder of their own; what more one of them needs is its [`Access`], found out by `baseline`.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use testsmith_proc::Spec;
use testsmith_proc::sandbox::{self, Policy};

/// What a test may change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Access {
    /// Its own folders: temporary files, and what it takes for the user's home.
    #[default]
    Own,
    /// The copy of the tree as well.
    Tree,
    /// Everything that the user may: it does not pass in a sandbox.
    All,
}

impl Access {
    /// The next one that allows more.
    pub(crate) fn wider(self) -> Option<Access> {
        match self {
            Access::Own => Some(Access::Tree),
            Access::Tree => Some(Access::All),
            Access::All => None,
        }
    }
}

/// Tests that pass only with more than [`Access::Own`]: by the names of their binary and their own.
pub type Exceptions = BTreeMap<(String, String), Access>;

/// The sandbox that the tests of a copy run in.
#[derive(Clone, Debug)]
pub struct Sandbox {
    /// The copy of the tree.
    pub tree: PathBuf,
    /// Tests that need more.
    pub exceptions: Exceptions,
}

/// Folders of one test process.
pub(crate) struct Folders {
    /// For temporary files.
    pub(crate) temp: PathBuf,
    /// Instead of the user's home.
    home: PathBuf,
}

impl Folders {
    /// Those of a worker, below a folder that belongs to this run.
    pub(crate) fn of_worker(temp: &Path, worker: usize) -> io::Result<Folders> {
        let folders =
            Folders { temp: temp.join(worker.to_string()), home: temp.join(format!("home-{worker}")) };
        fs::create_dir_all(&folders.temp)?;
        fs::create_dir_all(&folders.home)?;
        Ok(folders)
    }
}

impl Sandbox {
    /// What a test may change.
    pub(crate) fn access(&self, binary: &str, test: &str) -> Access {
        self.exceptions.get(&(binary.to_owned(), test.to_owned())).copied().unwrap_or_default()
    }

    /// The program with this access, in its folders; it writes to `shared` as well.
    pub(crate) fn spec(&self, spec: Spec, access: Access, folders: &Folders, shared: Option<&Path>) -> Spec {
        if access == Access::All {
            return spec;
        }
        let tree = [self.tree.as_path()].into_iter().filter(|_| access == Access::Tree);
        let policy = policy(folders, shared.into_iter().chain(tree).map(Path::to_path_buf));
        sandbox::spec(&policy, with_home(spec, folders))
    }
}

/// A policy under which these folders can be written, and those of the test process.
pub(crate) fn policy(folders: &Folders, others: impl IntoIterator<Item = PathBuf>) -> Policy {
    let own = [folders.temp.clone(), folders.home.clone()];
    let writable = own.into_iter().chain(others).collect();
    Policy { writable, namespaces: Some(folders.temp.clone()), ..Policy::default() }
}

/// The program with a home of its own.
pub(crate) fn with_home(spec: Spec, folders: &Folders) -> Spec {
    let homes = homes(std::env::home_dir(), |name| std::env::var_os(name).is_some());
    let spec = homes.into_iter().fold(spec, |spec, (name, path)| spec.env(name, path));
    let has_home =
        spec.env.iter().any(|(name, _)| name == "HOME") || spec.env_remove.iter().any(|it| it == "HOME");
    if has_home { spec } else { spec.env("HOME", &folders.home) }
}

/// Cargo and rustup, which some tests call, look for what is theirs in the user's home unless they are told.
fn homes(home: Option<PathBuf>, is_set: impl Fn(&str) -> bool) -> Vec<(&'static str, OsString)> {
    let Some(home) = home else { return Vec::new() };
    let theirs = [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")];
    let missing = theirs.into_iter().filter(|(name, _)| !is_set(name));
    missing.map(|(name, folder)| (name, home.join(folder).into_os_string())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folders() -> Folders {
        Folders { temp: "/t/0".into(), home: "/t/home-0".into() }
    }

    #[test]
    fn a_test_writes_to_the_tree_only_if_it_has_to_and_leaves_the_sandbox_only_if_it_has_to() {
        let sandbox = Sandbox {
            tree: "/copy".into(),
            exceptions: [
                (("lib".to_owned(), "writes".to_owned()), Access::Tree),
                (("lib".to_owned(), "calls_cargo".to_owned()), Access::All),
            ]
            .into(),
        };
        let is_writable = |test: &str| {
            let spec = sandbox.spec(
                Spec::new("/test"),
                sandbox.access("lib", test),
                &folders(),
                Some(Path::new("/map")),
            );
            let is_sandboxed = spec.program != Path::new("/test");
            let has = |folder: &str| spec.args.contains(&format!("writable={folder}").into());
            assert_eq!([has("/t/0"), has("/t/home-0"), has("/map")], [is_sandboxed; 3], "{test}");
            assert_eq!(spec.env.contains(&("HOME".into(), "/t/home-0".into())), is_sandboxed, "{test}");
            (is_sandboxed, has("/copy"))
        };
        assert_eq!(is_writable("plain"), (true, false));
        assert_eq!(is_writable("writes"), (true, true));
        assert_eq!(is_writable("calls_cargo"), (false, false));
        assert_eq!(
            sandbox.access("test api", "writes"),
            Access::Own,
            "the other binary has a test of that name"
        );
    }

    #[test]
    fn cargo_is_told_where_its_home_is_unless_the_user_has_done_so() {
        let homes = |is_set: fn(&str) -> bool| homes(Some("/srv/a".into()), is_set);
        let cargo = ("CARGO_HOME", OsString::from("/srv/a/.cargo"));
        let rustup = ("RUSTUP_HOME", OsString::from("/srv/a/.rustup"));
        assert_eq!(homes(|_| false), [cargo, rustup.clone()]);
        assert_eq!(homes(|name| name == "CARGO_HOME"), [rustup]);
    }
}
