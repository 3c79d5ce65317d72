//! Which arm a site takes.
//!
//! Every site owns the numbers `base .. base + n`, one for each of its mutants. The functions here answer 0 for
//! the original and `k` for the site's `k`-th mutant. The way that is taken millions of times is one load and
//! two comparisons; starting up and recording are out of line.

use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

use crate::coverage_map::{CoverageMap, Task, INFECTED, REACHED, UNKNOWN};
use crate::{fuel, harness, infect, prim::Prim, wasm};

/// The active mutant, or 0, or one of the two values below.
static ACTIVE: AtomicU32 = AtomicU32::new(NOT_STARTED);
const NOT_STARTED: u32 = u32::MAX;
pub(crate) const TRACING: u32 = u32::MAX - 1;
/// The mutant that runs while everything is recorded, or 0 where the original does.
static TRACED: AtomicU32 = AtomicU32::new(0);
static BOARD: AtomicPtr<CoverageMap> = AtomicPtr::new(std::ptr::null_mut());

pub(crate) fn coverage_map() -> Option<&'static CoverageMap> {
    // SAFETY: null, or the mapping that lives as long as the process.
    unsafe { BOARD.load(Ordering::Acquire).as_ref() }
}

/// Reads the task from the coverage map, once.
#[cold]
pub(crate) fn start() {
    // Whatever runs while the coverage map is opened (an allocator under test, say) behaves as the original.
    if ACTIVE.compare_exchange(NOT_STARTED, 0, Ordering::AcqRel, Ordering::Acquire).is_err() {
        return;
    }
    fuel::fill(u64::MAX);
    let Some(coverage_map) = CoverageMap::open() else { return };
    let address: *const CoverageMap = coverage_map;
    BOARD.store(address.cast_mut(), Ordering::Release);
    let active = match coverage_map.task() {
        Task::Plain | Task::Each { .. } => 0,
        Task::Trace { .. } => {
            fuel::fill(fuel::CHUNK);
            TRACING
        }
        Task::Mutant { number, fuel } => {
            fuel::fill(fuel);
            be_silent();
            number
        }
    };
    ACTIVE.store(active, Ordering::Release);
}

/// Sets the switch in memory, where a harness runs many programs in one process: 0, a mutant, or [`TRACING`]. From the
/// first time on, the process has no coverage map.
#[allow(dead_code)] // By the harness alone, which not every copy has.
pub(crate) fn drive(active: u32) {
    EVALUATIONS.store(0, Ordering::Relaxed);
    TRACED.store(0, Ordering::Relaxed);
    ACTIVE.store(active, Ordering::Release);
}

/// As [`drive`], for a mutant that is traced as the original is: every site takes the slow way, its own one too.
#[allow(dead_code)] // As above.
pub(crate) fn drive_traced(mutant: u32) {
    drive(0);
    TRACED.store(mutant, Ordering::Relaxed);
    ACTIVE.store(TRACING, Ordering::Release);
}

/// Nobody reads what a mutant's panics print, and a panic while panicking prints a whole backtrace, for which all
/// symbols of the process are read: a tenth of a second.
fn be_silent() {
    if !std::thread::panicking() {
        std::panic::set_hook(Box::new(|_| {}));
    }
}

/// The arm of a running mutant, or `None` where the slow way has to be taken.
#[inline(always)]
fn arm(base: u32, n: u32) -> Option<u32> {
    let active = ACTIVE.load(Ordering::Relaxed);
    let arm = active.wrapping_sub(base);
    if arm < n {
        return Some(arm + 1);
    }
    if active < TRACING {
        return Some(0);
    }
    None
}

/// The slow way: starts up if need be, and records `bits` for those of the site's mutants that are not settled.
#[cold]
fn record(base: u32, n: u32, bits: &dyn Fn(u32) -> u8) -> u32 {
    if ACTIVE.load(Ordering::Acquire) == NOT_STARTED {
        start();
        if let Some(arm) = arm(base, n) {
            return arm;
        }
    }
    if let Some(trace) = harness::trace() {
        trace.record(base, n, bits);
    } else if let Some(coverage_map) = coverage_map() {
        for k in (0..n).filter(|k| !coverage_map.is_settled(base + k)) {
            coverage_map.mark(base + k, bits(k));
        }
    }
    traced_arm(base, n)
}

/// As [`record`], with the same for all mutants of the site.
#[cold]
fn record_same(base: u32, n: u32, bits: u8) -> u32 {
    if wasm::IS {
        wasm::mark(base, n, bits);
        return 0;
    }
    record(base, n, &|_| bits)
}

/// The arm of a site while everything is recorded.
fn traced_arm(base: u32, n: u32) -> u32 {
    let arm = TRACED.load(Ordering::Relaxed).wrapping_sub(base);
    if arm < n {
        arm + 1
    } else {
        0
    }
}

/// Comparing operands costs some time, and a long test does it millions of times; this many are enough for a process.
const MOST_EVALUATIONS: u32 = 1 << 20;
/// A program of a harness is short, and limited by its fuel: here the limit stands behind that.
const MOST_IN_PROGRAM: u32 = 1 << 24;
static EVALUATIONS: AtomicU32 = AtomicU32::new(0);

/// Whether operands are still looked at; afterwards infection is unknown.
fn evaluates() -> bool {
    let count = EVALUATIONS.load(Ordering::Relaxed);
    EVALUATIONS.store(count.saturating_add(1), Ordering::Relaxed);
    count < if harness::trace().is_some() { MOST_IN_PROGRAM } else { MOST_EVALUATIONS }
}

/// A site whose mutants always compute another value, such as a literal.
#[inline(always)]
pub fn sel(base: u32, n: u32) -> u32 {
    match arm(base, n) {
        Some(arm) => arm,
        None => record_same(base, n, REACHED | INFECTED),
    }
}

/// A site of whose mutants it is not known whether they compute another value, such as a function body.
#[inline(always)]
pub fn may(base: u32, n: u32) -> u32 {
    match arm(base, n) {
        Some(arm) => arm,
        None => record_same(base, n, REACHED | UNKNOWN),
    }
}

/// A comparison; `ops` holds the original operator and that of each mutant.
#[inline(always)]
pub fn cmp<A: ?Sized, B: ?Sized>(base: u32, n: u32, ops: &[u8], l: &A, r: &B) -> u32 {
    match arm(base, n) {
        Some(arm) => arm,
        None => record_cmp(base, n, ops, l, r),
    }
}

/// An arithmetic, bit or shift operation; `ops` as for [`cmp`].
#[inline(always)]
pub fn bin<A, B>(base: u32, n: u32, ops: &[u8], l: &A, r: &B) -> u32 {
    match arm(base, n) {
        Some(arm) => arm,
        None => record_bin(base, n, ops, l, r),
    }
}

/// A value that mutants change by a unary operation; `ops` holds that of each mutant.
#[inline(always)]
pub fn una<A>(base: u32, n: u32, ops: &[u8], v: &A) -> u32 {
    match arm(base, n) {
        Some(arm) => arm,
        None => record_una(base, n, ops, v),
    }
}

// Out of line and one for each pair of types: a site costs little code.

#[cold]
#[inline(never)]
fn record_cmp<A: ?Sized, B: ?Sized>(base: u32, n: u32, ops: &[u8], l: &A, r: &B) -> u32 {
    if wasm::IS {
        wasm::site_of_two(wasm::Class::Compare, base, n, ops, l, r);
        return 0;
    }
    if !evaluates() {
        return record(base, n, &|_| REACHED | UNKNOWN);
    }
    let (l, r) = (Prim::of(l), Prim::of(r));
    if let (Some(trace), Some(op)) = (harness::trace(), ops.first()) {
        trace.compare(base, *op, &l, &r);
    }
    if let Some(trace) = watching() {
        trace.see(base, &[l, r]);
    }
    record(base, n, &|k| infect::compare(ops, k, &l, &r))
}

#[cold]
#[inline(never)]
fn record_bin<A, B>(base: u32, n: u32, ops: &[u8], l: &A, r: &B) -> u32 {
    if wasm::IS {
        wasm::site_of_two(wasm::Class::Combine, base, n, ops, l, r);
        return 0;
    }
    if !evaluates() {
        return record(base, n, &|_| REACHED | UNKNOWN);
    }
    let (l, r) = (Prim::of(l), Prim::of(r));
    if let Some(trace) = watching() {
        trace.see(base, &[l, r]);
    }
    record(base, n, &|k| infect::combine(ops, k, &l, &r))
}

#[cold]
#[inline(never)]
fn record_una<A>(base: u32, n: u32, ops: &[u8], v: &A) -> u32 {
    if wasm::IS {
        wasm::site_of_one(base, n, ops, v);
        return 0;
    }
    if !evaluates() {
        return record(base, n, &|_| REACHED | UNKNOWN);
    }
    let v = Prim::of(v);
    if let Some(trace) = watching() {
        trace.see(base, &[v]);
    }
    record(base, n, &|k| infect::change(ops, k, &v))
}

/// The trace, if it wants to know what sites compute with.
#[inline(always)]
fn watching() -> Option<&'static harness::Trace> {
    harness::trace().filter(|trace| trace.has_footprint())
}

/// Whether exactly this mutant runs. Records nothing.
#[inline(always)]
pub fn active(id: u32) -> bool {
    let active = ACTIVE.load(Ordering::Relaxed);
    active == id || active == TRACING && traced_arm(id, 1) != 0
}

/// Whether the statement is executed: its mutant leaves it out.
#[inline(always)]
pub fn keep(id: u32) -> bool {
    may(id, 1) == 0
}

/// The condition, or its negation.
#[inline(always)]
pub fn neg(id: u32, condition: bool) -> bool {
    side(id, condition) ^ (sel(id, 1) != 0)
}

/// A condition that is only reported, under the number of a mutant in it.
#[inline(always)]
pub fn side(id: u32, condition: bool) -> bool {
    // The engine sees the branch itself; also below.
    if !wasm::IS && ACTIVE.load(Ordering::Relaxed) == TRACING {
        record_side(id, condition, 1.0);
    }
    condition
}

/// The answer of a comparison, whose operands may have told how far it was from the other one.
#[inline(always)]
pub fn answer(id: u32, condition: bool) -> bool {
    if !wasm::IS && ACTIVE.load(Ordering::Relaxed) == TRACING {
        record_side(id, condition, f64::INFINITY);
    }
    condition
}

#[cold]
#[inline(never)]
fn record_side(id: u32, condition: bool, to_other: f64) {
    if let Some(trace) = harness::trace() {
        trace.side(id, condition, to_other);
    }
}

/// `a && …`: whether the right operand decides. The mutant is `a || …`.
#[inline(always)]
pub fn and(id: u32, a: bool) -> bool {
    if !wasm::IS && !a {
        side(id, false);
    }
    lazy(id, a)
}

/// `a || …`: whether the right operand decides. The mutant is `a && …`.
#[inline(always)]
pub fn or(id: u32, a: bool) -> bool {
    if !wasm::IS && a {
        side(id, true);
    }
    lazy(id, !a)
}

/// With the right operand evaluated, [`and_rhs`] and [`or_rhs`] know the infection; without, nobody does.
#[inline(always)]
fn lazy(id: u32, evaluate: bool) -> bool {
    // To the engine the right operand says the rest.
    let bits = if wasm::IS || evaluate { REACHED } else { REACHED | UNKNOWN };
    evaluate ^ (arm(id, 1).unwrap_or_else(|| record_same(id, 1, bits)) != 0)
}

/// The right operand of `&&` after a true left one: `||` would have answered true.
#[inline(always)]
pub fn and_rhs(id: u32, b: bool) -> bool {
    rhs(id, b, !b)
}

/// The right operand of `||` after a false left one: `&&` would have answered false.
#[inline(always)]
pub fn or_rhs(id: u32, b: bool) -> bool {
    rhs(id, b, b)
}

#[inline(always)]
fn rhs(id: u32, b: bool, infected: bool) -> bool {
    if wasm::IS {
        if ACTIVE.load(Ordering::Relaxed) >= TRACING {
            wasm::condition(id, infected);
        }
        return b;
    }
    if infected && ACTIVE.load(Ordering::Relaxed) >= TRACING {
        record(id, 1, &|_| REACHED | INFECTED);
    }
    side(id, b)
}
