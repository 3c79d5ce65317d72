//! SMT-LIB text to expressions: declarations, definitions without parameters and assertions over bit vectors.
//!
//! Main types: [`Query`], what a file says, and [`BadText`]. What is not understood is an error, never left out: a query without one of
//! its assertions is another query.

use rustc_hash::FxHashMap;

use super::names::{BIT_VECTOR, FLOAT, converts, operation};
use super::sexp::{Sexp, parse};
use crate::expr::{Expr, Exprs, Model, Op};

/// Why a text is no query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadText(String);

impl BadText {
    pub(super) fn new(what: impl Into<String>) -> Self {
        Self(what.into())
    }
}

impl std::fmt::Display for BadText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadText {}

/// What a file asks.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// The assertions, each of width 1.
    pub constraints: Vec<Expr>,
    /// The names of variables; the number of a variable is its place here.
    pub names: Vec<String>,
}

/// Reads a query into a table, which should have no variables yet.
///
/// # Errors
/// When the text is no SMT-LIB, or uses what is not understood.
pub fn read(exprs: &mut Exprs, text: &str) -> Result<Query, BadText> {
    let mut reader = Reader { exprs, query: Query::default(), known: FxHashMap::default() };
    for command in parse(text)? {
        reader.command(&command)?;
    }
    Ok(reader.query)
}

/// Reads the answer of a solver to `get-value` for the variables that `write` names: `((x7 #x0a) (x9 true))`.
///
/// # Errors
/// When the answer is something else.
pub fn read_model(text: &str) -> Result<Model, BadText> {
    let bad =
        || BadText::new(format!("not a list of values: {}", text.chars().take(200).collect::<String>()));
    let mut exprs = Exprs::new();
    let mut reader = Reader { exprs: &mut exprs, query: Query::default(), known: FxHashMap::default() };
    let top = parse(text)?;
    let mut model = Model::new();
    for pair in top.first().and_then(Sexp::list).ok_or_else(bad)? {
        let [Sexp::Atom(name), value] = pair.list().ok_or_else(bad)? else { return Err(bad()) };
        let number = name.strip_prefix('x').and_then(|digits| digits.parse().ok()).ok_or_else(bad)?;
        let value = reader.term(value, &mut Vec::new())?;
        model.set(number, reader.exprs.as_constant(value).ok_or_else(bad)?);
    }
    Ok(model)
}

struct Reader<'e> {
    exprs: &'e mut Exprs,
    query: Query,
    known: FxHashMap<String, Expr>,
}

/// Names of `let`, innermost last.
type Scope = Vec<(String, Expr)>;

impl Reader<'_> {
    fn command(&mut self, command: &Sexp<'_>) -> Result<(), BadText> {
        let parts = command.list().unwrap_or_default();
        match parts {
            [Sexp::Atom("set-logic" | "set-info" | "set-option"), ..] => Ok(()),
            [Sexp::Atom("check-sat" | "exit" | "get-model" | "get-value"), ..] => Ok(()),
            [Sexp::Atom("declare-const"), Sexp::Atom(name), sort] => self.declare(name, sort),
            [Sexp::Atom("declare-fun"), Sexp::Atom(name), Sexp::List(parameters), sort]
                if parameters.is_empty() =>
            {
                self.declare(name, sort)
            }
            [Sexp::Atom("define-fun"), Sexp::Atom(name), Sexp::List(parameters), sort, body]
                if parameters.is_empty() =>
            {
                let body = self.term(body, &mut Vec::new())?;
                if self.exprs.width(body) != width_of(sort)? {
                    return Err(BadText::new(format!("{name} has another width than its sort")));
                }
                self.known.insert((*name).to_owned(), body);
                Ok(())
            }
            [Sexp::Atom("assert"), body] => {
                let body = self.term(body, &mut Vec::new())?;
                self.boolean(body)?;
                self.query.constraints.push(body);
                Ok(())
            }
            _ => Err(BadText::new(format!("unknown command {command:?}"))),
        }
    }

    fn declare(&mut self, name: &str, sort: &Sexp<'_>) -> Result<(), BadText> {
        let number = self.query.names.len() as u32;
        let variable = self.exprs.variable(number, width_of(sort)?);
        self.query.names.push(name.to_owned());
        self.known.insert(name.to_owned(), variable);
        Ok(())
    }

    fn boolean(&self, expr: Expr) -> Result<(), BadText> {
        match self.exprs.width(expr) {
            1 => Ok(()),
            width => Err(BadText::new(format!("{width} bits where a truth value is needed"))),
        }
    }

    fn term(&mut self, term: &Sexp<'_>, scope: &mut Scope) -> Result<Expr, BadText> {
        match term {
            Sexp::Atom(atom) => self.atom(atom, scope),
            Sexp::List(items) => match &items[..] {
                [Sexp::Atom("let"), Sexp::List(bindings), body] => self.binding(bindings, body, scope),
                [Sexp::Atom("_"), Sexp::Atom(literal), Sexp::Atom(width)] => {
                    let value = literal.strip_prefix("bv").and_then(|digits| digits.parse().ok());
                    let value = value.ok_or_else(|| BadText::new(format!("unknown constant {literal}")))?;
                    let width = number(width).filter(|width| (1..=128).contains(width));
                    let width = width.ok_or_else(|| BadText::new("a constant of more than 128 bits"))?;
                    Ok(self.exprs.constant(width, value))
                }
                [head, operands @ ..] => {
                    let operands: Result<Vec<Expr>, BadText> =
                        operands.iter().map(|operand| self.term(operand, scope)).collect();
                    match head {
                        Sexp::Atom(name) => self.apply(name, &operands?),
                        Sexp::List(indexed) => self.apply_indexed(indexed, &operands?),
                    }
                }
                [] => Err(BadText::new("an empty term")),
            },
        }
    }

    fn atom(&mut self, atom: &str, scope: &Scope) -> Result<Expr, BadText> {
        if let Some((_, value)) = scope.iter().rev().find(|(name, _)| name == atom) {
            return Ok(*value);
        }
        if let Some(&known) = self.known.get(atom) {
            return Ok(known);
        }
        let digits = |radix: u32, bits: usize| {
            let width = (atom.len() - 2) * bits;
            let value = u128::from_str_radix(&atom[2..], radix).ok()?;
            (1..=128).contains(&width).then_some((width as u32, value))
        };
        let literal = match atom.get(..2) {
            Some("#x") => digits(16, 4),
            Some("#b") => digits(2, 1),
            _ => None,
        };
        match (literal, atom) {
            (Some((width, value)), _) => Ok(self.exprs.constant(width, value)),
            (_, "true") => Ok(Exprs::TRUE),
            (_, "false") => Ok(Exprs::FALSE),
            _ => Err(BadText::new(format!("unknown name {atom}"))),
        }
    }

    fn binding(
        &mut self,
        bindings: &[Sexp<'_>],
        body: &Sexp<'_>,
        scope: &mut Scope,
    ) -> Result<Expr, BadText> {
        let mut values = Vec::new();
        for binding in bindings {
            let Some([Sexp::Atom(name), value]) = binding.list() else {
                return Err(BadText::new("a binding is a name and a term"));
            };
            values.push(((*name).to_owned(), self.term(value, scope)?));
        }
        let outside = scope.len();
        scope.extend(values);
        let body = self.term(body, scope);
        scope.truncate(outside);
        body
    }

    fn apply(&mut self, name: &str, operands: &[Expr]) -> Result<Expr, BadText> {
        if let Some(op) = operation(BIT_VECTOR, name).or_else(|| operation(FLOAT, name)) {
            return self.operation(name, op, operands);
        }
        let e = &mut *self.exprs;
        let pairs = || operands.iter().zip(&operands[1..]);
        let widths = |places: &[usize]| same(e, places.iter().filter_map(|&place| operands.get(place)));
        match (name, operands) {
            ("not", &[a]) => Ok(e.not(a)),
            ("and", _) => self.fold(Op::And, operands),
            ("or", _) => self.fold(Op::Or, operands),
            ("xor", _) => self.fold(Op::Xor, operands),
            ("=>", &[a, b]) if widths(&[0, 1]) => {
                let not = e.not(a);
                Ok(e.or(not, b))
            }
            ("=", [_, ..]) if same(e, operands) => {
                let equal: Vec<Expr> = pairs().map(|(&a, &b)| e.eq(a, b)).collect();
                Ok(e.all(equal))
            }
            ("distinct", &[a, b]) if widths(&[0, 1]) => Ok(e.ne(a, b)),
            ("ite", &[c, a, b]) if e.width(c) == 1 && widths(&[1, 2]) => Ok(e.ite(c, a, b)),
            ("concat", &[a, b]) if e.width(a) + e.width(b) <= 128 => Ok(e.concat(a, b)),
            ("bvneg", &[a]) => Ok(e.neg(a)),
            ("bvule", &[a, b]) if widths(&[0, 1]) => Ok(e.ule(a, b)),
            ("bvuge", &[a, b]) if widths(&[0, 1]) => Ok(e.ule(b, a)),
            ("bvugt", &[a, b]) if widths(&[0, 1]) => Ok(e.ult(b, a)),
            ("bvsle", &[a, b]) if widths(&[0, 1]) => Ok(e.sle(a, b)),
            ("bvsge", &[a, b]) if widths(&[0, 1]) => Ok(e.sle(b, a)),
            ("bvsgt", &[a, b]) if widths(&[0, 1]) => Ok(e.slt(b, a)),
            ("bvcomp", &[a, b]) if widths(&[0, 1]) => Ok(e.eq(a, b)),
            _ => Err(BadText::new(format!("{name} of {} operands", operands.len()))),
        }
    }

    /// An operation of the table; associative ones take any number of operands.
    fn operation(&mut self, name: &str, op: Op, operands: &[Expr]) -> Result<Expr, BadText> {
        match (op.arity(), operands) {
            _ if converts(op) => Err(BadText::new(format!("{name} has a width: (_ {name} 32)"))),
            (1, &[a]) => Ok(self.exprs.unary(op, a)),
            (2, &[a, b]) if same(self.exprs, operands) => Ok(self.exprs.binary(op, a, b)),
            (2, _) if matches!(op, Op::Add | Op::Mul | Op::And | Op::Or | Op::Xor) => self.fold(op, operands),
            _ => Err(BadText::new(format!("{name} of {} operands", operands.len()))),
        }
    }

    fn fold(&mut self, op: Op, operands: &[Expr]) -> Result<Expr, BadText> {
        if !same(self.exprs, operands) {
            return Err(BadText::new("operands of different widths"));
        }
        let folded = operands.iter().copied().reduce(|a, b| self.exprs.binary(op, a, b));
        folded.ok_or_else(|| BadText::new("an operation without operands"))
    }

    fn apply_indexed(&mut self, head: &[Sexp<'_>], operands: &[Expr]) -> Result<Expr, BadText> {
        let bad = || BadText::new(format!("unknown operation {head:?}"));
        let (&[a], [Sexp::Atom("_"), Sexp::Atom(name), indices @ ..]) = (operands, head) else {
            return Err(bad());
        };
        let indices: Option<Vec<u32>> = indices.iter().map(|index| number(index.atom()?)).collect();
        let indices = indices.ok_or_else(bad)?;
        let width = self.exprs.width(a);
        match (*name, &indices[..]) {
            ("extract", &[high, low]) if low <= high && high < width => {
                Ok(self.exprs.extract(low, high - low + 1, a))
            }
            ("zero_extend", &[by]) if width + by <= 128 => Ok(self.exprs.zext(width + by, a)),
            ("sign_extend", &[by]) if width + by <= 128 => Ok(self.exprs.sext(width + by, a)),
            (name, &[to]) => {
                let op = operation(FLOAT, name).filter(|&op| converts(op)).ok_or_else(bad)?;
                Ok(self.exprs.convert(op, to, a))
            }
            _ => Err(bad()),
        }
    }
}

fn same<'a>(exprs: &Exprs, operands: impl IntoIterator<Item = &'a Expr>) -> bool {
    let mut widths = operands.into_iter().map(|&operand| exprs.width(operand));
    widths.next().is_none_or(|first| widths.all(|width| width == first))
}

fn number(text: &str) -> Option<u32> {
    text.parse().ok().filter(|&number| number <= 1024)
}

fn width_of(sort: &Sexp<'_>) -> Result<u32, BadText> {
    let width = match sort {
        Sexp::Atom("Bool") => Some(1),
        Sexp::Atom(_) => None,
        Sexp::List(parts) => match parts[..] {
            [Sexp::Atom("_"), Sexp::Atom("BitVec"), Sexp::Atom(width)] => number(width),
            _ => None,
        },
    };
    let width = width.filter(|width| (1..=128).contains(width));
    width.ok_or_else(|| BadText::new(format!("unknown sort {sort:?}")))
}
