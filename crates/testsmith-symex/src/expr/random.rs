//! Random expressions for tests: a plan is built in any table, so that two tables hold the same expressions.
//!
//! Main types: [`Random`], a small generator with a seed, and [`Step`], one node of a plan by its width and the places of its
//! operands.

use super::bits::mask;
use super::node::{Expr, Node, Op};
use super::table::Exprs;

/// A generator of numbers (xorshift64*).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() >> 33) as usize % limit
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// A value that is often small, close to an edge, a power of two or a float worth having.
    pub(crate) fn value(&mut self, width: u32) -> u128 {
        let any = u128::from(self.next()) << 64 | u128::from(self.next());
        let value = match self.below(9) {
            0 | 1 => any % 12,
            2 => !(any % 5),
            3 => 1 << (any % 128),
            4 => (mask(width) >> 1).wrapping_add(any % 3),
            5 => u128::from((any as i16 as f32 / 4.0).to_bits()),
            6 => u128::from((any as i16 as f64 / 4.0).to_bits()),
            7 => any & any >> 3,
            _ => any,
        };
        value & mask(width)
    }
}

/// One expression of a plan.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Variable(u32, u32),
    Constant(u32, u128),
    Node { op: Op, width: u32, low: u32, operands: Vec<usize> },
}

impl Step {
    pub(crate) fn build(&self, exprs: &mut Exprs, known: &[Expr]) -> Expr {
        match *self {
            Self::Variable(number, width) => exprs.variable(number, width),
            Self::Constant(width, value) => exprs.constant(width, value),
            Self::Node { .. } => {
                let node = self.node(exprs, known).expect("it is one");
                exprs.make(node)
            }
        }
    }

    /// The node before any rule; `known` may be another table's, as long as the widths are those of the plan.
    pub(crate) fn node(&self, _: &Exprs, known: &[Expr]) -> Option<Node> {
        let Self::Node { op, width, low, operands } = self else { return None };
        let operands: Vec<Expr> = operands.iter().map(|&place| known[place]).collect();
        Some(match op {
            Op::Extract => Node::extract(*low, *width, operands[0]),
            _ => Node::new(*op, *width, &operands),
        })
    }
}

const BINARY: &[Op] = &[
    Op::Add,
    Op::Sub,
    Op::Mul,
    Op::UDiv,
    Op::SDiv,
    Op::URem,
    Op::SRem,
    Op::And,
    Op::Or,
    Op::Xor,
    Op::Shl,
    Op::LShr,
    Op::AShr,
    Op::Eq,
    Op::Ult,
    Op::Slt,
    Op::Add,
    Op::Sub,
    Op::And,
    Op::Or,
    Op::Eq,
    Op::Ult,
    Op::Slt,
];
const UNARY: &[Op] = &[Op::Not, Op::Not, Op::Clz, Op::Ctz, Op::Popcnt];
const FLOAT: &[Op] = &[
    Op::FAdd,
    Op::FSub,
    Op::FMul,
    Op::FDiv,
    Op::FMin,
    Op::FMax,
    Op::FEq,
    Op::FLt,
    Op::FLe,
    Op::FSqrt,
    Op::FCeil,
    Op::FFloor,
    Op::FTrunc,
    Op::FNearest,
    Op::FFromS,
    Op::FFromU,
    Op::FToS,
    Op::FToU,
    Op::FPromote,
    Op::FDemote,
];

/// A plan of about `size` nodes over four variables, numbers 0 to 3.
pub(crate) fn plan(random: &mut Random, size: usize) -> Vec<Step> {
    let mut plan = Plan { steps: Vec::new(), widths: Vec::new() };
    for number in 0..4 {
        let width = random.pick(&[1, 4, 8, 8, 16, 32, 32, 64, 128]);
        plan.push(Step::Variable(number, width), width);
    }
    while plan.steps.len() < size {
        plan.grow(random);
    }
    plan.steps
}

struct Plan {
    steps: Vec<Step>,
    widths: Vec<u32>,
}

impl Plan {
    fn push(&mut self, step: Step, width: u32) -> usize {
        self.steps.push(step);
        self.widths.push(width);
        self.steps.len() - 1
    }

    fn node(&mut self, op: Op, width: u32, operands: Vec<usize>) -> usize {
        self.push(Step::Node { op, width, low: 0, operands }, width)
    }

    /// One that is there, with a liking for the youngest.
    fn any(&mut self, random: &mut Random) -> usize {
        let count = self.steps.len();
        if random.below(3) == 0 { random.below(count) } else { count - 1 - random.below(count.min(5)) }
    }

    /// An operand of this width: one that is there, a constant, or one that is cut or extended.
    fn operand(&mut self, random: &mut Random, width: u32) -> usize {
        let there: Vec<usize> = (0..self.steps.len()).filter(|&place| self.widths[place] == width).collect();
        match random.below(5) {
            0 | 1 => self.push(Step::Constant(width, random.value(width)), width),
            2 | 3 if !there.is_empty() => random.pick(&there),
            _ => {
                let any = self.any(random);
                self.fit(random, any, width)
            }
        }
    }

    fn fit(&mut self, random: &mut Random, place: usize, width: u32) -> usize {
        let from = self.widths[place];
        match () {
            () if from == width => place,
            () if from < width => self.node(random.pick(&[Op::ZExt, Op::SExt]), width, vec![place]),
            () => {
                let low =
                    if random.below(2) == 0 { 0 } else { random.below((from - width + 1) as usize) as u32 };
                self.push(Step::Node { op: Op::Extract, width, low, operands: vec![place] }, width)
            }
        }
    }

    fn grow(&mut self, random: &mut Random) -> usize {
        match random.below(12) {
            0 => {
                let (a, op) = (self.any(random), random.pick(UNARY));
                self.node(op, self.widths[a], vec![a])
            }
            1 => self.choice(random),
            2 => {
                let (a, b) = (self.any(random), self.any(random));
                let width = self.widths[a] + self.widths[b];
                if width <= 128 { self.node(Op::Concat, width, vec![a, b]) } else { a }
            }
            3 => {
                let (a, width) = (self.any(random), random.pick(&[1, 3, 8, 16, 32, 64]));
                self.fit(random, a, width)
            }
            4 if random.below(2) == 0 => self.float(random),
            4 if random.below(4) == 0 => self.there_and_back(random),
            4 if random.below(4) == 0 => self.promoted(random),
            4 if random.below(4) == 0 => self.known_halves(random),
            5 => self.quotient_times_divisor(random),
            _ => self.binary(random),
        }
    }

    fn binary(&mut self, random: &mut Random) -> usize {
        let a = self.any(random);
        let width = self.widths[a];
        let b = self.operand(random, width);
        let op = random.pick(BINARY);
        let operands = if random.below(4) == 0 { vec![b, a] } else { vec![a, b] };
        self.node(op, if op.compares() { 1 } else { width }, operands)
    }

    fn choice(&mut self, random: &mut Random) -> usize {
        let (c, a) = (self.operand(random, 1), self.any(random));
        let width = self.widths[a];
        let a = if random.below(2) == 0 { a } else { self.operand(random, width) };
        let b = self.operand(random, width);
        self.node(Op::Ite, width, vec![c, a, b])
    }

    /// The shapes in which compilers write remainders.
    fn quotient_times_divisor(&mut self, random: &mut Random) -> usize {
        let x = self.any(random);
        let width = self.widths[x];
        let value = random.value(width);
        let divisor = self.push(Step::Constant(width, value), width);
        let minus = self.push(Step::Constant(width, value.wrapping_neg() & mask(width)), width);
        let quotient = self.node(random.pick(&[Op::UDiv, Op::SDiv]), width, vec![x, divisor]);
        if random.below(2) == 0 {
            let product = self.node(Op::Mul, width, vec![quotient, divisor]);
            self.node(Op::Sub, width, vec![x, product])
        } else {
            let product = self.node(Op::Mul, width, vec![quotient, minus]);
            self.node(Op::Add, width, vec![product, x])
        }
    }

    /// Two parts of one value, each compared with a constant.
    fn known_halves(&mut self, random: &mut Random) -> usize {
        let whole = self.any(random);
        let width = self.widths[whole];
        if width == 1 {
            return whole;
        }
        let cut = 1 + random.below(width as usize - 1) as u32;
        let [low, high] = [(0, cut), (cut, width - cut)].map(|(low, width)| {
            let part = self.push(Step::Node { op: Op::Extract, width, low, operands: vec![whole] }, width);
            let constant = self.push(Step::Constant(width, random.value(width)), width);
            self.node(Op::Eq, 1, vec![part, constant])
        });
        self.node(Op::And, 1, vec![low, high])
    }

    /// An integer to a float and back.
    fn there_and_back(&mut self, random: &mut Random) -> usize {
        let (format, width) = (random.pick(&[32, 64]), random.pick(&[8, 16, 32, 64]));
        let integer = self.operand(random, width);
        let (there, back) = random.pick(&[(Op::FFromS, Op::FToS), (Op::FFromU, Op::FToU)]);
        let float = self.node(there, format, vec![integer]);
        self.node(back, random.pick(&[32, 64]), vec![float])
    }

    fn promoted(&mut self, random: &mut Random) -> usize {
        let operands = [(); 2].map(|()| {
            let single = self.operand(random, 32);
            self.node(Op::FPromote, 64, vec![single])
        });
        self.node(random.pick(&[Op::FEq, Op::FLt, Op::FLe]), 1, operands.to_vec())
    }

    fn float(&mut self, random: &mut Random) -> usize {
        let op = random.pick(FLOAT);
        let format = random.pick(&[32, 64]);
        let integer = random.pick(&[8, 32, 64]);
        let (from, to) = match op {
            Op::FFromS | Op::FFromU => (integer, format),
            Op::FToS | Op::FToU => (format, integer),
            Op::FPromote => (32, 64),
            Op::FDemote => (64, 32),
            _ => (format, format),
        };
        let operands: Vec<usize> = (0..op.arity()).map(|_| self.operand(random, from)).collect();
        self.node(op, if op.compares() { 1 } else { to }, operands)
    }
}
