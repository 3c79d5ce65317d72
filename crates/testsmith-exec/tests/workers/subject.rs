//! The crate under test, as a harness would be generated for it: a function with mutants, and others that do to their
//! process whatever can be done.

use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::mem::MaybeUninit;
use std::os::fd::{FromRawFd, OwnedFd};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use testsmith_rt::harness::Tables;
use testsmith_rt::{call, kind, may};

/// The first argument of the worker.
pub(crate) const WORKER: &str = "--worker";

/// Callables by their number.
pub(crate) const BUMP: u32 = 0;
pub(crate) const PROCESS: u32 = 1;
pub(crate) const ABORT: u32 = 2;
pub(crate) const HANG: u32 = 3;
pub(crate) const EXIT: u32 = 4;
pub(crate) const ALLOCATE: u32 = 5;
pub(crate) const RECURSE: u32 = 6;
pub(crate) const THREAD: u32 = 7;
pub(crate) const CLOSE: u32 = 8;
pub(crate) const LENGTH: u32 = 9;
pub(crate) const WRITE: u32 = 10;
pub(crate) const PANIC: u32 = 11;
pub(crate) const COUNT: u32 = 12;
pub(crate) const UNWRITTEN_HEAP: u32 = 13;
pub(crate) const UNWRITTEN_STACK: u32 = 14;
pub(crate) const HASH: u32 = 15;
pub(crate) const REACH: u32 = 16;

/// Mutants of `bump` by their number.
pub(crate) const DIFFERS: u32 = 1;
pub(crate) const EQUAL: u32 = 2;
pub(crate) const ABORTS: u32 = 3;
pub(crate) const EXITS: u32 = 4;
pub(crate) const HANGS: u32 = 5;
pub(crate) const ALLOCATES: u32 = 6;
pub(crate) const REACHES: u32 = 7;
const MUTANTS: u32 = 7;

pub(crate) fn tables() -> Tables {
    let calls = vec![
        call!(BUMP, |f| bump(f.value::<i32>(0))),
        call!(PROCESS, |_f| std::process::id()),
        call!(ABORT, |_f| abort()),
        call!(HANG, |_f| hang()),
        call!(EXIT, |_f| exit()),
        call!(ALLOCATE, |_f| allocate()),
        call!(RECURSE, |f| recurse(f.value::<i32>(0))),
        call!(THREAD, |_f| drop(std::thread::spawn(hang))),
        call!(CLOSE, |_f| close_everything()),
        call!(LENGTH, |f| f.text(0).len()),
        call!(WRITE, |f| fs::write(f.text(0), "x").is_ok()),
        call!(PANIC, |_f| panic()),
        call!(COUNT, |_f| COUNTER.fetch_add(1, Ordering::Relaxed)),
        call!(UNWRITTEN_HEAP, |_f| unwritten_heap()),
        call!(UNWRITTEN_STACK, |_f| unwritten_stack()),
        call!(HASH, |_f| RandomState::new().hash_one(1)),
        call!(REACH, |f| reach(f.text(0))),
    ];
    Tables { mutants: MUTANTS, kinds: vec![kind!(0, i32)], calls }
}

/// What one program leaves for the next.
static COUNTER: AtomicU32 = AtomicU32::new(0);

fn bump(number: i32) -> i32 {
    match may(DIFFERS, MUTANTS) {
        DIFFERS => number + 2,
        ABORTS => abort(),
        EXITS => exit(),
        HANGS => hang(),
        ALLOCATES => allocate() as i32,
        REACHES => number + 1 + i32::from(fs::exists("/somewhere").is_err()),
        _ => number + 1,
    }
}

/// Whether it could be done: nothing of it is done in a sandbox.
fn reach(what: &str) -> bool {
    match what {
        "look up" => fs::exists("/somewhere").is_ok(),
        "delete" => fs::remove_file("/somewhere/else").is_ok(),
        "random" => fs::File::open("/dev/urandom").is_ok(),
        "processors" => std::thread::available_parallelism().is_ok(),
        "bind" => std::net::UdpSocket::bind("127.0.0.1:0").is_ok(),
        "start" => std::process::Command::new("/bin/true").status().is_ok(),
        "variable" => std::env::var("HOME").is_ok(),
        "backtrace" => !format!("{:?}", std::backtrace::Backtrace::capture()).is_empty(),
        "folder" => std::env::current_dir().is_ok(),
        "input" => std::io::stdin().read_line(&mut String::new()).is_ok(),
        "terminal" => std::io::IsTerminal::is_terminal(&std::io::stdin()),
        "thread" => std::thread::spawn(|| ()).join().is_ok(),
        "output" => std::io::Write::write(&mut std::io::stdout(), b"text").is_ok(),
        "thread that looks up" => std::thread::spawn(|| fs::exists("/somewhere")).join().is_ok(),
        other => panic!("nobody can {other}"),
    }
}

fn abort() -> i32 {
    std::process::abort()
}

/// Without a tick of fuel.
fn hang() -> i32 {
    loop {
        std::thread::sleep(Duration::from_secs(1));
    }
}

fn exit() -> i32 {
    std::process::exit(7)
}

fn allocate() -> usize {
    std::hint::black_box(vec![1_u8; 1 << 30]).len()
}

/// Without a tick, so that the stack overflows.
#[expect(unconditional_recursion, reason = "this is the point")]
fn recurse(number: i32) -> i32 {
    std::hint::black_box(recurse(std::hint::black_box(number) + 1)) + 1
}

fn unwritten_heap() -> u8 {
    let block = Vec::<u8>::with_capacity(64);
    // SAFETY: none. It is what a bug in unsafe code does.
    unsafe { std::hint::black_box(block.as_ptr()).add(40).read_volatile() }
}

fn unwritten_stack() -> u8 {
    let block = [const { MaybeUninit::<u8>::uninit() }; 256];
    // SAFETY: none, as above.
    unsafe { std::hint::black_box(&block)[128].as_ptr().read_volatile() }
}

fn panic() -> i32 {
    panic!("on purpose")
}

fn close_everything() -> usize {
    let names = fs::read_dir("/proc/self/fd").expect("/proc is mounted");
    let open: Vec<i32> = names.filter_map(|name| name.ok()?.file_name().to_str()?.parse().ok()).collect();
    for fd in &open {
        // SAFETY: none. It is what a bug in unsafe code does.
        drop(unsafe { OwnedFd::from_raw_fd(*fd) });
    }
    open.len()
}
