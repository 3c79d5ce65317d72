//! What an expression may give access to: parameters and statics that can be reached through it, by which fields.

use std::collections::{BTreeMap, BTreeSet};

use super::decls::{FieldId, StaticId};
use super::ty::Ty;

/// An object that existed before the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Root {
    Param(usize),
    Static(StaticId),
}

/// What can be done to it. Raw pointers come last: they write through anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Access {
    Shared,
    Mut,
    Raw,
}

/// An abstract value or place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Value {
    pub(super) ty: Ty,
    pub(super) roots: BTreeMap<Root, Access>,
    /// Fields on the way from the roots, or from a local, to the place.
    pub(super) path: BTreeSet<FieldId>,
    /// Of these, the fields since the last variable.
    pub(super) within: BTreeSet<FieldId>,
    /// Whether it is a place inside of a local variable, so that an assignment changes nothing else.
    ///
    /// Also of a reference to such a place.
    pub(super) is_local: bool,
    /// Whether the place lies behind a reference that a root holds, rather than in the root itself.
    pub(super) deep: bool,
}

impl Value {
    /// Something new.
    pub(super) fn fresh(ty: Ty) -> Value {
        Value { ty, ..Value::default() }
    }

    pub(super) fn with_type(mut self, ty: Ty) -> Value {
        self.ty = ty;
        self
    }

    /// Takes over what another value gives access to; the type only if there is none.
    pub(super) fn join(&mut self, other: &Value) {
        // A branch without a value is one that does not come back.
        if self.ty.is_unknown() || self.ty == Ty::UNIT && !other.ty.is_unknown() {
            self.ty = other.ty.clone();
        }
        self.absorb(other);
    }

    /// Takes over what another value gives access to.
    pub(super) fn absorb(&mut self, other: &Value) {
        for (root, access) in &other.roots {
            let own = self.roots.entry(*root).or_insert(*access);
            *own = (*own).max(*access);
        }
        self.path.extend(&other.path);
        self.deep |= other.deep;
    }

    /// At most this access; none forgets all.
    pub(super) fn capped(mut self, most: Option<Access>) -> Value {
        match most {
            None => {
                self.roots.clear();
                self.path.clear();
                self.deep = false;
            }
            Some(most) => self.roots.values_mut().for_each(|access| *access = (*access).min(most)),
        }
        self
    }

    /// At least this access.
    pub(super) fn raised(mut self, least: Access) -> Value {
        self.roots.values_mut().for_each(|access| *access = (*access).max(least));
        self
    }

    /// Whether something that existed before can be changed through it.
    pub(super) fn can_write(&self) -> bool {
        self.roots.values().any(|access| *access > Access::Shared)
    }
}
