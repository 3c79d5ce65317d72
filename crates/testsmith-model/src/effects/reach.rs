//! Which types' values can be reached from values of a type: what a function can see of its caller's objects, and
//! what its caller can see of the function's.

use std::collections::BTreeSet;

use super::decls::{Decls, FieldId, FnDecl, TypeId};
use super::report::Passing;
use super::summary::{Summary, Written};
use super::ty::{Bound, Ty};
use super::value::{Access, Root};

/// A set of types.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Reach {
    types: BTreeSet<TypeId>,
    /// Where a type is not known, it may be any.
    everything: bool,
}

impl Reach {
    fn contains(&self, field: &FieldId) -> bool {
        self.everything || self.types.contains(&field.0)
    }

    /// Adds a type and all that it can hold.
    pub(super) fn add(&mut self, decls: &Decls<'_>, f: Option<&FnDecl<'_>>, ty: &Ty) {
        match ty {
            Ty::Prim(_) | Ty::Function(..) => {}
            Ty::Unknown => self.everything = true,
            Ty::Own(id, args) => {
                args.iter().for_each(|arg| self.add(decls, f, arg));
                if self.types.insert(*id) {
                    let fields = decls.types[*id].fields.iter();
                    fields.for_each(|field| self.add(decls, None, &field.ty));
                }
            }
            Ty::Foreign(foreign) => foreign.args.iter().for_each(|arg| self.add(decls, f, arg)),
            Ty::Param(name) => {
                // A field's type parameter is among the arguments of the type.
                let Some(f) = f else { return };
                self.everything |= name.contains("::") || name == "Self";
                self.add_bounds(decls, f, f.bounds_of(ty));
            }
            Ty::Bounded(bounds) => match f {
                Some(f) => self.add_bounds(decls, f, bounds),
                None => self.everything = true,
            },
            Ty::Ref(_, inner)
            | Ty::Ptr(_, inner)
            | Ty::Seq(inner)
            | Ty::Iter(inner)
            | Ty::Callable(inner) => {
                self.add(decls, f, inner);
            }
            Ty::Tuple(list) => list.iter().for_each(|ty| self.add(decls, f, ty)),
        }
    }

    /// Adds what a result can hold that was not there before: a reference points to what was.
    fn add_new(&mut self, decls: &Decls<'_>, f: &FnDecl<'_>, ty: &Ty) {
        match ty {
            Ty::Ref(..) | Ty::Ptr(..) => {}
            Ty::Bounded(_) => self.everything = true,
            Ty::Foreign(foreign) => foreign.args.iter().for_each(|arg| self.add_new(decls, f, arg)),
            Ty::Tuple(list) => list.iter().for_each(|ty| self.add_new(decls, f, ty)),
            Ty::Seq(inner) => self.add_new(decls, f, inner),
            other => self.add(decls, Some(f), other),
        }
    }

    /// Whoever implements a trait of the crate may be a type of the crate.
    fn add_bounds(&mut self, decls: &Decls<'_>, f: &FnDecl<'_>, bounds: &[Bound]) {
        for bound in bounds {
            self.everything |= bound.own.is_some() || bound.is_lost;
            let types =
                bound.inputs.iter().chain([&bound.output]).chain(bound.assoc.iter().map(|(_, ty)| ty));
            // A bound may name the parameter that it bounds.
            let types = types.filter(|ty| !ty.is_unknown() && !matches!(ty.unreferenced(), Ty::Param(_)));
            types.for_each(|ty| self.add(decls, Some(f), ty));
        }
    }
}

/// Forgets fields of objects that live and die inside of the function: what is defined must be there after the
/// call, in the result, in a changed argument or in a static; what is used must have been there before it.
pub(super) fn keep_visible(decls: &Decls<'_>, f: &FnDecl<'_>, summary: &mut Summary) {
    let (mut after, mut before) = (Reach::default(), Reach::default());
    after.add_new(decls, f, &f.ret);
    for (at, (state, param)) in summary.params.iter().zip(&f.params).enumerate() {
        let lent = summary.returns.roots.get(&Root::Param(at)).is_some_and(|access| *access > Access::Shared);
        let is_left = !matches!(decls.passing(Some(f), &param.ty), Passing::Value | Passing::Copy);
        // What a moved argument refers to is left as well.
        if is_left && (state.written > Written::No || lent) || state.written > Written::Plain {
            after.add(decls, Some(f), &param.ty);
        }
        if state.used {
            before.add(decls, Some(f), &param.ty);
        }
    }
    let add_statics = |reach: &mut Reach, ids: &BTreeSet<usize>| {
        ids.iter().for_each(|id| reach.add(decls, None, &decls.statics[*id].ty));
    };
    add_statics(&mut after, &summary.statics_written);
    add_statics(&mut before, &summary.statics_read);
    summary.defines.retain(|field| after.contains(field));
    summary.uses.retain(|field| before.contains(field));
}
