//! Programs as JSON, to be kept and read by people: [`to_json`], [`from_json`].
//!
//! Callables and types are written as their paths, not as their numbers, so that a program can still be read when the
//! crate has changed: it is an error only if it uses what is no longer there.
//!
//! ```json
//! {"statements": [
//!   {"literal": {"type": "u64", "value": {"int": "1u64"}}},
//!   {"call": {"path": "semver::Version::new", "args": ["copy 0", "copy 0", "copy 0"]}},
//!   {"drop": 1}
//! ]}
//! ```

use std::fmt;

use serde::{Deserialize, Serialize};
use testsmith_ir::{Api, Arg, CallableId, Literal, Mode, Program, Slot, Statement, TypeId};

/// Why a text is no program.
#[derive(Debug)]
#[non_exhaustive]
pub enum JsonError {
    /// It is not JSON, or not of this form.
    Form(serde_json::Error),
    /// A statement uses what the crate does not have, or a value that is none.
    Statement {
        /// Its number.
        number: usize,
        /// What is wrong.
        reason: String,
    },
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Form(error) => write!(f, "not a program: {error}"),
            Self::Statement { number, reason } => write!(f, "statement {number}: {reason}"),
        }
    }
}

impl std::error::Error for JsonError {}

/// A program as JSON. The numbers in it must be those of the tables.
pub fn to_json(program: &Program, api: &Api) -> String {
    let statements = program.statements.iter().map(|statement| Written::of(statement, api)).collect();
    serde_json::to_string(&Document { statements }).expect("texts and numbers can be written")
}

/// Reads a program back. That it keeps to the borrow rules is not checked.
pub fn from_json(text: &str, api: &Api) -> Result<Program, JsonError> {
    let document: Document = serde_json::from_str(text).map_err(JsonError::Form)?;
    let read = |(number, written): (usize, Written)| {
        written.read(number, api).map_err(|reason| JsonError::Statement { number, reason })
    };
    document.statements.into_iter().enumerate().map(read).collect()
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    statements: Vec<Written>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Written {
    Literal {
        #[serde(rename = "type")]
        ty: String,
        value: Value,
    },
    Call {
        path: String,
        args: Vec<String>,
    },
    Drop(u16),
}

/// Numbers are texts: JSON's own would lose bits.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Value {
    Unit,
    Bool(bool),
    Char(char),
    Int(String),
    Float(String),
    Str(String),
    String(String),
    ByteStr(Vec<u8>),
    Bytes(Vec<u8>),
}

const MODES: [(Mode, &str); 4] =
    [(Mode::Move, "move"), (Mode::Copy, "copy"), (Mode::Shared, "shared"), (Mode::Exclusive, "exclusive")];

impl Written {
    fn of(statement: &Statement, api: &Api) -> Self {
        match statement {
            Statement::Literal { ty, value } => {
                let ty = api.types[ty.0 as usize].text.clone();
                Self::Literal { ty, value: Value::of(value) }
            }
            Statement::Call { callable, args } => {
                let path = api.callables[callable.0 as usize].path.clone();
                Self::Call { path, args: args.iter().map(write_arg).collect() }
            }
            Statement::Drop(slot) => Self::Drop(slot.0),
        }
    }

    fn read(self, number: usize, api: &Api) -> Result<Statement, String> {
        match self {
            Self::Literal { ty, value } => {
                let found = api.types.iter().position(|known| known.text == ty);
                let ty = TypeId(index(found).ok_or_else(|| format!("there is no type `{ty}`"))?);
                Ok(Statement::Literal { ty, value: value.read()? })
            }
            Self::Call { path, args } => {
                let found = api.callables.iter().position(|known| known.path == path);
                let callable = index(found).ok_or_else(|| format!("there is no callable `{path}`"))?;
                let args = args.iter().map(|arg| read_arg(arg, number)).collect::<Result<_, _>>()?;
                Ok(Statement::Call { callable: CallableId(callable), args })
            }
            Self::Drop(slot) => Ok(Statement::Drop(earlier(slot, number)?)),
        }
    }
}

fn index(position: Option<usize>) -> Option<u32> {
    position.and_then(|position| u32::try_from(position).ok())
}

/// A slot that was defined before this statement.
fn earlier(slot: u16, number: usize) -> Result<Slot, String> {
    if usize::from(slot) < number { Ok(Slot(slot)) } else { Err(format!("slot {slot} comes later")) }
}

fn write_arg(arg: &Arg) -> String {
    let (_, name) = MODES.iter().find(|(mode, _)| *mode == arg.mode).expect("the table has every mode");
    format!("{name} {}", arg.slot.0)
}

fn read_arg(text: &str, number: usize) -> Result<Arg, String> {
    let parse = || {
        let (name, slot) = text.split_once(' ')?;
        let (mode, _) = MODES.iter().find(|(_, known)| *known == name)?;
        Some((*mode, slot.parse().ok()?))
    };
    let (mode, slot) = parse().ok_or_else(|| format!("`{text}` is no argument"))?;
    Ok(Arg { slot: earlier(slot, number)?, mode })
}

impl Value {
    fn of(literal: &Literal) -> Self {
        match literal {
            Literal::Unit => Self::Unit,
            Literal::Bool(value) => Self::Bool(*value),
            Literal::Char(value) => Self::Char(*value),
            Literal::Signed { bits, value } => Self::Int(format!("{value}{}", suffix('i', *bits))),
            Literal::Unsigned { bits, value } => Self::Int(format!("{value}{}", suffix('u', *bits))),
            Literal::F32(bits) => match f32::from_bits(*bits) {
                value if value.is_nan() => Self::Float(format!("bits {bits:x} f32")),
                value => Self::Float(format!("{value:?} f32")),
            },
            Literal::F64(bits) => match f64::from_bits(*bits) {
                value if value.is_nan() => Self::Float(format!("bits {bits:x} f64")),
                value => Self::Float(format!("{value:?} f64")),
            },
            Literal::Str(value) => Self::Str(value.clone()),
            Literal::String(value) => Self::String(value.clone()),
            Literal::ByteStr(value) => Self::ByteStr(value.clone()),
            Literal::Bytes(value) => Self::Bytes(value.clone()),
        }
    }

    fn read(self) -> Result<Literal, String> {
        Ok(match self {
            Self::Unit => Literal::Unit,
            Self::Bool(value) => Literal::Bool(value),
            Self::Char(value) => Literal::Char(value),
            Self::Int(text) => read_int(&text).ok_or_else(|| format!("`{text}` is no integer"))?,
            Self::Float(text) => read_float(&text).ok_or_else(|| format!("`{text}` is no number"))?,
            Self::Str(value) => Literal::Str(value),
            Self::String(value) => Literal::String(value),
            Self::ByteStr(value) => Literal::ByteStr(value),
            Self::Bytes(value) => Literal::Bytes(value),
        })
    }
}

/// `i32`, `usize`.
fn suffix(letter: char, bits: u8) -> String {
    if bits == 0 { format!("{letter}size") } else { format!("{letter}{bits}") }
}

fn read_int(text: &str) -> Option<Literal> {
    let (number, suffix) = text.split_at(text.find(['i', 'u'])?);
    let bits = match &suffix[1..] {
        "size" => 0,
        bits => bits.parse().ok().filter(|bits| [8, 16, 32, 64, 128].contains(bits))?,
    };
    if suffix.starts_with('i') {
        let value = number.parse().ok()?;
        Some(Literal::Signed { bits, value }).filter(|literal| *literal == Literal::int(true, bits, value))
    } else {
        let value: u128 = number.parse().ok()?;
        let wrapped = Literal::int(false, bits, value.cast_signed());
        Some(Literal::Unsigned { bits, value }).filter(|literal| *literal == wrapped)
    }
}

/// There are many NaN, so these are written as bits.
fn read_float(text: &str) -> Option<Literal> {
    let (number, suffix) = text.rsplit_once(' ')?;
    let bits = number.strip_prefix("bits ").map(|bits| u64::from_str_radix(bits, 16).ok());
    match (suffix, bits) {
        ("f32", Some(bits)) => Some(Literal::F32(u32::try_from(bits?).ok()?)),
        ("f64", Some(bits)) => Some(Literal::F64(bits?)),
        ("f32", None) => Some(Literal::from(number.parse::<f32>().ok()?)),
        ("f64", None) => Some(Literal::from(number.parse::<f64>().ok()?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use testsmith_ir::{Accepts, Callable, LiteralKind, Param, Type};

    use super::*;

    fn api() -> Api {
        let ty = |text: &str| Type {
            text: text.to_owned(),
            shown: text.to_owned(),
            imports: Vec::new(),
            literal: Some(LiteralKind::Unit),
            borrows: false,
            referent: None,
            facts: Default::default(),
        };
        let param = Param { name: "it".to_owned(), accepts: Accepts::Value(TypeId(0)) };
        let callable = |path: &str| Callable {
            path: path.to_owned(),
            code: String::new(),
            shown: String::new(),
            imports: Vec::new(),
            params: vec![param.clone()],
            output: TypeId(0),
            flows: Vec::new(),
        };
        let types = ["()", "u64", "::a::B<'static>"].map(ty).into();
        Api { types, callables: ["a::new", "a::B::get"].map(callable).into(), ..Api::default() }
    }

    #[track_caller]
    fn check_literal(value: Literal, written: &str) {
        let program = Program::from_iter([Statement::Literal { ty: TypeId(1), value }]);
        let text = to_json(&program, &api());
        assert_eq!(text, format!(r#"{{"statements":[{{"literal":{{"type":"u64","value":{written}}}}}]}}"#));
        assert_eq!(from_json(&text, &api()).expect("it was just written"), program);
    }

    #[test]
    fn every_literal_survives() {
        check_literal(Literal::Unit, r#""unit""#);
        check_literal(Literal::Bool(true), r#"{"bool":true}"#);
        check_literal(Literal::Char('\u{1f600}'), "{\"char\":\"\u{1f600}\"}");
        check_literal(Literal::int(true, 8, -128), r#"{"int":"-128i8"}"#);
        check_literal(Literal::int(true, 0, i64::MIN.into()), r#"{"int":"-9223372036854775808isize"}"#);
        check_literal(
            Literal::int(true, 128, i128::MIN),
            r#"{"int":"-170141183460469231731687303715884105728i128"}"#,
        );
        check_literal(Literal::int(false, 0, 7), r#"{"int":"7usize"}"#);
        check_literal(
            Literal::int(false, 128, -1),
            r#"{"int":"340282366920938463463374607431768211455u128"}"#,
        );
        check_literal(Literal::from(0.1_f32), r#"{"float":"0.1 f32"}"#);
        check_literal(Literal::from(-0.0_f64), r#"{"float":"-0.0 f64"}"#);
        check_literal(Literal::from(f64::MIN_POSITIVE / 4.0), r#"{"float":"5.562684646268003e-309 f64"}"#);
        check_literal(Literal::from(f32::NEG_INFINITY), r#"{"float":"-inf f32"}"#);
        check_literal(Literal::F32(0x7fc0_0001), r#"{"float":"bits 7fc00001 f32"}"#);
        check_literal(Literal::F64(0xfff8_0000_0000_0007), r#"{"float":"bits fff8000000000007 f64"}"#);
        check_literal(Literal::Str("a\"\n\0".to_owned()), r#"{"str":"a\"\n\u0000"}"#);
        check_literal(Literal::String(String::new()), r#"{"string":""}"#);
        check_literal(Literal::ByteStr(vec![0, 255]), r#"{"byte_str":[0,255]}"#);
        check_literal(Literal::Bytes(Vec::new()), r#"{"bytes":[]}"#);
    }

    #[test]
    fn calls_and_drops_survive() {
        let [zero, one] = [0, 1].map(Slot);
        let args = vec![Arg::moved(zero), Arg::copied(one), Arg::shared(zero), Arg::exclusive(one)];
        let program = Program::from_iter([
            Statement::Literal { ty: TypeId(2), value: Literal::Unit },
            Statement::Call { callable: CallableId(1), args: Vec::new() },
            Statement::Call { callable: CallableId(0), args },
            Statement::Drop(one),
        ]);
        let text = to_json(&program, &api());
        let expected =
            r#"{"call":{"path":"a::new","args":["move 0","copy 1","shared 0","exclusive 1"]}},{"drop":1}"#;
        assert!(text.contains(expected), "{text}");
        assert_eq!(from_json(&text, &api()).expect("it was just written"), program);
        assert_eq!(from_json(&to_json(&Program::default(), &api()), &api()).ok(), Some(Program::default()));
    }

    #[test]
    fn what_is_no_program_is_told() {
        let literal = |value: &str| format!(r#"{{"literal":{{"type":"()","value":{value}}}}}"#);
        let table = [
            (r#"{"drop":0}"#.to_owned(), "statement 0: slot 0 comes later"),
            (r#"{"call":{"path":"gone","args":[]}}"#.to_owned(), "there is no callable `gone`"),
            (r#"{"call":{"path":"a::new","args":["copy 1"]}}"#.to_owned(), "slot 1 comes later"),
            (r#"{"call":{"path":"a::new","args":["steal 0"]}}"#.to_owned(), "`steal 0` is no argument"),
            (r#"{"literal":{"type":"Gone","value":"unit"}}"#.to_owned(), "there is no type `Gone`"),
            (literal(r#"{"int":"300u8"}"#), "`300u8` is no integer"),
            (literal(r#"{"int":"-1u8"}"#), "`-1u8` is no integer"),
            (literal(r#"{"int":"1i7"}"#), "`1i7` is no integer"),
            (literal(r#"{"int":"1"}"#), "`1` is no integer"),
            (literal(r#"{"float":"x f64"}"#), "`x f64` is no number"),
            (literal(r#"{"float":"1.0"}"#), "`1.0` is no number"),
            (r#"{"jump":0}"#.to_owned(), "not a program"),
        ];
        for (statement, expected) in table {
            let text = format!(r#"{{"statements":[{statement}]}}"#);
            let error = from_json(&text, &api()).expect_err("it is no program").to_string();
            assert!(error.contains(expected), "{statement}: {error}");
        }
    }
}
