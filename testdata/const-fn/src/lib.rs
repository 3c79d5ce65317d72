//! A `const fn` is opened for mutants unless something needs it to be one.

/// Needs `bytes`, which needs `words`.
pub const SIZE: usize = bytes(2);

/// A buffer whose length is computed.
pub struct Buffer(pub [u8; SIZE]);

/// Used in a constant.
pub const fn bytes(count: usize) -> usize {
    words(count) * 4
}

const fn words(count: usize) -> usize {
    count + 1
}

/// Used at run time only.
pub const fn is_even(value: u32) -> bool {
    value % 2 == 0
}

/// Used in a constant of the tests, which the compiler alone knows.
pub const fn next(value: u32) -> u32 {
    value + 1
}

/// Used at run time only, but a neighbour of `next` by name of a method.
pub struct Step(pub u32);

impl Step {
    /// One further.
    pub const fn further(&self) -> u32 {
        self.0 + 5
    }
}
