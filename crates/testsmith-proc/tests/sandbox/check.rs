//! Makes every attempt of the table in the sandbox and, where that is safe, without one, and compares.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::ExitCode;

use testsmith_proc::sandbox::{self, Guard, Policy, State};
use testsmith_proc::{Answer, Call, Ending, Limits, Part, Ran, Spec, run, run_observed};

use crate::attempts::Place;
use crate::raw::call;
use crate::table::{Outcome, ROWS, Row, in_namespaces};
use crate::util::{LONG, TAIL, unique_file};

/// The first argument of the program in the sandbox; the name of the row and the two folders follow.
pub(crate) const ATTEMPT: &str = "--attempt";

/// How an attempt is made.
const FREE: &str = "without a sandbox";
const SANDBOXED: &str = "in the sandbox";
const IN_NAMESPACES: &str = "in namespaces";

/// Exit code of an attempt that failed; the error's number is on stdout.
const FAILED: u8 = 3;

/// The program in the sandbox.
pub(crate) fn attempt(words: &[&str]) -> ExitCode {
    let [name, inside, outside] = words else {
        return ExitCode::from(2);
    };
    let row = ROWS.iter().find(|row| row.name == *name).expect("the row has its attempt");
    match (row.attempt)(&Place { inside: inside.into(), outside: outside.into() }) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("{}", error.raw_os_error().unwrap_or(0));
            eprintln!("{error}");
            ExitCode::from(FAILED)
        }
    }
}

/// The test.
pub(crate) fn all() {
    // A file that the tool has open by mistake, for every child to inherit.
    let stray = File::open("/dev/null").expect("it is always there");
    rustix::io::fcntl_setfd(&stray, rustix::io::FdFlags::empty()).expect("the file is open");

    let report = sandbox::ask(&policy(Path::new("/nonexistent"))).expect("this executable is the sandbox");
    print!("{report}");
    a_program_that_cannot_be_started_is_told();
    addresses_are_the_same_every_time_if_asked_for();
    calls_that_reach_outside_are_told_before_they_are_made();
    let failures: Vec<String> = ROWS.iter().flat_map(check).collect();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

fn calls_that_reach_outside_are_told_before_they_are_made() {
    let file = unique_file();
    fs::write(&file, "precious").expect("there is a folder for temporary files");
    let folder = file.parent().expect("it is in a folder").to_owned();
    let namespaced = Policy { namespaces: Some(folder.clone()), ..policy(&folder) };
    let without = Policy { namespaces: None, ..namespaced.clone() };
    for policy in [namespaced, without] {
        let observed = |script: &str, refused: Option<&Path>| {
            let mut calls = Vec::new();
            let spec = Spec::new("/bin/sh").args(["-c", script]).arg("sh").arg(&file).dir("/");
            let mut on_call = |call: &Call| {
                calls.push(call.clone());
                if refused.is_some() && call.path.as_deref() == refused { Answer::Refuse } else { Answer::Go }
            };
            let ran = run_observed(&policy, spec, &Limits::wall(LONG), TAIL, &mut on_call);
            let ran = ran.expect("there is a shell").expect("this kernel asks");
            assert!(ran.ending.success(), "{script}: {}", String::from_utf8_lossy(&ran.stderr));
            calls
        };
        let usual = observed("true", None);
        let has = |calls: &[Call], part: Part, path: Option<&Path>| {
            calls.iter().any(|call| call.part == part && (path.is_none() || call.path.as_deref() == path))
        };
        assert!(usual.iter().any(|call| call.name == "execve"), "it becomes the shell: {usual:?}");
        assert!(!has(&usual, Part::Files, Some(&file)));
        let refused = observed(r#"echo gone > "$1" || true"#, Some(&file));
        assert!(has(&refused, Part::Files, Some(&file)), "{refused:?}");
        assert_eq!(fs::read_to_string(&file).expect("it is there"), "precious");
        // A relative path is told as a whole, and what a child does as well.
        let relative =
            format!("cd {} && (rm -f {:?}; true)", folder.display(), file.file_name().expect("it has one"));
        let removed = observed(&relative, Some(&file));
        assert!(
            has(&removed, Part::Directory, Some(&folder)) && has(&removed, Part::Processes, None),
            "{removed:?}"
        );
        assert!(has(&removed, Part::Files, Some(&file)), "{removed:?}");
        assert!(file.exists());
    }
    fs::remove_file(&file).expect("it is ours");
}

fn a_program_that_cannot_be_started_is_told() {
    let spec = sandbox::spec(&Policy::default(), Spec::new("/no/such/program"));
    let ran = run(&spec, &Limits::wall(LONG), TAIL).expect("the sandbox itself starts");
    assert_eq!(ran.ending, Ending::Exited(2));
    assert!(String::from_utf8_lossy(&ran.stderr).contains("cannot start `/no/such/program`"), "{ran:?}");
}

fn addresses_are_the_same_every_time_if_asked_for() {
    const NOT_RANDOM: libc::c_long = 0x0004_0000;
    let memory = |fixed_addresses| {
        let spec = Spec::new("/bin/cat").arg("/proc/self/maps").fixed_addresses(fixed_addresses);
        let spec = sandbox::spec(&Policy::default(), spec);
        run(&spec, &Limits::wall(LONG), TAIL).expect("the sandbox starts").stdout
    };
    assert_ne!(memory(false), memory(false), "by itself the system moves everything");
    // As some containers do. Where it is granted, it holds for what this process will start, so it is taken back.
    if let Err(refused) = call(libc::SYS_personality, [NOT_RANDOM, 0, 0, 0, 0]) {
        return eprintln!("addresses are always random here: {refused}");
    }
    call(libc::SYS_personality, [0; 5]).expect("as it was");
    assert_eq!(memory(true), memory(true));
    assert_ne!(memory(false), memory(false), "the tool itself goes on as it was");
}

/// What all rows may do; enough for a program that does nothing wrong.
fn policy(inside: &Path) -> Policy {
    Policy {
        writable: vec![inside.to_path_buf()],
        namespaces: None,
        preload: None,
        observed: false,
        memory: Some(1 << 30),
        cpu_seconds: Some(1),
        processes: None,
        open_files: Some(64),
        file_size: Some(1 << 20),
    }
}

/// Makes the attempt; returns what is not as it should be.
fn check(row: &Row) -> Vec<String> {
    let mut failures = Vec::new();
    if let Some(expected) = row.free {
        failures.extend(compare(row, FREE, expected, &make(row, None)));
    }
    let scratch = unique_file();
    let place = furnish(&scratch);
    let mut policy = policy(&place.inside);
    (row.policy)(&mut policy);
    let report = sandbox::ask(&policy).expect("this executable is the sandbox");
    match report.state(row.guard) {
        Some(State::Held(_)) => {
            failures.extend(compare(row, SANDBOXED, row.sandboxed, &make(row, Some(&policy))));
        }
        state => eprintln!("skipped: {}: {} is not protected here: {state:?}", row.name, row.guard),
    }
    policy.namespaces = Some(place.inside.clone());
    let report = sandbox::ask(&policy).expect("this executable is the sandbox");
    match [Guard::Namespaces, row.guard].map(|guard| report.state(guard)) {
        [Some(State::Held(_)), Some(State::Held(_)) | None] => {
            failures.extend(compare(row, IN_NAMESPACES, in_namespaces(row), &make(row, Some(&policy))));
        }
        state => eprintln!("skipped: {} in namespaces: {state:?}", row.name),
    }
    fs::remove_dir_all(scratch).expect("nobody else uses it");
    failures
}

fn compare(row: &Row, how: &str, expected: Outcome, (ran, changes): &(Ran, Vec<String>)) -> Option<String> {
    let number: i32 = String::from_utf8_lossy(&ran.stdout).trim().parse().unwrap_or(0);
    let is_expected = match expected {
        Outcome::Works => ran.ending.success(),
        Outcome::Fails(numbers) => ran.ending == Ending::Exited(FAILED.into()) && numbers.contains(&number),
        Outcome::Dies(signal) => ran.ending == Ending::Signalled(signal),
    };
    let said = String::from_utf8_lossy(&ran.stderr);
    if !is_expected {
        return Some(format!("{} {how}: {expected:?}, but {}: {}", row.name, ran.ending, said.trim()));
    }
    let is_sandboxed = how != FREE;
    (is_sandboxed && !changes.is_empty()).then(|| format!("{} {how} changed {changes:?}", row.name))
}

/// Makes the attempt in a place of its own; returns what it said, and what has changed outside.
fn make(row: &Row, policy: Option<&Policy>) -> (Ran, Vec<String>) {
    let scratch = unique_file();
    let place = furnish(&scratch);
    let exe = std::env::current_exe().expect("the system knows what it runs");
    let spec = Spec::new(exe).arg(ATTEMPT).arg(row.name).args([&place.inside, &place.outside]);
    let spec = match policy {
        Some(policy) => {
            let mut policy = Policy { writable: vec![place.inside.clone()], ..policy.clone() };
            policy.namespaces = policy.namespaces.map(|_| place.inside.clone());
            sandbox::spec(&policy, spec)
        }
        None => spec,
    };
    let before = look(&place.outside);
    let ran = run(&spec, &Limits::wall(LONG), TAIL).expect("this executable can be started");
    let after = look(&place.outside);
    fs::remove_dir_all(scratch).expect("nobody else uses it");
    let changes = after.iter().filter(|line| !before.contains(line));
    let gone = before.iter().filter(|line| !after.contains(line));
    (ran, changes.chain(gone).cloned().collect())
}

/// A folder inside and one outside, with the same things in them.
fn furnish(scratch: &Path) -> Place {
    let place = Place { inside: scratch.join("inside"), outside: scratch.join("outside") };
    for folder in [&place.inside, &place.outside] {
        fs::create_dir_all(folder.join("folder")).expect("the target folder is writable");
        fs::write(folder.join("file"), "precious").expect("the folder is new");
        let plain = fs::Permissions::from_mode(0o644);
        fs::set_permissions(folder.join("file"), plain).expect("the file is ours");
    }
    place
}

/// Everything about the files of a folder that could be changed.
fn look(folder: &Path) -> Vec<String> {
    let describe = |entry: io::Result<fs::DirEntry>| {
        let path = entry?.path();
        let about = fs::symlink_metadata(&path)?;
        let (mode, owner, links) = (about.mode(), about.uid(), about.nlink());
        let content = if about.is_file() { fs::read(&path)? } else { Vec::new() };
        Ok(format!("{} {mode:o} {owner} {links} {:?} {content:?}", path.display(), about.modified()?))
    };
    let entries = fs::read_dir(folder).expect("the folder is still there");
    entries.map(describe).collect::<io::Result<_>>().expect("every file can be looked at")
}
