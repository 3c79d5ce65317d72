//! What one constraint says is used in the others: `x % 10 == 3` makes `x % 10` a 3 wherever else it stands.
//!
//! Main function: [`simplify`]. Constraints are taken from the oldest expression to the youngest, and each is rewritten with what those
//! before it say, so that the conjunction stays the same.

use rustc_hash::FxHashMap;

use super::slices::conjuncts;
use crate::expr::{Expr, Exprs, Op};

/// How often what was learnt is used again.
const ROUNDS: usize = 4;

/// Equivalent constraints, mostly smaller; `None` where they contradict each other.
pub(super) fn simplify(exprs: &mut Exprs, constraints: &[Expr]) -> Option<Vec<Expr>> {
    let mut constraints = conjuncts(exprs, constraints)?;
    for _ in 0..ROUNDS {
        constraints.sort_unstable();
        let before = constraints.clone();
        let mut known = Substitution::default();
        let mut rewritten = Vec::new();
        for &constraint in &before {
            let simpler = known.rewrite(exprs, constraint);
            known.learn(exprs, simpler);
            rewritten.push(simpler);
        }
        constraints = conjuncts(exprs, &rewritten)?;
        if constraints == before {
            break;
        }
    }
    Some(constraints)
}

/// Expressions and what they are replaced by.
#[derive(Default)]
struct Substitution {
    /// Results of rewriting. What is learnt later could simplify some of them further, which the next round does.
    rewritten: FxHashMap<Expr, Expr>,
}

impl Substitution {
    fn learn(&mut self, exprs: &Exprs, constraint: Expr) {
        let node = exprs.node(constraint);
        if exprs.as_constant(constraint).is_some() {
            return;
        }
        match node.op() {
            Op::Not => self.rewritten.insert(node.operand(0), Exprs::FALSE),
            _ => self.rewritten.insert(constraint, Exprs::TRUE),
        };
        if node.op() == Op::Eq && exprs.as_constant(node.operand(1)).is_some() {
            self.rewritten.insert(node.operand(0), node.operand(1));
        }
    }

    fn rewrite(&mut self, exprs: &mut Exprs, expr: Expr) -> Expr {
        let mut pending = vec![expr];
        while let Some(&top) = pending.last() {
            if self.rewritten.contains_key(&top) {
                pending.pop();
                continue;
            }
            let node = exprs.node(top);
            let before = pending.len();
            pending.extend(node.operands().filter(|operand| !self.rewritten.contains_key(operand)));
            if pending.len() == before {
                let operands: Vec<Expr> = node.operands().map(|operand| self.rewritten[&operand]).collect();
                let changed = !node.operands().eq(operands.iter().copied());
                let simpler = if changed { exprs.rebuild(top, &operands) } else { top };
                self.rewritten.insert(top, simpler);
                pending.pop();
            }
        }
        self.rewritten[&expr]
    }
}
