//! Mocks: types that exist for a trait of the crate that no type implements.
//!
//! A mock is written where it is passed, as a closure is: a block with the type, its impl, and a value of it. Nothing
//! else has to know of it, and whoever reads the test sees what the trait's methods give.

use super::choose;
use super::closures;
use super::doc::{Function, Item, Kind};
use super::ty::{Arg, Bound, ParamKind, Substitution, Ty};
use super::world::World;

/// The value at the end of a mock's block.
const VALUE: &str = " Mock }";

/// What a mock can derive, so that it has the supertraits that most traits ask for.
const DERIVES: &str = "Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash";

/// A block whose value implements the trait; `None` if it cannot be written.
pub(crate) fn mock(world: &World<'_>, bound: &Bound) -> Option<String> {
    let item = world.names.doc.get(&bound.id)?;
    let Kind::Trait { items, generics, bounds, is_unsafe: false } = &item.kind else { return None };
    let derived = |bound: &Bound| {
        let bound = world.names.canonical_bound(bound);
        bound.id.starts_with("std::")
            && (DERIVES.split(", ").any(|name| name == bound.name)
                || matches!(bound.name.as_str(), "Send" | "Sync" | "Unpin" | "Sized"))
    };
    if !bounds.iter().all(derived) {
        return None;
    }
    let params = generics.params.iter().map(|param| param.name.clone());
    let mut map: Substitution = params.zip(bound.args.iter().cloned()).collect();
    map.insert("Self".to_owned(), Arg::Type(Ty::primitive("Self")));
    let items: Vec<&Item> = items.iter().filter_map(|id| world.names.doc.get(id)).collect();
    let types = associated_types(world, &items, bound);
    let mut members: Vec<String> = Vec::new();
    for (name, ty) in &types {
        members.push(format!("type {name} = {};", world.names.code(ty)?));
    }
    for item in items {
        members.extend(match &item.kind {
            Kind::Function(function) if !function.has_body => {
                Some(method(world, &item.name, function, &map, &types)?)
            }
            Kind::Constant(ty) => Some(constant(world, &item.name, &with_types(&ty.with(&map), &types))?),
            _ => None,
        });
    }
    let of = world.names.trait_code(&world.resolved(bound))?;
    Some(format!(
        "{{ #[derive({DERIVES})] struct Mock; impl {of} for Mock {{ {} }}{VALUE}",
        members.join(" ")
    ))
}

/// A mock's block with a reference as its value; it lives for ever, as a struct without fields does.
pub(crate) fn referred(code: &str) -> Option<String> {
    Some(format!("{} &Mock }}", code.strip_suffix(VALUE)?))
}

/// What the associated types of the trait are.
fn associated_types(world: &World<'_>, items: &[&Item], bound: &Bound) -> Vec<(String, Ty)> {
    let types = items.iter().filter_map(|item| match &item.kind {
        Kind::AssocType(default) => {
            let given = bound.binding(&item.name).filter(|ty| choose::is_known(ty)).cloned();
            let default = || default.as_ref().map(|ty| world.names.canonical(ty));
            Some((item.name.clone(), given.or_else(default).unwrap_or_else(|| Ty::primitive("i32"))))
        }
        _ => None,
    });
    types.collect()
}

fn constant(world: &World<'_>, name: &str, ty: &Ty) -> Option<String> {
    let ty = world.names.canonical(ty);
    let value = closures::constants(world, &ty, 0).into_iter().next()?;
    Some(format!("const {name}: {} = {value};", world.names.declared(&ty)?))
}

fn method(
    world: &World<'_>,
    name: &str,
    function: &Function,
    map: &Substitution,
    types: &[(String, Ty)],
) -> Option<String> {
    let is_lifetime = |kind: &ParamKind| matches!(kind, ParamKind::Lifetime { .. });
    if function.is_unsafe
        || function.is_async
        || !function.generics.params.iter().all(|p| is_lifetime(&p.kind))
    {
        return None;
    }
    let concrete = |ty: &Ty| with_types(&world.names.canonical(ty).with(map), types);
    let input = |(at, (name, ty)): (usize, &(String, Ty))| {
        let name = if name == "self" { name.clone() } else { format!("_{at}") };
        Some(format!("{name}: {}", world.names.declared(&concrete(ty))?))
    };
    let inputs = function.inputs.iter().enumerate().map(input).collect::<Option<Vec<_>>>()?;
    let output = function.output.as_ref().map_or_else(Ty::unit, concrete);
    let value = match &output {
        Ty::Primitive(name) if name == "Self" => "Mock".to_owned(),
        // `&self -> &Self`
        Ty::Ref { inner, .. } if **inner == Ty::primitive("Self") => "self".to_owned(),
        _ => closures::constants(world, &output, 0).into_iter().next()?,
    };
    let lifetimes: Vec<_> = function.generics.params.iter().map(|param| param.name.as_str()).collect();
    let generics = if lifetimes.is_empty() { String::new() } else { format!("<{}>", lifetimes.join(", ")) };
    let output = world.names.declared(&output)?;
    Some(format!("fn {name}{generics}({}) -> {output} {{ {value} }}", inputs.join(", ")))
}

/// With `Self::Name` replaced.
fn with_types(ty: &Ty, types: &[(String, Ty)]) -> Ty {
    if let Ty::Assoc { of, name, .. } = ty
        && **of == Ty::primitive("Self")
        && let Some((_, known)) = types.iter().find(|(own, _)| own == name)
    {
        return known.clone();
    }
    ty.rebuilt(&|inner| with_types(inner, types))
}
