//! The crate with its types in canonical form, and the type arguments that each of its generic types gets.
//!
//! One fixed substitution for each type keeps values flowing between callables: with type parameters chosen per impl,
//! an `insert` and a `get` would hardly ever meet on the same map.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};

use super::choose;
use super::doc::{Doc, Function, Generics, Id, Impl, Item, Kind, Shape};
use super::foreign::Foreign;
use super::paths::Paths;
use super::substitute::constants;
use super::text::Names;
use super::ty::{Arg, Bound, Param, ParamKind, Substitution, Ty};
use super::unify::unify;

/// Impls that say what an associated type is may ask for others; the chain ends here.
const DEEPEST: usize = 4;

/// What the choice of types looks at.
pub(crate) struct World<'a> {
    pub(crate) names: Names<'a>,
    pub(crate) impls: Vec<Written<'a>>,
    /// Impls of dependencies.
    pub(crate) others: Vec<Written<'a>>,
    pub(crate) foreign: &'a [Foreign],
    /// By type: what its parameters are, once or twice.
    fixed: BTreeMap<Id, Vec<Vec<Arg>>>,
    /// How far the search for a type is from where it began: bounds can lead in a circle.
    pub(crate) depth: Cell<usize>,
    /// The same for the question what an associated type is.
    pub(crate) inside: Cell<usize>,
    pub(crate) answers: Answers,
}

/// Answers that have been found: impls that ask for others lead to the same questions over and over.
#[derive(Default)]
pub(crate) struct Answers {
    /// By depth and bounds.
    pub(crate) candidates: Known<(usize, Vec<Bound>), Vec<Ty>>,
    /// By depth, type and bound.
    pub(crate) implements: Known<(usize, Ty, Bound), Option<bool>>,
    /// By depth, type, trait and name.
    associated: Known<(usize, Ty, Option<Id>, String), Option<Ty>>,
}

type Known<Q, A> = RefCell<HashMap<Q, A>>;

impl Answers {
    fn forget(&self) {
        self.candidates.borrow_mut().clear();
        self.implements.borrow_mut().clear();
        self.associated.borrow_mut().clear();
    }
}

/// An impl in canonical form.
pub(crate) struct Written<'a> {
    pub(crate) item: &'a Item,
    pub(crate) imp: &'a Impl,
    pub(crate) of_trait: Option<Bound>,
    pub(crate) for_type: Ty,
    pub(crate) generics: Generics,
    /// Associated types, by name.
    associated: Vec<(String, Ty)>,
}

impl Written<'_> {
    /// Extends the substitution so that the impl's associated types are what a bound fixes them to, as far as that is known:
    /// with `type Item = T`, `Array<Item = u8>` says that `T` is `u8`. `false` if there is no such.
    pub(crate) fn agrees(&self, bound: &Bound, map: &mut Substitution) -> bool {
        bound.bindings.iter().filter(|(_, wanted)| choose::is_known(wanted)).all(|(name, wanted)| {
            let own = self.associated.iter().find(|(own, _)| own == name);
            own.is_none_or(|(_, own)| unify(own, wanted, map))
        })
    }
}

impl<'a> Written<'a> {
    pub(crate) fn new(names: Names<'a>, item: &'a Item, imp: &'a Impl) -> Written<'a> {
        let items = imp.items.iter().filter_map(|id| names.doc.get(id));
        let associated = items.filter_map(|item| match &item.kind {
            Kind::AssocType(Some(ty)) => Some((item.name.clone(), names.canonical(ty))),
            _ => None,
        });
        Written {
            item,
            imp,
            of_trait: imp.of_trait.as_ref().map(|bound| names.canonical_bound(bound)),
            for_type: names.canonical(&imp.for_type),
            generics: names.canonical_generics(&imp.generics),
            associated: associated.collect(),
        }
    }
}

impl<'a> World<'a> {
    pub(crate) fn new(doc: &'a Doc, paths: &'a Paths, foreign: &'a [Foreign]) -> World<'a> {
        let names = Names { doc, paths, is_foreign: false };
        let impls = doc.impls().into_iter().map(|(item, imp)| Written::new(names, item, imp)).collect();
        let others = foreign.iter().flat_map(Foreign::impls).collect();
        let mut world = World {
            names,
            impls,
            others,
            foreign,
            fixed: BTreeMap::new(),
            depth: Cell::new(0),
            inside: Cell::new(0),
            answers: Answers::default(),
        };
        for id in &paths.order {
            let mut args = world.choose_args(id);
            let is_named = |args: &Vec<Arg>| {
                let ty = world.instance(id, args);
                world.names.code(&ty).is_some() && (generics_of(doc, id).is_empty() || !names.is_unsized(&ty))
            };
            args.retain(is_named);
            if args.is_empty() {
                args = world.args_of_aliases(id);
            }
            if !args.is_empty() {
                world.answers.forget();
            }
            world.fixed.insert(id.clone(), args);
        }
        world
    }

    pub(crate) fn generics(&self, id: &str) -> Option<&'a Generics> {
        match &self.names.doc.get(id)?.kind {
            Kind::Struct { generics, .. } | Kind::Enum { generics, .. } => Some(generics),
            _ => None,
        }
    }

    /// The concrete forms of a type of the crate.
    pub(crate) fn instances(&self, id: &str) -> Vec<Ty> {
        self.fixed.get(id).into_iter().flatten().map(|args| self.instance(id, args)).collect()
    }

    /// What a generic becomes where it is an argument of types of the crate inside of a type: as in `own`, if that is one
    /// of them, else as in their n-th form.
    pub(crate) fn arguments_in(&self, ty: &Ty, name: &str, own: Option<&Ty>, n: usize) -> Vec<Arg> {
        let mut found = Vec::new();
        ty.walk(&mut |part| {
            let Ty::Path { id, args, .. } = part else { return };
            let form = match own {
                Some(Ty::Path { id: own, args, .. }) if own == id => Some(args),
                _ => self.fixed.get(id).and_then(|forms| forms.get(n).or(forms.last())),
            };
            let is_it = |arg: &Arg| *arg == Arg::Type(Ty::Generic(name.to_owned()));
            let chosen = args.iter().zip(form.into_iter().flatten()).filter(|(arg, _)| is_it(arg));
            found.extend(chosen.map(|(_, chosen)| chosen.clone()));
        });
        found
    }

    fn instance(&self, id: &str, args: &[Arg]) -> Ty {
        let name = self.names.doc.get(id).map(|item| item.name.clone()).unwrap_or_default();
        Ty::Path { id: id.to_owned(), name, args: args.to_vec() }
    }

    /// The arguments that the crate's public aliases give a type: those of its authors, where private types are among
    /// them.
    fn args_of_aliases(&self, id: &str) -> Vec<Vec<Arg>> {
        let mut found = Vec::new();
        for (_, generics, target) in self.names.aliases(id) {
            for map in self.substitutions(generics, &Substitution::new(), 2) {
                if let Ty::Path { args, .. } = self.normal(&self.names.canonical(&target.with(&map)))
                    && self.names.code(&self.instance(id, &args)).is_some()
                    && !self.names.is_unsized(&self.instance(id, &args))
                {
                    found.push(args);
                }
            }
        }
        found.truncate(2);
        found
    }

    fn choose_args(&self, id: &str) -> Vec<Vec<Arg>> {
        let Some(generics) = self.generics(id) else { return Vec::new() };
        let candidates: Vec<Vec<Arg>> = generics
            .params
            .iter()
            .enumerate()
            .map(|(at, param)| self.args_for(id, generics, at, param))
            .collect();
        let is_generic = candidates.iter().any(|candidates| candidates.len() > 1);
        let pick = |n: usize| {
            let mut args: Vec<Arg> = Vec::new();
            for candidates in &candidates {
                let arg = candidates.get(n).or(candidates.last())?;
                // Two constants that are equal are a special case, and some crates do not allow it.
                let is_taken = matches!(arg, Arg::Const(_)) && args.contains(arg);
                let other = candidates.iter().find(|other| is_taken && !args.contains(other));
                args.push(other.unwrap_or(arg).clone());
            }
            Some(args)
        };
        (0..if is_generic { 2 } else { 1 }).filter_map(pick).collect()
    }

    /// Candidates for one parameter of a type.
    fn args_for(&self, id: &str, generics: &Generics, at: usize, param: &Param) -> Vec<Arg> {
        match &param.kind {
            ParamKind::Lifetime { .. } => vec![Arg::Lifetime("'static".to_owned())],
            ParamKind::Const { ty, default } => constants(ty, default.as_deref()),
            ParamKind::Type { default: Some(default), .. }
                if !default.any(|ty| matches!(ty, Ty::Generic(_))) =>
            {
                vec![Arg::Type(self.names.canonical(default))]
            }
            ParamKind::Type { .. } => self.types_for(id, generics, at, param),
        }
    }

    /// Types for one parameter of a type: one that has all its methods and, where that leaves a choice, one that differs.
    fn types_for(&self, id: &str, generics: &Generics, at: usize, param: &Param) -> Vec<Arg> {
        let own = self.bounds(generics, &param.name);
        let inherent = self.bounds_of_impls(id, at, |written| written.of_trait.is_none());
        let of_traits = self.bounds_of_impls(id, at, |written| {
            written.of_trait.as_ref().is_some_and(|bound| !bound.id.starts_with("std::"))
        });
        let all = |lists: &[&[Bound]]| {
            let bounds = lists.concat();
            let mut types = choose::candidates(self, &bounds);
            // A mock cannot be named; a type that has fewer methods can.
            if !bounds.iter().any(choose::is_call) {
                types.retain(|ty| !matches!(ty, Ty::Closure { .. }));
            }
            types
        };
        let wide = all(&[&own]);
        let mut found = all(&[&own, &inherent, &of_traits]);
        if found.is_empty() {
            found = all(&[&own, &inherent]);
        }
        if found.is_empty() {
            found.clone_from(&wide);
        }
        // `Complex<f64>` has all methods; `Complex<i32>` has other traits.
        let is_narrow = found.first().is_some_and(|first| wide.contains(first))
            && !found.iter().any(|ty| wide.first() == Some(ty));
        if is_narrow && !inherent.is_empty() {
            found.splice(1.min(found.len()).., wide.first().cloned());
        }
        found.into_iter().take(2).map(Arg::Type).collect()
    }

    /// Whether what an impl asks of its parameters holds for these, as far as anybody knows.
    pub(crate) fn allows(&self, written: &Written<'_>, map: &Substitution) -> bool {
        self.allows_at(written, map, 0)
    }

    /// As [`World::allows`], so many impls away from the first question.
    pub(crate) fn allows_at(&self, written: &Written<'_>, map: &Substitution, depth: usize) -> bool {
        let mut map = map.clone();
        if !self.infer(&written.generics, &mut map) {
            return false;
        }
        written.generics.params.iter().all(|param| match map.get(&param.name) {
            Some(Arg::Type(ty)) => {
                let asked = self.asked_of(&written.generics, &param.name, &map);
                asked.iter().all(|bound| choose::implements(self, ty, bound, depth) != Some(false))
            }
            _ => true,
        })
    }

    /// What impls of a type ask of its parameter number `at`: without it, their methods are missing.
    fn bounds_of_impls(&self, id: &str, at: usize, is_it: impl Fn(&Written<'a>) -> bool) -> Vec<Bound> {
        let mut bounds = Vec::new();
        for written in self.impls.iter().filter(|written| is_it(written)) {
            let Ty::Path { id: of, args, .. } = &written.for_type else { continue };
            if let (true, Some(Arg::Type(Ty::Generic(name)))) = (of == id, args.get(at)) {
                let asked = self.bounds(&written.generics, name);
                bounds.extend(asked.into_iter().filter(|bound| bound.name != "Copy"));
            }
        }
        bounds
    }

    /// What an impl's generics are for a type, as far as the type and the trait's own arguments tell.
    pub(crate) fn substitution_for(&self, written: &Written<'a>, ty: &Ty) -> Option<Substitution> {
        let mut map = Substitution::new();
        if !unify(&written.for_type, ty, &mut map) {
            return None;
        }
        // `impl<V1, V2> PartialEq<Map<V2>> for Map<V1>` is of most use between equal types.
        if let Some(other) = written.of_trait.as_ref().and_then(Bound::first)
            && matches!(other, Ty::Path { .. })
        {
            let mut both = map.clone();
            if unify(other, ty, &mut both) {
                map = both;
            }
        }
        Some(map)
    }

    /// The concrete types of an impl for no type of the crate, or for a special form of one.
    pub(crate) fn foreign_instances(&self, written: &Written<'a>) -> Vec<Ty> {
        let mut found: Vec<Ty> = Vec::new();
        for map in self.substitutions(&written.generics, &Substitution::new(), 2) {
            let ty = self.normal(&self.names.canonical(&written.for_type.with(&map)));
            if !found.contains(&ty) {
                found.push(ty);
            }
        }
        found
    }

    /// Whether values of a type can be made without having one.
    pub(crate) fn is_root(&self, id: &str) -> bool {
        let Some(item) = self.names.doc.get(id) else { return false };
        let is_open = match &item.kind {
            Kind::Enum { variants, generics } => {
                let variants = variants.iter().filter_map(|id| self.names.doc.get(id));
                let mut shapes = variants.filter_map(|item| match &item.kind {
                    Kind::Variant(shape) => Some(shape),
                    _ => None,
                });
                generics.params.is_empty() || shapes.any(|shape| self.is_plain(shape, true))
            }
            Kind::Struct { generics, shape } => generics.params.is_empty() || self.is_plain(shape, false),
            _ => false,
        };
        let makes = |written: &Written<'_>| {
            let of = matches!(&written.for_type, Ty::Path { id: of, .. } if of == id);
            let by_trait = written.of_trait.as_ref().is_some_and(|bound| {
                matches!(bound.name.as_str(), "Default" | "From" | "FromStr" | "FromIterator")
            });
            of && (by_trait || written.of_trait.is_none() && self.has_constructor(written))
        };
        is_open || self.impls.iter().any(makes)
    }

    /// Whether a struct or variant can be written out, and needs no other generic type of the crate for it.
    fn is_plain(&self, shape: &Shape, is_variant: bool) -> bool {
        let fields: Vec<&Id> = match shape {
            Shape::Unit => return true,
            Shape::Tuple(fields) if fields.iter().any(Option::is_none) => return false,
            Shape::Tuple(fields) => fields.iter().flatten().collect(),
            Shape::Plain { is_complete: false, .. } => return false,
            Shape::Plain { fields, .. } => fields.iter().collect(),
        };
        let is_generic = |ty: &Ty| matches!(ty, Ty::Path { id, args, .. } if !args.is_empty() && self.generics(id).is_some());
        fields.into_iter().all(|id| match self.names.doc.get(id) {
            Some(Item { kind: Kind::Field(ty), is_public, .. }) => {
                (*is_public || is_variant) && !self.names.canonical(ty).any(is_generic)
            }
            _ => false,
        })
    }

    /// References to the crate's public constants of a type: what lives for ever.
    pub(crate) fn constants_of(&self, ty: &Ty) -> Vec<String> {
        let doc = self.names.doc;
        let free = self
            .names
            .paths
            .order
            .iter()
            .filter_map(|id| Some((doc.get(id)?, format!("::{}", self.names.path(id)?))));
        let own = self.impls.iter().filter(|written| written.of_trait.is_none()).flat_map(|written| {
            let owner = self.names.code(&written.for_type);
            let items = written.imp.items.iter().filter_map(|id| doc.get(id)).filter(|item| item.is_public);
            items.filter_map(move |item| Some((item, format!("<{}>::{}", owner.as_ref()?, item.name))))
        });
        let mut found: Vec<String> = Vec::new();
        for (item, path) in free.chain(own) {
            let (Kind::Constant(of) | Kind::Static { ty: of, is_mutable: false }) = &item.kind else {
                continue;
            };
            let of = self.normal(&self.names.canonical(of));
            found.extend(match &of {
                Ty::Ref { inner, is_mut: false, .. } if **inner == *ty => Some(path),
                _ if of == *ty => Some(format!("&{path}")),
                _ => None,
            });
        }
        found.truncate(3);
        found
    }

    /// Whether a trait of the crate has a method with this name that takes the value itself: where it is imported,
    /// `value.name()` is that one, and not one of the type's own that takes a reference.
    pub(crate) fn has_trait_method_by_value(&self, name: &str) -> bool {
        let is_by_value = |item: &Item| {
            let Kind::Function(function) = &item.kind else { return false };
            let takes_self = |(name, ty): &(String, Ty)| name == "self" && !matches!(ty, Ty::Ref { .. });
            item.name == name && function.inputs.first().is_some_and(takes_self)
        };
        self.names.doc.items_of_traits().any(is_by_value)
    }

    /// Whether a type of the crate has a method of its own with this name: `value.name()` is that one, whatever traits have.
    pub(crate) fn has_own_method(&self, of: &Ty, name: &str) -> bool {
        self.has_own(of, name, |function| function.inputs.first().is_some_and(|(name, _)| name == "self"))
    }

    /// Whether a type of the crate has a function of its own with this name: `Type::name` is that one, whatever traits have.
    pub(crate) fn has_own_function(&self, of: &Ty, name: &str) -> bool {
        self.has_own(of, name, |_| true)
    }

    fn has_own(&self, of: &Ty, name: &str, is_meant: impl Fn(&Function) -> bool) -> bool {
        let is_it = |item: &Item| match &item.kind {
            Kind::Function(function) => item.name == name && is_meant(function),
            _ => false,
        };
        self.impls.iter().filter(|written| written.of_trait.is_none()).any(|written| {
            let mut items = written.imp.items.iter().filter_map(|id| self.names.doc.get(id));
            items.any(is_it) && unify(&written.for_type, of, &mut Default::default())
        })
    }

    /// Whether a trait is implemented for another type as well: what is lent as a slice may be such a type, and
    /// `value.name()` is then the method of that.
    pub(crate) fn has_other_implementor(&self, of: &Ty, of_trait: &Bound) -> bool {
        let is_meant =
            |written: &&Written<'_>| written.of_trait.as_ref().is_some_and(|bound| bound.id == of_trait.id);
        let fits = |written: &Written<'_>| unify(&written.for_type, of, &mut Default::default());
        let is_for_all = |written: &Written<'_>| matches!(written.for_type, Ty::Generic(_));
        let all = || self.impls.iter().filter(is_meant);
        // Beside an impl for the type itself, one for all types is one for all that have a size.
        let has_own = all().any(|written| !is_for_all(written) && fits(written));
        all().any(|written| !fits(written) || has_own && is_for_all(written))
    }

    /// Whether another trait gives a type a function of this name, or may do so, so that the name alone does not tell which is
    /// meant. Numbers have many functions of their own, and everything can be made from, and made into, itself.
    pub(crate) fn has_rival(&self, of: &Ty, of_trait: &Bound, name: &str) -> bool {
        const OF_EVERYTHING: [&str; 4] = ["from", "into", "try_from", "try_into"];
        let is_likely = of.is_number() || OF_EVERYTHING.contains(&name);
        is_likely && !of_trait.id.starts_with("std::") || self.is_contested(of, of_trait, name)
    }

    fn is_contested(&self, of: &Ty, of_trait: &Bound, name: &str) -> bool {
        self.impls.iter().any(|written| {
            let is_other = written.of_trait.as_ref().is_some_and(|bound| bound.id != of_trait.id);
            is_other
                && self.has_function(written, name)
                && unify(&written.for_type, of, &mut Default::default())
        })
    }

    /// Whether another impl for a type of this name has a function of this name.
    pub(crate) fn has_sibling(&self, declared: &Ty, name: &str) -> bool {
        let head = |ty: &Ty| ty.as_path().map(|(id, _)| id.to_owned());
        self.impls.iter().any(|written| {
            head(&written.for_type) == head(declared)
                && written.for_type != *declared
                && self.has_function(written, name)
        })
    }

    fn has_function(&self, written: &Written<'_>, name: &str) -> bool {
        let mut items = written.imp.items.iter().filter_map(|id| self.names.doc.get(id));
        let is_it = |item: &Item| item.name == name && matches!(item.kind, Kind::Function(_));
        written.imp.provided.iter().any(|provided| provided == name) || items.any(is_it)
    }

    /// A function without a receiver that gives `Self`.
    fn has_constructor(&self, written: &Written<'_>) -> bool {
        let items = written.imp.items.iter().filter_map(|id| self.names.doc.get(id));
        items.filter(|item| item.is_public).any(|item| match &item.kind {
            Kind::Function(function) => {
                let gives = function.output.as_ref().is_some_and(|output| {
                    output.any(|ty| matches!(ty, Ty::Generic(name) if name == "Self"))
                        || matches!((self.names.canonical(output), &written.for_type),
                            (Ty::Path { id: a, .. }, Ty::Path { id: b, .. }) if a == *b)
                });
                gives && !function.inputs.iter().any(|(name, _)| name == "self")
            }
            _ => false,
        })
    }

    /// A bound with the associated types in it replaced.
    pub(crate) fn resolved(&self, bound: &Bound) -> Bound {
        bound.rebuilt(&|ty| self.normal(ty))
    }

    /// With every associated type replaced by what it is, or by [`Ty::Inferred`].
    pub(crate) fn normal(&self, ty: &Ty) -> Ty {
        let ty = ty.rebuilt(&|inner| self.normal(inner));
        match &ty {
            Ty::Assoc { of, of_trait, name } => {
                self.associated(of, of_trait.as_deref(), name).unwrap_or(Ty::Inferred)
            }
            _ => ty,
        }
    }

    /// What an associated type is, as far as anybody knows.
    pub(crate) fn associated(&self, of: &Ty, of_trait: Option<&Bound>, name: &str) -> Option<Ty> {
        let inside = self.inside.get();
        if inside > DEEPEST {
            return choose::standard_associated(of, name);
        }
        let question = (inside, of.clone(), of_trait.map(|bound| bound.id.clone()), name.to_owned());
        if let Some(known) = self.answers.associated.borrow().get(&question) {
            return known.clone();
        }
        self.inside.set(inside + 1);
        let answer = self.find_associated(of, of_trait, name);
        self.inside.set(inside);
        self.answers.associated.borrow_mut().insert(question, answer.clone());
        answer
    }

    fn find_associated(&self, of: &Ty, of_trait: Option<&Bound>, name: &str) -> Option<Ty> {
        let is_it = |bound: &Bound| of_trait.is_none_or(|wanted| wanted.id == bound.id);
        let all = self.impls.iter().chain(&self.others);
        for written in all.filter(|written| written.of_trait.as_ref().is_some_and(is_it)) {
            let mut map = Substitution::new();
            if !unify(&written.for_type, of, &mut map)
                || !self.infer(&written.generics, &mut map)
                || !self.allows(written, &map)
            {
                continue;
            }
            if let Some((_, ty)) = written.associated.iter().find(|(own, _)| own == name) {
                map.insert("Self".to_owned(), Arg::Type(of.clone()));
                return Some(self.normal(&self.names.canonical(&ty.with(&map))));
            }
        }
        choose::standard_associated(of, name)
    }
}

fn generics_of<'d>(doc: &'d Doc, id: &str) -> &'d [Param] {
    match doc.get(id).map(|item| &item.kind) {
        Some(Kind::Struct { generics, .. } | Kind::Enum { generics, .. }) => &generics.params,
        _ => &[],
    }
}
