//! Programs as data, driven in this process through the bytes of the protocol.

mod cases;
mod mutants;
mod speed;
mod subject;

use testsmith_rt::harness::wire::{
    Answer, At, Batch, Execution, IntKind, Isolation, Literal, Mode, Mutants, Observation, Observations,
    Observing, Op, Options, Run, What,
};
use testsmith_rt::harness::{with_worker, Value};

#[global_allocator]
static ALLOCATOR: testsmith_rt::harness::Counting = testsmith_rt::harness::Counting;

const M: Mode = Mode::Move;
const C: Mode = Mode::Copy;
const S: Mode = Mode::Shared;
const X: Mode = Mode::Exclusive;

fn int(value: i32) -> Op {
    Op::Literal(Literal::Int(IntKind::I32, value.into()))
}

fn uint(value: u32) -> Op {
    Op::Literal(Literal::Int(IntKind::U32, value.into()))
}

fn text(value: &str) -> Op {
    Op::Literal(Literal::Str(value.to_owned()))
}

fn call(callable: u32, args: &[(Mode, u16)]) -> Op {
    Op::Call { callable, args: args.to_vec() }
}

/// A program that runs on the original alone.
fn program(ops: Vec<Op>, alive: &[u16]) -> Run {
    Run { ops, alive: alive.to_vec(), unseen: Vec::new(), mutants: Mutants::Listed(Vec::new()) }
}

fn on(mut run: Run, mutants: &[u32]) -> Run {
    run.mutants = Mutants::Listed(mutants.to_vec());
    run
}

fn answer(batch: &Batch) -> Answer {
    let message = batch.encode();
    let answer = with_worker(subject::tables(), |worker| worker.answer(&message));
    Answer::decode(&answer).expect("an answer")
}

fn execute_with(options: Options, run: Run) -> Execution {
    let mut answer = answer(&Batch { options, runs: vec![run], ..Batch::default() });
    answer.executions.pop().expect("an answer to the run")
}

fn execute(run: Run) -> Execution {
    execute_with(Options::default(), run)
}

fn forked() -> Options {
    Options { isolate: Isolation::Fork, ..Options::default() }
}

fn hashed() -> Options {
    Options { observe: Observing::Hash, ..Options::default() }
}

/// Observations as text: `1: Int(3)`, `end 0: Debug("…")`.
fn seen(execution: &Execution) -> Vec<String> {
    let Observations::Full(all) = &execution.observations else { return Vec::new() };
    let line = |observation: &Observation| {
        let at = match observation.at {
            At::Statement(number) => {
                assert_eq!(number, observation.slot);
                format!("{number}")
            }
            At::End => format!("end {}", observation.slot),
        };
        match &observation.what {
            What::Value(bytes) => format!("{at}: {:?}", Value::decode(bytes).expect("a value")),
            what => format!("{at}: {what:?}"),
        }
    };
    all.iter().map(line).collect()
}
