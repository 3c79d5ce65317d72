//! What is not the same every time is found and marked, on `testdata/unsteady`; what state and unsafe code ask for is
//! chosen from the sources; a crate may have an allocator of its own.

mod util;

use std::collections::BTreeSet;

use serde_json::Value;
use util::Fixture;

#[track_caller]
fn execute(fixture: &Fixture, seconds: &str, arguments: &[&str]) -> Value {
    let common = ["execute", "--json", "--offline", "--seconds", seconds, "--statements", "8"];
    fixture.run(&[&common, arguments].concat()).expect_code(0).json()
}

/// Functions and types with something that is marked, by their last name.
fn marked(report: &Value) -> BTreeSet<String> {
    let marks = report["nondeterminism"].as_array().expect("a list");
    let name = |mark: &Value| {
        let path = mark["callable"].as_str().expect("a path");
        let path = path.split(": ").next().unwrap_or(path).trim_end_matches(">::new").to_owned();
        path.rsplit("::").next().unwrap_or_default().to_owned()
    };
    marks.iter().map(name).collect()
}

#[test]
fn whatever_is_not_the_same_every_time_is_marked_and_nothing_else() {
    let report = execute(&Fixture::copy("unsteady"), "6", &["--isolation", "in-process"]);
    let found = marked(&report);
    let expected = [
        // By the clock, which the source tells; one of them cannot be told from anything else.
        "nanoseconds",
        "days",
        "steady_work",
        // By what two processes have shown.
        "arguments",
        "order",
        "address",
        "thread",
        "process",
        "random",
        "sometimes",
        "fails_sometimes",
        "fill",
        "Table",
        "Handle",
    ];
    let expected: BTreeSet<String> = expected.map(str::to_owned).into();
    assert_eq!(found, expected, "{:#}", report["nondeterminism"]);
    for mark in report["nondeterminism"].as_array().expect("a list") {
        let [first, second] = [0, 1].map(|at| mark["example"][at].as_str());
        let shows = first.is_some() && second.is_some();
        assert!(shows != mark["because"].is_string(), "an example, or a reason: {mark}");
    }
    assert!(report["killed"].as_u64() > Some(20), "{report:#}");
}

#[test]
fn every_difference_between_two_processes_is_marked_and_every_lost_worker_accounted_for() {
    let fixture = Fixture::copy("unsteady");
    let common = ["execute", "--json", "--offline", "--statements", "8", "--isolation", "in-process"];
    let report = fixture.run(&[&common[..], &["--agree", "4000"]].concat()).expect_code(0).json();
    assert_eq!((&report["programs"], &report["workers_lost"]), (&4000.into(), &0.into()));
    // That of some has shown before it was marked, so that the comparison can fail.
    assert!(report["differed"].as_u64() > Some(0), "{report:#}");
    assert_eq!(report["unmarked"], 0, "{:#}", report["examples"]);
    assert!(marked(&report).is_superset(&["order", "address", "random"].map(str::to_owned).into()));
}

#[track_caller]
fn check_isolation(lib: &str, mode: &str, because: &str) {
    let fixture = Fixture::package(&[("src/lib.rs", lib)]);
    check_report(&execute(&fixture, "0.1", &[]), mode, because);
}

#[track_caller]
fn check_report(report: &Value, mode: &str, because: &str) {
    let isolation = &report["isolation"];
    let reason = isolation["because"].as_str().expect("a reason");
    assert!(isolation["mode"] == mode && reason.contains(because), "{isolation}");
}

#[test]
fn isolation_is_as_the_sources_need_it() {
    check_isolation("pub fn f(n: u8) -> bool { n > 3 }\n", "in-process", "no unsafe code");
    check_isolation(
        "pub fn f(n: u8) -> bool { n > 3 }\npub fn g(n: &[u8; 4]) -> u8 { unsafe { *n.as_ptr() } }\n",
        "mutants",
        "unsafe",
    );
    check_isolation(
        "use std::cell::Cell;\nthread_local! { static LAST: Cell<u8> = const { Cell::new(0) }; }\n\
         pub fn f(n: u8) -> u8 { LAST.with(|last| last.replace(n)) }\n",
        "fork",
        "the thread-local `LAST` (src/lib.rs:2)",
    );
}

#[test]
fn the_state_of_a_path_dependency_counts() {
    let fixture = Fixture::package(&[
        ("src/lib.rs", "pub fn f(n: u8) -> u8 { other::next(n) }\n"),
        ("other/Cargo.toml", "[package]\nname = \"other\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"),
        (
            "other/src/lib.rs",
            "use std::sync::atomic::{AtomicU8, Ordering};\nstatic NEXT: AtomicU8 = AtomicU8::new(0);\n\
             pub fn next(n: u8) -> u8 { NEXT.fetch_add(n, Ordering::Relaxed) }\n",
        ),
    ]);
    fixture.replace(
        "Cargo.toml",
        "[workspace]\n",
        "[dependencies]\nother = { path = \"other\" }\n\n[workspace]\n",
    );
    let report = execute(&fixture, "0.1", &[]);
    check_report(&report, "fork", "the static `NEXT` of other");
    assert_eq!(marked(&report), BTreeSet::new(), "each program starts with a fresh state");
}

#[test]
fn the_clock_of_a_dependency_is_known_from_the_call_graph() {
    let report = execute(&Fixture::copy("worlds"), "0.1", &[]);
    let marks = report["nondeterminism"].as_array().expect("a list").iter();
    let by_clock: Vec<&str> = marks.filter_map(|mark| mark["because"].as_str()).collect();
    assert_eq!(by_clock, ["it reads a clock: worlds::year → machine::seconds → time"], "{report:#}");
}

#[test]
fn a_crate_with_an_allocator_of_its_own_is_run_with_it() {
    let fixture = Fixture::copy("allocator");
    let call = |function: &str, kind: &str, number: u32| {
        format!(
            "{{\"statements\": [{{\"literal\": {{\"type\": \"{kind}\", \"value\": {{\"int\": \"{number}{kind}\"}}}}}}, \
             {{\"call\": {{\"path\": \"allocator::{function}\", \"args\": [\"copy 0\"]}}}}]}}\n"
        )
    };
    let programs =
        [call("bytes_of", "u16", 100), call("gigabytes", "usize", 100), call("half", "u32", 8)].concat();
    let file = fixture.beside("programs.jsonl");
    std::fs::write(&file, programs).expect("the folder is ours");
    let name = file.to_str().expect("a plain path");
    let ran = fixture.run(&["execute", "--json", "--offline", "--programs", name]).expect_code(0);
    let ran = ran.expect_words(&["allocator of its own", "2 GiB of address space"]);
    let report = ran.json();
    assert_eq!(report["memory_limit"], "address space");
    let runs = report["runs"].as_array().expect("a list");
    let shown = |at: usize| (&runs[at]["outcome"], &runs[at]["seen"][0]["text"]);
    assert_eq!(shown(0), (&"ok".into(), &"100".into()));
    assert_eq!(shown(1).0, "signal 6");
    assert_eq!(shown(2), (&"ok".into(), &"4".into()));
}
