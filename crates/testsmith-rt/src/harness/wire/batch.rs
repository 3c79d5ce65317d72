//! What the tool asks for: programs, the mutants to run them on, and what it wants to know.

use super::answer::Aspect;
use super::codec::{wire_enum, wire_struct};
use super::{Malformed, Reader, Wire, Writer};

/// Runs that are asked for together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Batch {
    /// Holds for all runs.
    pub options: Options,
    /// Mutants that [`Mutants::Infected`] leaves out.
    pub skip: Bitmap,
    /// Executed one after the other.
    pub runs: Vec<Run>,
}

/// Limits, and what is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Ticks that the original may use for one program.
    pub fuel: u64,
    /// A mutant may use `mutant_fuel + mutant_factor * ticks`, where `ticks` is what the original used.
    pub mutant_fuel: u64,
    /// See `mutant_fuel`.
    pub mutant_factor: u32,
    /// Bytes of stack that a program may use, up to 32 MB; beyond is [`Outcome::Depth`](super::Outcome::Depth). Checked
    /// every few ticks, so it is a rough limit.
    pub stack: u64,
    /// Bytes that a program may have allocated at a time; beyond, the process ends.
    pub memory: u64,
    /// How long a forked child may take, in milliseconds, and how much processor time a statement may take in the worker
    /// itself; 0 is for ever.
    pub patience: u32,
    /// What becomes of observations.
    pub observe: Observing,
    /// Whether reached and infected mutants and branch distances are wanted.
    pub trace: bool,
    /// Where programs run.
    pub isolate: Isolation,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            fuel: 10_000_000,
            mutant_fuel: 1_000_000,
            mutant_factor: 5,
            stack: 8 << 20,
            memory: 1 << 30,
            patience: 10_000,
            observe: Observing::Full,
            trace: true,
            isolate: Isolation::InProcess,
        }
    }
}

/// What becomes of observations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Observing {
    /// None are made: mutants are told apart by how they end.
    Nothing,
    /// They are made and compared; the answer holds one hash of all.
    Hash,
    /// They are made and compared; the answer holds them.
    Full,
    /// The same, and a mutant goes on after the first difference: the answer holds all that it shows.
    All,
}

/// Where programs run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Isolation {
    /// In the worker.
    InProcess,
    /// Programs in the worker, and all mutants of a batch together in a child of it: they may damage their process.
    Mutants,
    /// Each program in a child of the worker of its own, and all its mutants together in another: they may leave something
    /// in their process. What a mutant shows there may be what an earlier one has left, so those that differ are run again,
    /// each in a child of its own.
    Programs,
    /// Each program and each mutant in a child of the worker of its own.
    Fork,
}

/// A set of mutants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bitmap {
    bytes: Vec<u8>,
}

impl Bitmap {
    /// Adds a mutant.
    pub fn insert(&mut self, mutant: u32) {
        let at = mutant as usize / 8;
        if at >= self.bytes.len() {
            self.bytes.resize(at + 1, 0);
        }
        self.bytes[at] |= 1 << (mutant % 8);
    }

    /// Whether a mutant is in it.
    pub fn contains(&self, mutant: u32) -> bool {
        self.bytes.get(mutant as usize / 8).is_some_and(|byte| byte >> (mutant % 8) & 1 != 0)
    }
}

impl FromIterator<u32> for Bitmap {
    fn from_iter<I: IntoIterator<Item = u32>>(mutants: I) -> Bitmap {
        let mut bitmap = Bitmap::default();
        mutants.into_iter().for_each(|mutant| bitmap.insert(mutant));
        bitmap
    }
}

/// A program and the mutants to run it on, after the original.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Statement `k` defines slot `k`.
    pub ops: Vec<Op>,
    /// Slots that are observed at the end: they have a value and nothing borrows them exclusively.
    pub alive: Vec<u16>,
    /// Ways in which slots are not looked at, because what they show is not the same every time.
    pub unseen: Vec<(u16, Aspect)>,
    /// Mutants to run it on.
    pub mutants: Mutants,
}

/// Which mutants to run a program on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mutants {
    /// These. 0 is the original: run once more, it tells whether it does the same each time.
    Listed(Vec<u32>),
    /// Those that this very run infected, then those that it may have infected, without [`Batch::skip`].
    Infected {
        /// No more than this.
        at_most: u32,
    },
    /// One that the program was made for, if this very run infected it or may have, then the same as above.
    Aimed {
        /// It is run even if it is in [`Batch::skip`].
        first: u32,
        /// No more than this, all together.
        at_most: u32,
    },
}

/// Statements are numbered in 16 bits, and one more number stands for the end.
pub const MOST_STATEMENTS: usize = u16::MAX as usize;

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// A value that the program holds itself.
    Literal(Literal),
    /// Calls a callable of the table.
    Call {
        /// Its number.
        callable: u32,
        /// How it takes which slot.
        args: Vec<(Mode, u16)>,
    },
    /// Ends a slot early; the statement's own slot stays without value.
    Drop(u16),
}

/// How an argument is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The slot has no value afterwards.
    Move,
    /// `Copy`, also of a reference.
    Copy,
    /// `&slot`
    Shared,
    /// `&mut slot`
    Exclusive,
}

/// A literal.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// `()`
    Unit,
    /// `bool`
    Bool(bool),
    /// `char`
    Char(char),
    /// An integer. The value is cut to the type; a large `u128` is written as its two's complement.
    Int(IntKind, i128),
    /// `f32`
    F32(f32),
    /// `f64`
    F64(f64),
    /// `&'static str`
    Str(String),
    /// `String`
    String(String),
    /// `&'static [u8]`
    ByteStr(Vec<u8>),
    /// `Vec<u8>`
    Bytes(Vec<u8>),
}

/// The type of an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // Each is the type of that name.
pub enum IntKind {
    I8,
    I16,
    I32,
    I64,
    I128,
    Isize,
    U8,
    U16,
    U32,
    U64,
    U128,
    Usize,
}

impl Batch {
    /// As a message.
    pub fn encode(&self) -> Vec<u8> {
        self.encode_with(&self.options)
    }

    /// As a message with other options.
    pub fn encode_with(&self, options: &Options) -> Vec<u8> {
        let mut to = Writer::new();
        options.write(&mut to);
        self.skip.write(&mut to);
        self.runs.write(&mut to);
        to.finish()
    }

    /// From a message.
    pub fn decode(bytes: &[u8]) -> Result<Batch, Malformed> {
        let mut from = Reader::new(bytes);
        let batch = Batch::read(&mut from)?;
        from.finish()?;
        Ok(batch)
    }
}

wire_struct!(Batch { options, skip, runs });
wire_struct!(Options { fuel, mutant_fuel, mutant_factor, stack, memory, patience, observe, trace, isolate });
wire_enum!(Observing { Nothing, Hash, Full, All });
wire_enum!(Isolation { InProcess, Mutants, Programs, Fork });
wire_struct!(Bitmap { bytes });
wire_enum!(Mode { Move, Copy, Shared, Exclusive });
wire_enum!(IntKind { I8, I16, I32, I64, I128, Isize, U8, U16, U32, U64, U128, Usize });

impl Wire for Run {
    fn write(&self, to: &mut Writer) {
        self.ops.write(to);
        self.alive.write(to);
        self.unseen.write(to);
        self.mutants.write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Run, Malformed> {
        let run = Run {
            ops: Wire::read(from)?,
            alive: Wire::read(from)?,
            unseen: Wire::read(from)?,
            mutants: Wire::read(from)?,
        };
        if run.ops.len() > MOST_STATEMENTS {
            return Err(Malformed(format!("{} statements are too many", run.ops.len())));
        }
        Ok(run)
    }
}

impl Wire for Mutants {
    fn write(&self, to: &mut Writer) {
        match self {
            Mutants::Listed(mutants) => {
                to.byte(0);
                to.numbers(mutants);
            }
            Mutants::Infected { at_most } => {
                to.byte(1);
                at_most.write(to);
            }
            Mutants::Aimed { first, at_most } => {
                to.byte(2);
                first.write(to);
                at_most.write(to);
            }
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Mutants, Malformed> {
        match from.byte()? {
            0 => Ok(Mutants::Listed(from.numbers()?)),
            1 => Ok(Mutants::Infected { at_most: Wire::read(from)? }),
            2 => Ok(Mutants::Aimed { first: Wire::read(from)?, at_most: Wire::read(from)? }),
            other => Err(Malformed(format!("{other} is no choice of mutants"))),
        }
    }
}

impl Wire for Op {
    fn write(&self, to: &mut Writer) {
        match self {
            Op::Literal(literal) => {
                to.byte(0);
                literal.write(to);
            }
            Op::Call { callable, args } => {
                to.byte(1);
                callable.write(to);
                to.uint(args.len() as u64);
                // Mode and slot share a number: mostly one byte an argument.
                args.iter().for_each(|(mode, slot)| to.uint(u64::from(*slot) << 2 | *mode as u64));
            }
            Op::Drop(slot) => {
                to.byte(2);
                slot.write(to);
            }
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Op, Malformed> {
        match from.byte()? {
            0 => Ok(Op::Literal(Wire::read(from)?)),
            1 => {
                let callable = Wire::read(from)?;
                let length = from.length()?;
                // An argument takes a byte at least, so the length does not lie much.
                let mut args = Vec::with_capacity(length);
                for _ in 0..length {
                    args.push(argument(from.uint()?)?);
                }
                Ok(Op::Call { callable, args })
            }
            2 => Ok(Op::Drop(Wire::read(from)?)),
            other => Err(Malformed(format!("{other} is no statement"))),
        }
    }
}

fn argument(number: u64) -> Result<(Mode, u16), Malformed> {
    let mode = match number & 3 {
        0 => Mode::Move,
        1 => Mode::Copy,
        2 => Mode::Shared,
        _ => Mode::Exclusive,
    };
    let slot = u16::try_from(number >> 2).map_err(|_| Malformed("a slot is too large".to_owned()))?;
    Ok((mode, slot))
}

impl Wire for Literal {
    fn write(&self, to: &mut Writer) {
        match self {
            Literal::Unit => to.byte(0),
            Literal::Bool(value) => {
                to.byte(1);
                value.write(to);
            }
            Literal::Char(value) => {
                to.byte(2);
                u32::from(*value).write(to);
            }
            Literal::Int(kind, value) => {
                to.byte(3);
                kind.write(to);
                to.signed(*value);
            }
            Literal::F32(value) => {
                to.byte(4);
                to.raw(&value.to_bits().to_le_bytes());
            }
            Literal::F64(value) => {
                to.byte(5);
                value.write(to);
            }
            Literal::Str(value) => {
                to.byte(6);
                value.write(to);
            }
            Literal::String(value) => {
                to.byte(7);
                value.write(to);
            }
            Literal::ByteStr(value) => {
                to.byte(8);
                value.write(to);
            }
            Literal::Bytes(value) => {
                to.byte(9);
                value.write(to);
            }
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Literal, Malformed> {
        Ok(match from.byte()? {
            0 => Literal::Unit,
            1 => Literal::Bool(Wire::read(from)?),
            2 => {
                let value = char::from_u32(u32::read(from)?);
                Literal::Char(value.ok_or_else(|| Malformed("a char is none".to_owned()))?)
            }
            3 => Literal::Int(Wire::read(from)?, from.signed()?),
            4 => {
                let bytes = from.raw(4)?.try_into().expect("raw gives as many bytes as asked for");
                Literal::F32(f32::from_bits(u32::from_le_bytes(bytes)))
            }
            5 => Literal::F64(Wire::read(from)?),
            6 => Literal::Str(Wire::read(from)?),
            7 => Literal::String(Wire::read(from)?),
            8 => Literal::ByteStr(Wire::read(from)?),
            9 => Literal::Bytes(Wire::read(from)?),
            other => return Err(Malformed(format!("{other} is no literal"))),
        })
    }
}
