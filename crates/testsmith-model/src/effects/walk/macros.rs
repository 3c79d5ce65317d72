//! Macro calls. Those of the standard library are understood; of others the arguments are read if they look like
//! expressions, and taken to be changed unless the macro is one that cannot.

use proc_macro2::{TokenStream, TokenTree};
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Expr, Macro, Pat, Token};

use super::Walker;
use super::expr::all;
use super::place::Want;
use crate::effects::report::IoKind;
use crate::effects::ty::Ty;
use crate::effects::value::{Access, Value};

impl Walker<'_, '_> {
    pub(super) fn macro_call(&mut self, mac: &Macro) -> Value {
        let name = mac.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
        match name.as_str() {
            "panic" | "unreachable" | "todo" | "unimplemented" => {
                self.out.may_panic = true;
                self.look_at(mac).with_type(Ty::Unknown)
            }
            "assert" | "assert_eq" | "assert_ne" | "debug_assert" | "debug_assert_eq" | "debug_assert_ne" => {
                self.out.may_panic = true;
                self.look_at(mac)
            }
            "print" | "println" | "eprint" | "eprintln" | "dbg" => {
                self.out.io.insert(IoKind::Console);
                self.look_at(mac)
            }
            "format" | "format_args" | "concat" | "compile_error" => {
                self.look_at(mac).with_type(Ty::foreign("String", Vec::new()))
            }
            "write" | "writeln" => self.write_macro(mac),
            "vec" => self.vec_macro(mac),
            "matches" => self.matches_macro(mac),
            "addr_of" | "addr_of_mut" => self.addr_of(mac, name == "addr_of_mut"),
            "try" | "ready" => self.read_all(mac),
            "cfg_if" => match self.cfg_if(mac) {
                Some(value) => value,
                None => self.other_macro(&name, mac),
            },
            "stringify" | "line" | "column" | "file" | "module_path" | "env" | "option_env"
            | "include_str" | "include_bytes" | "cfg" | "include" => Value::default(),
            _ => self.other_macro(&name, mac),
        }
    }

    /// Arguments that are only looked at, also those named in a format text.
    fn look_at(&mut self, mac: &Macro) -> Value {
        match arguments(mac) {
            Some(args) => args.iter().for_each(|arg| self.formatted(arg)),
            None => self.tokens(mac.tokens.clone()),
        }
        self.names_in_format(mac.tokens.clone());
        Value::fresh(Ty::UNIT)
    }

    fn formatted(&mut self, arg: &Expr) {
        // `name = value` in a format is no assignment.
        let arg = match arg {
            Expr::Assign(named) => &*named.right,
            other => other,
        };
        let place = self.place(arg, Want::Read);
        self.format(&place);
    }

    /// Writing a value as text calls its `fmt`.
    fn format(&mut self, value: &Value) {
        let mut types = Vec::new();
        value.ty.own_types(&mut types);
        for id in types.iter().flat_map(|ty| self.d.standard_methods_of(ty, "fmt")) {
            self.callees.insert(id);
            self.out.absorb(&self.known[id]);
        }
    }

    /// `{name}` in a text uses a variable.
    fn names_in_format(&mut self, tokens: TokenStream) {
        for token in tokens {
            let TokenTree::Literal(literal) = token else { continue };
            let text = literal.to_string();
            for part in text.split('{').skip(1) {
                let name: String = part.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                if let Some(var) = self.variable(&name) {
                    let place = self.variable_place(var);
                    self.format(&place);
                }
            }
        }
    }

    fn write_macro(&mut self, mac: &Macro) -> Value {
        if let Some(args) = arguments(mac)
            && let Some(target) = args.first()
        {
            let place = self.place(target, Want::Write);
            let own = self.d.methods(self.f, &place.ty, "write_str", 2).own;
            if !own.is_empty() && !place.ty.is_unknown() {
                self.call_known(&own, vec![place.clone(), Value::default()], &[]);
            }
            self.write_place(&place);
            args.iter().skip(1).for_each(|arg| self.formatted(arg));
            self.names_in_format(mac.tokens.clone());
        } else {
            self.tokens(mac.tokens.clone());
        }
        Value::fresh(Ty::foreign("Result", vec![Ty::UNIT]))
    }

    fn vec_macro(&mut self, mac: &Macro) -> Value {
        let repeated = mac.parse_body_with(|input: ParseStream<'_>| {
            let value: Expr = input.parse()?;
            input.parse::<Token![;]>()?;
            Ok((value, input.parse::<Expr>()?))
        });
        let value = match repeated {
            Ok((element, count)) => {
                self.value(&count);
                let value = self.value(&element);
                self.element_calls("clone", &value.ty);
                value
            }
            Err(_) => self.read_all(mac),
        };
        let ty = Ty::foreign("Vec", vec![value.ty.clone()]);
        value.with_type(ty)
    }

    fn matches_macro(&mut self, mac: &Macro) -> Value {
        let parts = mac.parse_body_with(|input: ParseStream<'_>| {
            let value: Expr = input.parse()?;
            input.parse::<Token![,]>()?;
            let pat = Pat::parse_multi_with_leading_vert(input)?;
            let guard = match input.parse::<Option<Token![if]>>()? {
                Some(_) => Some(input.parse::<Expr>()?),
                None => None,
            };
            input.parse::<Option<Token![,]>>()?;
            Ok((value, pat, guard))
        });
        match parts {
            Ok((value, pat, guard)) => self.framed(|walker| {
                let (value, copied) = walker.scrutinee(&value);
                walker.bind(&pat, value, copied);
                guard.iter().for_each(|guard| drop(walker.value(guard)));
            }),
            Err(_) => self.tokens(mac.tokens.clone()),
        }
        Value::fresh(Ty::Prim("bool"))
    }

    fn addr_of(&mut self, mac: &Macro, mutable: bool) -> Value {
        let Ok(expr) = mac.parse_body::<Expr>() else { return Value::default() };
        let place = self.place(&expr, if mutable { Want::Write } else { Want::Read });
        let ty = Ty::Ptr(mutable, Box::new(place.ty.clone()));
        let place = if mutable { place.raised(Access::Raw) } else { place.capped(Some(Access::Shared)) };
        place.with_type(ty)
    }

    /// All arguments by value.
    fn read_all(&mut self, mac: &Macro) -> Value {
        let Some(args) = arguments(mac) else {
            self.tokens(mac.tokens.clone());
            return Value::default();
        };
        let values: Vec<_> = args.iter().map(|arg| self.value(arg)).collect();
        let ty = values.first().map(|value| value.ty.clone()).unwrap_or_default();
        all(&values).with_type(ty)
    }

    fn other_macro(&mut self, name: &str, mac: &Macro) -> Value {
        let decl = self.d.macros.get(name);
        let is_quiet = decl.is_some_and(|decl| decl.is_quiet);
        if let Some(decl) = decl {
            let effect = if is_quiet { Walker::look } else { Walker::escape };
            self.scan(decl.local.clone(), effect);
        }
        if is_quiet {
            self.out.may_panic = true;
            let value = self.read_all(mac);
            let ty = value.ty.arg(0);
            return value.with_type(ty);
        }
        self.unknown(&format!("{name}!"));
        match arguments(mac) {
            Some(args) => {
                for arg in &args {
                    let place = self.place(arg, Want::Write);
                    self.escape(&place);
                }
            }
            None => self.tokens(mac.tokens.clone()),
        }
        Value::default()
    }

    /// Tokens that are not understood: what they name of variables and their fields may be changed.
    pub(super) fn tokens(&mut self, tokens: TokenStream) {
        self.scan(tokens, Walker::escape);
    }

    fn look(&mut self, _: &Value) {}

    /// Does something with every place that tokens name.
    fn scan(&mut self, tokens: TokenStream, effect: fn(&mut Self, &Value)) {
        let mut chain: Vec<TokenTree> = Vec::new();
        for token in tokens {
            match &token {
                TokenTree::Group(group) => {
                    self.chain(&mut chain, effect);
                    self.scan(group.stream(), effect);
                }
                TokenTree::Ident(_) if matches!(chain.last(), None | Some(TokenTree::Punct(_))) => {
                    chain.push(token)
                }
                TokenTree::Punct(punct) if punct.as_char() == '.' && !chain.is_empty() => chain.push(token),
                TokenTree::Ident(_) => {
                    self.chain(&mut chain, effect);
                    chain.push(token);
                }
                _ => self.chain(&mut chain, effect),
            }
        }
        self.chain(&mut chain, effect);
    }

    /// `a.b.c` out of tokens.
    fn chain(&mut self, chain: &mut Vec<TokenTree>, effect: fn(&mut Self, &Value)) {
        if matches!(chain.last(), Some(TokenTree::Punct(_))) {
            chain.pop();
        }
        let tokens: TokenStream = std::mem::take(chain).into_iter().collect();
        if let Ok(expr) = syn::parse2::<Expr>(tokens)
            && self.base_variable(&expr).is_some()
        {
            let place = self.place(&expr, Want::Write);
            effect(self, &place);
        }
    }
}

/// Whether what follows is never reached.
pub(super) fn diverges(mac: &Macro) -> bool {
    const NAMES: [&str; 4] = ["panic", "unreachable", "todo", "unimplemented"];
    mac.path.segments.last().is_some_and(|last| NAMES.iter().any(|name| last.ident == name))
}

/// Arguments between commas, if they are expressions.
fn arguments(mac: &Macro) -> Option<Vec<Expr>> {
    let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
    let parsed = parser.parse2(mac.tokens.clone()).ok()?;
    Some(parsed.into_iter().collect())
}
