//! One program under the concolic loop, until its goals are reached or its time is up.
//!
//! Main types: [`Settings`] and [`Row`], what came of it.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Duration;

use testsmith_symex::explore::{Coverage, Explorer, Instance, Stats, Turn};
use testsmith_symex::expr::{Exprs, Model};
use testsmith_symex::machine::{End, HeapMode, Options, Run};
use testsmith_symex::solver::{Layered, Limit, Statistics};
use testsmith_symex::tree::Counts;
use testsmith_symex::wasm::Module;

use super::processor::{self, Moment};
use super::program::Program;
use super::recorder::{Query, Recorder};
use crate::fail::{Context, Result};

/// How addresses that depend on inputs are treated.
#[derive(Clone, Copy, clap::ValueEnum)]
pub(super) enum Heap {
    Cost,
    Simulation,
    Reasoning,
}

/// How long, and what for.
pub(super) struct Settings {
    pub(super) time: Duration,
    pub(super) query: Duration,
    pub(super) all_paths: bool,
    pub(super) heap: Heap,
}

/// What came of a program.
pub(super) struct Row {
    pub(super) name: String,
    /// Goals and panics, those reached and those declared.
    pub(super) reached: usize,
    pub(super) declared: usize,
    /// Goals that were declared and not reached.
    pub(super) missing: Vec<u32>,
    /// Runs and processor time when the last of them was reached.
    pub(super) runs_to_goals: u64,
    pub(super) time_to_goals: Duration,
    /// Seconds that are declared for it.
    pub(super) at_most: Option<f64>,
    pub(super) time: Duration,
    pub(super) stats: Stats,
    pub(super) statistics: Statistics,
    pub(super) counts: Counts,
    pub(super) complete: bool,
    /// Highest memory of the process meanwhile, in MB.
    pub(super) memory: Option<f64>,
    pub(super) queries: Vec<Query>,
}

impl From<Heap> for HeapMode {
    fn from(heap: Heap) -> Self {
        match heap {
            Heap::Cost => Self::ByCost,
            Heap::Simulation => Self::Simulation,
            Heap::Reasoning => Self::Reasoning,
        }
    }
}

pub(super) fn explore(program: &Program, settings: &Settings, record: bool) -> Result<Row> {
    let module = Module::decode(&program.bytes).context(format!("decode {}", program.name))?;
    let function = module.export("run").context(format!("find `run` in {}", program.name))?;
    let options = Options { heap: settings.heap.into(), ..Options::default() };
    let mut instance =
        Instance::new(&module, function, options).context(format!("start {}", program.name))?;
    let goals = Rc::new(RefCell::new(BTreeSet::new()));
    instance.inputs.watch(goals.clone());
    let (mut exprs, mut ranking) = (Exprs::new(), Coverage::default());
    let mut solver = Recorder::new(Layered::new(), record);
    let engine = testsmith_symex::explore::Settings {
        limit: Limit::time(settings.query),
        ..testsmith_symex::explore::Settings::default()
    };
    processor::forget_peak();
    let began = Moment::now();
    let mut explorer = Explorer::new(&mut exprs, &mut instance, &mut solver, engine);
    let mut panics = BTreeSet::new();
    let declared = program.goals + program.panics;
    let (mut last, mut reached) = ((0, Duration::ZERO), 0);
    let mut turn = Turn::Ran(explorer.run(&Model::new(), &mut ranking));
    loop {
        if let Turn::Ran(Run { end: End::Panicked(panic), .. }) = &turn {
            panics.insert((panic.entry, panic.location.clone()));
        }
        let now = goals.borrow().len() + panics.len().min(program.panics);
        if now > reached {
            (reached, last) = (now, (explorer.stats.runs, began.elapsed()));
        }
        let done = reached >= declared && !settings.all_paths;
        if done || matches!(turn, Turn::Exhausted) || began.elapsed() >= settings.time {
            break;
        }
        turn = explorer.turn(&mut ranking);
    }
    let (stats, counts) = (explorer.stats.clone(), explorer.tree.counts());
    let complete = explorer.completely_explored();
    let seen = goals.borrow();
    Ok(Row {
        name: program.name.clone(),
        reached,
        declared,
        missing: (0..program.goals as u32).filter(|goal| !seen.contains(goal)).collect(),
        runs_to_goals: last.0,
        time_to_goals: last.1,
        at_most: program.seconds,
        time: began.elapsed(),
        stats,
        statistics: solver.inner.statistics(),
        counts,
        complete,
        memory: processor::peak(),
        queries: std::mem::take(&mut solver.queries),
    })
}
