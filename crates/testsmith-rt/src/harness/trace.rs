//! What a traced run leaves: marks of mutants, distances and some operands of comparisons, in the worker's own memory.
//!
//! A run touches a few of many thousand entries. Each entry therefore says which run it belongs to: starting a run
//! clears nothing, and lists of touched entries say what to report. Threads of a program may lose a mark to each
//! other; the next run starts afresh.

use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering::Relaxed};

use super::distance;
use super::footprint::{digest, Footprint, Steps};
use super::operands::Kept;
use super::touched::Touched;
use super::wire::{Distance, Operands};
use crate::coverage_map::{INFECTED, REACHED, UNKNOWN};
use crate::prim::Prim;

/// Bits of a mark that are not the run's number.
const BITS: u32 = 3;
const RUNS: u32 = 1 << (32 - BITS);

/// Pairs of operands that are kept of one comparison: in a loop, all but the first are much like them.
const PAIRS: u32 = 2;

/// All marks and distances; lives as long as the process.
pub(crate) struct Trace {
    run: AtomicU32,
    /// By mutant: the run's number and the marks.
    marks: Box<[AtomicU32]>,
    touched: Touched,
    /// By the first mutant of a comparison.
    probes: Box<[Probe]>,
    compared: Touched,
    kept: Kept,
    steps: Steps,
}

struct Probe {
    run: AtomicU32,
    /// The run's number and how many pairs of operands were kept of it.
    kept: AtomicU32,
    to_true: AtomicU64,
    to_false: AtomicU64,
    to_other: AtomicU64,
}

static TRACE: AtomicPtr<Trace> = AtomicPtr::new(std::ptr::null_mut());

/// The trace, in a worker.
#[inline]
pub(crate) fn current() -> Option<&'static Trace> {
    // SAFETY: null, or a trace that is never freed.
    unsafe { TRACE.load(Relaxed).as_ref() }
}

/// Makes a trace for mutants `1..=mutants`.
pub(super) fn start(mutants: u32) {
    TRACE.store(Box::into_raw(Box::new(Trace::new(mutants))), Relaxed);
}

impl Trace {
    fn new(mutants: u32) -> Trace {
        let length = mutants as usize + 1;
        let probe = || Probe {
            run: AtomicU32::new(0),
            kept: AtomicU32::new(0),
            to_true: AtomicU64::new(0),
            to_false: AtomicU64::new(0),
            to_other: AtomicU64::new(0),
        };
        Trace {
            run: AtomicU32::new(0),
            marks: (0..length).map(|_| AtomicU32::new(0)).collect(),
            touched: Touched::new(length),
            probes: (0..length).map(|_| probe()).collect(),
            compared: Touched::new(length),
            kept: Kept::default(),
            steps: Steps::new(length),
        }
    }

    /// A run begins; whether its footprint is wanted.
    pub(super) fn begin(&self, has_footprint: bool) {
        let run = (self.run.load(Relaxed) + 1) % RUNS;
        if run == 0 {
            // After half a milliard runs numbers come back: now everything is cleared.
            self.marks.iter().for_each(|mark| mark.store(0, Relaxed));
            for probe in self.probes.iter() {
                probe.run.store(0, Relaxed);
                probe.kept.store(0, Relaxed);
            }
        }
        self.run.store(run.max(1), Relaxed);
        self.touched.clear();
        self.compared.clear();
        self.kept.clear();
        self.steps.begin(has_footprint);
    }

    /// Marks a site's mutants, except where nothing more can be found out.
    pub(crate) fn record(&self, base: u32, n: u32, bits: &dyn Fn(u32) -> u8) {
        if self.has_footprint() {
            self.steps.add(base, 0);
        }
        let run = self.run.load(Relaxed);
        for k in 0..n {
            let Some(mark) = self.marks.get((base + k) as usize) else { return };
            let old = mark.load(Relaxed);
            if old >> BITS != run {
                mark.store(run << BITS | u32::from(bits(k)), Relaxed);
                self.touched.push(base + k);
            } else if old & u32::from(INFECTED | UNKNOWN) == 0 {
                mark.store(old | u32::from(bits(k)), Relaxed);
            }
        }
    }

    /// A site computes with these, which is a part of the footprint.
    pub(crate) fn see(&self, base: u32, operands: &[Prim<'_>]) {
        operands.iter().for_each(|operand| self.steps.add(base, digest(operand)));
    }

    /// Whether the footprint of the run is wanted.
    #[inline(always)]
    pub(crate) fn has_footprint(&self) -> bool {
        self.steps.is_kept()
    }

    /// What the sites went through.
    pub(super) fn footprint(&self) -> Footprint {
        self.steps.footprint()
    }

    /// Notes how far a comparison was from either answer.
    pub(crate) fn compare(&self, base: u32, op: u8, l: &Prim<'_>, r: &Prim<'_>) {
        if let Some((to_true, to_false)) = distance::of(op, l, r) {
            self.note(base, to_true, to_false);
            self.keep(base, l, r);
        }
    }

    /// Keeps the first few operands of a comparison that differ.
    fn keep(&self, base: u32, l: &Prim<'_>, r: &Prim<'_>) {
        let Some(probe) = self.probes.get(base as usize) else { return };
        let (run, kept) = (self.run.load(Relaxed), probe.kept.load(Relaxed));
        let count = if kept >> BITS == run { kept & ((1 << BITS) - 1) } else { 0 };
        if count < PAIRS && l != r && self.kept.push(base, l, r) {
            probe.kept.store(run << BITS | (count + 1), Relaxed);
        }
    }

    /// Notes how a condition came out, and how far that is from the other answer.
    pub(crate) fn side(&self, base: u32, answer: bool, to_other: f64) {
        if self.has_footprint() {
            self.steps.add(base, answer.into());
        }
        let to = |wanted: bool| if answer == wanted { 0.0 } else { to_other };
        self.note(base, to(true), to(false));
    }

    fn note(&self, base: u32, to_true: f64, to_false: f64) {
        let Some(probe) = self.probes.get(base as usize) else { return };
        let run = self.run.load(Relaxed);
        let is_first = probe.run.load(Relaxed) != run;
        if is_first {
            probe.run.store(run, Relaxed);
            self.compared.push(base);
        }
        let to_other = to_true.max(to_false);
        let all = [(&probe.to_true, to_true), (&probe.to_false, to_false), (&probe.to_other, to_other)];
        for (kept, new) in all {
            if is_first || new < f64::from_bits(kept.load(Relaxed)) {
                kept.store(new.to_bits(), Relaxed);
            }
        }
    }

    /// Mutants that were reached, with their marks.
    pub(super) fn marks(&self) -> impl Iterator<Item = (u32, u8)> + '_ {
        let bits = u32::from(REACHED | INFECTED | UNKNOWN);
        self.touched
            .iter()
            .map(move |mutant| (mutant, (self.marks[mutant as usize].load(Relaxed) & bits) as u8))
    }

    /// Operands of comparisons.
    pub(super) fn operands(&self) -> Vec<Operands> {
        self.kept.all()
    }

    pub(super) fn distances(&self) -> impl Iterator<Item = Distance> + '_ {
        self.compared.iter().map(|probe| {
            let Probe { to_true, to_false, to_other, .. } = &self.probes[probe as usize];
            let value = |kept: &AtomicU64| f64::from_bits(kept.load(Relaxed));
            Distance { probe, to_true: value(to_true), to_false: value(to_false), to_other: value(to_other) }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::harness::wire::Operand;

    #[test]
    fn the_first_operands_of_a_comparison_that_differ_are_kept() {
        let trace = Trace::new(3);
        for _ in 0..2 {
            trace.begin(false);
            let int = |value| Prim::Int(value, 32);
            trace.compare(1, b'=', &int(3), &int(4));
            trace.compare(1, b'=', &int(4), &int(4));
            trace.compare(2, b'<', &Prim::Char('a'), &Prim::Char('b'));
            trace.compare(3, b'=', &Prim::Str("x"), &Prim::Str("yes"));
            trace.compare(3, b'=', &Prim::Str("long"), &Prim::Str(&"long".repeat(100)));
            (0..100).for_each(|_| trace.compare(3, b'=', &Prim::Str(""), &Prim::Str("yes")));
            let text = |text: &str| Operand::Text(text.to_owned());
            let expected = [
                Operands { probe: 1, left: Operand::Int(3), right: Operand::Int(4) },
                Operands { probe: 2, left: Operand::Char('a'), right: Operand::Char('b') },
                Operands { probe: 3, left: text("x"), right: text("yes") },
                Operands { probe: 3, left: text(""), right: text("yes") },
            ];
            assert_eq!(trace.operands(), expected);
        }
    }

    #[test]
    fn an_answer_leaves_the_distances_of_its_operands_alone() {
        let trace = Trace::new(2);
        trace.begin(false);
        trace.compare(1, b'=', &Prim::Int(2, 32), &Prim::Int(5, 32));
        trace.side(1, false, f64::INFINITY);
        trace.side(2, true, 1.0);
        let found: Vec<_> = trace.distances().collect();
        let expected = [
            Distance { probe: 1, to_true: 3.0, to_false: 0.0, to_other: 3.0 },
            Distance { probe: 2, to_true: 0.0, to_false: 1.0, to_other: 1.0 },
        ];
        assert_eq!(found, expected);
        trace.begin(false);
        trace.side(2, true, 1.0);
        trace.side(2, false, 1.0);
        let both = Distance { probe: 2, to_true: 0.0, to_false: 0.0, to_other: 1.0 };
        assert_eq!(trace.distances().collect::<Vec<_>>(), [both]);
    }
}
