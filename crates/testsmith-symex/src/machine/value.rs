//! A value of the machine: [`Value`], its bits and what it is in terms of the inputs.

use crate::expr::Expr;

/// The bits of a value and, where it depends on inputs, its expression, of the width of its type.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Value {
    /// The concrete value; 32-bit values have zeros above.
    pub bits: u64,
    /// What it is in terms of the inputs; none for what does not depend on them.
    pub expr: Option<Expr>,
}

impl Value {
    /// A value that does not depend on inputs.
    #[inline(always)]
    #[must_use]
    pub const fn concrete(bits: u64) -> Self {
        Self { bits, expr: None }
    }

    /// The low 32 bits.
    #[inline(always)]
    #[must_use]
    pub const fn low(self) -> u32 {
        self.bits as u32
    }
}
