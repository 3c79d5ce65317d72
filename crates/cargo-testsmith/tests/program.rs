//! `generate` for a package without a library: its programs are tested from inside, each test in the module that it is about.

mod util;

use serde_json::Value;
use util::Fixture;

const FEW: [&str; 4] = ["--executions", "4000", "--seed", "7"];

fn generate(fixture: &Fixture, arguments: &[&str]) -> Value {
    fixture.run(&[&["generate", "--json"], &FEW[..], arguments].concat()).expect_code(0).json()
}

fn passes(fixture: &Fixture) {
    let run = fixture.command("cargo").args(["test", "--offline"]).output().expect("there is a cargo");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
}

#[test]
fn a_program_is_tested_from_inside_and_a_module_of_two_programs_in_both() {
    let fixture = Fixture::copy("program").with_inner_tests();
    let report = generate(&fixture, &[]);
    let counts = |report: &Value, key: &str| report["mutants"][key].as_u64().expect("a number");
    let viable = counts(&report, "generated") - counts(&report, "unviable");
    // A fifth of them is in `main`.
    assert!(counts(&report, "killed_by_generated") * 10 > viable * 7, "{report:#}");
    assert_eq!(report["dropped"]["uncompilable"], 0, "{report:#}");
    let reason = report["untested"]["pantry::main"].as_str().expect("it is told");
    assert!(reason.contains("whole program"), "{reason}");
    let elsewhere: Vec<&String> = report["elsewhere"].as_object().expect("an object").keys().collect();
    assert_eq!(elsewhere, ["src/stock.rs"]);
    for (file, name) in [
        ("src/testsmith.rs", "parse"),
        ("src/amounts/testsmith.rs", "read"),
        ("src/store/testsmith.rs", "plus"),
    ] {
        assert!(fixture.read(file).contains(name), "{file}: {}", fixture.read(file));
    }
    assert!(!fixture.path("tests/testsmith").exists());
    passes(&fixture);

    let other = generate(&fixture, &["--bin", "stock", "--all-mutants"]);
    assert!(counts(&other, "killed_by_generated") > 0, "{other:#}");
    let declaration = "#[cfg(test)]\n#[path = \"stock/testsmith.rs\"]\nmod testsmith;\n";
    assert!(fixture.read("src/stock.rs").ends_with(declaration), "{}", fixture.read("src/stock.rs"));
    assert!(fixture.read("src/stock/testsmith.rs").contains("is_large"));
    passes(&fixture);
}

#[test]
fn what_does_not_go_together_with_a_program_is_told_at_once() {
    let fixture = Fixture::copy("program");
    let refused = |arguments: &[&str], words: &[&str]| {
        fixture.run(&[&["generate"], arguments].concat()).expect_code(1).expect_words(words);
    };
    refused(&["--bin", "stok"], &["there is no program `stok`", "did you mean `stock`"]);
    refused(&["--out", "tests/mine"], &["--out is for libraries"]);
    let library = Fixture::package(&[("src/lib.rs", "pub fn f(n: u8) -> bool {\n    n > 1\n}\n")]);
    library
        .run(&["generate", "--bin", "sample"])
        .expect_code(1)
        .expect_words(&["has a library", "leave out --bin"]);
}
