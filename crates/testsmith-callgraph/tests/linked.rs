//! A small program is compiled and linked, and its functions reach what they say that they do.

#![cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]

use testsmith_callgraph::{CallGraph, LINK_ARGUMENT};
use testsmith_proc::{Capture, Limits, Spec};

const PROGRAM: &str = r#"
use std::collections::HashMap;

trait Sink { fn put(&self, text: &str); }
struct ToFile;
struct ToMemory;
impl Sink for ToFile { fn put(&self, text: &str) { let _ = std::fs::write("x", text); } }
impl Sink for ToMemory { fn put(&self, _: &str) {} }

struct Remover(String);
impl Drop for Remover { fn drop(&mut self) { let _ = std::fs::remove_file(&self.0); } }

#[no_mangle] pub fn adds(a: u32, b: u32) -> u32 { a.checked_add(b).unwrap() }
#[no_mangle] pub fn panics(a: &[u32]) -> u32 { assert!(a.len() > 3, "{a:?}"); a[7] }
#[no_mangle] pub fn hashes(a: u32) -> usize { HashMap::from([(a, a)]).len() }
#[no_mangle] pub fn prints(a: u32) { println!("{a}"); eprintln!("{a}"); }
#[no_mangle] pub fn waits() { std::thread::spawn(|| 1).join().unwrap(); }
#[no_mangle] pub fn reads() -> String { std::fs::read_to_string("x").unwrap_or_default() }
#[no_mangle] pub fn looks() -> bool { std::path::Path::new("x").exists() }
#[no_mangle] pub fn virtually(sink: &dyn Sink) { sink.put("x") }
#[no_mangle] pub fn chooses(a: bool) { let sink: Box<dyn Sink> = if a { Box::new(ToFile) } else { Box::new(ToMemory) }; sink.put("x") }
#[no_mangle] pub fn removes(path: &str) { drop(Remover(path.to_owned())) }
#[no_mangle] pub fn connects() -> bool { std::net::TcpStream::connect("127.0.0.1:1").is_ok() }
#[no_mangle] pub fn starts() -> bool { std::process::Command::new("true").spawn().is_ok() }
#[no_mangle] pub fn variable() -> bool { std::env::var("X").is_ok() }
#[no_mangle] pub fn variables() -> usize { std::env::vars().count() }
#[no_mangle] pub fn moves() -> bool { std::env::set_current_dir("/").is_ok() }
#[no_mangle] pub fn asks() -> usize { let mut line = String::new(); std::io::stdin().read_line(&mut line).unwrap_or(0) }
#[no_mangle] pub fn leaves(code: i32) { if code > 3 { std::process::exit(code) } }
#[no_mangle] pub fn in_thread() { std::thread::spawn(|| std::fs::read("x").is_ok()).join().unwrap(); }
#[no_mangle] pub fn stamps() -> u64 { std::time::SystemTime::now().elapsed().map_or(0, |it| it.as_secs()) }
#[no_mangle] pub fn measures() -> std::time::Duration { std::time::Instant::now().elapsed() }
#[no_mangle] pub fn naps() -> bool {
    let (sender, receiver) = std::sync::mpsc::channel::<u8>();
    std::thread::park_timeout(std::time::Duration::from_millis(1));
    let late = receiver.recv_timeout(std::time::Duration::from_millis(1)).is_err();
    drop(sender);
    late
}
#[no_mangle] pub fn catches() -> bool { std::panic::catch_unwind(|| std::fs::read("x").is_ok()).unwrap_or(false) }

fn main() {
    let mut all: Vec<usize> = vec![adds as usize, panics as usize, hashes as usize, prints as usize, waits as usize];
    all.extend([reads as usize, looks as usize, virtually as usize, chooses as usize, removes as usize, connects as usize]);
    all.extend([starts as usize, variable as usize, variables as usize, moves as usize, asks as usize, leaves as usize]);
    all.extend([in_thread as usize, catches as usize, stamps as usize, measures as usize, naps as usize]);
    println!("{all:?}");
}
"#;

/// By function, what it reaches.
const EXPECTED: &[(&str, &[&str])] = &[
    ("adds", &[]),
    ("panics", &[]),
    ("hashes", &[]),
    ("prints", &[]),
    ("waits", &[]),
    ("reads", &["files"]),
    ("looks", &["files"]),
    // Who calls it has made the sink, and is seen to reach files.
    ("virtually", &[]),
    ("chooses", &["files"]),
    ("removes", &["files"]),
    ("connects", &["network"]),
    ("variable", &["environment"]),
    ("variables", &["environment"]),
    ("moves", &["directory"]),
    ("asks", &["input"]),
    ("leaves", &["exit"]),
    ("in_thread", &["files"]),
    ("catches", &["files"]),
    ("stamps", &[]),
    ("measures", &[]),
    ("naps", &[]),
];

/// Functions whose result rests on a clock. Who waits asks one as well, and its result does not say what it said.
const CLOCKS: &[&str] = &["stamps", "measures"];

fn linked(optimisation: &str) -> CallGraph {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let (source, program) = (folder.path().join("program.rs"), folder.path().join("program"));
    std::fs::write(&source, PROGRAM).expect("the folder is ours");
    let spec = Spec::new("rustc")
        .args(["--edition=2021", optimisation, LINK_ARGUMENT, "-o"])
        .arg(&program)
        .arg(&source);
    let ran = testsmith_proc::run(&spec, &Limits::default(), Capture::Tail { bytes: 1 << 16 })
        .expect("there is a compiler");
    assert!(ran.ending.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    CallGraph::read(&std::fs::read(&program).expect("it was written"), "none").expect("it can be read")
}

#[test]
fn functions_reach_what_they_call() {
    for optimisation in ["-Copt-level=0", "-Copt-level=1", "-Copt-level=3"] {
        let graph = linked(optimisation);
        let mut wrong = Vec::new();
        for (function, expected) in EXPECTED {
            let address = graph.address(function).expect("it is linked");
            let chains = graph.reached(address).expect("it is a function");
            let found: Vec<&str> = chains.iter().map(|chain| chain.outside.name()).collect();
            let clock = graph.to_clock(address);
            if found != *expected || clock.is_some() != CLOCKS.contains(function) {
                wrong.push(format!("{function}: {chains:?}, {clock:?}"));
            }
        }
        // It sets signals, closes files and looks for the program as well.
        let starts = graph.reached(graph.address("starts").expect("it is linked")).expect("it is a function");
        assert!(starts.iter().any(|chain| chain.outside.name() == "processes"), "{starts:?}");
        assert!(wrong.is_empty(), "{optimisation}\n{}", wrong.join("\n"));
    }
}

#[test]
fn what_is_no_program_is_an_error() {
    assert!(CallGraph::read(b"#!/bin/sh", "none").is_err());
}
