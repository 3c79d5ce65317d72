//! The packages that are linked to a package, and how much code they are: what cargo has resolved ([`linked`]).

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, PackageId, TargetKind};
use testsmith_proc::{Limits, Spec};

/// A package that is linked to another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linked {
    /// As cargo names it: `regex@1.10.2`.
    pub spec: String,
    /// Bytes of its sources.
    pub bytes: u64,
}

/// What is linked to the package with a manifest, the nearest first. `spec` is a `cargo metadata` in the right folder, with its
/// features; nothing where cargo cannot say.
pub fn linked(spec: Spec, manifest: &Path) -> Vec<Linked> {
    let spec = spec.args(["--format-version=1", "--manifest-path"]).arg(manifest);
    let mut json = String::new();
    let ran = testsmith_proc::run_lines(&spec, &Limits::default(), &mut |line| json.push_str(line));
    if !ran.is_ok_and(|ran| ran.ending.success()) {
        return Vec::new();
    }
    MetadataCommand::parse(&json).map(|metadata| below(&metadata, manifest)).unwrap_or_default()
}

fn below(metadata: &Metadata, manifest: &Path) -> Vec<Linked> {
    let Some(resolve) = &metadata.resolve else { return Vec::new() };
    let nodes: BTreeMap<&PackageId, _> = resolve.nodes.iter().map(|node| (&node.id, node)).collect();
    let packages: BTreeMap<&PackageId, _> = metadata.packages.iter().map(|it| (&it.id, it)).collect();
    let root = metadata.packages.iter().find(|package| package.manifest_path.as_std_path() == manifest);
    let mut open: VecDeque<&PackageId> = root.iter().map(|root| &root.id).collect();
    let mut seen: BTreeSet<&PackageId> = open.iter().copied().collect();
    let mut found = Vec::new();
    while let Some(id) = open.pop_front() {
        for dependency in nodes.get(id).into_iter().flat_map(|node| &node.deps) {
            let is_normal = dependency.dep_kinds.iter().any(|kind| kind.kind == DependencyKind::Normal);
            let Some(package) = packages.get(&dependency.pkg).filter(|_| is_normal) else { continue };
            let runs_in_compiler = package.targets.iter().any(|it| it.kind.contains(&TargetKind::ProcMacro));
            if runs_in_compiler || !seen.insert(&dependency.pkg) {
                continue;
            }
            open.push_back(&dependency.pkg);
            let sources = package.manifest_path.as_std_path().with_file_name("src");
            let spec = format!("{}@{}", package.name, package.version);
            found.push(Linked { spec, bytes: bytes_below(&sources) });
        }
    }
    found
}

/// Bytes of the Rust files below a folder.
fn bytes_below(dir: &Path) -> u64 {
    let mut bytes = 0;
    let mut open = vec![dir.to_owned()];
    while let Some(dir) = open.pop() {
        for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
            let path = entry.path();
            match entry.metadata() {
                Ok(of) if of.is_dir() => open.push(path),
                Ok(of) if path.extension().is_some_and(|it| it == "rs") => bytes += of.len(),
                _ => {}
            }
        }
    }
    bytes
}
