//! Expressions as values.

use syn::{Expr, Lit};

use super::Walker;
use super::place::Want;
use crate::effects::decls::FieldId;
use crate::effects::names::{Def, Found, Space, segments};
use crate::effects::ty::Ty;
use crate::effects::value::{Access, Value};

impl Walker<'_, '_> {
    pub(super) fn value(&mut self, expr: &Expr) -> Value {
        let expected = self.expected.take();
        self.expected = match expr {
            Expr::Return(_) if self.returned.len() == 1 => self.written_return(),
            expr if hands_on_type(expr) => expected,
            _ => None,
        };
        let value = self.plain_value(expr);
        self.expected = None;
        value
    }

    /// The type of the function's result, if it says something.
    pub(super) fn written_return(&self) -> Option<Ty> {
        Some(self.f.ret.clone()).filter(|ty| !ty.is_unknown())
    }

    fn plain_value(&mut self, expr: &Expr) -> Value {
        match expr {
            Expr::Path(_) => {
                let value = self.place(expr, Want::Read);
                self.passed_on(value, false)
            }
            Expr::Field(_) | Expr::Index(_) => self.copied_out(expr),
            Expr::Unary(unary) => match unary.op {
                syn::UnOp::Deref(_) => self.copied_out(expr),
                syn::UnOp::Not(_) => self.unary(&unary.expr, "not"),
                _ => self.unary(&unary.expr, "neg"),
            },
            Expr::Paren(inner) => self.value(&inner.expr),
            Expr::Group(inner) => self.value(&inner.expr),
            Expr::Reference(reference) => self.borrow(&reference.expr, reference.mutability.is_some()),
            Expr::RawAddr(raw) => {
                let mutable = matches!(raw.mutability, syn::PointerMutability::Mut(_));
                let place = self.place(&raw.expr, if mutable { Want::Write } else { Want::Read });
                let ty = Ty::Ptr(mutable, Box::new(place.ty.clone()));
                let place =
                    if mutable { place.raised(Access::Raw) } else { place.capped(Some(Access::Shared)) };
                place.with_type(ty)
            }
            Expr::Assign(assign) => {
                let value = self.value(&assign.right);
                self.assign(&assign.left, value);
                Value::fresh(Ty::UNIT)
            }
            Expr::Binary(binary) => self.binary(binary),
            Expr::Call(call) => self.call(call),
            Expr::MethodCall(call) => self.method_call(call),
            Expr::Macro(mac) => self.macro_call(&mac.mac),
            Expr::Closure(closure) => self.closure(closure, &[]),
            Expr::Lit(lit) => Value::fresh(literal(&lit.lit)),
            Expr::Cast(cast) => self.cast(cast),
            Expr::Struct(literal) => self.struct_literal(literal),
            Expr::Tuple(tuple) => {
                let parts: Vec<_> = tuple.elems.iter().map(|part| self.value(part)).collect();
                let ty = Ty::Tuple(parts.iter().map(|part| part.ty.clone()).collect());
                all(&parts).with_type(ty)
            }
            Expr::Array(array) => {
                let parts: Vec<_> = array.elems.iter().map(|part| self.value(part)).collect();
                let ty = parts.first().map(|part| part.ty.clone()).unwrap_or_default();
                all(&parts).with_type(Ty::Seq(Box::new(ty)))
            }
            Expr::Repeat(repeat) => {
                let value = self.value(&repeat.expr);
                let ty = Ty::Seq(Box::new(value.ty.clone()));
                value.with_type(ty)
            }
            Expr::Range(range) => {
                let ends = [&range.start, &range.end].into_iter().flatten();
                let ends: Vec<_> = ends.map(|end| self.value(end)).collect();
                let ty = ends.first().map(|end| end.ty.clone()).unwrap_or_default();
                all(&ends).with_type(Ty::foreign("Range", vec![ty]))
            }
            other => self.control(other),
        }
    }

    /// The content of a place, by value.
    fn copied_out(&mut self, expr: &Expr) -> Value {
        let place = self.place(expr, Want::Read);
        self.use_whole(&place.ty);
        let is_borrowed = !place.is_local;
        self.passed_on(place, is_borrowed)
    }

    fn borrow(&mut self, expr: &Expr, mutable: bool) -> Value {
        let place = self.place(expr, if mutable { Want::Write } else { Want::Read });
        let ty = place.ty.clone().reference(mutable);
        let place = if mutable { place } else { place.capped(Some(Access::Shared)) };
        place.with_type(ty)
    }

    pub(super) fn assign(&mut self, left: &Expr, value: Value) {
        match left {
            Expr::Infer(_) => {}
            Expr::Paren(inner) => self.assign(&inner.expr, value),
            // Destructuring.
            Expr::Tuple(tuple) => tuple.elems.iter().for_each(|part| self.assign(part, untyped(&value))),
            Expr::Array(array) => array.elems.iter().for_each(|part| self.assign(part, untyped(&value))),
            Expr::Struct(parts) => {
                parts.fields.iter().for_each(|part| self.assign(&part.expr, untyped(&value)))
            }
            Expr::Call(parts) => parts.args.iter().for_each(|part| self.assign(part, untyped(&value))),
            Expr::Path(path) => match path.path.get_ident().and_then(|name| self.variable(&name.to_string()))
            {
                // The variable now stands for something else; nothing is changed behind it.
                Some(var) => self.grow(var, &value),
                None => {
                    let place = self.place(left, Want::Define);
                    self.define_whole(&place.ty);
                    self.write(&place);
                }
            },
            _ => {
                let place = self.place(left, Want::Define);
                self.define_whole(&place.ty);
                self.write_place(&place);
                self.store(left, &place, &value);
            }
        }
    }

    /// A value is put into a place: whoever holds the place holds what the value gives access to.
    pub(super) fn store(&mut self, place: &Expr, at: &Value, value: &Value) {
        if value.roots.is_empty() {
            return;
        }
        match self.base_variable(place) {
            Some(var) if at.roots.is_empty() || at.is_local => self.grow(var, &untyped(value)),
            // Into another object, out of sight.
            _ if value.can_write() => self.write(value),
            _ => {}
        }
    }

    fn cast(&mut self, cast: &syn::ExprCast) -> Value {
        let value = self.value(&cast.expr);
        let ty = self.scope.ty(&cast.ty);
        let value = match &ty {
            Ty::Ptr(true, _) => value.raised(Access::Raw),
            Ty::Prim(_) => value.capped(None),
            _ => value,
        };
        // `as *mut _` points to what it pointed to before.
        let ty = match (ty, &value.ty) {
            (Ty::Ptr(mutable, inner), Ty::Ptr(_, known) | Ty::Ref(_, known)) if inner.is_unknown() => {
                Ty::Ptr(mutable, known.clone())
            }
            (ty, _) => ty,
        };
        value.with_type(ty)
    }

    fn struct_literal(&mut self, literal: &syn::ExprStruct) -> Value {
        let names = segments(&literal.path);
        let (ty, variant) = match self.d.names.resolve(self.f.module, &names, Space::Types) {
            Found::Own(Def::Variant(id, at), rest) if rest.is_empty() => (Ty::Own(id, Vec::new()), Some(at)),
            _ => self.literal_type(&literal.path, &names),
        };
        let own = match ty.peeled() {
            Ty::Own(id, args) => Some((*id, args.clone())),
            _ => None,
        };
        let mut value = Value::fresh(ty.clone());
        let mut map = std::collections::HashMap::new();
        for field in &literal.fields {
            let part = self.value(&field.expr);
            value.absorb(&part);
            let member = match &field.member {
                syn::Member::Named(name) => syn::ext::IdentExt::unraw(name).to_string(),
                syn::Member::Unnamed(index) => index.index.to_string(),
            };
            if let Some((id, _)) = &own
                && let Some((id, _)) = self.d.field(*id, &[], variant, &member)
            {
                self.out.defines.insert(id);
                self.d.types[id.0].fields[id.1].ty.learn(&part.ty, &mut map);
            }
        }
        if let (Some(rest), Some((id, _))) = (&literal.rest, &own) {
            let rest = self.value(rest);
            value.absorb(&rest);
            let fields: Vec<FieldId> = self.d.all_fields(*id).collect();
            self.out.defines.extend(&fields);
            self.out.uses.extend(&fields);
        }
        // `Slab { entries, … }` of some `T` that the parts tell.
        if let Some((id, args)) = own
            && args.is_empty()
        {
            let params = self.d.types[id].params.iter();
            let args = params.map(|name| map.get(name).cloned().unwrap_or_default()).collect();
            value.ty = Ty::Own(id, args);
        }
        value
    }

    fn literal_type(&self, path: &syn::Path, names: &[String]) -> (Ty, Option<usize>) {
        if let [owner, variant] = names
            && owner == "Self"
            && let Some(Ty::Own(id, _)) = &self.f.self_ty
        {
            let variants = self.d.names.variants.get(id);
            let at = variants.and_then(|variants| variants.iter().position(|name| name == variant));
            return (self.f.self_ty.clone().unwrap_or_default(), at);
        }
        (self.scope.path(path), None)
    }

    /// A closure, with what it is called with as far as that is known.
    pub(super) fn closure(&mut self, closure: &syn::ExprClosure, inputs: &[Value]) -> Value {
        self.returned.push(Value::default());
        let value = self.framed(|walker| {
            for (at, input) in closure.inputs.iter().enumerate() {
                walker.bind(input, inputs.get(at).cloned().unwrap_or_default(), false);
            }
            walker.value(&closure.body)
        });
        let mut returned = self.returned.pop().unwrap_or_default();
        returned.join(&value);
        let ty = match &closure.output {
            syn::ReturnType::Default => value.ty,
            written => self.scope.output(written),
        };
        returned.with_type(Ty::Callable(Box::new(ty)))
    }
}

/// Whether the type that is wanted of an expression is wanted of a part of it.
fn hands_on_type(expr: &Expr) -> bool {
    match expr {
        Expr::Paren(_) | Expr::Group(_) | Expr::Block(_) | Expr::Unsafe(_) | Expr::If(_) | Expr::Match(_) => {
            true
        }
        Expr::MethodCall(_) | Expr::Try(_) => true,
        Expr::Call(call) => match &*call.func {
            Expr::Path(path) => path.path.get_ident().is_some_and(|name| name == "Ok" || name == "Some"),
            _ => false,
        },
        _ => false,
    }
}

/// What several values give access to together.
pub(super) fn all<'v>(values: impl IntoIterator<Item = &'v Value>) -> Value {
    let mut whole = Value::default();
    values.into_iter().for_each(|value| whole.absorb(value));
    whole
}

fn untyped(value: &Value) -> Value {
    value.clone().with_type(Ty::Unknown)
}

fn literal(lit: &Lit) -> Ty {
    match lit {
        Lit::Str(_) => Ty::Prim("str").reference(false),
        Lit::ByteStr(_) => Ty::Seq(Box::new(Ty::Prim("u8"))).reference(false),
        Lit::Byte(_) => Ty::Prim("u8"),
        Lit::Char(_) => Ty::Prim("char"),
        Lit::Float(_) => Ty::Prim("f64"),
        Lit::Bool(_) => Ty::Prim("bool"),
        Lit::Int(int) => {
            let known = crate::effects::convert::PRIMS.iter().find(|prim| **prim == int.suffix());
            Ty::Prim(known.copied().unwrap_or("i32"))
        }
        _ => Ty::Unknown,
    }
}
