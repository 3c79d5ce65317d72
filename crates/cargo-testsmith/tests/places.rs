//! Where a crate lies and how it is laid out: odd folder names, targets in unusual places, links and read-only files,
//! cargo's own configuration, and target folders inside of the tree.

mod util;

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use util::{Fixture, MANIFEST};

const LIB: &str = "pub fn is_big(n: u32) -> bool {\n    n > 9\n}\n";
const TEST: &str =
    "#[test]\nfn big() {\n    assert!(sample::is_big(10) && !sample::is_big(9) && !sample::is_big(1));\n}\n";
const FILES: &[(&str, &str)] = &[("src/lib.rs", LIB), ("tests/all.rs", TEST)];

/// All mutants of [`LIB`] are killed, wherever the crate is.
#[track_caller]
fn check(fixture: &Fixture, arguments: &[&str]) {
    let score = fixture.score(arguments);
    let counts = ["generated", "killed"].map(|name| score.count(name));
    assert_eq!(counts, [12, 12], "{:#}", score.0["mutants"]);
    assert!(fixture.report().is_file(), "the report is elsewhere");
}

#[test]
fn folders_may_have_any_name() {
    for name in ["with space", "ümläut", "ha#sh", "question?", "a+b=[c]{d}'$e"] {
        check(&Fixture::package_at(name, FILES), &[]);
    }
}

#[test]
fn a_manifest_path_may_be_relative() {
    let fixture = Fixture::package_at("deep/down", FILES);
    for (folder, path) in
        [("", "Cargo.toml"), ("..", "down/Cargo.toml"), ("src", "../Cargo.toml"), ("src", "..")]
    {
        let mut tool = fixture.tool();
        tool.args(["list", "--json", "--manifest-path", path]).current_dir(fixture.path(folder));
        let list = fixture.start(&mut tool).wait().expect_code(0).json();
        assert_eq!(list["mutants"].as_array().map(Vec::len), Some(12), "{path} in {folder}");
    }
}

#[test]
fn a_target_folder_in_the_tree_is_not_copied_into_itself() {
    let fixture = Fixture::package(FILES).with_target("out");
    // The second time, there is something to copy.
    check(&fixture, &["--target-dir", "out"]);
    check(&fixture, &["--target-dir", "out"]);
    assert!(!fixture.path("out/testsmith/plain/out").exists());
}

#[test]
fn cargos_own_choice_of_a_target_folder_counts() {
    let fixture = Fixture::package(FILES).with_target("out");
    fixture.write(".cargo/config.toml", "[build]\ntarget-dir = \"out\"\n");
    check(&fixture, &[]);
    let fixture = Fixture::package(FILES).with_target("elsewhere");
    let mut tool = fixture.tool();
    tool.args(["score", "--json"]).env("CARGO_TARGET_DIR", fixture.path("elsewhere"));
    fixture.start(&mut tool).wait().expect_code(0);
    assert!(fixture.report().is_file());
}

#[test]
fn cargos_configuration_reaches_the_compiler_and_the_tests() {
    let fixture = Fixture::package(FILES);
    fixture.write(
        ".cargo/config.toml",
        "[build]\nrustflags = [\"--cfg\", \"chosen\"]\n\n[env]\nFROM_CARGO = \"yes\"\n",
    );
    fixture.write(
        "tests/env.rs",
        "#[test]\nfn env() {\n    assert!(cfg!(chosen));\n    assert_eq!(env!(\"FROM_CARGO\"), \"yes\");\n    \
         assert_eq!(std::env::var(\"FROM_CARGO\").as_deref(), Ok(\"yes\"));\n}\n",
    );
    check(&fixture, &[]);
}

#[test]
fn what_cargo_tells_tests_about_their_package_is_there() {
    let fixture = Fixture::package(FILES);
    let names =
        ["CARGO", "CARGO_MANIFEST_DIR", "CARGO_PKG_NAME", "CARGO_PKG_VERSION", "CARGO_PKG_VERSION_MAJOR"];
    let lines = names.map(|name| format!("    std::env::var(\"{name}\").expect(\"{name}\");\n"));
    fixture.write("tests/env.rs", format!("#[test]\nfn env() {{\n{}}}\n", lines.concat()));
    check(&fixture, &[]);
}

#[test]
fn a_lock_file_stays_as_it_is() {
    let fixture = Fixture::copy("skip");
    // Older than the manifest: cargo would bring it up to date.
    fixture.write(
        "Cargo.lock",
        "version = 3\n\n[[package]]\nname = \"mutants\"\nversion = \"0.0.1\"\n\n\
         [[package]]\nname = \"skip\"\nversion = \"0.1.0\"\ndependencies = [\"mutants\"]\n",
    );
    assert_eq!(fixture.score(&[]).count("killed"), 4);
}

#[test]
fn read_only_files_are_copied_and_copied_again() {
    let fixture = Fixture::package(FILES);
    let protect = |mode| {
        for (name, _) in FILES {
            fs::set_permissions(fixture.path(name), Permissions::from_mode(mode)).expect("it is ours");
        }
    };
    protect(0o444);
    check(&fixture, &[]);
    protect(0o644);
    fixture.replace("tests/all.rs", "is_big(9)", "is_big(8)");
    fixture.replace("src/lib.rs", "n > 9", "n > 09");
    protect(0o444);
    assert_eq!(fixture.score(&["--operators", "ror"]).survivors(), ["src/lib.rs:2 > → >="]);
}

#[test]
fn links_are_followed_and_never_written_through() {
    let fixture = Fixture::package(&[("tests/all.rs", TEST), ("real/lib.rs", LIB), ("data/one.txt", "one")]);
    fs::create_dir(fixture.path("src")).expect("the folder is new");
    symlink("../real/lib.rs", fixture.path("src/lib.rs")).expect("links can be made");
    symlink("data", fixture.path("linked")).expect("links can be made");
    symlink("nowhere", fixture.path("dangling")).expect("links can be made");
    let reads = "#[test]\nfn reads() {\n    assert_eq!(std::fs::read_to_string(\"linked/one.txt\").unwrap(), \"one\");\n}\n";
    fixture.write("tests/reads.rs", reads);
    check(&fixture, &[]);
}

#[test]
fn a_crate_in_a_linked_folder_is_found() {
    let fixture = Fixture::package_at("real", FILES);
    let link = fixture.beside("link");
    symlink(fixture.path(""), &link).expect("links can be made");
    let mut tool = fixture.tool();
    fixture.start(tool.arg("score").current_dir(&link)).wait().expect_code(0);
    assert!(fixture.report().is_file());
}

/// A crate with nothing where cargo expects it.
fn unusual() -> Fixture {
    let manifest = MANIFEST.replace("[workspace]", "autotests = false\n\n[workspace]");
    let targets = "[lib]\nname = \"other\"\npath = \"code/root.rs\"\n\n\
        [[test]]\nname = \"first\"\npath = \"checks/first.rs\"\n\n\
        [[test]]\nname = \"off\"\npath = \"checks/off.rs\"\ntest = false\n\n\
        [[bin]]\nname = \"tool\"\npath = \"code/tool.rs\"\n\n[[example]]\nname = \"shown\"\ntest = true\n";
    Fixture::package(&[
        ("Cargo.toml", &format!("{manifest}\n{targets}")),
        (
            "code/root.rs",
            "#[path = \"../shared/extra.rs\"]\npub mod extra;\n\npub fn one() -> bool {\n    true\n}\n",
        ),
        ("shared/extra.rs", "pub fn two() -> bool {\n    true\n}\n"),
        (
            "code/tool.rs",
            "fn main() {}\n\nfn three() -> bool {\n    true\n}\n\n#[test]\nfn is_three() {\n    assert!(three());\n}\n",
        ),
        ("checks/first.rs", "#[test]\nfn first() {\n    assert!(other::one());\n}\n"),
        ("checks/off.rs", "#[test]\nfn off() {\n    panic!();\n}\n"),
        (
            "examples/shown.rs",
            "fn main() {}\n\n#[test]\nfn shown() {\n    assert!(other::extra::two());\n}\n",
        ),
    ])
}

#[test]
fn targets_are_found_wherever_the_manifest_says() {
    let fixture = unusual();
    let score = fixture.score(&["--operators", "bool"]);
    let killed: Vec<_> =
        score.entries("verdicts").iter().filter(|entry| entry["verdict"] == "killed").collect();
    let by = |file: &str| {
        let entry = killed.iter().find(|entry| entry["file"] == file);
        entry.unwrap_or_else(|| panic!("nothing killed in {file}: {:#}", score.0["verdicts"]))["by"].clone()
    };
    assert_eq!(by("code/root.rs"), "test first: first");
    assert_eq!(by("code/tool.rs"), "bin tool: is_three");
    assert_eq!(by("shared/extra.rs"), "example shown: shown");
    assert_eq!(score.0["tests"]["run"], 3);
}

#[test]
fn a_diff_finds_files_of_modules_with_a_path() {
    let fixture = unusual();
    let diff = fixture.beside("my.diff");
    fs::write(
        &diff,
        "--- a/shared/extra.rs\n+++ b/shared/extra.rs\n@@ -1,3 +1,3 @@\n pub fn two() -> bool {\n-    false\n+    true\n }\n",
    )
    .expect("the diff can be written");
    let list = fixture.list(&["--operators", "bool", "--in-diff", diff.to_str().expect("a plain path")]);
    assert_eq!(list["mutants"].as_array().map(Vec::len), Some(1), "{list:#}");
}

/// As the guide says: `git diff main.. > my.diff`, which names files from the root of the repository.
#[test]
fn a_diff_of_a_repository_around_the_workspace_fits() {
    let fixture = Fixture::package_at("rust", FILES);
    let repository = fixture.path("..");
    fs::write(repository.join("README"), "new\n").expect("the file can be written");
    fs::create_dir(repository.join(".git")).expect("the folder is new");
    let diff = fixture.beside("my.diff");
    fs::write(
        &diff,
        "--- a/README\n+++ b/README\n@@ -1 +1 @@\n-old\n+new\n--- a/rust/src/lib.rs\n+++ b/rust/src/lib.rs\n\
         @@ -2 +2 @@ pub fn is_big(n: u32) -> bool {\n-    n > 8\n+    n > 9\n",
    )
    .expect("the diff can be written");
    let list = fixture.list(&["--in-diff", diff.to_str().expect("a plain path")]);
    assert_eq!(list["mutants"].as_array().map(Vec::len), Some(12), "{list:#}");
}

#[test]
fn version_control_and_what_is_built_are_not_copied() {
    let fixture = Fixture::package(FILES);
    fixture.write(".git/HEAD", "ref: refs/heads/main\n");
    fixture.write("sub/target/CACHEDIR.TAG", "");
    fixture.write("target/debug/big", "big");
    check(&fixture, &[]);
    for name in [".git", "sub/target", "target"] {
        assert!(!Path::new(&fixture.path("target/testsmith/plain")).join(name).exists(), "{name}");
    }
}
