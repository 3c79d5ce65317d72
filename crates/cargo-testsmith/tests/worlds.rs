//! What is written holds everywhere: on `testdata/worlds`, whose results depend on the day, the machine and the profile, only the
//! function gets tests whose result does not. Existing tests run in the sandbox, and what they need more is told.

mod util;

use util::Fixture;

#[test]
fn no_test_pins_what_is_true_here_and_today_only() {
    let fixture = Fixture::copy("worlds").with_tests();
    let arguments =
        ["generate", "--all-mutants", "--json", "--offline", "--executions", "4000", "--seed", "1"];
    let report = fixture.run(&arguments).expect_code(0).json();
    let text: String = [
        "limit",
        "is_checked",
        "year",
        "is_short_name",
        "is_small_machine",
        "is_small_user",
        "has_few_files",
    ]
    .iter()
    .filter(|name| report["written"].to_string().contains(*name))
    .map(|name| format!("{name} "))
    .collect();
    assert_eq!(text, "limit ", "{:#}", report["written"]);
    let dropped = &report["dropped"];
    assert!(dropped["debug_only"].as_u64() > Some(0), "{dropped}");
    if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        assert!(dropped["unportable"].as_u64() > Some(0), "{dropped}");
    }
}

/// A test for each kind of access: none, the tree, the user's home.
const TESTS: &str = "
#[test]
fn computes() { assert_eq!(sample::double(2), 4); }
#[test]
fn writes_temporary_files() {
    let path = std::env::temp_dir().join(\"file\");
    std::fs::write(&path, \"x\").unwrap();
    std::fs::write(\"/tmp/testsmith-access\", \"x\").unwrap();
    assert_eq!(sample::double(3), 6);
}
#[test]
fn writes_to_the_tree() {
    std::fs::write(\"written\", \"x\").unwrap();
    assert_eq!(sample::double(4), 8);
}
#[test]
fn writes_elsewhere() {
    std::fs::write(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/../elsewhere\"), \"x\").unwrap();
    assert_eq!(sample::double(5), 10);
}
";

#[test]
fn tests_may_change_what_they_have_to_and_the_user_is_told() {
    let files =
        [("src/lib.rs", "pub fn double(value: u32) -> u32 { value + value }\n"), ("tests/access.rs", TESTS)];
    let fixture = Fixture::package(&files);
    let ran = fixture.run(&["score", "--json", "--offline"]).expect_code(0);
    let score = ran.json();
    assert_eq!(score["score"], 100.0, "{score:#}");
    let sandbox = &score["sandbox"];
    if sandbox["means"] != "namespaces" {
        return eprintln!("not tested: {sandbox}");
    }
    assert_eq!(sandbox["writing_to_tree"], serde_json::json!(["test access: writes_to_the_tree"]));
    assert_eq!(sandbox["outside"], serde_json::json!(["test access: writes_elsewhere"]));
    assert!(ran.stderr.contains("do not pass in the sandbox"), "{}", ran.stderr);
    assert!(!std::path::Path::new("/tmp/testsmith-access").exists(), "it has a /tmp of its own");
}

#[test]
fn without_the_sandbox_tests_run_as_ever() {
    let files = [
        ("src/lib.rs", "pub fn double(value: u32) -> u32 { value + value }\n"),
        ("tests/access.rs", "#[test]\nfn computes() { assert_eq!(sample::double(2), 4); }\n"),
    ];
    let score =
        Fixture::package(&files).run(&["score", "--json", "--offline", "--no-sandbox"]).expect_code(2).json();
    assert_eq!(score["sandbox"]["means"], "none");
}
