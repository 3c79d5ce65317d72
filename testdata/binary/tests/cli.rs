//! Runs the program.

use std::process::{Command, Output};

fn greet(names: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_greet")).args(names).output().unwrap()
}

#[test]
fn names_are_greeted() {
    let output = greet(&["Ann", "Bob"]);
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stdout), "hello Ann and Bob\n");
}

#[test]
fn without_a_name_it_complains() {
    assert!(!greet(&[]).status.success());
}
