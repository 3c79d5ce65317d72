//! What a package declares, in tables, and which functions a call can mean.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use super::names::Names;
use super::report::StateKind;
use super::ty::{Bounds, Ty, item_of_bounds};
use super::value::Access;
use crate::CfgSet;

pub(super) type ModuleId = usize;
pub(super) type TypeId = usize;
pub(super) type TraitId = usize;
pub(super) type FnId = usize;
pub(super) type StaticId = usize;

/// A field: its type, and its number there over all variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct FieldId(pub(super) TypeId, pub(super) usize);

pub(super) struct TypeDecl {
    pub(super) path: Arc<str>,
    /// Type and const parameters, in order.
    pub(super) params: Vec<String>,
    pub(super) has_lifetime: bool,
    pub(super) is_enum: bool,
    pub(super) fields: Vec<FieldDecl>,
    /// Names of traits of other crates that are derived or implemented.
    pub(super) foreign_traits: HashSet<String>,
    /// What a value can hold of other objects; see [`Decls::carry`].
    pub(super) carry: Option<Access>,
    /// Whether it can be changed behind a shared reference.
    pub(super) interior: bool,
    /// Whether there is a raw pointer in it.
    pub(super) holds_raw: bool,
}

pub(super) struct FieldDecl {
    /// Name as reported: `name`, `0`, `Variant.name`.
    pub(super) name: Arc<str>,
    pub(super) variant: Option<usize>,
    /// Name within the struct or variant.
    pub(super) member: String,
    pub(super) ty: Ty,
}

pub(super) struct TraitDecl {
    /// Methods, with or without a body.
    pub(super) methods: BTreeMap<String, FnId>,
    pub(super) supers: Vec<TraitId>,
}

pub(super) struct StaticDecl {
    pub(super) path: String,
    pub(super) file: usize,
    pub(super) line: usize,
    pub(super) ty: Ty,
    /// `None` for one that cannot change.
    pub(super) kind: Option<StateKind>,
}

/// Where a function is declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    Free,
    Inherent,
    /// In an `impl` of a trait, which may be one of the crate's.
    Impl(Option<TraitId>),
    Trait(TraitId),
}

pub(super) struct ParamDecl<'a> {
    pub(super) name: String,
    pub(super) ty: Ty,
    /// The pattern; none for a receiver and for derived functions.
    pub(super) pat: Option<&'a syn::Pat>,
}

/// What a function does is written here.
#[derive(Clone, Copy)]
pub(super) enum Body<'a> {
    Block(&'a syn::Block),
    /// Written by `derive`: the trait's method goes over all fields.
    Derived,
    /// A method that implementors write, or a function of another language.
    Absent,
}

pub(super) struct FnDecl<'a> {
    pub(super) path: String,
    pub(super) name: String,
    pub(super) file: usize,
    pub(super) line: usize,
    /// Line of the name, which may stand below the beginning.
    pub(super) name_line: usize,
    pub(super) module: ModuleId,
    pub(super) owner: Owner,
    pub(super) self_ty: Option<Ty>,
    /// Associated types of the `impl`.
    pub(super) assoc: Rc<HashMap<String, Ty>>,
    /// Type parameters in scope.
    pub(super) generics: HashSet<String>,
    pub(super) bounds: Bounds,
    pub(super) has_receiver: bool,
    pub(super) params: Vec<ParamDecl<'a>>,
    pub(super) ret: Ty,
    pub(super) is_unsafe: bool,
    pub(super) body: Body<'a>,
}

impl FnDecl<'_> {
    /// What a type parameter, or a type given by bounds, is known to implement.
    pub(super) fn bounds_of<'t>(&'t self, ty: &'t Ty) -> &'t [super::ty::Bound] {
        match ty {
            Ty::Bounded(bounds) => bounds,
            Ty::Param(name) => self.bounds.get(name).map(Vec::as_slice).unwrap_or_default(),
            _ => &[],
        }
    }
}

/// An associated type of an `impl`.
pub(super) struct AssocDecl {
    pub(super) name: String,
    pub(super) self_ty: Ty,
    pub(super) ty: Ty,
}

/// Functions by name.
pub(super) type ByName = HashMap<String, Vec<FnId>>;

#[derive(Default)]
pub(super) struct Decls<'a> {
    /// The options that the crate is compiled under.
    pub(super) cfg: CfgSet,
    pub(super) names: Names,
    pub(super) aliases: Vec<super::convert::Alias<'a>>,
    pub(super) types: Vec<TypeDecl>,
    pub(super) traits: Vec<TraitDecl>,
    pub(super) statics: Vec<StaticDecl>,
    pub(super) consts: Vec<Ty>,
    /// Associated constants of types.
    pub(super) assoc_consts: HashMap<(TypeId, String), Ty>,
    pub(super) fns: Vec<FnDecl<'a>>,
    pub(super) assoc: Vec<AssocDecl>,
    /// Methods and associated functions of each type, inherent ones and those of trait `impl`s.
    pub(super) of_type: HashMap<TypeId, ByName>,
    /// Those of trait `impl`s for foreign types, by the type's name.
    pub(super) of_foreign: HashMap<String, ByName>,
    /// Those of trait `impl`s for type parameters.
    pub(super) blanket: ByName,
    /// All that have a receiver.
    pub(super) methods: ByName,
    /// All `impl`s of a trait's method.
    pub(super) of_trait: HashMap<(TraitId, String), Vec<FnId>>,
    /// Traits of the crate that a type implements.
    pub(super) traits_of: HashMap<TypeId, Vec<TraitId>>,
    /// What a type dereferences to.
    pub(super) derefs: HashMap<TypeId, Ty>,
    /// Fields by name, for bases of unknown type.
    pub(super) fields: HashMap<String, Vec<FieldId>>,
    /// `macro_rules!` of the package, by name.
    pub(super) macros: HashMap<String, MacroDecl>,
    pub(super) has_unsafe: bool,
}

/// A `macro_rules!`, or all of one name.
pub(super) struct MacroDecl {
    pub(super) is_quiet: bool,
    /// What it may name of the variables around it: the body of one that stands inside of a function.
    pub(super) local: proc_macro2::TokenStream,
}

/// What a call can mean.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Candidates {
    /// Functions of the package.
    pub(super) own: Vec<FnId>,
    /// Whether it can, or must, be something of another crate.
    pub(super) foreign: bool,
}

impl<'a> Decls<'a> {
    /// The functions that `receiver.name(…)` can mean; `count` is the number of arguments with the receiver.
    pub(super) fn methods(&self, f: &FnDecl<'_>, receiver: &Ty, name: &str, count: usize) -> Candidates {
        let mut ty = receiver.clone();
        for _ in 0..8 {
            let found = self.methods_of(f, &ty, name);
            let found: Vec<_> = found.into_iter().filter(|id| self.takes(*id, count)).collect();
            if !found.is_empty() {
                // A trait of the crate for `Vec` does not hide the methods that `Vec` has itself.
                let foreign = matches!(ty, Ty::Foreign(_) | Ty::Seq(_) | Ty::Prim(_) | Ty::Tuple(_));
                return Candidates { own: found, foreign };
            }
            match self.one_step_behind(&ty) {
                Some(next) => ty = next,
                None => break,
            }
        }
        if !ty.is_unknown() {
            return Candidates { own: Vec::new(), foreign: true };
        }
        let all = self.methods.get(name).into_iter().flatten().copied();
        Candidates { own: all.filter(|id| self.takes(*id, count)).collect(), foreign: true }
    }

    fn takes(&self, id: FnId, count: usize) -> bool {
        self.fns[id].params.len() == count
    }

    /// Methods and associated functions of that very type.
    pub(super) fn methods_of(&self, f: &FnDecl<'_>, ty: &Ty, name: &str) -> Vec<FnId> {
        let direct = match ty {
            Ty::Own(id, _) => self.of_own(*id, name),
            Ty::Param(_) | Ty::Bounded(_) => return self.of_bounds(f, ty, name),
            Ty::Unknown | Ty::Ptr(..) => return Vec::new(),
            // Of `impl Trait for T`, `for &T` and `for &mut T`, the one written for the reference, unless the
            // type has a method of its own.
            Ty::Ref(mutable, inner) => {
                let Ty::Own(id, _) = &**inner else { return Vec::new() };
                let found = named(self.of_type.get(id), name).into_iter();
                if found.clone().any(|id| self.fns[id].owner == Owner::Inherent) {
                    return Vec::new();
                }
                let fits = |id: &FnId| matches!(self.fns[*id].self_ty, Some(Ty::Ref(m, _)) if m == *mutable);
                return found.filter(fits).collect();
            }
            other => named(self.of_foreign.get(&head(other)), name),
        };
        if !direct.is_empty() {
            return direct;
        }
        let blanket = named(Some(&self.blanket), name).into_iter();
        blanket.filter(|id| self.blanket_fits(*id, ty)).collect()
    }

    /// Methods that a type has for standard traits: none of those that traits of the crate give to everybody.
    pub(super) fn standard_methods_of(&self, ty: &Ty, name: &str) -> Vec<FnId> {
        let Ty::Own(id, _) = ty else { return Vec::new() };
        let found = named(self.of_type.get(id), name).into_iter();
        found.filter(|id| !matches!(self.fns[*id].owner, Owner::Impl(Some(_)) | Owner::Trait(_))).collect()
    }

    /// Whether `impl<T: …> Trait for T` can be meant for a type.
    fn blanket_fits(&self, id: FnId, ty: &Ty) -> bool {
        let f = &self.fns[id];
        let Some(own) = &f.self_ty else { return true };
        let implemented = |id: TypeId| self.traits_of.get(&id).map(Vec::as_slice).unwrap_or_default();
        f.bounds_of(own.unreferenced()).iter().all(|bound| match (ty, bound.own) {
            (Ty::Own(..) | Ty::Foreign(_) | Ty::Prim(_), _) if bound.is_callable() => false,
            (Ty::Own(id, _), Some(required)) => implemented(*id).contains(&required),
            _ => true,
        })
    }

    fn of_own(&self, id: TypeId, name: &str) -> Vec<FnId> {
        let found = named(self.of_type.get(&id), name);
        let inherent = found.iter().copied().filter(|id| self.fns[*id].owner == Owner::Inherent);
        let by_value = found.iter().copied().filter(|id| matches!(self.fns[*id].self_ty, Some(Ty::Own(..))));
        let traits = self.traits_of.get(&id).into_iter().flatten();
        let defaults = traits.filter_map(|id| self.traits[*id].methods.get(name)).copied();
        let ranked: [Vec<FnId>; 4] =
            [inherent.collect(), by_value.collect(), found.clone(), defaults.collect()];
        ranked.into_iter().find(|list| !list.is_empty()).unwrap_or_default()
    }

    /// What a bound promises can be any `impl`, also one that the analysis does not see.
    fn of_bounds(&self, f: &FnDecl<'_>, ty: &Ty, name: &str) -> Vec<FnId> {
        let direct = f.bounds_of(ty).iter().filter_map(|bound| bound.own);
        let mut open: Vec<TraitId> = direct.collect();
        let mut seen = HashSet::new();
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            if self.traits[id].methods.contains_key(name) {
                return self.of_trait(id, name);
            }
            open.extend(&self.traits[id].supers);
        }
        if f.bounds_of(ty).iter().any(|bound| bound.is_lost) {
            return named(Some(&self.methods), name);
        }
        // `G::NodeId: GraphIndex` and the like are not kept: any trait of the crate can be meant.
        let is_associated = matches!(ty, Ty::Param(name) if name.contains("::"));
        if !is_associated {
            return Vec::new();
        }
        let having = (0..self.traits.len()).filter(|id| self.traits[*id].methods.contains_key(name));
        having.flat_map(|id| self.of_trait(id, name)).collect()
    }

    /// A trait's method and all that implement it.
    pub(super) fn of_trait(&self, id: TraitId, name: &str) -> Vec<FnId> {
        let declared = self.traits[id].methods.get(name).copied();
        let written = self.of_trait.get(&(id, name.to_owned())).into_iter().flatten().copied();
        declared.into_iter().chain(written).collect()
    }

    /// What a value dereferences to, by a reference, an owner, a guard or the crate's own `Deref`.
    pub(super) fn one_step_behind(&self, ty: &Ty) -> Option<Ty> {
        match ty {
            Ty::Own(id, args) => {
                let target = self.derefs.get(id)?;
                Some(target.with(&self.arguments(*id, args)))
            }
            other => other.behind().cloned(),
        }
    }

    /// What a type's parameters stand for.
    pub(super) fn arguments(&self, id: TypeId, args: &[Ty]) -> HashMap<String, Ty> {
        self.types[id].params.iter().cloned().zip(args.iter().cloned()).collect()
    }

    /// A field of a struct, by name, and its type.
    pub(super) fn field(
        &self,
        id: TypeId,
        args: &[Ty],
        variant: Option<usize>,
        member: &str,
    ) -> Option<(FieldId, Ty)> {
        let mut fields = self.types[id].fields.iter();
        let at = fields.position(|field| field.variant == variant && field.member == member)?;
        Some((FieldId(id, at), self.types[id].fields[at].ty.with(&self.arguments(id, args))))
    }

    /// An associated type that an `impl` gives to a type.
    pub(super) fn associated(&self, ty: &Ty, name: &str) -> Ty {
        let fits = |decl: &&AssocDecl| decl.name == name && same_head(&decl.self_ty, ty);
        let Some(decl) = self.assoc.iter().find(fits) else { return Ty::Unknown };
        let mut map = HashMap::new();
        decl.self_ty.learn(ty, &mut map);
        decl.ty.with(&map)
    }

    /// What iterating over a value yields.
    pub(super) fn item(&self, f: &FnDecl<'_>, ty: &Ty) -> Ty {
        match ty {
            Ty::Own(..) => self.associated(ty, "Item"),
            Ty::Ref(mutable, inner) => match self.associated(ty, "Item") {
                Ty::Unknown if *mutable && matches!(**inner, Ty::Own(..)) => self.associated(inner, "Item"),
                Ty::Unknown if matches!(**inner, Ty::Param(_)) => self.item(f, inner),
                Ty::Unknown => ty.item(),
                known => known,
            },
            Ty::Param(_) => item_of_bounds(f.bounds_of(ty)),
            other => other.item(),
        }
    }

    /// The fields of a type.
    pub(super) fn all_fields(&self, id: TypeId) -> impl Iterator<Item = FieldId> + use<> {
        (0..self.types[id].fields.len()).map(move |at| FieldId(id, at))
    }
}

fn named(functions: Option<&ByName>, name: &str) -> Vec<FnId> {
    functions.and_then(|by_name| by_name.get(name)).cloned().unwrap_or_default()
}

/// The name under which `impl`s for a foreign type are kept.
pub(super) fn head(ty: &Ty) -> String {
    match ty {
        Ty::Prim(name) => (*name).to_owned(),
        Ty::Foreign(foreign) => foreign.name.clone(),
        Ty::Tuple(list) => format!("({})", list.len()),
        Ty::Seq(_) => "[]".to_owned(),
        _ => String::new(),
    }
}

fn same_head(a: &Ty, b: &Ty) -> bool {
    match (a, b) {
        (Ty::Own(a, _), Ty::Own(b, _)) => a == b,
        (Ty::Ref(m, a), Ty::Ref(n, b)) => m == n && same_head(a, b),
        (Ty::Ref(..), _) | (_, Ty::Ref(..)) => false,
        _ => !head(a).is_empty() && head(a) == head(b),
    }
}
