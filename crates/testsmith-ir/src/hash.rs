//! 64-bit FNV-1a: the same number on every platform and with every version of Rust, unlike `std::hash`.

use crate::literal::Literal;
use crate::program::{Arg, Mode, Program, Statement};

/// A running hash.
#[derive(Clone, Copy, Debug)]
pub struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    /// Takes in bytes of a length that the reader knows.
    pub fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// Takes in a number.
    pub fn number(&mut self, number: u64) {
        self.bytes(&number.to_le_bytes());
    }

    /// Takes in bytes together with their length.
    pub fn text(&mut self, text: &[u8]) {
        self.number(text.len() as u64);
        self.bytes(text);
    }

    /// The hash of all that was taken in.
    pub fn finish(self) -> u64 {
        self.0
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Literal { ty, value } => {
                self.bytes(&[0]);
                self.bytes(&ty.0.to_le_bytes());
                self.literal(value);
            }
            Statement::Call { callable, args } => {
                self.bytes(&[1]);
                self.bytes(&callable.0.to_le_bytes());
                self.number(args.len() as u64);
                args.iter().for_each(|arg| self.arg(*arg));
            }
            Statement::Drop(slot) => {
                self.bytes(&[2]);
                self.bytes(&slot.0.to_le_bytes());
            }
        }
    }

    fn arg(&mut self, arg: Arg) {
        self.bytes(&arg.slot.0.to_le_bytes());
        self.bytes(&[match arg.mode {
            Mode::Move => 0,
            Mode::Copy => 1,
            Mode::Shared => 2,
            Mode::Exclusive => 3,
        }]);
    }

    fn literal(&mut self, literal: &Literal) {
        match literal {
            Literal::Unit => self.bytes(&[0]),
            Literal::Bool(value) => self.bytes(&[1, u8::from(*value)]),
            Literal::Char(value) => {
                self.bytes(&[2]);
                self.bytes(&u32::from(*value).to_le_bytes());
            }
            Literal::Signed { bits, value } => {
                self.bytes(&[3, *bits]);
                self.bytes(&value.to_le_bytes());
            }
            Literal::Unsigned { bits, value } => {
                self.bytes(&[4, *bits]);
                self.bytes(&value.to_le_bytes());
            }
            Literal::F32(bits) => {
                self.bytes(&[5]);
                self.bytes(&bits.to_le_bytes());
            }
            Literal::F64(bits) => {
                self.bytes(&[6]);
                self.bytes(&bits.to_le_bytes());
            }
            Literal::Str(value) => self.tagged(7, value.as_bytes()),
            Literal::String(value) => self.tagged(8, value.as_bytes()),
            Literal::ByteStr(value) => self.tagged(9, value),
            Literal::Bytes(value) => self.tagged(10, value),
        }
    }

    fn tagged(&mut self, tag: u8, text: &[u8]) {
        self.bytes(&[tag]);
        self.text(text);
    }
}

impl Program {
    /// The same for the same statements everywhere and always; see [`Program::canonical`] for programs that do the same.
    pub fn hash(&self) -> u64 {
        let mut hash = Fnv::default();
        self.statements.iter().for_each(|statement| hash.statement(statement));
        hash.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{CallableId, TypeId};
    use crate::program::Slot;

    #[test]
    fn the_numbers_are_those_of_the_definition() {
        for (text, expected) in
            [("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8)]
        {
            let mut hash = Fnv::default();
            hash.bytes(text.as_bytes());
            assert_eq!(hash.finish(), expected, "{text}");
        }
    }

    /// Hashes are kept in files: a change here is a change of their format.
    #[test]
    fn the_hash_of_a_program_never_changes() {
        let program: Program = [
            Statement::Literal { ty: TypeId(1), value: Literal::int(true, 32, -3) },
            Statement::Literal { ty: TypeId(2), value: Literal::from("x") },
            Statement::Call {
                callable: CallableId(3),
                args: vec![Arg::copied(Slot(0)), Arg::shared(Slot(1))],
            },
            Statement::Drop(Slot(2)),
        ]
        .into_iter()
        .collect();
        assert_eq!(program.hash(), 9_907_965_172_964_487_745);
    }
}
