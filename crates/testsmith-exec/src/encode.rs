//! Programs as the worker takes them: [`encode`].

use testsmith_ir::{Arg, Literal, Mode, Program, Slot, Statement};
use testsmith_rt::harness::wire;

/// A run of a program. `alive` are the slots to be observed at the end: those that have a value and that nothing
/// borrows exclusively.
pub fn encode(program: &Program, alive: &[Slot], mutants: wire::Mutants) -> wire::Run {
    wire::Run {
        ops: program.statements.iter().map(op).collect(),
        alive: alive.iter().map(|slot| slot.0).collect(),
        unseen: Vec::new(),
        mutants,
    }
}

fn op(statement: &Statement) -> wire::Op {
    match statement {
        // The worker knows the type from the literal.
        Statement::Literal { ty: _, value } => wire::Op::Literal(literal(value)),
        Statement::Call { callable, args } => {
            wire::Op::Call { callable: callable.0, args: args.iter().map(argument).collect() }
        }
        Statement::Drop(slot) => wire::Op::Drop(slot.0),
    }
}

fn argument(arg: &Arg) -> (wire::Mode, u16) {
    let mode = match arg.mode {
        Mode::Move => wire::Mode::Move,
        Mode::Copy => wire::Mode::Copy,
        Mode::Shared => wire::Mode::Shared,
        Mode::Exclusive => wire::Mode::Exclusive,
    };
    (mode, arg.slot.0)
}

fn literal(literal: &Literal) -> wire::Literal {
    match literal {
        Literal::Unit => wire::Literal::Unit,
        Literal::Bool(value) => wire::Literal::Bool(*value),
        Literal::Char(value) => wire::Literal::Char(*value),
        Literal::Signed { bits, value } => wire::Literal::Int(signed(*bits), *value),
        // A large `u128` goes as its two's complement.
        Literal::Unsigned { bits, value } => wire::Literal::Int(unsigned(*bits), value.cast_signed()),
        Literal::F32(bits) => wire::Literal::F32(f32::from_bits(*bits)),
        Literal::F64(bits) => wire::Literal::F64(f64::from_bits(*bits)),
        Literal::Str(value) => wire::Literal::Str(value.clone()),
        Literal::String(value) => wire::Literal::String(value.clone()),
        Literal::ByteStr(value) => wire::Literal::ByteStr(value.clone()),
        Literal::Bytes(value) => wire::Literal::Bytes(value.clone()),
    }
}

fn signed(bits: u8) -> wire::IntKind {
    match bits {
        0 => wire::IntKind::Isize,
        8 => wire::IntKind::I8,
        16 => wire::IntKind::I16,
        32 => wire::IntKind::I32,
        64 => wire::IntKind::I64,
        128 => wire::IntKind::I128,
        _ => panic!("no integer has {bits} bits"),
    }
}

fn unsigned(bits: u8) -> wire::IntKind {
    match bits {
        0 => wire::IntKind::Usize,
        8 => wire::IntKind::U8,
        16 => wire::IntKind::U16,
        32 => wire::IntKind::U32,
        64 => wire::IntKind::U64,
        128 => wire::IntKind::U128,
        _ => panic!("no integer has {bits} bits"),
    }
}

#[cfg(test)]
mod tests {
    use testsmith_ir::{CallableId, TypeId};

    use super::*;

    #[test]
    fn a_program_keeps_its_statements_slots_and_modes() {
        let [first, second] = [0, 1].map(Slot);
        let program = Program::from_iter([
            Statement::Literal { ty: TypeId(3), value: Literal::from("text") },
            Statement::Literal { ty: TypeId(4), value: Literal::Unsigned { bits: 0, value: 7 } },
            Statement::Call {
                callable: CallableId(9),
                args: vec![
                    Arg::moved(first),
                    Arg::copied(second),
                    Arg::shared(first),
                    Arg::exclusive(second),
                ],
            },
            Statement::Drop(first),
        ]);
        let run = encode(&program, &[second], wire::Mutants::Listed(vec![5]));
        let args = vec![
            (wire::Mode::Move, 0),
            (wire::Mode::Copy, 1),
            (wire::Mode::Shared, 0),
            (wire::Mode::Exclusive, 1),
        ];
        let expected = [
            wire::Op::Literal(wire::Literal::Str("text".to_owned())),
            wire::Op::Literal(wire::Literal::Int(wire::IntKind::Usize, 7)),
            wire::Op::Call { callable: 9, args },
            wire::Op::Drop(0),
        ];
        assert_eq!(run.ops, expected);
        assert_eq!((run.alive, run.mutants), (vec![1], wire::Mutants::Listed(vec![5])));
    }

    #[test]
    fn literals_keep_their_type_and_value() {
        let int = |signed, bits, value| literal(&Literal::int(signed, bits, value));
        let table = [
            (int(true, 8, -1), wire::Literal::Int(wire::IntKind::I8, -1)),
            (int(true, 0, -1), wire::Literal::Int(wire::IntKind::Isize, -1)),
            (int(false, 16, 65_535), wire::Literal::Int(wire::IntKind::U16, 65_535)),
            (int(false, 128, -1), wire::Literal::Int(wire::IntKind::U128, -1)),
            (literal(&Literal::from(-0.0_f32)), wire::Literal::F32(-0.0)),
            (literal(&Literal::from(1.5_f64)), wire::Literal::F64(1.5)),
            (literal(&Literal::Unit), wire::Literal::Unit),
            (literal(&Literal::Bool(true)), wire::Literal::Bool(true)),
            (literal(&Literal::Char('ß')), wire::Literal::Char('ß')),
            (literal(&Literal::String("s".into())), wire::Literal::String("s".into())),
            (literal(&Literal::ByteStr(vec![0])), wire::Literal::ByteStr(vec![0])),
            (literal(&Literal::Bytes(vec![255])), wire::Literal::Bytes(vec![255])),
        ];
        for (encoded, expected) in table {
            assert_eq!(encoded, expected);
        }
    }
}
