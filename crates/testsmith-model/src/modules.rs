//! The module tree: which files belong to the code under test.
//!
//! Follows `mod name;` from each target's root the way the compiler does, `#[path]` and cfg included, so that a
//! file that no target compiles is never looked at.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use syn::spanned::Spanned;
use syn::{Item, ItemMod};

use crate::{Attrs, Audience, CfgSet, Module, Package, Skipped, SourceFile};

/// The sources of packages.
#[derive(Clone, Default)]
pub struct SourceTree {
    /// Files in the order in which they were found.
    pub files: Vec<SourceFile>,
    /// Files and modules that are left alone.
    pub skipped: Vec<Skipped>,
}

/// Loads the sources of a package's targets; `root` is what file names are relative to.
pub fn load_sources(tree: &mut SourceTree, root: &Path, package: &Package, index: usize, cfg: &CfgSet) {
    let mut walk = Walk { tree, root, package: index, cfg, seen: BTreeSet::new() };
    for target in package.targets.iter().filter(|t| t.kind.is_under_test()) {
        let Some(dir) = target.src.parent() else { continue };
        walk.file(&target.src, dir.to_owned(), Vec::new());
    }
}

struct Walk<'a> {
    tree: &'a mut SourceTree,
    root: &'a Path,
    package: usize,
    cfg: &'a CfgSet,
    /// A file may be compiled into several targets; it is rewritten once.
    seen: BTreeSet<PathBuf>,
}

impl Walk<'_> {
    /// Loads a file whose child modules lie in `children`.
    fn file(&mut self, path: &Path, children: PathBuf, module: Vec<String>) {
        if !self.seen.insert(path.to_owned()) {
            return;
        }
        let name = self.name(path);
        let Ok(bytes) = std::fs::read(path) else {
            return self.skip(name, 0, "file", "cannot be read");
        };
        if is_generated(&bytes) {
            return self.skip(name, 0, "file", "generated");
        }
        let module_path = Module { path: module.clone(), dir: children.clone() };
        match SourceFile::parse(path.to_owned(), name.clone(), self.package, module_path, bytes) {
            Err(reason) => self.skip(name, 0, "file", &reason),
            Ok(file) => {
                let at = self.tree.files.len();
                let mods = child_modules(&file.ast.items);
                self.tree.files.push(file);
                let dir = path.parent().unwrap_or(self.root).to_owned();
                self.modules(at, mods, &dir, &children, &module);
            }
        }
    }

    /// Follows the modules declared in a file: `dir` is where `#[path]` starts, `children` where names do.
    fn modules(&mut self, at: usize, mods: Vec<ItemMod>, dir: &Path, children: &Path, outer: &[String]) {
        for item in mods {
            let attrs = Attrs::read(&item.attrs, self.cfg);
            let name = item.ident.to_string().trim_start_matches("r#").to_owned();
            if attrs.audience() != Audience::Users || Attrs::skip(&item.attrs) {
                continue; // Reported where the item is visited.
            }
            let module: Vec<_> = outer.iter().cloned().chain([name.clone()]).collect();
            let path = attrs.value("path");
            if let Some((_, items)) = &item.content {
                let inner = match &path {
                    Some(path) => dir.join(path),
                    None => children.join(&name),
                };
                self.modules(at, child_modules(items), &inner, &inner, &module);
            } else if let Some(path) = path {
                let file = dir.join(path);
                let children = file.parent().unwrap_or(dir).to_owned();
                self.file(&file, children, module);
            } else {
                let flat = children.join(format!("{name}.rs"));
                let nested = children.join(&name).join("mod.rs");
                match [flat, nested].into_iter().find(|p| p.is_file()) {
                    Some(file) => self.file(&file, children.join(&name), module),
                    None => {
                        let place = self.tree.files[at].place(item.span().byte_range().start);
                        let declared = self.tree.files[at].name.clone();
                        self.skip(declared, place.line, &format!("mod {name}"), "its file was not found");
                    }
                }
            }
        }
    }

    /// The path from the root, without `..`: `#[path]` may lead through other folders.
    fn name(&self, path: &Path) -> String {
        let mut plain = PathBuf::new();
        for component in path.components() {
            match component {
                Component::ParentDir => drop(plain.pop()),
                other => plain.push(other),
            }
        }
        let relative = plain.strip_prefix(self.root).unwrap_or(&plain);
        let parts: Vec<_> = relative.components().map(|c| c.as_os_str().to_string_lossy()).collect();
        parts.join("/")
    }

    fn skip(&mut self, file: String, line: usize, what: &str, reason: &str) {
        let (what, reason) = (what.to_owned(), reason.to_owned());
        self.tree.skipped.push(Skipped { file, line, what, reason });
    }
}

fn child_modules(items: &[Item]) -> Vec<ItemMod> {
    let mods = items.iter().filter_map(|item| match item {
        Item::Mod(item) => Some(item.clone()),
        _ => None,
    });
    mods.collect()
}

/// The convention that generators follow: the word in one of the first lines.
fn is_generated(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(2000)];
    let mark = concat!("@", "generated");
    String::from_utf8_lossy(head).lines().take(5).any(|line| line.contains(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes files, loads the tree from `src/lib.rs`, and prints `file = module` lines.
    fn check(files: &[(&str, &str)], expected: &[&str]) {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let mut tree = SourceTree::default();
        let cfg = CfgSet::parse("unix");
        let mut walk =
            Walk { tree: &mut tree, root: dir.path(), package: 0, cfg: &cfg, seen: BTreeSet::new() };
        walk.file(&dir.path().join("src/lib.rs"), dir.path().join("src"), Vec::new());
        let dir = |f: &SourceFile| f.module.dir.strip_prefix(dir.path()).unwrap().display().to_string();
        let files =
            tree.files.iter().map(|f| format!("{} = {} in {}", f.name, f.module.path.join("::"), dir(f)));
        let skipped = tree.skipped.iter().map(|s| format!("{}:{} {}: {}", s.file, s.line, s.what, s.reason));
        assert_eq!(files.chain(skipped).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn modules_are_found_where_the_compiler_finds_them() {
        check(
            &[
                ("src/lib.rs", "mod a;\nmod b;\n#[path = \"odd/x.rs\"] mod c;\nmod d { mod e; }\nmod gone;"),
                ("src/a.rs", "mod inner;"),
                ("src/a/inner.rs", ""),
                ("src/b/mod.rs", "mod inner;"),
                ("src/b/inner.rs", ""),
                ("src/odd/x.rs", "mod near;"),
                ("src/odd/near.rs", ""),
                ("src/d/e.rs", ""),
            ],
            &[
                "src/lib.rs =  in src",
                "src/a.rs = a in src/a",
                "src/a/inner.rs = a::inner in src/a/inner",
                "src/b/mod.rs = b in src/b",
                "src/b/inner.rs = b::inner in src/b/inner",
                "src/odd/x.rs = c in src/odd",
                "src/odd/near.rs = c::near in src/odd/near",
                "src/d/e.rs = d::e in src/d/e",
                "src/lib.rs:5 mod gone: its file was not found",
            ],
        );
    }

    #[test]
    fn switched_off_generated_and_broken_files_are_left_alone() {
        let generated = format!("// {}{} by a tool\n", "@", "generated");
        check(
            &[
                ("src/lib.rs", "#[cfg(windows)] mod w;\n#[cfg(test)] mod tests;\nmod g; mod broken;"),
                ("src/w.rs", ""),
                ("src/tests.rs", ""),
                ("src/g.rs", &generated),
                ("src/broken.rs", "fn = 1;"),
            ],
            &[
                "src/lib.rs =  in src",
                "src/g.rs:0 file: generated",
                "src/broken.rs:0 file: line 1: syntax not understood: expected identifier",
            ],
        );
    }
}
