//! Many children at once: every one gets its own result, and none is left unreaped. A test binary of
//! its own, because it looks at all children of the process.
#![cfg(target_os = "linux")]

mod util;

use std::thread;

use testsmith_proc::{Capture, Ending, Limits, run};
use util::{LONG, TAIL, own_children, processes_with, sh, unique_sleep};

/// Quiet children, talking ones, and ones that leave something behind.
fn check_one(number: i32, seconds: &str) {
    let (script, capture) = match number % 4 {
        0 => (String::new(), Capture::Nothing),
        1 => (format!("echo {number};"), TAIL),
        2 => (format!("sleep {seconds} &"), Capture::Nothing),
        _ => (format!("setsid sleep {seconds} &"), TAIL),
    };
    let spec = sh(&format!("{script} exit {number}"));
    let ran = run(&spec, &Limits::wall(LONG), capture).expect("there is a shell");
    assert_eq!(ran.ending, Ending::Exited(number));
    if number % 4 == 1 {
        assert_eq!(String::from_utf8_lossy(&ran.stdout), format!("{number}\n"));
    }
}

#[test]
fn two_hundred_children_of_four_threads_are_all_told_apart_and_reaped() {
    let seconds = unique_sleep();
    thread::scope(|scope| {
        for worker in 0..4 {
            let seconds = &seconds;
            scope.spawn(move || (0..50).for_each(|turn| check_one(worker * 50 + turn, seconds)));
        }
    });
    assert_eq!(processes_with(&seconds), Vec::<String>::new());
    assert_eq!(own_children(), Vec::<String>::new());
}
