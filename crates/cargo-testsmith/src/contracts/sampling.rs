//! Runs programs with questions, and collects what they show.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use testsmith_contracts::{
    Atom, Composer, Constants, Contract, Definers, Known, LawOfType, Probed, Queries, Tables, Target, broken,
    on_mutant, probe, programs, targets,
};
use testsmith_exec::{Kind, WorkerPool, encode};
use testsmith_ir::random::{Generator, Options as Programs, Rng};
use testsmith_ir::{Api, CallableId, Program, Slot, check};
use testsmith_rt::harness::wire::{
    Batch, Bitmap, Difference, Execution, Mutants, Observations, Observing, Options, Outcome, Run,
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

/// What became of mutants whose programs carried questions.
#[derive(Debug, Default)]
pub(crate) struct Judged {
    /// Mutants that were run.
    pub(crate) infected: BTreeSet<u32>,
    /// By mutant, the contracts that it breaks: the callable, and the number of its contract.
    pub(crate) broken: BTreeMap<u32, BTreeSet<(CallableId, usize)>>,
}

impl Judged {
    fn take(
        &mut self,
        api: &Api,
        program: &Program,
        probed: &Probed,
        execution: &Execution,
        known: &Known<'_>,
    ) {
        let mutants: BTreeSet<u32> = execution.differences.iter().map(|(mutant, _)| *mutant).collect();
        if mutants.is_empty() {
            return;
        }
        let program = Arc::new(program.clone());
        let unsound: BTreeSet<_> = broken(api, &program, probed, execution, known).into_iter().collect();
        for mutant in mutants {
            let Some(mutated) = on_mutant(execution, mutant) else { continue };
            let all = broken(api, &program, probed, &mutated, known).into_iter();
            let all: Vec<_> = all.filter(|it| !unsound.contains(it)).collect();
            if !all.is_empty() {
                self.broken.entry(mutant).or_default().extend(all);
            }
        }
    }
}

/// How much a mutant changes in the program that came closest to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub(crate) struct Impact {
    /// Sites that went through something else.
    pub(crate) statements: u32,
    /// Values that were observed to differ.
    pub(crate) values: u32,
}

/// Runs programs and remembers rows.
pub(crate) struct Sampler<'a> {
    pub(super) api: &'a Api,
    pool: &'a WorkerPool,
    limits: Options,
    programs: Programs,
    subjects: BTreeSet<CallableId>,
    queries: Queries,
    constants: Constants,
    definers: Definers,
    pub(crate) tables: Tables,
    /// Targets of which there were programs.
    tried: BTreeSet<(CallableId, Vec<Atom>)>,
    /// Programs that were run.
    pub(super) executions: u64,
    /// How often each callable was the last that its process did, and how often it was called.
    deaths: BTreeMap<CallableId, (u64, u64)>,
}

/// What is known of a crate before anything runs.
pub(crate) struct Background {
    /// The callables that rows are about.
    pub(crate) subjects: BTreeSet<CallableId>,
    /// What can be asked.
    pub(crate) queries: Queries,
    /// What conditions in the source compare public members with.
    pub(crate) constants: Constants,
    /// Which callable may change the answer of which query.
    pub(crate) definers: Definers,
}

/// A law that some objects break.
#[derive(Clone, Debug)]
pub(crate) struct BrokenLaw {
    pub(crate) law: LawOfType,
    /// Trials that hold.
    pub(crate) shown: usize,
    /// All trials.
    pub(crate) of: usize,
    /// The shortest program that breaks it.
    pub(crate) exception: Program,
}

impl<'a> Sampler<'a> {
    pub(crate) fn new(
        api: &'a Api,
        pool: &'a WorkerPool,
        limits: Options,
        programs: Programs,
        background: Background,
    ) -> Sampler<'a> {
        let Background { subjects, queries, constants, definers } = background;
        Sampler {
            api,
            pool,
            limits: Options { trace: false, observe: Observing::Full, ..limits },
            programs,
            subjects,
            queries,
            tables: Tables::with_constants(constants.clone()),
            constants,
            definers,
            tried: BTreeSet::new(),
            executions: 0,
            deaths: BTreeMap::new(),
        }
    }

    fn composer(&self, seed: u64) -> Composer<'a> {
        Composer::new(self.api, seed, self.programs.clone()).with_definers(self.definers.clone())
    }

    /// Finds out which queries cannot be asked, and forgets the rows: they have holes.
    pub(crate) fn warm_up(&mut self, seed: u64) -> Result<(), Failure> {
        let mut generator = Generator::new(self.api, seed ^ 0xa5a5, self.programs.clone());
        let programs: Vec<Program> = (0..WARM_UP).map(|_| generator.next()).collect();
        let probed = self.probed(&programs);
        let unsteady = self.unsteady(&probed)?;
        self.queries.remove(&unsteady);
        self.take(programs)?;
        self.queries.remove(&self.tables.panicking);
        self.tables = Tables::with_constants(self.constants.clone());
        self.executions = 0;
        Ok(())
    }

    /// Runs so many programs: of three one is random, and two go on with objects that were seen.
    pub(crate) fn run(&mut self, seed: u64, count: u64) -> Result<(), Failure> {
        let mut generator = Generator::new(self.api, seed, self.programs.clone());
        let mut composer = self.composer(seed ^ 0x3c3c);
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
    pub(crate) fn replay(&mut self, programs: &[Program]) -> Result<(), Failure> {
        programs.chunks(ROUND as usize).try_for_each(|round| self.take(round.to_vec()))
    }

    /// Tries to contradict what was found, with objects that were seen; how many programs that took, `most` at most. What was tried
    /// before is not tried again.
    pub(super) fn reduce(&mut self, found: &Findings, seed: u64, most: u64) -> Result<u64, Failure> {
        let mut composer = self.composer(seed);
        composer.weigh(|callable| self.weight(callable));
        let before = self.executions;
        // Other choices of type arguments are tried after those that the report is about.
        let reported: Vec<(CallableId, Vec<Contract>)> = found.functions.values().cloned().collect();
        let is_other = |callable: &CallableId| !reported.iter().any(|(known, _)| known == callable);
        let others: Vec<CallableId> = self.tables.callables.keys().copied().filter(is_other).collect();
        let others = others.into_iter().map(|callable| (callable, Vec::new()));
        for (callable, contracts) in reported.iter().cloned().chain(others) {
            let mut new: Vec<Program> = Vec::new();
            for target in targets(callable, &self.tables.callables[&callable], &contracts) {
                new.extend(self.programs_for(&mut composer, target));
            }
            for round in new.chunks(ROUND as usize) {
                if self.executions - before >= most {
                    return Ok(self.executions - before);
                }
                self.take(round.to_vec())?;
            }
        }
        Ok(self.executions - before)
    }

    /// Forgets all rows.
    pub(super) fn start_anew(&mut self) {
        self.tables = Tables::with_constants(self.constants.clone());
    }

    fn programs_for(&mut self, composer: &mut Composer<'a>, target: Target) -> Vec<Program> {
        let key = (target.callable, target.all.clone());
        if self.tried.contains(&key) {
            return Vec::new();
        }
        let found = programs(self.api, composer, &self.tables, &target);
        // Objects that it takes may come.
        if !found.is_empty() {
            self.tried.insert(key);
        }
        found
    }

    /// Tries the laws of the standard library's traits on the objects that were seen; those that are broken each time.
    pub(super) fn laws(&mut self, seed: u64) -> Result<(usize, Vec<BrokenLaw>), Failure> {
        const TRIALS: usize = 48;
        let mut composer = self.composer(seed);
        let laws = LawOfType::all(self.api);
        let mut broken = Vec::new();
        let mut tried = 0;
        for law in laws {
            let trials: Vec<_> = (0..TRIALS).filter_map(|_| law.trial(&mut composer, &self.tables)).collect();
            let run = |sampler: &Self| -> Result<Vec<Option<bool>>, Failure> {
                let programs: Vec<Program> = trials.iter().map(|trial| trial.program.clone()).collect();
                let executions = sampler.executed(&programs)?;
                Ok(trials.iter().zip(&executions).map(|(trial, it)| trial.holds(it)).collect())
            };
            let first = run(self)?;
            let known: Vec<usize> = (0..first.len()).filter(|at| first[*at].is_some()).collect();
            tried += usize::from(!known.is_empty());
            if first.contains(&Some(false)) {
                let again = run(self)?;
                let fails =
                    known.iter().copied().filter(|at| first[*at] == Some(false) && again[*at] == Some(false));
                let shortest = fails.clone().min_by_key(|at| trials[*at].program.size());
                if let Some(shortest) = shortest {
                    let exception = trials[shortest].program.clone();
                    broken.push(BrokenLaw {
                        shown: known.len() - fails.count(),
                        of: known.len(),
                        law,
                        exception,
                    });
                }
            }
        }
        Ok((tried, broken))
    }

    /// Runs programs as they are.
    fn executed(&self, programs: &[Program]) -> Result<Vec<Execution>, Failure> {
        let run = |program: &Program| encode(program, &[], Mutants::Listed(Vec::new()));
        let batch = |chunk: &[Program]| Batch {
            options: self.limits.clone(),
            runs: chunk.iter().map(run).collect(),
            ..Batch::default()
        };
        let batches: Vec<Batch> = programs.chunks(BATCH).map(batch).collect();
        Ok(self.pool.run(&batches).map_err(failure)?.concat())
    }

    /// Which contracts mutants break: programs of rows of each callable, spread over them, are run on the mutants that they
    /// infect. What the original contradicts as well is no contract.
    pub(crate) fn judge(
        &self,
        known: &Known<'_>,
        programs: &[Program],
        skip: &Bitmap,
        most: usize,
    ) -> Result<Judged, Failure> {
        const AT_A_TIME: usize = 16;
        const MUTANTS_EACH: u32 = 64;
        let mut judged = Judged::default();
        let mut skip = skip.clone();
        for round in programs.chunks(AT_A_TIME * 8) {
            let probed = self.probed(round);
            let options = Options { observe: Observing::All, trace: true, ..self.limits.clone() };
            let run =
                |probed: &Probed| encode(&probed.program, &[], Mutants::Infected { at_most: MUTANTS_EACH });
            let batch = |chunk: &[Probed]| Batch {
                options: options.clone(),
                skip: skip.clone(),
                runs: chunk.iter().map(run).collect(),
            };
            let batches: Vec<Batch> = probed.chunks(AT_A_TIME).map(batch).collect();
            let executions = self.pool.run(&batches).map_err(failure)?.concat();
            for ((program, probed), execution) in round.iter().zip(&probed).zip(&executions) {
                judged.infected.extend(&execution.ran);
                judged.take(self.api, program, probed, execution, known);
            }
            judged
                .broken
                .iter()
                .filter(|(_, all)| all.len() >= most)
                .for_each(|(mutant, _)| skip.insert(*mutant));
        }
        Ok(judged)
    }

    /// Programs with questions on one mutant each: the contracts that it breaks, and what it changes.
    pub(crate) fn judge_each(
        &self,
        known: &Known<'_>,
        aims: &[(u32, Program)],
    ) -> Result<(Judged, BTreeMap<u32, Impact>), Failure> {
        let mut judged = Judged::default();
        let mut impacts = BTreeMap::new();
        for round in aims.chunks(BATCH) {
            let programs: Vec<Program> = round.iter().map(|(_, program)| program.clone()).collect();
            let probed = self.probed(&programs);
            let options = Options { observe: Observing::All, trace: true, ..self.limits.clone() };
            let run = |((mutant, _), probed): (&(u32, Program), &Probed)| {
                encode(&probed.program, &[], Mutants::Aimed { first: *mutant, at_most: 1 })
            };
            let batch = |(aims, probed): (&[(u32, Program)], &[Probed])| Batch {
                options: options.clone(),
                runs: aims.iter().zip(probed).map(run).collect(),
                ..Batch::default()
            };
            let batches: Vec<Batch> = round.chunks(8).zip(probed.chunks(8)).map(batch).collect();
            let executions = self.pool.run(&batches).map_err(failure)?.concat();
            for (((mutant, program), probed), execution) in round.iter().zip(&probed).zip(&executions) {
                let statements =
                    execution.impact.filter(|(of, _)| of == mutant).map_or(0, |(_, sites)| sites);
                let own = execution.differences.iter().filter(|(of, _)| of == mutant);
                let is_value = |it: &&(u32, Difference)| matches!(it.1, Difference::Observation(..));
                let values = u32::try_from(own.filter(is_value).count()).unwrap_or(u32::MAX);
                if execution.ran.contains(mutant) {
                    impacts.insert(*mutant, Impact { statements, values });
                }
                judged.take(self.api, program, probed, execution, known);
            }
        }
        Ok((judged, impacts))
    }

    /// Programs that show what callables do, a few of each, spread over what was seen.
    pub(crate) fn showing(&self, each: usize) -> Vec<Program> {
        let mut all: BTreeSet<Program> = BTreeSet::new();
        for table in self.tables.callables.values() {
            let rows = table.len().min(each);
            all.extend((0..rows).map(|at| table.rows()[at * table.len() / rows].shortest()));
        }
        all.into_iter().collect()
    }

    /// How many claims are contradicted by so many other programs.
    pub(super) fn check(&mut self, findings: &Findings, seed: u64, count: u64) -> Result<Checked, Failure> {
        const CHUNK: u64 = 4096;
        let mut contradicted = BTreeSet::new();
        let inferred = std::mem::take(&mut self.tables);
        for (part, _) in (0..count).step_by(CHUNK as usize).enumerate() {
            self.tables = Tables::with_constants(self.constants.clone());
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
    pub(super) fn take(&mut self, mut programs: Vec<Program>) -> Result<(), Failure> {
        programs.iter_mut().for_each(|program| self.api.bring_within(program));
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
