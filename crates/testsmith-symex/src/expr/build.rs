//! A function for each operation: checks widths, then lets the table make the node.
//!
//! Operations that other nodes can express have no node of their own (`neg`, `ule`, rotations, float negation). The forms
//! that wasm has, with masked shift amounts, are in `wasm`.

use super::bits;
use super::node::{Expr, Node, Op};
use super::table::Exprs;

macro_rules! binary {
    ($($(#[$doc:meta])* $name:ident $op:ident;)*) => {
        impl Exprs {
            $($(#[$doc])*
            pub fn $name(&mut self, a: Expr, b: Expr) -> Expr {
                self.binary(Op::$op, a, b)
            })*
        }
    };
}

binary! {
    /// `a + b`
    add Add;
    /// `a - b`
    sub Sub;
    /// `a * b`
    mul Mul;
    /// Unsigned `a / b`; all ones for `b = 0`.
    udiv UDiv;
    /// Signed `a / b`; see [`Op`] for `b = 0`.
    sdiv SDiv;
    /// Unsigned `a % b`; `a` for `b = 0`.
    urem URem;
    /// Signed `a % b`; `a` for `b = 0`.
    srem SRem;
    /// `a & b`, conjunction on width 1.
    and And;
    /// `a | b`, disjunction on width 1.
    or Or;
    /// `a ^ b`
    xor Xor;
    /// `a << b`, 0 where `b` is the width or more.
    shl Shl;
    /// Unsigned `a >> b`, 0 where `b` is the width or more.
    lshr LShr;
    /// Signed `a >> b`, copies of the sign where `b` is the width or more.
    ashr AShr;
    /// `a == b`
    eq Eq;
    /// Unsigned `a < b`
    ult Ult;
    /// Signed `a < b`
    slt Slt;
    /// Float sum.
    fadd FAdd;
    /// Float difference.
    fsub FSub;
    /// Float product.
    fmul FMul;
    /// Float quotient.
    fdiv FDiv;
    /// Smaller float, as in wasm.
    fmin FMin;
    /// Larger float, as in wasm.
    fmax FMax;
    /// `a == b` on floats
    feq FEq;
    /// `a < b` on floats
    flt FLt;
    /// `a <= b` on floats
    fle FLe;
}

impl Exprs {
    /// The truth value as an expression.
    pub const fn truth(&self, value: bool) -> Expr {
        if value { Self::TRUE } else { Self::FALSE }
    }

    /// An operation on two operands of one width.
    ///
    /// # Panics
    /// When the widths differ, or the operation has another number of operands.
    pub fn binary(&mut self, op: Op, a: Expr, b: Expr) -> Expr {
        assert_eq!(self.width(a), self.width(b), "operands of {op:?}");
        let width = if op.compares() { 1 } else { self.width(a) };
        self.make(Node::new(op, width, &[a, b]))
    }

    /// An operation on one operand with a result of its width: `Not`, `Clz`, `Ctz`, `Popcnt`, `FSqrt`, `FCeil`, `FFloor`,
    /// `FTrunc`, `FNearest`.
    pub fn unary(&mut self, op: Op, a: Expr) -> Expr {
        self.make(Node::new(op, self.width(a), &[a]))
    }

    /// An operation between formats: `FFromS`, `FFromU`, `FToS`, `FToU`, `FPromote`, `FDemote`.
    pub fn convert(&mut self, op: Op, width: u32, a: Expr) -> Expr {
        self.make(Node::new(op, width, &[a]))
    }

    /// Every bit flipped, negation on width 1.
    pub fn not(&mut self, a: Expr) -> Expr {
        self.unary(Op::Not, a)
    }

    /// `-a` modulo 2^width
    pub fn neg(&mut self, a: Expr) -> Expr {
        let zero = self.constant(self.width(a), 0);
        self.sub(zero, a)
    }

    /// `a != b`
    pub fn ne(&mut self, a: Expr, b: Expr) -> Expr {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    /// Unsigned `a <= b`, kept as `!(b < a)`, so that a branch and its negation have one atom.
    pub fn ule(&mut self, a: Expr, b: Expr) -> Expr {
        let above = self.ult(b, a);
        self.not(above)
    }

    /// Signed `a <= b`.
    pub fn sle(&mut self, a: Expr, b: Expr) -> Expr {
        let above = self.slt(b, a);
        self.not(above)
    }

    /// `then` where `condition`, of width 1, is true, else `otherwise`.
    pub fn ite(&mut self, condition: Expr, then: Expr, otherwise: Expr) -> Expr {
        assert_eq!(self.width(condition), 1, "a condition is a truth value");
        assert_eq!(self.width(then), self.width(otherwise), "arms of Ite");
        self.make(Node::new(Op::Ite, self.width(then), &[condition, then, otherwise]))
    }

    /// The bits `low .. low + width` of `a`.
    pub fn extract(&mut self, low: u32, width: u32, a: Expr) -> Expr {
        assert!(low + width <= self.width(a), "bits {low} to {} of {}", low + width, self.width(a));
        if width == self.width(a) {
            return a;
        }
        self.make(Node::extract(low, width, a))
    }

    /// `high` above `low`.
    pub fn concat(&mut self, high: Expr, low: Expr) -> Expr {
        self.make(Node::new(Op::Concat, self.width(high) + self.width(low), &[high, low]))
    }

    /// `a` with zeros above, `width` wide.
    pub fn zext(&mut self, width: u32, a: Expr) -> Expr {
        self.extend(Op::ZExt, width, a)
    }

    /// `a` with copies of its sign above, `width` wide.
    pub fn sext(&mut self, width: u32, a: Expr) -> Expr {
        self.extend(Op::SExt, width, a)
    }

    fn extend(&mut self, op: Op, width: u32, a: Expr) -> Expr {
        assert!(width >= self.width(a), "{op:?} from {} to {width} bits", self.width(a));
        if width == self.width(a) { a } else { self.make(Node::new(op, width, &[a])) }
    }

    /// The conjunction of all, true for none.
    pub fn all(&mut self, conditions: impl IntoIterator<Item = Expr>) -> Expr {
        conditions.into_iter().fold(Self::TRUE, |all, condition| self.and(all, condition))
    }

    /// The disjunction of all, false for none.
    pub fn any(&mut self, conditions: impl IntoIterator<Item = Expr>) -> Expr {
        conditions.into_iter().fold(Self::FALSE, |any, condition| self.or(any, condition))
    }

    /// The node of `of`, with other operands in its place; simplified.
    pub fn rebuild(&mut self, of: Expr, operands: &[Expr]) -> Expr {
        let mut node = self.node(of);
        if node.op().arity() == 0 {
            return of;
        }
        for (word, operand) in node.words.iter_mut().zip(operands) {
            *word = operand.raw();
        }
        self.make(node)
    }

    /// The value of a node whose operands have these values.
    pub(crate) fn apply(&self, expr: Expr, values: [u128; 3]) -> u128 {
        self.apply_node(&self.node(expr), values)
    }

    pub(super) fn apply_node(&self, node: &Node, values: [u128; 3]) -> u128 {
        let of = match node.op {
            Op::Concat => self.width(node.operand(1)),
            _ => self.width(node.operand(0)),
        };
        bits::apply(node.op, node.width(), of, node.low(), values)
    }
}
