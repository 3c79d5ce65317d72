//! Short ways to write programs, batches and executors.

use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;

use tempfile::TempDir;
use testsmith_exec::{Executor, Setup, WorkerPool};
use testsmith_proc::Spec;
use testsmith_rt::harness::Value;
use testsmith_rt::harness::wire::{
    Batch, Execution, IntKind, Literal, Mode, Mutants, Observations, Op, Options, Outcome, Run, What,
};

use crate::subject::{BUMP, WORKER};

/// Calls this with a number, or without an argument if there is none.
pub(crate) fn call(callable: u32, argument: Option<Literal>) -> Run {
    let args = argument.iter().map(|_| (Mode::Copy, 0)).collect();
    let ops = argument.map(Op::Literal).into_iter().chain([Op::Call { callable, args }]).collect();
    Run { ops, alive: Vec::new(), unseen: Vec::new(), mutants: Mutants::Listed(Vec::new()) }
}

pub(crate) fn int(value: i32) -> Option<Literal> {
    Some(Literal::Int(IntKind::I32, value.into()))
}

pub(crate) fn text(value: &str) -> Option<Literal> {
    Some(Literal::Str(value.to_owned()))
}

/// `bump(number)` on these mutants.
pub(crate) fn bump(number: i32, mutants: &[u32]) -> Run {
    Run { mutants: Mutants::Listed(mutants.to_vec()), ..call(BUMP, int(number)) }
}

pub(crate) fn options() -> Options {
    Options { memory: 64 << 20, patience: 500, ..Options::default() }
}

pub(crate) fn batch(runs: impl IntoIterator<Item = Run>) -> Batch {
    Batch { options: options(), runs: runs.into_iter().collect(), ..Batch::default() }
}

/// The worker of this executable, in its sandbox. A stall is short, because some programs hang.
pub(crate) fn setup(scratch: &Path) -> Setup {
    let exe = std::env::current_exe().expect("the system knows what it runs");
    let mut setup = Setup::new(Spec::new(exe).arg(WORKER), scratch);
    setup.stall = Duration::from_secs(1);
    setup
}

/// An executor with its folder.
pub(crate) struct Fixture {
    pub(crate) executor: Executor,
    pub(crate) _scratch: TempDir,
}

pub(crate) fn fixture(change: impl FnOnce(&mut Setup)) -> Fixture {
    let scratch = scratch();
    let mut setup = setup(scratch.path());
    change(&mut setup);
    let executor = Executor::new(setup).expect("the folder can be written");
    Fixture { executor, _scratch: scratch }
}

pub(crate) fn pool(workers: usize) -> (WorkerPool, TempDir) {
    let scratch = scratch();
    let workers = NonZeroUsize::new(workers).expect("a pool has workers");
    (WorkerPool::new(setup(scratch.path()), workers), scratch)
}

pub(crate) fn scratch() -> TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("the target folder is writable")
}

impl Fixture {
    pub(crate) fn run(&mut self, runs: impl IntoIterator<Item = Run>) -> Vec<Execution> {
        self.executor.run(&batch(runs)).expect("the worker can be started")
    }

    pub(crate) fn outcomes(&mut self, runs: impl IntoIterator<Item = Run>) -> Vec<Outcome> {
        self.run(runs).into_iter().map(|execution| execution.outcome).collect()
    }
}

/// What was seen of the only call of a program.
pub(crate) fn seen(execution: &Execution) -> Option<Value> {
    let Observations::Full(all) = &execution.observations else {
        return None;
    };
    all.iter().find_map(|observation| match &observation.what {
        What::Value(bytes) => Value::decode(bytes).ok(),
        _ => None,
    })
}
