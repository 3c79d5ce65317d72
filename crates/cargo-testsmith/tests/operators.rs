//! The table of operators, its documentation and `testdata/operators` agree, and each operator makes exactly the
//! mutants that the file of its name lists at its end. `TESTSMITH_BLESS=1` writes those lists anew: read them through.

mod util;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use util::{Fixture, REPOSITORY};

/// What stands above the list of mutants in a file.
const HEADING: &str = "// mutants:\n";

/// The files of `testdata/operators`, by operator.
fn files() -> BTreeMap<String, PathBuf> {
    let folder = PathBuf::from(REPOSITORY).join("testdata/operators");
    let paths =
        fs::read_dir(folder).expect("the folder is there").map(|entry| entry.expect("it is read").path());
    paths.map(|path| (path.file_stem().expect("a name").to_string_lossy().into_owned(), path)).collect()
}

/// Ids that the tool prints, in its order.
fn ids() -> Vec<String> {
    let run = Fixture::empty().run(&["operators"]).expect_code(0);
    run.stdout.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

/// One crate with every file as a module, and a test so that there is one.
fn crate_of_all(files: &BTreeMap<String, PathBuf>) -> Fixture {
    let fixture = Fixture::package(&[]);
    fixture.replace("Cargo.toml", "2021", "2024");
    let mut lib = String::from("//! All operators.\n#![allow(dead_code)]\n");
    for (id, path) in files {
        let module = id.replace('-', "_");
        lib += &format!("#[path = \"{id}.rs\"]\npub mod r#{module};\n");
        fixture.write(&format!("src/{id}.rs"), fs::read(path).expect("the file can be read"));
    }
    lib += "#[test]\nfn nothing_is_lost() {\n    assert_eq!(r#const::scaled(2), 16);\n}\n";
    fixture.write("src/lib.rs", lib);
    fixture
}

/// A mutant as the files list it.
fn line(mutant: &Value) -> String {
    let text = |key: &str| mutant[key].as_str().expect("texts are strings");
    let after = if text("after").is_empty() { "nothing" } else { text("after") };
    format!("// {}:{} {} → {after}\n", mutant["line"], mutant["column"], text("before"))
}

#[test]
fn the_table_the_docs_and_the_fixtures_name_the_same_operators() {
    let ids = ids();
    let set = |names: &[String]| names.iter().cloned().collect::<BTreeSet<_>>();
    assert_eq!(ids.len(), set(&ids).len(), "twice the same id: {ids:?}");
    assert_eq!(set(&files().into_keys().collect::<Vec<_>>()), set(&ids), "files of testdata/operators");
    let docs = fs::read_to_string(format!("{REPOSITORY}/docs/operators.md")).expect("the docs are there");
    let headings: Vec<_> = docs.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    assert_eq!(headings, ids, "headings of docs/operators.md");
}

#[test]
fn each_operator_makes_the_mutants_that_its_file_lists() {
    let files = files();
    let list = crate_of_all(&files).list(&[]);
    let mut wrong = Vec::new();
    for (id, path) in &files {
        let file = format!("src/{id}.rs");
        let mutants = list["mutants"].as_array().expect("a list").iter();
        let mut mutants: Vec<_> = mutants.filter(|m| m["file"] == *file && m["operator"] == **id).collect();
        mutants.sort_by_key(|mutant| (mutant["line"].as_u64(), mutant["column"].as_u64()));
        let made: String = mutants.into_iter().map(line).collect();
        let text = fs::read_to_string(path).expect("the file can be read");
        let (code, listed) = text.split_once(HEADING).unwrap_or((&text, ""));
        if std::env::var_os("TESTSMITH_BLESS").is_some() {
            fs::write(path, format!("{code}{HEADING}{made}")).expect("the file can be written");
        } else if listed != made {
            wrong.push(format!("{id} lists\n{listed}but makes\n{made}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn nearly_all_mutants_compile_and_some_of_each_operator() {
    let score = crate_of_all(&files()).score(&[]);
    let (generated, unviable) = (score.count("generated"), score.count("unviable"));
    let is_viable = |entry: &&Value| entry["verdict"] != "unviable";
    let rejected: Vec<_> = score.entries("verdicts").iter().filter(|entry| !is_viable(entry)).collect();
    assert!(unviable * 20 <= generated, "{unviable} of {generated} do not compile: {rejected:#?}");
    let viable = score.entries("verdicts").iter().filter(is_viable);
    let operators: BTreeSet<_> = viable.filter_map(|entry| entry["operator"].as_str()).collect();
    let missing: Vec<_> = ids().into_iter().filter(|id| !operators.contains(id.as_str())).collect();
    assert!(missing.is_empty(), "no mutant of {missing:?} compiles");
}
