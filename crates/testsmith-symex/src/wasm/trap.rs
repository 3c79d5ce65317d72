//! Why an instruction cannot go on: [`Trap`].

use std::fmt;

/// What wasm calls a trap: the program did what the instruction set forbids.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Trap {
    /// `unreachable`: an abort of the program.
    Unreachable,
    /// A load, a store or a bulk operation outside of the memory.
    MemoryOutOfBounds,
    /// An element outside of its table.
    TableOutOfBounds,
    /// An indirect call of a null reference.
    NullReference,
    /// An indirect call of a function of another type.
    IndirectCallType,
    /// An integer divided by zero.
    DivisionByZero,
    /// A quotient or a converted float that its type cannot hold.
    IntegerOverflow,
    /// A float that is not a number, converted to an integer.
    InvalidConversion,
    /// Calls nested deeper than the limit.
    StackOverflow,
}

impl fmt::Display for Trap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unreachable => "unreachable code",
            Self::MemoryOutOfBounds => "memory out of bounds",
            Self::TableOutOfBounds => "table out of bounds",
            Self::NullReference => "null reference called",
            Self::IndirectCallType => "function of another type called",
            Self::DivisionByZero => "division by zero",
            Self::IntegerOverflow => "integer overflow",
            Self::InvalidConversion => "not a number converted to an integer",
            Self::StackOverflow => "stack overflow",
        })
    }
}
