//! One node of the expression table: its operation, its width and up to three operands, in 16 bytes.
//!
//! Main types: [`Expr`], the number by which everybody names an expression, [`Op`] with the meaning of each operation,
//! and [`Node`], what the table holds. Neighbours: `table` interns nodes, `bits` computes them.

use std::num::NonZeroU32;

/// An expression: a number that means something in one table only. Operands have lower numbers than what uses them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Expr(NonZeroU32);

impl Expr {
    pub(super) fn from_index(index: usize) -> Self {
        let number = u32::try_from(index + 1).ok().and_then(NonZeroU32::new);
        Self(number.expect("the caller caps the table far below 2^32 nodes"))
    }

    pub(super) const fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    /// A number that is never 0, so that shadow memory can use 0 for "concrete".
    #[must_use]
    pub const fn raw(self) -> u32 {
        self.0.get()
    }

    /// The inverse of [`Expr::raw`]; 0 is no expression.
    #[must_use]
    pub const fn from_raw(raw: u32) -> Option<Self> {
        match NonZeroU32::new(raw) {
            Some(number) => Some(Self(number)),
            None => None,
        }
    }
}

impl std::fmt::Debug for Expr {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "e{}", self.0)
    }
}

/// The operations. Where nothing else is said, operands and result have one width.
///
/// Division by zero has the meaning of SMT-LIB: `UDiv` gives all ones, `SDiv` gives -1 for a dividend that is not negative
/// and 1 else, both remainders give the dividend. `MIN / -1` wraps. A shift by the width or more gives 0, or copies of the
/// sign for `AShr`. What wasm does instead (traps, masked shift amounts) is the business of who builds the expression.
///
/// Floats are their bits. A result of float arithmetic that is not a number is the canonical one: positive, quiet, without
/// payload (`0x7fc0_0000`, `0x7ff8_0000_0000_0000`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Op {
    /// A value that is known.
    Const,
    /// An input.
    Var,
    /// Every bit flipped.
    Not,
    /// Leading zero bits; the width for 0.
    Clz,
    /// Trailing zero bits; the width for 0.
    Ctz,
    /// One bits.
    Popcnt,
    /// Sum modulo 2^width.
    Add,
    /// Difference modulo 2^width.
    Sub,
    /// Product modulo 2^width.
    Mul,
    /// Unsigned quotient.
    UDiv,
    /// Signed quotient, rounded to zero.
    SDiv,
    /// Unsigned remainder.
    URem,
    /// Signed remainder with the dividend's sign.
    SRem,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Shift to the left.
    Shl,
    /// Shift to the right that brings in zeros.
    LShr,
    /// Shift to the right that brings in the sign.
    AShr,
    /// Equal, width 1.
    Eq,
    /// Unsigned less, width 1.
    Ult,
    /// Signed less, width 1.
    Slt,
    /// If the first operand, of width 1, then the second, else the third.
    Ite,
    /// Bits from `low` on, as many as the node is wide.
    Extract,
    /// The first operand above the second.
    Concat,
    /// Zeros above.
    ZExt,
    /// Copies of the sign above.
    SExt,
    /// Float sum.
    FAdd,
    /// Float difference.
    FSub,
    /// Float product.
    FMul,
    /// Float quotient.
    FDiv,
    /// Smaller float as in wasm: not a number if one operand is, -0 below +0.
    FMin,
    /// Larger float as in wasm: not a number if one operand is, +0 above -0.
    FMax,
    /// Square root.
    FSqrt,
    /// Rounded to an integer, up.
    FCeil,
    /// Rounded to an integer, down.
    FFloor,
    /// Rounded to an integer, to zero.
    FTrunc,
    /// Rounded to an integer, to the nearest, ties to even.
    FNearest,
    /// Equal as floats, width 1.
    FEq,
    /// Less as floats, width 1.
    FLt,
    /// Less or equal as floats, width 1.
    FLe,
    /// The float nearest to a signed integer, ties to even.
    FFromS,
    /// The float nearest to an unsigned integer, ties to even.
    FFromU,
    /// The signed integer below the float towards zero; the nearest integer where it does not fit, 0 for not a number.
    FToS,
    /// As `FToS`, unsigned.
    FToU,
    /// From 32 to 64 bits, exact.
    FPromote,
    /// From 64 to 32 bits, to the nearest, ties to even.
    FDemote,
}

impl Op {
    /// How many operands it has.
    #[must_use]
    pub const fn arity(self) -> usize {
        use Op::*;
        match self {
            Const | Var => 0,
            Not | Clz | Ctz | Popcnt | Extract | ZExt | SExt => 1,
            FSqrt | FCeil | FFloor | FTrunc | FNearest | FFromS | FFromU | FToS | FToU | FPromote
            | FDemote => 1,
            Ite => 3,
            _ => 2,
        }
    }

    /// Whether the result is a truth value whatever the operands' width is.
    #[must_use]
    pub const fn compares(self) -> bool {
        matches!(self, Self::Eq | Self::Ult | Self::Slt | Self::FEq | Self::FLt | Self::FLe)
    }

    /// Whether the operands may change places.
    #[must_use]
    pub const fn commutes(self) -> bool {
        use Op::*;
        matches!(self, Add | Mul | And | Or | Xor | Eq | FAdd | FMul | FMin | FMax | FEq)
    }

    /// Whether it computes with floats.
    #[must_use]
    pub const fn is_float(self) -> bool {
        self as u8 >= Self::FAdd as u8
    }
}

/// What the table holds of an expression. Operands that the operation does not have are 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Node {
    pub(super) op: Op,
    pub(super) width: u8,
    /// The lowest bit of an `Extract`; 1 for a constant in the table of wide ones.
    pub(super) low: u8,
    /// Operands, as raw expressions; for constants and variables their content.
    pub(super) words: [u32; 3],
}

impl Node {
    pub(super) fn new(op: Op, width: u32, operands: &[Expr]) -> Self {
        debug_assert_eq!(operands.len(), op.arity(), "{op:?}");
        let mut words = [0; 3];
        for (word, operand) in words.iter_mut().zip(operands) {
            *word = operand.raw();
        }
        Self { op, width: narrow(width), low: 0, words }
    }

    pub(super) fn extract(low: u32, width: u32, operand: Expr) -> Self {
        let low = u8::try_from(low).expect("bits are numbered below 128");
        Self { low, ..Self::new(Op::Extract, width, &[operand]) }
    }

    /// The operation.
    #[must_use]
    pub const fn op(&self) -> Op {
        self.op
    }

    /// The width in bits.
    #[must_use]
    pub const fn width(&self) -> u32 {
        self.width as u32
    }

    /// The lowest bit of an `Extract`.
    #[must_use]
    pub const fn low(&self) -> u32 {
        self.low as u32
    }

    /// The operand at this place.
    ///
    /// # Panics
    /// When the operation has fewer operands.
    #[must_use]
    pub fn operand(&self, place: usize) -> Expr {
        assert!(place < self.op.arity(), "{:?} has no operand {place}", self.op);
        Expr::from_raw(self.words[place]).expect("an operand is set when the node is made")
    }

    /// All operands.
    pub fn operands(&self) -> impl DoubleEndedIterator<Item = Expr> + ExactSizeIterator {
        let node = *self;
        (0..self.op.arity()).map(move |place| node.operand(place))
    }
}

/// Widths go from 1 to 128.
pub(super) fn narrow(width: u32) -> u8 {
    assert!((1..=128).contains(&width), "a width of {width} bits");
    width as u8
}
