//! What is wrong with a machine, a configuration or a kind of crate has its own answer: what happened, why, and what to do.
//! Exit code 70 is for bugs of the tool alone.

mod util;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use util::{Fixture, MANIFEST};

const LIB: &str = "pub fn is_big(n: u32) -> bool {\n    n > 9\n}\n";
const TEST: &str = "#[test]\nfn big() {\n    assert!(sample::is_big(20) && !sample::is_big(1));\n}\n";
const GENERATE: [&str; 3] = ["generate", "--executions", "500"];

fn package(extra: &str) -> Fixture {
    let manifest = MANIFEST.replace("\n[workspace]\n", &format!("{extra}\n[workspace]\n"));
    Fixture::package(&[("Cargo.toml", &manifest), ("src/lib.rs", LIB), ("tests/all.rs", TEST)]).with_tests()
}

/// A command must end with this code and these words.
#[track_caller]
fn check(fixture: &Fixture, arguments: &[&str], code: i32, words: &[&str]) {
    let run = fixture.run(arguments).expect_code(code).expect_words(words);
    assert!(!run.stderr.contains("internal error"), "{run:#?}");
}

#[test]
fn what_cannot_be_downloaded_is_no_bug() {
    let fixture = package("[dependencies]\nno-such-crate-is-on-this-machine = \"1\"\n");
    let words = &["a dependency is not on this machine", "no-such-crate-is-on-this-machine", "cargo fetch"];
    for command in [&["score"][..], &["inspect"], &GENERATE, &["generate", "--all-mutants"]] {
        check(&fixture, &[command, &["--offline"]].concat(), 6, words);
    }
}

#[test]
fn a_target_in_cargos_configuration_works() {
    let host = "x86_64-unknown-linux-gnu";
    if !cfg!(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu")) {
        return;
    }
    let fixture = package("");
    for target in [format!("\"{host}\""), format!("[\"{host}\"]"), "\"wasm32-unknown-unknown\"".to_owned()] {
        fixture.write(".cargo/config.toml", format!("[build]\ntarget = {target}\n"));
        let score = fixture.run(&["score", "-f", "lib.rs"]).expect_code(2);
        let is_foreign = target.contains("wasm");
        assert_eq!(
            score.stderr.contains("tests run here, so all is built for x86_64"),
            is_foreign,
            "{score:#?}"
        );
        let report =
            fixture.run(&[&GENERATE[..], &["--json", "--all-mutants"]].concat()).expect_code(0).json();
        assert!(report["tests"].as_u64() > Some(0) || report["existing"].is_object(), "{report:#}");
        let _ = fs::remove_dir_all(fixture.path("tests/testsmith"));
    }
}

#[test]
fn kinds_of_crate_that_no_test_can_call_are_told_before_any_work() {
    let cases: [(&str, &str, &[&str]); 3] = [
        ("[lib]\ncrate-type = [\"cdylib\"]\n", LIB, &["crate-type", "`crate-type = [\"cdylib\", \"lib\"]`"]),
        ("[lib]\ncrate-type = [\"staticlib\"]\n", LIB, &["crate-type"]),
        (
            "[lib]\nproc-macro = true\n",
            "#[proc_macro]\npub fn twice(x: proc_macro::TokenStream) -> proc_macro::TokenStream {\n    \
             if x.is_empty() { x } else { x.clone() }\n}\nextern crate proc_macro;\n",
            &["is a procedural macro", "proc_macro2"],
        ),
    ];
    for (manifest, lib, words) in cases {
        let fixture = package(manifest);
        fixture.write("src/lib.rs", lib);
        check(&fixture, &GENERATE, 4, words);
        assert!(!fixture.path("target/testsmith/build").exists(), "{manifest}");
    }
}

/// A compiler that does this when it is asked for the crate in a copy, and is the real one otherwise.
fn compiler(fixture: &Fixture, copy: &str, does: &str) -> PathBuf {
    let path = fixture.beside("rustc");
    let script = format!(
        "#!/bin/sh\ncase \"$PWD $*\" in *testsmith/{copy}*\"--crate-name sample\"*) {does};; esac\nexec rustc \"$@\"\n"
    );
    fs::write(&path, script).expect("it can be written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it is ours");
    path
}

#[test]
fn a_compiler_that_crashes_is_named_and_not_the_tool() {
    let crash = "echo 'error: internal compiler error: unexpected panic' >&2; exit 101";
    let killed = "kill -9 $$";
    let cases = [
        ("plain", crash, &["the compiler crashed", "another toolchain"][..]),
        ("meta", crash, &["the compiler crashed", "fewer mutants"]),
        ("meta", killed, &["the compiler ran out of memory, or was killed", "-j 1"]),
    ];
    for (copy, does, words) in cases {
        let fixture = package("");
        let rustc = compiler(&fixture, copy, does);
        let run = fixture.start(fixture.tool().arg("score").env("RUSTC", &rustc)).wait();
        let run = run.expect_code(6).expect_words(words);
        assert!(!run.stderr.contains("internal error"), "{run:#?}");
    }
}

#[test]
fn absurd_numbers_and_texts_are_wrong_arguments() {
    let fixture = package("");
    check(&fixture, &["score", "-j", "1000000"], 1, &["--jobs 1000000", "at most 1024"]);
    check(&fixture, &["generate", "-j", "4294967296"], 1, &["--jobs 4294967296", "at most 1024"]);
    check(&fixture, &["generate", "--executions", "0"], 1, &["--executions", "0"]);
    check(&fixture, &["score", "--min-score", "NaN"], 1, &["between 0 and 100"]);
    fixture.write("testsmith.toml", b"files = [\"\xff\"]\n");
    for command in ["list", "score", "generate"] {
        check(&fixture, &[command], 1, &["testsmith.toml is not UTF-8, from byte 10 on"]);
    }
    let empty = Fixture::package(&[("Cargo.toml", "[workspace]\nmembers = []\n")]);
    for command in ["list", "score", "generate"] {
        check(&empty, &[command], 1, &["has no packages", "--manifest-path"]);
    }
}

#[test]
fn names_that_the_tool_or_the_compiler_uses_are_names_like_any_other() {
    for name in ["test", "core", "testsmith", "testsmith-rt", "testsmith-harness"] {
        let manifest = MANIFEST.replace("\"sample\"", &format!("\"{name}\""));
        let fixture = Fixture::package(&[("Cargo.toml", &manifest), ("src/lib.rs", LIB)]).with_tests();
        let run = fixture.run(&GENERATE).expect_code(0);
        assert!(name == "test" || run.stdout.contains("→ 100.0 %"), "{name}: {run:#?}");
    }
    let manifest = MANIFEST.replace("\"sample\"", "\"std\"");
    let fixture = Fixture::package(&[("Cargo.toml", &manifest), ("src/lib.rs", LIB)]);
    check(&fixture, &GENERATE, 4, &["is called `std`", "another name"]);
}

/// Files below a folder.
fn files_below(folder: PathBuf) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.flat_map(|path| if path.is_dir() { files_below(path) } else { vec![path] }).collect()
}

#[test]
fn what_was_damaged_since_the_last_run_is_made_anew() {
    let fixture = package("");
    let before = fixture.run(&["score"]).expect_code(2);
    assert!(!before.stderr.contains("made anew"), "{before:#?}");
    for path in files_below(fixture.path("target/testsmith")) {
        let metadata = fs::metadata(&path).expect("it was just listed");
        let file = fs::File::options().write(true).open(&path).expect("it is ours");
        file.set_len(metadata.len() / 2).expect("it is ours");
        // As a disk does that was full: cargo believes what times say.
        file.set_modified(metadata.modified().expect("files have a time")).expect("it is ours");
    }
    let after = fixture.run(&["score"]).expect_code(2).expect_words(&["it is made anew"]);
    let score = |text: &str| text.lines().find(|line| line.starts_with("score")).map(str::to_owned);
    assert_eq!(score(&before.stdout), score(&after.stdout));
    assert!(score(&after.stdout).is_some(), "{after:#?}");
}
