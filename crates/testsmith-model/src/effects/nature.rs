//! What a type allows: can its values hold a way to other objects, can they change behind a shared reference,
//! are they copied?

use super::decls::{Decls, FnDecl, TypeId};
use super::report::Passing;
use super::ty::{Foreign, Ty};
use super::value::Access;

/// Types that change behind a shared reference.
const INTERIOR: [&str; 17] = [
    "Cell",
    "RefCell",
    "UnsafeCell",
    "SyncUnsafeCell",
    "OnceCell",
    "OnceLock",
    "LazyCell",
    "LazyLock",
    "Lazy",
    "Mutex",
    "RwLock",
    "Once",
    "Condvar",
    "Barrier",
    "Sender",
    "SyncSender",
    "Receiver",
];

/// Owners that several may share.
const SHARING: [&str; 3] = ["Rc", "Arc", "Weak"];

/// Owners of what their arguments name.
const HOLDING: [&str; 13] = [
    "Vec",
    "VecDeque",
    "LinkedList",
    "BinaryHeap",
    "HashMap",
    "HashSet",
    "BTreeMap",
    "BTreeSet",
    "Option",
    "Result",
    "Box",
    "SmallVec",
    "ArrayVec",
];

/// Types of the standard library that borrow what they show.
const BORROWING: [&str; 32] = [
    "Iter",
    "Chars",
    "CharIndices",
    "Bytes",
    "Lines",
    "Split",
    "SplitN",
    "RSplit",
    "SplitWhitespace",
    "SplitAsciiWhitespace",
    "SplitInclusive",
    "SplitTerminator",
    "Matches",
    "MatchIndices",
    "Keys",
    "Values",
    "Range",
    "Windows",
    "Chunks",
    "ChunksExact",
    "Cow",
    "Ref",
    "RwLockReadGuard",
    "Arguments",
    "Union",
    "Intersection",
    "Difference",
    "SymmetricDifference",
    "EscapeDebug",
    "EscapeDefault",
    "Components",
    "Display",
];

/// Types of other crates that are copied whenever they are passed on.
const COPY: [&str; 15] = [
    "Duration",
    "Instant",
    "SystemTime",
    "Ordering",
    "PhantomData",
    "TypeId",
    "Layout",
    "NonNull",
    "Alignment",
    "Discriminant",
    "ThreadId",
    "Ipv4Addr",
    "Ipv6Addr",
    "IpAddr",
    "SocketAddr",
];

/// Copied when their arguments are.
const COPY_WITH_ARGUMENTS: [&str; 7] =
    ["Option", "Result", "Reverse", "Wrapping", "Saturating", "Poll", "Bound"];

/// Whether a foreign type, by name, changes behind a shared reference.
pub(super) fn is_interior_name(name: &str) -> bool {
    INTERIOR.contains(&name) || name.starts_with("Atomic") || name.starts_with("NonZeroAtomic")
}

impl Decls<'_> {
    /// What a value of the type can hold of other objects: nothing, something to read, something to change.
    /// Of a type parameter, `param` is the answer.
    pub(super) fn carry(&self, ty: &Ty, param: Option<Access>) -> Option<Access> {
        let all = |list: &[Ty]| list.iter().map(|ty| self.carry(ty, param)).max().flatten();
        match ty {
            Ty::Prim(_) | Ty::Function(..) => None,
            Ty::Unknown | Ty::Bounded(_) | Ty::Callable(_) => Some(Access::Raw),
            Ty::Param(_) => param,
            Ty::Ref(mutable, _) => Some(if *mutable { Access::Mut } else { Access::Shared }),
            Ty::Ptr(mutable, _) => Some(if *mutable { Access::Raw } else { Access::Shared }),
            Ty::Tuple(list) => all(list),
            Ty::Seq(inner) | Ty::Iter(inner) => self.carry(inner, param),
            Ty::Own(id, args) => self.types[*id].carry.max(all(args)),
            // `Vec::new()`, whatever will be put into it.
            Ty::Foreign(foreign) if foreign.args.is_empty() && HOLDING.contains(&foreign.name.as_str()) => {
                Some(Access::Raw)
            }
            Ty::Foreign(foreign) => foreign_carry(foreign).max(all(&foreign.args)),
        }
    }

    /// Whether a value of the type, or something it owns or points to, changes behind a shared reference.
    pub(super) fn interior(&self, ty: &Ty) -> bool {
        let any = |list: &[Ty]| list.iter().any(|ty| self.interior(ty));
        match ty {
            Ty::Own(id, args) => self.types[*id].interior || any(args),
            Ty::Foreign(foreign) => is_interior_name(&foreign.name) || any(&foreign.args),
            Ty::Ref(_, inner) | Ty::Ptr(_, inner) | Ty::Seq(inner) | Ty::Iter(inner) => self.interior(inner),
            Ty::Tuple(list) => any(list),
            _ => false,
        }
    }

    /// Whether there is a raw pointer that can write in a value of the type.
    pub(super) fn holds_raw(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Ptr(mutable, _) => *mutable,
            ty if ty.is_raw_pointer() => true,
            Ty::Own(id, _) => self.types[*id].holds_raw,
            Ty::Foreign(foreign) => foreign.args.iter().any(|ty| self.holds_raw(ty)),
            Ty::Tuple(list) => list.iter().any(|ty| self.holds_raw(ty)),
            Ty::Seq(inner) | Ty::Iter(inner) => self.holds_raw(inner),
            _ => false,
        }
    }

    /// Whether passing a value on leaves the old one in place.
    pub(super) fn is_copy(&self, f: Option<&FnDecl<'_>>, ty: &Ty) -> bool {
        let all = |list: &[Ty]| list.iter().all(|ty| self.is_copy(f, ty));
        match ty {
            Ty::Prim(name) => *name != "str",
            Ty::Ref(mutable, _) => !mutable,
            Ty::Ptr(..) | Ty::Function(..) => true,
            Ty::Tuple(list) => all(list),
            Ty::Seq(inner) => self.is_copy(f, inner),
            Ty::Own(id, args) => self.types[*id].foreign_traits.contains("Copy") && all(args),
            Ty::Foreign(foreign) if COPY_WITH_ARGUMENTS.contains(&foreign.name.as_str()) => {
                all(&foreign.args)
            }
            Ty::Foreign(foreign) => {
                COPY.contains(&foreign.name.as_str()) || foreign.name.starts_with("NonZero")
            }
            Ty::Param(_) => f.is_some_and(|f| f.bounds_of(ty).iter().any(|bound| bound.name == "Copy")),
            Ty::Unknown | Ty::Bounded(_) | Ty::Iter(_) | Ty::Callable(_) => false,
        }
    }

    /// How an argument of the type gets into a function.
    pub(super) fn passing(&self, f: Option<&FnDecl<'_>>, ty: &Ty) -> Passing {
        match ty {
            Ty::Ref(true, _) => Passing::Mutable,
            Ty::Ref(false, inner) if self.interior(inner) => Passing::Interior,
            Ty::Ref(false, _) => Passing::Shared,
            ty if ty.is_raw_pointer() => Passing::Pointer,
            ty => match self.carry(ty, None) {
                None if self.is_copy(f, ty) => Passing::Copy,
                // What is only known by its traits is taken to own what it holds.
                _ if matches!(ty, Ty::Bounded(_) | Ty::Callable(_) | Ty::Unknown) => Passing::Value,
                Some(Access::Mut | Access::Raw) => Passing::Mutable,
                Some(Access::Shared) if self.interior(ty) => Passing::Interior,
                _ => Passing::Value,
            },
        }
    }

    /// Finds out what [`TypeDecl`](super::decls::TypeDecl)s hold, which depends on each other.
    pub(super) fn settle_types(&mut self) {
        loop {
            let any =
                |id: usize, holds: &dyn Fn(&Ty) -> bool| self.types[id].fields.iter().any(|f| holds(&f.ty));
            let each = (0..self.types.len()).map(|id| {
                let interior = any(id, &|ty| self.interior(ty));
                (self.own_carry(id), interior, any(id, &|ty| self.holds_raw(ty)))
            });
            let found: Vec<_> = each.collect();
            let mut changed = false;
            for (decl, found) in self.types.iter_mut().zip(found) {
                changed |= (decl.carry, decl.interior, decl.holds_raw) != found;
                (decl.carry, decl.interior, decl.holds_raw) = found;
            }
            if !changed {
                return;
            }
        }
    }

    /// Raw pointers in a type without lifetimes are how it owns things; in one with lifetimes they are as strong
    /// as the reference that a `PhantomData` names, unless a method hands out more; else as a mutable one.
    fn own_carry(&self, id: TypeId) -> Option<Access> {
        let decl = &self.types[id];
        let named = |field: &super::decls::FieldDecl| field.ty.foreign_name() == Some("PhantomData");
        let marker =
            decl.fields.iter().filter(|field| named(field)).filter_map(|f| self.carry(&f.ty, None)).max();
        let held =
            decl.fields.iter().filter(|field| !named(field)).filter_map(|f| self.carry(&f.ty, None)).max();
        match (held, marker) {
            (Some(Access::Raw), _) if !decl.has_lifetime => None,
            (Some(Access::Raw), Some(Access::Shared)) if !self.hands_out_mut(id) => marker,
            (Some(Access::Raw), _) => Some(Access::Mut),
            (held, marker) => held.max(marker),
        }
    }
}

impl Decls<'_> {
    /// Whether a method of a type gives mutable references to something else than the type itself.
    fn hands_out_mut(&self, id: TypeId) -> bool {
        let is_of_type = |f: &&FnDecl<'_>| matches!(f.self_ty, Some(Ty::Own(own, _)) if own == id);
        self.fns.iter().filter(is_of_type).any(|f| holds_mut(&f.ret, id))
    }
}

fn holds_mut(ty: &Ty, except: TypeId) -> bool {
    match ty {
        Ty::Ref(true, inner) => !matches!(&**inner, Ty::Own(id, _) if *id == except),
        Ty::Foreign(foreign) => foreign.args.iter().any(|ty| holds_mut(ty, except)),
        Ty::Tuple(list) => list.iter().any(|ty| holds_mut(ty, except)),
        Ty::Seq(inner) => holds_mut(inner, except),
        _ => false,
    }
}

fn foreign_carry(foreign: &Foreign) -> Option<Access> {
    let name = foreign.name.as_str();
    let is_std = matches!(foreign.root.as_str(), "" | "std" | "core" | "alloc");
    if matches!(name, "NonNull" | "AtomicPtr") {
        Some(Access::Raw)
    } else if SHARING.contains(&name) || foreign.borrows && is_std && BORROWING.contains(&name) {
        Some(Access::Shared)
    } else if foreign.borrows || matches!(name, "RefMut" | "MutexGuard" | "RwLockWriteGuard" | "Formatter") {
        Some(Access::Mut)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_name_each_type_once() {
        let mut names: Vec<_> = [&INTERIOR[..], &SHARING, &COPY, &COPY_WITH_ARGUMENTS].concat();
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
