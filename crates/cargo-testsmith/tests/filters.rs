//! Which mutants are chosen, and what stays the same from one run to the next: filters, packages, ids, configuration,
//! the report in the file and on stdout, and a second run that builds nothing.

mod util;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::time::SystemTime;

use serde_json::Value;
use util::{Fixture, Score, mutant_line};

/// Two files with a few mutants each.
fn two_files() -> Fixture {
    Fixture::package(&[
        ("src/lib.rs", "pub mod deep;\n\npub fn is_big(n: u32) -> bool {\n    n > 9\n}\n"),
        ("src/deep/mod.rs", "pub mod er;\n"),
        ("src/deep/er.rs", "pub fn half(n: u32) -> u32 {\n    n / 2\n}\n"),
        (
            "tests/all.rs",
            "#[test]\nfn all() {\n    assert!(sample::is_big(10) && !sample::is_big(9) && !sample::is_big(2));\n    \
             assert_eq!((sample::deep::er::half(8), sample::deep::er::half(9)), (4, 4));\n}\n",
        ),
    ])
}

/// The mutants of `list` with these arguments, as lines without the column.
#[track_caller]
fn listed(fixture: &Fixture, arguments: &[&str]) -> BTreeSet<String> {
    let list = fixture.list(arguments);
    list["mutants"].as_array().expect("a list").iter().map(mutant_line).collect()
}

/// A filter must choose those mutants of the whole list that `is_wanted` does: some, but not all.
#[track_caller]
fn check(fixture: &Fixture, arguments: &[&str], is_wanted: impl Fn(&Value) -> bool) {
    let all = fixture.list(&[]);
    let all = all["mutants"].as_array().expect("a list");
    let wanted: BTreeSet<_> = all.iter().filter(|mutant| is_wanted(mutant)).map(mutant_line).collect();
    assert!(!wanted.is_empty() && wanted.len() < all.len(), "the test must be able to tell: {wanted:?}");
    assert_eq!(listed(fixture, arguments), wanted, "{arguments:?}");
}

fn is_in(mutant: &Value, file: &str) -> bool {
    mutant["file"] == file
}

#[test]
fn files_are_chosen_by_globs() {
    let fixture = two_files();
    let deep = |mutant: &Value| is_in(mutant, "src/deep/er.rs");
    for glob in ["src/deep/er.rs", "er.rs", "src/deep/**", "src/*/er.rs", "**/e?.rs", "{er,none}.rs"] {
        check(&fixture, &["-f", glob], deep);
    }
    check(&fixture, &["--file", "src/*.rs"], |mutant| is_in(mutant, "src/lib.rs"));
    assert_eq!(listed(&fixture, &["-f", "er.rs", "-f", "lib.rs"]), listed(&fixture, &[]));
}

#[test]
fn mutants_are_chosen_by_what_list_prints_of_them() {
    let fixture = two_files();
    let text = fixture.run(&["list"]).expect_code(0).stdout;
    assert!(text.contains("src/deep/er.rs:2:7: aor: / → % in deep::er::half  "), "{text}");
    let half = |mutant: &Value| mutant["function"] == "deep::er::half";
    check(&fixture, &["--re", "in deep::er::half$"], half);
    check(&fixture, &["--exclude-re", "in deep::er::half$"], |mutant| !half(mutant));
    check(&fixture, &["--re", "half", "--exclude-re", ": aor: "], |m| half(m) && m["operator"] != "aor");
    check(&fixture, &["--re", "/ → [+]", "--re", "> → =="], |m| m["after"] == "+" || m["after"] == "==");
}

#[test]
fn operators_are_chosen_by_name_by_set_and_by_taking_away() {
    let fixture = two_files();
    let is = |names: &'static [&'static str]| {
        move |mutant: &Value| names.contains(&mutant["operator"].as_str().expect("a name"))
    };
    check(&fixture, &["--operators", "aor"], is(&["aor"]));
    check(&fixture, &["--operators", "aor,const"], is(&["aor", "const"]));
    check(&fixture, &["--operators", "aor", "--operators", "const"], is(&["aor", "const"]));
    check(&fixture, &["--operators", "javalanche"], is(&["const", "neg", "omit", "float"]));
    check(&fixture, &["--operators=-uoi"], |mutant| mutant["operator"] != "uoi");
    check(&fixture, &["--operators=cargo-mutants,-ror"], is(&["aor", "fn-value"]));
}

/// A diff that changes the second line of `half` in the second file.
const DIFF: &str = "diff --git a/src/deep/er.rs b/src/deep/er.rs\n--- a/src/deep/er.rs\n+++ b/src/deep/er.rs\n\
                    @@ -1,3 +1,3 @@\n pub fn half(n: u32) -> u32 {\n-    n / 3\n+    n / 2\n }\n";

#[test]
fn a_diff_chooses_the_lines_that_it_changes() {
    let fixture = two_files();
    let diff = fixture.beside("my.diff");
    let diff = diff.to_str().expect("a plain path");
    let half = |mutant: &Value| mutant["function"] == "deep::er::half";
    fs::write(diff, DIFF).expect("the diff can be written");
    check(&fixture, &["--in-diff", diff], half);
    // With lines that git leaves out of its own, and those of another tool.
    fs::write(diff, DIFF.replace("diff --git a/src/deep/er.rs b/src/deep/er.rs\n", "").replace("b/", "./"))
        .expect("the diff can be written");
    check(&fixture, &["--in-diff", diff], half);
    fs::write(diff, "").expect("the diff can be written");
    assert_eq!(listed(&fixture, &["--in-diff", diff]), BTreeSet::new());
}

#[test]
fn filters_narrow_each_other_and_score_takes_them_too() {
    let fixture = two_files();
    let arguments = ["-f", "lib.rs", "--operators", "ror", "--exclude-re", "> → >="];
    let score = fixture.score(&arguments);
    let judged: BTreeSet<_> = score.entries("verdicts").iter().map(mutant_line).collect();
    assert_eq!(judged, listed(&fixture, &arguments));
    assert_eq!((score.count("generated"), score.count("killed")), (4, 4));
}

#[test]
fn the_least_score_decides_over_the_exit_code() {
    let fixture = Fixture::copy("demo");
    let score = fixture.score(&[]);
    let percent = score.0["score"].as_f64().expect("a number");
    assert!((85.0..86.0).contains(&percent), "{percent}");
    for (least, code) in [("85", 0), ("86", 2), ("0", 0), ("100", 2)] {
        fixture.run(&["score", "--min-score", least]).expect_code(code);
    }
}

#[test]
fn packages_are_chosen_by_name() {
    let fixture = Fixture::copy("members");
    let packages = |arguments: &[&str]| -> BTreeSet<_> {
        let list = fixture.list(arguments);
        let mutants = list["mutants"].as_array().expect("a list").iter();
        mutants.map(|mutant| mutant["package"].as_str().expect("a name").to_owned()).collect()
    };
    let names = |names: &[&str]| names.iter().map(ToString::to_string).collect::<BTreeSet<_>>();
    assert_eq!(packages(&["-p", "left"]), names(&["left"]));
    assert_eq!(packages(&["--package", "right"]), names(&["right"]));
    assert_eq!(packages(&["-p", "left", "-p", "right"]), names(&["left", "right"]));
    assert_eq!(packages(&["--workspace"]), names(&["left", "right"]));
    // At the root of a workspace without a package, all members are meant.
    assert_eq!(packages(&[]), names(&["left", "right"]));
    assert_eq!(packages(&["--manifest-path", "right/Cargo.toml"]), names(&["right"]));
}

#[test]
fn in_the_folder_of_a_member_that_member_is_meant() {
    let fixture = Fixture::copy("members");
    let mut tool = fixture.tool();
    let run = fixture.start(tool.args(["list", "--json"]).current_dir(fixture.path("right/src"))).wait();
    let list = run.expect_code(0).json();
    assert_eq!(list["package"], "right");
    assert_eq!(list["mutants"][0]["file"], "right/src/lib.rs");
}

#[test]
fn ids_stay_when_other_lines_change() {
    let fixture = Fixture::copy("demo");
    let ids = || -> Vec<_> {
        let list = fixture.list(&[]);
        let mutants = list["mutants"].as_array().expect("a list").iter();
        mutants.map(|m| (m["id"].to_string(), mutant_line(m))).collect()
    };
    let before = ids();
    let unique: BTreeSet<_> = before.iter().map(|(id, _)| id).collect();
    assert_eq!(unique.len(), before.len());
    fixture.replace(
        "src/lib.rs",
        "/// A time of day, in minutes.",
        "/// Never called.\npub fn unrelated(n: u32) -> u32 {\n    n * 2\n}\n\n/// A time of day, in minutes.",
    );
    let after: BTreeMap<_, _> = ids().into_iter().collect();
    let change = |line: &str| line.split_once(' ').expect("a place and a change").1.to_owned();
    for (id, line) in &before {
        let now = after.get(id).unwrap_or_else(|| panic!("{line} has another id"));
        assert_eq!(change(now), change(line), "{id}");
        assert_ne!(now, line, "lines have moved");
    }
    assert!(after.len() > before.len(), "the new function has mutants of its own");
}

/// When each file that was built was written.
fn built(fixture: &Fixture) -> BTreeMap<String, SystemTime> {
    let mut times = BTreeMap::new();
    let mut open = vec![fixture.path("target/testsmith/build")];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).expect("something was built").flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_none_or(|extension| extension == "rlib") {
                let time = entry.metadata().and_then(|metadata| metadata.modified());
                times.insert(path.display().to_string(), time.expect("files have a time"));
            }
        }
    }
    times
}

#[test]
fn a_second_run_builds_nothing_and_finds_the_same() {
    let fixture = Fixture::copy("const-fn");
    let cold = fixture.score(&[]);
    assert_eq!(cold.0["build_rounds"], 2, "the compiler has something to reject here");
    let after_cold = built(&fixture);
    let warm = fixture.score(&[]);
    assert_eq!(warm.verdicts(), cold.verdicts());
    assert_eq!(warm.0["build_rounds"], 1);
    assert_eq!(built(&fixture), after_cold);
    let seconds = |score: &Score| score.0["seconds"]["build"].as_f64().expect("a number");
    assert!(seconds(&warm) < seconds(&cold), "{} s after {} s", seconds(&warm), seconds(&cold));
}

#[test]
fn a_change_of_the_crate_is_noticed_by_the_next_run() {
    let fixture = two_files();
    assert_eq!(fixture.score(&[]).survivors(), [""; 0]);
    fixture.replace("tests/all.rs", "is_big(9)", "is_big(8)");
    let survivors = fixture.score(&[]).survivors();
    assert!(survivors.contains(&"src/lib.rs:4 > → >=".to_owned()), "{survivors:?}");
    fixture.replace("src/lib.rs", "n > 9", "n >= 9");
    let changed = fixture.score(&["--operators", "ror"]);
    assert_eq!(changed.survivors(), ["src/lib.rs:4 >= → >"]);
}

#[test]
fn the_report_on_stdout_is_the_one_in_the_file() {
    let fixture = Fixture::copy("demo");
    let run = fixture.run(&["score", "--json"]).expect_code(2);
    let file = fs::read_to_string(fixture.report()).expect("the report was written");
    let file: Value = serde_json::from_str(&file).expect("the report is JSON");
    assert_eq!(run.json(), file);
    let keys = |value: &Value, keys: &[&str]| {
        for key in keys {
            assert!(!value[key].is_null(), "`{key}` is missing: {value:#}");
        }
    };
    keys(&file, &["schema", "package", "mutants", "score", "tests", "seconds", "survivors"]);
    keys(&file["mutants"], &["generated", "unviable", "unreached", "killed", "timeout", "survived"]);
    keys(&file["seconds"], &["build", "run", "total"]);
    keys(&file["survivors"][0], &["id", "file", "line", "operator", "change"]);
    assert_eq!((&file["schema"], &file["package"]), (&"testsmith/1".into(), &"meeting-room".into()));
}

/// Every key of a document, `verdicts.by` and the like, stands in docs/json.md.
#[test]
fn every_key_of_the_report_is_documented() {
    let docs =
        fs::read_to_string(Path::new(util::REPOSITORY).join("docs/json.md")).expect("the docs are there");
    let mut keys = BTreeSet::new();
    collect_keys(&Fixture::copy("demo").score(&[]).0, &mut keys);
    collect_keys(&Fixture::copy("cfg").list(&[]), &mut keys);
    let missing: Vec<_> = keys.iter().filter(|key| !docs.contains(&format!("`{key}`"))).collect();
    assert!(missing.is_empty(), "docs/json.md does not say what these are: {missing:?}");
}

fn collect_keys(value: &Value, keys: &mut BTreeSet<String>) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| collect_keys(value, keys)),
        Value::Object(map) => map.iter().for_each(|(key, value)| {
            keys.insert(key.clone());
            collect_keys(value, keys);
        }),
        _ => {}
    }
}

#[test]
fn flags_win_over_the_package_which_wins_over_the_workspace() {
    let fixture = two_files();
    let operators = |arguments: &[&str]| -> BTreeSet<_> {
        let list = fixture.list(arguments);
        let mutants = list["mutants"].as_array().expect("a list").iter();
        mutants.map(|mutant| mutant["operator"].as_str().expect("a name").to_owned()).collect()
    };
    let is = |names: &[&str]| names.iter().map(ToString::to_string).collect::<BTreeSet<_>>();
    fixture.write("testsmith.toml", "operators = [\"aor\"]\n");
    assert_eq!(operators(&[]), is(&["aor"]));
    fixture.write(
        "Cargo.toml",
        format!("{}\n[package.metadata.testsmith]\noperators = [\"ror\"]\n", util::MANIFEST),
    );
    assert_eq!(operators(&[]), is(&["ror"]));
    assert_eq!(operators(&["--operators", "const"]), is(&["const"]));
}

#[test]
fn the_configuration_chooses_files_and_mutants() {
    let fixture = two_files();
    let cases = [
        ("files = [\"src/deep/**\"]", "src/deep/er.rs"),
        ("exclude_files = [\"er.rs\"]", "src/lib.rs"),
        ("exclude_re = [\"half\"]", "src/lib.rs"),
    ];
    for (line, file) in cases {
        fixture.write("testsmith.toml", "");
        let wanted = listed(&fixture, &["-f", file]);
        fixture.write("testsmith.toml", line);
        assert_eq!(listed(&fixture, &[]), wanted, "{line}");
    }
}

#[test]
fn the_least_score_of_the_configuration_counts_unless_a_flag_says_otherwise() {
    let fixture = Fixture::copy("demo");
    fixture.write("testsmith.toml", "min_score = 80\n");
    fixture.run(&["score"]).expect_code(0);
    fixture.run(&["score", "--min-score", "90"]).expect_code(2);
}

#[test]
fn another_target_folder_is_used_instead() {
    let fixture = two_files();
    let elsewhere = fixture.beside("elsewhere");
    let score = fixture.score(&["--target-dir", elsewhere.to_str().expect("a plain path")]);
    assert_eq!(score.count("survived"), 0);
    assert!(elsewhere.join("testsmith/score.json").is_file());
    assert!(!fixture.path("target").exists(), "nothing is written where it was not asked for");
}
