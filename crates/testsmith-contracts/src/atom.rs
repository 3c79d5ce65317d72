//! Atomic facts about a row: [`Atom`].

use crate::bits::Bits;
use crate::cell::Cell;
use crate::table::{Table, When};

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Op {
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`, with constants only.
    Gt,
    /// `>=`, with constants only.
    Ge,
}

impl Op {
    fn holds(self, left: i128, right: i128) -> bool {
        match self {
            Op::Eq => left == right,
            Op::Ne => left != right,
            Op::Lt => left < right,
            Op::Le => left <= right,
            Op::Gt => left > right,
            Op::Ge => left >= right,
        }
    }

    fn opposite(self) -> Op {
        match self {
            Op::Eq => Op::Ne,
            Op::Ne => Op::Eq,
            Op::Lt => Op::Ge,
            Op::Le => Op::Gt,
            Op::Gt => Op::Le,
            Op::Ge => Op::Lt,
        }
    }

    pub(crate) fn text(self) -> &'static str {
        match self {
            Op::Eq => "==",
            Op::Ne => "!=",
            Op::Lt => "<",
            Op::Le => "<=",
            Op::Gt => ">",
            Op::Ge => ">=",
        }
    }
}

/// A fact about a row; columns by their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Atom {
    /// A truth value is this.
    Is(usize, bool),
    /// Two values of one type compare like this.
    Compare(usize, Op, usize),
    /// A number compares to a constant like this.
    Constant(usize, Op, i128),
    /// `left == right + plus`
    Plus(usize, usize, i128),
    /// `left == a + b`, or `a - b`.
    Sum {
        /// The sum or difference.
        left: usize,
        /// First.
        a: usize,
        /// Second.
        b: usize,
        /// It is a difference.
        is_difference: bool,
    },
    /// `left == a.min(b)`, or `max`.
    Extreme {
        /// The smaller or greater one.
        left: usize,
        /// First.
        a: usize,
        /// Second.
        b: usize,
        /// It is the smaller.
        is_min: bool,
    },
    /// `a + b op right`
    SumCompare {
        /// First.
        a: usize,
        /// Second.
        b: usize,
        /// How the sum compares.
        op: Op,
        /// To what.
        right: usize,
    },
}

impl Atom {
    /// Whether it holds in a row; nothing where a value is missing.
    pub fn holds(&self, table: &Table, row: usize) -> Option<bool> {
        self.holds_for(|column| table.cell(column, row))
    }

    /// Whether it holds for the cells of some columns.
    pub(crate) fn holds_for(&self, cell: impl Fn(usize) -> Cell) -> Option<bool> {
        let int = |column: usize| match cell(column) {
            Cell::Int(value) => Some(value),
            _ => None,
        };
        match *self {
            Atom::Is(column, is) => match cell(column) {
                Cell::Bool(value) => Some(value == is),
                _ => None,
            },
            Atom::Compare(left, op, right) => match (cell(left), op, cell(right)) {
                (Cell::Int(left), _, Cell::Int(right)) => Some(op.holds(left, right)),
                (Cell::Undefined, ..) | (.., Cell::Undefined) => None,
                (left, Op::Eq, right) => Some(left == right),
                (left, Op::Ne, right) => Some(left != right),
                _ => None,
            },
            Atom::Constant(column, op, value) => Some(op.holds(int(column)?, value)),
            Atom::Plus(left, right, plus) => Some(Some(int(left)?) == int(right)?.checked_add(plus)),
            Atom::Sum { left, a, b, is_difference } => {
                let (a, b) = (int(a)?, int(b)?);
                let sum = if is_difference { a.checked_sub(b) } else { a.checked_add(b) };
                Some(Some(int(left)?) == sum)
            }
            Atom::Extreme { left, a, b, is_min } => {
                let (a, b) = (int(a)?, int(b)?);
                Some(int(left)? == if is_min { a.min(b) } else { a.max(b) })
            }
            Atom::SumCompare { a, b, op, right } => {
                Some(op.holds(int(a)?.saturating_add(int(b)?), int(right)?))
            }
        }
    }

    /// The rows where it holds, and those where it has all its values.
    pub fn rows(&self, table: &Table) -> (Bits, Bits) {
        let [mut holds, mut known] = [Bits::new(table.len()), Bits::new(table.len())];
        for row in 0..table.len() {
            if let Some(is) = self.holds(table, row) {
                known.insert(row);
                if is {
                    holds.insert(row);
                }
            }
        }
        (holds, known)
    }

    /// The opposite.
    #[must_use]
    pub fn negated(self) -> Option<Atom> {
        Some(match self {
            Atom::Is(column, is) => Atom::Is(column, !is),
            Atom::Compare(left, Op::Eq, right) => Atom::Compare(left, Op::Ne, right),
            Atom::Compare(left, Op::Ne, right) => Atom::Compare(left, Op::Eq, right),
            Atom::Compare(left, Op::Lt, right) => Atom::Compare(right, Op::Le, left),
            Atom::Compare(left, Op::Le, right) => Atom::Compare(right, Op::Lt, left),
            Atom::Constant(column, op, value) => Atom::Constant(column, op.opposite(), value),
            _ => return None,
        })
    }

    /// Simple ones are preferred.
    pub(crate) fn cost(&self, table: &Table) -> usize {
        let name = |column: usize| table.columns()[column].name.len();
        let argument = |column: usize| usize::from(!table.columns()[column].is_argument) * 8;
        match *self {
            Atom::Is(column, is) => {
                // That another query finds something says less than a plain answer.
                let is_shape = shape(&table.columns()[column].name).is_some();
                10 + name(column) + usize::from(!is) + usize::from(is_shape) * 30
            }
            Atom::Compare(left, op, right) => {
                let is_odd = matches!(op, Op::Ne);
                24 + name(left) + name(right) + argument(left).min(argument(right)) + usize::from(is_odd) * 20
            }
            Atom::Constant(column, ..) => 20 + name(column) + argument(column),
            Atom::Plus(left, right, _) => 40 + name(left) + name(right),
            Atom::Sum { left, a, b, .. } | Atom::Extreme { left, a, b, .. } => {
                60 + name(left) + name(a) + name(b)
            }
            Atom::SumCompare { a, b, right, .. } => 80 + name(a) + name(b) + name(right),
        }
    }

    /// All columns that it speaks of.
    pub fn columns(&self) -> Vec<usize> {
        match *self {
            Atom::Is(column, _) | Atom::Constant(column, ..) => vec![column],
            Atom::Compare(left, _, right) | Atom::Plus(left, right, _) => vec![left, right],
            Atom::Sum { left, a, b, .. } | Atom::Extreme { left, a, b, .. } => vec![left, a, b],
            Atom::SumCompare { a, b, right, .. } => vec![a, b, right],
        }
    }

    /// The same of another table, which has these columns under other numbers.
    pub fn in_table(&self, from: &Table, to: &Table) -> Option<Atom> {
        let new = |column: usize| {
            let column = &from.columns()[column];
            to.find(&column.name, column.when)
        };
        Some(match *self {
            Atom::Is(column, is) => Atom::Is(new(column)?, is),
            Atom::Compare(left, op, right) => Atom::Compare(new(left)?, op, new(right)?),
            Atom::Constant(column, op, value) => Atom::Constant(new(column)?, op, value),
            Atom::Plus(left, right, plus) => Atom::Plus(new(left)?, new(right)?, plus),
            Atom::Sum { left, a, b, is_difference } => {
                Atom::Sum { left: new(left)?, a: new(a)?, b: new(b)?, is_difference }
            }
            Atom::Extreme { left, a, b, is_min } => {
                Atom::Extreme { left: new(left)?, a: new(a)?, b: new(b)?, is_min }
            }
            Atom::SumCompare { a, b, op, right } => {
                Atom::SumCompare { a: new(a)?, b: new(b)?, op, right: new(right)? }
            }
        })
    }

    /// As it is written; what was before the call is marked as `old` where that makes a difference.
    pub fn text(&self, table: &Table, marks_old: bool) -> String {
        let name = |column: usize| {
            let column = &table.columns()[column];
            match column.when {
                When::Before if marks_old => format!("old({})", column.name),
                _ => column.name.clone(),
            }
        };
        let operand = |column: usize| match name(column) {
            text if text.contains(" == ") && !text.starts_with("old(") => format!("({text})"),
            text => text,
        };
        match *self {
            Atom::Is(column, true) => name(column),
            Atom::Is(column, false) if shape(&table.columns()[column].name).is_some() => {
                let column = &table.columns()[column];
                let (rest, opposite) = shape(&column.name).expect("it was just found");
                match column.when {
                    When::Before if marks_old => format!("old({rest}{opposite})"),
                    _ => format!("{rest}{opposite}"),
                }
            }
            Atom::Is(column, false) => {
                let text = name(column);
                let is_operator = text.contains(' ') && !text.starts_with("old(");
                if is_operator { format!("!({text})") } else { format!("!{text}") }
            }
            Atom::Compare(left, op, right) if is_same_state(table, left, right) => {
                let is = if op == Op::Eq { "unchanged" } else { "changed" };
                format!("{} is {is}", table.columns()[left].name)
            }
            // What an argument is compared with stands on the right.
            Atom::Compare(left, Op::Lt, right) if is_second(table, left, right) => {
                format!("{} > {}", name(right), name(left))
            }
            Atom::Compare(left, Op::Le, right) if is_second(table, left, right) => {
                format!("{} >= {}", name(right), name(left))
            }
            Atom::Compare(left, op, right) => format!("{} {} {}", operand(left), op.text(), operand(right)),
            Atom::Constant(column, op, value) => format!("{} {} {value}", name(column), op.text()),
            Atom::Plus(left, right, plus) => {
                let sign = if plus < 0 { '-' } else { '+' };
                format!("{} == {} {sign} {}", name(left), name(right), plus.unsigned_abs())
            }
            Atom::Sum { left, a, b, is_difference } => {
                format!("{} == {} {} {}", name(left), name(a), if is_difference { '-' } else { '+' }, name(b))
            }
            Atom::Extreme { left, a, b, is_min } => {
                format!("{} == {}.{}({})", name(left), name(a), if is_min { "min" } else { "max" }, name(b))
            }
            Atom::SumCompare { a, b, op, right } => {
                format!("{} + {} {} {}", name(a), name(b), op.text(), name(right))
            }
        }
    }
}

/// What is asked whether there is something, and how the opposite is written.
fn shape(name: &str) -> Option<(&str, &'static str)> {
    let some = name.strip_suffix(".is_some()").map(|rest| (rest, ".is_none()"));
    some.or_else(|| name.strip_suffix(".is_ok()").map(|rest| (rest, ".is_err()")))
}

/// Whether it is the state of one object at two times.
pub(crate) fn is_same_state(table: &Table, left: usize, right: usize) -> bool {
    let [left, right] = [left, right].map(|column| &table.columns()[column]);
    left.is_state && right.is_state && left.name == right.name
}

/// Whether the right one of two columns should be written first: it is the argument.
fn is_second(table: &Table, left: usize, right: usize) -> bool {
    let rank = |column: usize| {
        let column = &table.columns()[column];
        (column.is_argument || column.is_result, column.when == When::After)
    };
    rank(right) > rank(left)
}
