//! Kinds of values, as far as the source shows them.
//!
//! Some operators make sense on numbers only, and the compiler would reject the rest one by one. This is no type
//! inference: what is not plain from a declaration, a literal or a cast is [`Kind::Unknown`].

use std::collections::HashMap;

use syn::{BinOp, Expr, Lit, Pat, Type, UnOp};

use crate::facts::Facts;

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Signed,
    Unsigned,
    Float,
    Bool,
    Str,
    Unknown,
}

impl Kind {
    pub(crate) fn of_type(ty: &Type) -> Kind {
        match ty {
            Type::Path(path) if path.qself.is_none() => {
                path.path.get_ident().map_or(Kind::Unknown, |name| Kind::of_name(&name.to_string()))
            }
            Type::Paren(inner) => Kind::of_type(&inner.elem),
            Type::Reference(inner) => match Kind::of_type(&inner.elem) {
                Kind::Str => Kind::Str,
                _ => Kind::Unknown,
            },
            _ => Kind::Unknown,
        }
    }

    pub(crate) fn of_name(name: &str) -> Kind {
        match name {
            "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => Kind::Signed,
            "u8" | "u16" | "u32" | "u64" | "u128" | "usize" => Kind::Unsigned,
            "f32" | "f64" => Kind::Float,
            "bool" => Kind::Bool,
            "str" | "String" => Kind::Str,
            _ => Kind::Unknown,
        }
    }

    pub(crate) fn is_number(self) -> bool {
        matches!(self, Kind::Signed | Kind::Unsigned | Kind::Float)
    }

    pub(crate) fn is_integer(self) -> bool {
        matches!(self, Kind::Signed | Kind::Unsigned)
    }
}

/// The kinds of names in scope.
#[derive(Default)]
pub(crate) struct Scopes {
    scopes: Vec<HashMap<String, Kind>>,
}

impl Scopes {
    pub(crate) fn enter(&mut self) {
        self.scopes.push(HashMap::new());
    }

    pub(crate) fn leave(&mut self) {
        self.scopes.pop();
    }

    /// Declares what a pattern binds: a plain name has the given kind, all others are unknown.
    pub(crate) fn bind(&mut self, pat: &Pat, kind: Kind) {
        match pat {
            Pat::Ident(ident) if ident.subpat.is_none() && ident.by_ref.is_none() => {
                self.insert(ident.ident.to_string(), kind);
            }
            Pat::Type(typed) => self.bind(&typed.pat, Kind::of_type(&typed.ty)),
            Pat::Paren(inner) => self.bind(&inner.pat, kind),
            other => self.shadow(other),
        }
    }

    fn shadow(&mut self, pat: &Pat) {
        struct Names<'a>(&'a mut Scopes);
        impl<'a> syn::visit::Visit<'a> for Names<'_> {
            fn visit_pat_ident(&mut self, ident: &'a syn::PatIdent) {
                self.0.insert(ident.ident.to_string(), Kind::Unknown);
                syn::visit::visit_pat_ident(self, ident);
            }
        }
        syn::visit::Visit::visit_pat(&mut Names(self), pat);
    }

    fn insert(&mut self, name: String, kind: Kind) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name, kind);
        }
    }

    fn get(&self, name: &str) -> Option<Kind> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name).copied())
    }

    /// The kind of an expression; `owner` is the type that `self` has.
    pub(crate) fn kind(&self, expr: &Expr, facts: &Facts, owner: Option<&str>) -> Kind {
        match expr {
            Expr::Lit(lit) => kind_of_literal(&lit.lit),
            Expr::Path(path) if path.qself.is_none() => match path.path.get_ident() {
                Some(name) => {
                    let name = name.to_string();
                    self.get(&name).or_else(|| facts.consts.get(&name).copied()).unwrap_or(Kind::Unknown)
                }
                None => kind_of_associated(path, facts),
            },
            Expr::Field(field) if is_self(&field.base) => {
                let name = match &field.member {
                    syn::Member::Named(name) => name.to_string(),
                    syn::Member::Unnamed(index) => index.index.to_string(),
                };
                let key = owner.map(|owner| (owner.to_owned(), name));
                key.and_then(|key| facts.fields.get(&key).copied()).unwrap_or(Kind::Unknown)
            }
            Expr::Cast(cast) => Kind::of_type(&cast.ty),
            Expr::Paren(inner) => self.kind(&inner.expr, facts, owner),
            Expr::Unary(unary) => match unary.op {
                UnOp::Deref(_) => Kind::Unknown,
                _ => self.kind(&unary.expr, facts, owner),
            },
            Expr::Binary(binary) => self.kind_of_binary(binary, facts, owner),
            Expr::MethodCall(call) => kind_of_method(&call.method.to_string()),
            Expr::Macro(mac) if mac.mac.path.is_ident("format") => Kind::Str,
            _ => Kind::Unknown,
        }
    }

    fn kind_of_binary(&self, binary: &syn::ExprBinary, facts: &Facts, owner: Option<&str>) -> Kind {
        match binary.op {
            BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_) | BinOp::Rem(_) => {
                let left = self.kind(&binary.left, facts, owner);
                let right = self.kind(&binary.right, facts, owner);
                // A literal takes the kind of the other operand.
                if matches!(*binary.left, Expr::Lit(_)) { right } else { left }
            }
            BinOp::And(_)
            | BinOp::Or(_)
            | BinOp::Lt(_)
            | BinOp::Gt(_)
            | BinOp::Le(_)
            | BinOp::Ge(_)
            | BinOp::Eq(_)
            | BinOp::Ne(_) => Kind::Bool,
            _ => Kind::Unknown,
        }
    }
}

fn kind_of_literal(lit: &Lit) -> Kind {
    match lit {
        Lit::Int(int) if int.suffix().is_empty() => Kind::Unknown,
        Lit::Int(int) => Kind::of_name(int.suffix()),
        // Without a suffix its type is inferred, and methods cannot be called before that.
        Lit::Float(float) => Kind::of_name(float.suffix()),
        Lit::Bool(_) => Kind::Bool,
        Lit::Byte(_) => Kind::Unsigned,
        Lit::Str(_) => Kind::Str,
        _ => Kind::Unknown,
    }
}

/// `u8::MAX`, `Self::LIMIT`.
fn kind_of_associated(path: &syn::ExprPath, facts: &Facts) -> Kind {
    let mut segments = path.path.segments.iter().rev().map(|s| s.ident.to_string());
    let (Some(last), Some(owner)) = (segments.next(), segments.next()) else { return Kind::Unknown };
    match (last.as_str(), Kind::of_name(&owner)) {
        ("MAX" | "MIN", kind) if kind.is_number() => kind,
        ("BITS", kind) if kind.is_integer() => Kind::Unsigned,
        _ => facts.consts.get(&last).copied().unwrap_or(Kind::Unknown),
    }
}

/// Methods of std whose name alone tells the kind of their result.
fn kind_of_method(name: &str) -> Kind {
    match name {
        "len" | "count" | "capacity" | "leading_zeros" | "trailing_zeros" | "count_ones" => Kind::Unsigned,
        "to_string" | "to_owned" | "trim" | "to_lowercase" | "to_uppercase" => Kind::Str,
        "is_empty" | "is_some" | "is_none" | "is_ok" | "is_err" | "contains" | "starts_with"
        | "ends_with" => Kind::Bool,
        _ => Kind::Unknown,
    }
}

fn is_self(expr: &Expr) -> bool {
    matches!(expr, Expr::Path(path) if path.path.is_ident("self"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_from_declarations_literals_and_casts_only() {
        let mut facts = Facts::default();
        facts.fields.insert(("P".into(), "x".into()), Kind::Signed);
        facts.consts.insert("LIMIT".into(), Kind::Unsigned);
        let mut scopes = Scopes::default();
        scopes.enter();
        scopes.insert("n".into(), Kind::Unsigned);
        scopes.insert("f".into(), Kind::Float);
        let kind = |text: &str| scopes.kind(&syn::parse_str(text).unwrap(), &facts, Some("P"));
        for (text, expected) in [
            ("n", Kind::Unsigned),
            ("n + 1", Kind::Unsigned),
            ("1 + n", Kind::Unsigned),
            ("-f", Kind::Float),
            ("self.x", Kind::Signed),
            ("other.x", Kind::Unknown),
            ("LIMIT", Kind::Unsigned),
            ("u8::MAX", Kind::Unsigned),
            ("y as i64", Kind::Signed),
            ("v.len()", Kind::Unsigned),
            ("n < 3", Kind::Bool),
            ("5", Kind::Unknown),
            ("5i8", Kind::Signed),
            ("*n", Kind::Unknown),
            ("\"a\"", Kind::Str),
        ] {
            assert_eq!(kind(text), expected, "{text}");
        }
    }
}
