//! Binary operators: `ror`, `aor`, `bit`, `shift`, `lcr`, and the assignments with an operator.

use syn::visit::Visit;
use syn::{BinOp, Expr, ExprBinary, Lit};

use super::{Draft, Walker, range, rt};
use crate::kinds::Kind;
use crate::mutant::one_line;
use crate::operators::{AOR, BIT, LCR, Operator, ROR, SHIFT};
use crate::site::{between, choice, source, text};

/// Operators as they are written, with the byte by which the run-time library knows them.
const RELATIONAL: [(&str, u8); 6] =
    [("<", b'<'), ("<=", b'l'), (">", b'>'), (">=", b'g'), ("==", b'='), ("!=", b'!')];
const ARITHMETIC: [(&str, u8); 5] = [("+", b'+'), ("-", b'-'), ("*", b'*'), ("/", b'/'), ("%", b'%')];
const BITS: [(&str, u8); 3] = [("&", b'&'), ("|", b'|'), ("^", b'^')];
const SHIFTS: [(&str, u8); 2] = [("<<", b'L'), (">>", b'R')];

type Written = (&'static str, u8);

/// The operation that another one is an operand of.
pub(super) struct Around {
    binding: u8,
    on_the_right: bool,
}

/// How tightly an operator binds.
fn precedence(op: &str) -> u8 {
    match op {
        "*" | "/" | "%" => 9,
        "+" | "-" => 8,
        "<<" | ">>" => 7,
        "&" => 6,
        "^" => 5,
        "|" => 4,
        "==" | "!=" | "<" | "<=" | ">" | ">=" => 3,
        "&&" => 2,
        "||" => 1,
        _ => 0,
    }
}

impl Walker<'_> {
    pub(super) fn binary(&mut self, binary: &ExprBinary) {
        let op = self.file.slice(&range(&binary.op)).to_owned();
        let plain = op.strip_suffix('=').filter(|_| is_assignment(&binary.op)).unwrap_or(&op);
        if let BinOp::And(_) | BinOp::Or(_) = binary.op {
            self.connector(binary);
        } else if let Some(original) = find(&RELATIONAL, plain) {
            self.comparison(binary, original);
        } else if let Some((operator, family, original)) = arithmetic(plain) {
            let others: Vec<_> = family.iter().copied().filter(|other| *other != original).collect();
            if is_assignment(&binary.op) {
                self.assignment(binary, operator, original, &others);
            } else if !self.is_concatenation(binary) {
                self.operation(binary, operator, original, &others);
            }
        }
        let is_assignment = is_assignment(&binary.op);
        if !is_assignment {
            self.operand(&binary.left, true);
        }
        self.operand(&binary.right, !is_assignment);
        let binding = precedence(&op);
        self.visit_operand(&binary.left, Around { binding, on_the_right: false });
        self.visit_operand(&binary.right, Around { binding, on_the_right: true });
    }

    /// Visits an operand; an operation in it has to know what it stands in.
    fn visit_operand(&mut self, operand: &Expr, around: Around) {
        let outer = std::mem::replace(&mut self.around, matches!(operand, Expr::Binary(_)).then_some(around));
        self.visit_expr(operand);
        self.around = outer;
    }

    /// Replacing an operator leaves the tree as it is. Where the text alone would be read otherwise, the change is shown
    /// with parentheses: `a - b % c` becomes `a - (b + c)`.
    fn operation_drafts(
        &self,
        binary: &ExprBinary,
        operator: &'static Operator,
        others: &[Written],
    ) -> Vec<Draft> {
        let (whole, op) = (range(binary), range(&binary.op));
        let inner = |operand: &Expr| match operand {
            Expr::Binary(inner) => precedence(self.file.slice(&range(&inner.op))),
            _ => u8::MAX,
        };
        let (left, right) = (inner(&binary.left), inner(&binary.right));
        let shown = |operand: &Expr| {
            let slice = one_line(self.file.slice(&range(operand)));
            if matches!(operand, Expr::Binary(_) | Expr::Cast(_)) { format!("({slice})") } else { slice }
        };
        let draft = |(other, _): &Written| {
            let binding = precedence(other);
            let fits_around = self.around.as_ref().is_none_or(|around| match around.on_the_right {
                true => binding > around.binding,
                false => binding >= around.binding,
            });
            if fits_around && is_read_as_generics(&binary.left, other) {
                let after = format!("{} {other} {}", shown(&binary.left), shown(&binary.right));
                return Draft { operator, span: whole.clone(), after };
            }
            if fits_around && left >= binding && right > binding {
                return Draft { operator, span: op.clone(), after: (*other).to_owned() };
            }
            let after = format!("({} {other} {})", shown(&binary.left), shown(&binary.right));
            Draft { operator, span: whole.clone(), after }
        };
        others.iter().map(draft).collect()
    }

    /// `(match (&(A), &(B)) { (l, r) => match … { 0 => *l < *r, 1 => *l <= *r, … } })`: by reference, as the
    /// operators themselves take their operands.
    fn comparison(&mut self, binary: &ExprBinary, original: Written) {
        let others = self.comparisons_for(binary, original);
        let (left, right) = (range(&*binary.left), range(&*binary.right));
        let shown = others.iter().map(|(other, _)| self.comparison_draft(binary, other)).collect();
        self.site(range(binary), shown, |base| {
            let call = call("cmp", base, original, &others, "__l, __r");
            let arm = |written: &Written| format!("*__l {} *__r", written.0);
            vec![
                text("(match (&("),
                source(&left),
                text("), &("),
                between(&left, &right),
                source(&right),
                text(")) { (__l, __r) => "),
                choice(call, vec![text(arm(&original))], others.iter().map(arm).collect()),
                text(" })"),
            ]
        });
    }

    fn comparison_draft(&self, binary: &ExprBinary, other: &str) -> Draft {
        let (left, right) = (range(&*binary.left), range(&*binary.right));
        if !is_read_as_generics(&binary.left, other) {
            return Draft { operator: ROR, span: range(&binary.op), after: other.to_owned() };
        }
        let [left, right] = [left, right].map(|operand| one_line(self.file.slice(&operand)));
        Draft { operator: ROR, span: range(binary), after: format!("({left}) {other} {right}") }
    }

    /// `==` and `!=` are replaced by ordered operators only on numbers; an unsigned number is never below zero.
    fn comparisons_for(&self, binary: &ExprBinary, original: Written) -> Vec<Written> {
        let (left, right) = (self.kind(&binary.left), self.kind(&binary.right));
        let is_number = left.is_number()
            || right.is_number()
            || [&binary.left, &binary.right].iter().any(|e| is_number_literal(e));
        let names: &[&str] = match original.0 {
            "==" if is_number => &["!=", "<=", ">="],
            "!=" if is_number => &["==", "<", ">"],
            "==" => &["!="],
            "!=" => &["=="],
            _ => &["<", "<=", ">", ">=", "==", "!="],
        };
        let below_zero = left == Kind::Unsigned && is_zero(&binary.right);
        let same_below_zero: &[&str] = match original.0 {
            _ if !below_zero => &[],
            "==" => &["<="],
            "!=" => &[">"],
            ">" => &["!="],
            "<=" => &["=="],
            _ => &[],
        };
        let wanted = RELATIONAL.iter().filter(|(name, _)| {
            *name != original.0 && names.contains(name) && !same_below_zero.contains(name)
        });
        wanted.copied().collect()
    }

    /// `(match ((A), (B)) { (l, r) => match … { 0 => l + r, 1 => l - r, … } })`.
    fn operation(
        &mut self,
        binary: &ExprBinary,
        operator: &'static Operator,
        original: Written,
        others: &[Written],
    ) {
        let (left, right) = (range(&*binary.left), range(&*binary.right));
        let drafts = self.operation_drafts(binary, operator, others);
        self.site(range(binary), drafts, |base| {
            let call = call("bin", base, original, others, "&__l, &__r");
            let arm = |written: &Written| format!("__l {} __r", written.0);
            vec![
                text("(match (("),
                source(&left),
                text("), ("),
                between(&left, &right),
                source(&right),
                text(")) { (__l, __r) => "),
                choice(call, vec![text(arm(&original))], others.iter().map(arm).collect()),
                text(" })"),
            ]
        });
    }

    /// `A op= B`: the right operand is evaluated first, as it is for numbers: `*m.lock() += f()` must not call `f` with
    /// the lock held. (An overloaded operator takes the left one first, which matters only if both have effects.)
    fn assignment(
        &mut self,
        binary: &ExprBinary,
        operator: &'static Operator,
        original: Written,
        others: &[Written],
    ) {
        if is_text(self.kind(&binary.left), self.kind(&binary.right)) || is_reference(&binary.right) {
            return;
        }
        let (left, op, right) = (range(&*binary.left), range(&binary.op), range(&*binary.right));
        let drafts = others
            .iter()
            .map(|(other, _)| Draft { operator, span: op.clone(), after: format!("{other}=") })
            .collect();
        self.site(range(binary), drafts, |base| {
            let call = call("bin", base, original, others, "&*__l, &__r");
            let arm = |written: &Written| format!("*__l {}= __r", written.0);
            vec![
                text("(match ("),
                source(&right),
                text(") { __r => match &mut ("),
                source(&left),
                between(&left, &right),
                text(") { __l => "),
                choice(call, vec![text(arm(&original))], others.iter().map(arm).collect()),
                text(" } })"),
            ]
        });
    }

    /// `&&` and `||` as `if`, whose conditions drop their temporaries as the operands did: a `match` would keep a
    /// lock of the left operand while the right one waits for it.
    fn connector(&mut self, binary: &ExprBinary) {
        if has_let(&binary.left) || has_let(&binary.right) {
            return;
        }
        let is_and = matches!(binary.op, BinOp::And(_));
        let (left, op, right) = (range(&*binary.left), range(&binary.op), range(&*binary.right));
        let after = if is_and { "||" } else { "&&" };
        let draft = Draft { operator: LCR, span: op, after: after.to_owned() };
        self.site(range(binary), vec![draft], |base| {
            let (lazy, rhs, not) = if is_and { ("and", "and_rhs", "") } else { ("or", "or_rhs", "!") };
            let opening = |function: &str| format!("{}::{function}({base}, ", crate::RUNTIME);
            vec![
                text(format!("(if {}", opening(lazy))),
                source(&left),
                text(format!(") {{ if {}", opening(rhs))),
                between(&left, &right),
                source(&right),
                text(format!(
                    ") {{ true }} else {{ false }} }} else {{ {not}{} }})",
                    rt("active", &[&base.to_string()])
                )),
            ]
        });
    }

    fn is_concatenation(&self, binary: &ExprBinary) -> bool {
        let left = self.kind(&binary.left);
        is_text(left, self.kind(&binary.right))
            || is_reference(&binary.right) && !is_reference(&binary.left) && !left.is_number()
    }
}

/// After a cast, `<` and `<<` begin the arguments of the type: `x as usize < y` cannot be read.
fn is_read_as_generics(left: &Expr, op: &str) -> bool {
    match left {
        Expr::Cast(_) => matches!(op, "<" | "<<"),
        Expr::Binary(inner) => is_read_as_generics(&inner.right, op),
        _ => false,
    }
}

/// `function(base, count, b"ops", operands)`.
fn call(function: &str, base: u32, original: Written, others: &[Written], operands: &str) -> String {
    let codes: String = std::iter::once(&original).chain(others).map(|(_, code)| *code as char).collect();
    rt(function, &[&base.to_string(), &others.len().to_string(), &format!("b\"{codes}\""), operands])
}

fn find(family: &[Written], op: &str) -> Option<Written> {
    family.iter().copied().find(|(name, _)| *name == op)
}

fn arithmetic(op: &str) -> Option<(&'static Operator, &'static [Written], Written)> {
    let families: [(&'static Operator, &'static [Written]); 3] =
        [(AOR, &ARITHMETIC), (BIT, &BITS), (SHIFT, &SHIFTS)];
    families.into_iter().find_map(|(operator, family)| Some((operator, family, find(family, op)?)))
}

fn is_assignment(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
    )
}

fn is_text(left: Kind, right: Kind) -> bool {
    left == Kind::Str || right == Kind::Str
}

fn is_reference(expr: &Expr) -> bool {
    matches!(expr, Expr::Reference(_))
}

fn is_number_literal(expr: &Expr) -> bool {
    matches!(expr, Expr::Lit(lit) if matches!(lit.lit, Lit::Int(_) | Lit::Float(_) | Lit::Byte(_)))
}

fn is_zero(expr: &Expr) -> bool {
    matches!(expr, Expr::Lit(lit) if matches!(&lit.lit, Lit::Int(int) if int.base10_digits() == "0"))
}

/// Whether a condition holds a `let`, which is no expression of its own.
pub(super) fn has_let(expr: &Expr) -> bool {
    match expr {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        Expr::Paren(inner) => has_let(&inner.expr),
        _ => false,
    }
}
