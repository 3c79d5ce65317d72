//! What one execution has touched, for many questions about it: [`ExecutionTrace`].

use testsmith_ir::Side;
use testsmith_rt::harness::wire::{Distance, Execution, Operands};

use crate::subject::Subject;

/// How far a mutant got in an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mark {
    Untouched,
    Reached,
    /// It is not known whether it computed another value.
    Maybe,
    Infected,
}

/// Answers about one execution at a time. Each entry says which execution it belongs to, so that nothing is cleared.
#[derive(Clone, Debug)]
pub(crate) struct ExecutionTrace {
    execution: u32,
    mutants: Vec<(u32, Mark)>,
    functions: Vec<u32>,
    /// By the first mutant of a comparison.
    probes: Vec<(u32, Distance)>,
    /// What comparisons were about.
    operands: Vec<Operands>,
    /// A mutant, and how many sites it has changed.
    impact: Option<(u32, u32)>,
    /// Functions that were entered.
    entered: Vec<usize>,
    /// By mutant: the conditions around it, the innermost last. Of each, the sides that let an execution in; none where
    /// nobody measures it.
    ways: Vec<Vec<Vec<Side>>>,
}

impl ExecutionTrace {
    pub(crate) fn new(subject: &Subject<'_>) -> ExecutionTrace {
        let length = subject.mutants.len() + 1;
        let functions = subject.mutants.iter().map(|target| target.function + 1).max().unwrap_or(0);
        ExecutionTrace {
            execution: 0,
            mutants: vec![(0, Mark::Untouched); length],
            functions: vec![0; functions],
            probes: vec![(0, Distance { probe: 0, to_true: 0.0, to_false: 0.0, to_other: 0.0 }); length],
            operands: Vec::new(),
            impact: None,
            entered: Vec::new(),
            ways: ways(subject),
        }
    }

    /// The conditions around a mutant, the innermost last.
    pub(crate) fn way(&self, mutant: u32) -> &[Vec<Side>] {
        self.ways.get(mutant as usize).map_or(&[], Vec::as_slice)
    }

    /// Looks at another execution.
    pub(crate) fn look(&mut self, subject: &Subject<'_>, execution: &Execution) {
        self.execution = self.execution.wrapping_add(1);
        self.entered.clear();
        self.operands.clone_from(&execution.operands);
        self.impact = execution.impact;
        let this = self.execution;
        let all = [
            (&execution.reached, Mark::Reached),
            (&execution.maybe, Mark::Maybe),
            (&execution.infected, Mark::Infected),
        ];
        for (mutants, mark) in all {
            for mutant in mutants {
                if let Some(entry) = self.mutants.get_mut(*mutant as usize) {
                    *entry = (this, mark);
                }
            }
        }
        for target in execution.reached.iter().filter_map(|mutant| subject.target(*mutant)) {
            let entry = &mut self.functions[target.function];
            if *entry != this {
                *entry = this;
                self.entered.push(target.function);
            }
        }
        for distance in &execution.distances {
            if let Some(entry) = self.probes.get_mut(distance.probe as usize) {
                *entry = (this, *distance);
            }
        }
    }

    pub(crate) fn mark(&self, mutant: u32) -> Mark {
        match self.mutants.get(mutant as usize) {
            Some((execution, mark)) if *execution == self.execution => *mark,
            _ => Mark::Untouched,
        }
    }

    /// How many sites a mutant has changed, if it was run to find that out.
    pub(crate) fn impact(&self, mutant: u32) -> Option<u32> {
        self.impact.filter(|(of, _)| *of == mutant).map(|(_, sites)| sites)
    }

    pub(crate) fn has_entered(&self, function: usize) -> bool {
        self.functions.get(function) == Some(&self.execution)
    }

    /// Functions that were entered, in the order of the first time.
    pub(crate) fn entered(&self) -> &[usize] {
        &self.entered
    }

    /// Operands of a comparison, as far as they were kept.
    pub(crate) fn operands(&self, probe: Option<u32>) -> Vec<Operands> {
        self.operands.iter().filter(|it| Some(it.probe) == probe).cloned().collect()
    }

    /// How far a comparison was from coming out like this; `None` if it was not made.
    pub(crate) fn distance(&self, probe: u32, side: bool) -> Option<f64> {
        let made = self.made(probe)?;
        Some(if side { made.to_true } else { made.to_false })
    }

    /// How far a comparison was from coming out differently, the time that it was closest; `None` if it was not made.
    pub(crate) fn to_other(&self, probe: u32) -> Option<f64> {
        Some(self.made(probe)?.to_other)
    }

    fn made(&self, probe: u32) -> Option<&Distance> {
        let (execution, made) = self.probes.get(probe as usize)?;
        (*execution == self.execution).then_some(made)
    }
}

fn ways(subject: &Subject<'_>) -> Vec<Vec<Vec<Side>>> {
    let regions = &subject.regions;
    let way = |region: Option<usize>| {
        let way = region.map(|region| regions.way(region)).unwrap_or_default();
        // The body of the function is no condition.
        way.iter().skip(1).map(|region| regions.all[*region].sides.clone()).collect()
    };
    regions.by_mutant(subject.mutants.len()).into_iter().map(way).collect()
}
