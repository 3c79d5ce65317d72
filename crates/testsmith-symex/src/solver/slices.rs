//! A query taken apart: conjunctions into their parts, and parts into groups that share no variable.
//!
//! Main functions: [`conjuncts`] and [`independent`].

use rustc_hash::{FxHashMap, FxHashSet};

use crate::expr::{Expr, Exprs, Op};

/// The parts of all conjunctions, each once and in order; `None` where one is false, or one is the negation of another.
pub(super) fn conjuncts(exprs: &mut Exprs, constraints: &[Expr]) -> Option<Vec<Expr>> {
    let mut seen = FxHashSet::default();
    let mut pending: Vec<Expr> = constraints.iter().rev().copied().collect();
    let mut parts = Vec::new();
    while let Some(expr) = pending.pop() {
        debug_assert_eq!(exprs.width(expr), 1);
        let node = exprs.node(expr);
        match node.op() {
            Op::And => pending.extend(node.operands()),
            _ if expr == Exprs::FALSE => return None,
            _ if expr == Exprs::TRUE || !seen.insert(expr) => {}
            _ => match not_or(exprs, expr) {
                Some(negated) => pending.extend(negated),
                None => parts.push(expr),
            },
        }
    }
    let contradicts = |&part: &Expr| {
        let node = exprs.node(part);
        node.op() == Op::Not && seen.contains(&node.operand(0))
    };
    (!parts.iter().any(contradicts)).then_some(parts)
}

/// The negations of the operands when it is a negated disjunction.
fn not_or(exprs: &mut Exprs, expr: Expr) -> Option<[Expr; 2]> {
    let node = exprs.node(expr);
    let inner = (node.op() == Op::Not).then(|| exprs.node(node.operand(0)))?;
    (inner.op() == Op::Or).then(|| [exprs.not(inner.operand(0)), exprs.not(inner.operand(1))])
}

/// Groups of parts without a common variable; each group sorted, so that equal groups are equal.
pub(super) fn independent(exprs: &Exprs, parts: &[Expr]) -> Vec<Vec<Expr>> {
    // Each part belongs to the group of its first variable, and all of its variables to one group.
    let mut groups = Groups::default();
    for &part in parts {
        let mut variables = exprs.variables(part);
        if let Some(first) = variables.next() {
            variables.for_each(|variable| groups.join(first, variable));
        }
    }
    let mut order: Vec<Expr> = Vec::new();
    let mut members: FxHashMap<Expr, Vec<Expr>> = FxHashMap::default();
    for &part in parts {
        let variable = exprs.variables(part).next();
        let group = variable.map_or(part, |variable| groups.find(variable));
        members.entry(group).or_insert_with(|| {
            order.push(group);
            Vec::new()
        });
        members.entry(group).or_default().push(part);
    }
    let sorted = |group: Expr| {
        let mut parts = members.remove(&group).unwrap_or_default();
        parts.sort_unstable();
        parts
    };
    order.into_iter().map(sorted).collect()
}

/// Sets of variables that grow together (union-find).
#[derive(Default)]
struct Groups {
    parents: FxHashMap<Expr, Expr>,
}

impl Groups {
    fn find(&mut self, mut variable: Expr) -> Expr {
        let mut path = Vec::new();
        while let Some(&parent) = self.parents.get(&variable) {
            path.push(variable);
            variable = parent;
        }
        for passed in path {
            self.parents.insert(passed, variable);
        }
        variable
    }

    fn join(&mut self, a: Expr, b: Expr) {
        let (a, b) = (self.find(a), self.find(b));
        if a != b {
            self.parents.insert(a, b);
        }
    }
}
