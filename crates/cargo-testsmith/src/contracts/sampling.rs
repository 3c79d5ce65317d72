//! Runs programs with questions, and collects what they show.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use testsmith_contracts::{Composer, Probed, Queries, Tables, probe, programs, targets};
use testsmith_exec::{Kind, WorkerPool, encode};
use testsmith_ir::random::{Generator, Options as Programs, Rng};
use testsmith_ir::{Api, CallableId, Program, Slot, check};
use testsmith_rt::harness::wire::{
    Batch, Execution, Mutants, Observations, Observing, Options, Outcome, Run,
};

use super::claims::Findings;
use crate::failure::Failure;
use crate::workers::failure;

/// Programs that are proposed at a time.
const ROUND: u64 = 256;
/// Programs of a batch: a death costs them once more.
const BATCH: usize = 64;
/// Programs that tell which queries panic or are not the same every time.
const WARM_UP: u64 = 512;
/// A callable that ends its process in more than one of so many calls is not called any more.
const DEADLY: u64 = 16;
/// Rows that are enough for a callable; it is called less often then.
const ENOUGH: [(usize, u32); 3] = [(100, 64), (600, 32), (usize::MAX, 16)];

/// What the claims of a long run come to.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub(super) struct Checked {
    /// Programs.
    pub(super) programs: u64,
    /// Claims.
    pub(super) claims: usize,
    /// Claims that some program contradicts.
    pub(super) contradicted: usize,
    /// What they say.
    pub(super) examples: Vec<String>,
}

/// Runs programs and remembers rows.
pub(super) struct Sampler<'a> {
    pub(super) api: &'a Api,
    pool: &'a WorkerPool,
    limits: Options,
    programs: Programs,
    subjects: BTreeSet<CallableId>,
    queries: Queries,
    pub(super) tables: Tables,
    /// Programs that were run.
    pub(super) executions: u64,
    /// How often each callable was the last that its process did, and how often it was called.
    deaths: BTreeMap<CallableId, (u64, u64)>,
}

impl<'a> Sampler<'a> {
    pub(super) fn new(
        api: &'a Api,
        pool: &'a WorkerPool,
        limits: Options,
        programs: Programs,
        subjects: BTreeSet<CallableId>,
        queries: Queries,
    ) -> Sampler<'a> {
        let limits = Options { trace: false, observe: Observing::Full, ..limits };
        let (tables, deaths) = Default::default();
        Sampler { api, pool, limits, programs, subjects, queries, tables, executions: 0, deaths }
    }

    /// Finds out which queries cannot be asked, and forgets the rows: they have holes.
    pub(super) fn warm_up(&mut self, seed: u64) -> Result<(), Failure> {
        let mut generator = Generator::new(self.api, seed ^ 0xa5a5, self.programs.clone());
        let programs: Vec<Program> = (0..WARM_UP).map(|_| generator.next()).collect();
        let probed = self.probed(&programs);
        let unsteady = self.unsteady(&probed)?;
        self.queries.remove(&unsteady);
        self.take(programs)?;
        self.queries.remove(&self.tables.panicking);
        self.tables = Tables::default();
        self.executions = 0;
        Ok(())
    }

    /// Runs so many programs: of three one is random, and two go on with objects that were seen.
    pub(super) fn run(&mut self, seed: u64, count: u64) -> Result<(), Failure> {
        let mut generator = Generator::new(self.api, seed, self.programs.clone());
        let mut composer = Composer::new(self.api, seed ^ 0x3c3c, self.programs.clone());
        let mut rng = Rng::new(seed);
        let mut wheel: Vec<CallableId> = Vec::new();
        let mut left = count;
        while left > 0 {
            let round = left.min(ROUND);
            left -= round;
            generator.weigh(|callable| self.weight(callable));
            composer.weigh(|callable| self.weight(callable));
            wheel.clear();
            for callable in &self.programs.roots {
                wheel.extend(std::iter::repeat_n(*callable, self.weight(*callable) as usize / 16));
            }
            let program = |_| {
                let composed = (!rng.once_in(3)).then(|| rng.one(&wheel).copied()).flatten();
                composed.and_then(|it| composer.compose(&self.tables, it)).unwrap_or_else(|| generator.next())
            };
            let programs = (0..round).map(program).collect();
            self.take(programs)?;
        }
        Ok(())
    }

    /// Runs programs of earlier runs again: what they show may be another thing by now.
    pub(super) fn replay(&mut self, programs: &[Program]) -> Result<(), Failure> {
        programs.chunks(ROUND as usize).try_for_each(|round| self.take(round.to_vec()))
    }

    /// Tries to contradict what was found, with objects that were seen.
    pub(super) fn reduce(&mut self, found: &Findings, seed: u64) -> Result<(), Failure> {
        let mut composer = Composer::new(self.api, seed, self.programs.clone());
        composer.weigh(|callable| self.weight(callable));
        for (callable, contracts) in found.functions.values() {
            let targets = targets(*callable, &self.tables.callables[callable], contracts);
            let new: Vec<Program> = targets
                .iter()
                .flat_map(|target| programs(self.api, &mut composer, &self.tables, target))
                .collect();
            for round in new.chunks(ROUND as usize) {
                self.take(round.to_vec())?;
            }
        }
        Ok(())
    }

    /// How many claims are contradicted by so many other programs.
    pub(super) fn check(&mut self, findings: &Findings, seed: u64, count: u64) -> Result<Checked, Failure> {
        const CHUNK: u64 = 4096;
        let mut contradicted = BTreeSet::new();
        let inferred = std::mem::take(&mut self.tables);
        for (part, _) in (0..count).step_by(CHUNK as usize).enumerate() {
            self.tables = Tables::default();
            self.run(seed.wrapping_add(part as u64 + 1), CHUNK.min(count - part as u64 * CHUNK))?;
            findings.contradicted(&inferred, &self.tables, &mut contradicted);
        }
        self.tables = inferred;
        let (claims, number) = (findings.count(), contradicted.len());
        Ok(Checked {
            programs: count,
            claims,
            contradicted: number,
            examples: contradicted.into_iter().collect(),
        })
    }

    fn weight(&self, callable: CallableId) -> u32 {
        if let Some((deaths, calls)) = self.deaths.get(&callable)
            && deaths * DEADLY > *calls
        {
            return 0;
        }
        // Where most calls panic, more of them are needed.
        let rows =
            self.tables.callables.get(&callable).map_or(0, |table| table.len().min(4 * table.returns()));
        let is_subject = self.subjects.contains(&callable);
        let weight = ENOUGH.iter().find(|(most, _)| rows < *most).map_or(16, |(_, weight)| *weight);
        if is_subject { weight } else { 16 }
    }

    fn probed(&self, programs: &[Program]) -> Vec<Probed> {
        let is_subject = |callable| self.subjects.contains(&callable);
        programs.iter().map(|program| probe(self.api, &self.queries, program, is_subject)).collect()
    }

    /// Runs programs and records what they show.
    pub(super) fn take(&mut self, programs: Vec<Program>) -> Result<(), Failure> {
        let probed = self.probed(&programs);
        let executions = self.pool.run(&self.batches(&probed)).map_err(failure)?.concat();
        self.executions += programs.len() as u64;
        for ((program, probed), execution) in programs.into_iter().zip(&probed).zip(&executions) {
            self.count_deaths(&probed.program, execution);
            self.tables.record(self.api, &Arc::new(program), probed, execution);
        }
        Ok(())
    }

    fn batches(&self, probed: &[Probed]) -> Vec<Batch> {
        let run = |probed: &Probed| -> Run {
            debug_assert!(check(self.api, &probed.program).is_ok(), "questions disturb nobody");
            encode(&probed.program, &[], Mutants::Listed(Vec::new()))
        };
        let batch = |chunk: &[Probed]| Batch {
            options: self.limits.clone(),
            runs: chunk.iter().map(run).collect(),
            ..Batch::default()
        };
        probed.chunks(BATCH).map(batch).collect()
    }

    fn count_deaths(&mut self, program: &Program, execution: &Execution) {
        let is_death = !matches!(execution.outcome, Outcome::Ok | Outcome::Panic { .. } | Outcome::Fuel);
        let last = program.statements.get(usize::from(execution.statement)).and_then(|it| it.callable());
        for statement in &program.statements[..program.size().min(usize::from(execution.statement) + 1)] {
            if let Some(callable) = statement.callable() {
                self.deaths.entry(callable).or_default().1 += 1;
            }
        }
        if let Some(callable) = last.filter(|_| is_death) {
            self.deaths.entry(callable).or_default().0 += 1;
        }
    }

    /// What gives another answer in another process.
    fn unsteady(&self, probed: &[Probed]) -> Result<BTreeSet<CallableId>, Failure> {
        let batches = self.batches(probed);
        let run = |kind: Kind| {
            self.pool.map(&batches, |executor, batch| {
                executor.renew(kind);
                let executions = executor.run(batch);
                executor.renew(Kind::Usual);
                executions
            })
        };
        let first = run(Kind::Usual).map_err(failure)?.concat();
        let second = run(Kind::Anywhere).map_err(failure)?.concat();
        let mut unsteady = BTreeSet::new();
        for ((probed, first), second) in probed.iter().zip(&first).zip(&second) {
            let [Observations::Full(first), Observations::Full(second)] =
                [&first.observations, &second.observations]
            else {
                continue;
            };
            let differing = first.iter().zip(second).find(|(first, second)| first != second);
            if let Some((differing, _)) = differing {
                unsteady.extend(probed.program[Slot(differing.slot)].callable());
            }
        }
        Ok(unsteady)
    }
}
