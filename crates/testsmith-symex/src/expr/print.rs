//! Expressions for people: infix, `%` names a variable, signs say which reading an operation has.
//!
//! Main type: [`Text`]. A shared expression is written each time it occurs, so the length is limited; what is cut shows as `…`.

use std::fmt::{self, Display, Formatter};

use super::node::{Expr, Op};
use super::table::Exprs;

/// An expression as text of at most about `limit` characters.
pub struct Text<'a> {
    exprs: &'a Exprs,
    expr: Expr,
    limit: usize,
    names: &'a dyn Names,
}

/// What variables are called.
pub trait Names {
    /// The name of the variable of this number.
    fn name(&self, number: u32) -> String;

    /// Whether it is a byte of a text, so that what it is compared with is shown as a letter.
    fn is_letter(&self, number: u32) -> bool;

    /// Whether operations on signed numbers look as those on others do, as in source code.
    fn like_source(&self) -> bool {
        true
    }
}

/// `%7` for variable 7.
struct Numbers;

impl Names for Numbers {
    fn name(&self, number: u32) -> String {
        format!("%{number}")
    }

    fn is_letter(&self, _: u32) -> bool {
        false
    }

    fn like_source(&self) -> bool {
        false
    }
}

impl Exprs {
    /// The expression as text for people who know its variables by these names.
    #[must_use]
    pub fn text<'a>(&'a self, expr: Expr, limit: usize, names: &'a dyn Names) -> Text<'a> {
        Text { exprs: self, expr, limit, names }
    }

    /// The expression as text, with `%7` for variable 7, and with what tells operations on signed numbers from others.
    #[must_use]
    pub fn show(&self, expr: Expr) -> String {
        self.text(expr, 400, &Numbers).to_string()
    }
}

impl Display for Text<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        self.write(self.expr, &mut out);
        // The outermost brackets say nothing.
        let inner = out.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        f.write_str(inner.filter(|inner| self.names.like_source() && is_closed(inner)).unwrap_or(&out))
    }
}

impl Text<'_> {
    fn write(&self, expr: Expr, out: &mut String) {
        if out.len() > self.limit {
            out.push('…');
            return;
        }
        let node = self.exprs.node(expr);
        let operands: Vec<Expr> = node.operands().collect();
        match (node.op(), &operands[..]) {
            (Op::Const, _) => out.push_str(&self.constant(expr, Reading::Number)),
            (Op::Var, _) => {
                let number = self.exprs.as_variable(expr).expect("it is one");
                out.push_str(&self.names.name(number));
            }
            (Op::Not, &[a]) if self.names.like_source() && self.opposite(a, out) => {}
            (Op::Not, &[a]) => {
                out.push('!');
                self.write(a, out);
            }
            (Op::Ite, &[condition, then, otherwise]) => {
                self.call("if", &[condition, then, otherwise], out);
            }
            (Op::Extract, &[a]) => {
                self.write(a, out);
                out.push_str(&format!("[{}..{}]", node.low(), node.low() + node.width()));
            }
            (op, &[a, b]) if !infix(op).is_empty() => self.infix(op, infix(op), [a, b], out),
            (Op::ZExt | Op::SExt, &[a]) => {
                let sign = if node.op() == Op::ZExt { 'u' } else { 'i' };
                self.write(a, out);
                out.push_str(&format!(" as {sign}{}", node.width()));
            }
            (op, operands) => self.call(&format!("{op:?}").to_lowercase(), operands, out),
        }
    }

    fn infix(&self, op: Op, sign: &str, [a, b]: [Expr; 2], out: &mut String) {
        let is_signed = matches!(op, Op::Slt | Op::SDiv | Op::SRem | Op::AShr);
        let reading = match op {
            _ if !self.names.like_source() => Reading::Number,
            _ if is_signed => Reading::Signed,
            Op::Eq | Op::Ult if self.is_letter(a) || self.is_letter(b) => Reading::Letter,
            _ => Reading::Number,
        };
        let side = |expr, out: &mut String| match self.exprs.as_constant(expr) {
            Some(_) => out.push_str(&self.constant(expr, reading)),
            None => self.write(expr, out),
        };
        out.push('(');
        side(a, out);
        match reading {
            Reading::Signed => out.push_str(&sign.replace('s', "")),
            _ => out.push_str(sign),
        }
        side(b, out);
        out.push(')');
    }

    /// What is not so, without a `!`; whether there is such a form. A float that is not less may be no number.
    fn opposite(&self, expr: Expr, out: &mut String) -> bool {
        let node = self.exprs.node(expr);
        let operands: Vec<Expr> = node.operands().collect();
        match (node.op(), &operands[..]) {
            (Op::Eq, &[a, b]) => self.infix(Op::Eq, " != ", [a, b], out),
            (op @ (Op::Ult | Op::Slt), &[a, b]) => self.infix(op, " >= ", [a, b], out),
            _ => return false,
        }
        true
    }

    /// Whether it is made of letters of a text alone.
    fn is_letter(&self, expr: Expr) -> bool {
        let mut numbers =
            self.exprs.variables(expr).map(|variable| self.exprs.as_variable(variable)).peekable();
        numbers.peek().is_some() && numbers.all(|number| number.is_some_and(|it| self.names.is_letter(it)))
    }

    fn call(&self, name: &str, operands: &[Expr], out: &mut String) {
        out.push_str(name);
        for (place, &operand) in operands.iter().enumerate() {
            out.push_str(if place == 0 { "(" } else { ", " });
            self.write(operand, out);
        }
        out.push(')');
    }

    /// Truth values by name, small numbers in decimal, the rest in hexadecimal.
    fn constant(&self, expr: Expr, reading: Reading) -> String {
        let value = self.exprs.as_constant(expr).expect("it is one");
        let unused = 128 - self.exprs.width(expr);
        let is_printable = |value: u128| (0x20..0x7f).contains(&value);
        match self.exprs.width(expr) {
            1 => (value == 1).to_string(),
            _ if reading == Reading::Signed => (value.cast_signed() << unused >> unused).to_string(),
            _ if reading == Reading::Letter && is_printable(value) => {
                format!("{:?}", char::from(value as u8))
            }
            _ if value < 1 << 16 => value.to_string(),
            _ => format!("{value:#x}"),
        }
    }
}

/// How a constant is meant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    Number,
    Signed,
    Letter,
}

/// Whether each bracket of a text has its other half in it.
fn is_closed(text: &str) -> bool {
    let mut open = 0_i32;
    let closes = text.chars().all(|c| {
        open += i32::from(c == '(') - i32::from(c == ')');
        open >= 0
    });
    closes && open == 0
}

fn infix(op: Op) -> &'static str {
    match op {
        Op::Add | Op::FAdd => " + ",
        Op::Sub | Op::FSub => " - ",
        Op::Mul | Op::FMul => " * ",
        Op::UDiv | Op::FDiv => " / ",
        Op::SDiv => " /s ",
        Op::URem => " % ",
        Op::SRem => " %s ",
        Op::And => " & ",
        Op::Or => " | ",
        Op::Xor => " ^ ",
        Op::Shl => " << ",
        Op::LShr => " >> ",
        Op::AShr => " >>s ",
        Op::Eq | Op::FEq => " == ",
        Op::Ult | Op::FLt => " < ",
        Op::Slt => " <s ",
        Op::FLe => " <= ",
        Op::Concat => " ++ ",
        _ => "",
    }
}
