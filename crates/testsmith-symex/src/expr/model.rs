//! Values for variables, and what expressions are worth under them.
//!
//! Main types: [`Model`], and [`Evaluator`], which remembers the value of each node until the model changes. No recursion:
//! expressions may be a million nodes deep.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::bits;
use super::node::{Expr, Op};
use super::table::Exprs;

/// Values for variables by their numbers. A variable without a value is 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    values: BTreeMap<u32, u128>,
}

impl Model {
    /// A model in which every variable is 0.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The value of a variable, if it was set.
    #[must_use]
    pub fn get(&self, number: u32) -> Option<u128> {
        self.values.get(&number).copied()
    }

    /// Gives a variable a value.
    pub fn set(&mut self, number: u32, value: u128) {
        self.values.insert(number, value);
    }

    /// All variables that have a value, by number.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u128)> + '_ {
        self.values.iter().map(|(&number, &value)| (number, value))
    }

    /// Takes every value of `other`, over its own.
    pub fn extend(&mut self, other: &Self) {
        self.values.extend(other.iter());
    }

    /// How many variables have a value.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether no variable has a value.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

impl FromIterator<(u32, u128)> for Model {
    fn from_iter<I: IntoIterator<Item = (u32, u128)>>(values: I) -> Self {
        Self { values: values.into_iter().collect() }
    }
}

impl Exprs {
    /// The value under a model. To ask for many, keep an [`Evaluator`].
    #[must_use]
    pub fn eval(&self, expr: Expr, model: &Model) -> u128 {
        Evaluator::new(model.clone()).value(self, expr)
    }
}

/// Values of expressions of one table under one model, each computed once.
#[derive(Default)]
pub struct Evaluator {
    model: Model,
    generation: u32,
    stamps: Vec<u32>,
    low: Vec<u64>,
    high: FxHashMap<usize, u64>,
    pending: Vec<Expr>,
}

impl Evaluator {
    /// An evaluator under this model.
    #[must_use]
    pub fn new(model: Model) -> Self {
        Self { model, generation: 1, ..Self::default() }
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Forgets the old model and every value under it.
    pub fn set_model(&mut self, model: Model) {
        self.model = model;
        self.high.clear();
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.stamps.fill(0);
            self.generation = 1;
        }
    }

    /// The value of `expr`.
    pub fn value(&mut self, exprs: &Exprs, expr: Expr) -> u128 {
        if self.stamps.len() <= expr.index() {
            self.stamps.resize(exprs.len(), 0);
            self.low.resize(exprs.len(), 0);
        }
        self.pending.push(expr);
        while let Some(&top) = self.pending.last() {
            if self.known(top).is_some() || self.compute(exprs, top) {
                self.pending.pop();
            }
        }
        self.known(expr).expect("the loop ends when it is computed")
    }

    /// Whether `expr`, of width 1, is true.
    pub fn holds(&mut self, exprs: &Exprs, expr: Expr) -> bool {
        self.value(exprs, expr) != 0
    }

    fn known(&self, expr: Expr) -> Option<u128> {
        let at = expr.index();
        (self.stamps[at] == self.generation).then(|| {
            let high = if self.high.is_empty() { 0 } else { self.high.get(&at).copied().unwrap_or(0) };
            u128::from(self.low[at]) | u128::from(high) << 64
        })
    }

    /// Computes a node when all of its operands are known; else they are put before it.
    fn compute(&mut self, exprs: &Exprs, expr: Expr) -> bool {
        let node = exprs.node(expr);
        let value = match node.op {
            Op::Const => exprs.as_constant(expr).expect("it is one"),
            Op::Var => {
                let number = exprs.as_variable(expr).expect("it is one");
                self.model.get(number).unwrap_or(0) & bits::mask(node.width())
            }
            _ => {
                let mut values = [0; 3];
                let mut ready = true;
                for (value, operand) in values.iter_mut().zip(node.operands()) {
                    match self.known(operand) {
                        Some(known) => *value = known,
                        None => {
                            self.pending.push(operand);
                            ready = false;
                        }
                    }
                }
                if !ready {
                    return false;
                }
                exprs.apply(expr, values)
            }
        };
        self.stamps[expr.index()] = self.generation;
        self.low[expr.index()] = value as u64;
        if value > u128::from(u64::MAX) {
            self.high.insert(expr.index(), (value >> 64) as u64);
        }
        true
    }
}
