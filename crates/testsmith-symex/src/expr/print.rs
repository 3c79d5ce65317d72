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
    name: &'a dyn Fn(u32) -> String,
}

impl Exprs {
    /// The expression as text, with `name` for the number of a variable.
    #[must_use]
    pub fn text<'a>(&'a self, expr: Expr, limit: usize, name: &'a dyn Fn(u32) -> String) -> Text<'a> {
        Text { exprs: self, expr, limit, name }
    }

    /// The expression as text, with `%7` for variable 7.
    #[must_use]
    pub fn show(&self, expr: Expr) -> String {
        self.text(expr, 400, &|number| format!("%{number}")).to_string()
    }
}

impl Display for Text<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        self.write(self.expr, &mut out);
        f.write_str(&out)
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
            (Op::Const, _) => out.push_str(&self.constant(expr)),
            (Op::Var, _) => {
                let number = self.exprs.as_variable(expr).expect("it is one");
                out.push_str(&(self.name)(number));
            }
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
            (op, &[a, b]) if !infix(op).is_empty() => {
                out.push('(');
                self.write(a, out);
                out.push_str(infix(op));
                self.write(b, out);
                out.push(')');
            }
            (Op::ZExt | Op::SExt, &[a]) => {
                let sign = if node.op() == Op::ZExt { 'u' } else { 'i' };
                self.write(a, out);
                out.push_str(&format!(" as {sign}{}", node.width()));
            }
            (op, operands) => self.call(&format!("{op:?}").to_lowercase(), operands, out),
        }
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
    fn constant(&self, expr: Expr) -> String {
        let value = self.exprs.as_constant(expr).expect("it is one");
        match self.exprs.width(expr) {
            1 => (value == 1).to_string(),
            _ if value < 1 << 16 => value.to_string(),
            _ => format!("{value:#x}"),
        }
    }
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
