//! Gets subjects from crates.io with cargo alone: vendor a throwaway package that depends on them,
//! keep the wanted folders, and make each a workspace of its own that builds offline.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::Subject;
use crate::fail::{Context, Result};
use crate::repo::{self, Repo};
use crate::{files, shell};

/// Brings every one of `wanted` to its place, and its dependencies to cargo's cache.
pub(super) fn ensure(repo: &Repo, wanted: &[Subject]) -> Result<()> {
    let missing: Vec<Subject> =
        wanted.iter().filter(|subject| !subject.path(repo).exists()).copied().collect();
    if !missing.is_empty() {
        vendor_into_place(repo, &missing)?;
    }
    // Also for those that were there: cargo's cache may be younger than the folder.
    wanted.iter().try_for_each(|subject| fetch_dependencies(&subject.path(repo)))
}

fn vendor_into_place(repo: &Repo, missing: &[Subject]) -> Result<()> {
    let scratch = repo.target().join("subjects-fetch");
    files::fresh_dir(&scratch)?;
    files::write(&scratch.join("Cargo.toml"), &throwaway_manifest(missing))?;
    files::write(&scratch.join("src/lib.rs"), "")?;
    let vendored = scratch.join("vendor");
    let mut vendor = repo::cargo();
    vendor.current_dir(&scratch).args(["vendor", "--quiet", "--versioned-dirs"]).arg(&vendored);
    shell::stdout(&mut vendor)?;
    for subject in missing {
        // Prepared aside and moved last, so that a folder that exists is complete.
        let ready = scratch.join("ready").join(subject.folder());
        files::copy_package(&vendored.join(subject.folder()), &ready)?;
        prepare(&ready)?;
        move_folder(&ready, &subject.path(repo))?;
    }
    Ok(())
}

/// Exact versions, and no default features: fewer crates to vendor for the sake of one.
fn throwaway_manifest(subjects: &[Subject]) -> String {
    let mut manifest = "[package]\nname = \"subjects-fetch\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
                        [workspace]\n\n[dependencies]\n"
        .to_owned();
    for subject in subjects {
        let Subject { name, version, .. } = subject;
        let line = format!("{name} = {{ version = \"={version}\", default-features = false }}");
        writeln!(manifest, "{line}").expect("writing to a string cannot fail");
    }
    manifest
}

/// A subject can be edited and built alone: no checksums, a workspace and a lock file of its own.
fn prepare(package: &Path) -> Result<()> {
    let checksums = package.join(".cargo-checksum.json");
    if checksums.exists() {
        fs::remove_file(&checksums).context(format!("remove {}", checksums.display()))?;
    }
    let manifest = package.join("Cargo.toml");
    files::write(&manifest, &with_workspace(files::read(&manifest)?))?;
    if !package.join("Cargo.lock").exists() {
        shell::stdout(repo::cargo().current_dir(package).args(["generate-lockfile", "--quiet"]))?;
    }
    fetch_dependencies(package)
}

fn with_workspace(manifest: String) -> String {
    let has_one = manifest.lines().any(|line| {
        let line = line.trim();
        line == "[workspace]" || line.starts_with("[workspace.")
    });
    if has_one { manifest } else { format!("{}\n\n[workspace]\n", manifest.trim_end()) }
}

fn fetch_dependencies(package: &Path) -> Result<()> {
    shell::stdout(repo::cargo().current_dir(package).args(["fetch", "--quiet"])).map(drop)
}

/// The target folder may be on another file system, where renaming does not work.
fn move_folder(from: &Path, to: &Path) -> Result<()> {
    let parent = to.parent().context(format!("find the folder of {}", to.display()))?;
    fs::create_dir_all(parent).context(format!("create {}", parent.display()))?;
    if fs::rename(from, to).is_ok() {
        return Ok(());
    }
    let aside = parent.join("partial");
    files::fresh_dir(&aside)?;
    files::copy_package(from, &aside)?;
    fs::rename(&aside, to).context(format!("rename {}", aside.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_throwaway_package_pins_each_subject() {
        let manifest = throwaway_manifest(&super::super::named(&["heck".to_owned()]).unwrap());
        assert!(
            manifest.ends_with("[dependencies]\nheck = { version = \"=0.5.0\", default-features = false }\n")
        );
    }

    #[test]
    fn a_workspace_is_added_once() {
        let plain = "[package]\nname = \"x\"\n".to_owned();
        let once = with_workspace(plain);
        assert_eq!(once, "[package]\nname = \"x\"\n\n[workspace]\n");
        assert_eq!(with_workspace(once.clone()), once);
        let inherited = "[workspace.lints.rust]\n".to_owned();
        assert_eq!(with_workspace(inherited.clone()), inherited);
    }
}
