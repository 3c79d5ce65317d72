//! What bad input gets: one message with what is wrong and what to do, the documented exit code, no half-written
//! report, and nothing touched or left behind (which `util` checks after every run).

mod util;

use std::fs;
use std::io::Write;
use std::process::Stdio;
use std::time::{Duration, Instant};

use util::{Fixture, MANIFEST, Run, Score, WithinLimit, leave_sign};

/// A function with a few mutants.
const LIB: &str = "pub fn is_big(n: u32) -> bool {\n    n > 9\n}\n";

/// A test that kills all of them but one.
const TEST: &str =
    "#[test]\nfn big() {\n    assert!(sample::is_big(10) && !sample::is_big(9) && !sample::is_big(1));\n}\n";

/// A package with [`LIB`] and one file of tests.
fn tested_by(test: &str) -> Fixture {
    Fixture::package(&[("src/lib.rs", LIB), ("tests/all.rs", test)])
}

/// The command must end with this code, and the message must have these words; a report is not written.
#[track_caller]
fn check(fixture: &Fixture, arguments: &[&str], code: i32, words: &[&str]) -> Run {
    check_run(fixture, fixture.run(arguments), code, words)
}

#[track_caller]
fn check_run(fixture: &Fixture, run: Run, code: i32, words: &[&str]) -> Run {
    let run = run.expect_code(code).expect_words(words);
    let (first, rest) = run.message().split_once('\n').expect("lines end");
    assert!(first.starts_with("error: "), "the message starts elsewhere: {run:#?}");
    // The advice and the words of others are set off from it, except for those of the compiler.
    let is_set_off = |line: &str| line.is_empty() || line.starts_with(' ');
    assert!(first.contains("compile") || rest.lines().all(is_set_off), "more than one message: {run:#?}");
    assert_eq!(run.stdout, "", "nothing that looks like a result: {run:#?}");
    assert!(run.stderr.len() < 10_000, "a message that nobody reads: {} bytes", run.stderr.len());
    assert!(!fixture.report().exists(), "a report of nothing");
    run
}

#[test]
fn a_folder_without_a_package_is_named() {
    let fixture = Fixture::empty();
    for command in ["score", "list"] {
        check(
            &fixture,
            &[command],
            1,
            &["there is no Cargo.toml at", "inside a cargo package", "--manifest-path"],
        );
    }
}

#[test]
fn a_manifest_path_that_leads_nowhere_is_named() {
    let fixture = tested_by(TEST);
    let words = &["no/Cargo.toml", "--manifest-path"];
    check(&fixture, &["score", "--manifest-path", "no/Cargo.toml"], 1, words);
}

#[test]
fn a_manifest_that_cargo_cannot_read_is_shown_with_its_words() {
    let fixture = Fixture::package(&[("Cargo.toml", "[package\n")]);
    check(&fixture, &["score"], 1, &["cargo cannot read this package", "unclosed table"]);
}

#[test]
fn a_package_that_is_not_there_is_named_with_those_that_are() {
    let fixture = Fixture::copy("members");
    check(&fixture, &["score", "-p", "middle"], 1, &["no package `middle`", "left, right"]);
}

#[test]
fn a_crate_that_does_not_compile_is_shown_with_the_compilers_words() {
    let fixture = tested_by(TEST);
    fixture.replace("src/lib.rs", "n > 9", "n > \"nine\"");
    let words =
        &["do not compile, before any mutant", "mismatched types", "src/lib.rs:2", "cargo test --no-run"];
    let run = check(&fixture, &["score"], 4, words);
    // The library is compiled twice, once for its own tests.
    assert_eq!(run.stderr.matches("mismatched types").count(), 1, "{}", run.stderr);
    check(&fixture, &["generate", "--all-mutants"], 4, words);
}

#[test]
fn tests_that_do_not_compile_are_too() {
    let fixture = tested_by("#[test]\nfn big() {\n    sample::is_small(1);\n}\n");
    check(&fixture, &["score"], 4, &["tests do not compile", "is_small", "tests/all.rs:3"]);
}

#[test]
fn a_dependency_that_is_not_there_is_shown_with_cargos_words() {
    let fixture = tested_by(TEST);
    fixture.write("Cargo.toml", format!("{MANIFEST}\n[dependencies]\nother = {{ path = \"../other\" }}\n"));
    check(&fixture, &["score"], 1, &["cargo cannot read this package", "`other`"]);
}

#[test]
fn tests_that_fail_are_named() {
    let fixture = tested_by("#[test]\nfn wrong() {\n    assert!(sample::is_big(3), \"three is big\");\n}\n");
    let words = &["the tests fail before any mutant", "test all", ": wrong", "three is big", "`cargo test`"];
    check(&fixture, &["score"], 4, words);
    // `generate` can do without them.
    check(&fixture, &["generate"], 4, &[words, &["--all-mutants"][..]].concat());
}

#[test]
fn tests_that_hang_are_stopped() {
    let fixture = tested_by(
        "#[test]\nfn endless() {\n    while sample::is_big(10) {\n        std::thread::yield_now();\n    }\n}\n",
    );
    fixture.write("testsmith.toml", "baseline_seconds = 2\n");
    check(&fixture, &["score"], 4, &["fail before any mutant", "within 2 s", "`baseline_seconds`"]);
}

#[test]
fn a_crate_without_tests_is_told_to_write_one() {
    let fixture = Fixture::package(&[("src/lib.rs", LIB)]);
    check(&fixture, &["score"], 4, &["sample has no tests", "write one", "--doctests"]);
}

#[test]
fn tests_that_are_all_ignored_are_no_tests() {
    let fixture = tested_by(&TEST.replace("#[test]", "#[test]\n#[ignore]"));
    check(&fixture, &["score"], 4, &["no tests"]);
}

#[test]
fn a_test_binary_that_aborts_is_named_with_the_signal() {
    // `eprintln!` would wait for the end of the test, which there is not.
    let fixture = tested_by(
        "use std::io::Write;\n\n#[test]\nfn gone() {\n    std::io::stderr().write_all(b\"last words\").unwrap();\n    \
         std::process::abort();\n}\n",
    );
    check(&fixture, &["score"], 4, &["test all", "SIGABRT", "last words", "`memory_mib`", "`cargo test`"]);
}

#[test]
fn twenty_megabytes_of_output_are_survived() {
    let noisy = "use std::io::Write;\n\n#[test]\nfn a_noisy() {\n    \
        let line = [b'x'; 1023].into_iter().chain([b'\\n']).collect::<Vec<u8>>();\n    \
        for _ in 0..20_000 {\n        std::io::stdout().write_all(&line).unwrap();\n        \
        std::io::stderr().write_all(&line).unwrap();\n    }\n    assert!(sample::is_big(10));\n}\n\n";
    let fixture = tested_by(&format!("{noisy}{}", TEST.replace("big()", "z_quiet()")));
    let score = fixture.score(&[]);
    assert_eq!((score.count("survived"), score.count("unreached")), (0, 0), "{:#}", score.0);
    assert_eq!(score.0["self_checks"]["changed_tests"].as_array().map(Vec::len), Some(0));
    let peak = score.0["memory"]["peak_tool_kib"].as_u64().expect("a number");
    assert!(peak < 100_000, "{peak} KiB: the output was kept");
}

#[test]
fn failing_tests_with_megabytes_of_output_are_shown_with_the_end_of_it() {
    let fixture = tested_by(
        "#[test]\nfn noisy() {\n    for n in 0..200_000 {\n        println!(\"line {n} of far too many\");\n    \
         }\n    panic!(\"at last\");\n}\n",
    );
    check(&fixture, &["score"], 4, &["fail before any mutant", "noisy"]);
}

#[test]
fn tests_that_read_stdin_find_its_end() {
    let fixture = tested_by(
        "use std::io::Read;\n\n#[test]\nfn reads() {\n    let mut text = String::new();\n    \
         std::io::stdin().read_to_string(&mut text).unwrap();\n    assert_eq!(text, \"\");\n    \
         assert!(sample::is_big(10) && !sample::is_big(9) && !sample::is_big(1));\n}\n",
    );
    let mut tool = fixture.tool();
    // A terminal at which nobody types: it stays open until the tool has ended.
    let mut running = fixture.start(tool.args(["score", "--json"]).stdin(Stdio::piped()));
    let kept_open = running.child().stdin.take();
    let score = running.wait().expect_code(0).score();
    drop(kept_open);
    assert_eq!(score.count("survived"), 0);
}

/// A package with a test that leaves a process behind.
fn with_a_daemon() -> Fixture {
    tested_by(
        "#[test]\nfn starts_a_daemon() {\n    \
         std::process::Command::new(\"setsid\").args([\"sleep\", \"1000\"]).spawn().unwrap();\n    \
         assert!(sample::is_big(10) && !sample::is_big(9) && !sample::is_big(1));\n}\n",
    )
}

#[test]
fn daemons_of_tests_are_gone_afterwards() {
    // That no process is left is checked after every run.
    assert_eq!(with_a_daemon().score(&[]).count("survived"), 0);
}

/// There, the session and the process group of the tool have no number.
#[test]
fn daemons_are_gone_in_a_container_too() {
    let fixture = with_a_daemon();
    let container = || {
        let mut command = fixture.command("unshare");
        command.args(["--map-root-user", "--pid", "--fork", "--mount-proc"]);
        command
    };
    if !container().arg("true").stderr(Stdio::null()).status().is_ok_and(|status| status.success()) {
        untested("no container can be made here (`unshare --map-root-user --pid --fork --mount-proc`)");
        return;
    }
    let mut tool = container();
    tool.arg(env!("CARGO_BIN_EXE_cargo-testsmith")).args(["testsmith", "score", "--json"]);
    assert_eq!(fixture.start(&mut tool).wait().expect_code(0).score().count("survived"), 0);
}

/// Says why a test has not tested, past libtest, which would keep it to itself.
fn untested(reason: &str) {
    let _ = writeln!(std::io::stderr(), "not tested: {reason}");
}

#[test]
fn an_unknown_key_is_an_error_that_names_the_nearest() {
    let fixture = tested_by(TEST);
    fixture.write("testsmith.toml", "timeout_second = 3\n");
    let words = &["testsmith.toml", "no key `timeout_second`", "`timeout_seconds`", "cargo testsmith config"];
    for command in ["score", "list"] {
        check(&fixture, &[command], 1, words);
    }
    fixture.write("testsmith.toml", "");
    fixture.write("Cargo.toml", format!("{MANIFEST}\n[package.metadata.testsmith]\njob = 3\n"));
    check(&fixture, &["score"], 1, &["[package.metadata.testsmith]", "no key `job`", "`jobs`"]);
}

#[test]
fn wrong_values_and_wrong_toml_are_errors_with_their_place() {
    let fixture = tested_by(TEST);
    let cases: &[(&str, &[&str])] = &[
        ("jobs = \"many\"", &["testsmith.toml", "`jobs = \"many\"`", "looks like"]),
        ("jobs = 0", &["`jobs = 0`", "looks like"]),
        ("min_score = 101", &["`min_score = 101`", "looks like"]),
        ("jobs =", &["testsmith.toml cannot be read", "jobs ="]),
        ("files = [\"{\"]", &["`{` is not a glob"]),
        ("exclude_re = [\"(\"]", &["not a regular expression"]),
        ("operators = [\"rorr\"]", &["no operator `rorr`", "`ror`"]),
    ];
    for (line, words) in cases {
        fixture.write("testsmith.toml", line);
        check(&fixture, &["score"], 1, words);
    }
}

#[test]
fn wrong_arguments_are_errors_that_say_what_would_be_right() {
    let fixture = tested_by(TEST);
    let cases: &[(&[&str], &[&str])] = &[
        (&["--operators", "rorr"], &["no operator `rorr`", "`ror`", "cargo testsmith operators"]),
        (&["-f", "src/[.rs"], &["`src/[.rs` is not a glob", "unclosed character class"]),
        (&["--re", "(x"], &["not a regular expression", "unclosed group"]),
        (&["--exclude-re", "*"], &["not a regular expression", "repetition operator"]),
        (&["--min-score", "101"], &["--min-score 101", "between 0 and 100"]),
        (&["-j", "0"], &["--jobs 0", "at least 1"]),
    ];
    for (arguments, words) in cases {
        check(&fixture, &[&["score"], *arguments].concat(), 1, words);
    }
}

#[test]
fn arguments_that_are_not_understood_are_named() {
    let fixture = tested_by(TEST);
    let cases: &[(&[&str], &[&str])] = &[
        (&["score", "--oprators", "ror"], &["'--oprators'", "'--operators'", "Usage"]),
        (&["scroe"], &["'scroe'", "'score'", "Usage"]),
        (&["score", "--min-score", "high"], &["'high'", "--min-score <PERCENT>"]),
        (
            &["score", "-p", "sample", "--workspace"],
            &["--package <NAME>", "cannot be used with", "--workspace"],
        ),
        (&[], &["Usage", "score", "list", "Examples:", "Exit codes:"]),
    ];
    for (arguments, words) in cases {
        fixture.run(arguments).expect_code(1).expect_words(words);
    }
}

#[test]
fn a_feature_that_is_not_there_is_a_wrong_argument() {
    let fixture = tested_by(TEST);
    for command in ["score", "list"] {
        check(&fixture, &[command, "--features", "fast"], 1, &["feature", "fast"]);
    }
}

#[test]
fn a_diff_that_does_not_fit_is_refused_with_the_line() {
    let fixture = tested_by(TEST);
    let diff = "--- a/src/lib.rs\n+++ b/src/lib.rs\n@@ -1,3 +1,3 @@\n pub fn is_big(n: u32) -> bool {\n\
                -    n > 8\n+    n > 9\n }\n";
    let path = fixture.beside("my.diff");
    let arguments = ["score", "--in-diff", path.to_str().expect("a plain path")];
    let cases: &[(String, &[&str])] = &[
        (diff.replace("n > 9", "n > 7"), &["my.diff", "line 2 of src/lib.rs is not `n > 7`", "git diff"]),
        (diff.replace("lib.rs", "gone.rs"), &["there is no src/gone.rs"]),
        (diff.replace(" }\n", ""), &["ends in the middle of a hunk"]),
        ("one\ntwo\n".to_owned(), &["not a unified diff"]),
    ];
    for (text, words) in cases {
        fs::write(&path, text).expect("the diff can be written");
        check(&fixture, &arguments, 5, words);
    }
    fs::write(&path, diff).expect("the diff can be written");
    fixture.run(&arguments).expect_code(0);
}

#[test]
fn a_target_folder_that_cannot_be_made_is_named() {
    let fixture = tested_by(TEST);
    fs::write(fixture.beside("file"), "").expect("the file can be written");
    let below = fixture.beside("file/target");
    let words = &["cannot create", "file/target/testsmith"];
    check(&fixture, &["score", "--target-dir", below.to_str().expect("a plain path")], 6, words);
}

/// Runs `score` with a target folder on a small disk of its own, which nobody else sees and which is gone afterwards.
/// `None` where such a disk is not allowed.
#[track_caller]
fn on_a_disk(fixture: &Fixture, options: &str) -> Option<Run> {
    let disk = fixture.beside("disk");
    fs::create_dir_all(&disk).expect("the folder can be made");
    let mut allowed = fixture.command("unshare");
    allowed.args(["-rm", "mount", "-t", "tmpfs", "tmpfs"]).arg(&disk);
    if !allowed.stderr(Stdio::null()).status().is_ok_and(|status| status.success()) {
        untested("no file system can be mounted here (`unshare -rm mount -t tmpfs`)");
        return None;
    }
    // What is left of a report is named on stdout, where nothing ought to be.
    let script = "mount -t tmpfs -o \"$1\" tmpfs \"$2\" || exit 99; \
                  \"$3\" testsmith score --target-dir \"$2\"; code=$?; \
                  find \"$2\" -name 'score*' -o -name '.tmp*'; exit $code";
    let mut command = fixture.command("unshare");
    command.args(["-rm", "sh", "-c", script, "sh", options]).arg(&disk);
    command.arg(env!("CARGO_BIN_EXE_cargo-testsmith"));
    Some(fixture.start(&mut command).wait())
}

#[test]
fn a_full_disk_is_named_whoever_meets_it_first() {
    // The tool when it copies, the compiler, the linker (which dies of it).
    for size in ["4k", "64k", "1m"] {
        let fixture = tested_by(TEST);
        let Some(run) = on_a_disk(&fixture, &format!("size={size}")) else { return };
        check_run(&fixture, run, 6, &["full", "--target-dir"]);
    }
}

#[test]
fn a_disk_that_the_tests_fill_is_named_too() {
    // The plain tests leave some room for the copy, but not for what is built from it.
    let fill = "use std::io::Write;\n\n#[test]\nfn fill() {\n    assert!(sample::is_big(10));\n    \
        let mut file = std::fs::File::create(\"filler\").unwrap();\n    \
        while file.write_all(&[1; 4096]).is_ok() {}\n    \
        let size = file.metadata().unwrap().len();\n    file.set_len(size - 300_000).unwrap();\n}\n";
    let fixture = tested_by(fill);
    let Some(run) = on_a_disk(&fixture, "size=64m") else { return };
    check_run(&fixture, run, 6, &["full", "--target-dir"]);
}

#[test]
fn a_disk_that_mutants_fill_leaves_no_half_of_a_report() {
    let fill = "use std::io::Write;\n\n#[test]\nfn fill() {\n    \
        if !sample::is_big(10) || sample::is_big(9) || sample::is_big(1) {\n        \
        for size in [4096, 1] {\n            \
        let mut file = std::fs::File::create(format!(\"filler-{size}\")).unwrap();\n            \
        while file.write_all(&vec![1; size]).is_ok() {}\n        }\n        panic!();\n    }\n}\n";
    let fixture = tested_by(fill);
    // In the sandbox mutants cannot write beside the report.
    fixture.write("testsmith.toml", "sandbox = false\n");
    let Some(run) = on_a_disk(&fixture, "size=64m") else { return };
    check_run(&fixture, run, 6, &["No space left on device", "space"]);
}

/// Every run needs a file in this folder: without it, nothing can be found out any more.
#[test]
fn a_test_that_deletes_what_the_tool_needs_ends_the_run() {
    let fixture = tested_by(
        "#[test]\nfn deletes() {\n    \
         if !sample::is_big(10) || sample::is_big(9) || sample::is_big(1) {\n        \
         std::fs::remove_dir_all(\"../scratch\").unwrap();\n        panic!();\n    }\n}\n",
    );
    let run = fixture.start(fixture.tool().args(["score", "-j2"])).wait_within(Duration::from_secs(20));
    check_run(&fixture, run, 6, &["cannot write", "scratch"]);
}

#[test]
fn two_runs_at_once_find_what_one_would() {
    let fixture = Fixture::copy("demo");
    let alone = fixture.score(&[]);
    let mut runs = [(); 2].map(|()| fixture.start(fixture.tool().args(["score", "--json"])));
    for running in &mut runs {
        running.child().within(Duration::from_secs(60)).expect("it ends");
    }
    for run in runs.map(util::Running::wait) {
        assert_eq!(run.expect_code(2).score().verdicts(), alone.verdicts());
    }
}

#[test]
fn a_target_folder_on_a_read_only_disk_is_named() {
    let fixture = tested_by(TEST);
    let Some(run) = on_a_disk(&fixture, "ro") else { return };
    check_run(&fixture, run, 6, &["cannot create", "Read-only file system", "--target-dir"]);
}

#[test]
fn a_run_without_a_score_keeps_the_old_report() {
    let fixture = tested_by(TEST);
    let good = fixture.score(&[]);
    fixture.replace("tests/all.rs", "is_big(10)", "is_big(9)");
    fixture.run(&["score"]).expect_code(4);
    let kept = fs::read_to_string(fixture.report()).expect("the report is still there");
    assert_eq!(Score(serde_json::from_str(&kept).expect("it is whole")), good);
}

/// How long Ctrl-C may take.
const AT_ONCE: Duration = Duration::from_secs(2);

/// Starts `score`, sends a signal as soon as `sign` has appeared, and expects the end at once.
#[track_caller]
fn interrupted(fixture: &Fixture, sign: &str, signal: &str) -> Run {
    let mut tool = fixture.tool();
    let mut running = fixture.start(tool.arg("score").env("SIGNS", fixture.beside("")));
    fixture.wait_for_sign(sign);
    running.signal(signal);
    let sent = Instant::now();
    assert!(running.child().within(AT_ONCE).is_some(), "still there after {:?}", sent.elapsed());
    running.wait().expect_code(130)
}

/// Code that leaves a sign of life for the test, and then takes its time.
fn slowly(sign: &str) -> String {
    format!(
        "{}\n    \
         std::process::Command::new(\"sleep\").arg(\"1000\").status().unwrap();",
        leave_sign(sign)
    )
}

#[test]
fn ctrl_c_while_mutants_run_reports_what_is_known() {
    // Only a mutant is slow, and only the last one: the others are judged by then.
    let fixture = Fixture::package(&[
        ("src/lib.rs", &format!("{LIB}\npub fn zero() -> u32 {{\n    0\n}}\n")),
        (
            "tests/all.rs",
            &format!(
                "{TEST}\n#[test]\nfn zero() {{\n    if sample::zero() != 0 {{\n    {}\n    }}\n}}\n",
                slowly("mutant")
            ),
        ),
    ]);
    fixture.write("testsmith.toml", "timeout_seconds = 500\njobs = 1\n");
    for signal in ["INT", "TERM"] {
        let run = interrupted(&fixture, "mutant", signal);
        assert!(run.stdout.contains("interrupted: "), "{run:#?}");
        assert!(run.stdout.contains("mutants were not run"), "{run:#?}");
        assert!(run.stdout.contains("score "), "{run:#?}");
        let report = fs::read_to_string(fixture.report()).expect("the report was written");
        let score = Score(serde_json::from_str(&report).expect("it is whole"));
        assert_eq!(score.0["complete"], false);
        assert!(score.count("not_run") > 0, "{:#}", score.0["mutants"]);
        assert!(score.count("killed") > 0, "{:#}", score.0["mutants"]);
        fs::remove_file(fixture.report()).expect("it was just read");
    }
}

#[test]
fn ctrl_c_while_the_plain_tests_run_ends_them() {
    let fixture = tested_by(&format!("#[test]\nfn slow() {{\n    {}\n}}\n", slowly("test")));
    let run = interrupted(&fixture, "test", "INT");
    assert_eq!((run.message(), run.stdout.as_str()), ("error: interrupted\n", ""));
    assert!(!fixture.report().exists());
}

#[test]
fn ctrl_c_while_cargo_builds_ends_it() {
    let fixture = tested_by(TEST);
    fixture.write("build.rs", format!("fn main() {{\n    {}\n}}\n", slowly("build")));
    let run = interrupted(&fixture, "build", "INT");
    assert_eq!((run.message(), run.stdout.as_str()), ("error: interrupted\n", ""));
    assert!(!fixture.report().exists());
}

#[test]
fn ctrl_c_while_the_mutants_are_built_ends_that() {
    let fixture = tested_by(TEST);
    // Its files are there a moment before cargo is started on them.
    let run = interrupted(&fixture, "tree/target/testsmith/meta/Cargo.lock", "INT");
    assert_eq!((run.message(), run.stdout.as_str()), ("error: interrupted\n", ""));
    assert!(!fixture.report().exists());
}

#[test]
fn ctrl_c_while_tests_are_traced_ends_them() {
    // The baseline runs all tests in one process; alone, with its own name as argument, this one is slow.
    let fixture = tested_by(&format!(
        "#[test]\nfn slow() {{\n    assert!(sample::is_big(10));\n    \
         if std::env::args().any(|argument| argument == \"slow\") {{\n    {}\n    }}\n}}\n",
        slowly("trace")
    ));
    let run = interrupted(&fixture, "trace", "INT");
    assert!(run.stdout.contains("interrupted: ") || run.stderr.contains("interrupted"), "{run:#?}");
}
