//! Runs a module with concrete values and, beside them, with expressions over its inputs.
//!
//! Main types: [`Machine`], an instance that can be reset to a snapshot, and [`Run`], what came of one call: how it ended and
//! the path it took. `interpret` is the loop over register code; `symbolic` builds expressions; `heap` is the memory as
//! expressions see it; `hooks` are the functions that are not executed but known.

mod calls;
mod facts;
mod heap;
mod hooks;
mod host;
mod interpret;
mod memory;
mod path;
mod range;
mod snapshot;
mod start;
mod symbolic;
mod tables;
mod value;
mod wasi;

pub use hooks::Hooks;
pub use host::{Host, HostCall, NoHost};
pub use memory::{Memory, PAGE};
pub use path::{Decision, Outcomes, SoftGoal, Subject};
pub use snapshot::Snapshot;
pub use start::{InstantiateError, Machine};
pub use symbolic::Symbolic;
pub use value::Value;

use crate::wasm::{FuncId, Trap};

/// How addresses that depend on inputs are treated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum HeapMode {
    /// Heap reasoning where the table of possible cells is small, else heap simulation.
    #[default]
    ByCost,
    /// Heap simulation: one address in each run, and an equality on the path.
    Simulation,
    /// Heap reasoning: an if-then-else over all cells that the address can be, wherever it is bounded at all.
    Reasoning,
}

/// What a run may use and how it treats memory.
#[derive(Clone, Debug)]
pub struct Options {
    /// Instructions of one run.
    pub steps: u64,
    /// Bytes of linear memory.
    pub memory: u64,
    /// Nodes in the table of expressions.
    pub nodes: usize,
    /// Decisions on a path.
    pub decisions: usize,
    /// Calls inside of calls.
    pub depth: usize,
    /// How addresses that depend on inputs are treated.
    pub heap: HeapMode,
    /// Cells of a table that a load may build.
    pub load_cells: usize,
    /// Cells that a store may touch.
    pub store_cells: usize,
    /// The functions that are not executed but known.
    pub hooks: Hooks,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            steps: 100_000_000,
            memory: 512 << 20,
            nodes: 12_000_000,
            decisions: 100_000,
            depth: 20_000,
            heap: HeapMode::ByCost,
            load_cells: 1024,
            store_cells: 32,
            hooks: Hooks::default(),
        }
    }
}

/// What a run had too little of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Limit {
    /// It executed more instructions than it may.
    Steps,
    /// The table of expressions is full.
    Nodes,
    /// The path has more decisions than it may.
    Decisions,
}

/// How a run ended.
#[derive(Clone, PartialEq, Debug)]
pub enum End {
    /// The function returned.
    Returned(Vec<Value>),
    /// An instruction trapped.
    Trapped(Trap),
    /// A panic started that nothing caught.
    Panicked(Panic),
    /// `halt` was called outside of any `attempt`.
    Halted(u32),
    /// The program asked the host to end it.
    Exited(u32),
    /// A limit was reached; the rest of the path is not known.
    Limited(Limit),
    /// The program needs what the engine has not.
    Unsupported(String),
}

/// Where a panic started.
#[derive(Clone, PartialEq, Debug)]
pub struct Panic {
    /// The function of the library that was entered.
    pub entry: FuncId,
    /// File, line and column, where the last argument tells them.
    pub location: Option<(String, u32, u32)>,
}

/// One run: how it ended, and the path that it took.
#[derive(Clone, Debug)]
pub struct Run {
    /// How it ended.
    pub end: End,
    /// The decisions on the way, in order.
    pub path: Vec<Decision>,
    /// Both arms of a `select` were computed: the other one may be worth a run.
    pub soft: Vec<SoftGoal>,
    /// Instructions that were executed.
    pub steps: u64,
}

/// Why the interpreter stops before the function returns.
#[derive(Clone, Debug, PartialEq)]
pub enum Stop {
    /// An instruction trapped.
    Trap(Trap),
    /// A panic started.
    Panic(Panic),
    /// The program gave up with this number.
    Halt(u32),
    /// The program asked the host to end it.
    Exit(u32),
    /// A limit was reached.
    Limit(Limit),
    /// The program needs what the engine has not.
    Unsupported(String),
}

impl From<Trap> for Stop {
    fn from(trap: Trap) -> Self {
        Self::Trap(trap)
    }
}

impl From<Stop> for End {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Trap(trap) => Self::Trapped(trap),
            Stop::Panic(panic) => Self::Panicked(panic),
            Stop::Halt(why) => Self::Halted(why),
            Stop::Exit(code) => Self::Exited(code),
            Stop::Limit(limit) => Self::Limited(limit),
            Stop::Unsupported(what) => Self::Unsupported(what),
        }
    }
}
