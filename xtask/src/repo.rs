//! Where things are: [`Repo`] knows the checkout, cargo's target folder and the workspace's metadata.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use cargo_metadata::semver::Version;
use cargo_metadata::{Metadata, MetadataCommand};

use crate::fail::{Context, Result};

/// The checkout that xtask was built from.
pub(crate) struct Repo {
    metadata: Metadata,
}

impl Repo {
    pub(crate) fn find() -> Result<Self> {
        let metadata = MetadataCommand::new()
            .manifest_path(checkout().join("Cargo.toml"))
            .no_deps()
            .exec()
            .context("read the workspace's metadata")?;
        Ok(Self { metadata })
    }

    pub(crate) fn root(&self) -> &Path {
        self.metadata.workspace_root.as_std_path()
    }

    /// Cargo's own target folder, so that `CARGO_TARGET_DIR` moves everything that xtask writes.
    pub(crate) fn target(&self) -> &Path {
        self.metadata.target_directory.as_std_path()
    }

    pub(crate) fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// The oldest toolchain that the workspace promises to build with.
    pub(crate) fn rust_version(&self) -> Option<&Version> {
        self.metadata.packages.iter().filter_map(|package| package.rust_version.as_ref()).max()
    }

    /// A cargo command that runs in the checkout.
    pub(crate) fn cargo(&self) -> Command {
        let mut command = cargo();
        command.current_dir(self.root());
        command
    }
}

/// The cargo that started xtask, so that a task stays on one toolchain.
pub(crate) fn cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// `cargo xtask` says at run time where xtask's package is; a binary that was started by hand
/// falls back to where it was built.
fn checkout() -> PathBuf {
    let package =
        env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    package.parent().map_or_else(|| package.clone(), Path::to_path_buf)
}
