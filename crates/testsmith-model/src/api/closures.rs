//! Closures for `Fn`, `FnMut` and `FnOnce`: constant, identity, by argument, by the count of calls.
//!
//! They are written where they are passed, because the types of their parameters are inferred there, and each is a
//! variant of the callable: a person reads `retain(|_| false)`, not a table.

use testsmith_ir::api::{Callable, Place};

use super::doc::{Kind, Shape};
use super::parsers;
use super::ty::{Arg, Bound, Ty};
use super::world::World;

/// The closures that a bound allows, as text.
pub(crate) fn variants(world: &World<'_>, bound: &Bound) -> Vec<String> {
    let inputs = match bound.first() {
        Some(Ty::Tuple(inputs)) => inputs.as_slice(),
        _ => &[],
    };
    let output = bound.binding("Output").cloned().unwrap_or_else(Ty::unit);
    let ignored = format!("|{}|", vec!["_"; inputs.len()].join(", "));
    let mut variants = by_arguments(inputs, &output);
    variants.extend(parsers::closure(world, inputs, &output));
    // Whatever the closure gives, it may give what it is given.
    if let ([_], Ty::Inferred | Ty::Generic(_)) = (inputs, &output) {
        variants.push("|value| value".to_owned());
    }
    variants.extend(constants(world, &output, 0).into_iter().map(|value| format!("{ignored} {value}")));
    if output == Ty::primitive("bool") && bound.name != "FnOnce" && bound.name != "Fn" {
        variants.push(format!("{{ let mut calls = 0; move {ignored} {{ calls += 1; calls % 2 == 1 }} }}"));
    }
    variants.truncate(4);
    variants
}

/// What closures say that panic.
const STOP: &str = "panic!(\"stop\")";

/// Closures that panic: at once, and when they have done their work twice.
pub(crate) fn stopping(world: &World<'_>, bound: &Bound) -> Vec<String> {
    let Some(Ty::Tuple(inputs)) = bound.first() else { return Vec::new() };
    let ignored = format!("|{}|", vec!["_"; inputs.len()].join(", "));
    let mut variants = vec![format!("{ignored} {STOP}")];
    if bound.name == "FnMut" {
        let output = bound.binding("Output").cloned().unwrap_or_else(Ty::unit);
        let value = match output {
            output if output == Ty::unit() => Some(String::new()),
            output if output == Ty::primitive("bool") => Some(" calls % 2 == 0".to_owned()),
            output => constants(world, &output, 0).into_iter().next().map(|value| format!(" {value}")),
        };
        variants.extend(value.map(|value| {
            format!(
                "{{ let mut calls = 0; move {ignored} {{ calls += 1; if calls == 3 {{ {STOP} }}{value} }} }}"
            )
        }));
    }
    variants
}

/// Whether a closure panics without ever giving a value.
pub(crate) fn stops(code: &str) -> bool {
    value(code) == STOP
}

/// What a closure of one expression gives: `Ok(7)` of `|_| Ok(7)`.
pub(crate) fn value(code: &str) -> &str {
    let after = code.strip_prefix('|').and_then(|rest| rest.split_once('|'));
    after.map_or(code, |(_, value)| value.trim_start())
}

/// A callable with a closure that panics, so that programs go on after it: it says whether the closure did.
pub(crate) fn caught(callable: Callable, has_result: bool) -> Callable {
    let body = |text: &str| if has_result { format!("{{ {text}; }}") } else { text.to_owned() };
    let code = format!(
        "::std::panic::catch_unwind(::std::panic::AssertUnwindSafe(|| {})).is_err()",
        body(&callable.code)
    );
    let shown = format!("catch_unwind(AssertUnwindSafe(|| {})).is_err()", body(&callable.shown));
    let mut imports = callable.imports;
    imports.extend(["AssertUnwindSafe", "catch_unwind"].map(|name| format!("std::panic::{name}")));
    imports.sort();
    let flows = callable.flows.into_iter().filter(|flow| flow.to != Place::Result).collect();
    Callable { code, shown, imports, flows, ..callable }
}

/// The function pointer that a bound allows; `None` if not all its types are known.
pub(crate) fn pointer(bound: &Bound) -> Option<Ty> {
    let Some(Ty::Tuple(inputs)) = bound.first() else { return None };
    let output = bound.binding("Output").cloned().unwrap_or_else(Ty::unit);
    let is_known = inputs.iter().chain([&output]).all(super::choose::is_known);
    is_known.then(|| Ty::Function { inputs: inputs.clone(), output: Box::new(output) })
}

/// Closures that become a pointer to a function.
pub(crate) fn for_pointer(world: &World<'_>, inputs: &[Ty], output: &Ty) -> Vec<String> {
    let bound = Bound {
        id: "std::ops::Fn".to_owned(),
        name: "Fn".to_owned(),
        args: vec![Arg::Type(Ty::Tuple(inputs.to_vec()))],
        bindings: vec![("Output".to_owned(), output.clone())],
        is_maybe: false,
    };
    variants(world, &bound)
}

/// Closures whose result depends on what they are given.
fn by_arguments(inputs: &[Ty], output: &Ty) -> Vec<String> {
    let mut variants = Vec::new();
    if let [input] = inputs {
        if input == output {
            variants.push("|value| value".to_owned());
        }
        if *output == Ty::primitive("bool") {
            variants.extend(test_of(input).map(|test| format!("|value| {test}")));
        }
    }
    for (at, input) in inputs.iter().enumerate() {
        let owned = match input {
            Ty::Ref { inner, .. } if **inner == *output => match output {
                Ty::Primitive(_) => "*value",
                _ => "value.clone()",
            },
            // A single one, and one of two of a kind, are there already.
            _ if input == output && inputs.len() > 1 && inputs[0] != inputs[1] => "value",
            _ => continue,
        };
        let names = (0..inputs.len()).map(|n| if n == at { "value" } else { "_" });
        variants.push(format!("|{}| {owned}", names.collect::<Vec<_>>().join(", ")));
    }
    if let [a, b] = inputs
        && a == b
    {
        let is_ordering = output.as_path().is_some_and(|(path, _)| path == "std::cmp::Ordering");
        if is_ordering {
            variants.push("|a, b| b.cmp(a)".to_owned());
            variants.push("|a, b| a.cmp(b)".to_owned());
        } else if *output == Ty::primitive("bool") {
            variants.push("|a, b| a == b".to_owned());
        } else if a == output {
            variants.push("|a, _| a".to_owned());
            variants.push("|_, b| b".to_owned());
        }
    }
    variants
}

/// A condition on `value`.
fn test_of(input: &Ty) -> Option<&'static str> {
    let (inner, depth) = strip(input, 0);
    let name = match inner {
        Ty::Primitive(name) => name.as_str(),
        ty if *ty == Ty::string() => "str",
        _ => return None,
    };
    Some(match (name, depth) {
        ("bool", 0) => "value",
        ("bool", 1) => "*value",
        ("char", 0) => "value.is_alphanumeric()",
        ("char", _) => "value.is_alphanumeric()",
        ("str", _) => "value.len() > 2",
        (_, 0) => "value as i64 % 2 == 0",
        (_, 1) => "*value as i64 % 2 == 0",
        _ => return None,
    })
}

fn strip(ty: &Ty, depth: usize) -> (&Ty, usize) {
    match ty {
        Ty::Ref { inner, .. } => strip(inner, depth + 1),
        _ => (ty, depth),
    }
}

/// Expressions for a type that need nothing around them.
pub(crate) fn constants(world: &World<'_>, ty: &Ty, depth: usize) -> Vec<String> {
    let own = |text: &[&str]| text.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    if depth > 2 {
        return Vec::new();
    }
    let first = |ty: &Ty| constants(world, ty, depth + 1).into_iter().next();
    match ty {
        Ty::Primitive(name) => match name.as_str() {
            "bool" => own(&["true", "false"]),
            "char" => own(&["'x'", "'é'"]),
            "f32" | "f64" => own(&["1.5", "0.0"]),
            "str" | "never" => Vec::new(),
            _ => own(&["7", "0"]),
        },
        Ty::Tuple(parts) if parts.is_empty() => own(&["()"]),
        Ty::Tuple(parts) => {
            let parts: Option<Vec<_>> = parts.iter().map(first).collect();
            parts.into_iter().map(|parts| format!("({})", parts.join(", "))).collect()
        }
        Ty::Ref { inner, is_mut: false, .. } if **inner == Ty::primitive("str") => {
            own(&["\"x\"", "\"\"", "\"1 ab\""])
        }
        Ty::Ref { inner, is_mut: false, .. } => match &**inner {
            Ty::Slice(element) => {
                let elements =
                    if is_constant(element) { constants(world, element, depth + 1) } else { Vec::new() };
                let lists = (0..=elements.len().min(2)).rev().map(|len| elements[..len].join(", "));
                lists.map(|list| format!("&[{list}]")).collect()
            }
            inner if is_constant(inner) => {
                first(inner).map(|value| format!("&{value}")).into_iter().collect()
            }
            inner => world.constants_of(inner),
        },
        Ty::Path { id, .. } => {
            let args = ty.as_path().map(|(_, args)| args).unwrap_or_default();
            match (id.as_str(), args.as_slice()) {
                ("std::string::String", _) => own(&["String::from(\"x\")", "String::new()"]),
                ("std::vec::Vec", _) => own(&["Vec::new()"]),
                ("std::option::Option", [inner]) => {
                    let some = first(inner).map(|inner| format!("Some({inner})"));
                    some.into_iter().chain(["None".to_owned()]).collect()
                }
                ("std::result::Result", [ok, error]) => {
                    let ok = first(ok).map(|ok| format!("Ok({ok})"));
                    let error = first(error).map(|error| format!("Err({error})"));
                    ok.into_iter().chain(error).collect()
                }
                ("std::cmp::Ordering", _) => {
                    own(&["::std::cmp::Ordering::Less", "::std::cmp::Ordering::Equal"])
                }
                _ => default_of(world, ty).or_else(|| variant_of(world, ty, depth)).into_iter().collect(),
            }
        }
        _ => Vec::new(),
    }
}

/// The first variant of an enum of the crate that can be written out.
fn variant_of(world: &World<'_>, ty: &Ty, depth: usize) -> Option<String> {
    let Ty::Path { id, args, .. } = ty else { return None };
    let Kind::Enum { variants, generics } = &world.names.doc.get(id)?.kind else { return None };
    let path = world.names.path(id)?;
    let params = generics.params.iter().map(|param| param.name.clone());
    let map = params.zip(args.iter().cloned()).collect();
    variants.iter().filter_map(|id| world.names.doc.get(id)).find_map(|variant| match &variant.kind {
        Kind::Variant(Shape::Unit) => Some(format!("::{path}::{}", variant.name)),
        Kind::Variant(Shape::Tuple(fields)) => {
            let value = |field: &Option<String>| match &world.names.doc.get(field.as_ref()?)?.kind {
                Kind::Field(ty) => {
                    let ty = world.normal(&world.names.canonical(ty).with(&map));
                    constants(world, &ty, depth + 1).into_iter().next()
                }
                _ => None,
            };
            let values = fields.iter().map(value).collect::<Option<Vec<_>>>()?;
            Some(format!("::{path}::{}({})", variant.name, values.join(", ")))
        }
        _ => None,
    })
}

/// Whether the expressions for a type are constants, references to which live for ever.
fn is_constant(ty: &Ty) -> bool {
    match ty {
        Ty::Primitive(_) => true,
        Ty::Tuple(parts) => parts.iter().all(is_constant),
        Ty::Ref { .. } => true,
        _ => false,
    }
}

/// `Default::default()`, if a type of the crate has it.
fn default_of(world: &World<'_>, ty: &Ty) -> Option<String> {
    let has = world.impls.iter().any(|written| {
        written.of_trait.as_ref().is_some_and(|bound| bound.name == "Default")
            && super::unify::unify(&written.for_type, ty, &mut Default::default())
    });
    has.then(|| "Default::default()".to_owned())
}
