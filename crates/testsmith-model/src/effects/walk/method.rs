//! Method calls: methods of the crate, methods of the standard library by table, and what is left.

use syn::{Expr, ExprMethodCall};

use super::Walker;
use super::call::Closures;
use super::expr::all;
use super::place::Want;
use crate::effects::decls::FnId;
use crate::effects::nature::is_interior_name;
use crate::effects::outside;
use crate::effects::stdlib;
use crate::effects::ty::Ty;
use crate::effects::value::Value;

/// A method call with its parts evaluated.
pub(super) struct Call<'e> {
    pub(super) name: String,
    /// The receiver's expression, if it was written as one.
    pub(super) at: Option<&'e Expr>,
    pub(super) args: Vec<Value>,
    pub(super) closures: Vec<(usize, &'e syn::ExprClosure)>,
    /// Type written behind the name, as in `collect::<Vec<_>>`.
    pub(super) turbofish: Option<Ty>,
    /// Type that the result is to have, where that is written.
    pub(super) expected: Option<Ty>,
}

impl<'d> Walker<'d, '_> {
    pub(super) fn method_call(&mut self, call: &ExprMethodCall) -> Value {
        // What is written of the type is about the result, not about the parts.
        let expected = self.expected.take();
        let receiver = self.place(&call.receiver, Want::Read);
        let (args, closures) = self.arguments(call.args.iter());
        let turbofish = call.turbofish.as_ref().and_then(|generics| match generics.args.first() {
            Some(syn::GenericArgument::Type(ty)) => Some(self.scope.ty(ty)),
            _ => None,
        });
        let name = syn::ext::IdentExt::unraw(&call.method).to_string();
        self.method(receiver, Call { name, at: Some(&call.receiver), args, closures, turbofish, expected })
    }

    /// `Trait::name(receiver, …)`.
    pub(super) fn method_on_first(
        &mut self,
        name: &str,
        mut args: Vec<Value>,
        closures: &Closures<'_>,
    ) -> Value {
        let receiver = args.remove(0);
        let closures =
            closures.iter().filter(|(at, _)| *at > 0).map(|(at, closure)| (at - 1, *closure)).collect();
        self.method(
            receiver,
            Call { name: name.to_owned(), at: None, args, closures, turbofish: None, expected: None },
        )
    }

    fn method(&mut self, receiver: Value, call: Call<'_>) -> Value {
        let candidates = self.d.methods(self.f, &receiver.ty, &call.name, call.args.len() + 1);
        if candidates.own.is_empty() {
            return self.foreign_method(receiver, call);
        }
        // Without a type it may as well be the standard library's.
        if candidates.foreign && stdlib::method(&call.name, call.args.len()).is_some() {
            let closures = call.closures;
            let also = Call { closures: Vec::new(), ..call };
            let mut value = self.own_method(&candidates.own, receiver.clone(), &also, &closures);
            let outside = self.foreign_method(receiver, Call { closures, ..also });
            value.absorb(&outside);
            return value.with_type(Ty::Unknown);
        }
        self.own_method(&candidates.own, receiver, &call, &call.closures)
    }

    fn own_method(
        &mut self,
        own: &[FnId],
        receiver: Value,
        call: &Call<'_>,
        closures: &Closures<'_>,
    ) -> Value {
        let self_types = || own.iter().filter_map(|id| self.d.fns[*id].params.first()).map(|param| &param.ty);
        let is_mutable = self_types().any(|ty| matches!(ty, Ty::Ref(true, _)));
        let is_moved = self_types().all(|ty| !matches!(ty, Ty::Ref(..) | Ty::Ptr(..)));
        let receiver = match call.at {
            // Indexing and dereferencing go through other functions when they are to write.
            Some(expr) if is_mutable => self.place(expr, Want::Write),
            _ => receiver,
        };
        let want = if is_mutable { Want::Write } else { Want::Read };
        let mut place = self.stepped_to(own, receiver, &call.name, want);
        let is_promised = matches!(place.ty, Ty::Param(_) | Ty::Bounded(_));
        if is_moved {
            let is_borrowed = call.at.is_some_and(is_projection) && !place.is_local;
            place = self.passed_on(place, is_borrowed);
        }
        let args = std::iter::once(place).chain(call.args.iter().cloned()).collect();
        let closures: Vec<_> = closures.iter().map(|(at, closure)| (at + 1, *closure)).collect();
        match is_promised {
            true => self.call_promised(own, args, &closures),
            false => self.call_known(own, args, &closures),
        }
    }

    /// Dereferences until the type is the one that has the methods.
    fn stepped_to(&mut self, own: &[FnId], mut place: Value, name: &str, want: Want) -> Value {
        for _ in 0..8 {
            let here = self.d.methods_of(self.f, &place.ty, name);
            if here.iter().any(|id| own.contains(id)) || self.d.one_step_behind(&place.ty).is_none() {
                break;
            }
            place = self.dereference(place, want);
        }
        place
    }

    fn foreign_method(&mut self, receiver: Value, call: Call<'_>) -> Value {
        let count = call.args.len();
        if receiver.ty.unreferenced().is_raw_pointer() {
            return self.pointer_method(receiver, call);
        }
        let reached = receiver.ty.peeled().foreign_name().and_then(|ty| outside::reached_by(ty, &call.name));
        self.out.io.extend(reached);
        let is_cell = receiver.ty.peeled().foreign_name().is_some_and(is_interior_name);
        let found =
            if is_cell { stdlib::cell_method(&call.name, count) } else { stdlib::method(&call.name, count) };
        match found {
            Some(method) => self.std_method(receiver, call, method),
            None => self.unknown_method(receiver, call),
        }
    }

    /// A method that neither the crate nor the table has.
    fn unknown_method(&mut self, receiver: Value, mut call: Call<'_>) -> Value {
        let inputs = vec![Value { ty: Ty::Unknown, ..receiver.clone() }; 3];
        self.run_closures(&mut call, |_| inputs);
        let place = self.behind_references(receiver, Want::Write);
        let kind = place.ty.peeled().clone();
        match &kind {
            // Numbers, characters and strings have no methods with effects that are not in the table.
            Ty::Prim(name) => return Value::fresh(if *name == "str" { Ty::Unknown } else { kind.clone() }),
            // What a type argument does is up to whoever chose it.
            Ty::Param(_) | Ty::Bounded(_) => {}
            Ty::Foreign(foreign) if outside::is_computing(&foreign.root) => {}
            Ty::Foreign(foreign) if outside::reached_by(&foreign.name, &call.name).is_some() => {}
            _ => self.unknown(&format!(".{}", call.name)),
        }
        if !place.is_local {
            self.escape(&place);
        }
        call.args.iter().for_each(|arg| self.escape(arg));
        let mut value = place;
        value.absorb(&all(&call.args));
        self.passed_on(value.with_type(Ty::Unknown), false)
    }
}

/// Whether an expression names a part of something else.
pub(super) fn is_projection(expr: &Expr) -> bool {
    match expr {
        Expr::Paren(inner) => is_projection(&inner.expr),
        Expr::Field(_) | Expr::Index(_) => true,
        Expr::Unary(unary) => matches!(unary.op, syn::UnOp::Deref(_)),
        _ => false,
    }
}
