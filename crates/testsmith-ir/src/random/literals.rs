//! Random literals for those who write programs in their own way: [`Literals`].

use super::constant_pool::ConstantPool;
use super::constants::{Constants, Parameter};
use super::rng::Rng;
use crate::api::LiteralKind;
use crate::literal::Literal;

/// What literals are chosen from: boundaries, what the crate under test mentions, and variations of a base value.
pub struct Literals(ConstantPool);

impl Literals {
    /// With what the crate under test mentions.
    pub fn new(constants: Constants) -> Literals {
        Literals(ConstantPool::new(constants))
    }

    /// Chooses the base values of another program: about half of its literals will look alike.
    pub fn renew(&mut self, rng: &mut Rng) {
        self.0.renew(rng);
    }

    /// A literal, which may be one that was passed for this parameter before.
    pub fn literal(&self, parameter: Option<Parameter>, kind: LiteralKind, rng: &mut Rng) -> Literal {
        self.0.literal_for(parameter, kind, rng)
    }

    /// Another literal of the same type, in most cases one that is near.
    pub fn vary(&self, literal: &Literal, rng: &mut Rng) -> Literal {
        self.0.vary(literal, rng)
    }
}
