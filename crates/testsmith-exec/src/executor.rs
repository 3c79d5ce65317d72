//! One worker at a time, and every run its answer: [`Executor`]. It starts a worker when there is something to do, and
//! a new one when the old one is dead, dirty or used up; `plan` says what is asked for again.

use std::collections::VecDeque;

use testsmith_rt::harness::wire::{Answer, Batch, Execution, Hello, Isolation, Op, Options, Run};

use crate::failure::Failure;
use crate::folder::Folder;
use crate::plan::{self, Aftermath, Group, Task};
use crate::session::{Reply, Session};
use crate::setup::{Kind, Setup, Trust};

/// Runs batches in a worker.
pub struct Executor {
    pub(crate) setup: Setup,
    folder: Folder,
    session: Option<Session>,
    /// Of the worker that runs, or is to be started.
    kind: Kind,
    tally: Tally,
}

/// What has become of the workers so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Workers that were started.
    pub started: u64,
    /// Workers that died in the middle of a batch, or had to be killed.
    pub died: u64,
    /// Those of them of which it is not known which run was the reason; what they were asked for is asked for again.
    pub unexplained: u64,
    /// Workers that were replaced, though alive.
    pub replaced: u64,
    /// The most memory in bytes that one of those that were replaced had in use.
    pub peak_memory: u64,
}

impl Tally {
    /// Both together.
    #[must_use]
    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            started: self.started + other.started,
            died: self.died + other.died,
            unexplained: self.unexplained + other.unexplained,
            replaced: self.replaced + other.replaced,
            peak_memory: self.peak_memory.max(other.peak_memory),
        }
    }
}

impl Executor {
    /// Nothing is started before there is something to do.
    pub fn new(setup: Setup) -> Result<Self, Failure> {
        let folder = Folder::new(&setup.scratch)?;
        Ok(Self { setup, folder, session: None, kind: Kind::Usual, tally: Tally::default() })
    }

    /// What the worker says about itself.
    pub fn hello(&mut self) -> Result<&Hello, Failure> {
        Ok(self.session()?.hello())
    }

    /// What has become of the workers so far.
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// The most memory in bytes that the worker of the moment has had in use; 0 where nobody knows.
    pub fn peak_memory(&mut self) -> u64 {
        self.session.as_mut().and_then(Session::peak_memory).unwrap_or(0)
    }

    /// Runs a batch: one execution for each run, in the order of the runs.
    pub fn run(&mut self, batch: &Batch) -> Result<Vec<Execution>, Failure> {
        let (stateful, stateless) = self.by_state(batch);
        if stateful.is_empty() || stateless.is_empty() {
            let isolate = self.isolation(batch.options.isolate, !stateful.is_empty());
            return self.run_isolated(batch, isolate);
        }
        let mut answers: Vec<Option<Execution>> = vec![None; batch.runs.len()];
        for (places, is_stateful) in [(stateless, false), (stateful, true)] {
            let runs = places.iter().map(|at| batch.runs[*at].clone()).collect();
            let part = Batch { options: batch.options.clone(), skip: batch.skip.clone(), runs };
            let executions = self.run_isolated(&part, self.isolation(batch.options.isolate, is_stateful))?;
            places.into_iter().zip(executions).for_each(|(at, execution)| answers[at] = Some(execution));
        }
        Ok(answers.into_iter().map(|answer| answer.expect("every run is in one of the parts")).collect())
    }

    /// The places of the runs that read or change state that outlives them, and of the others.
    fn by_state(&self, batch: &Batch) -> (Vec<usize>, Vec<usize>) {
        let callable = |op: &Op| match op {
            Op::Call { callable, .. } => Some(*callable),
            Op::Literal(_) | Op::Drop(_) => None,
        };
        let is_stateful = |run: &Run| self.setup.is_stateful(run.ops.iter().filter_map(callable));
        (0..batch.runs.len()).partition(|at| is_stateful(&batch.runs[*at]))
    }

    fn run_isolated(&mut self, batch: &Batch, isolate: Isolation) -> Result<Vec<Execution>, Failure> {
        let options = Options { isolate, ..batch.options.clone() };
        if batch.runs.is_empty() {
            return Ok(Vec::new());
        }
        if self.setup.trust == Trust::Fresh {
            let groups = tasks(batch).map(|task| vec![task]).collect();
            return self.run_groups(batch, &options, groups, Vec::new());
        }
        // Most batches kill nobody.
        match self.ask(batch, &options)? {
            Reply::Answer(answer) => Ok(answer.executions),
            Reply::Died(death) => {
                let Aftermath { groups, settled, is_explained } =
                    plan::after_death(tasks(batch).collect(), options.isolate, &death);
                self.tally.unexplained += u64::from(!is_explained);
                self.run_groups(batch, &options, groups.into(), settled)
            }
        }
    }

    /// As much isolation as this executor's crate needs, for programs that touch its state or do not.
    fn isolation(&self, asked: Isolation, is_stateful: bool) -> Isolation {
        match (self.setup.trust, asked) {
            (_, Isolation::Fork) => Isolation::Fork,
            (Trust::Fork, _) if is_stateful => Isolation::Programs,
            (Trust::Fork | Trust::Mutants, _) => Isolation::Mutants,
            (Trust::InProcess | Trust::Fresh, asked) => asked,
        }
    }

    /// Runs what is left of a batch.
    fn run_groups(
        &mut self,
        batch: &Batch,
        options: &Options,
        mut groups: VecDeque<Group>,
        settled: Vec<(usize, Execution)>,
    ) -> Result<Vec<Execution>, Failure> {
        let mut answers: Vec<Option<Execution>> = vec![None; batch.runs.len()];
        let mut settle = |settled: Vec<(usize, Execution)>| {
            settled.into_iter().for_each(|(index, execution)| answers[index] = Some(execution));
        };
        settle(settled);
        while let Some(group) = groups.pop_front() {
            if group.is_empty() {
                continue;
            }
            let asked = plan::batch(&group, options, &batch.skip);
            settle(match self.ask(&asked, &asked.options)? {
                Reply::Answer(answer) => {
                    group.into_iter().zip(answer.executions).map(|(task, e)| task.complete(e)).collect()
                }
                Reply::Died(death) => {
                    let aftermath = plan::after_death(group, asked.options.isolate, &death);
                    self.tally.unexplained += u64::from(!aftermath.is_explained);
                    aftermath.groups.into_iter().rev().for_each(|group| groups.push_front(group));
                    aftermath.settled
                }
            });
        }
        Ok(answers.into_iter().map(|answer| answer.expect("every run is settled exactly once")).collect())
    }

    /// Ends the worker; the next batch gets a fresh one, of this kind, and so do those that follow.
    pub fn renew(&mut self, kind: Kind) {
        self.end();
        self.kind = kind;
    }

    fn end(&mut self) {
        if self.session.is_some() {
            self.tally.replaced += 1;
            self.tally.peak_memory = self.tally.peak_memory.max(self.peak_memory());
            self.session = None;
        }
    }

    /// Asks the worker, and does not keep one that is dead or should not be trusted any more.
    fn ask(&mut self, batch: &Batch, options: &Options) -> Result<Reply, Failure> {
        let stall = self.setup.stall;
        let reply = self.session()?.ask(batch, options, stall);
        match &reply {
            Ok(Reply::Answer(answer)) if self.is_fit(answer) => {}
            Ok(Reply::Answer(_)) => self.end(),
            Ok(Reply::Died(_)) => {
                self.session = None;
                self.tally.died += 1;
            }
            // What the worker thinks of the next batch nobody knows.
            Err(_) => self.session = None,
        }
        reply
    }

    /// Whether a worker that has given this answer may go on.
    fn is_fit(&self, answer: &Answer) -> bool {
        let is_dirty = || answer.executions.iter().any(|execution| !execution.ran.is_empty());
        answer.leaked <= self.setup.most_leaked
            && answer.threads_left <= self.setup.most_threads
            && !(self.setup.trust == Trust::Fresh && is_dirty())
    }

    fn session(&mut self) -> Result<&mut Session, Failure> {
        if self.session.is_none() {
            self.session = Some(Session::start(&self.setup, self.kind, &mut self.folder)?);
            self.tally.started += 1;
        }
        Ok(self.session.as_mut().expect("it was just started"))
    }
}

fn tasks(batch: &Batch) -> impl Iterator<Item = Task> {
    batch.runs.iter().cloned().enumerate().map(|(index, run)| Task::new(index, run))
}
