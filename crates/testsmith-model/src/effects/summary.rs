//! What one function does, as its callers need it: effects on parameters by number, on fields and statics by id.
//! Summaries only grow, so that going round the call graph ends.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::decls::{Decls, FieldId, FnDecl, FnId, StaticId};
use super::report::{Cause, Field, FunctionEffects, IoKind, ParamEffects, Passing, Purity};
use super::ty::Ty;
use super::value::{Access, Root, Value};

/// Whether a parameter is changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Written {
    #[default]
    No,
    /// By a way that its type allows.
    Plain,
    /// Something that the parameter refers to: more than the variable of the caller.
    Deep,
    /// Also where the caller holds a shared reference only, if the type changes behind one.
    Interior,
    /// Whatever the caller holds: raw pointers.
    Forced,
}

/// Who changes a parameter: of several, the function itself, else the callee that comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Changer {
    #[default]
    Nobody,
    Callee(Reverse<FnId>),
    Body,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ParamState {
    pub(super) used: bool,
    pub(super) written: Written,
    pub(super) changer: Changer,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Summary {
    pub(super) params: Vec<ParamState>,
    /// What the result gives access to.
    pub(super) returns: Value,
    pub(super) defines: BTreeSet<FieldId>,
    pub(super) uses: BTreeSet<FieldId>,
    pub(super) statics_read: BTreeSet<StaticId>,
    pub(super) statics_written: BTreeSet<StaticId>,
    pub(super) io: BTreeSet<IoKind>,
    /// Names of unknown callees of the function itself.
    pub(super) unknown: BTreeSet<String>,
    pub(super) calls_unknown: bool,
    pub(super) uses_unsafe: bool,
    pub(super) uses_interior: bool,
    pub(super) may_panic: bool,
}

impl Summary {
    pub(super) fn new(params: usize) -> Summary {
        Summary { params: vec![ParamState::default(); params], ..Summary::default() }
    }

    /// What the signature allows, for a method that others implement.
    pub(super) fn of_signature(decls: &Decls<'_>, f: &FnDecl<'_>) -> Summary {
        let mut summary = Summary::new(f.params.len());
        for (at, param) in f.params.iter().enumerate() {
            let is_changed = decls.passing(Some(f), &param.ty).worst() == Purity::ReadWrite;
            let written = match &param.ty {
                _ if !is_changed => Written::No,
                Ty::Ref(true, _) => Written::Plain,
                Ty::Ref(false, _) => Written::Interior,
                _ => Written::Forced,
            };
            summary.params[at] = ParamState { used: true, written, changer: Changer::Body };
            let access = decls.carry(&param.ty, Some(Access::Raw));
            summary
                .returns
                .roots
                .extend(access.map(|access| (Root::Param(at), access.min(start(&param.ty)))));
        }
        summary.limit_return(decls, f);
        summary
    }

    /// Takes over what another evaluation of the same function found.
    pub(super) fn join(&mut self, other: &Summary) {
        for (own, other) in self.params.iter_mut().zip(&other.params) {
            own.used |= other.used;
            own.written = own.written.max(other.written);
            own.changer = own.changer.max(other.changer);
        }
        self.returns.join(&other.returns);
        self.unknown.extend(other.unknown.iter().cloned());
        self.absorb(other);
    }

    /// Takes over what does not depend on the arguments of a call.
    pub(super) fn absorb(&mut self, callee: &Summary) {
        self.defines.extend(&callee.defines);
        self.uses.extend(&callee.uses);
        self.statics_read.extend(&callee.statics_read);
        self.statics_written.extend(&callee.statics_written);
        self.io.extend(&callee.io);
        self.calls_unknown |= callee.calls_unknown;
        self.uses_unsafe |= callee.uses_unsafe;
        self.uses_interior |= callee.uses_interior;
        self.may_panic |= callee.may_panic;
    }

    /// Forgets what a result of the declared type cannot hold. An argument that is moved in may come out again
    /// inside of a type parameter; what a reference points to cannot. Raw pointers hide in any type that has some.
    pub(super) fn limit_return(&mut self, decls: &Decls<'_>, f: &FnDecl<'_>) {
        let borrowed = decls.carry(&f.ret, None);
        let moved = decls.carry(&f.ret, Some(Access::Raw));
        let stored = decls.holds_raw(&f.ret).then_some(Access::Raw);
        let most = |root: &Root| match root {
            Root::Param(at) if f.params[*at].ty.is_raw_pointer() => borrowed.max(stored),
            Root::Param(at) if !matches!(f.params[*at].ty, Ty::Ref(..)) => moved,
            _ => borrowed,
        };
        self.returns.roots.retain(|root, access| match most(root) {
            Some(most) => {
                *access = (*access).min(most);
                true
            }
            None => false,
        });
        if self.returns.roots.is_empty() {
            self.returns.path.clear();
        }
    }

    /// The verdict on a parameter.
    fn purity(&self, decls: &Decls<'_>, f: &FnDecl<'_>, at: usize) -> Purity {
        let (state, ty) = (self.params[at], &f.params[at].ty);
        let passing = decls.passing(Some(f), ty);
        let given = self.returns.roots.get(&Root::Param(at));
        let is_lent = given.is_some_and(|access| *access > Access::Shared);
        match passing {
            _ if !state.used => Purity::Safe,
            Passing::Copy => Purity::Safe,
            Passing::Value => Purity::ReadOnly,
            _ if state.written > Written::No || is_lent => Purity::ReadWrite,
            _ if given.is_some() => Purity::ReadOnly,
            _ => Purity::Safe,
        }
    }

    /// What the verdict on a parameter rests on.
    fn cause(&self, decls: &Decls<'_>, f: &FnDecl<'_>, at: usize) -> Cause {
        let (state, passing) = (self.params[at], decls.passing(Some(f), &f.params[at].ty));
        match (self.purity(decls, f, at), passing) {
            (Purity::ReadWrite, _) if state.written == Written::No => Cause::Lent,
            (Purity::ReadWrite, Passing::Shared) => Cause::Unsafe,
            (Purity::ReadWrite, Passing::Interior) => Cause::Interior,
            (Purity::ReadWrite, _) => Cause::Signature,
            (_, passing) if passing.worst() == Purity::ReadWrite => Cause::Unchanged,
            _ => Cause::Signature,
        }
    }

    /// The function that changes a parameter, if that is not the function itself.
    fn changer(&self, decls: &Decls<'_>, f: &FnDecl<'_>, at: usize) -> Option<String> {
        let Changer::Callee(Reverse(id)) = self.params[at].changer else { return None };
        let callee = &decls.fns[id].path;
        let counts = self.purity(decls, f, at) == Purity::ReadWrite && *callee != f.path;
        counts.then(|| callee.clone())
    }

    /// Fields of the caller's objects that can be changed through the result.
    fn lent_fields(&self, decls: &Decls<'_>, f: &FnDecl<'_>) -> impl Iterator<Item = &FieldId> {
        let is_left = |root: &Root| match root {
            Root::Param(at) => decls.passing(Some(f), &f.params[*at].ty) != Passing::Value,
            Root::Static(_) => true,
        };
        let mut writable = self.returns.roots.iter().filter(|(_, access)| **access > Access::Shared);
        let is_lent = writable.any(|(root, _)| is_left(root));
        self.returns.path.iter().filter(move |_| is_lent)
    }

    /// The report on a function.
    pub(super) fn report(&self, decls: &Decls<'_>, f: &FnDecl<'_>, file: &str) -> FunctionEffects {
        let params = f.params.iter().enumerate().map(|(at, param)| ParamEffects {
            name: param.name.clone(),
            passing: decls.passing(Some(f), &param.ty),
            purity: self.purity(decls, f, at),
            cause: self.cause(decls, f, at),
            is_deep: self.params[at].written > Written::Plain,
            callee: self.changer(decls, f, at),
        });
        let paths = |ids: &BTreeSet<StaticId>| ids.iter().map(|id| decls.statics[*id].path.clone()).collect();
        FunctionEffects {
            path: f.path.clone(),
            file: file.to_owned(),
            line: f.line,
            has_receiver: f.has_receiver,
            params: params.collect(),
            defines: fields(decls, self.defines.iter().chain(self.lent_fields(decls, f))),
            uses: fields(decls, &self.uses),
            statics_read: paths(&self.statics_read),
            statics_written: paths(&self.statics_written),
            io: self.io.clone(),
            unknown_calls: self.unknown.clone(),
            calls_unknown: self.calls_unknown,
            uses_unsafe: self.uses_unsafe,
            uses_interior: self.uses_interior,
            may_panic: self.may_panic,
            is_known: true,
        }
    }
}

/// What a parameter of a type lets a function do to the argument, before any trick.
pub(super) fn start(ty: &Ty) -> Access {
    match ty {
        Ty::Ref(false, _) | Ty::Ptr(false, _) => Access::Shared,
        ty if ty.is_raw_pointer() => Access::Raw,
        _ => Access::Mut,
    }
}

/// Fields as reported.
pub(super) fn fields<'i>(decls: &Decls<'_>, ids: impl IntoIterator<Item = &'i FieldId>) -> BTreeSet<Field> {
    let each = ids.into_iter().map(|FieldId(owner, at)| {
        let decl = &decls.types[*owner];
        Field { owner: decl.path.clone(), name: decl.fields[*at].name.clone() }
    });
    each.collect()
}
