//! What functions return: `fn-value` for whole bodies, `option` and `result` for single results.

use std::ops::Range;

use syn::visit::Visit;
use syn::{Block, Expr, GenericArgument, PathArguments, ReturnType, Signature, Stmt, Type};

use super::{Draft, Walker, range, select};
use crate::mutant::one_line;
use crate::operators::{FN_VALUE, OPTION, Operator, RESULT};
use crate::site::{choice, source, text};
use crate::values::Value;

impl Walker<'_> {
    /// The body gives way to a value of its type.
    pub(super) fn function_value(&mut self, signature: &Signature, block: &Block) {
        // `default` made from `Default::default` would call itself.
        let is_default = signature.ident == "default" && signature.inputs.is_empty();
        if block.stmts.is_empty() || is_default {
            return;
        }
        let open = block.brace_token.span.open().byte_range();
        let close = block.brace_token.span.close().byte_range();
        let body = one_line(self.file.slice(&(open.end..close.start)));
        let mut values = self.types().of_return(&signature.output);
        values.retain(|value| value.shown != body);
        let draft = |value: &Value| Draft {
            operator: FN_VALUE,
            span: open.start..close.end,
            after: value.shown.clone(),
        };
        let at = self.block_start(block);
        self.site(at..at, values.iter().map(draft).collect(), |base| {
            let arms = values.iter().map(|value| format!("return {}", value.code)).collect();
            vec![text(" "), choice(select("may", base, values.len()), vec![text("{}")], arms), text(";")]
        });
    }

    /// `Some` ↔ `None` and `Ok` ↔ `Err` wherever the function ends.
    pub(super) fn function_results(&mut self, signature: &Signature, block: &Block) {
        let Some((name, args)) = return_type(&signature.output) else { return };
        let value = |walker: &Self, at: usize| {
            let values = args.get(at).map(|ty| walker.types().of_type(ty));
            // A value that may not exist is no good: most results would be lost to the compiler.
            values.unwrap_or_default().into_iter().find(|value| !value.shown.contains("Default::default"))
        };
        let (inside, error) = (value(self, 0), value(self, 1));
        let mut results = Results(Vec::new());
        results.block(block);
        for result in results.0 {
            let std = format!("{}::std", crate::RUNTIME);
            let wrap = |value: Option<&Value>, variant: &str, path: &str| {
                let value = value?;
                Some(Value {
                    shown: format!("{variant}({})", value.shown),
                    code: format!("{std}::{path}::{variant}({})", value.code),
                })
            };
            let none = Value { shown: "None".to_owned(), code: format!("{std}::option::Option::None") };
            let (operator, other) = match (name.as_str(), result.variant.as_str()) {
                ("Option", "Some") => (OPTION, Some(none)),
                ("Option", "None") => (OPTION, wrap(inside.as_ref(), "Some", "option::Option")),
                ("Result", "Ok") => (RESULT, wrap(error.as_ref(), "Err", "result::Result")),
                ("Result", "Err") => (RESULT, wrap(inside.as_ref(), "Ok", "result::Result")),
                _ => continue,
            };
            // A body that is nothing but this result has been replaced as a whole.
            let is_whole_body = block.stmts.len() == 1
                && matches!(&block.stmts[0], Stmt::Expr(expr, None) if range(expr) == result.range);
            if let Some(other) = other.filter(|_| !is_whole_body) {
                self.result(result.range, operator, other);
            }
        }
    }

    fn result(&mut self, span: Range<usize>, operator: &'static Operator, other: Value) {
        let draft = Draft { operator, span: span.clone(), after: other.shown };
        self.site(span.clone(), vec![draft], |base| {
            vec![text("("), choice(select("sel", base, 1), vec![source(&span)], vec![other.code]), text(")")]
        });
    }
}

/// `Option` or `Result` with its type arguments.
fn return_type(output: &ReturnType) -> Option<(String, Vec<&Type>)> {
    let ReturnType::Type(_, ty) = output else { return None };
    let Type::Path(path) = &**ty else { return None };
    let last = path.path.segments.last()?;
    let args = match &last.arguments {
        PathArguments::AngleBracketed(args) => args.args.iter().collect(),
        _ => Vec::new(),
    };
    let types = args.into_iter().filter_map(|arg| match arg {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    Some((last.ident.to_string(), types.collect()))
}

struct FoundResult {
    range: Range<usize>,
    variant: String,
}

/// The expressions that a function may end with.
struct Results(Vec<FoundResult>);

impl Results {
    fn block(&mut self, block: &Block) {
        self.visit_block(block);
        if let Some(Stmt::Expr(expr, None)) = block.stmts.last() {
            self.tail(expr);
        }
    }

    fn tail(&mut self, expr: &Expr) {
        match expr {
            Expr::Block(block) if block.label.is_none() => self.tail_block(&block.block),
            Expr::Unsafe(block) => self.tail_block(&block.block),
            Expr::If(branch) => {
                self.tail_block(&branch.then_branch);
                if let Some((_, otherwise)) = &branch.else_branch {
                    self.tail(otherwise);
                }
            }
            Expr::Match(choice) => choice.arms.iter().for_each(|arm| self.tail(&arm.body)),
            Expr::Paren(inner) => self.tail(&inner.expr),
            Expr::Call(call) if call.args.len() == 1 => {
                if let Some(variant) = variant(&call.func) {
                    self.0.push(FoundResult { range: range(call), variant });
                }
            }
            Expr::Path(_) => {
                if let Some(variant) = variant(expr).filter(|variant| variant == "None") {
                    self.0.push(FoundResult { range: range(expr), variant });
                }
            }
            _ => {}
        }
    }

    fn tail_block(&mut self, block: &Block) {
        if let Some(Stmt::Expr(expr, None)) = block.stmts.last() {
            self.tail(expr);
        }
    }
}

impl<'a> Visit<'a> for Results {
    fn visit_expr_return(&mut self, result: &'a syn::ExprReturn) {
        if let Some(expr) = &result.expr {
            self.tail(expr);
        }
    }

    // Their `return` is their own.
    fn visit_expr_closure(&mut self, _: &'a syn::ExprClosure) {}
    fn visit_expr_async(&mut self, _: &'a syn::ExprAsync) {}
    fn visit_item(&mut self, _: &'a syn::Item) {}
}

fn variant(expr: &Expr) -> Option<String> {
    let Expr::Path(path) = expr else { return None };
    let name = path.path.segments.last()?.ident.to_string();
    ["Some", "None", "Ok", "Err"].contains(&name.as_str()).then_some(name)
}
