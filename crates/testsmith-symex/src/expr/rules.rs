//! Simplification while a node is made: constants are folded, then the rules of the operation are tried in order.
//!
//! Main types: [`Rule`], one entry of a table; `simplify`, which `table` calls. The families are in the files below. A rule
//! looks at a node and a few levels below it. Rules make nodes, which are simplified in turn; [`LIMIT`] keeps the time for
//! one node from outside constant, also where an extraction could be pushed into a hash of a hundred rounds.

mod arithmetic;
mod bitwise;
mod bounds;
mod compare;
mod division;
mod float;
mod shape;
#[cfg(test)]
mod tests;

use super::bits::{mask, signed};
use super::node::{Expr, Node, Op};
use super::table::Exprs;

/// How many rules may be applied for one node that is asked for from outside.
pub(super) const LIMIT: u32 = 256;

/// What a node can be replaced by, under a name that tests use.
struct Rule {
    #[cfg_attr(not(test), expect(dead_code, reason = "tests say with it which rule is meant"))]
    name: &'static str,
    apply: fn(&mut Exprs, &Node) -> Option<Expr>,
}

const fn rule(name: &'static str, apply: fn(&mut Exprs, &Node) -> Option<Expr>) -> Rule {
    Rule { name, apply }
}

/// What the first rule that applies makes of the node.
pub(super) fn simplify(exprs: &mut Exprs, node: &Node) -> Option<Expr> {
    rules_of(node.op()).iter().find_map(|rule| (rule.apply)(exprs, node))
}

/// The rules of an operation, in the order in which they are tried.
fn rules_of(op: Op) -> &'static [Rule] {
    match op {
        Op::Add => arithmetic::ADD,
        Op::Sub => arithmetic::SUB,
        Op::Mul => arithmetic::MUL,
        Op::UDiv => division::UDIV,
        Op::URem => division::UREM,
        Op::SDiv => division::SDIV,
        Op::SRem => division::SREM,
        Op::Not => bitwise::NOT,
        Op::And => bitwise::AND,
        Op::Or => bitwise::OR,
        Op::Xor => bitwise::XOR,
        Op::Shl => bitwise::SHL,
        Op::LShr => bitwise::LSHR,
        Op::AShr => bitwise::ASHR,
        Op::Eq => compare::EQ,
        Op::Ult => compare::ULT,
        Op::Slt => compare::SLT,
        Op::Ite => shape::ITE,
        Op::Extract => shape::EXTRACT,
        Op::Concat => shape::CONCAT,
        Op::ZExt => shape::ZEXT,
        Op::SExt => shape::SEXT,
        Op::FLt | Op::FLe | Op::FEq => float::COMPARE,
        Op::FToS | Op::FToU => float::TO_INTEGER,
        _ => &[],
    }
}

/// The constant that an operation on constants is.
pub(super) fn fold(exprs: &mut Exprs, node: &Node) -> Option<Expr> {
    if node.op().arity() == 0 {
        return None;
    }
    let mut values = [0; 3];
    for (value, operand) in values.iter_mut().zip(node.operands()) {
        *value = exprs.as_constant(operand)?;
    }
    let value = exprs.apply_node(node, values);
    Some(exprs.constant(node.width(), value))
}

/// What rules ask of operands.
impl Exprs {
    /// The operands of `expr` when it is this operation on one operand.
    fn one(&self, op: Op, expr: Expr) -> Option<Expr> {
        let node = self.node(expr);
        (node.op() == op).then(|| node.operand(0))
    }

    /// The operands of `expr` when it is this operation on two operands.
    fn two(&self, op: Op, expr: Expr) -> Option<(Expr, Expr)> {
        let node = self.node(expr);
        (node.op() == op).then(|| (node.operand(0), node.operand(1)))
    }

    fn as_ite(&self, expr: Expr) -> Option<(Expr, Expr, Expr)> {
        let node = self.node(expr);
        (node.op() == Op::Ite).then(|| (node.operand(0), node.operand(1), node.operand(2)))
    }

    /// `(x, c)` for `op(x, c)` with a constant.
    fn with_constant(&self, op: Op, expr: Expr) -> Option<(Expr, u128)> {
        let (x, c) = self.two(op, expr)?;
        Some((x, self.as_constant(c)?))
    }

    fn is_constant(&self, expr: Expr) -> bool {
        self.op(expr) == Op::Const
    }

    /// The constant 0 of this width.
    fn zero(&mut self, width: u32) -> Expr {
        self.constant(width, 0)
    }

    /// A constant when it is narrower after the extraction of bits; the operand of an extension; both without new nodes.
    fn narrows(&self, expr: Expr) -> bool {
        matches!(self.op(expr), Op::Const | Op::ZExt | Op::SExt | Op::Concat)
    }
}

/// The exponent of a power of two.
fn power_of_two(value: u128) -> Option<u32> {
    value.is_power_of_two().then(|| value.trailing_zeros())
}
