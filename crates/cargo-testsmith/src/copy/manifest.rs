//! Manifests of the copies: a workspace of their own, path dependencies that lead outside made absolute, and, for
//! the meta-program, the run-time library as a dependency.

use std::path::{Path, PathBuf};

use testsmith_instrument::RUNTIME as RUNTIME_NAME;
use testsmith_model::Package;
use toml_edit::{DocumentMut, InlineTable, Item, Table, Value};

use crate::failure::{Code, Failure, IoContext};

/// Name of the run-time library, and of its folder in the meta-program.
/// No package of the user's has it.
pub(crate) const RUNTIME_PACKAGE: &str = "testsmith-runtime-of-the-copy";

/// The manifest of the run-time library. What lies in a workspace and is depended on is a member of it.
pub(crate) const RUNTIME: &str = r#"[package]
name = "testsmith-runtime-of-the-copy"
version = "0.0.0"
edition = "2021"
publish = false
"#;

/// Name of the harness, and of the folder with its sources in the package.
pub(crate) const HARNESS: &str = "testsmith-harness";

/// What a copy's manifest has otherwise than the original.
#[derive(Default)]
pub(crate) struct Changes {
    /// Dev-dependencies that are left out.
    pub(crate) without: Vec<String>,
    /// Where the run-time library is, for the meta-program.
    pub(crate) runtime: Option<PathBuf>,
    /// The harness is one of the package's programs.
    pub(crate) harness: Option<HarnessChange>,
}

/// What the harness needs of a package.
pub(crate) struct HarnessChange {
    /// The crate and the root file of a program that becomes a library, so that the harness can call it.
    program: Option<(String, PathBuf)>,
}

impl HarnessChange {
    /// What it needs of this one.
    pub(crate) fn of(package: &Package) -> HarnessChange {
        let program = package.subject().filter(|_| package.is_program()).map(|program| {
            let path = program.src.strip_prefix(&package.dir).unwrap_or(&program.src);
            (program.crate_name(), path.to_owned())
        });
        HarnessChange { program }
    }
}

/// The manifest at `relative` for a copy.
pub(crate) fn changed(root: &Path, relative: &Path, changes: &Changes) -> Result<String, Failure> {
    let mut manifest = load(root, relative)?;
    leave_out(manifest.as_table_mut(), &changes.without);
    if let Some(runtime) = &changes.runtime {
        let mut dependency = InlineTable::new();
        dependency.insert("package", RUNTIME_PACKAGE.into());
        dependency.insert("path", runtime.to_string_lossy().into_owned().into());
        let dependencies = manifest.entry("dependencies").or_insert(Item::Table(Table::new()));
        dependencies[RUNTIME_NAME] = Item::Value(Value::InlineTable(dependency));
    }
    if let Some(HarnessChange { program }) = &changes.harness {
        add_harness(&mut manifest);
        if let Some((name, path)) = program {
            manifest.insert("lib", library(name, path));
        }
    }
    Ok(manifest.to_string())
}

/// The harness as a program of the package, in an edition of its own; the library has to be one that programs can use.
fn add_harness(manifest: &mut DocumentMut) {
    let mut program = Table::new();
    program["name"] = toml_edit::value(HARNESS);
    program["path"] = toml_edit::value(format!("{HARNESS}/main.rs"));
    program["edition"] = toml_edit::value("2021");
    for no in ["test", "bench", "doc"] {
        program[no] = toml_edit::value(false);
    }
    let programs = manifest.entry("bin").or_insert(Item::ArrayOfTables(Default::default()));
    if let Some(programs) = programs.as_array_of_tables_mut() {
        programs.push(program);
    }
    if let Some(library) = manifest.get_mut("lib").and_then(Item::as_table_mut)
        && library.get("proc-macro").is_none_or(|is| is.as_bool() != Some(true))
    {
        library.remove("crate-type");
        library.remove("crate_type");
    }
}

/// A program as a library.
fn library(name: &str, path: &Path) -> Item {
    let mut library = Table::new();
    library["name"] = toml_edit::value(name);
    library["path"] = toml_edit::value(path.to_string_lossy().into_owned());
    Item::Table(library)
}

/// A copy's manifest with a test target, whether or not cargo would find it by itself, and without some dev-dependencies.
pub(crate) fn with_test(path: &Path, name: &str, without: &[String]) -> Result<String, Failure> {
    let text = std::fs::read_to_string(path).doing("read", path)?;
    let mut manifest: DocumentMut = text.parse().map_err(Failure::bug)?;
    leave_out(manifest.as_table_mut(), without);
    let mut target = Table::new();
    target["name"] = toml_edit::value(name);
    target["path"] = toml_edit::value(format!("tests/{name}/main.rs"));
    let tests = manifest.entry("test").or_insert(Item::ArrayOfTables(Default::default()));
    if let Some(tests) = tests.as_array_of_tables_mut()
        && !tests.iter().any(|test| test.get("name").and_then(Item::as_str) == Some(name))
    {
        tests.push(target);
    }
    Ok(manifest.to_string())
}

/// Removes dev-dependencies, also those of `[target.….dev-dependencies]`.
fn leave_out(table: &mut Table, names: &[String]) {
    for (key, item) in table.iter_mut() {
        match (key.get(), item) {
            ("dev-dependencies" | "dev_dependencies", Item::Table(dependencies)) => {
                dependencies.retain(|name, _| !names.iter().any(|left_out| left_out == name));
            }
            ("target", Item::Table(targets)) => {
                for (_, target) in targets.iter_mut() {
                    target.as_table_mut().into_iter().for_each(|target| leave_out(target, names));
                }
            }
            _ => {}
        }
    }
}

fn load(root: &Path, relative: &Path) -> Result<DocumentMut, Failure> {
    let path = root.join(relative);
    let text = std::fs::read_to_string(&path).doing("read", &path)?;
    let mut manifest: DocumentMut = text.parse().map_err(|e: toml_edit::TomlError| {
        Failure::new(
            Code::Usage,
            format!("{} cannot be read\n{}", path.display(), testsmith_model::indented(&e.to_string())),
        )
    })?;
    let dir = path.parent().unwrap_or(root).to_owned();
    make_absolute(manifest.as_table_mut(), root, &dir);
    if relative == Path::new("Cargo.toml") && !manifest.contains_key("workspace") {
        // Otherwise cargo would look for a workspace in the folders above.
        manifest["workspace"] = Item::Table(Table::new());
    }
    Ok(manifest)
}

/// Dependencies stand in tables of these names, at any depth (`target.*.dependencies`, `patch.*`).
const DEPENDENCY_TABLES: [&str; 5] =
    ["dependencies", "dev-dependencies", "build-dependencies", "patch", "replace"];

fn make_absolute(table: &mut Table, root: &Path, dir: &Path) {
    for (key, item) in table.iter_mut() {
        if DEPENDENCY_TABLES.contains(&key.get()) {
            absolute_paths(item, root, dir);
        } else if let Item::Table(inner) = item
            && matches!(key.get(), "target" | "workspace")
        {
            make_absolute_below(inner, root, dir);
        }
    }
}

fn make_absolute_below(table: &mut Table, root: &Path, dir: &Path) {
    for (key, item) in table.iter_mut() {
        if DEPENDENCY_TABLES.contains(&key.get()) {
            absolute_paths(item, root, dir);
        } else if let Item::Table(inner) = item {
            make_absolute_below(inner, root, dir);
        }
    }
}

/// Every `path = "…"` in it that leaves the workspace.
fn absolute_paths(item: &mut Item, root: &Path, dir: &Path) {
    let Some(table) = item.as_table_like_mut() else { return };
    if let Some(path) = table.get("path").and_then(Item::as_str)
        && let Some(absolute) = outside(path, root, dir)
    {
        table.insert("path", Item::Value(absolute.to_string_lossy().into_owned().into()));
    }
    for (_, inner) in table.iter_mut() {
        absolute_paths(inner, root, dir);
    }
}

fn outside(path: &str, root: &Path, dir: &Path) -> Option<PathBuf> {
    let absolute = dir.join(path).canonicalize().ok()?;
    let root = root.canonicalize().ok()?;
    (!absolute.starts_with(root)).then_some(absolute)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_leave_the_workspace_become_absolute_and_the_runtime_is_added() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("ws");
        for name in ["ws/inside", "outside"] {
            std::fs::create_dir_all(dir.path().join(name)).unwrap();
        }
        let text = "[package]\nname = \"x\"\n\n[dependencies]\na = { path = \"../outside\" }\nb = { path = \"inside\" }\n\
                    [target.'cfg(unix)'.dev-dependencies.c]\npath = \"../outside\"\n";
        std::fs::write(root.join("Cargo.toml"), text).unwrap();
        let out = dir.path().join("outside").canonicalize().unwrap().display().to_string();
        let plain = changed(&root, Path::new("Cargo.toml"), &Changes::default()).unwrap();
        let expected = text.replace("../outside", &out) + "\n[workspace]\n";
        assert_eq!(plain, expected);
        let changes = Changes { without: vec!["c".to_owned()], runtime: Some("/rt".into()), harness: None };
        let meta = changed(&root, Path::new("Cargo.toml"), &changes).unwrap();
        assert!(
            meta.contains("__testsmith = { package = \"testsmith-runtime-of-the-copy\", path = \"/rt\" }"),
            "{meta}"
        );
        assert!(!meta.contains("dev-dependencies.c"), "{meta}");
    }
}
