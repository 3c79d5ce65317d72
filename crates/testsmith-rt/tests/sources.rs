//! The source that the tool carries is the source of this crate, with and without the harness.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

#[test]
fn every_file_is_in_the_list_with_its_text() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = BTreeMap::new();
    collect(&src, &src, &mut found);
    let listed: BTreeMap<_, _> =
        testsmith_rt::SOURCES.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    assert_eq!(listed.keys().collect::<Vec<_>>(), found.keys().collect::<Vec<_>>());
    assert!(listed == found, "a listed file has another text");
}

/// What the engine executes is built for this target.
const WASM: &str = "wasm32-wasip1";

#[test]
fn both_copies_compile_without_a_warning() {
    let copies = [(true, None), (false, None), (true, Some(WASM))];
    for (harness, target) in copies {
        let target_name = target.unwrap_or("host");
        let name = format!("testsmith-rt-{}-{harness}-{target_name}", std::process::id());
        let dir = std::env::temp_dir().join(name);
        for (path, text) in testsmith_rt::sources(harness) {
            let path = dir.join(path);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        }
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let output = Command::new(rustc)
            .args(["--edition=2021", "--crate-type=lib", "--crate-name=testsmith_rt", "--emit=metadata"])
            .args(["-Dwarnings", "--out-dir"])
            .args([&dir, &dir.join("lib.rs")])
            .args(target.map(|target| format!("--target={target}")))
            .output()
            .expect("a compiler");
        std::fs::remove_dir_all(&dir).expect("a folder");
        assert!(
            output.status.success(),
            "{harness}, {target_name}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

/// All files but those that are only compiled for tests.
fn collect(root: &Path, dir: &Path, found: &mut BTreeMap<String, String>) {
    for entry in std::fs::read_dir(dir).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(root, &path, found);
        } else if path.file_name().is_some_and(|name| name != "tests.rs") {
            let relative = path.strip_prefix(root).expect("a path below").to_str().expect("UTF-8");
            let text = std::fs::read_to_string(&path).expect("text");
            found.insert(relative.replace('\\', "/"), text);
        }
    }
}
