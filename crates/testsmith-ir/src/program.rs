//! A test program: a list of statements, of which number *k* defines slot *k*.
//!
//! What a program may do is decided by [`crate::borrow`]. It is changed by methods that keep its slots in order.

use crate::api::{CallableId, TypeId};
use crate::literal::Literal;

/// Index of a statement and of the value that it defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(pub u16);

/// A sequence of statements. Its slots are dropped in the reverse order of their definition, as locals are.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Program {
    /// By [`Slot`].
    pub statements: Vec<Statement>,
}

/// One step of a program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Statement {
    /// A value that is written down.
    Literal {
        /// A type with [literals](crate::api::Type::literal) of this kind.
        ty: TypeId,
        /// The value.
        value: Literal,
    },
    /// A call with its result.
    Call {
        /// What is called.
        callable: CallableId,
        /// One for each parameter, any number for a list: see [`Callable::param_of`](crate::api::Callable::param_of).
        args: Vec<Arg>,
    },
    /// The end of a slot before the end of the program. Its own slot holds nothing.
    Drop(Slot),
}

/// An argument of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Arg {
    /// Defined by an earlier statement.
    pub slot: Slot,
    /// How the call takes it.
    pub mode: Mode,
}

/// How an argument is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// The slot is empty afterwards.
    Move,
    /// The value of a `Copy` type; also a slot of type `&T` for a parameter `&T`.
    Copy,
    /// `&slot`
    Shared,
    /// `&mut slot`, or `&mut *slot` if the slot is itself a `&mut T` and the parameter takes that.
    Exclusive,
}

impl Slot {
    /// The slot of the statement with this index.
    pub fn at(index: usize) -> Slot {
        Slot(u16::try_from(index).expect("programs have fewer than 65536 statements"))
    }

    /// The index of its statement.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl Arg {
    /// An argument that is moved.
    pub fn moved(slot: Slot) -> Arg {
        Arg { slot, mode: Mode::Move }
    }

    /// An argument that is copied.
    pub fn copied(slot: Slot) -> Arg {
        Arg { slot, mode: Mode::Copy }
    }

    /// `&slot`
    pub fn shared(slot: Slot) -> Arg {
        Arg { slot, mode: Mode::Shared }
    }

    /// `&mut slot`
    pub fn exclusive(slot: Slot) -> Arg {
        Arg { slot, mode: Mode::Exclusive }
    }
}

impl Statement {
    /// The arguments of a call; the others have none.
    pub fn args(&self) -> &[Arg] {
        match self {
            Statement::Call { args, .. } => args,
            Statement::Literal { .. } | Statement::Drop(_) => &[],
        }
    }

    /// What a call calls.
    pub fn callable(&self) -> Option<CallableId> {
        match self {
            Statement::Call { callable, .. } => Some(*callable),
            Statement::Literal { .. } | Statement::Drop(_) => None,
        }
    }

    /// Whether it ends a slot.
    pub fn is_drop(&self) -> bool {
        matches!(self, Statement::Drop(_))
    }

    /// All slots that it names, in order: arguments, or what is dropped.
    pub fn slots(&self) -> impl Iterator<Item = Slot> {
        let dropped = match self {
            Statement::Drop(slot) => Some(*slot),
            Statement::Literal { .. } | Statement::Call { .. } => None,
        };
        self.args().iter().map(|arg| arg.slot).chain(dropped)
    }

    /// Replaces each slot that it names.
    pub fn rename(&mut self, mut new: impl FnMut(Slot) -> Slot) {
        match self {
            Statement::Literal { .. } => {}
            Statement::Call { args, .. } => args.iter_mut().for_each(|arg| arg.slot = new(arg.slot)),
            Statement::Drop(slot) => *slot = new(*slot),
        }
    }
}

impl Program {
    /// Number of statements.
    pub fn size(&self) -> usize {
        self.statements.len()
    }

    /// Whether there are no statements.
    pub fn is_empty(&self) -> bool {
        self.statements.is_empty()
    }

    /// Adds a statement at the end.
    pub fn push(&mut self, statement: Statement) -> Slot {
        self.statements.push(statement);
        Slot::at(self.statements.len() - 1)
    }

    /// All statements with their slots.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Slot, &Statement)> + ExactSizeIterator {
        self.statements.iter().enumerate().map(|(index, statement)| (Slot::at(index), statement))
    }
}

impl std::ops::Index<Slot> for Program {
    type Output = Statement;

    fn index(&self, slot: Slot) -> &Statement {
        &self.statements[slot.index()]
    }
}

impl FromIterator<Statement> for Program {
    fn from_iter<T: IntoIterator<Item = Statement>>(statements: T) -> Program {
        Program { statements: statements.into_iter().collect() }
    }
}

impl std::fmt::Display for Slot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "${}", self.0)
    }
}
