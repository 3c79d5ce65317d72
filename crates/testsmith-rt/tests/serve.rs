//! A whole worker process: this program starts itself as one. Not made of test functions, because those print on the
//! stream that belongs to the protocol.

#[path = "harness/subject.rs"]
#[allow(dead_code)]
mod subject;

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};

use subject::*;
use testsmith_rt::harness::outside::{Outside, ALLOW_VAR};
use testsmith_rt::harness::status::{Cause, Phase, Status, STATUS_VAR};
use testsmith_rt::harness::wire::{
    read_frame, write_frame, Answer, Batch, Hello, IntKind, Isolation, Literal, Mode, Mutants, Op, Options,
    Outcome, Run,
};
use testsmith_rt::harness::{Counting, Tables};
use testsmith_rt::{call, kind};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const WORKER: &str = "--worker";
const PRINT: u32 = 2000;
const READ: u32 = 2001;
const HOARD: u32 = 2002;
const OVERFLOW: u32 = 2003;

/// Overflows the stack without a tick.
fn overflow(n: u64) -> u64 {
    let room = std::hint::black_box([n; 512]);
    if room[7] == u64::MAX {
        return 0;
    }
    1 + overflow(n + 1)
}

fn tables() -> Tables {
    let mut tables = subject::tables();
    tables.kinds.push(kind!(100, std::io::Error));
    tables.calls.extend([
        call!(PRINT, |_f| {
            println!("this goes nowhere");
            eprintln!("nor does this");
        }),
        call!(READ, |_f| {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text).map(|_| text).ok()
        }),
        call!(HOARD, |f| vec![1u8; f.value::<u32>(0) as usize]),
        call!(OVERFLOW, |_f| overflow(0)),
    ]);
    tables
}

fn main() {
    if std::env::args().any(|arg| arg == WORKER) {
        testsmith_rt::harness::serve(tables());
        unreachable!("the worker ends itself");
    }
    // A listing of tests, or a filter that is not about this one.
    if std::env::args().skip(1).any(|arg| arg == "--list" || !arg.starts_with('-') && !"serve".contains(&arg))
    {
        return;
    }
    standard_streams_lead_nowhere();
    standard_input_is_empty_for_who_may_read_it();
    who_died_is_on_the_page();
    children_that_die_leave_the_worker_alive();
    garbage_is_refused_and_the_worker_goes_on();
    threads_that_are_left_are_told();
}

struct Worker {
    child: Child,
    page: std::path::PathBuf,
    hello: Hello,
}

impl Worker {
    fn start() -> Worker {
        Worker::start_with("")
    }

    fn start_with(allowed: &str) -> Worker {
        let page = std::env::temp_dir().join(format!("testsmith-status-{}", std::process::id()));
        std::fs::write(&page, Status::fresh()).expect("a page");
        let mut command = Command::new(std::env::current_exe().expect("a path"));
        command.arg(WORKER).env(STATUS_VAR, &page).env(ALLOW_VAR, allowed);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("a process");
        let hello = read_frame(child.stdout.as_mut().expect("a pipe")).expect("a frame").expect("a hello");
        Worker { child, page, hello: Hello::decode(&hello).expect("a hello") }
    }

    /// `None` where the worker dies.
    fn send(&mut self, message: &[u8]) -> Option<Vec<u8>> {
        write_frame(self.child.stdin.as_mut().expect("a pipe"), message).expect("a worker that listens");
        read_frame(self.child.stdout.as_mut().expect("a pipe")).expect("a frame")
    }

    fn ask(&mut self, options: Options, programs: Vec<Vec<Op>>, mutants: &[u32]) -> Option<Answer> {
        let mutants = Mutants::Listed(mutants.to_vec());
        let run = |ops| Run { ops, alive: Vec::new(), unseen: Vec::new(), mutants: mutants.clone() };
        let batch = Batch { options, runs: programs.into_iter().map(run).collect(), ..Batch::default() };
        Some(Answer::decode(&self.send(&batch.encode())?).expect("an answer"))
    }

    fn status(&self) -> Status {
        Status::decode(&std::fs::read(&self.page).expect("a page")).expect("a status")
    }

    /// Closes the pipe; what the worker has printed, and whether it ended well.
    fn end(mut self) -> (String, bool) {
        drop(self.child.stdin.take());
        let mut printed = String::new();
        self.child.stderr.take().expect("a pipe").read_to_string(&mut printed).expect("text");
        self.child.stdout.take().expect("a pipe").read_to_string(&mut printed).expect("text");
        std::fs::remove_file(&self.page).expect("a page");
        (printed, self.child.wait().expect("an end").success())
    }
}

fn uint(value: u32) -> Op {
    Op::Literal(Literal::Int(IntKind::U32, value.into()))
}

fn int(value: i32) -> Op {
    Op::Literal(Literal::Int(IntKind::I32, value.into()))
}

fn op(callable: u32, args: &[(Mode, u16)]) -> Op {
    Op::Call { callable, args: args.to_vec() }
}

fn outcomes(answer: &Answer) -> Vec<Outcome> {
    answer.executions.iter().map(|execution| execution.outcome.clone()).collect()
}

fn standard_streams_lead_nowhere() {
    let mut worker = Worker::start();
    assert_eq!(worker.hello.mutants, MUTANTS);
    let answer = worker.ask(Options::default(), vec![vec![op(PRINT, &[])]], &[]).expect("an answer");
    assert_eq!(outcomes(&answer), [Outcome::Ok]);
    assert_eq!(answer.threads_left, 0);
    assert_eq!(worker.status().phase, Phase::Idle);
    assert_eq!(worker.end(), (String::new(), true));
}

fn standard_input_is_empty_for_who_may_read_it() {
    for (allowed, expected) in [("input", Some(vec![Outcome::Ok])), ("files", None)] {
        let mut worker = Worker::start_with(allowed);
        let answer = worker.ask(Options::default(), vec![vec![op(READ, &[])]], &[]);
        if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
            assert_eq!(answer.as_ref().map(outcomes), expected);
            let cause = expected.is_none().then_some(Cause::Outside(Outside::Input));
            assert_eq!(worker.status().cause, cause);
        }
        worker.end();
    }
}

fn who_died_is_on_the_page() {
    let fine = vec![int(1), op(CLAMP, &[(Mode::Move, 0)])];
    let delicate = vec![int(1), op(DELICATE, &[(Mode::Move, 0)])];
    let hoard =
        vec![uint(1 << 20), op(HOARD, &[(Mode::Copy, 0)]), uint(1 << 30), op(HOARD, &[(Mode::Move, 2)])];
    let small = Options { memory: 100 << 20, ..Options::default() };
    let table = [
        (vec![fine.clone(), delicate], &[1, 7][..], (1, 7, 1, None)),
        (vec![fine.clone(), fine.clone(), hoard], &[][..], (2, 0, 3, Some(Cause::Memory))),
        (vec![vec![op(OVERFLOW, &[])]], &[][..], (0, 0, 0, None)),
    ];
    for (programs, mutants, expected) in table {
        let mut worker = Worker::start();
        assert!(worker.ask(small.clone(), programs, mutants).is_none());
        let status = worker.status();
        assert_eq!((status.run, status.mutant, status.statement, status.cause), expected);
        assert_eq!((status.phase, status.batch), (Phase::Running, 1));
        assert!(!worker.end().1);
    }
}

fn children_that_die_leave_the_worker_alive() {
    let mut worker = Worker::start();
    let options = Options { memory: 100 << 20, isolate: Isolation::Fork, ..Options::default() };
    let programs = vec![
        vec![uint(1 << 30), op(HOARD, &[(Mode::Move, 0)])],
        vec![op(OVERFLOW, &[])],
        vec![int(3), op(EXIT, &[(Mode::Move, 0)])],
        // Not much at a time, but each on top of the last run's: what a run has freed counts no more.
        vec![uint(60 << 20), op(HOARD, &[(Mode::Copy, 0)])],
        vec![uint(60 << 20), op(HOARD, &[(Mode::Copy, 0)])],
    ];
    let answer = worker.ask(options, programs, &[]).expect("an answer");
    let expected = [Outcome::Memory, Outcome::Signal(6), Outcome::Exit(3), Outcome::Ok, Outcome::Ok];
    assert_eq!(outcomes(&answer), expected);
    assert!(worker.end().1);
}

fn garbage_is_refused_and_the_worker_goes_on() {
    let mut worker = Worker::start();
    assert!(Answer::decode(&worker.send(b"garbage").expect("an answer")).is_err());
    let answer = worker.ask(Options::default(), vec![vec![int(1)]], &[]).expect("an answer");
    assert_eq!(outcomes(&answer), [Outcome::Ok]);
    // A frame that is cut off ends the worker, with an error.
    worker.child.stdin.as_mut().expect("a pipe").write_all(&[9, 0]).expect("a worker that listens");
    assert!(!worker.end().1);
}

fn threads_that_are_left_are_told() {
    let mut worker = Worker::start();
    let mut left = |programs| worker.ask(Options::default(), programs, &[]).expect("an answer").threads_left;
    let spawn = || vec![op(SPAWN, &[])];
    let expected = if cfg!(target_os = "linux") { [0, 2, 2] } else { [0; 3] };
    assert_eq!([left(vec![vec![int(1)]]), left(vec![spawn(), spawn()]), left(vec![])], expected);
    assert!(worker.end().1, "threads do not keep a worker alive");
}
