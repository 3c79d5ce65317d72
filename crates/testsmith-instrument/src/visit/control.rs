//! Control flow: `neg`, `omit`, `return`, `arm`, `guard`, `jump`, `try`, and the ticks of loops.

use std::ops::Range;

use syn::visit::Visit;
use syn::{Arm, Block, Expr, ExprIf, ExprMatch, Label, Lifetime, Pat, Stmt, UnOp};

use super::binary::has_let;
use super::exprs::attributes;
use super::{Draft, JumpTarget, Walker, is_reporting, range, rt, select};
use crate::kinds::Kind;
use crate::mutant::{Mutant, one_line};
use crate::operators::{ARM, GUARD, JUMP, NEG, OMIT, Operator, RETURN, TRY};
use crate::site::{Site, between, choice, source, text};

/// How much had been found at some time.
#[derive(Clone, Copy)]
struct Mark {
    sites: usize,
    mutants: usize,
}

impl Walker<'_> {
    pub(super) fn visit_if(&mut self, branch: &ExprIf) {
        let before = self.mark();
        self.condition(&branch.cond);
        if branch.else_branch.is_none() {
            self.early_return(&branch.then_branch);
        }
        self.scopes.enter();
        self.bind_lets(&branch.cond);
        self.visit_expr(&branch.cond);
        self.report(&branch.cond, before);
        // A branch that `cfg!` switches off runs nowhere where the tests run: no test can tell its mutants.
        let decided = self.cfg.decides(&branch.cond);
        if decided == Some(false) {
            self.skip(range(&branch.then_branch).start, "branch", "switched off by cfg");
        } else {
            self.visit_block(&branch.then_branch);
        }
        self.scopes.leave();
        match &branch.else_branch {
            Some((_, otherwise)) if decided == Some(true) => {
                self.skip(range(otherwise).start, "branch", "switched off by cfg");
            }
            Some((_, otherwise)) => self.visit_expr(otherwise),
            None => {}
        }
    }

    pub(super) fn visit_while(&mut self, repeat: &syn::ExprWhile) {
        let before = self.mark();
        self.condition(&repeat.cond);
        self.tick(&repeat.body);
        self.scopes.enter();
        self.bind_lets(&repeat.cond);
        self.visit_expr(&repeat.cond);
        self.report(&repeat.cond, before);
        self.loop_body(repeat.label.as_ref(), &repeat.body, false);
        self.scopes.leave();
    }

    pub(super) fn visit_for(&mut self, repeat: &syn::ExprForLoop) {
        if let Expr::Range(bounds) = &*repeat.expr {
            self.iterated_range(bounds);
        }
        self.tick(&repeat.body);
        self.visit_expr(&repeat.expr);
        self.scopes.enter();
        self.scopes.bind(&repeat.pat, Kind::Unknown);
        self.loop_body(repeat.label.as_ref(), &repeat.body, false);
        self.scopes.leave();
    }

    pub(super) fn visit_loop(&mut self, repeat: &syn::ExprLoop) {
        self.tick(&repeat.body);
        self.loop_body(repeat.label.as_ref(), &repeat.body, breaks_with_value(&repeat.body));
    }

    fn loop_body(&mut self, label: Option<&Label>, body: &Block, has_value: bool) {
        let label = label.map(|label| label.name.to_string());
        self.jumps.push(JumpTarget { label, is_loop: true, has_value });
        self.visit_block(body);
        self.jumps.pop();
    }

    pub(super) fn visit_labelled_block(&mut self, block: &syn::ExprBlock) {
        let label = block.label.as_ref().map(|label| label.name.to_string());
        let is_target = label.is_some();
        if is_target {
            self.jumps.push(JumpTarget { label, is_loop: false, has_value: true });
        }
        self.visit_block(&block.block);
        if is_target {
            self.jumps.pop();
        }
    }

    /// What `let` binds in a condition is unknown.
    fn bind_lets(&mut self, condition: &Expr) {
        match condition {
            Expr::Let(binding) => self.scopes.bind(&binding.pat, Kind::Unknown),
            Expr::Binary(binary) => {
                self.bind_lets(&binary.left);
                self.bind_lets(&binary.right);
            }
            _ => {}
        }
    }

    /// The condition of an `if` or `while`, unless another operator negates it.
    fn condition(&mut self, condition: &Expr) {
        if has_let(condition) || is_negated_elsewhere(condition) {
            return;
        }
        let span = range(condition);
        let after = negation(self.file.slice(&span), condition);
        let draft = Draft { operator: NEG, span: span.clone(), after };
        self.site(span.clone(), vec![draft], |base| {
            vec![text(format!("{}::neg({base}, ", crate::RUNTIME)), source(&span), text(")")]
        });
    }

    fn mark(&self) -> Mark {
        Mark { sites: self.sites.len(), mutants: self.plan.mutants.len() }
    }

    /// Reports how a condition comes out where none of its operators does; `before` was when it had not been looked at.
    /// A comparison of whatever reports its distances, if it has some: its answer is reported apart.
    fn report(&mut self, condition: &Expr, before: Mark) {
        if has_let(condition) {
            return;
        }
        let bare = without_negations(condition);
        let span = range(bare);
        let known = self.sites[before.sites..].iter().find(|site| site.range == span && site.probe.is_some());
        if let Some(number) = known.and_then(|site| site.probe) {
            if let Expr::Binary(binary) = bare
                && [&binary.left, &binary.right].iter().all(|operand| self.kind(operand) == Kind::Unknown)
                && !matches!(binary.op, syn::BinOp::And(_) | syn::BinOp::Or(_))
            {
                self.reported(span, before, "answer", number);
            }
            return;
        }
        let span = range(condition);
        let is_inside = |mutant: &&Mutant| span.start <= mutant.span.start && mutant.span.end <= span.end;
        let first = self.plan.mutants[before.mutants..].iter().find(is_inside);
        if let Some(mutant) = first.filter(|mutant| !is_reporting(mutant.operator)) {
            self.reported(span, before, "side", mutant.number);
        }
    }

    /// Adds a site that reports under the number of a mutant in it.
    fn reported(&mut self, span: Range<usize>, before: Mark, function: &str, number: u32) {
        let parts =
            vec![text(format!("{}::{function}({number}, ", crate::RUNTIME)), source(&span), text(")")];
        let Some(function) = self.function.filter(|_| self.may_write(&span, &parts)) else { return };
        let site = Site { range: span, base: 0, count: 0, function, probe: Some(number), parts };
        // Of sites with the same range the first is the outer one.
        self.sites.insert(before.sites, site);
    }

    /// A statement that can be left out.
    pub(super) fn statement(&mut self, stmt: &Stmt) {
        let (is_omitted, attrs) = match stmt {
            Stmt::Expr(expr, Some(_)) => (has_effect_only(expr), attributes(expr)),
            Stmt::Macro(mac) => (is_assertion(&mac.mac), mac.attrs.as_slice()),
            _ => return,
        };
        if is_omitted && attrs.is_empty() {
            self.omit(range(stmt), OMIT);
        }
    }

    /// `return …;` at the end of an `if` without `else`.
    fn early_return(&mut self, block: &Block) {
        if let Some(Stmt::Expr(Expr::Return(result), _)) = block.stmts.last()
            && result.attrs.is_empty()
            && let Some(stmt) = block.stmts.last()
        {
            self.omit(range(stmt), RETURN);
        }
    }

    fn omit(&mut self, span: Range<usize>, operator: &'static Operator) {
        let draft = Draft { operator, span: span.clone(), after: String::new() };
        self.site(span.clone(), vec![draft], |base| {
            let keep = rt("keep", &[&base.to_string()]);
            vec![text(format!("if {keep} {{ ")), source(&span), text(" }")]
        });
    }

    pub(super) fn visit_match(&mut self, choice: &ExprMatch) {
        self.visit_expr(&choice.expr);
        let catch_all = choice.arms.iter().rposition(is_catch_all);
        for (at, arm) in choice.arms.iter().enumerate() {
            if !self.is_compiled(&arm.attrs) {
                continue;
            }
            if let Some(last) = catch_all.filter(|last| at < *last) {
                self.arm(arm, &choice.arms[last]);
            }
            self.scopes.enter();
            self.scopes.bind(&arm.pat, Kind::Unknown);
            if let Pat::Guard(pat) = &arm.pat {
                let before = self.mark();
                self.guard(&pat.guard);
                self.visit_expr(&pat.guard);
                self.report(&pat.guard, before);
            }
            self.visit_expr(&arm.body);
            self.scopes.leave();
        }
    }

    /// An arm that gives way to the catch-all: a guard that is false for its mutant.
    fn arm(&mut self, arm: &Arm, catch_all: &Arm) {
        let slice = |node: &Expr| one_line(self.file.slice(&range(node)));
        if !arm.attrs.is_empty() || slice(&arm.body) == slice(&catch_all.body) {
            return;
        }
        let pat = range(&arm.pat);
        let draft = Draft { operator: ARM, span: pat.start..range(&arm.body).end, after: String::new() };
        match &arm.pat {
            Pat::Guard(guarded) if has_let(&guarded.guard) => {}
            Pat::Guard(guarded) => {
                let (token, guard) = (range(&guarded.if_token), range(&*guarded.guard));
                self.site(token.start..guard.end, vec![draft], |base| {
                    let keep = rt("keep", &[&base.to_string()]);
                    vec![text(format!("if {keep} && (")), between(&token, &guard), source(&guard), text(")")]
                });
            }
            _ => self.site(pat.end..pat.end, vec![draft], |base| {
                vec![text(format!(" if {}", rt("keep", &[&base.to_string()])))]
            }),
        }
    }

    fn guard(&mut self, guard: &Expr) {
        if has_let(guard) {
            return;
        }
        let span = range(guard);
        let draft = |after: &str| Draft { operator: GUARD, span: span.clone(), after: after.to_owned() };
        let others = ["true", "false"];
        self.site(span.clone(), others.map(draft).into(), |base| {
            let arms = others.map(str::to_owned).to_vec();
            vec![text("("), choice(select("may", base, 2), vec![source(&span)], arms), text(")")]
        });
    }

    pub(super) fn visit_break(&mut self, jump: &syn::ExprBreak) {
        match &jump.expr {
            Some(value) => self.visit_expr(value),
            None => self.jump(range(jump), jump.label.as_ref(), true),
        }
    }

    /// `break` ↔ `continue`.
    pub(super) fn jump(&mut self, span: Range<usize>, label: Option<&Lifetime>, is_break: bool) {
        let label = label.map(ToString::to_string);
        let target = self.jumps.iter().rev().find(|target| match &label {
            Some(label) => target.label.as_ref() == Some(label),
            None => target.is_loop,
        });
        if target.is_none_or(|target| !target.is_loop || target.has_value) {
            return;
        }
        let word = if is_break { "continue" } else { "break" };
        let after = label.map_or_else(|| word.to_owned(), |label| format!("{word} {label}"));
        let draft = Draft { operator: JUMP, span: span.clone(), after: after.clone() };
        self.site(span.clone(), vec![draft], |base| {
            vec![text("("), choice(select("may", base, 1), vec![source(&span)], vec![after]), text(")")]
        });
    }

    /// `expr?` → `expr.unwrap()`.
    pub(super) fn attempt(&mut self, attempt: &syn::ExprTry) {
        let (inner, span) = (range(&*attempt.expr), range(attempt));
        let question = inner.end..span.end;
        let draft = Draft { operator: TRY, span: question.clone(), after: ".unwrap()".to_owned() };
        self.site(span, vec![draft], |base| {
            let arms = vec![rt("omit", &["__v"])];
            vec![
                text("(match ("),
                source(&inner),
                between(&inner, &question),
                text(") { __v => "),
                choice(select("may", base, 1), vec![text("__v?")], arms),
                text(" })"),
            ]
        });
        self.visit_expr(&attempt.expr);
    }
}

/// Calls and assignments, whose value nobody uses.
fn has_effect_only(expr: &Expr) -> bool {
    match expr {
        Expr::Call(_) | Expr::MethodCall(_) => true,
        Expr::Assign(assign) => !matches!(*assign.left, Expr::Infer(_)),
        Expr::Binary(_) => true,
        Expr::Try(attempt) => has_effect_only(&attempt.expr) || matches!(*attempt.expr, Expr::Macro(_)),
        Expr::Await(wait) => has_effect_only(&wait.base),
        Expr::Macro(mac) => is_assertion(&mac.mac),
        _ => false,
    }
}

fn is_assertion(mac: &syn::Macro) -> bool {
    ["assert", "assert_eq", "assert_ne"].iter().any(|name| mac.path.is_ident(name))
}

/// Comparisons, negations, connectors of one and pairs such as `is_some` have an operator of their own that turns
/// the condition around.
fn is_negated_elsewhere(condition: &Expr) -> bool {
    match condition {
        Expr::Binary(binary) => !matches!(binary.op, syn::BinOp::And(_) | syn::BinOp::Or(_)),
        Expr::Unary(unary) => matches!(unary.op, UnOp::Not(_)),
        Expr::Lit(_) => true,
        Expr::Paren(inner) => is_negated_elsewhere(&inner.expr),
        Expr::MethodCall(call) => {
            ["is_some", "is_none", "is_ok", "is_err"].iter().any(|name| call.method == name)
        }
        _ => false,
    }
}

/// The condition inside of parentheses and negations.
pub(crate) fn without_negations(condition: &Expr) -> &Expr {
    match condition {
        Expr::Paren(inner) => without_negations(&inner.expr),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_)) => without_negations(&unary.expr),
        other => other,
    }
}

fn negation(slice: &str, condition: &Expr) -> String {
    let slice = one_line(slice);
    match condition {
        Expr::Binary(_) | Expr::Cast(_) | Expr::Range(_) => format!("!({slice})"),
        _ => format!("!{slice}"),
    }
}

/// `_ =>` or `name =>`, without a guard.
fn is_catch_all(arm: &Arm) -> bool {
    match &arm.pat {
        Pat::Wild(_) => true,
        Pat::Ident(ident) => {
            let is_variable = ident.ident.to_string().starts_with(|c: char| c.is_lowercase() || c == '_');
            ident.subpat.is_none() && is_variable
        }
        _ => false,
    }
}

/// Whether a `loop` ends with a value.
fn breaks_with_value(body: &Block) -> bool {
    struct Breaks(bool);
    impl<'a> Visit<'a> for Breaks {
        fn visit_expr_break(&mut self, jump: &'a syn::ExprBreak) {
            self.0 |= jump.expr.is_some();
        }
        fn visit_expr_closure(&mut self, _: &'a syn::ExprClosure) {}
        fn visit_item(&mut self, _: &'a syn::Item) {}
    }
    let mut breaks = Breaks(false);
    breaks.visit_block(body);
    breaks.0
}
