//! Dependencies, as far as the crate's API needs them: where their items can be named, which types have their traits, and
//! how values of their types are made. All of it comes from their own documents.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::doc::{Doc, Function, Generics, Item, Kind, Shape};
use super::paths::Paths;
use super::text::Names;
use super::ty::{Arg, Bound, ParamKind, Predicate, Substitution, Ty};
use super::unify::unify;
use super::world::Written;

/// A documented dependency.
pub(crate) struct Foreign {
    pub(crate) doc: Doc,
    pub(crate) paths: Paths,
}

impl Foreign {
    /// Reads the documents of dependencies, each with the name by which code refers to it; what cannot be read is left
    /// out.
    pub(crate) fn read(documents: &[(String, String)]) -> Vec<Foreign> {
        let one = |(name, text): &(String, String)| {
            let doc = Doc::read(text).ok()?;
            let paths = Paths::find(&doc, name);
            Some(Foreign { doc, paths })
        };
        let mut all: Vec<_> = documents.iter().filter_map(one).collect();
        let public = public_paths(&all);
        all.iter_mut().for_each(|foreign| foreign.paths.foreign.clone_from(&public));
        all
    }

    pub(crate) fn names(&self) -> Names<'_> {
        Names { doc: &self.doc, paths: &self.paths, is_foreign: true }
    }

    /// Its impls, with paths in the place of ids.
    pub(crate) fn impls(&self) -> Vec<Written<'_>> {
        let names = self.names();
        let impls = self.doc.impls().into_iter();
        impls.map(|(item, imp)| Written::new(names, item, imp)).collect()
    }
}

/// From where an item is defined to where it can be named.
pub(crate) fn public_paths(dependencies: &[Foreign]) -> HashMap<String, Vec<String>> {
    let mut public = HashMap::new();
    for Foreign { doc, paths } in dependencies {
        for (id, path) in &doc.paths {
            if let Some(local) = paths.local(id) {
                public.insert(path.join("::"), local.to_vec());
            }
        }
    }
    public
}

/// The aliases of dependencies, by path.
pub(crate) fn aliases(dependencies: &[Foreign]) -> HashMap<String, (Vec<String>, Ty)> {
    let mut found = HashMap::new();
    for dependency in dependencies {
        let names = dependency.names();
        for item in dependency.paths.order.iter().filter_map(|id| dependency.doc.get(id)) {
            let (Kind::TypeAlias { ty, generics }, Some(path)) = (&item.kind, names.path(&item.id)) else {
                continue;
            };
            let params = generics.params.iter().map(|param| param.name.clone()).collect();
            found.insert(path, (params, names.canonical(ty)));
        }
    }
    found
}

/// Names of the crates, those of the standard library aside, whose items the signatures of a crate mention.
pub(crate) fn mentioned(doc: &Doc) -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    for item in doc.items.values().filter(|item| item.is_local) {
        mentions_of(item, &mut ids);
    }
    let krate = |id: &String| doc.paths.get(id).and_then(|path| path.first()).cloned();
    let own = doc.get(&doc.root).map(|root| root.name.clone());
    ids.iter()
        .filter(|id| !doc.get(id).is_some_and(|item| item.is_local))
        .filter_map(krate)
        .filter(|name| !super::paths::is_standard(name) && Some(name) != own.as_ref())
        .collect()
}

fn mentions_of(item: &Item, ids: &mut BTreeSet<String>) {
    let mut types: Vec<&Ty> = Vec::new();
    match &item.kind {
        Kind::Field(ty) if item.is_public => types.push(ty),
        Kind::Constant(ty) | Kind::Static { ty, .. } | Kind::TypeAlias { ty, .. } => types.push(ty),
        Kind::Function(Function { inputs, output, generics, .. }) if item.is_public => {
            types.extend(inputs.iter().map(|(_, ty)| ty).chain(output));
            bounds_in(generics).for_each(|bound| mention_of(bound, ids));
        }
        Kind::Impl(imp) if !imp.is_synthetic => {
            types.push(&imp.for_type);
            imp.of_trait.iter().for_each(|bound| mention_of(bound, ids));
            bounds_in(&imp.generics).for_each(|bound| mention_of(bound, ids));
        }
        Kind::Struct { generics, .. } | Kind::Enum { generics, .. } | Kind::Trait { generics, .. } => {
            types.extend(generics.params.iter().filter_map(|param| match &param.kind {
                ParamKind::Type { default, .. } => default.as_ref(),
                _ => None,
            }));
            bounds_in(generics).for_each(|bound| mention_of(bound, ids));
        }
        _ => {}
    }
    for ty in types {
        mention_in(ty, ids);
    }
}

fn bounds_in(generics: &Generics) -> impl Iterator<Item = &Bound> {
    let params = generics.params.iter().flat_map(|param| match &param.kind {
        ParamKind::Type { bounds, .. } => bounds.as_slice(),
        ParamKind::Lifetime { .. } | ParamKind::Const { .. } => &[],
    });
    let predicates = generics.predicates.iter().flat_map(|predicate| match predicate {
        Predicate::Bounds(_, bounds) => bounds.as_slice(),
        Predicate::Outlives(..) => &[],
    });
    params.chain(predicates)
}

fn mention_of(bound: &Bound, ids: &mut BTreeSet<String>) {
    ids.insert(bound.id.clone());
    let args = bound.args.iter().filter_map(|arg| match arg {
        Arg::Type(ty) => Some(ty),
        _ => None,
    });
    args.chain(bound.bindings.iter().map(|(_, ty)| ty)).for_each(|ty| mention_in(ty, ids));
}

fn mention_in(ty: &Ty, ids: &mut BTreeSet<String>) {
    ty.walk(&mut |part| match part {
        Ty::Path { id, .. } => {
            ids.insert(id.clone());
        }
        Ty::Dyn(bounds, _) | Ty::Impl(bounds) => {
            ids.extend(bounds.iter().map(|bound| bound.id.clone()));
        }
        Ty::Assoc { of_trait: Some(bound), .. } => {
            ids.insert(bound.id.clone());
        }
        _ => {}
    });
}

/// A way to make a value of a dependency's type.
pub(crate) struct Maker {
    /// The function or variant, for the name of the callable.
    pub(crate) name: String,
    /// With `$0`, `$1` … for the parameters.
    pub(crate) code: String,
    pub(crate) params: Vec<Ty>,
    /// The code gives it inside of an `Option` or a `Result`.
    pub(crate) wrapper: Wrapper,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wrapper {
    None,
    Option,
    Result,
}

/// At most so many ways for one type: values are wanted, not coverage of the dependency.
const MOST_MAKERS: usize = 8;

/// How values of a concrete type of a dependency are made: `Default`, `From` and `FromStr`, constructors, literals.
pub(crate) fn makers(foreign: &[Foreign], text: &str, ty: &Ty) -> Vec<Maker> {
    let mut found = Vec::new();
    let owner = ty.as_path().and_then(|(path, _)| path.split("::").next()).unwrap_or_default();
    for dependency in foreign.iter().filter(|dependency| dependency.paths.name == owner) {
        let names = dependency.names();
        for written in dependency.impls() {
            let mut map = Default::default();
            if matches!(written.for_type, Ty::Generic(_)) || !unify(&written.for_type, ty, &mut map) {
                continue;
            }
            map.insert("Self".to_owned(), Arg::Type(ty.clone()));
            let items = written.imp.items.iter().filter_map(|id| dependency.doc.get(id));
            for item in items.filter(|item| item.is_public && !item.is_deprecated) {
                let Kind::Function(function) = &item.kind else { continue };
                let concrete = |ty: &Ty| names.canonical(&ty.with(&map)).with(&map);
                found.extend(by_function(text, ty, &written, &item.name, function, &concrete));
            }
        }
        found.extend(by_literal(dependency, ty));
    }
    found.sort_by_key(|maker| (maker.params.len(), maker.name.clone()));
    of_each_kind(found)
}

/// As many as there may be: the first of each kind before the second of any.
fn of_each_kind(makers: Vec<Maker>) -> Vec<Maker> {
    let mut seen: BTreeMap<Kinds, usize> = BTreeMap::new();
    let rank = |maker: Maker| {
        let kind = Kinds::of(&maker);
        let before = seen.entry(kind).or_default();
        *before += 1;
        (*before, kind, maker)
    };
    let mut ranked: Vec<_> = makers.into_iter().map(rank).collect();
    ranked.sort_by_key(|(before, kind, _)| (*before, *kind));
    ranked.truncate(MOST_MAKERS);
    ranked.into_iter().map(|(.., maker)| maker).collect()
}

/// What something is made of; those from which most can be made come first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kinds {
    Text,
    Nothing,
    List,
    Integer,
    Other,
    Float,
    Bool,
    Char,
}

impl Kinds {
    fn of(maker: &Maker) -> Kinds {
        let [param] = maker.params.as_slice() else {
            return if maker.params.is_empty() { Kinds::Nothing } else { Kinds::Other };
        };
        match param.bare() {
            Ty::Primitive(name) => match name.as_str() {
                "str" => Kinds::Text,
                "bool" => Kinds::Bool,
                "char" => Kinds::Char,
                "f32" | "f64" => Kinds::Float,
                _ => Kinds::Integer,
            },
            Ty::Slice(_) | Ty::Array(..) => Kinds::List,
            ty if *ty == Ty::string() => Kinds::Text,
            ty if ty.as_path().is_some_and(|(path, _)| path == "std::vec::Vec") => Kinds::List,
            _ => Kinds::Other,
        }
    }
}

fn by_function(
    text: &str,
    ty: &Ty,
    written: &Written<'_>,
    name: &str,
    function: &Function,
    concrete: &dyn Fn(&Ty) -> Ty,
) -> Option<Maker> {
    let owner = match &written.of_trait {
        None => format!("<{text}>"),
        Some(bound) if bound.id.starts_with("std::") => match (bound.name.as_str(), name) {
            ("Default", _) => format!("<{text} as ::std::default::Default>"),
            ("FromStr", "from_str") => format!("<{text} as ::std::str::FromStr>"),
            ("From", _) => format!("<{text} as ::std::convert::From<_>>"),
            _ => return None,
        },
        Some(_) => return None,
    };
    let is_generic =
        function.generics.params.iter().any(|param| !matches!(param.kind, ParamKind::Lifetime { .. }));
    if function.is_unsafe || function.is_async || is_generic {
        return None;
    }
    if function.inputs.iter().any(|(name, _)| name == "self") {
        return None;
    }
    let output = concrete(function.output.as_ref()?);
    let wrapper = match output.as_path() {
        _ if output == *ty => Wrapper::None,
        Some(("std::option::Option", args)) if args.first() == Some(&ty) => Wrapper::Option,
        Some(("std::result::Result", args)) if args.first() == Some(&ty) || args.is_empty() => {
            Wrapper::Result
        }
        _ => return None,
    };
    // `impl<T: Into<Value>> From<Vec<T>> for Value`: what it is itself is something that becomes one.
    let own = of_itself(written, ty);
    let params: Vec<Ty> = function.inputs.iter().map(|(_, ty)| concrete(ty).with(&own)).collect();
    let is_list = |param: &Ty| *param == Ty::vec(ty.clone());
    // Nothing that would have to be made of the type itself.
    let is_simple = |param: &Ty| {
        !param.any(|part| {
            part == ty
                || matches!(
                    part,
                    Ty::Generic(_) | Ty::Impl(_) | Ty::Pointer | Ty::Inferred | Ty::Assoc { .. }
                )
        })
    };
    let arguments: Vec<_> = (0..params.len()).map(|at| format!("${at}")).collect();
    params.iter().all(|param| is_list(param) || is_simple(param)).then(|| Maker {
        name: name.to_owned(),
        code: format!("{owner}::{name}({})", arguments.join(", ")),
        params,
        wrapper,
    })
}

/// The parameters of an impl that have to become a type: they can be the type.
fn of_itself(written: &Written<'_>, ty: &Ty) -> Substitution {
    let becomes = |bound: &Bound| bound.name == "Into" && bound.first().is_some_and(|to| to == ty);
    let params = written.generics.params.iter().filter_map(|param| match &param.kind {
        ParamKind::Type { bounds, .. } if bounds.iter().any(becomes) => Some(param.name.clone()),
        _ => None,
    });
    params.map(|name| (name, Arg::Type(ty.clone()))).collect()
}

/// Variants and structs without fields, which need nothing.
fn by_literal(dependency: &Foreign, ty: &Ty) -> Vec<Maker> {
    let Some((path, _)) = ty.as_path() else { return Vec::new() };
    let names = dependency.names();
    let is_it = |id: &&String| names.path(id).is_some_and(|own| own == path);
    let Some(item) = dependency.paths.order.iter().find(is_it).and_then(|id| dependency.doc.get(id)) else {
        return Vec::new();
    };
    let made = |path: String, name: &str| Maker {
        name: name.to_owned(),
        code: format!("::{path}"),
        params: Vec::new(),
        wrapper: Wrapper::None,
    };
    match &item.kind {
        Kind::Struct { shape: Shape::Unit, .. } => vec![made(path.to_owned(), "value")],
        Kind::Enum { variants, .. } => {
            let variants = variants.iter().filter_map(|id| dependency.doc.get(id));
            let unit = variants.filter(|item| matches!(item.kind, Kind::Variant(Shape::Unit)));
            unit.map(|item| made(format!("{path}::{}", item.name), &item.name)).collect()
        }
        _ => Vec::new(),
    }
}
