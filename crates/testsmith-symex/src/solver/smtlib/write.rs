//! Expressions to SMT-LIB text: one definition for each node, in the order of the table.
//!
//! Main function: [`write()`]. A node of width 1 is a `Bool` term; where bits are needed of one, it is written as a choice of `#b1` and
//! `#b0`. The theory of floats has no way back to bits, so a float result is a new constant, said to be equal to it.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::names::{BIT_VECTOR, FLOAT, converts, name};
use crate::expr::{Expr, Exprs, Node, Op};

/// How float operations are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Floats {
    /// By SMT-LIB's theory, for solvers.
    Theory,
    /// By the table's names, for [`read`](super::read()).
    Names,
}

/// The query as text, up to and with `check-sat`. Variable 7 is `x7`.
#[must_use]
pub fn write(exprs: &Exprs, constraints: &[Expr], floats: Floats) -> String {
    let nodes = reachable(exprs, constraints);
    let has_floats = nodes.iter().any(|&expr| exprs.op(expr).is_float());
    let logic = if has_floats && floats == Floats::Theory { "QF_BVFP" } else { "QF_BV" };
    let mut writer = Writer { exprs, floats, out: format!("(set-logic {logic})\n") };
    for expr in nodes {
        writer.define(expr);
    }
    for &constraint in constraints {
        let constraint = writer.truth(constraint);
        writer.line(&format!("(assert {constraint})"));
    }
    writer.line("(check-sat)");
    writer.out
}

/// Everything below the constraints; a set in the order of the table, where operands come first.
fn reachable(exprs: &Exprs, constraints: &[Expr]) -> BTreeSet<Expr> {
    let mut seen = BTreeSet::new();
    let mut pending = constraints.to_vec();
    while let Some(expr) = pending.pop() {
        if seen.insert(expr) {
            pending.extend(exprs.node(expr).operands());
        }
    }
    seen
}

struct Writer<'e> {
    exprs: &'e Exprs,
    floats: Floats,
    out: String,
}

impl Writer<'_> {
    fn line(&mut self, line: &str) {
        self.out.push_str(line);
        self.out.push('\n');
    }

    fn define(&mut self, expr: Expr) {
        let node = self.exprs.node(expr);
        let (name, sort) = (self.name(expr), sort(node.width()));
        match node.op() {
            Op::Const => {}
            Op::Var => self.line(&format!("(declare-const {name} {sort})")),
            op if op.is_float() && self.floats == Floats::Theory => self.define_float(expr, &node),
            _ => {
                let body = self.body(&node);
                self.line(&format!("(define-fun {name} () {sort} {body})"));
            }
        }
    }

    fn name(&self, expr: Expr) -> String {
        match self.exprs.as_variable(expr) {
            Some(number) => format!("x{number}"),
            None => format!("n{}", expr.raw()),
        }
    }

    /// The expression where its own sort is wanted.
    fn term(&self, expr: Expr) -> String {
        match (self.exprs.as_constant(expr), self.exprs.width(expr)) {
            (Some(value), 1) => (value == 1).to_string(),
            (Some(value), width) => format!("(_ bv{value} {width})"),
            _ => self.name(expr),
        }
    }

    /// The expression, of width 1, where a `Bool` is wanted.
    fn truth(&self, expr: Expr) -> String {
        debug_assert_eq!(self.exprs.width(expr), 1);
        self.term(expr)
    }

    /// The expression where bits are wanted.
    fn bits(&self, expr: Expr) -> String {
        match self.exprs.width(expr) {
            1 => format!("(ite {} #b1 #b0)", self.term(expr)),
            _ => self.term(expr),
        }
    }

    fn body(&self, node: &Node) -> String {
        let operands: Vec<Expr> = node.operands().collect();
        let narrow = operands.iter().all(|&operand| self.exprs.width(operand) == 1);
        let list = |name: &str, operands: Vec<String>| format!("({name} {})", operands.join(" "));
        let terms = |operands: &[Expr]| operands.iter().map(|&operand| self.term(operand)).collect();
        let bits = |operands: &[Expr]| operands.iter().map(|&operand| self.bits(operand)).collect();
        match (node.op(), &operands[..]) {
            (Op::Not, _) if narrow => list("not", terms(&operands)),
            (Op::And, _) if narrow => list("and", terms(&operands)),
            (Op::Or, _) if narrow => list("or", terms(&operands)),
            (Op::Xor, _) if narrow => list("xor", terms(&operands)),
            (Op::Eq, _) => list("=", terms(&operands)),
            (Op::Ite, _) => list("ite", terms(&operands)),
            (Op::Concat, _) => list("concat", bits(&operands)),
            (Op::Extract, &[a]) => {
                let (low, high) = (node.low(), node.low() + node.width() - 1);
                truth_of(node.width(), format!("((_ extract {high} {low}) {})", self.bits(a)))
            }
            (Op::ZExt | Op::SExt, &[a]) => {
                let by = node.width() - self.exprs.width(a);
                let name = if node.op() == Op::ZExt { "zero_extend" } else { "sign_extend" };
                format!("((_ {name} {by}) {})", self.bits(a))
            }
            (Op::Clz | Op::Ctz | Op::Popcnt, &[a]) => {
                truth_of(node.width(), counting(node.op(), self.exprs.width(a), &self.bits(a)))
            }
            (op, operands) if op.is_float() => {
                let name = name(FLOAT, op).expect("every float operation has one");
                let name =
                    if converts(op) { format!("(_ {name} {})", node.width()) } else { name.to_owned() };
                list(&name, bits(operands))
            }
            (op, operands) => {
                let body = list(name(BIT_VECTOR, op).expect("the rest is in the table"), bits(operands));
                if op.compares() { body } else { truth_of(node.width(), body) }
            }
        }
    }

    fn define_float(&mut self, expr: Expr, node: &Node) {
        let name = self.name(expr);
        let operands: Vec<Expr> = node.operands().collect();
        let of = self.exprs.width(operands[0]);
        let float = |place: usize| format!("((_ to_fp {}) {})", format_of(of), self.bits(operands[place]));
        let to = || format!("(_ to_fp {})", format_of(node.width()));
        let value = match node.op() {
            Op::FEq | Op::FLt | Op::FLe => {
                let relation = match node.op() {
                    Op::FEq => "fp.eq",
                    Op::FLt => "fp.lt",
                    _ => "fp.leq",
                };
                let body = format!("({relation} {} {})", float(0), float(1));
                self.line(&format!("(define-fun {name} () Bool {body})"));
                return;
            }
            Op::FToS | Op::FToU => {
                let body = to_integer(node, of, &float(0));
                self.line(&format!("(define-fun {name} () {} {body})", sort(node.width())));
                return;
            }
            Op::FMin | Op::FMax => {
                let body = self.least_or_greatest(node, &float(0), &float(1));
                self.line(&format!("(define-fun {name} () {} {body})", sort(node.width())));
                return;
            }
            Op::FAdd => format!("(fp.add RNE {} {})", float(0), float(1)),
            Op::FSub => format!("(fp.sub RNE {} {})", float(0), float(1)),
            Op::FMul => format!("(fp.mul RNE {} {})", float(0), float(1)),
            Op::FDiv => format!("(fp.div RNE {} {})", float(0), float(1)),
            Op::FSqrt => format!("(fp.sqrt RNE {})", float(0)),
            Op::FCeil => format!("(fp.roundToIntegral RTP {})", float(0)),
            Op::FFloor => format!("(fp.roundToIntegral RTN {})", float(0)),
            Op::FTrunc => format!("(fp.roundToIntegral RTZ {})", float(0)),
            Op::FNearest => format!("(fp.roundToIntegral RNE {})", float(0)),
            Op::FFromS => format!("({} RNE {})", to(), self.bits(operands[0])),
            Op::FFromU => {
                format!("((_ to_fp_unsigned {}) RNE {})", format_of(node.width()), self.bits(operands[0]))
            }
            Op::FPromote | Op::FDemote => format!("({} RNE {})", to(), float(0)),
            op => unreachable!("{op:?} is no float operation"),
        };
        let nan = canonical_nan(node.width());
        self.line(&format!("(declare-const {name} {})", sort(node.width())));
        self.line(&format!("(assert (= ({} {name}) {value}))", to()));
        self.line(&format!("(assert (=> (fp.isNaN ({} {name})) (= {name} {nan})))", to()));
    }

    /// The theory leaves the sign of a zero open: on the bits, `|` takes the negative one of two equals, `&` the positive.
    fn least_or_greatest(&self, node: &Node, a: &str, b: &str) -> String {
        let (bits_a, bits_b) = (self.bits(node.operand(0)), self.bits(node.operand(1)));
        let nan = canonical_nan(node.width());
        let (equal, first) = if node.op() == Op::FMin { ("bvor", "fp.lt") } else { ("bvand", "fp.gt") };
        let mut text = String::new();
        let written = write!(
            text,
            "(ite (or (fp.isNaN {a}) (fp.isNaN {b})) {nan} (ite (fp.eq {a} {b}) ({equal} {bits_a} {bits_b}) \
             (ite ({first} {a} {b}) {bits_a} {bits_b})))"
        );
        written.expect("a string takes everything");
        text
    }
}

fn sort(width: u32) -> String {
    if width == 1 { "Bool".to_owned() } else { format!("(_ BitVec {width})") }
}

/// A term of bits where the node's own sort is wanted.
fn truth_of(width: u32, bits: String) -> String {
    if width == 1 { format!("(= {bits} #b1)") } else { bits }
}

fn format_of(width: u32) -> &'static str {
    if width == 32 { "8 24" } else { "11 53" }
}

fn canonical_nan(width: u32) -> &'static str {
    if width == 32 { "#x7fc00000" } else { "#x7ff8000000000000" }
}

/// Leading zeros, trailing zeros and ones from single bits.
fn counting(op: Op, width: u32, bits: &str) -> String {
    let bit = |place: u32| format!("((_ extract {place} {place}) {bits})");
    if op == Op::Popcnt {
        let ones = (0..width).map(|place| match width {
            1 => bit(place),
            _ => format!("((_ zero_extend {}) {})", width - 1, bit(place)),
        });
        return ones.reduce(|sum, one| format!("(bvadd {sum} {one})")).expect("a width is at least 1");
    }
    let constant =
        |value: u32| format!("(_ bv{} {width})", u128::from(value) & crate::expr::bits::mask(width));
    (0..width).fold(constant(width), |rest, step| {
        let (place, count) =
            if op == Op::Clz { (step, width - 1 - step) } else { (width - 1 - step, width - 1 - step) };
        format!("(ite (= {} #b1) {} {rest})", bit(place), constant(count))
    })
}

/// The saturating conversion: the theory leaves open what does not fit.
fn to_integer(node: &Node, of: u32, float: &str) -> String {
    let (width, signed) = (node.width(), node.op() == Op::FToS);
    let power = |exponent: u32, negative: bool| {
        let value = if negative { -(2f64.powi(exponent as i32)) } else { 2f64.powi(exponent as i32) };
        let bits = if of == 32 {
            format!("#x{:08x}", (value as f32).to_bits())
        } else {
            format!("#x{:016x}", value.to_bits())
        };
        format!("((_ to_fp {}) {bits})", format_of(of))
    };
    let all = crate::expr::bits::mask(width);
    let (least, most) = if signed { (all / 2 + 1, all / 2) } else { (0, all) };
    let high = power(if signed { width - 1 } else { width }, false);
    let below = if signed {
        format!("(fp.lt {float} {})", power(width - 1, true))
    } else {
        format!("(fp.isNegative {float})")
    };
    let convert = if signed { "fp.to_sbv" } else { "fp.to_ubv" };
    format!(
        "(ite (fp.isNaN {float}) (_ bv0 {width}) (ite (fp.geq {float} {high}) (_ bv{most} {width}) \
         (ite {below} (_ bv{least} {width}) ((_ {convert} {width}) RTZ {float}))))"
    )
}
