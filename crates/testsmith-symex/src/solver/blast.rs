//! Bit-blasting: a literal for every bit of an expression.
//!
//! Main type: [`Blaster`], which keeps the bits of each expression that it has seen, for every later query. Neighbours: `arithmetic`
//! has the circuits, `gates` the clauses.

mod arithmetic;

use std::time::Instant;

use super::gates::Gates;
use super::sat::{Lit, Sat};
use crate::expr::{Expr, Exprs, Node, Op};

/// The bits of an expression, lowest first, as a place in the arena.
type Place = u32;

pub(super) struct Blaster {
    gates: Gates,
    /// Where the bits of each expression begin, by number; `ABSENT` for those not seen.
    places: Vec<Place>,
    bits: Vec<Lit>,
    pending: Vec<Expr>,
    quotients: rustc_hash::FxHashMap<(Expr, Expr), (Vec<Lit>, Vec<Lit>)>,
}

const ABSENT: Place = Place::MAX;

impl Blaster {
    pub(super) fn new() -> Self {
        Self {
            gates: Gates::new(),
            places: Vec::new(),
            bits: Vec::new(),
            pending: Vec::new(),
            quotients: rustc_hash::FxHashMap::default(),
        }
    }

    pub(super) fn sat(&mut self) -> &mut Sat {
        &mut self.gates.sat
    }

    pub(super) fn propagations(&self) -> u64 {
        self.gates.sat.propagations()
    }

    pub(super) fn variables(&self) -> u32 {
        self.gates.sat.variables()
    }

    /// The literal of a truth value, or nothing where its circuits are not done by then. Floats must be gone.
    pub(super) fn literal(&mut self, exprs: &Exprs, expr: Expr, until: Option<Instant>) -> Option<Lit> {
        debug_assert_eq!(exprs.width(expr), 1);
        self.blast(exprs, expr, until).then(|| self.known(exprs, expr)[0])
    }

    /// The value of a variable in the last model, if any query has mentioned it.
    pub(super) fn value(&self, exprs: &Exprs, variable: Expr) -> Option<u128> {
        let seen = self.places.get(variable.raw() as usize).is_some_and(|&place| place != ABSENT);
        seen.then(|| {
            let bits = self.known(exprs, variable).iter().rev();
            bits.fold(0, |value, &bit| value << 1 | u128::from(self.gates.sat.value(bit)))
        })
    }

    fn known(&self, exprs: &Exprs, expr: Expr) -> &[Lit] {
        let from = self.places[expr.raw() as usize] as usize;
        &self.bits[from..from + exprs.width(expr) as usize]
    }

    fn operand(&self, exprs: &Exprs, node: &Node, place: usize) -> Vec<Lit> {
        self.known(exprs, node.operand(place)).to_vec()
    }

    /// Makes the circuits of an expression and of all below it. Returns whether they were done in time.
    fn blast(&mut self, exprs: &Exprs, expr: Expr, until: Option<Instant>) -> bool {
        let mut made = 0_u32;
        if self.places.len() <= exprs.len() {
            self.places.resize(exprs.len() + 1, ABSENT);
        }
        self.pending.push(expr);
        while let Some(&top) = self.pending.last() {
            if self.places[top.raw() as usize] != ABSENT {
                self.pending.pop();
                continue;
            }
            let before = self.pending.len();
            let node = exprs.node(top);
            self.pending
                .extend(node.operands().filter(|operand| self.places[operand.raw() as usize] == ABSENT));
            if self.pending.len() == before {
                self.pending.pop();
                made += 1;
                if made.is_multiple_of(64) && until.is_some_and(|until| Instant::now() >= until) {
                    self.pending.clear();
                    return false;
                }
                let bits = self.circuit(exprs, top, &node);
                debug_assert_eq!(bits.len(), node.width() as usize, "{:?}", node.op());
                self.places[top.raw() as usize] = self.bits.len() as Place;
                self.bits.extend(bits);
            }
        }
        true
    }

    /// The bits of a node whose operands are known.
    fn circuit(&mut self, exprs: &Exprs, expr: Expr, node: &Node) -> Vec<Lit> {
        let width = node.width() as usize;
        let bits = |place: usize| self.operand(exprs, node, place);
        match node.op() {
            Op::Const => {
                let value = exprs.as_constant(expr).expect("it is one");
                constant(width, value)
            }
            Op::Var => (0..width).map(|_| self.gates.sat.variable()).collect(),
            Op::Not => bits(0).into_iter().map(|bit| !bit).collect(),
            Op::And | Op::Or | Op::Xor => {
                let (a, b) = (bits(0), bits(1));
                let gate = match node.op() {
                    Op::And => Gates::and,
                    Op::Or => Gates::or,
                    _ => Gates::xor,
                };
                a.into_iter().zip(b).map(|(a, b)| gate(&mut self.gates, a, b)).collect()
            }
            Op::Extract => bits(0)[node.low() as usize..][..width].to_vec(),
            Op::Concat => [bits(1), bits(0)].concat(),
            Op::ZExt => extended(bits(0), width, Lit::FALSE),
            Op::SExt => {
                let bits = bits(0);
                let sign = *bits.last().expect("a width is at least 1");
                extended(bits, width, sign)
            }
            Op::Ite => {
                let (condition, then, otherwise) = (bits(0)[0], bits(1), bits(2));
                self.choose(condition, &then, &otherwise)
            }
            Op::Eq | Op::Ult | Op::Slt => vec![self.comparison(node.op(), &bits(0), &bits(1))],
            Op::Clz | Op::Ctz | Op::Popcnt => self.counting(node.op(), &bits(0)),
            Op::Shl | Op::LShr | Op::AShr => self.shift(node.op(), bits(0), &bits(1)),
            Op::Add => self.sum(&bits(0), &bits(1), Lit::FALSE),
            Op::Sub => self.difference(&bits(0), &bits(1)),
            Op::Mul => self.product(&bits(0), &bits(1)),
            Op::UDiv | Op::URem | Op::SDiv | Op::SRem => self.division(node, &bits(0), &bits(1)),
            op => unreachable!("{op:?} is lowered before"),
        }
    }

    pub(super) fn choose(&mut self, condition: Lit, then: &[Lit], otherwise: &[Lit]) -> Vec<Lit> {
        then.iter().zip(otherwise).map(|(&a, &b)| self.gates.mux(condition, a, b)).collect()
    }

    fn comparison(&mut self, op: Op, a: &[Lit], b: &[Lit]) -> Lit {
        match op {
            Op::Eq => {
                let same: Vec<Lit> = a.iter().zip(b).map(|(&a, &b)| !self.gates.xor(a, b)).collect();
                self.gates.all(same)
            }
            Op::Ult => self.less(a, b),
            _ => {
                // Signed order is unsigned order with the sign bits exchanged.
                let (mut a, mut b) = (a.to_vec(), b.to_vec());
                let top = a.len() - 1;
                (a[top], b[top]) = (b[top], a[top]);
                self.less(&a, &b)
            }
        }
    }

    /// Unsigned order: the borrow of `a - b`.
    pub(super) fn less(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        a.iter().zip(b).fold(Lit::FALSE, |less, (&a, &b)| self.gates.majority(!a, b, less))
    }

    fn counting(&mut self, op: Op, bits: &[Lit]) -> Vec<Lit> {
        let width = bits.len();
        if op == Op::Popcnt {
            return bits.iter().fold(constant(width, 0), |count, &bit| {
                let one = extended(vec![bit], width, Lit::FALSE);
                self.sum(&count, &one, Lit::FALSE)
            });
        }
        // The last bit that is looked at wins.
        let count = |place: usize| if op == Op::Clz { width - 1 - place } else { place };
        let order: Vec<usize> = if op == Op::Clz { (0..width).collect() } else { (0..width).rev().collect() };
        order.into_iter().fold(constant(width, width as u128), |rest, place| {
            let here = constant(width, count(place) as u128);
            self.choose(bits[place], &here, &rest)
        })
    }

    /// Stages that shift by powers of two; every higher bit of the amount shifts everything out.
    fn shift(&mut self, op: Op, mut bits: Vec<Lit>, amount: &[Lit]) -> Vec<Lit> {
        let width = bits.len();
        let fill = if op == Op::AShr { bits[width - 1] } else { Lit::FALSE };
        let stages = width.next_power_of_two().trailing_zeros() as usize;
        for (stage, &bit) in amount.iter().take(stages).enumerate() {
            let by = 1 << stage;
            let shifted: Vec<Lit> = (0..width)
                .map(|place| match op {
                    Op::Shl => place.checked_sub(by).map_or(fill, |from| bits[from]),
                    _ => bits.get(place + by).copied().unwrap_or(fill),
                })
                .collect();
            bits = self.choose(bit, &shifted, &bits);
        }
        let beyond: Vec<Lit> = amount.iter().skip(stages).map(|&bit| !bit).collect();
        let within = self.gates.all(beyond);
        let out = vec![fill; width];
        self.choose(within, &bits, &out)
    }
}

pub(super) fn constant(width: usize, value: u128) -> Vec<Lit> {
    let bit = |bit: usize| value.checked_shr(bit as u32).unwrap_or(0) & 1 == 1;
    (0..width).map(|place| Lit::of(bit(place))).collect()
}

fn extended(mut bits: Vec<Lit>, width: usize, fill: Lit) -> Vec<Lit> {
    bits.resize(width, fill);
    bits
}

/// The value, if every bit is a constant.
fn known_value(bits: &[Lit]) -> Option<u128> {
    let constant = bits.iter().all(|bit| bit.is_constant());
    constant.then(|| bits.iter().rev().fold(0, |value, &bit| value << 1 | u128::from(bit == Lit::TRUE)))
}
