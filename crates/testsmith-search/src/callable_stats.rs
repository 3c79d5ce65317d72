//! What has become of each callable so far, and what follows from it for the next programs: [`CallableStats`].
//!
//! A callable that came back seldom or never is worth more than others. One that keeps ending its process (by a signal,
//! for want of memory, because it hangs) is not: each death costs as much as hundreds of programs. It has to pause, eight
//! times as long after each further death, and is then tried again: nobody is given up for ever. Where it is the arguments
//! that are too large, large ones become rare; where it is the results (an array of a gigabyte), so do these.

use std::collections::{BTreeMap, BTreeSet};

use testsmith_exec::ending;
use testsmith_ir::random::{Generator, ProgramMutator};
use testsmith_ir::{Api, CallableId, Program, Statement};
use testsmith_rt::harness::outside::Outside;
use testsmith_rt::harness::wire::{Execution, Outcome};

/// A callable that has ended its process in more than one of so many calls has to pause.
const BEARABLE: u64 = 8;
/// The first pause lasts for so many programs.
const PAUSE: u64 = 512;
/// Each further death makes it as many times longer as two to the power of this says.
const LONGER: u32 = 3;
/// The longest pause is as many times as long.
const LONGEST: u32 = 15;

/// Weights of callables, by how often they came back: never, seldom, and all others.
const NEVER: u32 = 64;
const SELDOM: u32 = 32;
const USUAL: u32 = 16;
/// The weight of what is bulky and came back already, or is as large as what someone died of, from time to time.
const PROBE: u32 = 1;
/// Values of more bytes than this take so long to move and to look at that other programs suffer.
const BULKY: usize = 16 << 10;
/// How often bulky values are worth having.
const ENOUGH: u64 = 2;
/// What came back so often is well known.
const OFTEN: u64 = 8;
/// What was called so often and never came back is worth no more than what comes back seldom.
const HOPELESS: u64 = 64;
/// Nor is it for ever worth more what has never been called: perhaps there is nothing that it could be given. It is for so
/// many programs for each callable, and then again from time to time.
const EPOCH: u64 = 4;
const EPOCHS: u64 = 8;

/// What has become of all callables so far.
#[derive(Clone, Debug, Default)]
pub struct CallableStats {
    callables: BTreeMap<u32, Record>,
    /// By the number of the callable: the bytes of its result.
    bytes: Vec<usize>,
    /// A callable with a bulky result of so many bytes has died.
    deadly_bytes: Option<usize>,
    /// Programs so far: what pauses are measured in.
    programs: u64,
    sizes: Sizes,
}

/// What has become of a callable.
#[derive(Clone, Debug, Default)]
struct Record {
    called: u64,
    returned: u64,
    deaths: BTreeMap<String, u64>,
    outside: BTreeSet<Outside>,
    /// How often it had to pause, and until which program.
    pauses: u32,
    until: u64,
}

/// A callable that had to pause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Avoided {
    /// Its number.
    pub callable: u32,
    /// How often it was called.
    pub called: u64,
    /// How often it ended its process, and how.
    pub deaths: BTreeMap<String, u64>,
    /// Where it reached outside of its process.
    pub outside: BTreeSet<Outside>,
}

impl CallableStats {
    /// Nothing is known yet but what the types say.
    pub fn new(api: &Api) -> CallableStats {
        let bytes = api.callables.iter().map(|callable| api[callable.output].facts.size).collect();
        CallableStats { bytes, ..CallableStats::default() }
    }

    /// Takes notice of a program that was run on the original.
    pub fn note(&mut self, program: &Program, execution: &Execution) {
        self.programs += 1;
        let done = usize::from(execution.statement);
        let calls = program.statements.iter().enumerate().filter_map(call);
        for (at, callable) in calls.take_while(|(at, _)| *at <= done) {
            let record = self.callables.entry(callable.0).or_default();
            record.called += 1;
            if at < done {
                record.returned += u64::from(!execution.absent.iter().any(|slot| usize::from(*slot) == at));
            } else if is_death(&execution.outcome) {
                record.die(&execution.outcome, self.programs);
                let bytes = self.bytes.get(callable.0 as usize).copied().filter(|bytes| *bytes > BULKY);
                let known = self.deadly_bytes.unwrap_or(usize::MAX);
                self.deadly_bytes = bytes.map(|bytes| bytes.min(known)).or(self.deadly_bytes);
            }
        }
        self.sizes.note(self.programs, &execution.outcome);
    }

    /// Lets a generator know.
    pub fn teach(&self, generator: &mut Generator<'_>) {
        generator.weigh(|callable| self.weight(callable));
        generator.spare_sizes(self.sizes.spared);
    }

    /// Gives a mutator its weights.
    pub fn weigh_callables(&self, mutator: &mut ProgramMutator<'_>) {
        mutator.weigh(|callable| self.weight(callable));
        mutator.spare_sizes(self.sizes.spared);
    }

    /// Callables that have been called and came back.
    pub fn returned(&self) -> impl Iterator<Item = CallableId> {
        self.callables
            .iter()
            .filter(|(_, record)| record.returned > 0)
            .map(|(callable, _)| CallableId(*callable))
    }

    /// How often a callable was called, and came back with a value.
    pub(crate) fn calls(&self, callable: CallableId) -> (u64, u64) {
        self.callables.get(&callable.0).map_or((0, 0), |record| (record.called, record.returned))
    }

    /// Callables that had to pause, the deadliest first.
    pub fn avoided(&self) -> Vec<Avoided> {
        let paused = self.callables.iter().filter(|(_, record)| record.pauses > 0);
        let mut avoided: Vec<Avoided> = paused
            .map(|(callable, record)| Avoided {
                callable: *callable,
                called: record.called,
                deaths: record.deaths.clone(),
                outside: record.outside.clone(),
            })
            .collect();
        avoided.sort_by_key(|avoided| std::cmp::Reverse(avoided.deaths.values().sum::<u64>()));
        avoided
    }

    /// How often a callable is worth calling, in relation to others.
    pub(crate) fn weight(&self, callable: CallableId) -> u32 {
        let epoch = self.programs / (EPOCH * (self.bytes.len() as u64).max(1));
        let is_hopeful = epoch.is_multiple_of(EPOCHS);
        let bytes = self.bytes.get(callable.0 as usize).copied().unwrap_or(0);
        let is_deadly = self.deadly_bytes.is_some_and(|deadly| bytes >= deadly);
        let is_enough = |record: &Record| bytes > BULKY && record.returned >= ENOUGH;
        let probe = if is_hopeful && epoch > 0 { PROBE } else { 0 };
        match self.callables.get(&callable.0) {
            None if is_deadly => probe,
            None if is_hopeful => NEVER,
            None => USUAL,
            Some(record) if self.programs < record.until => 0,
            Some(record) if is_deadly || is_enough(record) => probe,
            Some(record) if record.returned == 0 && record.called < HOPELESS => NEVER,
            Some(record) if record.returned < OFTEN => SELDOM,
            Some(_) => USUAL,
        }
    }
}

impl Record {
    fn die(&mut self, outcome: &Outcome, now: u64) {
        *self.deaths.entry(ending(outcome)).or_default() += 1;
        if let Outcome::Outside(outside) = outcome {
            self.outside.insert(*outside);
        }
        let deaths: u64 = self.deaths.values().sum();
        if deaths * BEARABLE > self.called {
            self.until = now + (PAUSE << (LONGER * self.pauses).min(LONGEST));
            self.pauses += 1;
        }
    }
}

/// How rare large sizes have to be, so that few programs die of them.
#[derive(Clone, Debug, Default)]
struct Sizes {
    /// They are as many times rarer as two to the power of this says.
    spared: u32,
    /// The program that died of them last, or after which they became less rare.
    last: u64,
}

/// One death in so many programs is bearable.
const BETWEEN_DEATHS: u64 = 2048;
/// Rarer than this they would not be tried at all.
const MOST_SPARED: u32 = 8;

impl Sizes {
    fn note(&mut self, program: u64, outcome: &Outcome) {
        let is_long_ago = program - self.last >= BETWEEN_DEATHS;
        match (matches!(outcome, Outcome::Memory | Outcome::Hang), is_long_ago) {
            (true, true) => {}
            (true, false) => self.spared = (self.spared + 1).min(MOST_SPARED),
            (false, true) => self.spared = self.spared.saturating_sub(1),
            (false, false) => return,
        }
        self.last = program;
    }
}

fn call((at, statement): (usize, &Statement)) -> Option<(usize, CallableId)> {
    Some((at, statement.callable()?))
}

/// Whether the process that ran a program is no more.
pub fn is_death(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Signal(_) | Outcome::Exit(_) | Outcome::Memory | Outcome::Hang | Outcome::Outside(_) => true,
        Outcome::Ok | Outcome::Panic { .. } | Outcome::Fuel | Outcome::Depth | Outcome::Type(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `good()`, `other()`.
    fn program(other: u32) -> Program {
        let call = |callable| Statement::Call { callable: CallableId(callable), args: Vec::new() };
        Program::from_iter([call(0), call(other)])
    }

    pub(crate) fn weight(callable_stats: &CallableStats, callable: u32) -> u32 {
        callable_stats.weight(CallableId(callable))
    }

    #[test]
    fn what_keeps_ending_its_process_pauses_and_has_another_chance() {
        let mut callable_stats = CallableStats { bytes: vec![8; 100], ..CallableStats::default() };
        let [died, fine] = [Execution::ended(Outcome::Signal(6), 1), Execution::ended(Outcome::Ok, 2)];
        callable_stats.note(&program(1), &died);
        assert_eq!((weight(&callable_stats, 0), weight(&callable_stats, 1)), (SELDOM, 0));
        let mut lengths = Vec::new();
        for _ in 0..3 {
            let mut length = 0;
            while weight(&callable_stats, 1) == 0 {
                callable_stats.note(&program(2), &fine);
                length += 1;
            }
            lengths.push(length);
            callable_stats.note(&program(1), &died);
        }
        assert_eq!(lengths, [512, 4096, 32768]);
        let avoided = Avoided {
            callable: 1,
            called: 4,
            deaths: BTreeMap::from([("signal 6".to_owned(), 4)]),
            outside: BTreeSet::new(),
        };
        assert_eq!(callable_stats.avoided(), [avoided]);
    }

    #[test]
    fn a_death_among_many_calls_is_bearable() {
        let mut callable_stats = CallableStats { bytes: vec![8; 100], ..CallableStats::default() };
        for _ in 0..20 {
            callable_stats.note(&program(1), &Execution::ended(Outcome::Ok, 2));
        }
        callable_stats.note(&program(1), &Execution::ended(Outcome::Memory, 1));
        assert_eq!((weight(&callable_stats, 1), callable_stats.avoided()), (USUAL, Vec::new()));
    }

    #[test]
    fn who_seldom_comes_back_comes_first() {
        let mut callable_stats = CallableStats { bytes: vec![8; 100], ..CallableStats::default() };
        assert_eq!(weight(&callable_stats, 7), NEVER);
        for _ in 0..HOPELESS {
            let absent = Execution { absent: vec![1], ..Execution::ended(Outcome::Ok, 2) };
            assert_eq!(weight(&callable_stats, 1), NEVER);
            callable_stats.note(&program(1), &absent);
        }
        assert_eq!((weight(&callable_stats, 0), weight(&callable_stats, 1)), (USUAL, SELDOM));
        (0..EPOCH * 100).for_each(|_| callable_stats.note(&program(0), &Execution::ended(Outcome::Ok, 2)));
        assert_eq!(weight(&callable_stats, 7), USUAL);
        assert_eq!(callable_stats.returned().collect::<Vec<_>>(), [CallableId(0)]);
    }

    #[test]
    fn who_is_as_large_as_one_that_died_is_not_tried() {
        let bytes = vec![8, 1 << 20, 1 << 24, 1 << 28];
        let mut callable_stats = CallableStats { bytes, ..CallableStats::default() };
        callable_stats.note(&program(2), &Execution::ended(Outcome::Signal(6), 1));
        assert_eq!([0, 1, 2, 3].map(|callable| weight(&callable_stats, callable)), [SELDOM, NEVER, 0, 0]);
        (0..ENOUGH).for_each(|_| callable_stats.note(&program(1), &Execution::ended(Outcome::Ok, 2)));
        assert_eq!(weight(&callable_stats, 1), 0);
        let programs = EPOCH * EPOCHS * 4 - callable_stats.programs;
        (0..programs).for_each(|_| callable_stats.note(&program(0), &Execution::ended(Outcome::Ok, 2)));
        assert_eq!([1, 3].map(|callable| weight(&callable_stats, callable)), [PROBE, PROBE]);
    }

    #[test]
    fn sizes_are_spared_as_long_as_programs_die_of_them() {
        let mut sizes = Sizes::default();
        let mut program = 0;
        let mut run = |deaths: u64| {
            for at in 1..=BETWEEN_DEATHS {
                program += 1;
                sizes.note(program, if at <= deaths { &Outcome::Memory } else { &Outcome::Ok });
            }
            sizes.spared
        };
        assert_eq!([run(4), run(1), run(0), run(0), run(20)], [4, 5, 4, 3, 8]);
    }
}
