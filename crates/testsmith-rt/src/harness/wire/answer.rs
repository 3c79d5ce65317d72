//! What a worker has found out: for each run how it ended, what was seen, and which mutants differ.

use std::cmp::Ordering;

use super::super::outside::Outside;
use super::codec::{wire_enum, wire_struct};
use super::{Malformed, Reader, Wire, Writer};

/// The answer to a batch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// One for each run of the batch.
    pub executions: Vec<Execution>,
    /// Bytes of `&'static` literals that this worker has leaked so far.
    pub leaked: u64,
    /// Threads that programs have started and not ended: they disturb what follows.
    pub threads_left: u32,
}

/// What became of one program.
#[derive(Clone, Debug, PartialEq)]
pub struct Execution {
    /// How the original ended.
    pub outcome: Outcome,
    /// The statement that it ended in; the number of statements stands for the end, where slots are dropped.
    pub statement: u16,
    /// Ticks that it used.
    pub ticks: u64,
    /// Mutants whose site was executed, in the order of the first time.
    pub reached: Vec<u32>,
    /// Those of them that computed another value.
    pub infected: Vec<u32>,
    /// Those of them of which it is not known.
    pub maybe: Vec<u32>,
    /// How far each condition was from coming out true or false.
    pub distances: Vec<Distance>,
    /// Operands of some comparisons.
    pub operands: Vec<Operands>,
    /// Slots that never got a value, because there was none or because their statement was skipped.
    pub absent: Vec<u16>,
    /// What was seen on the original.
    pub observations: Observations,
    /// Mutants that the program was run on.
    pub ran: Vec<u32>,
    /// Those of them that differ: the first difference of each, or all with [`Observing::All`](super::Observing::All).
    pub differences: Vec<(u32, Difference)>,
    /// Of the mutant that the program is made for: it, and how many sites went through something else than in the original.
    pub impact: Option<(u32, u32)>,
}

/// How a program ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// By itself.
    Ok,
    /// A statement, or a drop at the end, panicked.
    Panic {
        /// With addresses masked.
        message: String,
        /// Empty where nobody knows, as after `resume_unwind`.
        file: String,
        /// 0 where nobody knows.
        line: u32,
    },
    /// It used all its ticks.
    Fuel,
    /// It used more stack than allowed.
    Depth,
    /// It allocated more than allowed.
    Memory,
    /// It is not a program: a type, a mode or a slot is wrong.
    Type(String),
    /// Its process was ended by a signal.
    Signal(i32),
    /// It ended its process with this code.
    Exit(i32),
    /// Its process took too long.
    Hang,
    /// It was about to reach outside of its process, and was ended before it did.
    Outside(Outside),
}

/// How far a condition was from coming out true or false, at its best in this run: 0 where it did, 1 where it did not and
/// is no comparison, infinite for a comparison of operands that have no distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// The first mutant of the comparison, or of another condition.
    pub probe: u32,
    /// From coming out true.
    pub to_true: f64,
    /// From coming out false.
    pub to_false: f64,
    /// From coming out differently, which is more than 0 also where it came out both ways: so close one of the times was.
    pub to_other: f64,
}

/// Two values that were compared and differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operands {
    /// The first mutant of the comparison.
    pub probe: u32,
    /// On the left.
    pub left: Operand,
    /// On the right.
    pub right: Operand,
}

/// A value that was compared with another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// An integer of any type.
    Int(i128),
    /// A character.
    Char(char),
    /// A short text.
    Text(String),
}

/// What was seen on the original.
#[derive(Clone, Debug, PartialEq)]
pub enum Observations {
    /// Nobody looked.
    Nothing,
    /// A hash of everything.
    Hash(u64),
    /// Everything.
    Full(Vec<Observation>),
}

/// Something that was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// When.
    pub at: At,
    /// Of which slot.
    pub slot: u16,
    /// What.
    pub what: What,
}

/// When something was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// After this statement.
    Statement(u16),
    /// After the last one.
    End,
}

/// What was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A structured value: see [`Value::decode`](crate::harness::Value::decode).
    Value(Vec<u8>),
    /// What `{:?}` prints, cut and with addresses masked.
    Debug(String),
    /// What `{}` prints, cut and with addresses masked.
    Display(String),
    /// Whether it equals another slot.
    Eq(u16, bool),
    /// How it compares to another slot.
    Cmp(u16, Option<Ordering>),
    /// Looking at it panicked.
    Panics(Aspect),
    /// The statement ended without a value.
    Absent,
}

/// A way of looking at a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)] // Each is that of `What`.
pub enum Aspect {
    Value,
    Debug,
    Display,
    Eq,
    Cmp,
}

/// A way in which a mutant differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// How it ended, and in which statement. `Ok` means that the mutant passed the statement that ended the original.
    Outcome(Outcome, u16),
    /// The observation of this index, and what is seen on the mutant.
    Observation(u32, Option<What>),
}

impl Difference {
    /// Whether the mutant was stopped, or took its process along: that is slow to see, again and again.
    pub fn is_costly(&self) -> bool {
        match self {
            Difference::Outcome(Outcome::Ok | Outcome::Panic { .. }, _) | Difference::Observation(..) => {
                false
            }
            Difference::Outcome(..) => true,
        }
    }
}

impl What {
    /// The way of looking that showed it; `None` where there was nothing to look at.
    pub fn aspect(&self) -> Option<Aspect> {
        match self {
            What::Value(_) => Some(Aspect::Value),
            What::Debug(_) => Some(Aspect::Debug),
            What::Display(_) => Some(Aspect::Display),
            What::Eq(..) => Some(Aspect::Eq),
            What::Cmp(..) => Some(Aspect::Cmp),
            What::Panics(aspect) => Some(*aspect),
            What::Absent => None,
        }
    }
}

impl Execution {
    /// Of a program of which nothing is known but how it ended.
    pub fn ended(outcome: Outcome, statement: u16) -> Execution {
        Execution {
            outcome,
            statement,
            ticks: 0,
            reached: Vec::new(),
            infected: Vec::new(),
            maybe: Vec::new(),
            distances: Vec::new(),
            operands: Vec::new(),
            absent: Vec::new(),
            observations: Observations::Nothing,
            ran: Vec::new(),
            differences: Vec::new(),
            impact: None,
        }
    }
}

impl Answer {
    /// As a message.
    pub fn encode(&self) -> Vec<u8> {
        let mut to = Writer::new();
        to.byte(0);
        self.write(&mut to);
        to.finish()
    }

    /// The message of a worker that did not understand the batch.
    pub fn refusal(error: &Malformed) -> Vec<u8> {
        let mut to = Writer::new();
        to.byte(1);
        error.0.write(&mut to);
        to.finish()
    }

    /// From a message; a refusal is an error too.
    pub fn decode(bytes: &[u8]) -> Result<Answer, Malformed> {
        let mut from = Reader::new(bytes);
        match from.byte()? {
            0 => {
                let answer = Answer::read(&mut from)?;
                from.finish()?;
                Ok(answer)
            }
            1 => Err(Malformed(format!("the worker refuses: {}", String::read(&mut from)?))),
            other => Err(Malformed(format!("{other} is no answer"))),
        }
    }
}

wire_struct!(Answer { executions, leaked, threads_left });
wire_struct!(Distance { probe, to_true, to_false, to_other });
wire_struct!(Operands { probe, left, right });
wire_struct!(Observation { at, slot, what });
wire_enum!(Outside { Files, Network, Processes, Environment, Directory, Input, Signals });
wire_enum!(Aspect { Value, Debug, Display, Eq, Cmp });

impl Wire for Execution {
    fn write(&self, to: &mut Writer) {
        self.outcome.write(to);
        self.statement.write(to);
        self.ticks.write(to);
        to.numbers(&self.reached);
        to.numbers(&self.infected);
        to.numbers(&self.maybe);
        self.distances.write(to);
        self.operands.write(to);
        self.absent.write(to);
        self.observations.write(to);
        to.numbers(&self.ran);
        self.differences.write(to);
        self.impact.write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Execution, Malformed> {
        Ok(Execution {
            outcome: Wire::read(from)?,
            statement: Wire::read(from)?,
            ticks: Wire::read(from)?,
            reached: from.numbers()?,
            infected: from.numbers()?,
            maybe: from.numbers()?,
            distances: Wire::read(from)?,
            operands: Wire::read(from)?,
            absent: Wire::read(from)?,
            observations: Wire::read(from)?,
            ran: from.numbers()?,
            differences: Wire::read(from)?,
            impact: Wire::read(from)?,
        })
    }
}

impl Wire for Outcome {
    fn write(&self, to: &mut Writer) {
        match self {
            Outcome::Ok => to.byte(0),
            Outcome::Panic { message, file, line } => {
                to.byte(1);
                message.write(to);
                file.write(to);
                line.write(to);
            }
            Outcome::Fuel => to.byte(2),
            Outcome::Depth => to.byte(3),
            Outcome::Memory => to.byte(4),
            Outcome::Type(text) => {
                to.byte(5);
                text.write(to);
            }
            Outcome::Signal(number) => {
                to.byte(6);
                number.write(to);
            }
            Outcome::Exit(code) => {
                to.byte(7);
                code.write(to);
            }
            Outcome::Hang => to.byte(8),
            Outcome::Outside(outside) => {
                to.byte(9);
                outside.write(to);
            }
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Outcome, Malformed> {
        Ok(match from.byte()? {
            0 => Outcome::Ok,
            1 => Outcome::Panic {
                message: Wire::read(from)?,
                file: Wire::read(from)?,
                line: Wire::read(from)?,
            },
            2 => Outcome::Fuel,
            3 => Outcome::Depth,
            4 => Outcome::Memory,
            5 => Outcome::Type(Wire::read(from)?),
            6 => Outcome::Signal(Wire::read(from)?),
            7 => Outcome::Exit(Wire::read(from)?),
            8 => Outcome::Hang,
            9 => Outcome::Outside(Wire::read(from)?),
            other => return Err(Malformed(format!("{other} is no outcome"))),
        })
    }
}

impl Wire for Operand {
    fn write(&self, to: &mut Writer) {
        match self {
            Operand::Int(value) => {
                to.byte(0);
                to.signed(*value);
            }
            Operand::Char(value) => {
                to.byte(1);
                u32::from(*value).write(to);
            }
            Operand::Text(text) => {
                to.byte(2);
                text.write(to);
            }
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Operand, Malformed> {
        Ok(match from.byte()? {
            0 => Operand::Int(from.signed()?),
            1 => {
                let value = char::from_u32(u32::read(from)?);
                Operand::Char(value.ok_or_else(|| Malformed("a char is none".to_owned()))?)
            }
            2 => Operand::Text(Wire::read(from)?),
            other => return Err(Malformed(format!("{other} is no operand"))),
        })
    }
}

impl Wire for Observations {
    fn write(&self, to: &mut Writer) {
        match self {
            Observations::Nothing => to.byte(0),
            Observations::Hash(hash) => {
                to.byte(1);
                to.raw(&hash.to_le_bytes());
            }
            Observations::Full(all) => {
                to.byte(2);
                all.write(to);
            }
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Observations, Malformed> {
        Ok(match from.byte()? {
            0 => Observations::Nothing,
            1 => {
                let bytes = from.raw(8)?.try_into().expect("raw gives as many bytes as asked for");
                Observations::Hash(u64::from_le_bytes(bytes))
            }
            2 => Observations::Full(Wire::read(from)?),
            other => return Err(Malformed(format!("{other} are no observations"))),
        })
    }
}

/// The end is 0, every statement one more than its number.
impl Wire for At {
    fn write(&self, to: &mut Writer) {
        match self {
            At::End => to.uint(0),
            At::Statement(number) => to.uint(u64::from(*number) + 1),
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<At, Malformed> {
        match u32::read(from)? {
            0 => Ok(At::End),
            number => {
                let number = u16::try_from(number - 1);
                number.map(At::Statement).map_err(|_| Malformed("a statement is too large".to_owned()))
            }
        }
    }
}

impl Wire for What {
    fn write(&self, to: &mut Writer) {
        match self {
            What::Value(bytes) => {
                to.byte(0);
                bytes.write(to);
            }
            What::Debug(text) => {
                to.byte(1);
                text.write(to);
            }
            What::Display(text) => {
                to.byte(2);
                text.write(to);
            }
            What::Eq(slot, equal) => {
                to.byte(3);
                slot.write(to);
                equal.write(to);
            }
            What::Cmp(slot, order) => {
                to.byte(4);
                slot.write(to);
                to.byte(match order {
                    None => 0,
                    Some(Ordering::Less) => 1,
                    Some(Ordering::Equal) => 2,
                    Some(Ordering::Greater) => 3,
                });
            }
            What::Panics(aspect) => {
                to.byte(5);
                aspect.write(to);
            }
            What::Absent => to.byte(6),
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<What, Malformed> {
        Ok(match from.byte()? {
            0 => What::Value(Wire::read(from)?),
            1 => What::Debug(Wire::read(from)?),
            2 => What::Display(Wire::read(from)?),
            3 => What::Eq(Wire::read(from)?, Wire::read(from)?),
            4 => {
                let slot = Wire::read(from)?;
                let order = match from.byte()? {
                    0 => None,
                    1 => Some(Ordering::Less),
                    2 => Some(Ordering::Equal),
                    3 => Some(Ordering::Greater),
                    other => return Err(Malformed(format!("{other} is no order"))),
                };
                What::Cmp(slot, order)
            }
            5 => What::Panics(Wire::read(from)?),
            6 => What::Absent,
            other => return Err(Malformed(format!("{other} is no observation"))),
        })
    }
}

impl Wire for Difference {
    fn write(&self, to: &mut Writer) {
        match self {
            Difference::Outcome(outcome, statement) => {
                to.byte(0);
                outcome.write(to);
                statement.write(to);
            }
            Difference::Observation(index, what) => {
                to.byte(1);
                index.write(to);
                what.write(to);
            }
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Difference, Malformed> {
        match from.byte()? {
            0 => Ok(Difference::Outcome(Wire::read(from)?, Wire::read(from)?)),
            1 => Ok(Difference::Observation(Wire::read(from)?, Wire::read(from)?)),
            other => Err(Malformed(format!("{other} is no difference"))),
        }
    }
}
