//! Types as signatures have them, with generics, lifetimes and associated types still in them.

use std::collections::BTreeMap;

use serde_json::Value;

use super::doc;

/// A type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Ty {
    /// A struct, an enum, an alias …: its id and the name that the source uses.
    Path {
        id: String,
        name: String,
        args: Vec<Arg>,
    },
    /// `T`, `Self`
    Generic(String),
    /// `u8`, `str`, `never`
    Primitive(String),
    Tuple(Vec<Ty>),
    Slice(Box<Ty>),
    Array(Box<Ty>, String),
    Ref {
        lifetime: Option<String>,
        is_mut: bool,
        inner: Box<Ty>,
    },
    Pointer,
    /// `fn(A) -> B`
    Function {
        inputs: Vec<Ty>,
        output: Box<Ty>,
    },
    Dyn(Vec<Bound>, Option<String>),
    Impl(Vec<Bound>),
    /// `<T as Trait>::Name`
    Assoc {
        of: Box<Ty>,
        of_trait: Option<Box<Bound>>,
        name: String,
    },
    /// A closure, which is written where it is passed: as the harness and as people write it.
    Closure {
        code: String,
    },
    /// Whatever the compiler finds.
    Inferred,
}

/// An argument of a path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Arg {
    Lifetime(String),
    Type(Ty),
    Const(String),
}

/// `Trait<Args, Name = Ty>`, or `FnMut(A) -> B`, which has its inputs as one tuple and its output as `Output`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Bound {
    pub(crate) id: String,
    /// Last segment of its path.
    pub(crate) name: String,
    pub(crate) args: Vec<Arg>,
    pub(crate) bindings: Vec<(String, Ty)>,
    /// `?Sized`
    pub(crate) is_maybe: bool,
}

/// A parameter of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Param {
    pub(crate) name: String,
    pub(crate) kind: ParamKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ParamKind {
    Lifetime { outlives: Vec<String> },
    Type { bounds: Vec<Bound>, default: Option<Ty> },
    Const { ty: Ty, default: Option<String> },
}

/// A `where` clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Predicate {
    Bounds(Ty, Vec<Bound>),
    Outlives(String, Vec<String>),
}

/// What the generics of an item stand for.
pub(crate) type Substitution = BTreeMap<String, Arg>;

pub(crate) fn read(value: &Value) -> Ty {
    let Some((name, inner)) = value.as_object().and_then(|map| map.iter().next()) else {
        return Ty::Inferred;
    };
    let boxed = |value: &Value| Box::new(read(value));
    match name.as_str() {
        "resolved_path" => {
            let path = inner["path"].as_str().or(inner["name"].as_str()).unwrap_or_default();
            Ty::Path {
                id: doc::id(&inner["id"]).unwrap_or_default(),
                name: last_segment(path),
                args: args(&inner["args"]).0,
            }
        }
        "generic" => Ty::Generic(inner.as_str().unwrap_or_default().to_owned()),
        "primitive" => Ty::Primitive(inner.as_str().unwrap_or_default().to_owned()),
        "tuple" => Ty::Tuple(inner.as_array().into_iter().flatten().map(read).collect()),
        "slice" => Ty::Slice(boxed(inner)),
        "array" => Ty::Array(boxed(&inner["type"]), inner["len"].as_str().unwrap_or_default().to_owned()),
        "borrowed_ref" => Ty::Ref {
            lifetime: inner["lifetime"].as_str().filter(|name| *name != "'_").map(str::to_owned),
            is_mut: inner["is_mutable"].as_bool().or(inner["mutable"].as_bool()).unwrap_or_default(),
            inner: boxed(&inner["type"]),
        },
        "raw_pointer" => Ty::Pointer,
        "function_pointer" => {
            let signature = if inner["sig"].is_object() { &inner["sig"] } else { &inner["decl"] };
            let inputs = signature["inputs"].as_array().into_iter().flatten();
            let output = &signature["output"];
            Ty::Function {
                inputs: inputs.map(|pair| read(&pair[1])).collect(),
                output: Box::new(if output.is_null() { Ty::unit() } else { read(output) }),
            }
        }
        "dyn_trait" => {
            let traits = inner["traits"].as_array().into_iter().flatten();
            let lifetime = inner["lifetime"].as_str().map(str::to_owned);
            Ty::Dyn(traits.map(|poly| trait_ref(&poly["trait"])).collect(), lifetime)
        }
        "impl_trait" => Ty::Impl(bounds(inner)),
        "qualified_path" => Ty::Assoc {
            of: boxed(&inner["self_type"]),
            of_trait: Some(&inner["trait"]).filter(|t| t.is_object()).map(|t| Box::new(trait_ref(t))),
            name: inner["name"].as_str().unwrap_or_default().to_owned(),
        },
        _ => Ty::Inferred,
    }
}

fn last_segment(path: &str) -> String {
    path.rsplit("::").next().unwrap_or_default().to_owned()
}

/// Arguments and bindings.
fn args(value: &Value) -> (Vec<Arg>, Vec<(String, Ty)>) {
    if let Some(call) = value.get("parenthesized") {
        let inputs = call["inputs"].as_array().into_iter().flatten().map(read).collect();
        let output = if call["output"].is_null() { Ty::unit() } else { read(&call["output"]) };
        return (vec![Arg::Type(Ty::Tuple(inputs))], vec![("Output".to_owned(), output)]);
    }
    let angle = &value["angle_bracketed"];
    let arg = |value: &Value| {
        let (name, inner) = value.as_object()?.iter().next()?;
        match name.as_str() {
            "lifetime" => Some(Arg::Lifetime(inner.as_str()?.to_owned())),
            "type" => Some(Arg::Type(read(inner))),
            "const" => Some(Arg::Const(inner["value"].as_str().or(inner["expr"].as_str())?.to_owned())),
            _ => None,
        }
    };
    let binding = |value: &Value| {
        let ty = &value["binding"]["equality"]["type"];
        (!ty.is_null()).then(|| (value["name"].as_str().unwrap_or_default().to_owned(), read(ty)))
    };
    let bindings = angle.get("constraints").or(angle.get("bindings")).and_then(Value::as_array);
    (
        angle["args"].as_array().into_iter().flatten().filter_map(arg).collect(),
        bindings.into_iter().flatten().filter_map(binding).collect(),
    )
}

pub(crate) fn trait_ref(value: &Value) -> Bound {
    let path = value["path"].as_str().or(value["name"].as_str()).unwrap_or_default();
    let (args, bindings) = args(&value["args"]);
    Bound {
        id: doc::id(&value["id"]).unwrap_or_default(),
        name: last_segment(path),
        args,
        bindings,
        is_maybe: false,
    }
}

pub(crate) fn bounds(value: &Value) -> Vec<Bound> {
    let bound = |value: &Value| {
        let inner = value.get("trait_bound")?;
        let mut bound = trait_ref(&inner["trait"]);
        bound.is_maybe = inner["modifier"].as_str() == Some("maybe");
        Some(bound)
    };
    value.as_array().into_iter().flatten().filter_map(bound).collect()
}

fn lifetimes(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

pub(crate) fn param(value: &Value) -> Option<Param> {
    let name = value["name"].as_str()?.to_owned();
    let (kind, inner) = value["kind"].as_object()?.iter().next()?;
    let kind = match kind.as_str() {
        "lifetime" => ParamKind::Lifetime { outlives: lifetimes(&inner["outlives"]) },
        // Stands for an `impl Trait` among the inputs.
        "type" if inner["is_synthetic"].as_bool().or(inner["synthetic"].as_bool()) == Some(true) => {
            return None;
        }
        "type" => ParamKind::Type {
            bounds: bounds(&inner["bounds"]),
            default: Some(&inner["default"]).filter(|ty| !ty.is_null()).map(read),
        },
        "const" => ParamKind::Const {
            ty: read(&inner["type"]),
            default: inner["default"].as_str().map(str::to_owned),
        },
        _ => return None,
    };
    Some(Param { name, kind })
}

pub(crate) fn predicate(value: &Value) -> Option<Predicate> {
    let (kind, inner) = value.as_object()?.iter().next()?;
    match kind.as_str() {
        "bound_predicate" => Some(Predicate::Bounds(read(&inner["type"]), bounds(&inner["bounds"]))),
        "lifetime_predicate" | "region_predicate" => {
            Some(Predicate::Outlives(inner["lifetime"].as_str()?.to_owned(), lifetimes(&inner["outlives"])))
        }
        _ => None,
    }
}

impl Ty {
    pub(crate) fn unit() -> Ty {
        Ty::Tuple(Vec::new())
    }

    pub(crate) fn primitive(name: &str) -> Ty {
        Ty::Primitive(name.to_owned())
    }

    /// Whether it is a primitive type that calculates.
    pub(crate) fn is_number(&self) -> bool {
        matches!(self, Ty::Primitive(name) if name.ends_with(|last: char| last.is_ascii_digit()) || name.ends_with("size"))
    }

    /// A type of the standard library: `std::vec::Vec`.
    pub(crate) fn standard(path: &str, args: impl IntoIterator<Item = Ty>) -> Ty {
        let args = args.into_iter().map(Arg::Type).collect();
        Ty::Path { id: path.to_owned(), name: last_segment(path), args }
    }

    /// `Vec<T>`
    pub(crate) fn vec(element: Ty) -> Ty {
        Ty::standard("std::vec::Vec", [element])
    }

    /// `String`
    pub(crate) fn string() -> Ty {
        Ty::standard("std::string::String", [])
    }

    /// `&'static T`
    pub(crate) fn shared(inner: Ty) -> Ty {
        Ty::Ref { lifetime: Some("'static".to_owned()), is_mut: false, inner: Box::new(inner) }
    }

    /// `&'static str`
    pub(crate) fn text() -> Ty {
        Ty::shared(Ty::primitive("str"))
    }

    /// Whether it is a type of the crate.
    pub(crate) fn is_own(&self) -> bool {
        matches!(self, Ty::Path { id, .. } if !id.contains("::"))
    }

    /// The path and the type arguments of a type of the standard library or of the crate.
    pub(crate) fn as_path(&self) -> Option<(&str, Vec<&Ty>)> {
        let Ty::Path { id, args, .. } = self else { return None };
        let types = args.iter().filter_map(|arg| match arg {
            Arg::Type(ty) => Some(ty),
            _ => None,
        });
        Some((id, types.collect()))
    }

    /// With every generic that the substitution knows replaced.
    pub(crate) fn with(&self, map: &Substitution) -> Ty {
        match self {
            Ty::Generic(name) => match map.get(name) {
                Some(Arg::Type(ty)) => ty.clone(),
                _ => self.clone(),
            },
            Ty::Array(inner, len) => {
                let len = match map.get(len) {
                    Some(Arg::Const(value)) => value.clone(),
                    _ => len.clone(),
                };
                Ty::Array(Box::new(inner.with(map)), len)
            }
            Ty::Path { id, name, args } => Ty::Path {
                id: id.clone(),
                name: name.clone(),
                args: args.iter().map(|arg| arg.with(map)).collect(),
            },
            Ty::Ref { lifetime, is_mut, inner } => Ty::Ref {
                lifetime: lifetime.as_ref().map(|name| lifetime_with(name, map)),
                is_mut: *is_mut,
                inner: Box::new(inner.with(map)),
            },
            _ => self.map(&|ty| ty.with(map), &|bound| bound.with(map)),
        }
    }

    /// With a function applied to all parts that the other cases of `with` do not treat.
    fn map(&self, ty: &dyn Fn(&Ty) -> Ty, bound: &dyn Fn(&Bound) -> Bound) -> Ty {
        let boxed = |inner: &Ty| Box::new(ty(inner));
        match self {
            Ty::Tuple(parts) => Ty::Tuple(parts.iter().map(ty).collect()),
            Ty::Slice(inner) => Ty::Slice(boxed(inner)),
            Ty::Function { inputs, output } => {
                Ty::Function { inputs: inputs.iter().map(ty).collect(), output: boxed(output) }
            }
            Ty::Dyn(bounds, lifetime) => Ty::Dyn(bounds.iter().map(bound).collect(), lifetime.clone()),
            Ty::Impl(bounds) => Ty::Impl(bounds.iter().map(bound).collect()),
            Ty::Assoc { of, of_trait, name } => Ty::Assoc {
                of: boxed(of),
                of_trait: of_trait.as_ref().map(|b| Box::new(bound(b))),
                name: name.clone(),
            },
            other => other.clone(),
        }
    }

    /// With a function applied to each direct part.
    pub(crate) fn rebuilt(&self, change: &dyn Fn(&Ty) -> Ty) -> Ty {
        let boxed = |inner: &Ty| Box::new(change(inner));
        match self {
            Ty::Path { id, name, args } => {
                let arg = |arg: &Arg| match arg {
                    Arg::Type(ty) => Arg::Type(change(ty)),
                    other => other.clone(),
                };
                Ty::Path { id: id.clone(), name: name.clone(), args: args.iter().map(arg).collect() }
            }
            Ty::Array(inner, len) => Ty::Array(boxed(inner), len.clone()),
            Ty::Ref { lifetime, is_mut, inner } => {
                Ty::Ref { lifetime: lifetime.clone(), is_mut: *is_mut, inner: boxed(inner) }
            }
            _ => self.map(change, &|bound| bound.rebuilt(change)),
        }
    }

    /// Visits this type and all in it.
    pub(crate) fn walk(&self, see: &mut dyn FnMut(&Ty)) {
        see(self);
        match self {
            Ty::Path { args, .. } => args.iter().for_each(|arg| arg.walk(see)),
            Ty::Tuple(parts) => parts.iter().for_each(|part| part.walk(see)),
            Ty::Slice(inner) | Ty::Array(inner, _) | Ty::Ref { inner, .. } => inner.walk(see),
            Ty::Function { inputs, output } => {
                inputs.iter().for_each(|input| input.walk(see));
                output.walk(see);
            }
            Ty::Dyn(bounds, _) | Ty::Impl(bounds) => bounds.iter().for_each(|bound| bound.walk(see)),
            Ty::Assoc { of, .. } => of.walk(see),
            Ty::Generic(_) | Ty::Primitive(_) | Ty::Pointer | Ty::Inferred | Ty::Closure { .. } => {}
        }
    }

    /// What a reference refers to, or the type itself.
    pub(crate) fn bare(&self) -> &Ty {
        match self {
            Ty::Ref { inner, .. } => inner.bare(),
            _ => self,
        }
    }

    pub(crate) fn any(&self, is_it: impl Fn(&Ty) -> bool) -> bool {
        let mut found = false;
        self.walk(&mut |ty| found |= is_it(ty));
        found
    }

    /// The lifetimes that are named in it; `None` stands for one that is left out.
    pub(crate) fn lifetimes(&self) -> Vec<Option<String>> {
        let mut found = Vec::new();
        self.walk(&mut |ty| match ty {
            Ty::Ref { lifetime, .. } => found.push(lifetime.clone()),
            Ty::Path { args, .. } => found.extend(args.iter().filter_map(|arg| match arg {
                Arg::Lifetime(name) => Some(Some(name.clone()).filter(|name| name != "'_")),
                _ => None,
            })),
            Ty::Dyn(_, lifetime) => {
                found.extend(lifetime.clone().map(|name| Some(name).filter(|name| name != "'_")))
            }
            _ => {}
        });
        found
    }
}

fn lifetime_with(name: &str, map: &Substitution) -> String {
    match map.get(name) {
        Some(Arg::Lifetime(other)) => other.clone(),
        _ => name.to_owned(),
    }
}

impl Arg {
    fn with(&self, map: &Substitution) -> Arg {
        match self {
            Arg::Type(ty) => Arg::Type(ty.with(map)),
            Arg::Lifetime(name) => Arg::Lifetime(lifetime_with(name, map)),
            Arg::Const(text) => match map.get(text) {
                Some(constant @ Arg::Const(_)) => constant.clone(),
                _ => self.clone(),
            },
        }
    }

    fn walk(&self, see: &mut dyn FnMut(&Ty)) {
        if let Arg::Type(ty) = self {
            ty.walk(see);
        }
    }
}

impl Bound {
    pub(crate) fn with(&self, map: &Substitution) -> Bound {
        Bound {
            args: self.args.iter().map(|arg| arg.with(map)).collect(),
            bindings: self.bindings.iter().map(|(name, ty)| (name.clone(), ty.with(map))).collect(),
            ..self.clone()
        }
    }

    fn walk(&self, see: &mut dyn FnMut(&Ty)) {
        self.args.iter().for_each(|arg| arg.walk(see));
        self.bindings.iter().for_each(|(_, ty)| ty.walk(see));
    }

    pub(crate) fn rebuilt(&self, change: &dyn Fn(&Ty) -> Ty) -> Bound {
        let arg = |arg: &Arg| match arg {
            Arg::Type(ty) => Arg::Type(change(ty)),
            other => other.clone(),
        };
        Bound {
            args: self.args.iter().map(arg).collect(),
            bindings: self.bindings.iter().map(|(name, ty)| (name.clone(), change(ty))).collect(),
            ..self.clone()
        }
    }

    /// The first type argument.
    pub(crate) fn first(&self) -> Option<&Ty> {
        self.args.iter().find_map(|arg| match arg {
            Arg::Type(ty) => Some(ty),
            _ => None,
        })
    }

    pub(crate) fn binding(&self, name: &str) -> Option<&Ty> {
        self.bindings.iter().find(|(bound, _)| bound == name).map(|(_, ty)| ty)
    }
}
