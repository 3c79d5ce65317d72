//! What parses text: types with `FromStr`, and the error that each of them gives.

use super::ty::{Bound, Ty};
use super::unify::unify;
use super::world::World;

/// Types of the standard library whose text is parsed, by what their errors are.
const STANDARD: [(&str, &[&str]); 5] = [
    (
        "std::net::AddrParseError",
        &[
            "std::net::IpAddr",
            "std::net::Ipv4Addr",
            "std::net::Ipv6Addr",
            "std::net::SocketAddr",
            "std::net::SocketAddrV4",
            "std::net::SocketAddrV6",
        ],
    ),
    (
        "std::num::ParseIntError",
        &["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"],
    ),
    ("std::num::ParseFloatError", &["f32", "f64"]),
    ("std::str::ParseBoolError", &["bool"]),
    ("std::char::ParseCharError", &["char"]),
];

const CLOSURE: &str = "|text| text.parse()";

/// Whether a closure gives whatever is wanted of it, so that nothing can be told from it.
pub(crate) fn gives_anything(code: &str) -> bool {
    code == CLOSURE
}

/// `|text| text.parse()`, where a closure is given text and its result is what that gives.
pub(crate) fn closure(world: &World<'_>, inputs: &[Ty], output: &Ty) -> Option<String> {
    let [Ty::Ref { inner, .. }] = inputs else { return None };
    let ("std::result::Result", args) = output.as_path()? else { return None };
    let [made, error] = args.as_slice() else { return None };
    let is_text = **inner == Ty::primitive("str");
    let own = error_of(world, made)?;
    (is_text && unify(&own, error, &mut Default::default())).then(|| CLOSURE.to_owned())
}

/// What parsing a type gives where the text is none of its values; `None` if it has no `FromStr`, as far as anybody knows.
fn error_of(world: &World<'_>, ty: &Ty) -> Option<Ty> {
    let name = match ty {
        Ty::Primitive(name) => name,
        Ty::Path { id, .. } => id,
        _ => return None,
    };
    let known = STANDARD.iter().find(|(_, types)| types.contains(&name.as_str()));
    let standard = known.map(|(error, _)| Ty::standard(error, []));
    standard.or_else(|| world.associated(ty, Some(&from_str()), "Err"))
}

fn from_str() -> Bound {
    Bound {
        id: "std::str::FromStr".to_owned(),
        name: "FromStr".to_owned(),
        args: Vec::new(),
        bindings: Vec::new(),
        is_maybe: false,
    }
}
