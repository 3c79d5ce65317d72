//! Values of the standard library's types: how they are made, and how what is in them is taken out.

use std::collections::BTreeSet;

use testsmith_ir::api::{Accepts, Api, Callable, Flow, Param, Place};

use super::choose;
use super::closures;
use super::counted;
use super::foreign::{self, Maker, Wrapper};
use super::mocks;
use super::table::{Table, borrows};
use super::text::Names;
use super::ty::{Bound, Ty};
use super::world::World;

/// An expression with its parameters, for an output type.
struct Recipe {
    name: String,
    code: String,
    shown: String,
    params: Vec<Ty>,
    output: Option<Ty>,
    /// Its single parameter is a list of elements.
    is_list: bool,
    /// It is called for what it tells of its argument.
    is_inspector: bool,
}

/// A recipe whose code is what people write, too.
fn recipe(name: &str, text: &str, params: impl IntoIterator<Item = Ty>) -> Recipe {
    Recipe {
        name: name.to_owned(),
        code: text.to_owned(),
        shown: text.to_owned(),
        params: params.into_iter().collect(),
        output: None,
        is_list: false,
        is_inspector: false,
    }
}

impl Recipe {
    fn shown(self, shown: &str) -> Recipe {
        Recipe { shown: shown.to_owned(), ..self }
    }

    /// It gives this type instead of the one that it is listed for.
    fn gives(self, output: Ty) -> Recipe {
        Recipe { output: Some(output), ..self }
    }
}

/// Adds what makes and opens values of the table's types, until no type is new.
pub(crate) fn complete(world: &World<'_>, table: &mut Table<'_>) {
    let mut at = 0;
    while at < table.tys.len() && table.tys.len() < 4000 {
        let ty = table.tys[at].clone();
        for recipe in recipes(world, &ty) {
            // What needs a type that cannot be named is left out.
            let _ = add(world.names, table, &ty, recipe);
        }
        at += 1;
    }
}

fn add(names: Names<'_>, table: &mut Table<'_>, ty: &Ty, recipe: Recipe) -> Result<(), String> {
    let text = names.code(ty).ok_or("it cannot be named")?;
    let output_ty = recipe.output.as_ref().unwrap_or(ty);
    let params = recipe.params.iter().map(|param| {
        let accepts =
            if recipe.is_list { Accepts::List(table.intern(param)?) } else { table.accepts(param)? };
        Ok(Param { name: "value".to_owned(), accepts })
    });
    let params = params.collect::<Result<Vec<_>, String>>()?;
    let flows = recipe.params.iter().enumerate().flat_map(|(from, param)| flows(from, param, output_ty));
    let flows = flows.collect();
    let mut imports = BTreeSet::new();
    let shown_type = names.shown(ty, &mut imports).unwrap_or_else(|| text.clone());
    let shown = with_own_name(ty, recipe.shown);
    let mentions = ["$T", "$P"].iter().any(|name| shown.contains(name));
    let output = table.intern(output_ty)?;
    let shown_path = shown_type.split('<').next().unwrap_or(&shown_type);
    let is_path = shown_path == shown_type && shown_type.starts_with(char::is_alphabetic);
    let shown = if is_path { shown.replace("<$T>", "$T") } else { shown };
    let at = table.push(Callable {
        path: format!("{text}::{}", recipe.name).trim_start_matches("::").to_owned(),
        code: match recipe.output {
            Some(_) => recipe.code.replace("$T", &text),
            // What the parts alone would not tell the compiler.
            None => format!("{{ let made: {text} = {}; made }}", recipe.code.replace("$T", &text)),
        },
        shown: shown.replace("$T", &shown_type).replace("$P", shown_path),
        imports: if mentions { imports.into_iter().collect() } else { Vec::new() },
        params,
        output,
        flows,
    });
    if recipe.is_inspector && !table.inspectors.contains(&at) {
        table.inspectors.push(at);
    }
    Ok(())
}

/// A call of a type's own function by the name that the type has in the tests.
fn with_own_name(ty: &Ty, shown: String) -> String {
    let function = ty.as_path().and_then(|(id, _)| shown.strip_prefix(&format!("::{id}::")));
    function.map(|function| format!("$P::{function}")).unwrap_or(shown)
}

/// What a part of the result borrows: the argument, if that is a reference, and whatever it holds.
fn flows(from: usize, param: &Ty, output: &Ty) -> Vec<Flow> {
    let mut flows = Vec::new();
    if !borrows(output) {
        return flows;
    }
    let to = Place::Result;
    if let Ty::Ref { is_mut, inner, .. } = param {
        flows.push(Flow { from, to, exclusive: *is_mut, of_argument: true });
        if borrows(inner) {
            flows.push(Flow { from, to, exclusive: false, of_argument: false });
        }
    } else if borrows(param) {
        flows.push(Flow { from, to, exclusive: false, of_argument: false });
    }
    flows
}

fn recipes(world: &World<'_>, ty: &Ty) -> Vec<Recipe> {
    match ty {
        Ty::Tuple(parts) if !parts.is_empty() => tuple(ty, parts),
        Ty::Array(element, len) => array(element, len),
        Ty::Ref { is_mut, inner, .. } => reference(world, ty, *is_mut, inner),
        Ty::Function { inputs, output } => function_pointer(world, inputs, output),
        Ty::Path { id, .. } => {
            let args: Vec<Ty> =
                ty.as_path().map(|(_, args)| args.into_iter().cloned().collect()).unwrap_or_default();
            container(world, id, &args, ty).unwrap_or_else(|| {
                let known = plain(id, ty);
                if known.is_empty() && id.contains("::") { foreign(world, ty) } else { known }
            })
        }
        _ => Vec::new(),
    }
}

fn tuple(ty: &Ty, parts: &[Ty]) -> Vec<Recipe> {
    let names: Vec<_> = (0..parts.len()).map(|at| format!("${at}")).collect();
    let text =
        if let [one] = names.as_slice() { format!("({one},)") } else { format!("({})", names.join(", ")) };
    let part = |(at, part): (usize, &Ty)| {
        const NAMES: [&str; 6] = ["part 0", "part 1", "part 2", "part 3", "part 4", "part 5"];
        Some(recipe(NAMES.get(at)?, &format!("$0.{at}"), [ty.clone()]).gives(part.clone()))
    };
    let opened = parts.iter().enumerate().filter_map(part);
    [recipe("tuple", &text, parts.iter().cloned())].into_iter().chain(opened).collect()
}

fn array(element: &Ty, len: &str) -> Vec<Recipe> {
    match len.parse::<usize>() {
        Ok(len @ 0..=8) => {
            let names: Vec<_> = (0..len).map(|at| format!("${at}")).collect();
            vec![recipe("array", &format!("[{}]", names.join(", ")), vec![element.clone(); len])]
        }
        Ok(len @ 9..=256) if matches!(element, Ty::Primitive(_)) => {
            let mut recipes = vec![recipe("array", &format!("[$0; {len}]"), [element.clone()])];
            if let Ty::Primitive(name) = element
                && !matches!(name.as_str(), "bool" | "char")
            {
                let text = format!("std::array::from_fn::<{name}, {len}, _>(|at| at as {name})");
                recipes.push(recipe("counting array", &format!("::{text}"), []).shown(&text));
            }
            recipes
        }
        _ => Vec::new(),
    }
}

fn reference(world: &World<'_>, ty: &Ty, is_mut: bool, inner: &Ty) -> Vec<Recipe> {
    if world.names.is_unsized(inner) {
        // A literal, or a part of something owned.
        return match inner {
            Ty::Slice(element) => {
                let whole = recipe("slice", "$0", [ty.clone()]);
                let part = (element.is_own() && !is_mut).then(|| {
                    recipe(
                        "first",
                        "match $0.first() { Some(value) => value, None => f.absent() }",
                        [ty.clone()],
                    )
                    .shown("$0.first().unwrap()")
                    .gives(Ty::shared((**element).clone()))
                });
                std::iter::once(whole).chain(part).collect()
            }
            Ty::Primitive(_) if !is_mut => vec![recipe("text", "$0", [ty.clone()])],
            Ty::Primitive(_) => {
                let owner = Ty::Ref { lifetime: None, is_mut, inner: Box::new(Ty::string()) };
                vec![recipe("text", "$0.as_mut_str()", [owner])]
            }
            Ty::Dyn(bounds, _) => implementors(world, bounds, is_mut),
            _ => Vec::new(),
        };
    }
    let made = recipe("borrow", "$0", [ty.clone()]);
    vec![made]
}

/// References to values of the types that have a trait.
fn implementors(world: &World<'_>, bounds: &[Bound], is_mut: bool) -> Vec<Recipe> {
    let names = ["of the first implementor", "of the second implementor", "of the third implementor"];
    let reference = |of: Ty| Ty::Ref { lifetime: Some("'static".to_owned()), is_mut, inner: Box::new(of) };
    let of = |(name, of): (&'static str, Ty)| match of {
        // One that captures nothing lives for ever.
        Ty::Closure { code } => {
            let code = mocks::referred(&code).unwrap_or_else(|| format!("&{code}"));
            (!is_mut).then(|| recipe(name, &code, []))
        }
        of => Some(recipe(name, "$0", [reference(of)])),
    };
    names.into_iter().zip(choose::candidates(world, bounds)).filter_map(of).collect()
}

fn function_pointer(world: &World<'_>, inputs: &[Ty], output: &Ty) -> Vec<Recipe> {
    let closure =
        |code: String| recipe(&code, &format!("{{ let function: $T = {code}; function }}"), []).shown(&code);
    closures::for_pointer(world, inputs, output).into_iter().map(closure).collect()
}

/// How a pointer to a type without a size is made of text.
fn unsized_text(inner: &Ty) -> Option<&'static str> {
    Some(match inner.as_path()?.0 {
        "std::path::Path" => "<$T>::from(::std::path::Path::new($0))",
        "std::ffi::OsStr" => "<$T>::from(::std::ffi::OsStr::new($0))",
        "std::ffi::CStr" => {
            "match ::std::ffi::CString::new($0) { Ok(text) => <$T>::from(text), Err(_) => f.absent() }"
        }
        _ => return None,
    })
}

/// The error of a result, whatever its other side is.
const ERROR: &str = "$0.err().unwrap()";

/// Writes the error of a result as people do, where the compiler has said that the whole result prints: a failed
/// `unwrap_err` shows what was there instead.
pub fn respell(api: &mut Api) {
    let prints = |api: &Api, callable: &Callable| {
        let [Param { accepts: Accepts::Value(ty), .. }] = callable.params.as_slice() else { return false };
        api[*ty].facts.debug
    };
    for at in 0..api.callables.len() {
        if api.callables[at].shown == ERROR && prints(api, &api.callables[at]) {
            api.callables[at].shown = "$0.unwrap_err()".to_owned();
        }
    }
}

/// Types that hold others.
fn container(world: &World<'_>, id: &str, args: &[Ty], ty: &Ty) -> Option<Vec<Recipe>> {
    let whole = || ty.clone();
    let dynamic = |pointer: &str, inner: &Ty| {
        let Ty::Dyn(bounds, _) = inner else { return Vec::new() };
        let names = ["of the first implementor", "of the second implementor", "of the third implementor"];
        let types = choose::candidates(world, bounds);
        let of = |(name, of): (&'static str, Ty)| match of {
            Ty::Closure { code } => recipe(name, &format!("{pointer}::new({code}) as $T"), []),
            of => recipe(name, &format!("{pointer}::new($0) as $T"), [of]),
        };
        names.into_iter().zip(types).map(of).collect()
    };
    Some(match (id, args) {
        ("std::option::Option", [inner]) => vec![
            recipe("Some", "Some($0)", [inner.clone()]),
            recipe("None", "None", []).shown("None"),
            recipe("unwrap", "match $0 { Some(value) => value, None => f.absent() }", [whole()])
                .shown("$0.unwrap()")
                .gives(inner.clone()),
        ],
        ("std::result::Result", [ok, error]) => vec![
            recipe("Ok", "Ok($0)", [ok.clone()]).shown("Ok($0)"),
            recipe("Err", "Err($0)", [error.clone()]).shown("Err($0)"),
            recipe("unwrap", "match $0 { Ok(value) => value, Err(_) => f.absent() }", [whole()])
                .shown("$0.unwrap()")
                .gives(ok.clone()),
            recipe("unwrap_err", "match $0 { Ok(_) => f.absent(), Err(error) => error }", [whole()])
                .shown(ERROR)
                .gives(error.clone()),
        ],
        ("std::vec::Vec", [element]) => {
            let mut recipes = vec![list(world, "f.list::<$E>()", element.clone()).shown("vec![$*]")];
            // Room for what is written; a list would hardly ever be long enough.
            if element.as_path().is_some_and(|(path, _)| path == "std::mem::MaybeUninit") {
                let room = "(0..64).map(|_| ::std::mem::MaybeUninit::uninit()).collect()";
                recipes.push(recipe("room", room, []));
            }
            if element.is_own() {
                // Often the only source of them.
                let first = "match $0.into_iter().next() { Some(value) => value, None => f.absent() }";
                let first = recipe("first", first, [whole()]).shown("$0.into_iter().next().unwrap()");
                recipes.push(first.gives(element.clone()));
            }
            recipes
        }
        ("std::vec::IntoIter", [element]) => {
            vec![
                recipe("into_iter", "::std::iter::IntoIterator::into_iter($0)", [Ty::vec(element.clone())])
                    .shown("$0.into_iter()"),
            ]
        }
        ("std::slice::IterMut", [element]) => {
            let slice = Box::new(Ty::Slice(Box::new(element.clone())));
            let slice = Ty::Ref { lifetime: Some("'static".to_owned()), is_mut: true, inner: slice };
            vec![recipe("iter_mut", "$0.iter_mut()", [slice])]
        }
        (
            "std::option::Iter" | "std::collections::vec_deque::Iter" | "std::collections::linked_list::Iter",
            [element],
        ) => {
            let of = match id {
                "std::option::Iter" => "std::option::Option",
                "std::collections::vec_deque::Iter" => "std::collections::VecDeque",
                _ => "std::collections::LinkedList",
            };
            vec![recipe("iter", "$0.iter()", [Ty::shared(Ty::standard(of, [element.clone()]))])]
        }
        ("std::result::Iter", [element]) => {
            let result = Ty::standard("std::result::Result", [element.clone(), element.clone()]);
            vec![recipe("iter", "$0.iter()", [Ty::shared(result)])]
        }
        ("std::option::IntoIter", [element]) => {
            vec![recipe(
                "into_iter",
                "$0.into_iter()",
                [Ty::standard("std::option::Option", [element.clone()])],
            )]
        }
        ("std::iter::Filter", [inner, Ty::Function { .. }]) => {
            let code = "::std::iter::Iterator::filter($0, (|_| true) as fn(&_) -> bool)";
            vec![recipe("filter", code, [inner.clone()]).shown("$0.filter(|_| true)")]
        }
        ("std::iter::Peekable", [inner]) => vec![recipe("peekable", "$0.peekable()", [inner.clone()])],
        ("std::iter::Rev", [inner]) => vec![recipe("rev", "$0.rev()", [inner.clone()])],
        ("std::iter::Fuse", [inner]) => vec![recipe("fuse", "$0.fuse()", [inner.clone()])],
        ("std::iter::Empty", [_]) => vec![recipe("empty", "::std::iter::empty()", [])],
        ("std::iter::Once", [inner]) => vec![recipe("once", "::std::iter::once($0)", [inner.clone()])],
        ("std::slice::Iter", [element]) => {
            vec![recipe("iter", "$0.iter()", [Ty::shared(Ty::Slice(Box::new(element.clone())))])]
        }
        ("std::boxed::Box" | "std::rc::Rc" | "std::sync::Arc", [inner]) => {
            let pointer = format!("::{id}");
            match inner {
                Ty::Dyn(..) => dynamic(&pointer, inner),
                Ty::Primitive(name) if name == "str" => vec![recipe("from", "<$T>::from($0)", [Ty::text()])],
                Ty::Slice(element) => vec![recipe("from", "<$T>::from($0)", [Ty::vec((**element).clone())])],
                _ => match unsized_text(inner) {
                    Some(code) => vec![recipe("from", code, [Ty::text()])],
                    None if *ty == counted::element() => counted_pointer(inner, ty),
                    None => vec![recipe("new", "<$T>::new($0)", [inner.clone()]).shown("$P::new($0)")],
                },
            }
        }
        ("std::pin::Pin", [inner]) => vec![recipe("new", "::std::pin::Pin::new($0)", [inner.clone()])],
        ("std::cell::Cell" | "std::cell::RefCell" | "std::sync::Mutex" | "std::sync::RwLock", [inner]) => {
            vec![recipe("new", "<$T>::new($0)", [inner.clone()]).shown("$P::new($0)")]
        }
        ("std::borrow::Cow", [inner]) => cow(world, inner),
        ("std::ops::Range", [end]) => vec![recipe("range", "$0..$1", [end.clone(), end.clone()])],
        ("std::ops::RangeInclusive", [end]) => vec![recipe("range", "$0..=$1", [end.clone(), end.clone()])],
        ("std::ops::RangeFrom", [end]) => vec![recipe("range", "$0..", [end.clone()])],
        ("std::ops::RangeTo", [end]) => vec![recipe("range", "..$0", [end.clone()])],
        ("std::ops::RangeToInclusive", [end]) => vec![recipe("range", "..=$0", [end.clone()])],
        ("std::ops::Bound", [end]) => vec![
            recipe("Included", "::std::ops::Bound::Included($0)", [end.clone()]),
            recipe("Excluded", "::std::ops::Bound::Excluded($0)", [end.clone()]),
            recipe("Unbounded", "::std::ops::Bound::Unbounded", []),
        ],
        ("std::collections::HashMap" | "std::collections::BTreeMap", [key, value, ..]) => {
            vec![list(world, COLLECTED, Ty::Tuple(vec![key.clone(), value.clone()]))]
        }
        (
            "std::collections::HashSet"
            | "std::collections::BTreeSet"
            | "std::collections::VecDeque"
            | "std::collections::BinaryHeap"
            | "std::collections::LinkedList",
            [element, ..],
        ) => vec![list(world, COLLECTED, element.clone())],
        ("std::num::Wrapping" | "std::num::Saturating" | "std::cmp::Reverse", [inner]) => {
            vec![recipe("wrap", &format!("::{id}($0)"), [inner.clone()])]
        }
        ("std::num::NonZero", [inner]) => vec![
            recipe(
                "new",
                "match <$T>::new($0) { Some(value) => value, None => f.absent() }",
                [inner.clone()],
            )
            .shown("<$T>::new($0).unwrap()"),
        ],
        ("std::mem::MaybeUninit", [inner]) => {
            vec![recipe("new", "<$T>::new($0)", [inner.clone()]), recipe("uninit", "<$T>::uninit()", [])]
        }
        ("std::mem::ManuallyDrop" | "std::io::Cursor", [inner]) => {
            vec![recipe("new", "<$T>::new($0)", [inner.clone()]).shown("$P::new($0)")]
        }
        ("std::io::BufReader" | "std::io::BufWriter" | "std::io::LineWriter", [inner]) => {
            let new = recipe("new", "<$T>::new($0)", [inner.clone()]).shown("$P::new($0)");
            let inner = Ty::shared(inner.clone());
            let inside = recipe("get_ref", "$0.get_ref()", [Ty::shared(whole())]).gives(inner);
            let mut recipes = vec![new, Recipe { is_inspector: true, ..inside }];
            // What is written is not inside before there is enough of it.
            if id != "std::io::LineWriter" {
                let bytes = Ty::shared(Ty::Slice(Box::new(Ty::primitive("u8"))));
                let waiting = recipe("buffer", "$0.buffer()", [Ty::shared(whole())]).gives(bytes);
                recipes.push(Recipe { is_inspector: true, ..waiting });
            }
            recipes
        }
        ("std::hash::BuildHasherDefault" | "std::marker::PhantomData", _) => {
            vec![
                recipe("default", "<$T as ::std::default::Default>::default()", [])
                    .shown("Default::default()"),
            ]
        }
        _ => return None,
    })
}

/// A pointer whose clones are counted: what it is held by shows in their number.
fn counted_pointer(inner: &Ty, ty: &Ty) -> Vec<Recipe> {
    let count = recipe("strong_count", "::std::rc::Rc::strong_count($0)", [Ty::shared(ty.clone())])
        .shown("$P::strong_count($0)")
        .gives(Ty::primitive("usize"));
    vec![
        recipe("new", "<$T>::new($0)", [inner.clone()]).shown("$P::new($0)"),
        recipe("clone", "::std::rc::Rc::clone($0)", [Ty::shared(ty.clone())]).shown("$0.clone()"),
        Recipe { is_inspector: true, ..count },
    ]
}

/// What the document of a dependency tells of its type.
fn foreign(world: &World<'_>, ty: &Ty) -> Vec<Recipe> {
    let Some(text) = world.names.code(ty) else { return Vec::new() };
    let made = |maker: Maker| {
        let code = maker.code.replace(&format!("<{text}"), "<$T");
        let (code, shown) = match maker.wrapper {
            Wrapper::None => (code.clone(), code),
            Wrapper::Option => (
                format!("match {code} {{ Some(value) => value, None => f.absent() }}"),
                format!("{code}.unwrap()"),
            ),
            Wrapper::Result => (
                format!("match {code} {{ Ok(value) => value, _ => f.absent() }}"),
                format!("{code}.unwrap()"),
            ),
        };
        recipe(&maker.name, &code, maker.params).shown(&shown)
    };
    foreign::makers(world.foreign, &text, ty).into_iter().map(made).collect()
}

/// A collection from a list of its elements.
const COLLECTED: &str = "f.list::<$E>().into_iter().collect::<$T>()";

fn list(world: &World<'_>, code: &str, element: Ty) -> Recipe {
    let name = world.names.code(&element).unwrap_or_else(|| "_".to_owned());
    let made = recipe("list", &code.replace("$E", &name), [element]);
    Recipe { is_list: true, ..made }.shown("$P::from([$*])")
}

fn cow(world: &World<'_>, inner: &Ty) -> Vec<Recipe> {
    // A `&String` becomes a `&str` only where that is asked for.
    let of = match world.names.code(inner) {
        Some(name) if world.names.is_unsized(inner) => format!("::<{name}>"),
        _ => String::new(),
    };
    let (borrowed, owned) = match inner {
        Ty::Primitive(name) if name == "str" => (Ty::text(), Ty::string()),
        Ty::Slice(element) => (Ty::shared(inner.clone()), Ty::vec((**element).clone())),
        other => (Ty::shared(other.clone()), other.clone()),
    };
    vec![
        recipe("Borrowed", &format!("::std::borrow::Cow{of}::Borrowed($0)"), [borrowed]),
        recipe("Owned", "::std::borrow::Cow::Owned($0)", [owned]),
    ]
}

/// Types without arguments.
fn plain(id: &str, _ty: &Ty) -> Vec<Recipe> {
    let u64 = || Ty::primitive("u64");
    let u8 = || Ty::primitive("u8");
    match id {
        "std::time::Duration" => vec![
            recipe("new", "::std::time::Duration::new($0, $1)", [u64(), Ty::primitive("u32")]),
            recipe("from_secs", "::std::time::Duration::from_secs($0)", [u64()]),
        ],
        "std::time::SystemTime" => vec![
            recipe(
                "after the epoch",
                "match ::std::time::SystemTime::UNIX_EPOCH.checked_add($0) { Some(time) => time, None => f.absent() }",
                [Ty::standard("std::time::Duration", [])],
            )
            .shown("std::time::SystemTime::UNIX_EPOCH + $0"),
            recipe(
                "before the epoch",
                "match ::std::time::SystemTime::UNIX_EPOCH.checked_sub($0) { Some(time) => time, None => f.absent() }",
                [Ty::standard("std::time::Duration", [])],
            )
            .shown("std::time::SystemTime::UNIX_EPOCH - $0"),
        ],
        "std::cmp::Ordering" => vec![
            recipe("Less", "::std::cmp::Ordering::Less", []),
            recipe("Equal", "::std::cmp::Ordering::Equal", []),
            recipe("Greater", "::std::cmp::Ordering::Greater", []),
        ],
        "std::path::PathBuf" | "std::ffi::OsString" => vec![recipe("from", "<$T>::from($0)", [Ty::text()])],
        "std::ffi::CString" => vec![
            recipe("new", "match <$T>::new($0) { Ok(text) => text, Err(_) => f.absent() }", [Ty::text()])
                .shown("<$T>::new($0).unwrap()"),
        ],
        "std::net::Ipv4Addr" => vec![recipe("new", "<$T>::new($0, $1, $2, $3)", [u8(), u8(), u8(), u8()])],
        "std::net::Ipv6Addr" => vec![
            recipe("from", "<$T>::from($0)", [Ty::primitive("u128")]),
            recipe("localhost", "::std::net::Ipv6Addr::LOCALHOST", []),
        ],
        "std::net::IpAddr" => vec![
            recipe("V4", "::std::net::IpAddr::V4($0)", [Ty::standard("std::net::Ipv4Addr", [])]),
            recipe("V6", "::std::net::IpAddr::V6($0)", [Ty::standard("std::net::Ipv6Addr", [])]),
        ],
        "std::net::SocketAddrV4" => {
            let port = Ty::primitive("u16");
            vec![recipe("new", "<$T>::new($0, $1)", [Ty::standard("std::net::Ipv4Addr", []), port])]
        }
        "std::net::SocketAddr" => {
            let port = Ty::primitive("u16");
            vec![recipe("new", "<$T>::new($0, $1)", [Ty::standard("std::net::IpAddr", []), port])]
        }
        "std::alloc::Layout" => vec![
            recipe("of a number", "::std::alloc::Layout::new::<u64>()", []),
            recipe("of nothing", "::std::alloc::Layout::new::<()>()", []),
        ],
        "std::collections::TryReserveError" => vec![
            recipe("of a vector", "::std::vec::Vec::<u8>::new().try_reserve(usize::MAX).unwrap_err()", []),
        ],
        "std::str::Utf8Error" => vec![
            recipe("of a byte", "::std::str::from_utf8(&[0xff]).unwrap_err()", []),
            recipe("of a part", "::std::str::from_utf8(&[b'a', 0xe2, 0x82]).unwrap_err()", []),
        ],
        "std::string::FromUtf8Error" => vec![
            recipe("of a byte", "::std::string::String::from_utf8(vec![0xff]).unwrap_err()", []),
        ],
        "std::char::DecodeUtf16Error" => vec![
            recipe(
                "of a surrogate",
                "::std::char::decode_utf16([0xdc00]).next().unwrap().unwrap_err()",
                [],
            ),
        ],
        "std::char::CharTryFromError" => {
            vec![recipe("of a surrogate", "char::try_from(0xd800_u32).unwrap_err()", [])]
        }
        "std::num::ParseIntError" => vec![
            recipe("of nothing", "\"\".parse::<u8>().unwrap_err()", []),
            recipe("of a word", "\"x\".parse::<u8>().unwrap_err()", []),
        ],
        "std::num::ParseFloatError" => vec![recipe("of a word", "\"x\".parse::<f64>().unwrap_err()", [])],
        "std::num::TryFromIntError" => {
            vec![recipe("of a number", "u8::try_from(256_u16).unwrap_err()", [])]
        }
        "std::str::ParseBoolError" => vec![recipe("of a word", "\"x\".parse::<bool>().unwrap_err()", [])],
        "std::num::FpCategory" => vec![
            recipe("Normal", "::std::num::FpCategory::Normal", []),
            recipe("Nan", "::std::num::FpCategory::Nan", []),
        ],
        "std::io::ErrorKind" => vec![
            recipe("NotFound", "::std::io::ErrorKind::NotFound", []),
            recipe("Other", "::std::io::ErrorKind::Other", []),
        ],
        "std::io::SeekFrom" => vec![
            recipe("Start", "::std::io::SeekFrom::Start($0)", [u64()]),
            recipe("End", "::std::io::SeekFrom::End($0)", [Ty::primitive("i64")]),
            recipe("Current", "::std::io::SeekFrom::Current($0)", [Ty::primitive("i64")]),
        ],
        "std::io::Empty" => vec![recipe("empty", "::std::io::empty()", [])],
        "std::io::Sink" => vec![recipe("sink", "::std::io::sink()", [])],
        "std::fmt::Error" => vec![recipe("value", "::std::fmt::Error", [])],
        "std::io::Error" => vec![recipe("other", "::std::io::Error::other($0)", [Ty::string()])],
        "std::ops::RangeFull" => vec![recipe("range", "..", [])],
        "std::collections::hash_map::DefaultHasher" | "std::hash::DefaultHasher" | "std::hash::RandomState"
        | "std::collections::hash_map::RandomState" => vec![recipe("new", "<$T>::new()", [])],
        "std::str::Chars" => vec![recipe("chars", "$0.chars()", [Ty::text()])],
        "std::str::Bytes" => vec![recipe("bytes", "$0.bytes()", [Ty::text()])],
        "std::str::CharIndices" => vec![recipe("char_indices", "$0.char_indices()", [Ty::text()])],
        _ => Vec::new(),
    }
}
