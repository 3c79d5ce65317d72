//! Types as far as the analysis guesses them: enough to tell which methods a call can mean, and whether a value
//! can hold a way to another object. Whatever is not understood is [`Ty::Unknown`].

use std::collections::HashMap;

use super::decls::{FnId, TraitId, TypeId};

/// A guessed type. Lifetimes are gone; `Foreign` remembers whether it had any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Ty {
    #[default]
    Unknown,
    /// A number, `bool`, `char`, `str`.
    Prim(&'static str),
    /// A type that the crate declares, with its type and const arguments.
    Own(TypeId, Vec<Ty>),
    Foreign(Foreign),
    /// A type parameter, `Self` of a trait, or an associated type such as `T::Item`.
    Param(String),
    /// `impl Trait` and `dyn Trait`.
    Bounded(Vec<Bound>),
    Ref(bool, Box<Ty>),
    Ptr(bool, Box<Ty>),
    Tuple(Vec<Ty>),
    /// A slice or an array.
    Seq(Box<Ty>),
    /// Some iterator of the standard library over items of a type.
    Iter(Box<Ty>),
    /// A closure or function pointer, with what it returns.
    Callable(Box<Ty>),
    /// A function by name: some of the crate, or the path of one of another crate.
    Function(Vec<FnId>, Vec<String>),
}

/// A type of another crate, by its last name: `Vec`, `HashMap`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Foreign {
    /// The crate; empty for names of the prelude.
    pub(super) root: String,
    pub(super) name: String,
    pub(super) args: Vec<Ty>,
    /// Whether it was written with a lifetime.
    pub(super) borrows: bool,
}

/// `Trait<Item = T>` or `Fn(A) -> B`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bound {
    /// The trait, if it is one of the crate's.
    pub(super) own: Option<TraitId>,
    pub(super) name: String,
    /// Whether the trait should be the crate's and was not found: a macro declares it.
    pub(super) is_lost: bool,
    pub(super) inputs: Vec<Ty>,
    pub(super) output: Ty,
    pub(super) assoc: Vec<(String, Ty)>,
}

/// What each type parameter in scope is bounded by.
pub(super) type Bounds = HashMap<String, Vec<Bound>>;

/// Owners and guards that a method call or a field access looks through.
const TRANSPARENT: [&str; 16] = [
    "Box",
    "Rc",
    "Arc",
    "Ref",
    "RefMut",
    "MutexGuard",
    "RwLockReadGuard",
    "RwLockWriteGuard",
    "Cow",
    "Pin",
    "ManuallyDrop",
    "LazyLock",
    "LazyCell",
    "Lazy",
    "PeekMut",
    "Reverse",
];

const MAPS: [&str; 4] = ["HashMap", "BTreeMap", "IndexMap", "FxHashMap"];

impl Ty {
    pub(super) const UNIT: Ty = Ty::Tuple(Vec::new());

    pub(super) fn foreign(name: &str, args: Vec<Ty>) -> Ty {
        Ty::Foreign(Foreign { root: String::new(), name: name.to_owned(), args, borrows: false })
    }

    pub(super) fn option(of: Ty) -> Ty {
        Ty::foreign("Option", vec![of])
    }

    pub(super) fn reference(self, mutable: bool) -> Ty {
        Ty::Ref(mutable, Box::new(self))
    }

    pub(super) fn is_unknown(&self) -> bool {
        matches!(self, Ty::Unknown)
    }

    /// The name of a foreign type.
    pub(super) fn foreign_name(&self) -> Option<&str> {
        match self {
            Ty::Foreign(foreign) => Some(&foreign.name),
            _ => None,
        }
    }

    /// Without references.
    pub(super) fn unreferenced(&self) -> &Ty {
        match self {
            Ty::Ref(_, inner) => inner.unreferenced(),
            other => other,
        }
    }

    /// What lies behind one reference, pointer, owner or guard.
    pub(super) fn behind(&self) -> Option<&Ty> {
        match self {
            Ty::Ref(_, inner) | Ty::Ptr(_, inner) => Some(inner),
            Ty::Foreign(foreign) if TRANSPARENT.contains(&foreign.name.as_str()) => foreign.args.first(),
            Ty::Foreign(foreign) if foreign.name == "NonNull" => foreign.args.first(),
            _ => None,
        }
    }

    /// What lies behind all of them.
    pub(super) fn peeled(&self) -> &Ty {
        self.behind().map_or(self, Ty::peeled)
    }

    pub(super) fn is_raw_pointer(&self) -> bool {
        matches!(self, Ty::Ptr(..)) || matches!(self.foreign_name(), Some("NonNull" | "AtomicPtr"))
    }

    /// Whether the value itself, not something behind it, is known to lie in the variable that has this type.
    pub(super) fn is_owned(&self) -> bool {
        match self {
            Ty::Foreign(foreign) => {
                !matches!(foreign.name.as_str(), "RefMut" | "MutexGuard" | "Pin" | "NonNull")
            }
            Ty::Prim(_) | Ty::Own(..) | Ty::Tuple(_) | Ty::Seq(_) | Ty::Iter(_) => true,
            Ty::Callable(_) | Ty::Function(..) => true,
            Ty::Unknown | Ty::Param(_) | Ty::Bounded(_) | Ty::Ref(..) | Ty::Ptr(..) => false,
        }
    }

    /// The type argument at a place.
    pub(super) fn arg(&self, at: usize) -> Ty {
        match self.peeled() {
            Ty::Foreign(foreign) => foreign.args.get(at).cloned().unwrap_or_default(),
            Ty::Seq(inner) | Ty::Iter(inner) if at == 0 => (**inner).clone(),
            _ => Ty::Unknown,
        }
    }

    /// What a container holds: elements, values of a map, the content of an option or a cell.
    pub(super) fn element(&self) -> Ty {
        match self.peeled() {
            Ty::Foreign(foreign) if MAPS.contains(&foreign.name.as_str()) => self.arg(1),
            Ty::Foreign(foreign) if foreign.name == "String" => Ty::Prim("char"),
            Ty::Prim("str") => Ty::Prim("char"),
            _ => self.arg(0),
        }
    }

    /// What iterating yields.
    pub(super) fn item(&self) -> Ty {
        match self {
            Ty::Ref(mutable, inner) => match &**inner {
                Ty::Ref(..) | Ty::Iter(_) | Ty::Bounded(_) => inner.item(),
                Ty::Foreign(f) if MAPS.contains(&f.name.as_str()) => {
                    Ty::Tuple(vec![self.arg(0).reference(false), self.arg(1).reference(*mutable)])
                }
                Ty::Foreign(_) | Ty::Seq(_) => inner.item().reference(*mutable),
                _ => Ty::Unknown,
            },
            Ty::Foreign(f) if MAPS.contains(&f.name.as_str()) => Ty::Tuple(vec![self.arg(0), self.arg(1)]),
            Ty::Foreign(foreign) if foreign.name == "Box" => self.arg(0).item(),
            Ty::Foreign(foreign) => match foreign.name.as_str() {
                "Iter" => self.arg(0).reference(false),
                "IterMut" => self.arg(0).reference(true),
                "Enumerate" => Ty::Tuple(vec![Ty::Prim("usize"), self.arg(0).item()]),
                "Rev" | "Skip" | "Take" | "Fuse" | "Peekable" | "StepBy" | "Filter" => self.arg(0).item(),
                "Chars" => Ty::Prim("char"),
                "Bytes" => Ty::Prim("u8"),
                "CharIndices" => Ty::Tuple(vec![Ty::Prim("usize"), Ty::Prim("char")]),
                _ => self.arg(0),
            },
            Ty::Seq(inner) | Ty::Iter(inner) => (**inner).clone(),
            Ty::Bounded(bounds) => item_of_bounds(bounds),
            _ => Ty::Unknown,
        }
    }

    /// The type with parameters replaced by those of a map.
    pub(super) fn with(&self, map: &HashMap<String, Ty>) -> Ty {
        self.replaced(&|name| map.get(name).cloned())
    }

    /// The type with parameters replaced, unless there is nothing to replace them with.
    pub(super) fn replaced(&self, by: &dyn Fn(&str) -> Option<Ty>) -> Ty {
        let boxed = |inner: &Ty| Box::new(inner.replaced(by));
        let all = |list: &[Ty]| list.iter().map(|ty| ty.replaced(by)).collect();
        match self {
            Ty::Param(name) => by(name).unwrap_or_else(|| self.clone()),
            Ty::Own(id, args) => Ty::Own(*id, all(args)),
            Ty::Foreign(foreign) => Ty::Foreign(Foreign { args: all(&foreign.args), ..foreign.clone() }),
            Ty::Bounded(bounds) => Ty::Bounded(bounds.iter().map(|bound| bound.replaced(by)).collect()),
            Ty::Ref(mutable, inner) => Ty::Ref(*mutable, boxed(inner)),
            Ty::Ptr(mutable, inner) => Ty::Ptr(*mutable, boxed(inner)),
            Ty::Tuple(list) => Ty::Tuple(all(list)),
            Ty::Seq(inner) => Ty::Seq(boxed(inner)),
            Ty::Iter(inner) => Ty::Iter(boxed(inner)),
            Ty::Callable(inner) => Ty::Callable(boxed(inner)),
            Ty::Unknown | Ty::Prim(_) | Ty::Function(..) => self.clone(),
        }
    }

    /// Learns what the parameters in `self` stand for from an actual type.
    pub(super) fn learn(&self, actual: &Ty, map: &mut HashMap<String, Ty>) {
        match (self, actual) {
            (_, Ty::Unknown) => {}
            (Ty::Param(name), _) => {
                map.entry(name.clone()).or_insert_with(|| actual.clone());
            }
            (Ty::Own(a, left), Ty::Own(b, right)) if a == b => learn_all(left, right, map),
            (Ty::Foreign(a), Ty::Foreign(b)) if a.name == b.name => learn_all(&a.args, &b.args, map),
            (Ty::Ref(_, a), Ty::Ref(_, b)) | (Ty::Ptr(_, a), Ty::Ptr(_, b)) => a.learn(b, map),
            (Ty::Ref(_, a), b) => a.learn(b, map),
            (a, Ty::Ref(_, b)) => a.learn(b, map),
            (Ty::Tuple(left), Ty::Tuple(right)) => learn_all(left, right, map),
            (Ty::Seq(a), _) => a.learn(&actual.element(), map),
            _ => {}
        }
    }

    /// Types of the crate that occur in it.
    pub(super) fn own_types(&self, into: &mut Vec<Ty>) {
        match self {
            Ty::Own(_, args) => {
                into.push(self.clone());
                args.iter().for_each(|arg| arg.own_types(into));
            }
            Ty::Foreign(foreign) => foreign.args.iter().for_each(|arg| arg.own_types(into)),
            Ty::Tuple(list) => list.iter().for_each(|ty| ty.own_types(into)),
            Ty::Ref(_, inner) | Ty::Seq(inner) | Ty::Iter(inner) => inner.own_types(into),
            _ => {}
        }
    }
}

impl Bound {
    fn replaced(&self, by: &dyn Fn(&str) -> Option<Ty>) -> Bound {
        Bound {
            own: self.own,
            name: self.name.clone(),
            is_lost: self.is_lost,
            inputs: self.inputs.iter().map(|ty| ty.replaced(by)).collect(),
            output: self.output.replaced(by),
            assoc: self.assoc.iter().map(|(name, ty)| (name.clone(), ty.replaced(by))).collect(),
        }
    }

    /// Whether it is `Fn`, `FnMut` or `FnOnce`.
    pub(super) fn is_callable(&self) -> bool {
        matches!(self.name.as_str(), "Fn" | "FnMut" | "FnOnce")
    }
}

/// `Item` of the bounds.
pub(super) fn item_of_bounds(bounds: &[Bound]) -> Ty {
    let mut assoc = bounds.iter().flat_map(|bound| &bound.assoc);
    assoc.find(|(name, _)| name == "Item").map(|(_, ty)| ty.clone()).unwrap_or_default()
}

fn learn_all(formal: &[Ty], actual: &[Ty], map: &mut HashMap<String, Ty>) {
    formal.iter().zip(actual).for_each(|(formal, actual)| formal.learn(actual, map));
}
