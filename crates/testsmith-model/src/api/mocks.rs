//! Mocks: types that exist for a trait of the crate that no type implements.
//!
//! A mock is written where it is passed, as a closure is: a block with the type, its impl, and a value of it. Nothing
//! else has to know of it, and whoever reads the test sees what the trait's methods give. One kind gives the same each
//! time; the other counts the calls of its methods and gives two values in turns, because code that asks until something
//! changes behaves in one way only where nothing does.

use super::choose;
use super::closures;
use super::doc::{Function, Item, Kind};
use super::ty::{Arg, Bound, ParamKind, Substitution, Ty};
use super::world::World;

/// The value at the end of a mock's block.
const VALUE: &str = " Mock }";

/// How a mock decides what its methods give.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nature {
    Constant,
    Counting,
}

impl Nature {
    /// What the mock can derive, so that it has the supertraits that most traits ask for.
    fn derives(self) -> &'static str {
        match self {
            Nature::Constant => "Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash",
            Nature::Counting => "Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord",
        }
    }

    /// Whether the mock has a supertrait without an impl of its own.
    fn has(self, name: &str) -> bool {
        let auto: &[&str] = match self {
            Nature::Constant => &["Send", "Sync", "Unpin", "Sized"],
            Nature::Counting => &["Send", "Unpin", "Sized"],
        };
        self.derives().split(", ").chain(auto.iter().copied()).any(|own| own == name)
    }
}

/// Blocks whose values implement the trait: none if it cannot be written, two if counting makes a difference.
pub(crate) fn mocks(world: &World<'_>, bound: &Bound) -> Vec<String> {
    let constant = mock(world, bound, Nature::Constant);
    let counting = mock(world, bound, Nature::Counting).filter(|code| code.contains(COUNT));
    constant.into_iter().chain(counting).collect()
}

fn mock(world: &World<'_>, bound: &Bound, nature: Nature) -> Option<String> {
    let item = world.names.doc.get(&bound.id)?;
    let Kind::Trait { items, generics, bounds, is_unsafe: false } = &item.kind else { return None };
    let derived = |bound: &Bound| {
        let bound = world.names.canonical_bound(bound);
        bound.id.starts_with("std::") && nature.has(&bound.name)
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
                Some(method(world, &item.name, function, &map, &types, nature)?)
            }
            Kind::Constant(ty) => Some(constant(world, &item.name, &with_types(&ty.with(&map), &types))?),
            _ => None,
        });
    }
    let of = world.names.trait_code(&world.resolved(bound))?;
    let (body, value) = match nature {
        Nature::Constant => (";", VALUE),
        Nature::Counting => (" { calls: ::std::cell::Cell<u32> }", " Mock::default() }"),
    };
    let derives = nature.derives();
    Some(format!(
        "{{ #[derive({derives})] struct Mock{body} impl {of} for Mock {{ {} }}{value}",
        members.join(" ")
    ))
}

/// Counts a call of a method.
const COUNT: &str = "self.calls.set(self.calls.get() + 1);";

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
    nature: Nature,
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
    let has_receiver = function.inputs.first().is_some_and(|(name, _)| name == "self");
    let value = match &output {
        Ty::Primitive(name) if name == "Self" => "Mock::default()".to_owned(),
        // `&self -> &Self`
        Ty::Ref { inner, .. } if **inner == Ty::primitive("Self") => "self".to_owned(),
        _ => match closures::constants(world, &output, 0).as_slice() {
            [first, second, ..] if nature == Nature::Counting && has_receiver => {
                format!("{COUNT} if self.calls.get() % 2 == 1 {{ {first} }} else {{ {second} }}")
            }
            [first, ..] => first.clone(),
            [] => return None,
        },
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
