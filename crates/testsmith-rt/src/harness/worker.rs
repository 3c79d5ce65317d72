//! Answers batches: for each run the original first, then the mutants, each compared with the original.
//!
//! Mutants of unsafe code see what is in the memory of the worker, and shall see the same every time: there are no hash
//! tables here, which have random numbers in them.

use std::any::TypeId;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use super::chance;
use super::footprint::{self, Footprint};
use super::guard;
use super::heap_key;
use super::isolate;
use super::limits;
use super::memory;
use super::outside;
use super::run::{Role, Runner};
use super::status::{self, page, SALT_VAR};
use super::sys;
use super::table::Tables;
use super::trace;
use super::watch::{differing, hash, Watch};
use super::wire::{
    Answer, Batch, CallReport, Difference, Execution, Hello, Isolation, Mutants, Observations, Observing,
    Options, Outcome, Place, Run, TypeReport,
};
use crate::coverage_map::{INFECTED, UNKNOWN};
use crate::switch;

/// The stack of the thread that runs programs: far more than they may use, for the code that does not tick.
const STACK: usize = 64 << 20;

/// Executes the batches of a tool.
pub struct Worker {
    hello: Hello,
    runner: Runner,
    /// Threads of the process before any program ran.
    threads: u32,
}

/// Makes a worker on a thread that is fit for it: with a stack whose size is known. There is one at a time, because
/// there is one mutant switch.
pub fn with_worker<R: Send>(tables: Tables, job: impl FnOnce(&mut Worker) -> R + Send) -> R {
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    // What is read from the environment is as long as the paths of the day: it is not to move what programs allocate.
    status::open();
    let salt = salt();
    heap_key::fix(salt);
    memory::fill(salt);
    chance::fix(salt);
    pass_numbers(salt);
    outside::watch();
    std::thread::scope(|scope| {
        let runner = std::thread::Builder::new().stack_size(STACK);
        let program_thread = || {
            move_heap(salt);
            sys::settle();
            limits::watch_stack(STACK);
            let result = job(&mut Worker::new(tables));
            // Whoever comes after wants to see their panics.
            drop(std::panic::take_hook());
            result
        };
        let thread = guard::known(salt, || runner.spawn_scoped(scope, program_thread));
        let result = thread.expect("the system has room for a thread").join();
        result.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// By what this worker is to differ from others.
fn salt() -> usize {
    let salt: usize = std::env::var(SALT_VAR).ok().and_then(|salt| salt.parse().ok()).unwrap_or(0);
    salt % DIFFERENT
}

/// Makes numbers of threads differ from those of another worker.
fn pass_numbers(salt: usize) {
    for _ in 0..salt {
        let _ = std::thread::spawn(|| {}).join();
    }
}

/// Makes addresses differ from those of another worker: those of this thread, because allocators have a heap for each.
/// Before that it fills the holes between what the C library keeps for this thread, which has random numbers in it.
fn move_heap(salt: usize) {
    thread_local! {
        /// With the first that has to be dropped the library notes, on the heap, what is to be called at the thread's end.
        static DROPPED: Vec<u8> = const { Vec::new() };
    }
    DROPPED.with(|_| ());
    let holes = (16..=512).step_by(16).flat_map(|size| std::iter::repeat(size).take(8));
    for size in holes.chain([salt * 1040]) {
        std::mem::forget(std::hint::black_box(Vec::<u8>::with_capacity(size)));
    }
}

/// So many workers differ from each other.
const DIFFERENT: usize = 4;

impl Worker {
    fn new(mut tables: Tables) -> Worker {
        switch::drive(0);
        trace::start(tables.mutants);
        complete(&mut tables);
        let hello = introduce(&tables);
        Worker { hello, runner: runner(tables), threads: sys::threads() }
    }

    /// The first message.
    pub fn hello(&self) -> &Hello {
        &self.hello
    }

    /// The answer to a message: an [`Answer`] or a refusal.
    pub fn answer(&mut self, message: &[u8]) -> Vec<u8> {
        match Batch::decode(message) {
            Ok(batch) => self.run(&batch).encode(),
            Err(error) => Answer::refusal(&error),
        }
    }

    /// Runs a batch.
    pub fn run(&mut self, batch: &Batch) -> Answer {
        page().batch();
        // Mutants that need a child get one for the whole batch: what they claim is asked again in a fresh one anyway.
        let together = match batch.options.isolate {
            Isolation::InProcess | Isolation::Programs | Isolation::Fork => 1,
            Isolation::Mutants => batch.runs.len().max(1),
        };
        let mut executions = Vec::with_capacity(batch.runs.len());
        let mut costly = BTreeSet::new();
        for (number, runs) in batch.runs.chunks(together).enumerate() {
            executions.extend(self.execute(number * together, runs, batch, &mut costly));
        }
        page().idle();
        sys::end_children();
        let threads_left = sys::threads().saturating_sub(self.threads);
        Answer { executions, leaked: self.runner.literals.leaked(), threads_left }
    }

    /// Runs programs on the original, then on their mutants; the first has this index. `costly` are mutants that had to be
    /// stopped, or took their process along: that is slow, and once is enough where a program is run on whatever it
    /// infects, and not all differences are wanted.
    fn execute(
        &mut self,
        first: usize,
        runs: &[Run],
        batch: &Batch,
        costly: &mut BTreeSet<u32>,
    ) -> Vec<Execution> {
        let options = &batch.options;
        let mut executions = Vec::with_capacity(runs.len());
        let mut footprints = Vec::with_capacity(runs.len());
        for (index, run) in (first..).zip(runs) {
            page().begin(index as u32, 0);
            let (mut execution, footprint) = match options.isolate {
                Isolation::InProcess | Isolation::Mutants => self.original(run, options),
                Isolation::Programs | Isolation::Fork => {
                    let child = isolate::in_child(options.patience, || self.original(run, options));
                    child.unwrap_or_else(|(outcome, statement)| {
                        (Execution::ended(outcome, statement), Vec::new())
                    })
                }
            };
            execution.ran = targets(&execution, run, batch);
            executions.push(execution);
            footprints.push(footprint);
        }
        let originals = Originals { runs, executions: &executions, footprints: &footprints };
        for (at, mutant, found) in self.mutants(first, originals, options, costly) {
            match found {
                Some((found, impact)) => {
                    let execution = &mut executions[at];
                    execution.differences.extend(found.into_iter().map(|difference| (mutant, difference)));
                    execution.impact = impact.map(|sites| (mutant, sites)).or(execution.impact);
                }
                None => executions[at].ran.retain(|ran| *ran != mutant),
            }
        }
        executions.into_iter().map(|execution| present(execution, options)).collect()
    }

    /// How the mutants that programs are to be run on differ from the original.
    fn mutants(
        &mut self,
        first: usize,
        originals: Originals<'_>,
        options: &Options,
        costly: &mut BTreeSet<u32>,
    ) -> Vec<MutantResult> {
        let of_run = |(at, original): (usize, &Execution)| {
            original.ran.iter().map(|mutant| (at, *mutant)).collect::<Vec<_>>()
        };
        let all: Vec<(usize, u32)> = originals.executions.iter().enumerate().flat_map(of_run).collect();
        if options.isolate != Isolation::Programs {
            return self.mutants_of(&all, first, originals, options, costly);
        }
        let mut results = self.mutants_of(&all, first, originals, options, costly);
        // What was costly is not doubted: seeing it once is slow enough.
        let is_doubtful = |(_, mutant, found): &MutantResult| {
            !costly.contains(mutant) && found.as_ref().is_some_and(|(found, _)| !found.is_empty())
        };
        let doubtful: Vec<(usize, u32)> = results
            .iter()
            .filter(|result| is_doubtful(result))
            .map(|(at, mutant, _)| (*at, *mutant))
            .collect();
        let alone = Options { isolate: Isolation::Fork, ..options.clone() };
        let mut certain = self.mutants_of(&doubtful, first, originals, &alone, costly).into_iter().peekable();
        for result in &mut results {
            let is_same = |again: &MutantResult| (again.0, again.1) == (result.0, result.1);
            if let Some(again) = certain.next_if(is_same) {
                *result = again;
            }
        }
        results
    }

    /// The same for these pairs of a program's place and a mutant, in their order.
    fn mutants_of(
        &mut self,
        all: &[(usize, u32)],
        first: usize,
        originals: Originals<'_>,
        options: &Options,
        costly: &mut BTreeSet<u32>,
    ) -> Vec<MutantResult> {
        let Originals { runs, executions, footprints } = originals;
        let mut results = Vec::with_capacity(all.len());
        let mut left = all;
        let is_spared = |costly: &BTreeSet<u32>, (at, mutant): (usize, u32)| {
            let is_asked_for =
                matches!(runs[at].mutants, Mutants::Listed(_)) || options.observe == Observing::All;
            costly.contains(&mutant) && !is_asked_for
        };
        while !left.is_empty() {
            // Those that follow one that ended its process get another.
            let together = if options.isolate == Isolation::Fork { 1 } else { left.len() };
            let mut seen = costly.clone();
            let mut one = |(at, mutant): (usize, u32)| {
                if is_spared(&seen, (at, mutant)) {
                    return Found::default();
                }
                page().begin((first + at) as u32, mutant);
                let found = self.mutant(mutant, &runs[at], (&executions[at], &footprints[at]), options);
                seen.extend(found.0.iter().any(Difference::is_costly).then_some(mutant));
                found
            };
            let (mut found, ended) = match options.isolate {
                Isolation::InProcess => (left.iter().map(|item| one(*item)).collect(), None),
                _ => isolate::each_in_child(options.patience, &left[..together], &mut one),
            };
            // Whoever takes a process along that others have damaged is innocent perhaps: it has another chance, alone.
            let is_doubtful = |(outcome, _): &isolate::Ended| {
                !found.is_empty() && matches!(outcome, Outcome::Signal(_) | Outcome::Exit(_))
            };
            let ended = ended.filter(|ended| !is_doubtful(ended));
            found.extend(
                ended.map(|(outcome, statement)| (vec![Difference::Outcome(outcome, statement)], None)),
            );
            let (done, rest) = left.split_at(found.len().min(together));
            for ((at, mutant), found) in done.iter().zip(found) {
                let found = (!is_spared(costly, (*at, *mutant))).then_some(found);
                let is_costly = found.iter().any(|(found, _)| found.iter().any(Difference::is_costly));
                costly.extend(is_costly.then_some(*mutant));
                results.push((*at, *mutant, found));
            }
            left = rest;
        }
        results
    }

    /// What becomes of the original, with its footprint if that is wanted.
    fn original(&mut self, run: &Run, options: &Options) -> (Execution, Footprint) {
        let traced = options.trace || !matches!(run.mutants, Mutants::Listed(_));
        let mut watch = match options.observe {
            Observing::Nothing => Watch::Nothing,
            Observing::Hash | Observing::Full | Observing::All => Watch::Keep(Vec::new()),
        };
        let role = match aim(run, options) {
            Some(_) => Role::Model,
            None => Role::Original { traced },
        };
        let end = self.runner.run(run, role, options.fuel, options, None, &mut watch);
        let outcome = end.outcome.expect("what is only kept does not end a run");
        let mut execution = Execution::ended(outcome, end.statement);
        execution.ticks = end.ticks;
        execution.absent = end.absent;
        if let Watch::Keep(kept) = watch {
            execution.observations = Observations::Full(kept);
        }
        if let Some(trace) = trace::current().filter(|_| traced) {
            let marked = trace.marks();
            execution.reached.reserve_exact(marked.size_hint().0);
            for (mutant, marks) in marked {
                execution.reached.push(mutant);
                if marks & INFECTED != 0 {
                    execution.infected.push(mutant);
                } else if marks & UNKNOWN != 0 {
                    execution.maybe.push(mutant);
                }
            }
            if options.trace {
                execution.distances = trace.distances().collect();
                execution.operands = trace.operands();
            }
        }
        let footprint = trace::current().filter(|_| role == Role::Model).map(|trace| trace.footprint());
        (execution, footprint.unwrap_or_default())
    }

    /// How a mutant differs from the original; the impact of the one that the program is made for.
    fn mutant(
        &mut self,
        mutant: u32,
        run: &Run,
        original: (&Execution, &Footprint),
        options: &Options,
    ) -> Found {
        let (original, footprint) = original;
        if aim(run, options) != Some(mutant) {
            return (self.differences(Role::Mutant(mutant), run, original, options), None);
        }
        let found = self.differences(Role::Aim(mutant), run, original, options);
        let impact = |trace: &trace::Trace| footprint::impact(footprint, &trace.footprint());
        (found, trace::current().map(impact))
    }

    /// How a mutant differs from the original, if it does: in the first way, or in all.
    fn differences(
        &mut self,
        role: Role,
        run: &Run,
        original: &Execution,
        options: &Options,
    ) -> Vec<Difference> {
        let ticks = original.ticks.saturating_mul(options.mutant_factor.into());
        let ticks = ticks.saturating_add(options.mutant_fuel);
        // The original got no further than this.
        let until = (original.outcome != Outcome::Ok).then_some(original.statement);
        let mut watch = match &original.observations {
            Observations::Full(_) if options.observe == Observing::All => Watch::Keep(Vec::new()),
            Observations::Full(kept) => Watch::compare(kept),
            _ => Watch::Nothing,
        };
        let end = self.runner.run(run, role, ticks, options, until, &mut watch);
        if let Watch::Compare { found: Some(found), .. } = watch {
            return vec![found];
        }
        let outcome = end.outcome.unwrap_or(Outcome::Ok);
        let has_ended_elsewhere = outcome != original.outcome || end.statement != original.statement;
        let ended = has_ended_elsewhere.then_some(Difference::Outcome(outcome, end.statement));
        match (watch, &original.observations) {
            (Watch::Keep(seen), Observations::Full(expected)) => {
                let mut all = differing(expected, &seen);
                // What it did not live to show is no difference of its own.
                all.retain(|difference| {
                    ended.is_none() || !matches!(difference, Difference::Observation(_, None))
                });
                all.extend(ended);
                all
            }
            (Watch::Compare { expected, next, .. }, _) if ended.is_none() && next < expected.len() => {
                vec![Difference::Observation(next as u32, None)]
            }
            _ => ended.into_iter().collect(),
        }
    }
}

/// Programs with what became of them on the original.
#[derive(Clone, Copy)]
struct Originals<'w> {
    runs: &'w [Run],
    executions: &'w [Execution],
    footprints: &'w [Footprint],
}

/// How a mutant differs, and how many sites it has changed, if that is wanted.
type Found = (Vec<Difference>, Option<u32>);

/// Place of the program, mutant, how it differs; `None` for a mutant that was spared.
type MutantResult = (usize, u32, Option<Found>);

/// The mutant whose impact is wanted.
fn aim(run: &Run, options: &Options) -> Option<u32> {
    match run.mutants {
        Mutants::Aimed { first, .. } if options.trace => Some(first),
        _ => None,
    }
}

/// The mutants to run a program on. A program that is wrong or does not end is of no use to any.
fn targets(execution: &Execution, run: &Run, batch: &Batch) -> Vec<u32> {
    if !matches!(execution.outcome, Outcome::Ok | Outcome::Panic { .. }) {
        return Vec::new();
    }
    match &run.mutants {
        // The highest numbers mean something else to the switch.
        Mutants::Listed(mutants) => {
            mutants.iter().copied().filter(|mutant| *mutant < switch::TRACING).collect()
        }
        Mutants::Infected { at_most } => {
            let all = execution.infected.iter().chain(&execution.maybe).copied();
            all.filter(|mutant| !batch.skip.contains(*mutant)).take(*at_most as usize).collect()
        }
        Mutants::Aimed { first, at_most } => {
            let all = || execution.infected.iter().chain(&execution.maybe).copied();
            let others = all().filter(|mutant| mutant != first && !batch.skip.contains(*mutant));
            all().filter(|mutant| mutant == first).chain(others).take(*at_most as usize).collect()
        }
    }
}

/// Leaves out what was not asked for.
fn present(mut execution: Execution, options: &Options) -> Execution {
    if options.observe == Observing::Hash {
        if let Observations::Full(kept) = &execution.observations {
            execution.observations = Observations::Hash(hash(kept));
        }
    }
    if !options.trace {
        execution.reached = Vec::new();
        execution.infected = Vec::new();
        execution.maybe = Vec::new();
    }
    execution
}

/// What executes the programs of these tables.
pub(super) fn runner(mut tables: Tables) -> Runner {
    complete(&mut tables);
    let length = tables.calls.iter().map(|call| call.number as usize + 1).max().unwrap_or(0);
    let mut calls = vec![None; length];
    for call in tables.calls {
        calls[call.number as usize] = Some(call);
    }
    Runner::new(calls)
}

/// Callables of a declared type know what the declaration knows.
fn complete(tables: &mut Tables) {
    let kinds: BTreeMap<TypeId, _> = tables.kinds.iter().map(|kind| ((kind.of.id)(), kind.of)).collect();
    for call in &mut tables.calls {
        if let Some(of) = kinds.get(&(call.of.id)()) {
            call.of = of;
        }
    }
}

/// What the compiler knew of the tables.
fn introduce(tables: &Tables) -> Hello {
    let mut kinds = tables.kinds.clone();
    kinds.sort_by_key(|kind| kind.number);
    let mut canonical: BTreeMap<TypeId, u32> = BTreeMap::new();
    let mut types = Vec::new();
    let mut report = |index, of: &'static super::probe::Vtable| {
        let canonical = *canonical.entry((of.id)()).or_insert(index);
        let drop = of.drop.map(|drop| Place::of(drop as usize));
        (canonical, TypeReport { index, canonical, name: (of.name)().to_owned(), facts: of.facts(), drop })
    };
    for kind in &kinds {
        types.push(report(kind.number, kind.of).1);
    }
    let mut next = kinds.last().map_or(0, |kind| kind.number + 1);
    let mut calls = Vec::new();
    for call in &tables.calls {
        let (output, inferred) = report(next, call.of);
        if output == next {
            types.push(inferred);
            next += 1;
        }
        calls.push(CallReport { callable: call.number, output, code: Place::of(call.address()) });
    }
    calls.sort_by_key(|call| call.callable);
    Hello { mutants: tables.mutants, types, calls }
}
