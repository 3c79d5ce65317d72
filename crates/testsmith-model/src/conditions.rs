//! Constants that the conditions of a function compare public members and parameters with: [`constants_of_conditions`].
//!
//! Conditions of branches, loops, match guards and assertions part the states of an object in an interesting way. What they
//! say of other members than `self.len()`, `self.field` and parameters nobody sees from outside.

use std::collections::BTreeSet;

use proc_macro2::Span;
use syn::parse::Parser;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, ExprIf, ExprWhile, ImplItemFn, ItemFn, Lit, Macro};

use crate::modules::SourceTree;

/// Constants of one function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionConstants {
    /// As in [`SourceFile::name`](crate::SourceFile::name).
    pub file: String,
    /// The line of the function's name.
    pub line: usize,
    /// The constants.
    pub constants: BTreeSet<i128>,
}

/// All functions with such conditions.
pub fn constants_of_conditions(tree: &SourceTree) -> Vec<ConditionConstants> {
    let mut all = Vec::new();
    for file in &tree.files {
        let mut functions = Functions { found: Vec::new() };
        functions.visit_file(&file.ast);
        all.extend(functions.found.into_iter().map(|(span, constants)| ConditionConstants {
            file: file.name.clone(),
            line: file.place(span.byte_range().start).line,
            constants,
        }));
    }
    all
}

struct Functions {
    found: Vec<(Span, BTreeSet<i128>)>,
}

impl Functions {
    fn function(&mut self, name: Span, visit: impl FnOnce(&mut Conditions)) {
        let mut conditions = Conditions::default();
        visit(&mut conditions);
        if !conditions.constants.is_empty() {
            self.found.push((name, conditions.constants));
        }
    }
}

impl<'a> Visit<'a> for Functions {
    fn visit_item_fn(&mut self, function: &'a ItemFn) {
        self.function(function.sig.ident.span(), |conditions| conditions.visit_block(&function.block));
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'a ImplItemFn) {
        self.function(function.sig.ident.span(), |conditions| conditions.visit_block(&function.block));
        visit::visit_impl_item_fn(self, function);
    }
}

#[derive(Default)]
struct Conditions {
    constants: BTreeSet<i128>,
}

impl Conditions {
    fn condition(&mut self, condition: &Expr) {
        match condition {
            Expr::Paren(inner) => self.condition(&inner.expr),
            Expr::Group(inner) => self.condition(&inner.expr),
            Expr::Unary(inner) => self.condition(&inner.expr),
            Expr::Binary(binary) => match binary.op {
                BinOp::And(_) | BinOp::Or(_) => {
                    self.condition(&binary.left);
                    self.condition(&binary.right);
                }
                BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) => {
                    for (one, other) in [(&binary.left, &binary.right), (&binary.right, &binary.left)] {
                        if let Some(value) = constant(one).filter(|_| is_public(other)) {
                            self.constants.insert(value);
                        }
                    }
                }
                _ => {}
            },
            _ => {}
        }
    }
}

impl<'a> Visit<'a> for Conditions {
    fn visit_expr_if(&mut self, branch: &'a ExprIf) {
        self.condition(&branch.cond);
        visit::visit_expr_if(self, branch);
    }

    fn visit_expr_while(&mut self, repetition: &'a ExprWhile) {
        self.condition(&repetition.cond);
        visit::visit_expr_while(self, repetition);
    }

    fn visit_pat_guard(&mut self, pattern: &'a syn::PatGuard) {
        self.condition(&pattern.guard);
        visit::visit_pat_guard(self, pattern);
    }

    fn visit_macro(&mut self, call: &'a Macro) {
        let Some(name) = call.path.segments.last().map(|last| last.ident.to_string()) else { return };
        if !matches!(name.as_str(), "assert" | "debug_assert") {
            return;
        }
        let list = syn::punctuated::Punctuated::<Expr, syn::Token![,]>::parse_terminated;
        if let Ok(arguments) = list.parse2(call.tokens.clone())
            && let Some(condition) = arguments.first()
        {
            self.condition(condition);
        }
    }
}

/// The value of an integer literal.
fn constant(expression: &Expr) -> Option<i128> {
    match expression {
        Expr::Paren(inner) => constant(&inner.expr),
        Expr::Unary(inner) if matches!(inner.op, syn::UnOp::Neg(_)) => constant(&inner.expr).map(|it| -it),
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(value) => value.base10_parse().ok(),
            _ => None,
        },
        _ => None,
    }
}

/// Whether an expression is a parameter, `self.field` or `self.method()`: what nobody can see from outside is no column.
fn is_public(expression: &Expr) -> bool {
    let is_self = |receiver: &Expr| matches!(receiver, Expr::Path(path) if path.path.is_ident("self"));
    match expression {
        Expr::Paren(inner) => is_public(&inner.expr),
        Expr::Path(path) => path.path.get_ident().is_some(),
        Expr::Field(field) => is_self(&field.base),
        Expr::MethodCall(call) => call.args.is_empty() && is_self(&call.receiver),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(body: &str, expected: &[i128]) {
        let text = format!("impl S {{ fn f(&self, n: usize) {{ {body} }} }}");
        let file: syn::File = syn::parse_str(&text).expect("it is Rust");
        let mut functions = Functions { found: Vec::new() };
        functions.visit_file(&file);
        let found: Vec<i128> = functions.found.into_iter().flat_map(|(_, constants)| constants).collect();
        assert_eq!(found, expected, "{body}");
    }

    #[test]
    fn constants_stand_beside_what_is_public() {
        check("if self.len() > 8 { g() }", &[8]);
        check("while n < 3 && !(self.size == 5) { g() }", &[3, 5]);
        check("match n { k if k >= 7 => g(), _ => {} }", &[7]);
        check("assert!(self.depth() <= 12, \"{} is too deep\", 99);", &[12]);
        check("if self.items.len() > 8 { g() }", &[]);
        check("let k = 8 + n;", &[]);
    }
}
