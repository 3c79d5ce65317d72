//! How programs are changed, and which changes have paid: [`Operators`].

use testsmith_ir::random::Rng;

use super::goal::Group;

/// A way to come by a program: the mutations of µTEST §3, and some more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    /// Change primitive: another value for a literal, in most cases a near one.
    Literal,
    /// The same for several literals at once.
    Literals,
    /// Change callee, change parameter: another object for an argument.
    Argument,
    /// Change method, constructor or field: another callable with the same result.
    Callable,
    /// Delete a statement.
    Delete,
    /// Insert an object of a type that the program uses.
    Object,
    /// Insert a call for one of the objects.
    Call,
    /// Insert a call of something that leads to the goal.
    Lead,
    /// Add calls at the end, which may see what is different.
    Look,
    /// Repeat a call.
    Repeat,
    /// Single point crossover.
    Cross,
    /// A program of Algorithm 1.
    Initial,
    /// A literal was moved by the distance of a comparison.
    Local,
    /// All ways to come by a value of a type, one after the other.
    Exhaustive,
}

/// Those that change a parent, with how often they are taken at first for each group of goals.
const TABLE: [(Operator, [f64; 4]); 11] = [
    (Operator::Literal, [8.0, 4.0, 8.0, 6.0]),
    (Operator::Literals, [3.0, 2.0, 3.0, 3.0]),
    (Operator::Argument, [3.0, 2.0, 3.0, 3.0]),
    (Operator::Callable, [1.0, 2.0, 1.0, 2.0]),
    (Operator::Delete, [1.0, 1.0, 1.0, 1.0]),
    (Operator::Object, [1.0, 1.0, 1.0, 1.0]),
    (Operator::Call, [2.0, 2.0, 2.0, 3.0]),
    (Operator::Lead, [2.0, 4.0, 3.0, 2.0]),
    (Operator::Look, [0.5, 0.5, 0.5, 4.0]),
    (Operator::Repeat, [1.0, 1.0, 1.0, 1.0]),
    (Operator::Cross, [2.0, 2.0, 2.0, 2.0]),
];

/// What each operator has brought.
#[derive(Clone, Debug, Default)]
pub(super) struct Operators {
    accounts: [(f64, f64); TABLE.len()],
}

/// So many uses and improvements every operator is thought to have had at first.
const CREDIT: (f64, f64) = (200.0, 4.0);

/// With each use, older ones count a little less.
const DECAY: f64 = 0.9995;

impl Operators {
    /// One for a goal of a group: as often as the table says, times what it has brought.
    pub(super) fn choose(&self, group: Group, rng: &mut Rng) -> Operator {
        let weight = |at: usize| {
            let (uses, gains) = self.accounts[at];
            let (operator_weights, rate) = (TABLE[at].1, (gains + CREDIT.1) / (uses + CREDIT.0));
            operator_weights[group as usize] * rate
        };
        let all: f64 = (0..TABLE.len()).map(weight).sum();
        let mut left = all * rng.below(1 << 20) as f64 / f64::from(1 << 20);
        for (at, (operator, _)) in TABLE.iter().enumerate() {
            left -= weight(at);
            if left < 0.0 {
                return *operator;
            }
        }
        Operator::Literal
    }

    /// A program that an operator has made was run; whether it came closer to its goal.
    pub(super) fn book(&mut self, operator: Operator, has_improved: bool) {
        let at = TABLE.iter().position(|(known, _)| *known == operator);
        if let Some((uses, gains)) = at.map(|at| &mut self.accounts[at]) {
            *uses = *uses * DECAY + 1.0;
            *gains = *gains * DECAY + f64::from(u8::from(has_improved));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_pays_is_done_more_often() {
        let mut rng = Rng::new(1);
        let count = |operators: &Operators, rng: &mut Rng| {
            (0..2000).filter(|_| operators.choose(Group::Reached, rng) == Operator::Cross).count()
        };
        let mut operators = Operators::default();
        let before = count(&operators, &mut rng);
        (0..1000).for_each(|_| operators.book(Operator::Cross, true));
        (0..1000).for_each(|_| operators.book(Operator::Literal, false));
        let after = count(&operators, &mut rng);
        assert!(after > before * 3, "{before} {after}");
    }
}
