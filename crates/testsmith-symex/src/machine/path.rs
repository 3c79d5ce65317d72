//! The path of a run: the decisions on values that depend on inputs.
//!
//! Main type: [`Decision`]. Its subject says what was decided and its outcome what it was in this run; under which
//! [condition](Decision::condition) on the inputs a subject has an outcome is a question to the subject, so that the tree of
//! all runs can ask it for outcomes that no run has had.

use crate::expr::{Expr, Exprs};
use crate::wasm::{Instr, Module};

/// What is decided at a place of the code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Subject {
    /// Whether an expression of width 1 is true; outcome 0 or 1.
    Branch(Expr),
    /// Where a jump table leads for this index; the outcome is the target in the code.
    Jump(Expr),
    /// Which value an expression has, where the engine goes on with one; the outcome is the value.
    Value(Expr),
    /// What the program or the host takes for granted; the outcome is always 1.
    Assumption(Expr),
}

/// One decision of a run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Decision {
    /// The place in the module's code.
    pub place: u32,
    /// What was decided.
    pub subject: Subject,
    /// What it was.
    pub outcome: u64,
    /// The condition in the code is the negation of the subject, which never is one itself.
    pub inverted: bool,
}

/// What else a decision can be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcomes {
    /// All of them.
    Known(Vec<u64>),
    /// Any value.
    Open,
}

/// A computed condition that both arms of which went into one expression: the other arm may be worth a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct SoftGoal {
    /// The place in the module's code.
    pub place: u32,
    /// The condition, of width 1.
    pub condition: Expr,
    /// What it was in this run.
    pub outcome: bool,
    /// How many decisions stand before it on the path.
    pub after: usize,
}

/// The decisions of a run so far.
#[derive(Default, Debug)]
pub(super) struct Path {
    /// Decisions in order.
    pub(super) decisions: Vec<Decision>,
    /// Conditions of `select`.
    pub(super) soft: Vec<SoftGoal>,
}

impl Subject {
    /// The expression it is about.
    #[must_use]
    pub const fn expr(self) -> Expr {
        match self {
            Self::Branch(expr) | Self::Jump(expr) | Self::Value(expr) | Self::Assumption(expr) => expr,
        }
    }
}

impl Decision {
    /// The condition on the inputs, of width 1, under which the subject has this outcome.
    pub fn condition(&self, exprs: &mut Exprs, module: &Module) -> Expr {
        match self.subject {
            Subject::Branch(expr) | Subject::Assumption(expr) => {
                if self.outcome != 0 {
                    expr
                } else {
                    exprs.not(expr)
                }
            }
            Subject::Value(expr) => {
                let value = exprs.constant(exprs.width(expr), u128::from(self.outcome));
                exprs.eq(expr, value)
            }
            Subject::Jump(index) => jumps_to(exprs, jump_targets(module, self.place), index, self.outcome),
        }
    }

    /// The place that the program goes to with this outcome, where that is known from the code.
    #[must_use]
    pub fn leads_to(&self, module: &Module) -> u32 {
        let mut instr = module.code[self.place as usize];
        match (self.subject, instr.target_mut().copied()) {
            (Subject::Jump(_), _) => self.outcome as u32,
            (Subject::Branch(_), Some(target)) => {
                let condition = (self.outcome != 0) != self.inverted;
                let jumps = condition != matches!(instr, Instr::JumpUnless { .. });
                if jumps { target } else { self.place + 1 }
            }
            _ => self.place + 1,
        }
    }

    /// All outcomes that the subject can have.
    #[must_use]
    pub fn outcomes(&self, module: &Module) -> Outcomes {
        match self.subject {
            Subject::Branch(_) => Outcomes::Known(vec![0, 1]),
            Subject::Assumption(_) => Outcomes::Known(vec![1]),
            Subject::Value(_) => Outcomes::Open,
            Subject::Jump(_) => {
                let mut targets: Vec<u64> =
                    jump_targets(module, self.place).iter().copied().map(u64::from).collect();
                targets.sort_unstable();
                targets.dedup();
                Outcomes::Known(targets)
            }
        }
    }
}

/// The targets of the jump table at this place.
fn jump_targets(module: &Module, place: u32) -> &[u32] {
    match module.code[place as usize] {
        Instr::JumpTable { count, first, .. } => {
            &module.jump_targets[first as usize..first as usize + count as usize]
        }
        ref other => unreachable!("a jump was decided at {other:?}"),
    }
}

/// Under which condition an index leads to this target: one comparison or two for each run of entries that do.
fn jumps_to(exprs: &mut Exprs, targets: &[u32], index: Expr, target: u64) -> Expr {
    let leads_there = |entry: usize| u64::from(targets[entry]) == target;
    let (last, width) = (targets.len() - 1, exprs.width(index));
    let mut condition = Exprs::FALSE;
    let mut entry = 0;
    while entry < targets.len() {
        if !leads_there(entry) {
            entry += 1;
            continue;
        }
        let first = entry;
        while entry < targets.len() && leads_there(entry) {
            entry += 1;
        }
        let low = exprs.constant(width, first as u128);
        let here = if entry - 1 == last {
            exprs.ule(low, index)
        } else if entry - 1 == first {
            exprs.eq(index, low)
        } else {
            let high = exprs.constant(width, entry as u128 - 1);
            let (above, below) = (exprs.ule(low, index), exprs.ule(index, high));
            exprs.and(above, below)
        };
        condition = exprs.or(condition, here);
    }
    condition
}
