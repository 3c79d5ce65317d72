//! A model as literals of a program: [`with_inputs`].

use testsmith_ir::{Literal, Program, Slot, Statement};
use testsmith_symex::explore::variable;
use testsmith_symex::expr::Model;

/// The program with the values of a model in its literals. Nothing where they are no values of the literals' types.
pub(super) fn with_inputs(program: &Program, inputs: &Model) -> Option<Program> {
    let mut program = program.clone();
    for (index, statement) in program.statements.iter_mut().enumerate() {
        if let Statement::Literal { value, .. } = statement {
            *value = literal(value, Slot::at(index), inputs)?;
        }
    }
    Some(program)
}

fn literal(known: &Literal, slot: Slot, inputs: &Model) -> Option<Literal> {
    let part = |part: usize| inputs.get(variable(slot.0.into(), u32::try_from(part).ok()?));
    let whole = part(0);
    let text = |text: &str| String::from_utf8(bytes(text.as_bytes(), &part)).ok();
    Some(match (known, whole) {
        (Literal::Str(known), _) => Literal::Str(text(known)?),
        (Literal::String(known), _) => Literal::String(text(known)?),
        (Literal::ByteStr(known), _) => Literal::ByteStr(bytes(known, &part)),
        (Literal::Bytes(known), _) => Literal::Bytes(bytes(known, &part)),
        (known, None) => known.clone(),
        (Literal::Unit, _) => Literal::Unit,
        (Literal::Bool(_), Some(value)) => Literal::Bool(value != 0),
        (Literal::Char(_), Some(value)) => Literal::Char(char::from_u32(u32::try_from(value).ok()?)?),
        (Literal::Signed { bits, .. }, Some(value)) => {
            let unused = 128 - u32::from(on_wasm(*bits));
            Literal::Signed { bits: *bits, value: (value << unused).cast_signed() >> unused }
        }
        (Literal::Unsigned { bits, .. }, Some(value)) => Literal::Unsigned { bits: *bits, value },
        (Literal::F32(_), Some(value)) => Literal::F32(u32::try_from(value).ok()?),
        (Literal::F64(_), Some(value)) => Literal::F64(u64::try_from(value).ok()?),
    })
}

/// Bytes with those that are inputs in their places.
fn bytes(known: &[u8], part: &dyn Fn(usize) -> Option<u128>) -> Vec<u8> {
    let byte = |(at, byte): (usize, &u8)| part(at).map_or(*byte, |value| value as u8);
    known.iter().enumerate().map(byte).collect()
}

/// Bits of an integer type where the engine runs it.
fn on_wasm(bits: u8) -> u8 {
    if bits == 0 { 32 } else { bits }
}

#[cfg(test)]
mod tests {
    use testsmith_ir::TypeId;

    use super::*;

    #[test]
    fn a_model_becomes_literals_of_the_same_types() {
        let literal = |value| Statement::Literal { ty: TypeId(0), value };
        let program = Program::from_iter([
            literal(Literal::int(true, 0, 5)),
            literal(Literal::from("ab")),
            literal(Literal::Char('x')),
            literal(Literal::int(false, 64, 7)),
        ]);
        let inputs: Model =
            [(variable(0, 0), 0xffff_fffe), (variable(1, 1), u128::from(b'z')), (variable(2, 0), 0x1f600)]
                .into_iter()
                .collect();
        let expected = Program::from_iter([
            literal(Literal::int(true, 0, -2)),
            literal(Literal::from("az")),
            literal(Literal::Char('😀')),
            literal(Literal::int(false, 64, 7)),
        ]);
        assert_eq!(with_inputs(&program, &inputs), Some(expected));
        let broken: Model = [(variable(2, 0), 0xd800)].into_iter().collect();
        assert_eq!(with_inputs(&program, &broken), None);
    }
}
