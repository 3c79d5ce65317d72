//! Single values: `unary`, `abs`, `uoi`, `cast`, `field`, `range`.

use syn::visit::Visit;
use syn::{Expr, ExprCast, ExprRange, ExprUnary, RangeLimits, UnOp};

use super::{Draft, Walker, range, rt, select};
use crate::kinds::Kind;
use crate::mutant::one_line;
use crate::operators::{ABS, CAST, FIELD, Operator, RANGE, UNARY, UOI};
use crate::site::{Part, between, choice, source, text};

impl Walker<'_> {
    pub(super) fn unary(&mut self, unary: &ExprUnary) {
        let (span, operand) = (range(unary), range(&*unary.expr));
        let (op, ask) = match unary.op {
            UnOp::Not(_) => ("!", "sel"),
            UnOp::Neg(_) => ("-", "una"),
            _ => return self.visit_expr(&unary.expr),
        };
        if let (UnOp::Neg(_), Expr::Lit(lit)) = (unary.op, &*unary.expr) {
            return self.negative_literal(&lit.lit, span);
        }
        let draft = Draft { operator: UNARY, span: range(&unary.op), after: String::new() };
        self.site(span.clone(), vec![draft], |base| {
            let call = match ask {
                "sel" => select("sel", base, 1),
                _ => rt("una", &[&base.to_string(), "1", "b\"-\"", "&__v"]),
            };
            vec![
                text("(match ("),
                Part::Newlines(span.start..operand.start),
                source(&operand),
                text(") { __v => "),
                choice(call, vec![text(format!("{op}__v"))], vec!["__v".to_owned()]),
                text(" })"),
            ]
        });
        self.visit_expr(&unary.expr);
    }

    /// A variable or field of a known kind, where its value is used; inside of an operation a sum is shown in parentheses.
    pub(super) fn operand(&mut self, expr: &Expr, in_operation: bool) {
        if !matches!(expr, Expr::Path(_) | Expr::Field(_)) {
            return;
        }
        let span = range(expr);
        let slice = one_line(self.file.slice(&span));
        let changes: &[(&'static Operator, &str, u8)] = match self.kind(expr) {
            Kind::Signed => &[
                (ABS, "@.abs()", b'a'),
                (ABS, "-@.abs()", b'n'),
                (UOI, "-@", b'-'),
                (UOI, "@ + 1", b'+'),
                (UOI, "@ - 1", b'd'),
            ],
            Kind::Unsigned => &[(UOI, "@ + 1", b'+'), (UOI, "@ - 1", b'd')],
            Kind::Float => &[(ABS, "@.abs()", b'a'), (ABS, "-@.abs()", b'n'), (UOI, "-@", b'-')],
            Kind::Bool => &[(UOI, "!@", b'!')],
            Kind::Str | Kind::Unknown => return,
        };
        let draft = |(operator, after, _): &(&'static Operator, &str, u8)| Draft {
            operator,
            span: span.clone(),
            after: match after.replace('@', &slice) {
                sum if in_operation && after.contains(' ') => format!("({sum})"),
                changed => changed,
            },
        };
        self.site(span.clone(), changes.iter().map(draft).collect(), |base| {
            let codes: String = changes.iter().map(|(_, _, code)| *code as char).collect();
            let args =
                [base.to_string(), changes.len().to_string(), format!("b\"{codes}\""), "&__v".to_owned()];
            let call = rt("una", &args.each_ref().map(String::as_str));
            let arms = changes.iter().map(|(_, after, _)| after.replace('@', "__v")).collect();
            vec![
                text("(match ("),
                source(&span),
                text(") { __v => "),
                choice(call, vec![text("__v")], arms),
                text(" })"),
            ]
        });
    }

    pub(super) fn cast(&mut self, cast: &ExprCast) {
        let kind = Kind::of_type(&cast.ty);
        if kind.is_integer() && !matches!(*cast.expr, Expr::Lit(_)) {
            let span = range(cast);
            let name = one_line(self.file.slice(&range(&*cast.ty)));
            let limits = ["MAX", "MIN"];
            let draft =
                |limit: &str| Draft { operator: CAST, span: span.clone(), after: format!("{name}::{limit}") };
            self.site(span.clone(), limits.map(draft).into(), |base| {
                let arms = limits.map(|limit| format!("{}::std::primitive::{name}::{limit}", crate::RUNTIME));
                vec![text("("), choice(select("may", base, 2), vec![source(&span)], arms.to_vec()), text(")")]
            });
        }
        self.visit_expr(&cast.expr);
    }

    /// Fields of `S { a: 1, ..base }`: the base gives the value instead.
    pub(super) fn visit_struct(&mut self, expr: &syn::ExprStruct) {
        for field in &expr.fields {
            if !self.is_compiled(&field.attrs) {
                continue;
            }
            if let Some(base) = &expr.rest
                && field.attrs.is_empty()
            {
                self.field(expr, field, base);
            }
            // The value of a shorthand field cannot be rewritten where it stands.
            if field.colon_token.is_some() {
                self.operand(&field.expr, false);
                self.visit_expr(&field.expr);
            }
        }
        if let Some(base) = &expr.rest {
            self.visit_expr(base);
        }
    }

    fn field(&mut self, expr: &syn::ExprStruct, field: &syn::FieldValue, base: &Expr) {
        let (span, value) = (range(field), range(&field.expr));
        let name = one_line(self.file.slice(&range(&field.member)));
        let path = one_line(self.file.slice(&range(&expr.path)));
        let rest = one_line(self.file.slice(&range(base)));
        let from_base = match base {
            Expr::Path(_) | Expr::Field(_) => format!("{rest}.{name}"),
            // A call that makes the base is made once more, for this field alone.
            Expr::Call(call) if call.args.is_empty() => format!("{path} {{ ..{rest} }}.{name}"),
            _ => return,
        };
        let draft = Draft { operator: FIELD, span: span.clone(), after: String::new() };
        self.site(span, vec![draft], |base| {
            vec![
                text(format!("{name}: (")),
                choice(select("may", base, 1), vec![source(&value)], vec![from_base]),
                text(")"),
            ]
        });
    }

    /// `a..b` ↔ `a..=b` where it is iterated over or asked.
    pub(super) fn iterated_range(&mut self, bounds: &ExprRange) {
        let (Some(start), Some(end)) = (&bounds.start, &bounds.end) else { return };
        let (first, last, limits) = (range(&**start), range(&**end), range(&bounds.limits));
        let is_closed = matches!(bounds.limits, RangeLimits::Closed(_));
        let draft = Draft { operator: RANGE, span: limits, after: other_limits(is_closed) };
        self.site(range(bounds), vec![draft], |base| {
            let test = if is_closed { "== 0" } else { "!= 0" };
            let may = select("may", base, 1);
            vec![
                text(format!("{}::span({may} {test}, ", crate::RUNTIME)),
                source(&first),
                text(", "),
                between(&first, &last),
                source(&last),
                text(")"),
            ]
        });
    }

    /// `[a..b]` ↔ `[a..=b]`: both written with `..`, the bound one further for the closed one.
    pub(super) fn indexed_range(&mut self, bounds: &ExprRange) {
        let Some(end) = &bounds.end else { return };
        let (limits, last) = (range(&bounds.limits), range(&**end));
        let is_closed = matches!(bounds.limits, RangeLimits::Closed(_));
        let draft = Draft { operator: RANGE, span: limits.clone(), after: other_limits(is_closed) };
        self.site(limits.start..last.end, vec![draft], |base| {
            let further = "__v + 1".to_owned();
            let (original, mutant) =
                if is_closed { (further, "__v".to_owned()) } else { ("__v".to_owned(), further) };
            vec![
                text("..(match ("),
                between(&limits, &last),
                source(&last),
                text(") { __v => "),
                choice(select("may", base, 1), vec![text(original)], vec![mutant]),
                text(" })"),
            ]
        });
    }

    pub(super) fn visit_index(&mut self, index: &syn::ExprIndex) {
        match &*index.index {
            Expr::Range(bounds) => self.indexed_range(bounds),
            other => self.operand(other, false),
        }
        self.visit_expr(&index.expr);
        self.visit_expr(&index.index);
    }
}

fn other_limits(is_closed: bool) -> String {
    if is_closed { "..".to_owned() } else { "..=".to_owned() }
}
