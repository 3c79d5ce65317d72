//! From written types to guessed ones.

use std::collections::{HashMap, HashSet};

use syn::ext::IdentExt;
use syn::{GenericArgument, GenericParam, Generics, PathArguments, ReturnType, Type, TypeParamBound};

use super::decls::ModuleId;
use super::names::{Def, Found, Names, Space, segments};
use super::ty::{Bound, Bounds, Foreign, Ty};

/// `type Name<T> = …`.
pub(super) struct Alias<'a> {
    pub(super) module: ModuleId,
    pub(super) item: &'a syn::ItemType,
}

/// Where a type is written.
#[derive(Clone)]
pub(super) struct Scope<'s, 'a> {
    pub(super) names: &'s Names,
    pub(super) aliases: &'s [Alias<'a>],
    pub(super) module: ModuleId,
    /// Type parameters, and what they are bounded by as far as that is read already.
    pub(super) params: HashSet<String>,
    pub(super) bounds: Bounds,
    pub(super) self_ty: Option<Ty>,
    /// Associated types of the `impl`.
    pub(super) assoc: HashMap<String, Ty>,
}

pub(super) const PRIMS: [&str; 18] = [
    "bool", "char", "str", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128",
    "isize", "f32", "f64", "!",
];

/// Aliases of aliases end somewhere.
const DEPTH: usize = 6;

impl<'s, 'a> Scope<'s, 'a> {
    pub(super) fn new(names: &'s Names, aliases: &'s [Alias<'a>], module: ModuleId) -> Self {
        Scope {
            names,
            aliases,
            module,
            params: HashSet::new(),
            bounds: Bounds::new(),
            self_ty: None,
            assoc: HashMap::new(),
        }
    }

    /// Adds type parameters and their bounds.
    pub(super) fn declare(&mut self, generics: &Generics) {
        self.params.extend(param_names(generics));
        for param in &generics.params {
            if let GenericParam::Type(param) = param {
                self.bound(param.ident.unraw().to_string(), &param.bounds);
            }
        }
        for predicate in generics.where_clause.iter().flat_map(|clause| &clause.predicates) {
            if let syn::WherePredicate::Type(predicate) = predicate
                && let Ty::Param(name) = self.ty(&predicate.bounded_ty)
            {
                self.bound(name, &predicate.bounds);
            }
        }
    }

    fn bound<'b>(&mut self, name: String, bounds: impl IntoIterator<Item = &'b TypeParamBound>) {
        let bounds = self.bounds_of(bounds);
        self.bounds.entry(name).or_default().extend(bounds);
    }

    pub(super) fn ty(&self, ty: &Type) -> Ty {
        self.ty_within(ty, DEPTH)
    }

    pub(super) fn output(&self, output: &ReturnType) -> Ty {
        match output {
            ReturnType::Default => Ty::UNIT,
            ReturnType::Type(_, ty) => self.ty(ty),
        }
    }

    fn ty_within(&self, ty: &Type, depth: usize) -> Ty {
        let boxed = |inner: &Type| Box::new(self.ty_within(inner, depth));
        match ty {
            Type::Array(array) => Ty::Seq(boxed(&array.elem)),
            Type::Slice(slice) => Ty::Seq(boxed(&slice.elem)),
            Type::Reference(reference) => Ty::Ref(reference.mutability.is_some(), boxed(&reference.elem)),
            Type::Ptr(pointer) => {
                let mutable = matches!(pointer.mutability, syn::PointerMutability::Mut(_));
                Ty::Ptr(mutable, boxed(&pointer.elem))
            }
            Type::Tuple(tuple) => Ty::Tuple(tuple.elems.iter().map(|ty| self.ty_within(ty, depth)).collect()),
            Type::Paren(paren) => self.ty_within(&paren.elem, depth),
            Type::Group(group) => self.ty_within(&group.elem, depth),
            Type::ImplTrait(bounds) => Ty::Bounded(self.bounds_of(&bounds.bounds)),
            Type::TraitObject(bounds) => Ty::Bounded(self.bounds_of(&bounds.bounds)),
            Type::FnPtr(pointer) => Ty::Callable(Box::new(self.output(&pointer.output))),
            Type::Never(_) => Ty::Prim("!"),
            Type::Path(path) => match &path.qself {
                Some(qself) => self.qualified(&qself.ty, &path.path),
                None => self.path_within(&path.path, depth),
            },
            _ => Ty::Unknown,
        }
    }

    /// `<T as Trait>::Name`.
    fn qualified(&self, ty: &Type, path: &syn::Path) -> Ty {
        let name = path.segments.last().map(|last| last.ident.unraw().to_string()).unwrap_or_default();
        let owner = match self.ty(ty) {
            Ty::Param(owner) => owner,
            other if Some(&other) == self.self_ty.as_ref() => "Self".to_owned(),
            _ => return Ty::Unknown,
        };
        self.projection(&owner, &name)
    }

    /// `T::Name`, where `T` is a type parameter or `Self`.
    fn projection(&self, owner: &str, name: &str) -> Ty {
        if owner == "Self"
            && let Some(known) = self.assoc.get(name)
        {
            return known.clone();
        }
        let mut known = self.bounds.get(owner).into_iter().flatten().flat_map(|bound| &bound.assoc);
        match known.find(|(assoc, _)| assoc == name) {
            Some((_, ty)) => ty.clone(),
            None => Ty::Param(format!("{owner}::{name}")),
        }
    }

    pub(super) fn path(&self, path: &syn::Path) -> Ty {
        self.path_within(path, DEPTH)
    }

    fn path_within(&self, path: &syn::Path, depth: usize) -> Ty {
        let names = segments(path);
        match names.as_slice() {
            [name] if name == "Self" => return self.self_ty.clone().unwrap_or_default(),
            [name] if self.params.contains(name) => return Ty::Param(name.clone()),
            [owner, name] if owner == "Self" || self.params.contains(owner) => {
                return self.projection(owner, name);
            }
            _ => {}
        }
        match self.names.resolve(self.module, &names, Space::Types) {
            Found::Own(Def::Type(id), rest) if rest.is_empty() => Ty::Own(id, self.arguments(path, depth).0),
            Found::Own(Def::Alias(id), rest) if rest.is_empty() => self.alias(id, path, depth),
            Found::Own(Def::Trait(_), rest) if rest.is_empty() => Ty::Bounded(vec![self.trait_path(path)]),
            Found::Own(..) => Ty::Unknown,
            Found::Foreign(full) => self.foreign(&full, path, depth),
        }
    }

    fn foreign(&self, full: &[String], path: &syn::Path, depth: usize) -> Ty {
        let Some((name, before)) = full.split_last() else { return Ty::Unknown };
        if let Some(prim) = PRIMS.iter().find(|prim| before.is_empty() && **prim == name) {
            return Ty::Prim(prim);
        }
        let (mut args, borrows) = self.arguments(path, depth);
        // `io::Result<T>` and its like still hold a `T`.
        if name == "Result" && args.is_empty() {
            args.push(Ty::UNIT);
        }
        let root = before.first().cloned().unwrap_or_default();
        Ty::Foreign(Foreign { root, name: name.clone(), args, borrows })
    }

    fn alias(&self, id: usize, path: &syn::Path, depth: usize) -> Ty {
        let Some(depth) = depth.checked_sub(1) else { return Ty::Unknown };
        let alias = &self.aliases[id];
        let mut scope = Scope::new(self.names, self.aliases, alias.module);
        scope.params.extend(param_names(&alias.item.generics));
        let target = scope.ty_within(&alias.item.ty, depth);
        let args = self.arguments(path, depth).0;
        target.with(&param_names(&alias.item.generics).into_iter().zip(args).collect())
    }

    /// Type and const arguments of the last name, and whether there is a lifetime.
    fn arguments(&self, path: &syn::Path, depth: usize) -> (Vec<Ty>, bool) {
        let Some(PathArguments::AngleBracketed(args)) = path.segments.last().map(|last| &last.arguments)
        else {
            return (Vec::new(), false);
        };
        let types = args.args.iter().filter_map(|arg| match arg {
            GenericArgument::Type(ty) => Some(self.ty_within(ty, depth)),
            GenericArgument::Const(_) => Some(Ty::Unknown),
            _ => None,
        });
        (types.collect(), args.args.iter().any(|arg| matches!(arg, GenericArgument::Lifetime(_))))
    }

    fn bounds_of<'b>(&self, bounds: impl IntoIterator<Item = &'b TypeParamBound>) -> Vec<Bound> {
        let traits = bounds.into_iter().filter_map(|bound| match bound {
            TypeParamBound::Trait(bound) => Some(self.trait_path(&bound.path)),
            _ => None,
        });
        traits.collect()
    }

    fn trait_path(&self, path: &syn::Path) -> Bound {
        let names = segments(path);
        let (own, is_lost) = match self.names.resolve(self.module, &names, Space::Types) {
            Found::Own(Def::Trait(id), rest) if rest.is_empty() => (Some(id), false),
            Found::Own(..) => (None, false),
            Found::Foreign(full) => (None, is_of_crate(&full)),
        };
        let name = names.last().cloned().unwrap_or_default();
        let mut bound =
            Bound { own, name, is_lost, inputs: Vec::new(), output: Ty::Unknown, assoc: Vec::new() };
        match path.segments.last().map(|last| &last.arguments) {
            Some(PathArguments::Parenthesized(args)) => {
                bound.inputs = args.inputs.iter().map(|input| self.ty(&input.ty)).collect();
                bound.output = self.output(&args.output);
            }
            Some(PathArguments::AngleBracketed(args)) => {
                bound.assoc = args.args.iter().filter_map(|arg| self.assoc_argument(arg)).collect();
            }
            _ => {}
        }
        bound
    }

    fn assoc_argument(&self, arg: &GenericArgument) -> Option<(String, Ty)> {
        match arg {
            GenericArgument::AssocType(assoc) => Some((assoc.ident.to_string(), self.ty(&assoc.ty))),
            GenericArgument::Constraint(assoc) => {
                Some((assoc.ident.to_string(), Ty::Bounded(self.bounds_of(&assoc.bounds))))
            }
            _ => None,
        }
    }
}

/// Whether a trait that was not found is one of the crate's.
fn is_of_crate(path: &[String]) -> bool {
    match path {
        [name] => !super::outside::is_std(path) && !MARKERS.contains(&name.as_str()),
        [first, ..] => matches!(first.as_str(), "crate" | "self" | "super"),
        [] => false,
    }
}

/// Traits of the prelude that have no functions.
const MARKERS: [&str; 5] = ["Copy", "Sized", "Sync", "Unpin", "Eq"];

/// Type and const parameters, in order.
pub(super) fn param_names(generics: &Generics) -> Vec<String> {
    let names = generics.params.iter().filter_map(|param| match param {
        GenericParam::Type(param) => Some(param.ident.unraw().to_string()),
        GenericParam::Const(param) => Some(param.ident.unraw().to_string()),
        GenericParam::Lifetime(_) => None,
    });
    names.collect()
}
