//! Every program in a worker and in the engine: whether both observe the same, and whether what the engine says of mutants
//! holds in the worker ([`compare`]).
//!
//! The engine runs code for 32 bits, so that programs whose values are as wide as addresses may differ.

use testsmith_exec::{Failure, WorkerPool, show};
use testsmith_ir::random::{Generator, Options as Programs};
use testsmith_ir::{Api, Program};
use testsmith_rt::harness::Value;
use testsmith_rt::harness::wire::{
    At, Batch, Execution, Mutants, Observation, Observations, Observing, Options, Outcome, Run, What,
};
use testsmith_symex::expr::{Exprs, Model};
use testsmith_symex::kill::{Ended, Execution as EngineExecution, Harness, Role, Seen, Wanted};
use testsmith_symex::wasm::Module;

use crate::engine::encoded;
use crate::nondeterminism::Nondeterminism;

/// Programs of one batch.
const BATCH: u64 = 64;
/// So many programs that differ are kept as examples.
const EXAMPLES: usize = 8;
/// Instructions of one run, and of the start.
const STEPS: u64 = 20_000_000;
const STEPS_OF_START: u64 = 200_000_000;

/// What to compare.
pub struct Comparison<'a> {
    /// The harness for wasm.
    pub module: &'a Module,
    /// Of the programs.
    pub seed: u64,
    /// What programs are like.
    pub programs: Programs,
    /// Limits of each run in the worker.
    pub limits: Options,
    /// So many programs.
    pub count: u64,
    /// What is known not to be the same every time.
    pub nondeterminism: Nondeterminism,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct Agreement {
    /// Programs that came to their end in both.
    pub programs: u64,
    /// Programs that the worker or the engine cut off, or that may end in another way each time.
    pub skipped: u64,
    /// Programs that ended otherwise.
    pub ended: u64,
    /// Programs of which something else was observed.
    pub observed: u64,
    /// Pairs of a program and a mutant that the engine says is infected.
    pub infected: u64,
    /// Those of them of which the worker says that it is not.
    pub not_infected: u64,
    /// What differed, the first few.
    pub examples: Vec<(Program, String)>,
}

/// Runs random programs in both.
///
/// # Errors
/// When the workers fail. A module that is no harness is a failure of the caller.
///
/// # Panics
/// When the module is no harness.
pub fn compare(api: &Api, pool: &WorkerPool, wanted: &Comparison<'_>) -> Result<Agreement, Failure> {
    let options = testsmith_symex::machine::Options { steps: STEPS_OF_START, ..Default::default() };
    let mut harness = Harness::new(wanted.module, options, STEPS).expect("the harness starts in the engine");
    let mut generator = Generator::new(api, wanted.seed, wanted.programs.clone());
    let mut agreement = Agreement::default();
    let mut left = wanted.count;
    while left > 0 {
        let programs: Vec<Program> = (0..left.min(BATCH)).map(|_| generator.next()).collect();
        left -= programs.len() as u64;
        let run = |program: &Program| Run {
            unseen: wanted.nondeterminism.unseen(program),
            ..encoded(api, program, Mutants::Listed(Vec::new()))
        };
        let options = Options { observe: Observing::Full, trace: true, ..wanted.limits.clone() };
        let batch = Batch { options, runs: programs.iter().map(run).collect(), ..Batch::default() };
        let native = pool.run(std::slice::from_ref(&batch))?.concat();
        if harness.load(&batch.encode()).is_err() {
            agreement.skipped += programs.len() as u64;
            continue;
        }
        for (at, (program, native)) in (0..).zip(programs.into_iter().zip(native)) {
            let run = |harness: &mut Harness<'_>, role| {
                let (symbolic, model) = (std::collections::BTreeSet::new(), Model::new());
                let wanted = Wanted { program: at, role, symbolic: &symbolic, model: &model };
                harness.run(&mut Exprs::new(), &wanted)
            };
            let observed = run(&mut harness, Role::Original);
            let traced = run(&mut harness, Role::Traced);
            let is_doubtful = wanted.nondeterminism.may_end_otherwise(&program);
            agreement.take(program, &native, &observed, &traced, is_doubtful);
        }
    }
    Ok(agreement)
}

impl Agreement {
    fn take(
        &mut self,
        program: Program,
        native: &Execution,
        observed: &EngineExecution,
        traced: &EngineExecution,
        is_doubtful: bool,
    ) {
        let ended = match native.outcome {
            Outcome::Ok => 0,
            Outcome::Panic { .. } => 1,
            _ => u32::MAX,
        };
        if ended == u32::MAX || observed.ended() == Ended::Cut || is_doubtful {
            self.skipped += 1;
            return;
        }
        self.programs += 1;
        for mutant in traced.mutants().filter(|mutant| traced.infects(*mutant)) {
            self.infected += 1;
            if !native.infected.contains(&mutant) && !native.maybe.contains(&mutant) {
                self.not_infected += 1;
                self.example(&program, format!("mutant {mutant} is infected in the engine alone"));
            }
        }
        let expected = Ended::Said(ended | u32::from(native.statement) << 8);
        if observed.ended() != expected {
            self.ended += 1;
            let said = format!("{:?} at {} in the worker", native.outcome, native.statement);
            self.example(&program, format!("{said}, {:?} in the engine", observed.run.end));
            return;
        }
        let Observations::Full(all) = &native.observations else { return };
        let seen: Vec<Option<Observation>> = observed.seen.iter().map(read).collect();
        let differs =
            all.iter().map(Some).zip(seen.iter().map(Option::as_ref)).find(|(a, b)| !is_same(*a, *b));
        if let Some((worker, engine)) = differs {
            self.observed += 1;
            let text = |it: Option<&Observation>| {
                it.map_or_else(String::new, |it| format!("{:?} slot {}: {}", it.at, it.slot, show(&it.what)))
            };
            self.example(&program, format!("{} in the worker, {} in the engine", text(worker), text(engine)));
        } else if all.len() != seen.len() {
            self.observed += 1;
            self.example(
                &program,
                format!("{} observations in the worker, {} in the engine", all.len(), seen.len()),
            );
        }
    }

    fn example(&mut self, program: &Program, what: String) {
        if self.examples.len() < EXAMPLES {
            self.examples.push((program.clone(), what));
        }
    }
}

/// Whether two observations say the same: values are compared as values, because the engine's have numbers of fixed length.
fn is_same(worker: Option<&Observation>, engine: Option<&Observation>) -> bool {
    let (Some(worker), Some(engine)) = (worker, engine) else { return worker == engine };
    let what = match (&worker.what, &engine.what) {
        (What::Value(a), What::Value(b)) => Value::decode(a) == Value::decode(b),
        // Addresses are masked by the worker alone.
        (What::Debug(a) | What::Display(a), _) if a.contains(testsmith_rt::harness::MASKED) => true,
        (a, b) => a == b,
    };
    (worker.at, worker.slot) == (engine.at, engine.slot) && what
}

/// An observation of the engine in the terms of the worker.
fn read(seen: &Seen) -> Option<Observation> {
    use testsmith_rt::harness::wire::Aspect;
    let at = u16::try_from(seen.at).map_or(At::End, At::Statement);
    let text = || String::from_utf8_lossy(&seen.bytes).into_owned();
    let other = || Some(u16::from_le_bytes([*seen.bytes.first()?, *seen.bytes.get(1)?]));
    let last = seen.bytes.last().copied();
    let what = match seen.aspect {
        0 => What::Value(seen.bytes.clone()),
        1 => What::Debug(text()),
        2 => What::Display(text()),
        3 => What::Eq(other()?, last? != 0),
        4 => What::Cmp(other()?, order(last?)),
        15 => What::Absent,
        panicked => {
            let aspects = [Aspect::Value, Aspect::Debug, Aspect::Display, Aspect::Eq, Aspect::Cmp];
            What::Panics(*aspects.get(panicked.checked_sub(8)? as usize)?)
        }
    };
    Some(Observation { at, slot: u16::try_from(seen.slot).ok()?, what })
}

fn order(byte: u8) -> Option<std::cmp::Ordering> {
    use std::cmp::Ordering;
    match byte.cast_signed() {
        -1 => Some(Ordering::Less),
        0 => Some(Ordering::Equal),
        1 => Some(Ordering::Greater),
        _ => None,
    }
}
