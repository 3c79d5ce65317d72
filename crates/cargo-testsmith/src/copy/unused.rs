//! Dev-dependencies that no test uses: building criterion takes longer than most suites run.
//!
//! A dependency whose name stands nowhere in the sources and tests cannot be used by them. Should leaving it out
//! break the build all the same (it may have turned on a feature of another one), the caller puts it back.

use std::collections::BTreeSet;
use std::path::Path;

use toml::{Table, Value};

/// Names of dev-dependencies that only benches and examples can use.
pub(crate) fn dev_dependencies(manifest: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(manifest).unwrap_or_default();
    let table: Table = text.parse().unwrap_or_default();
    let mut names = BTreeSet::new();
    collect(&table, &mut names);
    names.retain(|name| !features_name(&table, name));
    if names.is_empty() {
        return Vec::new();
    }
    let Some(dir) = manifest.parent() else { return Vec::new() };
    let mut words = BTreeSet::new();
    read_words(dir, dir, &mut words);
    names.into_iter().filter(|name| !words.contains(&name.replace('-', "_"))).collect()
}

/// Names of dev-dependencies that stand in none of these texts.
pub(crate) fn in_texts(manifest: &Path, files: &[(String, String)]) -> Vec<String> {
    let text = std::fs::read_to_string(manifest).unwrap_or_default();
    let table: Table = text.parse().unwrap_or_default();
    let mut names = BTreeSet::new();
    collect(&table, &mut names);
    names.retain(|name| !features_name(&table, name));
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let words: BTreeSet<&str> = files.iter().flat_map(|(_, text)| text.split(|c| !is_part(c))).collect();
    names.into_iter().filter(|name| !words.contains(name.replace('-', "_").as_str())).collect()
}

/// Whether a feature turns on one of the dependency: `criterion/real_blackbox`. The manifest would be wrong without it.
fn features_name(table: &Table, dependency: &str) -> bool {
    let features = table.get("features").and_then(Value::as_table).into_iter().flat_map(Table::values);
    let mut parts = features.filter_map(Value::as_array).flatten().filter_map(Value::as_str);
    parts.any(|part| part.split(['/', '?']).next() == Some(dependency) && part != dependency)
}

fn collect(table: &Table, names: &mut BTreeSet<String>) {
    for key in ["dev-dependencies", "dev_dependencies"] {
        if let Some(Value::Table(dependencies)) = table.get(key) {
            names.extend(dependencies.keys().cloned());
        }
    }
    if let Some(Value::Table(targets)) = table.get("target") {
        targets.values().filter_map(Value::as_table).for_each(|target| collect(target, names));
    }
}

/// Every word of the package's sources and of Markdown files, whose code may be tested too.
fn read_words(root: &Path, dir: &Path, words: &mut BTreeSet<String>) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_apart = dir == root && matches!(name.as_str(), "benches" | "examples" | "target")
            || name.starts_with('.');
        let is_package = path.join("Cargo.toml").is_file();
        if path.is_dir() && !is_apart && !is_package {
            read_words(root, &path, words);
        } else if name.ends_with(".rs") || name.ends_with(".md") {
            let text = std::fs::read(&path).unwrap_or_default();
            let text = String::from_utf8_lossy(&text);
            let parts = text.split(|c: char| !c.is_alphanumeric() && c != '_');
            words.extend(parts.filter(|word| !word.is_empty()).map(str::to_owned));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dev_dependency_is_used_if_its_name_stands_in_a_source_or_test() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write(
            "Cargo.toml",
            "[dev-dependencies]\nserde-json = \"1\"\nrand = \"1\"\nin-docs = \"1\"\nfeatured = \"1\"\n\
             [features]\nf = [\"featured/more\"]\n\
             [target.'cfg(unix)'.dev-dependencies]\ncriterion = \"1\"\n",
        );
        write("tests/a.rs", "use serde_json::Value; // operand");
        write("src/lib.rs", "");
        write("README.md", "in_docs::f()");
        write("benches/b.rs", "use criterion::x; use rand::y;");
        assert_eq!(dev_dependencies(&dir.path().join("Cargo.toml")), ["criterion", "rand"]);
    }
}
