//! Which values an expression can have, as far as its form tells: [`Range`], with a step, and [`values`], a set.
//!
//! Neighbours: `facts` adds what the path has decided; `heap` asks for the cells that an address can be.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::expr::{Expr, Exprs, Op};

/// Values `low, low + step, …, high`, unsigned. The step of a single value is 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Range {
    pub(super) low: u64,
    pub(super) high: u64,
    pub(super) step: u64,
}

impl Range {
    pub(super) const fn single(value: u64) -> Self {
        Self { low: value, high: value, step: 0 }
    }

    pub(super) const fn all(width: u32) -> Self {
        Self { low: 0, high: mask(width), step: 1 }
    }

    /// How many values there are.
    pub(super) const fn count(self) -> u64 {
        match (self.high - self.low).checked_div(self.step) {
            Some(steps) => steps.saturating_add(1),
            None => 1,
        }
    }

    /// What both ranges allow; the step is that of the narrower one.
    pub(super) fn meet(self, other: Self) -> Self {
        let (low, high) = (self.low.max(other.low), self.high.min(other.high));
        if low > high {
            // Only on paths that cannot be; what is said of them does not matter.
            return self;
        }
        let stepped = if self.step > 1 { self } else { other };
        match stepped.step {
            0 | 1 => Self { low, high, step: u64::from(low != high) },
            step => {
                let low = stepped.low + (low - stepped.low).div_ceil(step) * step;
                let high = stepped.low + (high - stepped.low) / step * step;
                if low > high { self } else { Self { low, high, step: if low == high { 0 } else { step } } }
            }
        }
    }

    fn join(self, other: Self) -> Self {
        let (low, high) = (self.low.min(other.low), self.high.max(other.high));
        let apart = self.low.abs_diff(other.low);
        let step = gcd(gcd(self.step, other.step), apart);
        Self { low, high, step }
    }

    fn add(self, other: Self, width: u32) -> Option<Self> {
        let high = self.high.checked_add(other.high).filter(|high| *high <= mask(width));
        match high {
            Some(high) => Some(Self { low: self.low + other.low, high, step: gcd(self.step, other.step) }),
            // An addend that is negative in two's complement: all sums wrap, or none.
            None => {
                let low = u128::from(self.low) + u128::from(other.low);
                let high = u128::from(self.high) + u128::from(other.high);
                let modulus = u128::from(mask(width)) + 1;
                let step = gcd(self.step, other.step);
                (low >= modulus).then(|| Self {
                    low: (low - modulus) as u64,
                    high: (high - modulus) as u64,
                    step,
                })
            }
        }
    }

    fn times(self, factor: u64, width: u32) -> Option<Self> {
        let high = self.high.checked_mul(factor).filter(|high| *high <= mask(width))?;
        Some(Self { low: self.low * factor, high, step: self.step * factor })
    }
}

const fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

const fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// How far expressions are followed.
const DEPTH: u32 = 12;

/// The range of an expression of at most 64 bits, where `known` may say more of any part of it.
pub(super) fn of(exprs: &Exprs, expr: Expr, known: &impl Fn(Expr) -> Option<Range>) -> Range {
    inside(exprs, expr, known, DEPTH)
}

fn inside(exprs: &Exprs, expr: Expr, known: &impl Fn(Expr) -> Option<Range>, depth: u32) -> Range {
    let width = exprs.width(expr);
    if width > 64 {
        return Range::all(64);
    }
    if let Some(value) = exprs.as_constant(expr) {
        return Range::single(value as u64);
    }
    let all = Range::all(width);
    let by_form = if depth == 0 { all } else { by_form(exprs, expr, known, depth - 1).unwrap_or(all) };
    match known(expr) {
        Some(more) => by_form.meet(more),
        None => by_form,
    }
}

fn by_form(exprs: &Exprs, expr: Expr, known: &impl Fn(Expr) -> Option<Range>, depth: u32) -> Option<Range> {
    let node = exprs.node(expr);
    let width = node.width();
    let operand = |place| inside(exprs, node.operand(place), known, depth);
    let constant = |place| exprs.as_constant(node.operand(place)).map(|value| value as u64);
    match node.op() {
        Op::ZExt => Some(operand(0)),
        Op::Add => operand(0).add(operand(1), width),
        Op::Mul => operand(0).times(constant(1)?, width),
        Op::Shl => {
            let by = constant(1).filter(|by| *by < 63)?;
            operand(0).times(1 << by, width)
        }
        Op::LShr => {
            let by = constant(1).filter(|by| *by < u64::from(width))?;
            let range = operand(0);
            let (low, high) = (range.low >> by, range.high >> by);
            Some(Range { low, high, step: u64::from(low != high) })
        }
        Op::And => {
            let most = constant(1)?;
            let step = most & most.wrapping_neg();
            let high = operand(0).high.min(most);
            Some(Range { low: 0, high: high - high % step.max(1), step })
        }
        Op::URem => {
            let divisor = constant(1).filter(|divisor| *divisor > 0)?;
            let range = operand(0);
            Some(if range.high < divisor { range } else { Range { low: 0, high: divisor - 1, step: 1 } })
        }
        Op::UDiv => {
            let divisor = constant(1).filter(|divisor| *divisor > 0)?;
            let range = operand(0);
            let (low, high) = (range.low / divisor, range.high / divisor);
            Some(Range { low, high, step: u64::from(low != high) })
        }
        Op::Ite => Some(operand(1).join(operand(2))),
        Op::Concat => {
            let low_width = exprs.width(node.operand(1));
            let (high, low) = (operand(0), operand(1));
            if high == Range::single(0) {
                Some(low)
            } else {
                high.times(1 << low_width, width)?.add(low, width)
            }
        }
        Op::Extract if node.low() == 0 => {
            let range = operand(0);
            (range.high <= mask(width)).then_some(range)
        }
        _ => None,
    }
}

/// The values that an expression can have, in order, where they are at most so many: what choices between constants come to,
/// which a range would fill up with values in between.
pub(super) fn values(
    exprs: &Exprs,
    expr: Expr,
    known: &impl Fn(Expr) -> Option<Range>,
    most: usize,
) -> Option<Vec<u64>> {
    let within = of(exprs, expr, known);
    let fits = |value: &u64| (within.low..=within.high).contains(value);
    let mut values =
        Values { exprs, known, most, seen: FxHashMap::default() }.of(expr, VALUES_DEPTH)?.to_vec();
    values.retain(fits);
    Some(values)
}

/// How far values are followed: a search in a table of a thousand takes a choice and a sum for each of ten steps.
const VALUES_DEPTH: u32 = 80;

struct Values<'a, K> {
    exprs: &'a Exprs,
    known: &'a K,
    most: usize,
    seen: FxHashMap<Expr, Option<Rc<[u64]>>>,
}

impl<K: Fn(Expr) -> Option<Range>> Values<'_, K> {
    fn of(&mut self, expr: Expr, depth: u32) -> Option<Rc<[u64]>> {
        if let Some(seen) = self.seen.get(&expr) {
            return seen.clone();
        }
        let by_form = depth.checked_sub(1).and_then(|depth| self.by_form(expr, depth));
        let found = by_form.or_else(|| self.by_range(expr));
        self.seen.insert(expr, found.clone());
        found
    }

    fn by_range(&self, expr: Expr) -> Option<Rc<[u64]>> {
        let range = of(self.exprs, expr, self.known);
        if range.count() > self.most as u64 {
            return None;
        }
        Some((0..range.count()).map(|place| range.low + place * range.step).collect())
    }

    fn by_form(&mut self, expr: Expr, depth: u32) -> Option<Rc<[u64]>> {
        let exprs = self.exprs;
        let (node, width) = (exprs.node(expr), exprs.width(expr));
        if width > 64 {
            return None;
        }
        match node.op() {
            Op::Const => Some([exprs.as_constant(expr)? as u64].into()),
            Op::ZExt => self.of(node.operand(0), depth),
            Op::Ite => {
                let (then, otherwise) = (self.of(node.operand(1), depth)?, self.of(node.operand(2), depth)?);
                self.set(then.iter().chain(otherwise.iter()).copied())
            }
            Op::Extract if exprs.width(node.operand(0)) <= 64 => {
                let whole = self.of(node.operand(0), depth)?;
                self.set(whole.iter().map(|value| value >> node.low() & mask(width)))
            }
            Op::Add | Op::Sub | Op::Mul | Op::Concat => {
                let by = exprs.width(node.operand(1));
                let (a, b) = (self.of(node.operand(0), depth)?, self.of(node.operand(1), depth)?);
                if a.len() * b.len() > 4 * self.most {
                    return None;
                }
                let compute = |a: u64, b: u64| match node.op() {
                    Op::Add => a.wrapping_add(b),
                    Op::Sub => a.wrapping_sub(b),
                    Op::Mul => a.wrapping_mul(b),
                    _ => a << by | b,
                };
                let pairs = a.iter().flat_map(|a| b.iter().map(move |b| compute(*a, *b) & mask(width)));
                self.set(pairs)
            }
            _ => None,
        }
    }

    fn set(&self, values: impl Iterator<Item = u64>) -> Option<Rc<[u64]>> {
        let mut values: Vec<u64> = values.collect();
        values.sort_unstable();
        values.dedup();
        (values.len() <= self.most).then(|| values.into())
    }
}
