//! Inputs that a solver finds: mutants die of them that no search would expose, the engine sees what the worker sees, and
//! who has no target for it is told the command.

mod util;

use util::Fixture;

/// What is inside is seen for one number in very many: no distance leads there, because a product is in the way, and the number
/// stands nowhere.
const SOURCE: &str = r#"
pub fn toll(code: u64) -> u32 {
    let mixed = code.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
    if mixed == 0xbad_cafe_0042 {
        return 40 + 2;
    }
    1
}

pub fn voucher(text: &str) -> Option<u32> {
    let bytes = text.as_bytes();
    if bytes.len() != 6 || !bytes.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let digit = |at: usize| u32::from(bytes[at] - b'0');
    let sum = digit(0) * 7 + digit(1) * 5 + digit(2) * 3 + digit(3) * 11;
    if sum % 97 != digit(4) * 10 + digit(5) || sum < 120 {
        return None;
    }
    Some(sum * 2)
}

pub fn total(amounts: &[u8]) -> u32 {
    amounts.iter().map(|amount| u32::from(*amount)).sum()
}
"#;

fn fixture() -> Fixture {
    Fixture::package(&[("src/lib.rs", SOURCE)])
}

#[test]
fn a_solver_finds_what_evolution_does_not_and_the_same_each_time() {
    let fixture = fixture();
    let search = || {
        let arguments =
            ["execute", "--strategy", "hybrid", "--executions", "6000", "--solve-after", "0.5", "--json"];
        let mut report = fixture.run(&arguments).expect_code(0).json();
        for changing in ["seconds", "seconds_to_first", "workers_started", "peak_worker_bytes"] {
            report.as_object_mut().expect("an object").remove(changing);
        }
        report
    };
    let first = search();
    let strategies = first["strategies"].as_array().expect("a list");
    let symbolic = strategies.iter().find(|it| it["strategy"] == "symbolic").expect("it takes part");
    let kills = symbolic["kills"].as_u64().expect("a number");
    assert!(kills >= 3, "{strategies:#?}");
    assert_eq!(first["strategies"], search()["strategies"]);
}

#[test]
fn the_engine_sees_what_the_worker_sees() {
    let report = fixture().run(&["execute", "--agree-engine", "300", "--json"]).expect_code(0).json();
    for what in ["ended_otherwise", "observed_otherwise", "not_infected"] {
        assert_eq!(report[what], 0, "{what}: {report:#?}");
    }
    assert!(
        report["programs"].as_u64() > Some(250) && report["infected"].as_u64() > Some(250),
        "{report:#?}"
    );
}

#[test]
#[cfg(unix)]
fn without_the_target_the_command_that_adds_it_is_told() {
    use std::os::unix::fs::PermissionsExt;

    let fixture = fixture();
    let elsewhere = tempfile::tempdir().expect("there is a temporary folder");
    let compiler = elsewhere.path().join("rustc");
    let script = "#!/bin/sh\ncase \"$*\" in *target-libdir*) echo /nowhere;; *) exec rustc \"$@\";; esac\n";
    std::fs::write(&compiler, script).expect("the folder is new");
    std::fs::set_permissions(&compiler, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
    let run = |strategy: &str| {
        let mut tool = fixture.tool();
        tool.env("RUSTC", &compiler);
        fixture.start(tool.args(["execute", "--strategy", strategy, "--executions", "100"])).wait()
    };
    let words = ["rustup target add wasm32-wasip1"];
    run("symbolic").expect_code(6).expect_words(&words);
    run("hybrid").expect_code(0).expect_words(&words);
    run("evolve").expect_code(0);
}
