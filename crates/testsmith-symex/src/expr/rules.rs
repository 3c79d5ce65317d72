//! Simplification while a node is made.
//!
//! Main function: [`simplify`]. Constants are folded; then the rules of the operation are tried in order.

use super::node::{Expr, Node, Op};
use super::table::Exprs;

/// What the node can be replaced by.
pub(super) fn simplify(exprs: &mut Exprs, node: &Node) -> Option<Expr> {
    fold(exprs, node)
}

fn fold(exprs: &mut Exprs, node: &Node) -> Option<Expr> {
    if matches!(node.op(), Op::Const | Op::Var) {
        return None;
    }
    let mut values = [0; 3];
    for (value, operand) in values.iter_mut().zip(node.operands()) {
        *value = exprs.as_constant(operand)?;
    }
    let value = exprs.apply_node(node, values);
    Some(exprs.constant(node.width(), value))
}
