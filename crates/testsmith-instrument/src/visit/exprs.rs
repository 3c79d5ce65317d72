//! Which family looks at which expression.

use syn::visit::{self, Visit};
use syn::{Expr, Item, Local, Pat, Stmt};

use super::{Walker, range};
use crate::kinds::Kind;

impl<'ast> Visit<'ast> for Walker<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::Fn(item) => self.function(&item.attrs, &item.sig, &item.block, range(item)),
            Item::Impl(item) => self.visit_impl(item),
            Item::Trait(item) => self.visit_trait(item),
            Item::Mod(item) => self.visit_module(item),
            Item::Const(item) if is_computed(&item.expr) => {
                self.skip(range(&item.ident).start, &format!("const {}", item.ident), "const context");
            }
            Item::Static(item) if is_computed(&item.expr) => {
                self.skip(range(&item.ident).start, &format!("static {}", item.ident), "const context");
            }
            Item::Macro(item) => self.macro_rules(item),
            _ => {}
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function(&item.attrs, &item.sig, &item.block, range(item));
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.function(&item.attrs, &item.sig, block, range(item));
        }
    }

    // Const contexts, types, patterns and attributes hold nothing that can be switched at run time.
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_path(&mut self, _: &'ast syn::Path) {}
    fn visit_pat(&mut self, _: &'ast Pat) {}
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
    fn visit_generics(&mut self, _: &'ast syn::Generics) {}
    fn visit_angle_bracketed_generic_arguments(&mut self, _: &'ast syn::AngleBracketedGenericArguments) {}

    fn visit_expr_repeat(&mut self, repeat: &'ast syn::ExprRepeat) {
        // `[CONST; n]` and `[literal; n]` need a constant where the type is not `Copy`: numbers are.
        self.visit_expr(&repeat.expr);
    }

    fn visit_block(&mut self, block: &'ast syn::Block) {
        self.scopes.enter();
        for stmt in &block.stmts {
            self.statement(stmt);
            self.visit_stmt(stmt);
        }
        self.scopes.leave();
    }

    fn visit_stmt(&mut self, stmt: &'ast Stmt) {
        match stmt {
            Stmt::Local(local) if !self.is_compiled(&local.attrs) => {}
            Stmt::Macro(mac) if !self.is_compiled(&mac.attrs) => {}
            Stmt::Macro(mac) => self.macro_call(&mac.mac),
            _ => visit::visit_stmt(self, stmt),
        }
    }

    fn visit_local(&mut self, local: &'ast Local) {
        let mut kind = Kind::Unknown;
        if let Some(init) = &local.init {
            self.operand(&init.expr, false);
            kind = self.kind(&init.expr);
            self.visit_expr(&init.expr);
            if let Some((_, diverge)) = &init.diverge {
                self.visit_expr(diverge);
            }
        }
        self.scopes.bind(&local.pat, kind);
    }

    fn visit_expr(&mut self, expr: &'ast Expr) {
        if !self.is_compiled(attributes(expr)) {
            return;
        }
        match expr {
            Expr::Binary(binary) => self.binary(binary),
            Expr::Unary(unary) => self.unary(unary),
            Expr::Lit(lit) => self.literal(&lit.lit, range(lit)),
            Expr::Cast(cast) => self.cast(cast),
            Expr::If(branch) => self.visit_if(branch),
            Expr::While(repeat) => self.visit_while(repeat),
            Expr::ForLoop(repeat) => self.visit_for(repeat),
            Expr::Loop(repeat) => self.visit_loop(repeat),
            Expr::Block(block) => self.visit_labelled_block(block),
            Expr::Match(choice) => self.visit_match(choice),
            Expr::Break(jump) => self.visit_break(jump),
            Expr::Continue(jump) => self.jump(range(jump), jump.label.as_ref(), false),
            Expr::Try(attempt) => self.attempt(attempt),
            Expr::MethodCall(call) => self.method_call(call),
            Expr::Call(call) => self.call(call),
            Expr::Index(index) => self.visit_index(index),
            Expr::Struct(expr) => self.visit_struct(expr),
            Expr::Closure(closure) => self.visit_closure(closure),
            Expr::Async(block) => self.visit_async(block),
            Expr::Return(result) => {
                if let Some(value) = &result.expr {
                    self.operand(value, false);
                }
                visit::visit_expr(self, expr);
            }
            Expr::Macro(mac) => self.macro_call(&mac.mac),
            // `&literal` lives for ever; a choice between two literals would not.
            Expr::Reference(reference) if matches!(*reference.expr, Expr::Lit(_)) => {}
            // The place that is assigned to is no value; what is inside of it (an index, say) is.
            Expr::Assign(assign) => {
                self.visit_expr(&assign.left);
                self.operand(&assign.right, false);
                self.visit_expr(&assign.right);
            }
            _ => visit::visit_expr(self, expr),
        }
    }
}

impl Walker<'_> {
    fn visit_closure(&mut self, closure: &syn::ExprClosure) {
        let jumps = std::mem::take(&mut self.jumps);
        self.scopes.enter();
        for input in &closure.inputs {
            self.scopes.bind(input, Kind::Unknown);
        }
        if let Expr::Block(body) = &*closure.body {
            self.tick(&body.block);
        }
        self.visit_expr(&closure.body);
        self.scopes.leave();
        self.jumps = jumps;
    }

    fn visit_async(&mut self, block: &syn::ExprAsync) {
        let jumps = std::mem::take(&mut self.jumps);
        self.visit_block(&block.block);
        self.jumps = jumps;
    }

    /// Macros of std whose input is a list of expressions.
    fn macro_call(&mut self, mac: &syn::Macro) {
        let name = mac.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
        // How many arguments are expressions; what follows is a format string with arguments, or a pattern.
        let exprs = match name.as_str() {
            "vec" => usize::MAX,
            "assert" | "matches" => 1,
            "assert_eq" | "assert_ne" => 2,
            _ => return,
        };
        let list = syn::punctuated::Punctuated::<Expr, syn::Token![,]>::parse_terminated;
        if let Ok(args) = mac.parse_body_with(list) {
            args.iter().take(exprs).for_each(|arg| self.visit_expr(arg));
        } else if name == "matches" {
            let first = |input: syn::parse::ParseStream<'_>| {
                let expr: Expr = input.parse()?;
                let _: proc_macro2::TokenStream = input.parse()?;
                Ok(expr)
            };
            if let Ok(expr) = mac.parse_body_with(first) {
                self.visit_expr(&expr);
            }
        } else if let Ok(repeat) = syn::parse2::<Repeat>(mac.tokens.clone()) {
            self.visit_expr(&repeat.value);
            self.visit_expr(&repeat.count);
        }
    }
}

/// `value; count`, as in `vec![0; n]`.
struct Repeat {
    value: Expr,
    count: Expr,
}

impl syn::parse::Parse for Repeat {
    fn parse(input: syn::parse::ParseStream<'_>) -> syn::Result<Self> {
        let value = input.parse()?;
        input.parse::<syn::Token![;]>()?;
        Ok(Repeat { value, count: input.parse()? })
    }
}

/// A constant that is more than a name or one literal is worth a word when it is left alone.
fn is_computed(expr: &Expr) -> bool {
    !matches!(expr, Expr::Path(_) | Expr::Lit(_))
}

/// The attributes of the expressions that can have them in practice.
pub(super) fn attributes(expr: &Expr) -> &[syn::Attribute] {
    match expr {
        Expr::Block(e) => &e.attrs,
        Expr::If(e) => &e.attrs,
        Expr::Match(e) => &e.attrs,
        Expr::ForLoop(e) => &e.attrs,
        Expr::While(e) => &e.attrs,
        Expr::Loop(e) => &e.attrs,
        Expr::Unsafe(e) => &e.attrs,
        Expr::Call(e) => &e.attrs,
        Expr::MethodCall(e) => &e.attrs,
        Expr::Macro(e) => &e.attrs,
        Expr::Return(e) => &e.attrs,
        Expr::Assign(e) => &e.attrs,
        Expr::Binary(e) => &e.attrs,
        Expr::Struct(e) => &e.attrs,
        Expr::Lit(e) => &e.attrs,
        Expr::Path(e) => &e.attrs,
        Expr::Closure(e) => &e.attrs,
        Expr::Tuple(e) => &e.attrs,
        Expr::Array(e) => &e.attrs,
        Expr::Unary(e) => &e.attrs,
        Expr::Cast(e) => &e.attrs,
        Expr::Field(e) => &e.attrs,
        Expr::Reference(e) => &e.attrs,
        Expr::Break(e) => &e.attrs,
        Expr::Continue(e) => &e.attrs,
        Expr::Try(e) => &e.attrs,
        _ => &[],
    }
}
