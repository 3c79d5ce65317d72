//! Search by distance: from a model, one variable after the other is moved as long as the constraints come closer to holding.
//!
//! Main type: [`Search`]. It finds models of float constraints that circuits are slow at, and it can never say that there is
//! none. Deterministic: the same query gives the same steps. Neighbours: `tape` evaluates, `moves` proposes.

use std::time::Instant;

use super::super::Limit;
use super::moves::{self, Variable};
use super::tape::Tape;
use crate::expr::{Expr, Exprs, Model};

/// A search for one query.
pub(in crate::solver) struct Search {
    tape: Tape,
    variables: Vec<Variable>,
    values: Vec<u128>,
    distance: f64,
    left: u64,
    evaluations: u64,
    until: Option<Instant>,
    seed: u64,
}

impl Search {
    pub(in crate::solver) fn new(exprs: &Exprs, constraints: &[Expr]) -> Self {
        let tape = Tape::new(exprs, constraints);
        let variables = moves::variables(exprs, &tape);
        let values = vec![0; variables.len()];
        Self {
            tape,
            variables,
            values,
            distance: f64::INFINITY,
            left: 0,
            evaluations: 0,
            until: None,
            seed: 0x9e37_79b9_7f4a_7c15,
        }
    }

    /// Operations of one evaluation.
    pub(in crate::solver) fn operations(&self) -> u64 {
        self.tape.entries.len() as u64
    }

    /// Evaluations so far.
    pub(in crate::solver) fn evaluations(&self) -> u64 {
        self.evaluations
    }

    /// A model under which all constraints hold, after at most `evaluations`, if it comes by one. It begins at the best of `starts`.
    pub(in crate::solver) fn run(
        &mut self,
        starts: &[Model],
        evaluations: u64,
        limit: &Limit,
    ) -> Option<Model> {
        self.left = evaluations;
        self.until = Instant::now().checked_add(limit.time);
        for start in starts.iter().chain([&Model::new()]) {
            let values =
                self.variables.iter().map(|variable| start.get(variable.number).unwrap_or(0)).collect();
            self.try_values(values);
        }
        let mut best = (self.distance, self.values.clone());
        while self.distance > 0.0 && self.has_time() {
            while self.distance > 0.0 && self.has_time() && self.round() {}
            if self.distance < best.0 {
                best = (self.distance, self.values.clone());
            }
            if self.distance > 0.0 {
                self.kick(&best);
            }
        }
        let numbers = self.variables.iter().map(|variable| variable.number);
        (self.distance == 0.0).then(|| numbers.zip(self.values.iter().copied()).collect())
    }

    fn has_time(&self) -> bool {
        self.left > 0
            && (!self.left.is_multiple_of(64) || self.until.is_none_or(|until| Instant::now() < until))
    }

    /// Moves every variable once; whether anything came closer.
    fn round(&mut self) -> bool {
        let before = self.distance;
        for place in 0..self.variables.len() {
            for value in self.variables[place].proposals(self.values[place]) {
                self.try_value(place, value);
            }
            self.slide(place);
            if self.distance == 0.0 || !self.has_time() {
                break;
            }
        }
        self.distance < before
    }

    /// Steps in both directions that double while they help, begun at several sizes.
    fn slide(&mut self, place: usize) {
        let width = self.variables[place].width;
        for exponent in [0, width / 8, width / 4, width / 2, width * 3 / 4] {
            for up in [true, false] {
                let mut step = exponent;
                while step < width && self.has_time() {
                    let value = self.variables[place].step(self.values[place], step, up);
                    if !self.try_value(place, value) {
                        break;
                    }
                    step += 1;
                }
                // Back to small steps from where the large ones ended.
                while step > 0 && self.has_time() {
                    step -= 1;
                    let value = self.variables[place].step(self.values[place], step, up);
                    if self.try_value(place, value) {
                        step = (step + 2).min(width - 1);
                    }
                }
            }
        }
    }

    /// Leaves a place where nothing helps: some variables get other values, worse or not.
    fn kick(&mut self, best: &(f64, Vec<u128>)) {
        if self.random().is_multiple_of(2) {
            self.values.clone_from(&best.1);
        }
        for _ in 0..1 + self.random() % 3 {
            let place = (self.random() % self.variables.len().max(1) as u64) as usize;
            let random = u128::from(self.random()) << 64 | u128::from(self.random());
            if let Some(variable) = self.variables.get(place) {
                self.values[place] = variable.random(random);
            }
        }
        self.distance = f64::INFINITY;
        self.try_values(self.values.clone());
    }

    fn try_value(&mut self, place: usize, value: u128) -> bool {
        if self.values[place] == value || self.left == 0 {
            return false;
        }
        let old = std::mem::replace(&mut self.values[place], value);
        self.left -= 1;
        self.evaluations += 1;
        let distance = self.tape.distance(&self.values);
        if distance < self.distance {
            self.distance = distance;
            return true;
        }
        self.values[place] = old;
        false
    }

    fn try_values(&mut self, values: Vec<u128>) {
        self.left = self.left.saturating_sub(1);
        self.evaluations += 1;
        let distance = self.tape.distance(&values);
        if distance < self.distance {
            (self.distance, self.values) = (distance, values);
        }
    }

    fn random(&mut self) -> u64 {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        self.seed
    }
}
