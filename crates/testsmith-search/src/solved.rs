//! What solving for a mutant has brought, in terms of the program whose literals were inputs: [`Solved`].

use std::sync::Arc;

use testsmith_ir::{Literal, Program};

/// What is known of a mutant from the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solved {
    /// The program that was executed.
    pub program: Arc<Program>,
    /// Its literals that were inputs, with the names that they have below.
    pub inputs: Vec<Input>,
    /// Under which condition on the inputs the mutant computes another value at its site; none where it does not depend on
    /// them, or nobody knows.
    pub condition: Option<String>,
    /// What the path to the site says of the inputs: the last few conditions.
    pub path: Vec<String>,
    /// The operands of its site depended on inputs, and it never computes another value whatever they are. Not said where
    /// they are as wide as addresses.
    pub never_differs: bool,
    /// Inputs that show it in the engine do not do so in the crate's own build: addresses have 32 bits in the former.
    pub shows_in_engine_alone: bool,
}

/// A literal that was an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// As conditions name it; `a[2]` is the third byte of a text.
    pub name: String,
    /// What it is in the program.
    pub literal: Literal,
    /// What a solver has put there, where it found something.
    pub solved: Option<Literal>,
}
