//! The symbolic side of a run: expressions of results, and the path.
//!
//! Main type: [`Symbolic`]. The interpreter comes here only where an operand depends on inputs. Concrete results are computed
//! by the same instruction before; an expression that simplifies to a constant makes the value concrete again.

use super::facts::Facts;
use super::path::{Decision, Path, SoftGoal, Subject};
use super::value::Value;
use super::{Limit, Options};
use crate::expr::{Expr, Exprs, Op};
use crate::wasm::{Binary, Unary};

/// The expressions and the path of a run.
pub struct Symbolic<'a> {
    /// The table that all runs share.
    pub exprs: &'a mut Exprs,
    pub(super) path: Path,
    pub(super) facts: Facts,
    pub(super) options: &'a Options,
    /// A limit that was reached; the interpreter stops at the next jump back or call.
    pub(super) exhausted: Option<Limit>,
}

impl<'a> Symbolic<'a> {
    pub(super) fn new(exprs: &'a mut Exprs, options: &'a Options) -> Self {
        Self { exprs, path: Path::default(), facts: Facts::default(), options, exhausted: None }
    }

    /// The expression of a value, as a constant where it is concrete.
    pub fn expr_of(&mut self, value: Value, width: u32) -> Expr {
        match value.expr {
            Some(expr) => expr,
            None => self.exprs.constant(width, u128::from(value.bits)),
        }
    }

    /// A value that has these bits in this run and this expression in general.
    pub fn value(&mut self, bits: u64, expr: Expr) -> Value {
        if self.exprs.len() > self.options.nodes {
            self.exhausted = Some(Limit::Nodes);
        }
        match self.exprs.as_constant(expr) {
            Some(constant) => {
                debug_assert_eq!(constant as u64, bits, "a constant expression has the concrete value");
                Value::concrete(bits)
            }
            None => Value { bits, expr: Some(expr) },
        }
    }

    /// The result of an instruction with two operands, one of which at least depends on inputs.
    #[cold]
    #[inline(never)]
    pub(super) fn binary(&mut self, op: Binary, a: Value, b: Value, bits: u64) -> Value {
        let width = operand_width(op);
        let (a, b) = (self.expr_of(a, width), self.expr_of(b, width));
        let expr = if compares(op) {
            let truth = self.compare(op, a, b);
            self.exprs.zext(32, truth)
        } else {
            self.arithmetic(op, a, b)
        };
        self.value(bits, expr)
    }

    /// A jump that compares two values, one of which at least depends on inputs.
    #[cold]
    #[inline(never)]
    pub(super) fn jump_compared(&mut self, place: u32, op: Binary, a: Value, b: Value, taken: bool) {
        let width = operand_width(op);
        let (a, b) = (self.expr_of(a, width), self.expr_of(b, width));
        let condition = self.compare(op, a, b);
        self.branch(place, condition, taken);
    }

    /// The expression of a comparison, of width 1.
    pub(super) fn compare(&mut self, op: Binary, a: Expr, b: Expr) -> Expr {
        use Binary::*;
        let exprs = &mut *self.exprs;
        match op {
            I32Eq | I64Eq => exprs.eq(a, b),
            I32Ne | I64Ne => exprs.ne(a, b),
            I32LtS | I64LtS => exprs.slt(a, b),
            I32LtU | I64LtU => exprs.ult(a, b),
            I32GtS | I64GtS => exprs.slt(b, a),
            I32GtU | I64GtU => exprs.ult(b, a),
            I32LeS | I64LeS => exprs.sle(a, b),
            I32LeU | I64LeU => exprs.ule(a, b),
            I32GeS | I64GeS => exprs.sle(b, a),
            I32GeU | I64GeU => exprs.ule(b, a),
            F32Eq | F64Eq => exprs.feq(a, b),
            F32Ne | F64Ne => {
                let equal = exprs.feq(a, b);
                exprs.not(equal)
            }
            F32Lt | F64Lt => exprs.flt(a, b),
            F32Gt | F64Gt => exprs.flt(b, a),
            F32Le | F64Le => exprs.fle(a, b),
            F32Ge | F64Ge => exprs.fle(b, a),
            other => unreachable!("{other:?} is no comparison"),
        }
    }

    fn arithmetic(&mut self, op: Binary, a: Expr, b: Expr) -> Expr {
        use Binary::*;
        let exprs = &mut *self.exprs;
        match op {
            I32Add | I64Add => exprs.add(a, b),
            I32Sub | I64Sub => exprs.sub(a, b),
            I32Mul | I64Mul => exprs.mul(a, b),
            I32DivS | I64DivS => exprs.sdiv(a, b),
            I32DivU | I64DivU => exprs.udiv(a, b),
            I32RemS | I64RemS => exprs.srem(a, b),
            I32RemU | I64RemU => exprs.urem(a, b),
            I32And | I64And => exprs.and(a, b),
            I32Or | I64Or => exprs.or(a, b),
            I32Xor | I64Xor => exprs.xor(a, b),
            I32Shl | I64Shl => exprs.wasm_shift(Op::Shl, a, b),
            I32ShrS | I64ShrS => exprs.wasm_shift(Op::AShr, a, b),
            I32ShrU | I64ShrU => exprs.wasm_shift(Op::LShr, a, b),
            I32Rotl | I64Rotl => exprs.rotl(a, b),
            I32Rotr | I64Rotr => exprs.rotr(a, b),
            F32Add | F64Add => exprs.fadd(a, b),
            F32Sub | F64Sub => exprs.fsub(a, b),
            F32Mul | F64Mul => exprs.fmul(a, b),
            F32Div | F64Div => exprs.fdiv(a, b),
            F32Min | F64Min => exprs.fmin(a, b),
            F32Max | F64Max => exprs.fmax(a, b),
            F32Copysign | F64Copysign => exprs.copysign(a, b),
            other => unreachable!("{other:?} is a comparison"),
        }
    }

    /// The decisions of a division: whether the divisor is zero and, where it is signed, whether the quotient fits. They
    /// stand on the path also where the instruction traps.
    #[cold]
    #[inline(never)]
    pub(super) fn division(&mut self, place: u32, op: Binary, a: Value, b: Value) {
        let width = operand_width(op);
        let divisor = self.expr_of(b, width);
        if b.expr.is_some() {
            let zero = self.exprs.constant(width, 0);
            let is_zero = self.exprs.eq(divisor, zero);
            self.branch(place, is_zero, b.bits == 0);
        }
        if matches!(op, Binary::I32DivS | Binary::I64DivS) && b.bits != 0 {
            let (least, ones) = (1 << (width - 1), u64::MAX >> (64 - width));
            let overflows = a.bits == least && b.bits == ones;
            let dividend = self.expr_of(a, width);
            let least = self.exprs.constant(width, u128::from(least));
            let ones = self.exprs.constant(width, u128::from(ones));
            let at_least = self.exprs.eq(dividend, least);
            let by_minus_one = self.exprs.eq(divisor, ones);
            let both = self.exprs.and(at_least, by_minus_one);
            self.branch(place, both, overflows);
        }
    }

    /// The result of an instruction with one operand that depends on inputs.
    #[cold]
    #[inline(never)]
    pub(super) fn unary(&mut self, op: Unary, a: Expr, bits: u64) -> Value {
        use Unary::*;
        let exprs = &mut *self.exprs;
        let expr = match op {
            I32Eqz | I64Eqz => {
                let truth = self.truth(a);
                let zero = self.exprs.not(truth);
                self.exprs.zext(32, zero)
            }
            I32Clz | I64Clz => exprs.unary(Op::Clz, a),
            I32Ctz | I64Ctz => exprs.unary(Op::Ctz, a),
            I32Popcnt | I64Popcnt => exprs.unary(Op::Popcnt, a),
            I32WrapI64 => exprs.extract(0, 32, a),
            I64ExtendI32S => exprs.sext(64, a),
            I64ExtendI32U => exprs.zext(64, a),
            I32Extend8S => extend(exprs, a, 8, 32),
            I32Extend16S => extend(exprs, a, 16, 32),
            I64Extend8S => extend(exprs, a, 8, 64),
            I64Extend16S => extend(exprs, a, 16, 64),
            I64Extend32S => extend(exprs, a, 32, 64),
            F32Abs | F64Abs => exprs.fabs(a),
            F32Neg | F64Neg => exprs.fneg(a),
            F32Ceil | F64Ceil => exprs.unary(Op::FCeil, a),
            F32Floor | F64Floor => exprs.unary(Op::FFloor, a),
            F32Trunc | F64Trunc => exprs.unary(Op::FTrunc, a),
            F32Nearest | F64Nearest => exprs.unary(Op::FNearest, a),
            F32Sqrt | F64Sqrt => exprs.unary(Op::FSqrt, a),
            F32ConvertI32S | F32ConvertI64S => exprs.convert(Op::FFromS, 32, a),
            F32ConvertI32U | F32ConvertI64U => exprs.convert(Op::FFromU, 32, a),
            F64ConvertI32S | F64ConvertI64S => exprs.convert(Op::FFromS, 64, a),
            F64ConvertI32U | F64ConvertI64U => exprs.convert(Op::FFromU, 64, a),
            F32DemoteF64 => exprs.convert(Op::FDemote, 32, a),
            F64PromoteF32 => exprs.convert(Op::FPromote, 64, a),
            I32TruncF32S | I32TruncF64S | I32TruncSatF32S | I32TruncSatF64S => exprs.convert(Op::FToS, 32, a),
            I32TruncF32U | I32TruncF64U | I32TruncSatF32U | I32TruncSatF64U => exprs.convert(Op::FToU, 32, a),
            I64TruncF32S | I64TruncF64S | I64TruncSatF32S | I64TruncSatF64S => exprs.convert(Op::FToS, 64, a),
            I64TruncF32U | I64TruncF64U | I64TruncSatF32U | I64TruncSatF64U => exprs.convert(Op::FToU, 64, a),
        };
        self.value(bits, expr)
    }

    /// The decision of a trapping conversion: whether the float fits.
    #[cold]
    #[inline(never)]
    pub(super) fn conversion(&mut self, place: u32, op: Unary, a: Expr, traps: bool) {
        use Unary::*;
        let width =
            if matches!(op, I32TruncF32S | I32TruncF64S | I32TruncF32U | I32TruncF64U) { 32 } else { 64 };
        let signed = matches!(op, I32TruncF32S | I32TruncF64S | I64TruncF32S | I64TruncF64S);
        let fits = self.exprs.fits_integer(a, width, signed);
        self.branch(place, fits, !traps);
    }

    /// `condition ? a : b`. A condition that depends on inputs is no fork, since both arms are known: the result is an
    /// if-then-else, and the arm that was not taken a soft goal.
    #[cold]
    #[inline(never)]
    pub(super) fn select(&mut self, place: u32, condition: Value, a: Value, b: Value, width: u32) -> Value {
        let taken = if condition.bits != 0 { a } else { b };
        let Some(expr) = condition.expr else { return taken };
        if a == b {
            return a;
        }
        let truth = self.truth(expr);
        let (atom, negated) = self.atom(truth);
        if let Some(known) = self.facts.truth(self.exprs, atom) {
            debug_assert_eq!(known != negated, condition.bits != 0);
            return taken;
        }
        let after = self.path.decisions.len();
        let outcome = condition.bits != 0;
        self.path.soft.push(SoftGoal { place, condition: truth, outcome, after });
        let (a, b) = (self.expr_of(a, width), self.expr_of(b, width));
        let expr = self.exprs.ite(truth, a, b);
        self.value(taken.bits, expr)
    }

    /// Whether an expression is not zero, of width 1.
    pub fn truth(&mut self, expr: Expr) -> Expr {
        let node = self.exprs.node(expr);
        match node.op() {
            Op::ZExt if self.exprs.width(node.operand(0)) == 1 => node.operand(0),
            _ if node.width() == 1 => expr,
            _ => {
                let zero = self.exprs.constant(node.width(), 0);
                self.exprs.ne(expr, zero)
            }
        }
    }

    /// The condition without its negations, and whether there was an odd number of them.
    fn atom(&self, mut condition: Expr) -> (Expr, bool) {
        let mut negated = false;
        while self.exprs.node(condition).op() == Op::Not {
            condition = self.exprs.node(condition).operand(0);
            negated = !negated;
        }
        (condition, negated)
    }

    /// Notes which way a condition of width 1 went, unless the path already decides it.
    #[cold]
    #[inline(never)]
    pub fn branch(&mut self, place: u32, condition: Expr, taken: bool) {
        let (atom, negated) = self.atom(condition);
        let truth = taken != negated;
        if let Some(known) = self.exprs.as_constant(atom) {
            debug_assert_eq!(known != 0, truth, "a constant condition is what it is");
            return;
        }
        if let Some(known) = self.facts.truth(self.exprs, atom) {
            debug_assert_eq!(known, truth, "the path decides as the run does");
            return;
        }
        self.facts.learn(self.exprs, atom, truth);
        self.decide(place, Subject::Branch(atom), u64::from(truth), negated);
    }

    /// Notes where a jump table leads.
    #[cold]
    #[inline(never)]
    pub(super) fn jump(&mut self, place: u32, index: Expr, target: u32) {
        if self.facts.value(index).is_some() || self.facts.jumped(place, index) {
            return;
        }
        self.facts.learn_jump(place, index, u64::from(target));
        self.decide(place, Subject::Jump(index), u64::from(target), false);
    }

    /// Goes on with the concrete value, which the path then fixes. Returns the bits.
    pub fn fix(&mut self, place: u32, value: Value) -> u64 {
        if let Some(expr) = value.expr
            && self.facts.value(expr).is_none()
        {
            let range = self.facts.range(self.exprs, expr);
            self.facts.learn_value(expr, value.bits);
            if range.count() > 1 {
                self.decide(place, Subject::Value(expr), value.bits, false);
            }
        }
        value.bits
    }

    /// Takes a condition of width 1 for granted: no run where it is false is looked for.
    pub fn assume(&mut self, place: u32, condition: Expr) {
        if self.exprs.as_constant(condition).is_none() {
            self.facts.learn(self.exprs, condition, true);
            self.decide(place, Subject::Assumption(condition), 1, false);
        }
    }

    /// The decisions so far.
    #[must_use]
    pub fn decisions(&self) -> &[Decision] {
        &self.path.decisions
    }

    fn decide(&mut self, place: u32, subject: Subject, outcome: u64, inverted: bool) {
        if self.path.decisions.len() >= self.options.decisions {
            self.exhausted = Some(Limit::Decisions);
        }
        self.path.decisions.push(Decision { place, subject, outcome, inverted });
    }
}

fn extend(exprs: &mut Exprs, a: Expr, from: u32, to: u32) -> Expr {
    let low = exprs.extract(0, from, a);
    exprs.sext(to, low)
}

/// Whether the result is a truth value in 32 bits.
fn compares(op: Binary) -> bool {
    use Binary::*;
    op.contrary().is_some()
        || matches!(
            op,
            F32Eq | F32Ne | F32Lt | F32Gt | F32Le | F32Ge | F64Eq | F64Ne | F64Lt | F64Gt | F64Le | F64Ge
        )
}

/// The width of both operands.
fn operand_width(op: Binary) -> u32 {
    use Binary::*;
    match op {
        I32Eq | I32Ne | I32LtS | I32LtU | I32GtS | I32GtU | I32LeS | I32LeU | I32GeS | I32GeU => 32,
        I32Add | I32Sub | I32Mul | I32And | I32Or | I32Xor | I32Shl | I32ShrS | I32ShrU | I32Rotl
        | I32Rotr | I32DivS | I32DivU | I32RemS | I32RemU => 32,
        F32Add | F32Sub | F32Mul | F32Div | F32Min | F32Max | F32Copysign => 32,
        F32Eq | F32Ne | F32Lt | F32Gt | F32Le | F32Ge => 32,
        _ => 64,
    }
}
