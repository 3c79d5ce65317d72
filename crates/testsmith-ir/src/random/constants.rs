//! Constants of the crate under test ([`Constants`]): what its code, docs and tests mention, and which parameters they were given for.

use std::collections::BTreeMap;

use crate::api::{Api, CallableId, LiteralKind};
use crate::literal::Literal;
use crate::program::{Program, Slot};

use super::rng::Rng;

/// What literals are made from, besides what is worth trying everywhere.
#[derive(Clone, Debug, Default)]
pub struct Constants {
    /// Texts, the most promising first.
    pub strings: Vec<String>,
    /// Numbers, the most promising first.
    pub ints: Vec<i128>,
    /// What somebody has passed for a parameter.
    pub arguments: BTreeMap<Parameter, Vec<Constant>>,
}

/// A parameter of a callable, by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Parameter {
    /// The callable.
    pub callable: CallableId,
    /// From 0, the receiver included.
    pub at: usize,
}

/// A value that was written as a literal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Constant {
    /// Of a string, byte string or character.
    Text(String),
    /// An integer.
    Int(i128),
}

impl Parameter {
    /// What a slot is given for first; elements of a list belong to the last parameter.
    pub fn of(api: &Api, program: &Program, slot: Slot) -> Option<Parameter> {
        let mut calls = program.statements.iter().filter_map(|it| Some((it.callable()?, it.args())));
        calls.find_map(|(callable, args)| {
            let at = args.iter().position(|arg| arg.slot == slot)?;
            Some(Parameter { callable, at: at.min(api[callable].params.len().saturating_sub(1)) })
        })
    }
}

impl Constants {
    /// One of the values that were passed for a parameter, as a literal of this kind.
    pub(super) fn argument(&self, parameter: Parameter, kind: LiteralKind, rng: &mut Rng) -> Option<Literal> {
        rng.one(self.arguments.get(&parameter)?)?.literal(kind)
    }
}

impl Constant {
    fn literal(&self, kind: LiteralKind) -> Option<Literal> {
        let text = match self {
            Constant::Text(text) => text,
            Constant::Int(value) => {
                let LiteralKind::Int { signed, bits } = kind else { return None };
                return Some(Literal::int(signed, bits, *value));
            }
        };
        match kind {
            LiteralKind::Str => Some(Literal::Str(text.clone())),
            LiteralKind::String => Some(Literal::String(text.clone())),
            LiteralKind::ByteStr => Some(Literal::ByteStr(text.clone().into_bytes())),
            LiteralKind::Bytes => Some(Literal::Bytes(text.clone().into_bytes())),
            LiteralKind::Char => text.chars().next().map(Literal::Char),
            LiteralKind::Unit
            | LiteralKind::Bool
            | LiteralKind::Int { .. }
            | LiteralKind::F32
            | LiteralKind::F64 => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_literals_of_the_kind_that_is_wanted() {
        let parameter = Parameter { callable: CallableId(1), at: 2 };
        let check = |constant: Constant, kind, expected: Option<Literal>| {
            let constants =
                Constants { arguments: [(parameter, vec![constant])].into(), ..Constants::default() };
            assert_eq!(constants.argument(parameter, kind, &mut Rng::new(1)), expected);
        };
        let text = || Constant::Text("ab".to_owned());
        check(text(), LiteralKind::String, Some(Literal::String("ab".to_owned())));
        check(text(), LiteralKind::Bytes, Some(Literal::Bytes(vec![97, 98])));
        check(text(), LiteralKind::Char, Some(Literal::Char('a')));
        check(text(), LiteralKind::Bool, None);
        let byte = LiteralKind::Int { signed: false, bits: 8 };
        check(Constant::Int(7), byte, Some(Literal::int(false, 8, 7)));
        check(Constant::Int(7), LiteralKind::Str, None);
        let nobody = Parameter { callable: CallableId(0), at: 2 };
        assert_eq!(Constants::default().argument(nobody, byte, &mut Rng::new(1)), None);
    }
}
