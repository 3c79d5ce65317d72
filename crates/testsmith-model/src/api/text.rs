//! Types as Rust text: for the harness with full paths and `'static`, for people with imports.

use std::collections::BTreeSet;

use super::doc::{Doc, Generics, Kind, Shape};
use super::paths::Paths;
use super::ty::{Arg, Bound, Param, ParamKind, Predicate, Substitution, Ty};
use super::unify::unify;

/// What is needed to name things.
#[derive(Clone, Copy)]
pub(crate) struct Names<'a> {
    pub(crate) doc: &'a Doc,
    pub(crate) paths: &'a Paths,
    /// The document is that of a dependency: its types are known by their paths.
    pub(crate) is_foreign: bool,
}

/// How lifetimes are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lifetimes {
    /// All are `'static`.
    Static,
    /// Left out.
    Omitted,
    /// As they are, inside of `for<…>`.
    Kept,
}

impl Lifetimes {
    fn of_reference(self, own: Option<&str>) -> String {
        match (self, own) {
            (Lifetimes::Static, _) => "'static ".to_owned(),
            (Lifetimes::Kept, Some(own)) => format!("{own} "),
            _ => String::new(),
        }
    }

    fn of_argument(self, own: &str) -> String {
        match self {
            Lifetimes::Static => "'static".to_owned(),
            Lifetimes::Omitted => "'_".to_owned(),
            Lifetimes::Kept => own.to_owned(),
        }
    }
}

/// Names that need no import.
const PRELUDE: [&str; 8] = ["Option", "Result", "Vec", "String", "Box", "Some", "None", "Ok"];

impl Names<'_> {
    /// For the harness; `None` if the type cannot be named.
    pub(crate) fn code(&self, ty: &Ty) -> Option<String> {
        self.write(
            ty,
            &mut |names, id| Some(format!("::{}", names.paths.of(names.doc, id)?.join("::"))),
            Lifetimes::Static,
        )
    }

    /// For a declaration, with its lifetimes as they are.
    pub(crate) fn declared(&self, ty: &Ty) -> Option<String> {
        self.write(
            ty,
            &mut |names, id| Some(format!("::{}", names.paths.of(names.doc, id)?.join("::"))),
            Lifetimes::Kept,
        )
    }

    /// For people, with what has to be imported for it.
    pub(crate) fn shown(&self, ty: &Ty, imports: &mut BTreeSet<String>) -> Option<String> {
        let mut name = |names: &Names<'_>, id: &str| {
            let path = names.paths.of(names.doc, id)?;
            let name = path.last()?.clone();
            if !(PRELUDE.contains(&name.as_str()) && path.first().is_some_and(|first| first == "std")) {
                imports.insert(path.join("::"));
            }
            Some(name)
        };
        self.write(ty, &mut name, Lifetimes::Omitted)
    }

    fn write(
        &self,
        ty: &Ty,
        path: &mut dyn FnMut(&Names<'_>, &str) -> Option<String>,
        lifetimes: Lifetimes,
    ) -> Option<String> {
        Some(match ty {
            Ty::Primitive(name) if name == "never" => "!".to_owned(),
            Ty::Primitive(name) => name.clone(),
            Ty::Tuple(parts) => {
                let parts =
                    parts.iter().map(|part| self.write(part, path, lifetimes)).collect::<Option<Vec<_>>>()?;
                if let [one] = parts.as_slice() {
                    format!("({one},)")
                } else {
                    format!("({})", parts.join(", "))
                }
            }
            Ty::Slice(inner) => format!("[{}]", self.write(inner, path, lifetimes)?),
            Ty::Array(inner, len) => format!("[{}; {len}]", self.write(inner, path, lifetimes)?),
            Ty::Ref { lifetime, is_mut, inner } => {
                let is_sum = |text: &str| matches!(**inner, Ty::Dyn(..)) && text.contains(" + ");
                let written = self.write(inner, path, lifetimes)?;
                let inner = if is_sum(&written) { format!("({written})") } else { written };
                let lifetime = lifetimes.of_reference(lifetime.as_deref());
                format!("&{lifetime}{}{inner}", if *is_mut { "mut " } else { "" })
            }
            Ty::Path { id, args, .. } => {
                let direct = |path: &mut dyn FnMut(&Names<'_>, &str) -> Option<String>| {
                    Some((path(self, id)?, self.write_args(args, path, lifetimes)?))
                };
                let (name, args) = match direct(path) {
                    Some(written) => written,
                    None => {
                        let (alias, args) = self.through_alias(ty)?;
                        (path(self, &alias)?, self.write_args(&args, path, lifetimes)?)
                    }
                };
                if args.is_empty() { name } else { format!("{name}<{}>", args.join(", ")) }
            }
            Ty::Dyn(bounds, own) => {
                let bounds = bounds.iter().map(|bound| self.write_bound(bound, path, lifetimes));
                let own = match own {
                    Some(own) if lifetimes != Lifetimes::Static => {
                        format!(" + {}", lifetimes.of_argument(own))
                    }
                    _ => String::new(),
                };
                format!("dyn {}{own}", bounds.collect::<Option<Vec<_>>>()?.join(" + "))
            }
            Ty::Function { inputs, output } => {
                // Its lifetimes are those of each call.
                let named: BTreeSet<String> =
                    ty.lifetimes().into_iter().flatten().filter(|l| l != "'static").collect();
                let named = named.into_iter().collect::<Vec<_>>().join(", ");
                let binder = if named.is_empty() { String::new() } else { format!("for<{named}> ") };
                let kept = Lifetimes::Kept;
                let inputs =
                    inputs.iter().map(|ty| self.write(ty, path, kept)).collect::<Option<Vec<_>>>()?;
                format!("{binder}fn({}) -> {}", inputs.join(", "), self.write(output, path, kept)?)
            }
            Ty::Assoc { of, of_trait, name } => {
                let of = self.write(of, path, lifetimes)?;
                format!("<{of} as {}>::{name}", self.write_bound(of_trait.as_ref()?, path, lifetimes)?)
            }
            Ty::Generic(_) | Ty::Pointer | Ty::Impl(_) | Ty::Inferred | Ty::Closure { .. } => return None,
        })
    }

    fn write_args(
        &self,
        args: &[Arg],
        path: &mut dyn FnMut(&Names<'_>, &str) -> Option<String>,
        lifetimes: Lifetimes,
    ) -> Option<Vec<String>> {
        let arg = |arg: &Arg| match arg {
            Arg::Lifetime(own) => Some(lifetimes.of_argument(own)),
            Arg::Type(ty) => self.write(ty, path, lifetimes),
            Arg::Const(text) => Some(text.clone()),
        };
        args.iter().map(arg).collect()
    }

    fn write_bound(
        &self,
        bound: &Bound,
        path: &mut dyn FnMut(&Names<'_>, &str) -> Option<String>,
        lifetimes: Lifetimes,
    ) -> Option<String> {
        let name = path(self, &bound.id)?;
        if super::choose::is_call(bound) {
            return self.write_call(&name, bound, path);
        }
        let mut args = self.write_args(&bound.args, path, lifetimes)?;
        for (binding, ty) in &bound.bindings {
            args.push(format!("{binding} = {}", self.write(ty, path, lifetimes)?));
        }
        Some(if args.is_empty() { name } else { format!("{name}<{}>", args.join(", ")) })
    }

    /// `Fn(A) -> B`, whose lifetimes are those of each call.
    fn write_call(
        &self,
        name: &str,
        bound: &Bound,
        path: &mut dyn FnMut(&Names<'_>, &str) -> Option<String>,
    ) -> Option<String> {
        let output = bound.binding("Output").cloned().unwrap_or_else(Ty::unit);
        let Some(Ty::Tuple(inputs)) = bound.first() else { return None };
        let whole = Ty::Function { inputs: inputs.clone(), output: Box::new(output) };
        let text = self.write(&whole, path, Lifetimes::Kept)?;
        let (binder, call) = text.split_once("fn(")?;
        Some(format!("{binder}{name}({call}"))
    }

    /// A trait as the harness writes it, without bindings: `::core::ops::Add<i32>`.
    pub(crate) fn trait_code(&self, bound: &Bound) -> Option<String> {
        let bound = Bound { bindings: Vec::new(), ..bound.clone() };
        self.write_bound(
            &bound,
            &mut |names, id| Some(format!("::{}", names.paths.of(names.doc, id)?.join("::"))),
            Lifetimes::Static,
        )
    }

    /// Full path of whatever a type's or trait's id stands for.
    pub(crate) fn path(&self, id: &str) -> Option<String> {
        self.paths.of(self.doc, id).map(|path| path.join("::"))
    }

    /// The form that types are compared in: the crate's own aliases are replaced by what they stand for, and the id of
    /// an item of another crate is its path.
    pub(crate) fn canonical(&self, ty: &Ty) -> Ty {
        let this = |inner: &Ty| self.canonical(inner);
        match ty {
            Ty::Path { id, name, args } => {
                if let Some(target) = self.alias(id, args) {
                    return self.canonical(&target);
                }
                let args = self.with_defaults(id, args);
                let path = Ty::Path { id: self.canonical_id(id), name: name.clone(), args };
                path.rebuilt(&this)
            }
            Ty::Dyn(bounds, lifetime) => {
                Ty::Dyn(bounds.iter().map(|bound| self.canonical_bound(bound)).collect(), lifetime.clone())
            }
            Ty::Impl(bounds) => Ty::Impl(bounds.iter().map(|bound| self.canonical_bound(bound)).collect()),
            Ty::Assoc { of, of_trait, name } => Ty::Assoc {
                of: Box::new(self.canonical(of)),
                of_trait: of_trait.as_ref().map(|bound| Box::new(self.canonical_bound(bound))),
                name: name.clone(),
            },
            _ => ty.rebuilt(&this),
        }
    }

    /// As [`Names::canonical`], with the defaults of a trait of the crate filled in.
    pub(crate) fn canonical_bound(&self, bound: &Bound) -> Bound {
        let mut bound = Bound { id: self.canonical_id(&bound.id), ..bound.clone() };
        if let Some(Kind::Trait { generics, .. }) = self.doc.get(&bound.id).map(|item| &item.kind) {
            for param in generics.params.iter().skip(bound.args.len()) {
                if let ParamKind::Type { default: Some(default), .. } = &param.kind {
                    bound.args.push(Arg::Type(default.clone()));
                }
            }
        }
        bound.rebuilt(&|ty| self.canonical(ty))
    }

    pub(crate) fn canonical_generics(&self, generics: &Generics) -> Generics {
        let bounds = |bounds: &[Bound]| bounds.iter().map(|bound| self.canonical_bound(bound)).collect();
        let param = |param: &Param| match &param.kind {
            ParamKind::Type { bounds: own, default } => Param {
                kind: ParamKind::Type {
                    bounds: bounds(own),
                    default: default.as_ref().map(|ty| self.canonical(ty)),
                },
                ..param.clone()
            },
            _ => param.clone(),
        };
        let predicate = |predicate: &Predicate| match predicate {
            Predicate::Bounds(ty, own) => Predicate::Bounds(self.canonical(ty), bounds(own)),
            Predicate::Outlives(..) => predicate.clone(),
        };
        Generics {
            params: generics.params.iter().map(param).collect(),
            predicates: generics.predicates.iter().map(predicate).collect(),
            lasting: generics.lasting.clone(),
        }
    }

    /// Values of such a type exist behind a pointer only.
    pub(crate) fn is_unsized(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Primitive(name) => name == "str" || name == "never",
            Ty::Slice(_) | Ty::Dyn(..) => true,
            Ty::Path { id, args, .. } => match self.doc.get(id).map(|item| &item.kind) {
                Some(Kind::Struct { shape, generics }) => {
                    let last = match shape {
                        Shape::Unit => None,
                        Shape::Tuple(fields) => fields.last().cloned().flatten(),
                        Shape::Plain { fields, .. } => fields.last().cloned(),
                    };
                    match last.and_then(|id| self.doc.get(&id)).map(|item| &item.kind) {
                        Some(Kind::Field(ty)) => {
                            let params = generics.params.iter().map(|param| param.name.clone());
                            let map = params.zip(args.iter().cloned()).collect();
                            self.is_unsized(&self.canonical(ty).with(&map))
                        }
                        _ => false,
                    }
                }
                _ => matches!(id.as_str(), "std::path::Path" | "std::ffi::OsStr" | "std::ffi::CStr"),
            },
            _ => false,
        }
    }

    fn canonical_id(&self, id: &str) -> String {
        let is_local = self.doc.get(id).is_some_and(|item| item.is_local);
        if self.is_foreign {
            let defined = || self.doc.paths.get(id).map(|path| path.join("::"));
            return self.path(id).or_else(defined).unwrap_or_else(|| id.to_owned());
        }
        if is_local { id.to_owned() } else { self.path(id).unwrap_or_else(|| id.to_owned()) }
    }

    /// The arguments of a type, with those that were left out because they have defaults.
    fn with_defaults(&self, id: &str, args: &[Arg]) -> Vec<Arg> {
        let mut args = args.to_vec();
        let generics = match self.doc.get(id).map(|item| &item.kind) {
            Some(Kind::Struct { generics, .. } | Kind::Enum { generics, .. }) => generics,
            _ => return args,
        };
        let is_lifetime = |param: &&Param| matches!(param.kind, ParamKind::Lifetime { .. });
        let lifetimes = generics.params.iter().filter(is_lifetime).count();
        // Lifetimes can be left out altogether.
        if lifetimes > 0 && !args.iter().any(|arg| matches!(arg, Arg::Lifetime(_))) {
            args.splice(0..0, std::iter::repeat_n(Arg::Lifetime("'_".to_owned()), lifetimes));
        }
        for param in generics.params.iter().skip(args.len()) {
            let map: Substitution =
                generics.params.iter().map(|param| param.name.clone()).zip(args.iter().cloned()).collect();
            args.extend(match &param.kind {
                ParamKind::Type { default: Some(default), .. } => Some(Arg::Type(default.with(&map))),
                ParamKind::Const { default: Some(default), .. } => Some(Arg::Const(default.clone())),
                _ => None,
            });
        }
        args
    }

    /// The public aliases of a type of the crate, each with what it stands for.
    pub(crate) fn aliases(&self, of: &str) -> Vec<(&str, &Generics, Ty)> {
        let alias = |id: &'_ String| match &self.doc.get(id)?.kind {
            Kind::TypeAlias { ty, generics } => Some((generics, self.canonical(ty))),
            _ => None,
        };
        let is_of = |ty: &Ty| matches!(ty, Ty::Path { id, .. } if id == of);
        let aliases = self.paths.order.iter().filter_map(|id| Some((id.as_str(), alias(id)?)));
        let aliases = aliases.filter(|(_, (_, ty))| is_of(ty));
        aliases.map(|(id, (generics, ty))| (id, generics, ty)).collect()
    }

    /// A public alias with arguments for a type that cannot be named by itself, as one of its arguments is private.
    fn through_alias(&self, ty: &Ty) -> Option<(String, Vec<Arg>)> {
        let Ty::Path { id, .. } = ty else { return None };
        self.aliases(id).into_iter().find_map(|(alias, generics, target)| {
            let mut map = Substitution::new();
            if !unify(&target, ty, &mut map) {
                return None;
            }
            let arg = |param: &Param| match &param.kind {
                ParamKind::Lifetime { .. } => Some(Arg::Lifetime("'static".to_owned())),
                _ => map.get(&param.name).cloned(),
            };
            Some((alias.to_owned(), generics.params.iter().map(arg).collect::<Option<Vec<_>>>()?))
        })
    }

    /// What an alias of another crate stands for.
    fn foreign_alias(&self, id: &str, args: &[Arg]) -> Option<Ty> {
        let path = self.path(id)?;
        let result =
            |ok: Ty, error: &str| Some(Ty::standard("std::result::Result", [ok, Ty::standard(error, [])]));
        match (path.as_str(), args) {
            ("std::fmt::Result", _) => result(Ty::unit(), "std::fmt::Error"),
            ("std::io::Result", [Arg::Type(ok)]) => result(ok.clone(), "std::io::Error"),
            _ => {
                let (params, target) = self.paths.foreign_aliases.get(&path)?;
                Some(target.with(&params.iter().cloned().zip(args.iter().cloned()).collect()))
            }
        }
    }

    /// What an alias of the crate stands for.
    fn alias(&self, id: &str, args: &[Arg]) -> Option<Ty> {
        let Some(item) = self.doc.get(id) else { return self.foreign_alias(id, args) };
        let Kind::TypeAlias { ty, generics } = &item.kind else { return None };
        let params = generics.params.iter().map(|param| param.name.clone());
        let mut map: Substitution = params.zip(args.iter().cloned()).collect();
        for param in &generics.params {
            if let ParamKind::Type { default: Some(default), .. } = &param.kind {
                map.entry(param.name.clone()).or_insert_with(|| Arg::Type(default.clone()));
            }
        }
        Some(ty.with(&map))
    }
}
