//! Packages and targets, from `cargo metadata` and, for what it leaves out, from the manifest.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use cargo_metadata::{Metadata, MetadataCommand, TargetKind as CargoKind};
use testsmith_proc::{Ending, Limits, Spec};

use crate::LoadError;

/// Which features of the packages are on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeatureFlags {
    /// `--features`.
    pub features: Vec<String>,
    /// `--all-features`.
    pub all: bool,
    /// `--no-default-features`.
    pub no_default: bool,
}

impl FeatureFlags {
    /// The arguments that cargo takes for them.
    pub fn args(&self) -> Vec<String> {
        let mut args = Vec::new();
        if !self.features.is_empty() {
            args.push(format!("--features={}", self.features.join(",")));
        }
        if self.all {
            args.push("--all-features".to_owned());
        }
        if self.no_default {
            args.push("--no-default-features".to_owned());
        }
        args
    }

    /// All features that these turn on, given what each feature turns on.
    fn closure(&self, table: &BTreeMap<String, Vec<String>>) -> BTreeSet<String> {
        let mut open: Vec<String> = self.features.clone();
        if !self.no_default {
            open.push("default".to_owned());
        }
        if self.all {
            open.extend(table.keys().cloned());
        }
        let mut on = BTreeSet::new();
        while let Some(feature) = open.pop() {
            // `dependency/feature` turns an optional dependency on; `dependency?/feature` does not.
            let name = feature.split('/').next().unwrap_or_default().to_owned();
            if let Some(more) = table.get(&name)
                && on.insert(name)
            {
                open.extend(more.iter().cloned());
            }
        }
        on
    }
}

/// Which packages of a workspace are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PackageChoice {
    /// What cargo would take: the package at hand, or the default members.
    Default,
    /// All members.
    All,
    /// Those of these names.
    Named(Vec<String>),
}

/// A cargo workspace, with the packages that were chosen.
#[derive(Clone, Debug)]
pub struct Workspace {
    /// Folder of the root manifest.
    pub root: PathBuf,
    /// Where cargo builds.
    pub target_dir: PathBuf,
    /// The chosen packages, in the order of their names.
    pub packages: Vec<Package>,
    /// Folders of all members.
    pub member_dirs: Vec<PathBuf>,
}

/// A package to analyse.
#[derive(Clone, Debug)]
pub struct Package {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its edition, as a year.
    pub edition: u16,
    /// Its manifest.
    pub manifest: PathBuf,
    /// Its folder.
    pub dir: PathBuf,
    /// Its targets.
    pub targets: Vec<Target>,
    /// Features that are on.
    pub features: BTreeSet<String>,
    /// All features, with what each of them turns on.
    pub feature_table: BTreeMap<String, Vec<String>>,
    /// Whether a build script may set further cfg options.
    pub has_build_script: bool,
    /// What its library may use, whether or not that is turned on.
    pub dependencies: Vec<Dependency>,
}

/// A package that another one depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependency {
    /// Name of the package.
    pub package: String,
    /// By what name code refers to it.
    pub name: String,
    /// Its folder, if it is not fetched from anywhere.
    pub path: Option<PathBuf>,
}

/// A target of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: TargetKind,
    /// Its root file.
    pub src: PathBuf,
    /// Whether Rust code can use it, if it is a library.
    pub is_linkable: bool,
    /// Whether libtest runs its tests.
    pub harness: bool,
    /// Whether `cargo test` runs it.
    pub test: bool,
    /// Whether `cargo test --doc` looks at it.
    pub doctest: bool,
}

/// Kinds of target that matter here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TargetKind {
    /// A library of any crate type.
    Lib,
    /// A procedural macro, which runs inside the compiler.
    ProcMacro,
    /// A program.
    Bin,
    /// An integration test.
    Test,
    /// An example.
    Example,
    /// A bench.
    Bench,
    /// A build script.
    BuildScript,
}

impl Target {
    /// The crate as code names it.
    pub fn crate_name(&self) -> String {
        self.name.replace('-', "_")
    }

    /// The option by which cargo knows a library or a program.
    pub fn option(&self) -> String {
        match self.kind {
            TargetKind::Bin => format!("--bin={}", self.name),
            _ => "--lib".to_owned(),
        }
    }
}

impl TargetKind {
    /// Whether its sources are code under test.
    pub fn is_under_test(self) -> bool {
        matches!(self, TargetKind::Lib | TargetKind::ProcMacro | TargetKind::Bin)
    }
}

impl Workspace {
    /// Loads the workspace that `manifest` belongs to; without one, that of the folder `from` or above.
    pub fn load(
        manifest: Option<&Path>,
        from: &Path,
        choice: &PackageChoice,
        features: &FeatureFlags,
    ) -> Result<Workspace, LoadError> {
        let manifest = match manifest {
            Some(path) if from.join(path).is_dir() => from.join(path).join("Cargo.toml"),
            Some(path) => from.join(path),
            None => find_manifest(from).ok_or_else(|| LoadError::NoManifest(from.to_owned()))?,
        };
        if !manifest.is_file() {
            return Err(LoadError::NoManifest(manifest));
        }
        let metadata = metadata(&manifest)?;
        let packages = choose(&metadata, choice, features)?;
        Ok(Workspace {
            root: metadata.workspace_root.clone().into_std_path_buf(),
            target_dir: metadata.target_directory.clone().into_std_path_buf(),
            member_dirs: metadata.workspace_packages().iter().map(|p| dir_of(p)).collect(),
            packages,
        })
    }
}

impl Package {
    /// How cargo's `-p` names it where its folder is this one: by no name alone, for another package of its name and version
    /// may be among its dependencies (that of a crate that a dev-dependency depends on in turn).
    pub fn spec_at(&self, dir: &Path) -> String {
        format!("path+{}#{}@{}", file_url(dir), self.name, self.version)
    }

    /// Features that flags turn on.
    pub fn features_with(&self, flags: &FeatureFlags) -> BTreeSet<String> {
        flags.closure(&self.feature_table)
    }

    /// Features of the package that flags name themselves, and those that `default` names where it is on: what a user could leave out.
    pub fn features_named_by(&self, flags: &FeatureFlags) -> BTreeSet<String> {
        let defaults = self.feature_table.get("default").filter(|_| !flags.no_default || flags.all);
        let all = self.feature_table.keys().filter(|_| flags.all);
        let named = flags.features.iter().flat_map(|list| list.split([',', ' ']));
        let named = named.map(|name| name.strip_prefix(&format!("{}/", self.name)).unwrap_or(name));
        let names = defaults.into_iter().flatten().chain(all).map(String::as_str).chain(named);
        names
            .filter(|name| *name != "default" && self.feature_table.contains_key(*name))
            .map(str::to_owned)
            .collect()
    }

    /// The library, if there is one.
    pub fn library(&self) -> Option<&Target> {
        self.targets.iter().find(|t| matches!(t.kind, TargetKind::Lib | TargetKind::ProcMacro))
    }

    /// What tests are written for: the library, or where there is none, the first of the programs.
    pub fn subject(&self) -> Option<&Target> {
        self.library().or_else(|| self.programs().next())
    }

    /// Its programs, the one first that cargo would run.
    pub fn programs(&self) -> impl Iterator<Item = &Target> {
        self.targets.iter().filter(|target| target.kind == TargetKind::Bin)
    }

    /// Whether it is a program without a library: nothing of it can be used from outside.
    pub fn is_program(&self) -> bool {
        self.library().is_none() && self.programs().next().is_some()
    }

    /// Puts a program before all others; whether there is one of that name.
    pub fn prefer_program(&mut self, name: &str) -> bool {
        let is_program = |target: &Target| target.kind == TargetKind::Bin;
        let is_it = |target: &Target| is_program(target) && target.name == name;
        let first = self.targets.iter().position(is_program);
        let (Some(first), Some(at)) = (first, self.targets.iter().position(is_it)) else { return false };
        self.targets[first..=at].rotate_right(1);
        true
    }
}

/// A folder as an URL; what has a meaning there stands as a number.
fn file_url(dir: &Path) -> String {
    let is_plain = |byte: &u8| byte.is_ascii_graphic() && !b"\"#<>?`{}%^\\".contains(byte);
    let bytes = dir.as_os_str().as_encoded_bytes().iter();
    let parts = bytes.map(|byte| match is_plain(byte) {
        true => char::from(*byte).to_string(),
        false => format!("%{byte:02X}"),
    });
    format!("file://{}", parts.collect::<String>())
}

fn find_manifest(from: &Path) -> Option<PathBuf> {
    from.ancestors().map(|dir| dir.join("Cargo.toml")).find(|path| path.is_file())
}

/// `--no-deps`, because resolving would write a lock file into the user's tree.
fn metadata(manifest: &Path) -> Result<Metadata, LoadError> {
    let spec = Spec::new(testsmith_proc::cargo())
        .args(["metadata", "--format-version=1", "--no-deps", "--manifest-path"])
        .arg(manifest)
        .dir(manifest.parent().unwrap_or(Path::new(".")));
    let mut json = String::new();
    let ran = testsmith_proc::run_lines(&spec, &Limits::default(), &mut |line| json.push_str(line))?;
    match ran.ending {
        Ending::Interrupted => Err(LoadError::Interrupted),
        ending if ending.success() => {
            MetadataCommand::parse(&json).map_err(|e| LoadError::Metadata(e.to_string()))
        }
        _ => Err(LoadError::Metadata(String::from_utf8_lossy(&ran.stderr).into_owned())),
    }
}

fn choose(
    metadata: &Metadata,
    choice: &PackageChoice,
    features: &FeatureFlags,
) -> Result<Vec<Package>, LoadError> {
    let members = metadata.workspace_packages();
    let chosen: Vec<_> = match choice {
        PackageChoice::All => members.clone(),
        PackageChoice::Default => match metadata.root_package() {
            Some(package) => vec![package],
            None => metadata.workspace_default_packages(),
        },
        PackageChoice::Named(names) => names
            .iter()
            .map(|name| {
                members.iter().find(|p| p.name.as_str() == name).copied().ok_or_else(|| {
                    let known = members.iter().map(|p| p.name.to_string()).collect();
                    LoadError::NoSuchPackage(name.clone(), known)
                })
            })
            .collect::<Result<_, _>>()?,
    };
    let mut packages: Vec<_> = chosen.into_iter().map(|p| package(p, features)).collect();
    for feature in features.features.iter().filter(|feature| !feature.contains('/')) {
        if !members.iter().any(|p| p.features.contains_key(feature)) {
            let known = members.iter().flat_map(|p| p.features.keys().cloned()).collect();
            return Err(LoadError::NoSuchFeature(feature.clone(), known));
        }
    }
    packages.sort_by(|a, b| a.name.cmp(&b.name));
    packages.dedup_by(|a, b| a.name == b.name);
    Ok(packages)
}

fn package(package: &cargo_metadata::Package, features: &FeatureFlags) -> Package {
    let manifest = package.manifest_path.clone().into_std_path_buf();
    let unharnessed = unharnessed_targets(&manifest);
    let mut loaded = Package {
        name: package.name.to_string(),
        version: package.version.to_string(),
        edition: package.edition.to_string().parse().unwrap_or(2021),
        dir: dir_of(package),
        targets: package.targets.iter().filter_map(|t| target(t, &unharnessed)).collect(),
        features: features.closure(&package.features),
        feature_table: package.features.clone(),
        has_build_script: package.targets.iter().any(|t| t.kind.contains(&CargoKind::CustomBuild)),
        dependencies: package.dependencies.iter().filter_map(dependency).collect(),
        manifest,
    };
    // The name of the package says which program is the main one, unless the manifest does.
    let main = package.default_run.clone().unwrap_or_else(|| loaded.name.clone());
    loaded.prefer_program(&main);
    loaded
}

fn dependency(dependency: &cargo_metadata::Dependency) -> Option<Dependency> {
    let name = dependency.rename.as_ref().unwrap_or(&dependency.name).replace('-', "_");
    let is_used = dependency.kind == cargo_metadata::DependencyKind::Normal;
    is_used.then(|| Dependency {
        package: dependency.name.clone(),
        name,
        path: dependency.path.clone().map(Into::into),
    })
}

fn target(target: &cargo_metadata::Target, unharnessed: &[(String, String)]) -> Option<Target> {
    let (kind, section) = match target.kind.first()? {
        CargoKind::ProcMacro => (TargetKind::ProcMacro, "lib"),
        CargoKind::Bin => (TargetKind::Bin, "bin"),
        CargoKind::Test => (TargetKind::Test, "test"),
        CargoKind::Example => (TargetKind::Example, "example"),
        CargoKind::Bench => (TargetKind::Bench, "bench"),
        CargoKind::CustomBuild => (TargetKind::BuildScript, "build"),
        CargoKind::Unknown(_) => return None,
        _ => (TargetKind::Lib, "lib"),
    };
    let unharnessed =
        unharnessed.iter().any(|(s, name)| s == section && (section == "lib" || *name == target.name));
    Some(Target {
        name: target.name.clone(),
        kind,
        src: target.src_path.clone().into_std_path_buf(),
        is_linkable: target
            .kind
            .iter()
            .any(|kind| matches!(kind, CargoKind::Lib | CargoKind::RLib | CargoKind::DyLib)),
        harness: !unharnessed,
        test: target.test,
        doctest: target.doctest,
    })
}

/// `harness = false` is not in cargo's metadata: `(section, name)` of every such target of a manifest.
fn unharnessed_targets(manifest: &Path) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(manifest).unwrap_or_default();
    let table: toml::Table = text.parse().unwrap_or_default();
    let mut found = Vec::new();
    for section in ["lib", "bin", "test", "example", "bench"] {
        let entries = match table.get(section) {
            Some(toml::Value::Array(entries)) => entries.iter().collect(),
            Some(entry) => vec![entry],
            None => Vec::new(),
        };
        for entry in entries {
            if entry.get("harness").and_then(toml::Value::as_bool) == Some(false) {
                let name = entry.get("name").and_then(toml::Value::as_str).unwrap_or_default();
                found.push((section.to_owned(), name.to_owned()));
            }
        }
    }
    found
}

fn dir_of(package: &cargo_metadata::Package) -> PathBuf {
    let manifest = package.manifest_path.as_std_path();
    manifest.parent().expect("a manifest lies in a folder").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_become_urls() {
        let table = [("/a/b-c_1", "file:///a/b-c_1"), ("/a b/ü#1%?", "file:///a%20b/%C3%BC%231%25%3F")];
        for (dir, url) in table {
            assert_eq!(file_url(Path::new(dir)), url);
        }
    }

    #[test]
    fn features_turn_on_what_they_name() {
        let table: BTreeMap<String, Vec<String>> = [
            ("default", vec!["std"]),
            ("std", vec!["alloc", "dep/std", "weak?/std"]),
            ("alloc", vec![]),
            ("dep", vec!["dep:dep"]),
            ("weak", vec!["dep:weak"]),
            ("extra", vec![]),
        ]
        .into_iter()
        .map(|(name, on)| (name.to_owned(), on.into_iter().map(str::to_owned).collect()))
        .collect();
        let names = |flags: FeatureFlags| flags.closure(&table).into_iter().collect::<Vec<_>>();
        assert_eq!(names(FeatureFlags::default()), ["alloc", "default", "dep", "std"]);
        let only = FeatureFlags { features: vec!["extra".into()], no_default: true, all: false };
        assert_eq!(names(only), ["extra"]);
        assert_eq!(names(FeatureFlags { all: true, ..FeatureFlags::default() }).len(), 6);
    }
}
