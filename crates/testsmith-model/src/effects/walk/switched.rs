//! Code in a body that a `cfg` switches off: it is not compiled, so it has no effects.

use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Block, Expr, Macro, Stmt, Token};

use super::Walker;
use crate::attrs::{Attrs, Audience};
use crate::cfg::Predicate;
use crate::effects::value::Value;

impl Walker<'_, '_> {
    /// Whether code with these attributes is compiled into what users get.
    pub(super) fn is_on(&self, attrs: &[Attribute]) -> bool {
        attrs.is_empty() || Attrs::read(attrs, &self.d.cfg).audience() == Audience::Users
    }

    /// The statements of a block that are compiled.
    pub(super) fn compiled<'b>(&self, block: &'b Block) -> Vec<&'b Stmt> {
        block.stmts.iter().filter(|stmt| self.is_on(attributes(stmt))).collect()
    }

    /// What `if cfg!(…)` is known to choose; `None` for any other condition.
    pub(super) fn choice(&self, condition: &Expr) -> Option<bool> {
        self.d.cfg.decides(condition)
    }

    /// The branch of a `cfg_if!` that is compiled; `None` if it is written in another way.
    pub(super) fn cfg_if(&mut self, mac: &Macro) -> Option<Value> {
        let branches = branches.parse2(mac.tokens.clone()).ok()?;
        let is_taken =
            |predicate: &Option<Predicate>| predicate.as_ref().is_none_or(|it| self.d.cfg.holds(it));
        let taken = branches.into_iter().find(|(predicate, _)| is_taken(predicate));
        Some(taken.map(|(_, block)| self.block(&block)).unwrap_or_default())
    }
}

/// The branches of a `cfg_if!`, the last one perhaps without a condition.
fn branches(input: ParseStream<'_>) -> syn::Result<Vec<(Option<Predicate>, Block)>> {
    let mut all = Vec::new();
    while !input.is_empty() {
        let predicate = match input.parse::<Option<Token![if]>>()? {
            Some(_) => {
                let attribute = Attribute::parse_outer(input)?;
                let first = attribute.first().ok_or_else(|| input.error("no condition"))?;
                Some(first.parse_args::<Predicate>()?)
            }
            None => None,
        };
        all.push((predicate, input.parse()?));
        input.parse::<Option<Token![else]>>()?;
    }
    Ok(all)
}

/// Attributes in front of a statement.
fn attributes(stmt: &Stmt) -> &[Attribute] {
    match stmt {
        Stmt::Local(local) => &local.attrs,
        Stmt::Macro(mac) => &mac.attrs,
        Stmt::Item(_) => &[],
        Stmt::Expr(expr, _) => in_front(expr),
    }
}

/// Attributes in front of an expression: those of its first part, where it begins with one.
fn in_front(expr: &Expr) -> &[Attribute] {
    match expr {
        Expr::Assign(it) => first(&it.attrs, &it.left),
        Expr::Binary(it) => first(&it.attrs, &it.left),
        Expr::Cast(it) => first(&it.attrs, &it.expr),
        Expr::MethodCall(it) => first(&it.attrs, &it.receiver),
        Expr::Call(it) => first(&it.attrs, &it.func),
        Expr::Field(it) => first(&it.attrs, &it.base),
        Expr::Index(it) => first(&it.attrs, &it.expr),
        Expr::Try(it) => first(&it.attrs, &it.expr),
        Expr::Await(it) => first(&it.attrs, &it.base),
        Expr::Array(it) => &it.attrs,
        Expr::Async(it) => &it.attrs,
        Expr::Block(it) => &it.attrs,
        Expr::Break(it) => &it.attrs,
        Expr::Closure(it) => &it.attrs,
        Expr::Continue(it) => &it.attrs,
        Expr::ForLoop(it) => &it.attrs,
        Expr::If(it) => &it.attrs,
        Expr::Lit(it) => &it.attrs,
        Expr::Loop(it) => &it.attrs,
        Expr::Macro(it) => &it.attrs,
        Expr::Match(it) => &it.attrs,
        Expr::Paren(it) => &it.attrs,
        Expr::Path(it) => &it.attrs,
        Expr::Reference(it) => &it.attrs,
        Expr::Return(it) => &it.attrs,
        Expr::Struct(it) => &it.attrs,
        Expr::Tuple(it) => &it.attrs,
        Expr::Unary(it) => &it.attrs,
        Expr::Unsafe(it) => &it.attrs,
        Expr::While(it) => &it.attrs,
        _ => &[],
    }
}

fn first<'e>(own: &'e [Attribute], part: &'e Expr) -> &'e [Attribute] {
    if own.is_empty() { in_front(part) } else { own }
}
