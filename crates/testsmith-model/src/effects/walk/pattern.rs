//! Patterns: which parts of a value their variables stand for.

use syn::{Expr, Member, Pat};

use super::Walker;
use super::place::Want;
use crate::effects::names::{Def, Found, Space, segments};
use crate::effects::ty::Ty;
use crate::effects::value::Value;

impl Walker<'_, '_> {
    /// What a pattern is matched with, and whether taking parts of it copies them out of a borrowed place.
    pub(super) fn scrutinee(&mut self, expr: &Expr) -> (Value, bool) {
        match expr {
            Expr::Paren(inner) => self.scrutinee(&inner.expr),
            Expr::Field(_) | Expr::Index(_) | Expr::Unary(_) => {
                let value = self.place(expr, Want::Read);
                let copied = !value.is_local;
                (value, copied)
            }
            Expr::Path(_) => (self.place(expr, Want::Read), false),
            _ => (self.value(expr), false),
        }
    }

    /// Brings a pattern's variables into scope.
    pub(super) fn bind(&mut self, pat: &Pat, value: Value, copied: bool) {
        self.bind_through(pat, value, None, copied);
    }

    /// `by` is the reference that the pattern looks through without saying so.
    fn bind_through(&mut self, pat: &Pat, value: Value, by: Option<bool>, copied: bool) {
        match pat {
            Pat::Ident(ident) => self.bind_name(ident, value, by, copied),
            Pat::Type(typed) => {
                let ty = self.scope.ty(&typed.ty);
                let ty = if ty.is_unknown() { value.ty.clone() } else { refined(ty, &value.ty) };
                self.bind_through(&typed.pat, value.with_type(ty), by, copied);
            }
            Pat::Paren(inner) => self.bind_through(&inner.pat, value, by, copied),
            Pat::Reference(reference) => {
                let inner = self.d.one_step_behind(&value.ty).filter(|_| matches!(value.ty, Ty::Ref(..)));
                let ty = inner.unwrap_or_else(|| value.ty.clone());
                self.bind_through(&reference.pat, value.with_type(ty), None, true);
            }
            Pat::Or(or) => {
                or.cases.iter().for_each(|case| self.bind_through(case, value.clone(), by, copied))
            }
            Pat::Guard(guard) => {
                self.bind_through(&guard.pat, value, by, copied);
                self.value(&guard.guard);
            }
            Pat::Tuple(tuple) => {
                let (value, by) = looked_through(value, by);
                self.bind_tuple(tuple.elems.iter(), &value, by, copied);
            }
            Pat::Slice(slice) => {
                let (value, by) = looked_through(value, by);
                let element = value.ty.element();
                for part in &slice.elems {
                    // `rest @ ..` is a slice again.
                    let is_rest = matches!(part, Pat::Ident(name) if name.subpat.is_some());
                    let ty = if is_rest { value.ty.clone() } else { element.clone() };
                    self.bind_through(part, value.clone().with_type(ty), by, copied);
                }
            }
            Pat::Struct(pattern) => {
                let (value, by) = looked_through(value, by);
                for field in &pattern.fields {
                    let part = self.part(&pattern.path, &value, &field.member);
                    self.bind_through(&field.pat, part, by, copied);
                }
            }
            Pat::TupleStruct(pattern) => {
                let (value, by) = looked_through(value, by);
                for (at, inner) in pattern.elems.iter().enumerate() {
                    let member = Member::Unnamed(syn::Index::from(at));
                    let part = self.part(&pattern.path, &value, &member);
                    self.bind_through(inner, part, by, copied);
                }
            }
            Pat::Macro(pattern) => drop(self.macro_call(&pattern.mac)),
            _ => {}
        }
    }

    fn bind_name(&mut self, pat: &syn::PatIdent, mut value: Value, by: Option<bool>, copied: bool) {
        let name = syn::ext::IdentExt::unraw(&pat.ident).to_string();
        if pat.subpat.is_none() && pat.by_ref.is_none() && self.is_constant(&name) {
            return;
        }
        if let Some((_, inner)) = &pat.subpat {
            self.bind_through(inner, value.clone(), by, copied);
        }
        let reference = if pat.by_ref.is_some() { Some(pat.mutability.is_some()) } else { by };
        value = match reference {
            Some(mutable) => {
                let ty = value.ty.clone().reference(mutable);
                let value = value.with_type(ty);
                if mutable { value } else { value.capped(Some(crate::effects::value::Access::Shared)) }
            }
            None => self.passed_on(value, copied),
        };
        self.drop_guard(&value);
        let var = pat.ident.span().byte_range().start;
        self.declare(name, var, value);
    }

    /// A local of a type that the crate drops in its own way acts again when it goes out of scope, which matters
    /// where it holds on to something: guards that put a length right.
    fn drop_guard(&mut self, value: &Value) {
        if value.can_write() && matches!(value.ty, Ty::Own(..)) {
            let own = self.d.methods_of(self.f, &value.ty, "drop");
            let own: Vec<_> = own.into_iter().filter(|id| self.d.fns[*id].params.len() == 1).collect();
            if !own.is_empty() {
                self.call_known(&own, vec![value.clone()], &[]);
            }
        }
    }

    /// `None`, a unit variant that a `use` brings in, a constant.
    fn is_constant(&self, name: &str) -> bool {
        let found = self.d.names.resolve(self.f.module, &[name.to_owned()], Space::Values);
        let is_own =
            matches!(found, Found::Own(Def::Variant(..) | Def::Const(_) | Def::Static(_) | Def::Type(_), _));
        is_own || name == "None"
    }

    fn bind_tuple<'p>(
        &mut self,
        parts: impl ExactSizeIterator<Item = &'p Pat>,
        value: &Value,
        by: Option<bool>,
        copied: bool,
    ) {
        let types = match &value.ty {
            Ty::Tuple(list) => list.clone(),
            _ => Vec::new(),
        };
        let count = parts.len();
        let mut skipped = 0;
        for (at, part) in parts.enumerate() {
            if matches!(part, Pat::Rest(_)) {
                skipped = (types.len() + 1).saturating_sub(count);
                continue;
            }
            // After `..`, parts are counted from the end.
            let at = if skipped > 0 { at + skipped - 1 } else { at };
            let ty = types.get(at).cloned().unwrap_or_default();
            self.bind_through(part, value.clone().with_type(ty), by, copied);
        }
    }

    /// A field of what a struct or variant pattern names.
    fn part(&mut self, path: &syn::Path, value: &Value, member: &Member) -> Value {
        let names = segments(path);
        let own = match self.d.names.resolve(self.f.module, &names, Space::Values) {
            Found::Own(Def::Variant(id, at), rest) if rest.is_empty() => Some((id, Some(at))),
            Found::Own(Def::Type(id), rest) if rest.is_empty() => Some((id, None)),
            _ => self.named_type(&names),
        };
        let name = match member {
            Member::Named(name) => syn::ext::IdentExt::unraw(name).to_string(),
            Member::Unnamed(index) => index.index.to_string(),
        };
        if let Some((id, variant)) = own {
            let args = match value.ty.peeled() {
                Ty::Own(own, args) if *own == id => args.clone(),
                _ => Vec::new(),
            };
            return match self.d.field(id, &args, variant, &name) {
                Some((field, ty)) => self.at_field(value.clone(), &[field], ty, Want::Read),
                None => value.clone().with_type(Ty::Unknown),
            };
        }
        let ty = match names.last().map(String::as_str) {
            Some("Err") => value.ty.arg(1),
            Some("Some" | "Ok") => value.ty.arg(0),
            _ => Ty::Unknown,
        };
        value.clone().with_type(ty)
    }

    /// `Self`, `Self::Variant`, a struct's or an alias's name.
    fn named_type(&self, names: &[String]) -> Option<(usize, Option<usize>)> {
        let (last, before) = names.split_last()?;
        if before.is_empty() && last == "Self" {
            return own_id(self.f.self_ty.as_ref()?).map(|id| (id, None));
        }
        let owner = match before {
            [name] if name == "Self" => own_id(self.f.self_ty.as_ref()?),
            _ => None,
        };
        if let Some(id) = owner {
            let variants = self.d.names.variants.get(&id)?;
            return variants.iter().position(|variant| variant == last).map(|at| (id, Some(at)));
        }
        match self.d.names.resolve(self.f.module, names, Space::Types) {
            Found::Own(Def::Type(id), rest) if rest.is_empty() => Some((id, None)),
            _ => None,
        }
    }
}

fn own_id(ty: &Ty) -> Option<usize> {
    match ty.peeled() {
        Ty::Own(id, _) => Some(*id),
        _ => None,
    }
}

/// A pattern that is no reference looks through one.
fn looked_through(value: Value, by: Option<bool>) -> (Value, Option<bool>) {
    match value.ty.clone() {
        Ty::Ref(mutable, inner) => {
            let by = Some(by.unwrap_or(true) && mutable);
            looked_through(value.with_type(*inner), by)
        }
        _ => (value, by),
    }
}

/// A written type, with its holes (`Vec<_>`) filled from the value's.
pub(super) fn refined(written: Ty, found: &Ty) -> Ty {
    match (&written, found) {
        (Ty::Foreign(a), Ty::Foreign(b)) if a.name == b.name && a.args.iter().any(Ty::is_unknown) => {
            found.clone()
        }
        (Ty::Foreign(a), Ty::Iter(item)) if a.args.len() == 1 && a.args[0].is_unknown() => {
            Ty::foreign(&a.name, vec![(**item).clone()])
        }
        _ => written,
    }
}
