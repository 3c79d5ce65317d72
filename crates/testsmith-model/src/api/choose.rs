//! Which types a type parameter gets: candidates by its bounds, the best first.
//!
//! Nothing here has to be certain: an instance that does not compile is dropped later, with the compiler's reason. A
//! bound that is understood narrows the list; one that is not leaves the usual types.

use super::bounds::is_iteration;
use super::closures;
use super::counted;
use super::mocks;
use super::ty::{Arg, Bound, Substitution, Ty};
use super::unify::unify;
use super::views;
use super::world::World;

/// The chain from bound to bound ends here.
const DEEPEST: usize = 4;

/// What a parameter without a telling bound becomes.
fn pool() -> Vec<Ty> {
    let mut pool: Vec<Ty> = vec![Ty::primitive("i32"), Ty::string()];
    pool.extend(["u8", "char", "f64", "bool", "usize", "u64"].map(Ty::primitive));
    pool.push(Ty::text());
    pool.push(Ty::vec(Ty::primitive("u8")));
    pool
}

/// Types of more than one part, each of another kind, that together have all primitives: what a format is written or read for is
/// mostly one of its own methods for each of them.
fn composite() -> Vec<Ty> {
    let primitives = |names: &[&str]| names.iter().map(|name| Ty::primitive(name)).collect::<Vec<_>>();
    let option = |of: Ty| Ty::standard("std::option::Option", [of]);
    let map = Ty::standard("std::collections::BTreeMap", [Ty::string(), Ty::primitive("i32")]);
    let small = primitives(&["i8", "u16", "i64", "f32"]);
    let odd = primitives(&["i16", "u32", "i128"]).into_iter().chain([Ty::unit()]);
    vec![
        Ty::Tuple(primitives(&["bool", "f64", "char"])),
        option(Ty::primitive("u64")),
        Ty::vec(Ty::primitive("u8")),
        Ty::Tuple(small),
        map,
        Ty::Tuple(odd.collect()),
    ]
}

/// Where composite types stand among the others: behind a number and a text.
const BEFORE_COMPOSITE: usize = 2;

/// Whether a bound is a trait of a dependency.
pub(crate) fn is_foreign(bound: &Bound) -> bool {
    bound.id.contains("::") && !bound.id.starts_with("std::")
}

/// Candidates for a parameter with these bounds.
pub(crate) fn candidates(world: &World<'_>, bounds: &[Bound]) -> Vec<Ty> {
    let depth = world.depth.get();
    if depth > DEEPEST {
        return Vec::new();
    }
    let question = (depth, bounds.to_vec());
    if let Some(known) = world.answers.candidates.borrow().get(&question) {
        return known.clone();
    }
    world.depth.set(depth + 1);
    let types = find(world, bounds);
    world.depth.set(depth);
    world.answers.candidates.borrow_mut().insert(question, types.clone());
    types
}

fn find(world: &World<'_>, bounds: &[Bound]) -> Vec<Ty> {
    if let Some(call) = bounds.iter().find(|bound| is_call(bound)) {
        return closures::variants(world, call).into_iter().map(|code| Ty::Closure { code }).collect();
    }
    let may_be_unsized = bounds.iter().any(|bound| bound.is_maybe);
    let fits = |ty: &Ty| (may_be_unsized || !world.names.is_unsized(ty)) && self::fits(world, ty, bounds);
    let fitting = |mut types: Vec<Ty>| {
        types.retain(fits);
        types
    };
    let mut telling = bounds.iter().filter_map(|bound| by_bound(world, bound)).map(fitting).peekable();
    let is_told = telling.peek().is_some();
    let mut types = telling.find(|types| !types.is_empty()).unwrap_or_default();
    if !is_told {
        types = fitting(pool());
        let asked: Vec<&Bound> = bounds.iter().filter(|bound| is_foreign(bound)).collect();
        if !asked.is_empty() {
            let is_known_to_fit =
                |ty: &Ty| asked.iter().all(|bound| implements(world, ty, bound, 0) == Some(true));
            let mut composite = fitting(composite());
            composite.retain(is_known_to_fit);
            types.retain(|ty| !composite.contains(ty));
            let at = types.len().min(BEFORE_COMPOSITE);
            types.splice(at..at, composite);
        }
    }
    if types.is_empty() {
        // A trait of the standard library or of a dependency that the crate's own types or a dependency's have.
        types = bounds.iter().filter(|bound| !bound.is_maybe).flat_map(|b| implementors(world, b)).collect();
        types.retain(fits);
    }
    types
}

pub(crate) fn is_call(bound: &Bound) -> bool {
    matches!(bound.name.as_str(), "Fn" | "FnMut" | "FnOnce") && bound.id.starts_with("std::")
}

/// The candidates that a bound names by itself; `None` if it does not tell.
fn by_bound(world: &World<'_>, bound: &Bound) -> Option<Vec<Ty>> {
    if !bound.id.contains("::") {
        return Some(implementors(world, bound));
    }
    let i32 = || Ty::primitive("i32");
    let bytes = || Ty::vec(Ty::primitive("u8"));
    let byte_text = || Ty::shared(Ty::Slice(Box::new(Ty::primitive("u8"))));
    let cursor = || Ty::standard("std::io::Cursor", [bytes()]);
    let item = || match bound.binding("Item") {
        Some(Ty::Impl(bounds)) => candidates(world, bounds).into_iter().next().unwrap_or_else(i32),
        Some(ty) if is_known(ty) => ty.clone(),
        _ => i32(),
    };
    let argument = bound.first().filter(|ty| is_known(ty));
    let into_iter = |item: Ty| Ty::standard("std::vec::IntoIter", [item]);
    // Does not know how many there will be: those who trust the hint are surprised.
    let filtered = |item: Ty| {
        let kept = Ty::Ref { lifetime: None, is_mut: false, inner: Box::new(item.clone()) };
        let keep = Ty::Function { inputs: vec![kept], output: Box::new(Ty::primitive("bool")) };
        Ty::standard("std::iter::Filter", [into_iter(item), keep])
    };
    let range = |name: &str, of: &Ty| Ty::standard(&format!("std::ops::{name}"), [of.clone()]);
    Some(match bound.name.as_str() {
        "IntoIterator" => vec![Ty::vec(item()), filtered(item())],
        "Iterator" | "DoubleEndedIterator" | "FusedIterator" => vec![into_iter(item()), filtered(item())],
        "ExactSizeIterator" => vec![into_iter(item())],
        "AsRef" | "Borrow" | "AsMut" | "BorrowMut" => match argument {
            Some(target) => {
                let own = !bound.name.starts_with("As") && !world.names.is_unsized(target);
                own.then(|| target.clone()).into_iter().chain(views::owners(target, bound)).collect()
            }
            None => return None,
        },
        "Into" | "TryInto" => match argument {
            Some(string) if *string == Ty::string() => vec![Ty::text(), Ty::string()],
            // `OsString: From<String>`, and of all that is a path or a text.
            Some(other)
                if matches!(other.as_path(), Some(("std::ffi::OsString" | "std::path::PathBuf", _))) =>
            {
                vec![Ty::text(), Ty::string(), other.clone()]
            }
            Some(other) => std::iter::once(other.clone()).chain(sources(world, other)).collect(),
            None => return None,
        },
        "RangeBounds" => {
            let of = argument.cloned().unwrap_or_else(|| Ty::primitive("usize"));
            // Bounds of its own: nothing else begins after an element.
            let bounds = Ty::Tuple(vec![range("Bound", &of), range("Bound", &of)]);
            vec![
                range("Range", &of),
                range("RangeInclusive", &of),
                bounds,
                range("RangeFrom", &of),
                range("RangeTo", &of),
            ]
        }
        "SliceIndex" => vec![Ty::primitive("usize"), range("Range", &Ty::primitive("usize"))],
        "Read" | "BufRead" => vec![byte_text(), cursor()],
        "Write" if bound.id.contains("::fmt::") => vec![Ty::string()],
        "Write" => vec![bytes()],
        "Seek" => vec![cursor()],
        "Hasher" => vec![Ty::standard("std::collections::hash_map::DefaultHasher", [])],
        "BuildHasher" => {
            let hasher = Ty::standard("std::collections::hash_map::DefaultHasher", []);
            vec![Ty::standard("std::hash::BuildHasherDefault", [hasher])]
        }
        "Extend" | "FromIterator" => vec![Ty::vec(argument.cloned().unwrap_or_else(i32))],
        "Error" => vec![Ty::standard("std::fmt::Error", [])],
        "Pattern" => vec![Ty::primitive("char"), Ty::text()],
        "Deref" | "DerefMut" => {
            let target = match bound.binding("Target") {
                Some(Ty::Impl(bounds)) => candidates(world, bounds).into_iter().next().unwrap_or_else(i32),
                Some(ty) if is_known(ty) => ty.clone(),
                _ => i32(),
            };
            match target {
                Ty::Primitive(name) if name == "str" => vec![Ty::string()],
                Ty::Slice(element) => vec![Ty::vec(*element)],
                other => vec![Ty::standard("std::boxed::Box", [other])],
            }
        }
        // `K: Equivalent<Q>` and the like of other crates: mostly something may be asked for by itself.
        _ if !bound.id.starts_with("std::") => match argument {
            Some(Ty::Primitive(name)) if name == "str" => vec![Ty::text()],
            Some(other) => vec![other.clone()],
            None => return None,
        },
        _ => return None,
    })
}

pub(crate) fn is_known(ty: &Ty) -> bool {
    !ty.any(|part| matches!(part, Ty::Generic(_) | Ty::Inferred | Ty::Impl(_) | Ty::Assoc { .. }))
}

/// What a type of the crate can be made from.
fn sources(world: &World<'_>, target: &Ty) -> Vec<Ty> {
    let from = world.impls.iter().filter(|written| {
        written.of_trait.as_ref().is_some_and(|bound| bound.name == "From") && written.for_type == *target
    });
    from.filter_map(|written| written.of_trait.as_ref()?.first().cloned()).filter(is_known).collect()
}

/// Whether a type fits its bounds only because an impl makes something of what lives for ever: `K: Into<Keys>` with
/// `impl From<&'static str> for Keys`, or `impl Name for &'static str` itself. With `impl From<&str> for Keys` it may be anything that
/// is borrowed.
pub(crate) fn is_kept(world: &World<'_>, ty: &Ty, bounds: &[Bound]) -> bool {
    let is_static = |lifetime: Option<String>| lifetime.as_deref() == Some("'static");
    let conversions = bounds.iter().filter(|bound| matches!(bound.name.as_str(), "Into" | "TryInto"));
    let mut targets = conversions.filter_map(Bound::first);
    let is_written = |bound: &Bound| {
        let is_it = |of_trait: &Bound| of_trait.id == bound.id;
        let all = world.impls.iter().chain(&world.others);
        let mut own = all.filter(|written| written.of_trait.as_ref().is_some_and(is_it));
        own.any(|written| written.for_type == *ty)
    };
    ty.lifetimes().into_iter().any(is_static)
        && (targets.any(|target| sources(world, target).contains(ty)) || bounds.iter().any(is_written))
}

/// The types that implement a trait, as far as the crate and its dependencies say.
fn implementors(world: &World<'_>, bound: &Bound) -> Vec<Ty> {
    let mut types: Vec<Ty> = Vec::new();
    for written in world.impls.iter().chain(&world.others) {
        let Some(of_trait) = written.of_trait.as_ref().filter(|of_trait| of_trait.id == bound.id) else {
            continue;
        };
        for ty in implementor(world, written, of_trait, bound) {
            if is_known(&ty) && !types.contains(&ty) {
                types.push(ty);
            }
        }
    }
    if types.is_empty() {
        types.extend(mocks::mocks(world, bound).into_iter().map(|code| Ty::Closure { code }));
    }
    // Plain types before those that wrap them, those that fit everywhere first, and neither empty arrays nor long ones.
    types.sort_by_key(|ty| {
        let mut parts = 0;
        ty.walk(&mut |_| parts += 1);
        (world.names.is_unsized(ty), parts, unwieldiness(ty))
    });
    types.truncate(6);
    types
}

/// How far an array is from a handy length.
fn unwieldiness(ty: &Ty) -> usize {
    const HANDY: usize = 4;
    match ty {
        Ty::Array(_, len) => len.parse::<usize>().map_or(0, |len| len.abs_diff(HANDY)),
        _ => 0,
    }
}

fn implementor(
    world: &World<'_>,
    written: &super::world::Written<'_>,
    of_trait: &Bound,
    bound: &Bound,
) -> Vec<Ty> {
    let mut map = Default::default();
    let fits = of_trait.args.iter().zip(&bound.args).all(|(pattern, arg)| {
        !matches!(arg, Arg::Type(ty) if is_known(ty)) || super::unify::unify_arg(pattern, arg, &mut map)
    });
    if !fits || !written.agrees(bound, &mut map) {
        return Vec::new();
    }
    // `type Item = Self`
    if let Some(Arg::Type(own)) = map.get("Self").cloned()
        && !unify(&written.for_type, &own, &mut map)
    {
        return Vec::new();
    }
    if let Ty::Generic(name) = &written.for_type {
        let bounds = world.bounds_given(&written.generics, name, &map);
        // A pointer to a function can be named, so that types which hold it can be, too.
        let pointer = bounds.iter().find(|bound| is_call(bound)).and_then(closures::pointer);
        return pointer.into_iter().chain(candidates(world, &bounds)).take(3).collect();
    }
    if let Ty::Path { id, .. } = &written.for_type {
        let is_instance = |ty: &Ty| {
            let mut map = Substitution::from([("Self".to_owned(), Arg::Type(ty.clone()))]);
            unify(&written.for_type, ty, &mut map)
                && written.agrees(bound, &mut map)
                && world.allows(written, &map)
        };
        let known: Vec<_> = world.instances(id).into_iter().filter(is_instance).collect();
        if !known.is_empty() {
            return known;
        }
    }
    // `impl Trait for &T where T: Trait`, and so on for ever.
    let is_wrapper = !matches!(written.for_type, Ty::Path { ref id, .. } if !id.contains("::"));
    let asks_again =
        written.generics.params.iter().any(|param| {
            world.bounds(&written.generics, &param.name).iter().any(|asked| asked.id == bound.id)
        });
    if is_wrapper && asks_again && world.depth.get() > 1 {
        return Vec::new();
    }
    let maps = world.substitutions(&written.generics, &map, 1);
    maps.iter().map(|map| world.normal(&world.names.canonical(&written.for_type.with(map)))).collect()
}

/// Whether a type has all these traits, as far as anybody knows.
pub(crate) fn fits(world: &World<'_>, ty: &Ty, bounds: &[Bound]) -> bool {
    bounds.iter().all(|bound| implements(world, ty, bound, 0) != Some(false))
}

/// Whether a type has a trait; `None` if nobody knows.
pub(crate) fn implements(world: &World<'_>, ty: &Ty, bound: &Bound, depth: usize) -> Option<bool> {
    if bound.is_maybe || depth > DEEPEST {
        return None;
    }
    if !bound.id.starts_with("std::") {
        let question = (depth, ty.clone(), bound.clone());
        let known = world.answers.implements.borrow().get(&question).copied();
        return known.unwrap_or_else(|| {
            let answer = has_impl(world, ty, bound, depth);
            world.answers.implements.borrow_mut().insert(question, answer);
            answer
        });
    }
    if is_iteration(bound)
        && let Some(answer) = iterates(world, ty, bound, depth)
    {
        return Some(answer);
    }
    if let Some(answer) = views::has(ty, bound) {
        return Some(answer);
    }
    let class = Class::of(ty)?;
    Some(match bound.name.as_str() {
        "Copy" => !matches!(class, Class::Owned | Class::Counted),
        "Send" | "Sync" => class != Class::Counted,
        "Eq" | "Ord" | "Hash" => class != Class::Float,
        "Add" | "Sub" | "Mul" | "Div" | "Rem" | "AddAssign" | "SubAssign" | "MulAssign" | "DivAssign"
        | "Sum" | "Product" => matches!(class, Class::Int | Class::Float),
        "BitAnd" | "BitOr" | "BitXor" | "Not" => matches!(class, Class::Int | Class::Bool),
        "Shl" | "Shr" => class == Class::Int,
        "Neg" => class == Class::Float || *ty == Ty::primitive("i32"),
        "Display" | "ToString" => *ty != Ty::vec(Ty::primitive("u8")),
        "Iterator"
        | "DoubleEndedIterator"
        | "ExactSizeIterator"
        | "FusedIterator"
        | "Future"
        | "Fn"
        | "FnMut"
        | "FnOnce"
        | "Error"
        | "Hasher"
        | "BuildHasher"
        | "BufRead"
        | "Read"
        | "Seek" => false,
        "Write" if bound.id.contains("::fmt::") => *ty == Ty::string(),
        "Write" | "IntoIterator" => *ty == Ty::vec(Ty::primitive("u8")),
        "AsRef" => matches!(class, Class::Text | Class::Owned),
        "AsMut" | "DerefMut" | "Extend" => class == Class::Owned,
        "LowerHex" | "UpperHex" | "Octal" | "Binary" => class == Class::Int,
        "LowerExp" | "UpperExp" => matches!(class, Class::Int | Class::Float),
        "FromStr" => class != Class::Counted && *ty != Ty::text() && *ty != Ty::vec(Ty::primitive("u8")),
        _ => return None,
    })
}

/// Whether one can iterate over a type as a bound wants it; `None` if nobody knows.
fn iterates(world: &World<'_>, ty: &Ty, bound: &Bound, depth: usize) -> Option<bool> {
    let item = if ty.is_own() {
        let plain = Bound { bindings: Vec::new(), ..bound.clone() };
        let has = has_impl(world, ty, &plain, depth).unwrap_or(false);
        // All that iterate can be iterated over.
        if !has && bound.name != "IntoIterator" {
            return Some(false);
        }
        world.associated(ty, None, "Item")?
    } else {
        // `&i32: IntoIterator`
        if let Ty::Ref { inner, .. } = ty
            && matches!(**inner, Ty::Primitive(_))
        {
            return Some(false);
        }
        let item = standard_associated(ty, "Item")?;
        let is_inexact = ty.as_path().is_some_and(|(path, _)| path == "std::iter::Filter");
        if is_collection(ty) && bound.name != "IntoIterator"
            || is_inexact && bound.name == "ExactSizeIterator"
        {
            return Some(false);
        }
        item
    };
    Some(match bound.binding("Item") {
        None => true,
        Some(Ty::Impl(bounds)) => {
            bounds.iter().all(|bound| implements(world, &item, bound, depth + 1) != Some(false))
        }
        Some(wanted) => unify(&world.normal(wanted), &item, &mut Default::default()),
    })
}

fn is_collection(ty: &Ty) -> bool {
    let bare = match ty {
        Ty::Ref { is_mut: false, inner, .. } => inner,
        _ => ty,
    };
    matches!(bare, Ty::Array(..)) || bare.as_path().is_some_and(|(path, _)| COLLECTIONS.contains(&path))
}

/// What can be iterated over, but does not iterate itself.
const COLLECTIONS: [&str; 8] = [
    "std::vec::Vec",
    "std::option::Option",
    "std::collections::HashMap",
    "std::collections::BTreeMap",
    "std::collections::HashSet",
    "std::collections::BTreeSet",
    "std::collections::VecDeque",
    "std::collections::LinkedList",
];

/// Whether a trait of the crate or of a dependency is implemented for a type, as far as its impls tell.
fn has_impl(world: &World<'_>, ty: &Ty, bound: &Bound, depth: usize) -> Option<bool> {
    let all = world.impls.iter().chain(&world.others);
    let mut of_trait =
        all.filter(|written| written.of_trait.as_ref().is_some_and(|of| of.id == bound.id)).peekable();
    of_trait.peek()?;
    let fits = |written: &super::world::Written<'_>| {
        if let Ty::Generic(name) = &written.for_type {
            let bounds = world.bounds(&written.generics, name);
            return bounds.iter().all(|bound| implements(world, ty, bound, depth + 1) != Some(false));
        }
        let mut map = Substitution::from([("Self".to_owned(), Arg::Type(ty.clone()))]);
        let same_args = written.of_trait.as_ref().is_none_or(|of_trait| {
            of_trait.args.iter().zip(&bound.args).all(|(pattern, arg)| {
                !matches!(arg, Arg::Type(ty) if is_known(ty))
                    || super::unify::unify_arg(pattern, arg, &mut map)
            })
        });
        same_args
            && unify(&written.for_type, ty, &mut map)
            && written.agrees(bound, &mut map)
            && world.allows_at(written, &map, depth + 1)
    };
    Some(of_trait.any(fits))
}

#[derive(PartialEq, Eq)]
enum Class {
    Int,
    Float,
    Bool,
    Char,
    Text,
    Owned,
    Counted,
}

impl Class {
    fn of(ty: &Ty) -> Option<Class> {
        Some(match ty {
            Ty::Primitive(name) => match name.as_str() {
                "f32" | "f64" => Class::Float,
                "bool" => Class::Bool,
                "char" => Class::Char,
                "str" | "never" => return None,
                _ => Class::Int,
            },
            _ if *ty == Ty::text() => Class::Text,
            _ if *ty == Ty::string() || *ty == Ty::vec(Ty::primitive("u8")) => Class::Owned,
            _ if *ty == counted::element() => Class::Counted,
            _ => return None,
        })
    }
}

/// Associated types of the standard library's own types.
pub(crate) fn standard_associated(of: &Ty, name: &str) -> Option<Ty> {
    if let (Ty::Primitive(_), "Output") = (of, name) {
        return Some(of.clone());
    }
    if let (Ty::Array(element, _), "Item") = (of, name) {
        return Some((**element).clone());
    }
    if let (Ty::Ref { is_mut, inner, .. }, "Item") = (of, name) {
        let is_collection = is_collection(inner);
        let item = standard_associated(inner, name)?;
        return match is_mut {
            true if !is_collection => Some(item),
            false if is_collection => Some(Ty::shared(item)),
            _ => None,
        };
    }
    let (path, args) = of.as_path()?;
    let first = args.first().map(|ty| (*ty).clone());
    let pair = |args: &[&Ty]| match args {
        [key, value, ..] => Some(Ty::Tuple(vec![(*key).clone(), (*value).clone()])),
        _ => None,
    };
    match (path, name) {
        (
            "std::vec::Vec"
            | "std::vec::IntoIter"
            | "std::option::Option"
            | "std::option::IntoIter"
            | "std::ops::Range"
            | "std::ops::RangeInclusive"
            | "std::ops::RangeFrom"
            | "std::iter::Empty"
            | "std::iter::Once"
            | "std::iter::Repeat"
            | "std::collections::HashSet"
            | "std::collections::BTreeSet"
            | "std::collections::VecDeque"
            | "std::collections::LinkedList",
            "Item",
        ) => first,
        ("std::collections::HashMap" | "std::collections::BTreeMap", "Item") => pair(&args),
        ("std::slice::Iter" | "std::option::Iter", "Item") => first.map(Ty::shared),
        ("std::str::Chars", "Item") => Some(Ty::primitive("char")),
        ("std::str::Bytes", "Item") => Some(Ty::primitive("u8")),
        (
            "std::boxed::Box"
            | "std::iter::Rev"
            | "std::iter::Peekable"
            | "std::iter::Fuse"
            | "std::iter::Filter",
            "Item",
        ) => standard_associated(&first?, name),
        ("std::vec::Vec" | "std::option::Option", "IntoIter") => {
            Some(Ty::standard("std::vec::IntoIter", [first?])).filter(|_| path == "std::vec::Vec")
        }
        ("std::vec::Vec", "Target") => Some(Ty::Slice(Box::new(first?))),
        ("std::boxed::Box", "Target") => first,
        ("std::string::String", "Target") => Some(Ty::primitive("str")),
        _ => None,
    }
}
