//! How a program breaks the rules.

use std::fmt::{self, Display, Formatter};

use crate::program::Slot;

/// A broken rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The statement that must not be; the number of statements if it is the end of the program.
    pub statement: Slot,
    /// The slot that it uses wrongly; the statement's own if it is wrong whatever it uses.
    pub slot: Slot,
    /// What is wrong.
    pub reason: Reason,
}

/// What is wrong with a use of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// No earlier statement defines it.
    Undefined,
    /// The type has no such literals.
    LiteralType,
    /// Too many or too few arguments.
    WrongNumber,
    /// The parameter takes no slots of this type.
    WrongType,
    /// The parameter takes slots of this type in another way.
    WrongMode,
    /// It was moved there.
    Moved(Slot),
    /// It was dropped there.
    Dropped(Slot),
    /// Something that it borrows from was changed, moved or dropped there.
    Expired(Slot),
    /// It is an argument of the same call already, and one of the two needs it alone.
    Twice,
    /// Another argument of the same call borrows from it.
    LentToArgument(Slot),
    /// The destructor of this slot may still look at it.
    Lent(Slot),
    /// At the end it is dropped later than this slot, which it borrows from and which its destructor may look at.
    Outlived(Slot),
    /// It borrows from a slot, and is wanted for ever.
    TooShort,
}

impl Reason {
    /// Whether the borrow checker would say so, rather than the type checker.
    pub fn is_borrow(self) -> bool {
        match self {
            Reason::Moved(_)
            | Reason::Dropped(_)
            | Reason::Expired(_)
            | Reason::Twice
            | Reason::LentToArgument(_)
            | Reason::Lent(_)
            | Reason::Outlived(_)
            | Reason::TooShort => true,
            Reason::Undefined
            | Reason::LiteralType
            | Reason::WrongNumber
            | Reason::WrongType
            | Reason::WrongMode => false,
        }
    }
}

impl Display for Violation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Violation { statement, slot, reason } = self;
        write!(f, "statement {}: ", statement.0)?;
        match reason {
            Reason::Undefined => write!(f, "{slot} is not defined"),
            Reason::LiteralType => write!(f, "the type has no such literal"),
            Reason::WrongNumber => write!(f, "wrong number of arguments"),
            Reason::WrongType => write!(f, "{slot} has another type"),
            Reason::WrongMode => write!(f, "{slot} is taken in another way"),
            Reason::Moved(at) => write!(f, "{slot} was moved by statement {}", at.0),
            Reason::Dropped(at) => write!(f, "{slot} was dropped by statement {}", at.0),
            Reason::Expired(at) => write!(f, "what {slot} borrows was taken back by statement {}", at.0),
            Reason::Twice => write!(f, "{slot} is another argument as well"),
            Reason::LentToArgument(by) => write!(f, "{slot} is borrowed by {by}, another argument"),
            Reason::Lent(to) => write!(f, "{slot} is borrowed by {to}, which has a destructor"),
            Reason::TooShort => write!(f, "{slot} borrows, and is wanted for ever"),
            Reason::Outlived(lender) => write!(f, "{slot} borrows from {lender}, which is dropped earlier"),
        }
    }
}

impl std::error::Error for Violation {}
