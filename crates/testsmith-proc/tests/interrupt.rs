//! The user's wish to stop. A test binary of its own, because the wish holds for the whole process; for
//! the same reason the tests take turns.
#![cfg(target_os = "linux")]

mod util;

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Signal, getpid, kill_process};
use testsmith_proc::{Capture, Ending, Gone, Limits, Ran, Spec, Worker, interrupt, run};
use util::{LONG, TAIL, processes_with, run_sh, sh, unique_sleep, wait_for};

/// At once, on a loaded machine.
const SOON: Duration = Duration::from_secs(5);

fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    interrupt::reset_for_tests();
    turn
}

/// Interrupts a child that would run for long, and tells how it ended.
fn interrupted_by(interruption: impl FnOnce()) -> Ran {
    let seconds = unique_sleep();
    let spec = sh(&format!("setsid sleep {seconds} & sleep {seconds}"));
    let ran = thread::scope(|scope| {
        let running = scope.spawn(|| run(&spec, &Limits::wall(LONG), TAIL));
        wait_for(&seconds);
        let start = Instant::now();
        interruption();
        let ran = running.join().expect("`run` does not panic");
        assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
        ran.expect("there is a shell")
    });
    assert_eq!(processes_with(&seconds), Vec::<String>::new());
    ran
}

#[test]
fn a_request_ends_a_running_child_at_once() {
    let _turn = turn();
    assert!(!interrupt::requested());
    assert_eq!(interrupted_by(interrupt::request).ending, Ending::Interrupted);
    assert!(interrupt::requested());
}

#[test]
fn after_a_request_nothing_is_started() {
    let _turn = turn();
    interrupt::request();
    let sign = util::unique_file();
    let spec = sh(&format!("echo > {}", sign.display()));
    let ran = run(&spec, &Limits::default(), Capture::Nothing).unwrap();
    assert_eq!(ran.ending, Ending::Interrupted);
    assert_eq!(ran.duration, Duration::ZERO);
    assert!(!sign.exists());
}

#[test]
fn a_request_ends_a_worker_that_is_waited_for_and_lets_none_start() {
    let _turn = turn();
    let seconds = unique_sleep();
    let spec = sh(&format!("setsid sleep {seconds} & exec sleep {seconds}"));
    let mut worker = Worker::start(&spec, &Limits::wall(LONG)).unwrap();
    wait_for(&seconds);
    let start = Instant::now();
    let answer = thread::scope(|scope| {
        let waiting = scope.spawn(|| worker.receive(start + LONG));
        interrupt::request();
        waiting.join().expect("`receive` does not panic")
    });
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
    assert_eq!(answer, Err(Gone::Interrupted));
    assert_eq!(processes_with(&seconds), Vec::<String>::new());

    let mut late = Worker::start(&spec, &Limits::wall(LONG)).unwrap();
    assert_eq!(late.send(b"x"), Err(Gone::Interrupted));
    assert_eq!(processes_with(&seconds), Vec::<String>::new());
}

#[test]
fn a_request_in_the_middle_of_many_starts_misses_none() {
    let _turn = turn();
    for round in 0..20 {
        interrupt::reset_for_tests();
        let seconds = unique_sleep();
        let spec = Spec::new("sleep").arg(&seconds);
        let start = Instant::now();
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let ran = run(&spec, &Limits::wall(LONG), Capture::Nothing).unwrap();
                    assert_eq!(ran.ending, Ending::Interrupted);
                });
            }
            thread::sleep(Duration::from_micros(100) * round);
            interrupt::request();
        });
        assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
        assert_eq!(processes_with(&seconds), Vec::<String>::new());
    }
}

#[test]
fn a_signal_is_a_request_and_a_second_one_exits_with_130() {
    let _turn = turn();
    let exe = std::env::current_exe().unwrap();
    let spec =
        Spec::new(exe).args(["--exact", "tool_that_is_signalled_twice"]).args(["--ignored", "--nocapture"]);
    let ran = run(&spec, &Limits::wall(LONG), TAIL).unwrap();
    let said = String::from_utf8_lossy(&ran.stdout);
    assert_eq!(ran.ending, Ending::Exited(130), "{said}");
    assert!(said.contains("first: interrupted"), "{said}");
}

#[test]
#[ignore = "the tool of the test above, which starts it as a process of its own"]
fn tool_that_is_signalled_twice() {
    interrupt::install().unwrap();
    assert!(interrupt::install().is_err(), "only once");
    let ran = interrupted_by(|| kill_process(getpid(), Signal::INT).unwrap());
    println!("first: {}", ran.ending);
    kill_process(getpid(), Signal::TERM).unwrap();
    thread::sleep(LONG);
}

#[test]
fn without_a_request_nothing_is_interrupted() {
    let _turn = turn();
    assert_eq!(run_sh("exit 2").ending, Ending::Exited(2));
}
