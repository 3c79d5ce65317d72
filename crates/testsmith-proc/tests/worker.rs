//! Workers: frames both ways, whatever the worker does in between, and nothing of it left afterwards.
//! `cat` is a worker that answers with the question.
#![cfg(target_os = "linux")]

mod util;

use std::time::{Duration, Instant};

use testsmith_proc::{Ending, Gone, Limits, Spec, StartError, Worker};
use util::{LONG, processes_with, sh, start_sleeper, unique_sleep, wait_for};

fn start(spec: &Spec) -> Worker {
    Worker::start(spec, &Limits::wall(LONG)).expect("there is such a program")
}

fn soon() -> Instant {
    Instant::now() + Duration::from_millis(100)
}

fn later() -> Instant {
    Instant::now() + LONG
}

/// A shell that sends the beginning of a frame of so many bytes.
fn header(length: u32) -> String {
    let bytes = length.to_le_bytes().map(|byte| format!("\\{byte:03o}"));
    format!("printf '{}';", bytes.concat())
}

#[test]
fn frames_of_all_sizes_come_back() {
    let mut worker = start(&Spec::new("cat"));
    for size in [0, 1, 5, 4096, 65_536, 1_000_000, 3] {
        let frame: Vec<u8> = (0..size).map(|at| at as u8).collect();
        worker.send(&frame).unwrap();
        assert_eq!(worker.receive(later()).unwrap(), frame);
    }
    assert!(worker.gone().is_none());
}

#[test]
fn several_frames_may_be_sent_before_the_first_answer() {
    let mut worker = start(&Spec::new("cat"));
    let frames: Vec<Vec<u8>> = (0..200_u8).map(|n| vec![n; 5000]).collect();
    frames.iter().for_each(|frame| worker.send(frame).unwrap());
    for frame in &frames {
        assert_eq!(worker.receive(later()).as_ref(), Ok(frame));
    }
}

#[test]
fn ten_megabytes_both_ways_do_not_wait_for_each_other() {
    // The worker writes all of its own before it reads anything.
    const SIZE: usize = 10 << 20;
    let script = format!("{} head -c {SIZE} /dev/zero; exec cat", header(SIZE as u32));
    let mut worker = start(&sh(&script));
    let frame = vec![b'x'; SIZE];
    worker.send(&frame).unwrap();
    assert_eq!(worker.receive(later()).unwrap(), vec![0; SIZE]);
    assert_eq!(worker.receive(later()).unwrap(), frame);
}

#[track_caller]
fn check_gone(script: &str, expected: &Gone) {
    let mut worker = start(&sh(script));
    // Nobody may read it.
    let _ = worker.send(&vec![0; 1 << 20]);
    assert_eq!(worker.receive(later()).as_ref(), Err(expected), "{script}");
    assert_eq!(worker.receive(later()).as_ref(), Err(expected), "it is still gone");
    assert_eq!(worker.send(b"x").as_ref(), Err(expected), "it is still gone");
}

#[test]
fn a_death_is_told_with_its_reason() {
    check_gone("exit 3", &Gone::Exited(Ending::Exited(3)));
    check_gone("kill -SEGV $$", &Gone::Exited(Ending::Signalled(11)));
}

#[test]
fn a_death_in_the_middle_of_a_frame_is_a_death() {
    check_gone("printf '\\5'; exit 3", &Gone::Exited(Ending::Exited(3)));
    check_gone(&format!("{} printf ab; kill -KILL $$", header(5)), &Gone::Exited(Ending::Signalled(9)));
}

#[test]
fn what_was_sent_before_a_death_is_received() {
    let mut worker = start(&sh(&format!("{0} printf one; {0} printf two; exit 4", header(3))));
    assert_eq!(worker.receive(later()).unwrap(), b"one");
    assert_eq!(worker.receive(later()).unwrap(), b"two");
    assert_eq!(worker.receive(later()), Err(Gone::Exited(Ending::Exited(4))));
}

#[test]
fn a_worker_that_hangs_is_killed_at_the_deadline() {
    let seconds = unique_sleep();
    let mut worker = start(&sh(&format!("sleep {seconds} & exec sleep {seconds}")));
    wait_for(&seconds);
    assert_eq!(worker.poll(soon()), Ok(None), "only asking does not kill");
    assert!(!processes_with(&seconds).is_empty());
    let deadline = soon();
    assert_eq!(worker.receive(deadline), Err(Gone::TimedOut));
    assert!(Instant::now() >= deadline, "it was too early");
    assert_eq!(processes_with(&seconds), Vec::<String>::new());
}

#[test]
fn a_worker_that_neither_reads_nor_answers_is_killed_at_the_deadline() {
    let mut worker = start(&Spec::new("sleep").arg("1000"));
    worker.send(&vec![0; 1 << 20]).unwrap();
    assert_eq!(worker.receive(soon()), Err(Gone::TimedOut));
}

#[test]
fn a_whole_life_may_be_limited() {
    let mut worker = Worker::start(&Spec::new("cat"), &Limits::wall(Duration::from_millis(200))).unwrap();
    worker.send(b"x").unwrap();
    assert_eq!(worker.receive(later()).unwrap(), b"x");
    assert_eq!(worker.receive(later()), Err(Gone::TimedOut));
}

#[test]
fn noise_instead_of_frames_ends_the_worker() {
    for script in ["while :; do echo noise; done", "echo noise; exit 0"] {
        let mut worker = start(&sh(script));
        for _ in 0..2 {
            let gone = worker.receive(later()).expect_err("this is no frame");
            assert!(matches!(&gone, Gone::Protocol(what) if what.contains("bytes")), "{gone}");
        }
    }
}

#[test]
fn a_closed_output_is_the_end_one_way_or_the_other() {
    check_gone("exec >&-; exit 4", &Gone::Exited(Ending::Exited(4)));
    check_gone("exec >&-; exec sleep 1000", &Gone::Protocol("the end of its output".to_owned()));
}

#[test]
fn a_closed_input_does_not_hinder_answers() {
    let mut worker = start(&sh(&format!("exec <&-; sleep 0.1; {} printf one; exec sleep 1000", header(3))));
    worker.send(&vec![0; 1 << 20]).unwrap();
    assert_eq!(worker.receive(later()).unwrap(), b"one");
    assert!(worker.gone().is_none());
}

#[test]
fn grandchildren_are_gone_with_the_worker() {
    for launcher in ["", "setsid"] {
        let seconds = unique_sleep();
        let sleeper = start_sleeper(launcher, &seconds);

        let mut worker = start(&sh(&format!("{sleeper} exit 5")));
        assert_eq!(worker.receive(later()), Err(Gone::Exited(Ending::Exited(5))));
        assert_eq!(processes_with(&seconds), Vec::<String>::new(), "after its end");

        let mut worker = start(&sh(&format!("{sleeper} {} exec sleep {seconds}", header(0))));
        assert_eq!(worker.receive(later()).unwrap(), b"");
        drop(worker);
        assert_eq!(processes_with(&seconds), Vec::<String>::new(), "after being dropped");
    }
}

#[test]
fn the_last_words_and_the_memory_of_a_worker_are_known() {
    // It does not become another program: while that happens, a process has almost no memory.
    let mut worker = start(&sh(&format!("echo oops >&2; {} sleep 1000; exit", header(0))));
    worker.receive(later()).unwrap();
    assert_eq!(worker.last_words(), "oops\n");
    let peak = worker.peak_memory().expect("it runs");
    assert!(peak > 100_000, "{peak}");
    worker.end(Gone::TimedOut);
    assert_eq!(worker.peak_memory().map(|peak| peak > 100_000), Some(true), "still known");
}

#[test]
fn a_worker_that_cannot_be_started_is_an_error() {
    let error = Worker::start(&Spec::new("no-such-program-7"), &Limits::default()).err();
    assert!(matches!(error, Some(StartError::NotFound { .. })), "{error:?}");
}

#[test]
fn many_workers_answer_at_the_same_time() {
    std::thread::scope(|scope| {
        for number in 0..4_u8 {
            scope.spawn(move || {
                let mut worker = start(&Spec::new("cat"));
                for round in 0..100_u8 {
                    worker.send(&[number, round]).unwrap();
                    assert_eq!(worker.receive(later()).unwrap(), [number, round]);
                }
            });
        }
    });
}
