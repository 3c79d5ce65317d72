//! Functions of the crate that the standard library calls: conversions, comparisons of elements, `next`.

use super::Walker;
use super::method::Call;
use crate::effects::stdlib;
use crate::effects::ty::Ty;
use crate::effects::value::Value;

impl Walker<'_, '_> {
    /// `collect`, `into` and `parse` are functions of the type that they give.
    pub(super) fn conversion_calls(&mut self, call: &Call<'_>, receiver: &Ty) {
        let callee = match call.name.as_str() {
            "collect" => "from_iter",
            "into" => "from",
            "try_into" => "try_from",
            "parse" => "from_str",
            "sum" => "sum",
            "product" => "product",
            _ => return,
        };
        let mut types = Vec::new();
        match call.turbofish.as_ref().or(call.expected.as_ref()) {
            Some(ty) => ty.own_types(&mut types),
            // Any type that can be made of what there is.
            None => types.extend((0..self.d.types.len()).map(|id| Ty::Own(id, Vec::new()))),
        }
        let argument = receiver.unreferenced();
        for id in types.iter().flat_map(|ty| self.d.methods_of(self.f, ty, callee)) {
            let takes = self.d.fns[id].params.first().map(|param| param.ty.unreferenced());
            let fits = match (takes, argument) {
                (Some(Ty::Own(a, _)), Ty::Own(b, _)) => a == b,
                (Some(Ty::Own(..)), Ty::Prim(_) | Ty::Foreign(_) | Ty::Seq(_)) => false,
                (Some(Ty::Prim(_) | Ty::Foreign(_) | Ty::Seq(_)), Ty::Own(..)) => false,
                (Some(Ty::Prim(a)), Ty::Prim(b)) => a == b,
                _ => true,
            };
            if fits {
                self.callees.insert(id);
                self.out.absorb(&self.known[id]);
            }
        }
    }

    /// Methods of elements that a method of their container calls.
    pub(super) fn element_calls(&mut self, name: &str, receiver: &Ty) {
        let mut types = Vec::new();
        receiver.peeled().own_types(&mut types);
        let is_keyed = receiver.peeled().foreign_name().is_some_and(stdlib::is_keyed);
        for callee in stdlib::calls_on(name, is_keyed) {
            for ty in &types {
                for id in self.d.standard_methods_of(ty, callee) {
                    self.callees.insert(id);
                    self.out.absorb(&self.known[id]);
                }
            }
        }
    }

    /// `next` of the crate's own iterators inside of adapters such as `Chain`.
    pub(super) fn adapted_calls(&mut self, receiver: &Ty, name: &str) {
        let callee = if name.ends_with("_back") || name == "rev" { "next_back" } else { "next" };
        let is_step = matches!(name, "next" | "next_back") || stdlib::is_iterator_method(name);
        let is_adapter = receiver.peeled().foreign_name().is_some_and(stdlib::is_adapter);
        if !is_step || !is_adapter {
            return;
        }
        let mut types = Vec::new();
        receiver.peeled().own_types(&mut types);
        for id in types.iter().flat_map(|ty| self.d.methods_of(self.f, ty, callee)) {
            self.callees.insert(id);
            self.out.absorb(&self.known[id]);
        }
    }

    /// `next` of the crate's own iterators behind the methods that every iterator has.
    pub(super) fn iterator_calls(&mut self, receiver: &Value, name: &str) {
        if !matches!(receiver.ty.peeled(), Ty::Own(..)) || !stdlib::is_iterator_method(name) {
            return;
        }
        let next = self.d.methods(self.f, &receiver.ty, "next", 1).own;
        if !next.is_empty() {
            let is_local = receiver.ty.is_owned();
            self.call_known(&next, vec![Value { is_local, ..receiver.clone() }], &[]);
        }
    }
}
